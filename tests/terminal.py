"""A program on a terminal of its own: keys are typed, and what it draws is read as lines of text.

Knows the escapes that Textual draws with, and that all it draws is one cell wide. For systems with
ptys; no more of a terminal than tests and benchmarks look at.
"""

from __future__ import annotations

import asyncio
import codecs
import os
import re
import struct
import sys
import time
from collections.abc import Callable, Mapping
from typing import Self

if sys.platform != "win32":
    import fcntl
    import pty
    import termios

PATIENCE = 60.0

_TOKEN = re.compile(
    r"\x1b\[[<=>?]?(?P<numbers>[\d;:]*)[ -/]*(?P<final>[@-~])"
    r"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"
    r"|\x1b[P_].*?\x1b\\"
    r"|\x1b[^\[\]P_]"
    r"|(?P<plain>[^\x1b])",
    re.DOTALL,
)


class Screen:
    """What a terminal of this many columns and rows shows."""

    def __init__(self, columns: int, rows: int) -> None:
        self.size = columns, rows
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._rest = ""
        self._at = 0, 0
        self._cells = self._blank()

    @property
    def lines(self) -> list[str]:
        """What is to be seen, without blanks at the ends."""
        return ["".join(row).rstrip() for row in self._cells]

    @property
    def text(self) -> str:
        """The same, in one."""
        return "\n".join(self.lines)

    def feed(self, data: bytes) -> None:
        """Draw."""
        text, end = self._rest + self._decode(data), 0
        while token := _TOKEN.match(text, end):
            end = token.end()
            if token["final"]:
                self._control(token["final"], token["numbers"])
            elif token["plain"]:
                self._put(token["plain"])
        self._rest = text[end:]

    def _blank(self) -> list[list[str]]:
        columns, rows = self.size
        return [[" "] * columns for _ in range(rows)]

    def _control(self, final: str, numbers: str) -> None:
        match final:
            case "H":
                row, _, column = numbers.partition(";")
                self._at = int(row or 1) - 1, int(column or 1) - 1
            case "J":
                self._cells = self._blank()
            case _:
                pass  # colours, and what asks the terminal something

    def _put(self, character: str) -> None:
        (row, column), (columns, rows) = self._at, self.size
        if character == "\r":
            self._at = row, 0
        elif character == "\n":
            self._at = row + 1, column
        elif character.isprintable() and row < rows and column < columns:
            self._cells[row][column] = character
            self._at = row, column + 1


class Watched:
    """A screen that somebody looks at, until it `has_ended`."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.has_ended = False
        self._came = asyncio.Event()

    @property
    def text(self) -> str:
        """What is to be seen."""
        return self.screen.text

    async def until(self, done: Callable[[], object]) -> None:
        """Wait for a condition on what is to be seen, not for ever, nor on a screen that ended."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not done():
                    assert not self.has_ended, f"ended without what was waited for:\n{self.text}"
                    self._came.clear()
                    await self._came.wait()
        except TimeoutError as error:
            raise AssertionError(f"waited for something else:\n{self.text}") from error

    async def sees(self, pattern: str) -> re.Match[str]:
        """Wait until this is to be seen."""
        await self.until(lambda: re.search(pattern, self.text))
        found = re.search(pattern, self.text)
        assert found
        return found


class Terminal(Watched):
    """A program on a terminal. `written` is how many bytes it wrote, `last` when the last came."""

    def __init__(self, process: asyncio.subprocess.Process, master: int, screen: Screen) -> None:
        super().__init__(screen)
        self.process = process
        self.written = 0
        self.last = time.perf_counter()
        self._master = master
        asyncio.get_running_loop().add_reader(master, self._read)

    @classmethod
    async def start(
        cls,
        *command: str,
        size: tuple[int, int] = (80, 24),
        env: Mapping[str, str] | None = None,
        pass_fds: tuple[int, ...] = (),
    ) -> Self:
        """Start a program."""
        master, slave = _pty(*size)
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=slave,
                stdout=slave,
                stderr=slave,
                env=env,
                pass_fds=pass_fds,
                start_new_session=True,
            )
        finally:
            os.close(slave)
        return cls(process, master, Screen(*size))

    async def __aenter__(self) -> Self:
        """Use it."""
        return self

    async def __aexit__(self, *_error: object) -> None:
        """Kill it, if it still runs."""
        await self.kill()

    def type(self, keys: str) -> None:
        """Type: text, and escapes for keys that are none."""
        os.write(self._master, keys.encode())

    def resize(self, columns: int, rows: int) -> None:
        """Give the window another size, in which nothing is to be seen yet."""
        if sys.platform != "win32":
            fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("4H", rows, columns, 0, 0))
        self.screen = Screen(columns, rows)

    async def writes(self) -> None:
        """Wait until the program writes."""
        written = self.written
        await self.until(lambda: self.written > written)

    async def quiet(self, seconds: float) -> None:
        """Wait until nothing has been written for so long."""
        while True:
            self._came.clear()
            try:
                async with asyncio.timeout(seconds):
                    await self._came.wait()
            except TimeoutError:
                return

    async def kill(self) -> None:
        """Kill it, at once and without goodbye, if it still runs."""
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()
        self._hang_up()

    def _read(self) -> None:
        try:
            data = os.read(self._master, 1 << 16)
        except OSError:  # nobody has the other end
            data = b""
        if not data:
            self._hang_up()
        self.last = time.perf_counter()
        self.written += len(data)
        self.screen.feed(data)
        self._came.set()

    def _hang_up(self) -> None:
        if not self.has_ended:
            self.has_ended = True
            asyncio.get_running_loop().remove_reader(self._master)
            os.close(self._master)


def _pty(columns: int, rows: int) -> tuple[int, int]:
    """Make a terminal of this size: the end for a person, and the one for a program."""
    if sys.platform != "win32":
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        return master, slave
    raise NotImplementedError
