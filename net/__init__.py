"""The wire: rooms, secure links, finding games, and the journal of each table.

Knows engine, and never what a screen looks like. It begins with the room, the host's side of a
table without socket, clock or file; the shells around it come after.
"""
