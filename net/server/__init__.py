"""The host's process: one asyncio loop that runs one table, or a club's many.

`live_table` runs a table: it holds frames back until their steps are on disk, and queues them for
each client. Its entrance lets people in, by the port and by doors, and announces the table: a table
has one of its own, a club one for its hall and tables. `tables` creates or resumes a table from its
journal. `bots` paces the bots and lets them think in processes of their own, whose program is
`bot_worker`; `process` starts processes and hides their memory. `doors` runs the doors of the
table, and knows their guests. `elsewhere` ends a table that all have left, once it goes on at
another computer. No rule is decided here: `net.room` does that.

The journal of a table is one file of frames, from which a killed host resumes the same table.
`journal_format` is its content, with its errors; `journal` the open journal of a host, written from
a thread, and the journals in a folder. Steps and values are opaque bytes here: `net.room` reads
them.

A table is resumed by replaying all its steps: 0.15 ms each, a fifth of a second after an evening of
four games of ten players.

No frame leaves the host before its step is on disk: each commit is appended and synced. After `kill
-9`, or a loss of power with a disk that syncs honestly, nothing that anybody was sent is lost.
"""
