"""Finding tables on the local network, and announcing one's own.

    advert       the description of a table, as its mDNS TXT record and in the probe
    games        the list of games that a player sees
    service      the tasks of a host that announces, and of a program that looks for tables
    search       asks the hosts of one table's copies who they are
    joined_mdns  announcing and listening with zeroconf
    networks     this machine's networks, UDP sockets, port claims
    adapters     kinds of this machine's network adapters, and which have a gateway

`advert` and `games` open no socket: the first takes the nonces as arguments, the second the time.
Only `networks` and `adapters` ask the system for its interfaces. But for `search` the package
handles no key and no connection, and none of it a room code, card or room.

A table is found, from the best way to the last: by mDNS; by questions to the broadcast address of
each network; by an address that a player types.
"""
