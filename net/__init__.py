"""Network play, in layers: client, server, room, discovery, secure, protocol.

`net.protocol` and `net.room` do no I/O; the other packages add sockets, TLS, clocks, processes and
files around them. `tasks` ends tasks of asyncio, and waits; `files` writes and locks the files of
this user; `clock` tells how long this computer slept. Nothing here knows the user interface.
"""
