"""A player's end of a table: what every face and autopilot drives.

A face holds a `Seat` (net.client.session): what is now, what came, and what it may want. Behind it
is a link to a host, kept up through all that a network does, or a table in the same process; run
beside the face, so that a stalled terminal does not lose the link.
"""
