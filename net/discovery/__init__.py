"""Finding tables on the local network, and announcing one's own.

    advert       the description of a table, as its mDNS TXT record and in the probe
    games        the list of games that a player sees
    service      the tasks of a host that announces, and of a program that looks for tables
    search       asks the hosts of one table's copies who they are
    joined_mdns  announcing and listening with zeroconf
    networks     this machine's networks, UDP sockets, port claims
    adapters     kinds of this machine's network adapters, and which have a gateway

`advert` and `games` open no socket: the first takes the nonces as arguments, the second the time.
Only `networks` and `adapters` ask the system for its interfaces. Apart from `search`, the package
handles no keys or connections, and none of it handles room codes, cards or rooms.

A table is found, in order of preference, by mDNS, by questions to the broadcast address of each
network, or by an address that a player types.
"""
