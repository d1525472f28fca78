"""The host's process: one asyncio loop that runs one table, or a club with many.

`live_table` runs a table, `entrance` lets people in, by the port and by doors, and announces it;
`server` joins these up, or `club` with the hall of a club, which `clubs` opens; `club_hall` runs
the hall, and does what is asked there; its tables are in `club_table`, who comes in is a
`club_visitor`, `club_night` opens the tables of a night, and `club_folder` clears away what is kept
no longer. `options` are what a server is told. `tables` creates or resumes a table from its
journal, `output` holds frames back until their steps are on disk and queues them for each client,
`bots` paces the bots, `bot_pool` has them think in processes of their own, `idle_cores` in more of
them, `bot_process` asks one, whose program, with what it is asked, is `bot_worker`, `process`
starts processes and hides their memory, and `bounded_log` is what they log. `doors` starts the
doors beside the table, `door_answers` answers them by `door_messages`. No rule is decided here:
`net.room` does that.

The journal of a table is one file of frames, from which a killed host brings the same table back.
`journal_format` is what is in it, `journal` the open journal of a host, and the journals in a
folder, `journal_writer` commits from a thread, `journal_errors` are the errors. Steps and values
are opaque bytes here: `net.room` reads them.

A table is brought back by replaying all its steps: 0.15 ms each, a fifth of a second after an
evening of four games of ten players.

No frame leaves the host before its step is on disk: each commit is appended and synced. After
`kill -9`, or a loss of power on a disk that keeps its word, nothing that anybody was told is lost.
"""
