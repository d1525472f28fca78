"""A table and its rules: `Room`, the host's side of it, what happens to it, and its effects.

    input -> net.room.handlers -> Step -> net.room.steps.apply_step -> events -+
                                   |                                           |
                                   '-> journal        frames <- net.room.broadcast

`room` is all that a table is: it makes each step, for the disk and as a frame for each person.
`inputs` are what the shell passes in; each returns `effects`. `handlers` answer messages and admit
newcomers; `decisions` says who may ask for what, and which step it becomes; `draws` makes the steps
in which a seed is drawn. `steps` has the state of a table and what changes it; `broadcast` writes
the frames of a step; `bots` says when bots move or speak, and what they say; `sessions` keeps
connections. A room may be the hall of a club, which has a board in place of chairs.

Clients apply some of the rules, too: `decisions` says what may be asked, `seeds` has the order in
which all draw a seed, and `permissions` says whether a table may play, and whom it waits for. A
table that has moved to another computer is put together by `gathering`.

A step must be on disk before any frame of it is sent. The package does no I/O and reads no clock,
so fairness and lost connections are tested without a network.
"""
