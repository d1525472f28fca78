"""The client side of a table: everything a user interface or an autopilot drives.

    session, publisher   the `Session` interface, its `Status` and its `Update`s, and what publishes
                         them; a thread to run one in, so that a stalled terminal does not lose the
                         connection
    state                the client's state, and how the host's messages change it
    command_queue        commands to the host, kept until they are answered
    host_news            the host's news of everything but the game
    missed               missed steps and the snapshot after them, made into a state
    trail                what is held and was seen of a table, and a seat's own game record
    log_copy             a copy of the table's log, whose secrets are sealed
    hall                 a session in the hall of a club
    table_draws          its share in the draws of who sits at which table there, and their check
    draws, audit         its share in the draws of seeds; the audit of a finished game
    credentials, dialer  what a seat needs to come back, kept on disk; attempts to connect
    pledge               what binds a program that has voted, kept on disk
    local                a session with bots in this process
    files                files for one user alone, and their locks
    reports              reports of disagreement with a host, and of failed audits

The package draws nothing and reads no keys. A session at a table on the network is
`net.takeover.remote`: it follows its table when another program becomes the host.
"""
