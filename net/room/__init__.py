"""A table and its rules: `Room`, the host's side of it, what happens to it, and its effects.

    input -> net.room.handlers -> Step -> net.room.state.apply_step -> events -+
                                   |                                           |
                                   '-> journal        frames <- net.room.broadcast

`room` is all that a table is, and `inputs` what the shell tells it: each returns `effects`.
`handlers` answer messages; `commands` turns a request into a step, if `permissions`
allows it; `draws` makes the steps in which a seed is drawn. `steps` makes the step, a
`journal_step` for the disk and a frame for each person; `telling` is what is sent beside it.
`state` holds the table and its journalled steps; `sealing` keeps their secrets from the host's
player, and `opening` waits for those who can open them again; `copies` says who keeps a copy of the
sealed steps, and `electors` who could go on with the table; `computers` says who plays at one
computer; `broadcast` writes the frames of a step, and `past` keeps what was public of the last
steps for those who missed them; `bots` says when bots move or speak, and `occasions` what they say;
`sessions` keeps connections. `hall` is the hall of a club, beside the rooms of its tables,
`hall_links` the connections to it, `club_names` who is known there, and `hall_orders` what it is
told and orders; `night` is a night there, led by `organisers`, and `table_draw` says who sits
where.

Clients apply some of the rules, too: `fold` makes the lobby from its events, `permissions` says who
may do what, and why not, `validation` checks what a host sends, `seeds` has the order in which all
draw a seed, and `succession` says who goes on for a host who is gone.

A step must be on disk before any frame of it is sent. The package does no I/O and reads no clock,
so fairness and lost connections are tested without a network.
"""
