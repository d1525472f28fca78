"""Sessions that outlive the host: the others elect one of them, who goes on with the table.

    remote            a session at a table on the network, which follows it to a new host
    succession        the session's watch over its host
    election          one program's part in electing another host
    election_acts     what an election asks of its program
    known_electors    who elects and who may become the host, as one program knows
    comparing         one program's part in comparing what all programs have seen
    standby           connections between the programs of a table's people
    standby_listener  where a program listens to the others
    copy_file         the copy of the log on disk, from which a restarted program has it again

The rules are in `net.room.succession`, the messages in `net.protocol.election`.
"""
