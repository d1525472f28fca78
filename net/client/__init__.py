"""The client side of a table: everything a user interface or an autopilot drives.

    session, publisher           the `Session` interface, its `Status` and its `Update`s, and what
                                 publishes them; a thread to run one in, so that a stalled terminal
                                 does not lose the connection
    state                        the client's state, and how the host's messages change it
    host_news                    the host's news of everything but the game
    missed                       missed steps and the snapshot after them, made into a state
    trail                        what is held and was seen of a table, and a seat's own game record
    log_copy                     a copy of the table's log, whose secrets are sealed
    copy_format, copy_file       that copy on disk, from which a restarted program has it again
    draws, audit                 its share in the draws of seeds; the audit of a finished game
    credentials, dialer, remote  a session with a host, over connections that are kept up
    succession                   a session's watch over its host
    election, election_acts      one program's part in electing another host, and what it asks for
    known_electors               who elects and who may become the host, as one program knows
    pledge                       what binds a program that has voted, kept on disk
    comparing                    its part in comparing what all programs have seen
    standby, standby_listener    connections between the programs of a table's people
    local                        a session with bots in this process
    files                        files for one user alone, and their locks
    reports                      reports of disagreement with a host, and of failed audits

The package draws nothing and reads no keys.
"""
