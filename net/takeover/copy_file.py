"""The file of a program's copy of the log, so that the program has a vote after a restart.

It is a journal, like the file of the table itself, and lies beside the seat's credentials, for this
user alone. Its secrets are sealed as in the copy: the player's own share does not open them. A
thread writes it, so that no session waits for a disk; a program that is killed while it writes has
the earlier steps.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from net.client.log_copy import LogCopy, SavedCopy
from net.client.session import Status
from net.protocol.messages import Mark
from net.room.copies import MAX_COPY_BYTES, outlives_program
from net.room.journal_step import JournalStep
from net.room.state import read_founding, read_step
from net.server.journal import Journal, remove_journal
from net.server.journal_errors import JournalError
from net.server.journal_format import PutMeta

MAX_FILE_BYTES: Final = 2 * MAX_COPY_BYTES
"""Most bytes of a file that is read: the largest copy, with much room for keys and digests."""


class CopyFile:
    """The file at `path`, which is there only while a game may need it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._journal: Journal | None = None
        self._last: SavedCopy | None = None  # what was written

    def read(self) -> SavedCopy | None:
        """Return the copy in the file, `None` if there is none that can be used."""
        try:
            if self.path.stat().st_size > MAX_FILE_BYTES:
                return None
            with Journal.open(self.path) as journal:
                kept, steps = journal.read_kept(), tuple(step.payload for step in journal.steps())
            read_founding(kept["founding"])
            for step in steps:
                read_step(step)
            mark = Mark(len(steps), kept["running"])
        except (OSError, JournalError, LookupError, ValueError, msgspec.DecodeError):
            return None
        return SavedCopy(journal.header.table, kept["founding"], steps, mark) if steps else None

    def write(self, copy: SavedCopy | None) -> None:
        """Bring the file up to date, and wait until the disk has it; `None` removes the file.

        Raises:
            JournalError: the disk is full, or the folder cannot be written.
            FileExistsError: another program writes it at this moment.
        """
        last, self._last = self._last, None
        if copy is None:
            self.close()
            with suppress(OSError):
                remove_journal(self.path)
        elif self._journal is not None and last is not None and last.revision == copy.revision:
            new = enumerate(copy.steps[last.mark.step :], last.mark.step + 1)
            steps = [JournalStep(number, payload) for number, payload in new]
            self._journal.commit([*steps, PutMeta("running", copy.mark.hash)])
        else:
            self.close()
            self._journal = Journal.create(
                self.path,
                table=copy.table,
                name=read_founding(copy.founding).name,
                meta={"founding": copy.founding, "running": copy.mark.hash},
                steps=copy.steps,
                replaces=True,
            )
        self._last = copy

    def close(self) -> None:
        """Let go of the file."""
        journal, self._journal = self._journal, None
        if journal is not None:
            journal.close()


class CopyKeeper:
    """Keeps the file of a copy up to date, one write after the other, while its session runs."""

    def __init__(self, file: CopyFile, copy: LogCopy) -> None:
        self._file = file
        self._copy = copy
        self._goal: SavedCopy | None = None
        self._is_up_to_date = False
        self._writing: asyncio.Task[None] | None = None

    async def read(self) -> SavedCopy | None:
        """Return the copy that an earlier run of the program has saved, `None` if there is none."""
        return await asyncio.to_thread(self._file.read)

    def note(self, table: str, status: Status) -> None:
        """Bring the file up to date with the copy, or remove a file that is of no use.

        While the copy lacks the newest steps, or if it is too long for any evening, the file stays
        as it is.
        """
        held, copy, goal = status.game_state, self._copy, self._goal
        if held is None:
            return
        is_of_use = outlives_program(held.lobby, status.member, held.phase)
        if status.undone is not None or not is_of_use or not copy.last:
            goal = None
        elif copy.last == held.step and not copy.is_full:
            goal = copy.to_save(table, held.mark, goal)
        else:
            return
        self._is_up_to_date = self._is_up_to_date and goal is self._goal
        self._goal = goal
        if not self._is_up_to_date and (self._writing is None or self._writing.done()):
            self._writing = asyncio.create_task(self._write())

    async def close(self) -> None:
        """Wait until all is written, and let go of the file."""
        if self._writing is not None:
            await self._writing
        await asyncio.to_thread(self._file.close)

    async def _write(self) -> None:
        """Write until nothing is due; after a failure the next message tries again."""
        while not self._is_up_to_date:
            self._is_up_to_date = True
            try:
                await asyncio.to_thread(self._file.write, self._goal)
            except (JournalError, FileExistsError):  # the game goes on
                self._is_up_to_date = False
                return
