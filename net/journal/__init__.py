"""The journal of a table: one SQLite file from which a killed host brings the same table back.

A table is brought back by playing all its steps again: 0.15 ms each, a fifth of a second after an
evening of four games of ten.

Nothing leaves the host before its step is on disk: SQLite keeps a write-ahead log and syncs it at
every commit (`journal_mode=WAL`, `synchronous=FULL`). What that buys, and what less would cost:

- `kill -9`: nothing is lost, with FULL or NORMAL. What a write call took, the system will write.
- Power loss: with FULL nothing is lost; with NORMAL every step since the log was last folded into
  the file, up to 1000 pages. FULL costs one sync a commit, hardly more than the disk's bare fsync
  (benchmarks/journal.py), so it is what we do. A rollback journal needs two or three.
- Where the disk lies about syncing, as macOS lets it unless asked by F_FULLFSYNC, power loss may
  cost the last steps, and only them: folding the log into the file does ask.

The lock is SQLite's own exclusive one, held from open to close and let go by the system when the
process dies, whatever children it leaves. It is a POSIX record lock, so **never open a journal's
file with anything but SQLite in a process that may hold it**: closing that file drops the lock.
Beside the file lie, while it is open or after a kill, its log (`-wal`, as much a part of the
journal as the file) and `.spare`, room for one last word on a full disk.
"""

from net.journal.errors import (
    Damage,
    JournalBroken,
    JournalBusy,
    JournalError,
    JournalFinished,
    JournalMissing,
    JournalUnwritable,
    Obstacle,
)
from net.journal.journal import AppendStep, Finish, Journal, JournalHeader, PutMeta, Write
from net.journal.listing import (
    JournalInfo,
    UnreadableJournal,
    list_journals,
    path_of,
    remove_finished,
)
from net.journal.writer import JournalWriter

__all__ = [
    "AppendStep",
    "Damage",
    "Finish",
    "Journal",
    "JournalBroken",
    "JournalBusy",
    "JournalError",
    "JournalFinished",
    "JournalHeader",
    "JournalInfo",
    "JournalMissing",
    "JournalUnwritable",
    "JournalWriter",
    "Obstacle",
    "PutMeta",
    "UnreadableJournal",
    "Write",
    "list_journals",
    "path_of",
    "remove_finished",
]
