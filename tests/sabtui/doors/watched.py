"""A guest who looks at their screen at a door: what comes is drawn, and waited for."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Self

from tests.terminal import Screen

PATIENCE_S = 60.0

OWN_TERMINAL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execvp(sys.argv[1], sys.argv[1:])
"""
"""A program for a program that asks its controlling terminal, as ssh does for a password."""


class Watched:
    """What a guest sees of all that `read` returns, until it returns nothing."""

    def __init__(
        self,
        read: Callable[[], Awaitable[bytes]],
        write: Callable[[bytes], object],
        size: tuple[int, int] = (80, 24),
    ) -> None:
        self.screen = Screen(*size)
        self.raw = b""
        self.has_ended = False
        self.resize: Callable[[int, int], object] = lambda _columns, _rows: None
        self._read, self._write = read, write
        self._came = asyncio.Event()
        self._task = asyncio.create_task(self._look())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    def type(self, keys: str) -> None:
        self._write(keys.encode())

    async def until(self, done: Callable[[], object]) -> None:
        """Wait for a condition on what is to be seen, not for ever."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not done():
                    self._came.clear()
                    await self._came.wait()
        except TimeoutError as error:
            raise AssertionError(f"waited for something else:\n{self.screen.text}") from error

    async def sees(self, pattern: str) -> re.Match[str]:
        await self.until(lambda: re.search(pattern, self.screen.text))
        found = re.search(pattern, self.screen.text)
        assert found
        return found

    async def end(self) -> None:
        await self.until(lambda: self.has_ended)

    async def _look(self) -> None:
        while data := await self._read():
            self.raw += data
            self.screen.feed(data)
            self._came.set()
        self.has_ended = True
        self._came.set()
