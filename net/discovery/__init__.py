"""Finding tables on the local network, and announcing one's own.

    advert       the description of a table, as its mDNS TXT record and in the probe; games found
    mdns         mDNS, joined anew as networks change
    joined_mdns  announcing and listening with zeroconf
    networks     this machine's networks, UDP sockets, port claims
    announcer    a host's tasks, which use all of these
    browser      the list of games that a player sees, and the tasks that keep it

`advert` opens no socket, and takes the nonces as arguments; only `networks` asks the system for its
interfaces. The package handles no room code, key or card, and knows nothing of rooms, connections
or frames.

A table is found, from the best way to the last: by mDNS; by questions to the broadcast address of
each network; by an address that a player types.
"""
