"""The host's side of a table: `Room`, and the effects that it returns to its caller, the shell.

    command -> net.room.commands -> Step -> net.room.state.apply_step -> events -+
                                     |                                           |
                                     '-> journal        frames <- net.room.broadcast

`room` takes inputs and returns `effects`; `handlers` answer messages; `commands` turns a request
into a step, if `net.lobby.permissions` allows it; `draws` makes the steps in which a seed is drawn;
`live_table` makes the step; `state` holds the table and its journalled steps; `sealing` keeps their
secrets from the host's player, and `opening` waits for those who can open them again; `copies` says
who keeps a copy of the sealed steps, and `electors` who could go on with the table; `computers`
says who plays at one computer; `broadcast` writes the frames of a step, and `past` keeps what was
public of the last steps for those who missed them; `bots` says when bots move or speak; `sessions`
keeps connections.

A step must be on disk before any frame of it is sent. The package does no I/O and reads no clock,
so fairness and lost connections are tested without a network.
"""
