"""Standard input and output, a line at a time: the shell around a line face.

Without a terminal at both ends a prompt is a line of its own, so that whoever reads along line by
line sees when it is their turn to type.
"""

from __future__ import annotations

import codecs
import io
import os
import shutil
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

from sabtui.text.layout import TerminalSize

_STDIN: Final = 0
_MAX_LINE_CHARACTERS: Final = 4096
"""Characters of a line that are kept: as many as a terminal takes."""


class Console:
    """The terminal, or the pipes, that a player sits at.

    `is_eager` tells that a person types there, whenever they like; lines from a pipe can wait.
    """

    def __init__(self) -> None:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")
        self.is_eager = sys.stdin.isatty() and sys.stdout.isatty()
        self._asked = ""
        self._lines = _Lines()

    @property
    def size(self) -> TerminalSize:
        """How large the terminal is now."""
        columns, rows = shutil.get_terminal_size()
        return TerminalSize(max(columns, 20), max(rows, 10))

    def ask(self, prompt: str) -> str | None:
        """Ask, and wait for the line that is typed, `None` at the end of input."""
        self.prompt(prompt)
        line = self._lines.next()
        self.answered()
        return line

    def listen(self, hear: Callable[[str | None], None]) -> None:
        """Call `hear` in another thread with each line typed, and with `None` at the end."""
        threading.Thread(target=self._listen, args=(hear,), name="typed", daemon=True).start()

    def say(self, lines: Iterable[str]) -> None:
        """Write lines, of which nothing but text gets out, whatever a host sent to be shown.

        Raises `BrokenPipeError` where nobody reads any more.
        """
        text = "".join(f"{_text(line)}\n" for line in lines)
        if text:
            sys.stdout.write(f"{self._below()}{text}")
            sys.stdout.flush()

    def prompt(self, prompt: str) -> None:
        """Show what is asked for now, unless it stands there already."""
        if prompt != self._asked:
            end = " " if self.is_eager else "\n"
            sys.stdout.write(f"{self._below()}{_text(prompt)}>{end}")
            sys.stdout.flush()
            self._asked = prompt

    def answered(self) -> None:
        """Take note that a line was typed, so that no prompt stands any more."""
        self._asked = ""

    def leave(self) -> None:
        """Leave a prompt that stands, so that what others write begins a line."""
        sys.stdout.write(self._below())
        sys.stdout.flush()

    def _below(self) -> str:
        """What goes to a new line, where a prompt stands on this one."""
        stands, self._asked = self._asked, ""
        return "\n" if stands and self.is_eager else ""

    def _listen(self, hear: Callable[[str | None], None]) -> None:
        line: str | None = ""
        while line is not None:
            line = self._lines.next()
            hear(line)


def _text(line: str) -> str:
    """A line without what a terminal would obey."""
    return "".join(c for c in line if c.isprintable())


class _Lines:
    """The lines of standard input.

    Not by `sys.stdin`: a thread that waits inside it when the program ends brings down Python.
    """

    def __init__(self) -> None:
        encoding = os.device_encoding(_STDIN) or sys.stdin.encoding or "utf-8"
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self._whole: deque[str] = deque()
        self._begun = ""
        self._ended = False

    def next(self) -> str | None:
        """Wait for the next line, `None` at the end."""
        while not self._whole and not self._ended:
            try:
                data = os.read(_STDIN, _MAX_LINE_CHARACTERS)
            except OSError:  # the terminal is gone
                data = b""
            self._ended = not data
            text = self._begun + self._decoder.decode(data, final=self._ended)
            *lines, begun = text.split("\n")
            self._whole.extend(line.removesuffix("\r") for line in lines)
            self._begun = begun[:_MAX_LINE_CHARACTERS]
            if self._ended and begun:
                self._whole.append(begun)
        return self._whole.popleft() if self._whole else None
