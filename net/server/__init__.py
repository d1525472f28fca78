"""The host's process: one asyncio loop that runs one table, or a club with many.

`live_table` runs a table, `entrance` lets people in, by the port and by doors, and announces it;
`server` joins these up, or `club` with the hall of a club, which `clubs` opens; its tables are in
`club_table`, who comes in is a `club_visitor`, `club_night` opens the tables of a night, and
`club_folder` clears away what is kept no longer. `options` are what a server is told. `tables`
creates or resumes a table from its journal, `output` holds frames back until their steps are on
disk and queues them for each client, `bots` paces the bots, `bot_pool` has them think in processes
of their own, `idle_cores` in more of them, `bot_process` asks one, whose program, with what it is
asked, is `bot_worker`, `process` starts processes and hides their memory, and `bounded_log` is what
they log. `doors` starts the doors beside the table, `door_answers` answers them by `door_messages`.
No rule is decided here: `net.room` does that.

The journal of a table is one SQLite file, from which a killed host brings the same table back.
`journal_format` is the format without the disk, `journal_database` the SQLite file with its schema
and its lock, `journal` the open journal of a host, `journal_writer` commits from a thread,
`journal_listing` finds and removes journals in a folder, `journal_errors` are the errors. Steps and
values are opaque bytes here: `net.room` reads them.

A table is brought back by replaying all its steps: 0.15 ms each, a fifth of a second after an
evening of four games of ten players.

No frame leaves the host before its step is on disk: SQLite keeps a write-ahead log and syncs it at
every commit (`journal_mode=WAL`, `synchronous=FULL`). What that guarantees, and at what price:

- `kill -9`: nothing is lost, with FULL or NORMAL: the system writes what a write call took.
- Power loss: with FULL nothing is lost; with NORMAL every step since the log was last folded into
  the file, up to 1000 pages. FULL costs one sync per commit, hardly more than the disk's bare fsync
  (benchmarks/journal.py), so we use it. A rollback journal needs two or three syncs.
- A disk that acknowledges a sync too early, as macOS lets it unless F_FULLFSYNC is used, may lose
  the last steps at a power loss, and only those: folding the log into the file does use it.

The lock is SQLite's own exclusive one, held from open to close and released by the system when the
process dies, whatever children it leaves. It is a POSIX record lock, so **never open a journal's
file with anything but SQLite in a process that may hold it**: closing that file drops the lock.
Two files lie beside the journal while it is open or after a kill: its log (`-wal`, as much a part
of the journal as the file itself), and `.spare`, disk space reserved for one last note when the
disk is full.
"""
