"""The file of a program's copy of the log, so that the program has a vote after a restart.

It is a journal, like the file of the table itself, and lies beside the seat's credentials, for this
user alone. Its secrets are sealed as in the copy: the player's own share does not open them. A
thread writes it, so that no session waits for a disk; a program that is killed while it writes has
the earlier steps.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from net.client.log_copy import LogCopy, SavedCopy
from net.client.session import Status
from net.journal.errors import JournalError
from net.journal.format import AppendStep, PutMeta
from net.journal.journal import Journal, remove_journal
from net.protocol.messages import Mark
from net.room.copies import MAX_COPY_BYTES, outlives_program
from net.room.state import read_founding, read_step

MAX_FILE_BYTES: Final = 2 * MAX_COPY_BYTES
"""Most bytes of a file that is read: the largest copy, with much room for keys and digests."""


@dataclass(frozen=True, slots=True)
class CopyWrite:
    """The steps of a copy after number `after` to add to its file, or all to replace it by if 0.

    `saved` is what the file has then, of this `revision` of the copy.
    """

    after: int
    saved: SavedCopy
    revision: int


def due_write(
    last: CopyWrite | None, copy: LogCopy, table: str, running: bytes
) -> CopyWrite | None:
    """Return the write that brings a file up to date after the last one, `None` if it is.

    `running` is the running hash after the last step of the copy. A copy that has too many bytes is
    written no further.
    """
    if not copy.last or copy.is_full:
        return None
    after = last.saved.mark.step if last is not None and last.revision == copy.revision else 0
    if after == copy.last:
        return None
    saved = SavedCopy(table, copy.founding, tuple(copy.steps), Mark(copy.last, running))
    return CopyWrite(after, saved, copy.revision)


class CopyFile:
    """The file at `path`, which is there only while a game may need it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._journal: Journal | None = None

    def read(self) -> SavedCopy | None:
        """Return the copy in the file, `None` if there is none that can be used."""
        try:
            if self.path.stat().st_size > MAX_FILE_BYTES:
                return None
            with Journal.open(self.path) as journal:
                kept, steps = journal.kept(), tuple(step.payload for step in journal.steps())
            read_founding(kept["founding"])
            for step in steps:
                read_step(step)
            mark = Mark(len(steps), kept["running"])
        except (OSError, JournalError, LookupError, msgspec.DecodeError):
            return None
        return SavedCopy(journal.header.table, kept["founding"], steps, mark) if steps else None

    def write(self, due: CopyWrite) -> None:
        """Write what is due, and wait until the disk has it.

        Raises:
            JournalError: the disk is full, or the folder cannot be written.
        """
        saved = due.saved
        if due.after and self._journal is not None:
            new = enumerate(saved.steps[due.after :], due.after + 1)
            steps = [AppendStep(number, payload) for number, payload in new]
            self._journal.commit([*steps, PutMeta("running", saved.mark.hash)])
            return
        self.close()
        self._journal = Journal.create(
            self.path,
            table=saved.table,
            name=read_founding(saved.founding).name,
            created=time.time(),
            meta={"founding": saved.founding, "running": saved.mark.hash},
            steps=saved.steps,
            replaces=True,
        )

    def remove(self) -> None:
        """Remove the file."""
        self.close()
        with suppress(OSError):
            remove_journal(self.path)

    def close(self) -> None:
        """Let go of the file."""
        journal, self._journal = self._journal, None
        if journal is not None:
            journal.close()


@dataclass(frozen=True, slots=True)
class _Goal:
    """The copy that is to be on disk: its table, and the running hash after its last step."""

    table: str
    running: bytes


class CopyKeeper:
    """Keeps the file of a copy up to date, one write after the other, while its session runs."""

    def __init__(self, file: CopyFile, copy: LogCopy) -> None:
        self._file = file
        self._copy = copy
        self._written: CopyWrite | None = None
        self._goal: _Goal | None = None
        self._is_removed = False
        self._writing: asyncio.Task[None] | None = None

    async def read(self) -> SavedCopy | None:
        """Return the copy that an earlier run of the program has saved, `None` if there is none."""
        return await asyncio.to_thread(self._file.read)

    def note(self, table: str, status: Status) -> None:
        """Bring the file up to date with the copy, or remove a file that is of no use.

        While the copy lacks the newest steps, the file stays as it is.
        """
        held = status.game_state
        if held is None:
            return
        is_of_use = outlives_program(held.lobby, status.member, held.phase)
        is_of_use = is_of_use and status.undone is None
        if not is_of_use or not self._copy.last:
            self._drop()
        elif self._copy.last == held.step:
            self._goal, self._is_removed = _Goal(table, held.running), False
            self._go_on()

    def _drop(self) -> None:
        if not self._is_removed:
            self._goal, self._written, self._is_removed = None, None, True
            self._go_on()

    async def close(self) -> None:
        """Wait until all is written, and let go of the file."""
        if self._writing is not None:
            await self._writing
        await asyncio.to_thread(self._file.close)

    def _go_on(self) -> None:
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())

    async def _write(self) -> None:
        """Write until nothing is due."""
        while True:
            goal = self._goal
            if goal is None:
                await asyncio.to_thread(self._file.remove)
                if self._goal is None:
                    return
                continue
            due = due_write(self._written, self._copy, goal.table, goal.running)
            if due is None:
                return
            try:
                await asyncio.to_thread(self._file.write, due)
            except JournalError:  # the game goes on; the next step tries again, with all of it
                self._written = None
                return
            self._written = None if self._goal is None else due
