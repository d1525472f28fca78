"""The wire: rooms, secure links, finding games, and the journal of each table.

It begins with the room, the host's side of a table without socket, clock or file; the shells
around it come after.
"""
