"""The client side of a table: everything a user interface or an autopilot drives.

    session              the `Session` interface, its `Status` and its `Update`s; a thread to run
                         one in, so that a stalled terminal does not lose the connection
    state                the client's state, how the host's messages change it, what publishes it
    remote               a session at a table on the network, or in a club's hall
    command_queue        commands to the host, kept until they are answered
    host_news            the host's news of everything but the game
    snapshots            what is held after a snapshot
    trail                what is held and was seen of a table, and a seat's own game record
    draws, audit         its share in the draws of seeds; the audit of a finished game
    later_deals          the deals of a game after its table has moved
    credentials, dialer  what a seat needs to come back, kept on disk; attempts to connect
    following            looking for a table elsewhere, and going on with it here
    gathering_share      its share in the seed of a table that goes on elsewhere
    local                a session with bots in this process
    files                files for one user alone, and their locks
    reports              reports of disagreement with a host, and of failed audits

The package draws nothing and reads no keys.
"""
