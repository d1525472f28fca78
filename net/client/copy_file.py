"""The file of a program's copy of the log, so that the program has a vote after a restart.

It lies beside the seat's credentials, for this user alone. Its secrets are sealed as in the copy
itself: the player's own share does not open them. It is written by a thread, so that no session
waits for a disk; a program that is killed while it writes has the earlier steps.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from net.client.copy_format import (
    MAX_FILE_BYTES,
    CopyWrite,
    SavedCopy,
    SavedUpTo,
    due_write,
    read_copy,
)
from net.client.files import owner_only, replace_file
from net.client.log_copy import LogCopy
from net.client.session import Status
from net.room.copies import outlives_program


class CopyFile:
    """The file at `path`, which is there only while a game may need it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> SavedCopy | None:
        """Return the copy in the file, `None` if there is none that can be used."""
        try:
            if self.path.stat().st_size > MAX_FILE_BYTES:
                return None
            return read_copy(self.path.read_bytes())
        except OSError:
            return None

    def write(self, due: CopyWrite) -> None:
        """Write what is due, and wait until the disk has it.

        Raises:
            OSError: the disk is full, or the folder cannot be written.
        """
        if due.is_whole:
            replace_file(self.path, due.data, lasting=True)
            return
        with open(self.path, "r+b", opener=owner_only) as file:
            file.seek(0, os.SEEK_END)
            file.write(due.data)
            file.flush()
            os.fsync(file.fileno())

    def remove(self) -> None:
        """Remove the file."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)


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
        self._saved: SavedUpTo | None = None
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
        phase = None if held.view is None else held.view.phase
        is_of_use = outlives_program(held.lobby, status.member, phase) and status.undone is None
        if not is_of_use or not self._copy.last:
            self._drop()
        elif self._copy.last == held.step:
            self._goal, self._is_removed = _Goal(table, held.running), False
            self._go_on()

    def _drop(self) -> None:
        if not self._is_removed:
            self._goal, self._saved, self._is_removed = None, None, True
            self._go_on()

    async def close(self) -> None:
        """Wait until all is written."""
        if self._writing is not None:
            await self._writing

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
            due = due_write(self._saved, self._copy, goal.table, goal.running)
            if due is None:
                return
            try:
                await asyncio.to_thread(self._file.write, due)
            except OSError:  # the game goes on; the next step tries again, with all of it
                self._saved = None
                return
            self._saved = None if self._goal is None else due.saved
