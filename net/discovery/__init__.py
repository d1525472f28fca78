"""Finding tables on the local network, and announcing one's own.

    advert                    the description of a table, and its mDNS TXT record
    probe                     the probe: its packets, and a player's side and a host's side of it
    networks                  this machine's networks, their broadcast addresses, sweeps of them
    mdns, limited_zeroconf    announcing and listening with zeroconf, and limits on its answers
    sockets                   UDP sockets and port claims
    announcer                 the tasks of a host, which use all of these
    browser                   the list of games that a player sees, and the tasks that keep it

Modules other than those of the last four rows open no socket, and take the time and the nonces as
arguments; only `networks` asks the system for its interfaces and compares its clocks. The package
handles no room code, key or card, and knows nothing of rooms, connections or frames.

A table is found, from the best way to the last: by mDNS; by questions to the broadcast address of
each network; by a sweep, if a player asks for one; by an address that a player types.
"""
