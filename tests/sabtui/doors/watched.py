"""A guest who looks at their screen at a door: what comes is drawn, and waited for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Self

from tests.terminal import Screen, Watched

OWN_TERMINAL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execvp(sys.argv[1], sys.argv[1:])
"""
"""A program for a program that asks its controlling terminal, as ssh does for a password."""


class WatchedGuest(Watched):
    """What a guest sees of all that `read` returns, until it returns nothing."""

    def __init__(
        self,
        read: Callable[[], Awaitable[bytes]],
        write: Callable[[bytes], object],
        size: tuple[int, int] = (80, 24),
    ) -> None:
        super().__init__(Screen(*size))
        self.raw = b""
        self.resize: Callable[[int, int], object] = lambda _columns, _rows: None
        self._read, self._write = read, write
        self._task = asyncio.create_task(self._look())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    def type(self, keys: str) -> None:
        self._write(keys.encode())

    async def end(self) -> None:
        await self.until(lambda: self.has_ended)

    async def _look(self) -> None:
        while data := await self._read():
            self.raw += data
            self.screen.feed(data)
            self._came.set()
        self.has_ended = True
        self._came.set()
