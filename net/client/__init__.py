"""The client side of a table: everything a user interface or an autopilot drives.

    session       the `Session` interface, its `Status` and its `Update`s; a thread to run one in,
                  so that a stalled terminal does not lose the connection
    state         the client's state, its commands until they are answered, and how the host's
                  messages change it
    remote        a session at a table on the network, or in a club's hall
    trail         what is held and was seen of a table, after a frame and after a snapshot, and a
                  seat's own game record; what a host sends is checked against the rules and the
                  lobby
    draws, audit  its share in the draws of seeds; the audit of a finished game
    credentials   what a seat needs to come back, kept on disk
    dialer        attempts to connect
    moving        finds the copy of a table that comes before our own
    local         a session with bots in this process

The package draws nothing and reads no keys.
"""
