"""Finding tables on this network, and telling of one's own.

Knows what is told of a table before anybody trusts anybody: its name, its version, how many sit
there. Never a room code, a key or a card, and nothing of rooms, links or frames.

    advert, probe, address           what is told, as text records and as packets; all bounded
    doorman, questions               who gets an answer, and which answer is to which question
    game, games, table               the list that a player sees, kept from hints and answers
    ports, udp, mdns                 sockets
    announcer, browser               the two shells: a host's and a player's

The first three rows are without socket, clock or chance, which are passed in.
"""
