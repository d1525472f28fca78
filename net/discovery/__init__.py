"""Finding tables on this network, and telling of one's own.

Never a room code, a key or a card, and nothing of rooms, links or frames.

    advert, probe, address           what is told, as text records and as packets; all bounded
    doorman, questions               who gets an answer, and which answer is to which question
    networks, sweep                  which networks there are, and going through all of one
    game, games, table, status       the list that a player sees, kept from hints and answers
    turns                            whom the list asks next, and how many at once
    ports, udp, mdns, listener       sockets
    announcer, browser               the two shells: a host's and a player's

All but the last two rows are without socket or chance, which are passed in, and so is the time;
only `networks` looks at the system, and nowhere else is that done.

How a table is found, from the best way to the last: by mDNS; by calls to the broadcast address of
each network; by a sweep, where a player asks for it; by an address that somebody types.
"""
