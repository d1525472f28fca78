"""Standard input and output, a line at a time: the shell around a line face.

Knows streams and terminals, and nothing of games. Without a terminal at both ends a prompt is a
line of its own, so that whoever reads along line by line sees when it is their turn to type.
"""

from __future__ import annotations

import contextlib
import io
import shutil
import sys
from collections.abc import Iterable

from sabtui.plain.wrap import Size


class Console:
    """The terminal, or the pipes, that a player sits at."""

    def __init__(self) -> None:
        for stream in (sys.stdin, sys.stdout):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")
        self._terminal = sys.stdin.isatty() and sys.stdout.isatty()
        if self._terminal:
            with contextlib.suppress(ImportError):  # Windows has none, and edits lines by itself.
                import readline  # noqa: F401, PLC0415 - being there gives input() a history

    @property
    def size(self) -> Size:
        """How large the terminal is now."""
        columns, rows = shutil.get_terminal_size()
        return Size(max(columns, 20), max(rows, 10))

    def say(self, lines: Iterable[str]) -> None:
        """Write lines. Raises `BrokenPipeError` where nobody reads any more."""
        for line in lines:
            sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    def ask(self, prompt: str) -> str | None:
        """The next line that is typed, `None` at the end of input."""
        if not self._terminal:
            self.say([f"{prompt}>"])
            return sys.stdin.readline() or None
        try:
            return input(f"{prompt}> ")
        except EOFError:
            self.say([""])
            return None
