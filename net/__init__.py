"""Network play: protocol, lobby, room, server, client, transport, security, discovery, journal.

`net.protocol`, `net.lobby` and `net.room` do no I/O; the other packages add sockets, TLS, clocks,
processes and files around them. `tasks` ends tasks of asyncio. Nothing in here knows the user
interface.
"""
