"""Standard input and output, a line at a time, for plain-text mode.

Unless both ends are terminals, a prompt is a line of its own, so that a program that reads line by
line sees when input is expected.
"""

from __future__ import annotations

import codecs
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

from net.protocol.cleaning import sanitise
from sabtui.app.terminal import find_size, is_terminal
from sabtui.text.i18n import _
from sabtui.text.layout import TerminalSize

QUIT_WORDS: Final = frozenset(("quit", "q", "exit", "leave"))
"""Words that leave a place."""

_STDIN: Final = 0  # file descriptor of standard input
_MAX_LINE_CHARACTERS: Final = 4096
"""Maximum characters of a line that are kept (4096): the limit of a Linux terminal's line."""


def not_understood(line: str) -> str:
    return _("Unknown command: {line}. Type ? for help.").format(line=line[:40])


class Console:
    """The player's terminal, or the pipes in its place.

    `is_eager` is True if a person types there, at any time; lines from a pipe can wait. For a guest
    at a door nothing is saved (`keeps_files` is False): the files would be the host's.
    """

    keeps_files: bool = True
    shows_reactions: bool = True
    outlives_input: bool = False
    """True for a program that continues when its input ends: a service has no input."""

    def __init__(self) -> None:
        self.is_eager = is_terminal(sys.stdin) and is_terminal(sys.stdout)
        self.typed = deque[str | None]()  # lines not taken yet, `None` for the end of input
        self._asked = ""
        self._lines = _Lines()
        self._wake: Callable[[], object]
        self._may_read = threading.Semaphore()  # released once the previous line was taken
        self._listener: threading.Thread | None = None

    @property
    def size(self) -> TerminalSize:
        """The current size of the terminal, at least 20 columns and 10 rows."""
        columns, rows = find_size(os.environ)
        return TerminalSize(max(columns, 20), max(rows, 10))

    def ask(self, prompt: str) -> str | None:
        """Show a prompt, and return the line that is typed, `None` at the end of input."""
        self.prompt(prompt)
        line = self._lines.next()
        self.note_answer()
        return None if line is None else self.read(line)

    def read(self, line: str) -> str:
        """Return the text of a line as it was typed; other consoles may encode it."""
        return line

    def listen(self, wake: Callable[[], object]) -> None:
        """Read lines into `typed` in another thread, which calls `wake` after each of them.

        Each is read only once the one before was taken, so that endless input does not fill the
        memory.
        """
        self._wake = wake
        if self._listener is None:
            self._listener = threading.Thread(target=self._listen, name="typed", daemon=True)
            self._listener.start()

    def take_line(self) -> str | None:
        """Take the next line out of `typed`, which is not empty; the end of input stays there."""
        if self.typed[0] is None:
            return None
        self._may_read.release()
        return self.typed.popleft()

    def say(self, lines: Iterable[str]) -> None:
        """Write lines without unprintable characters, as a host's text may contain any.

        Raises BrokenPipeError: nobody reads the output any more.
        """
        text = "".join(f"{sanitise(line)}\n" for line in lines)
        if text:
            sys.stdout.write(f"{self._end_prompt()}{text}")
            sys.stdout.flush()

    def prompt(self, prompt: str) -> None:
        """Show a prompt, unless the same one is showing already."""
        if prompt != self._asked:
            end = " " if self.is_eager else "\n"
            sys.stdout.write(f"{self._end_prompt()}{sanitise(prompt)}>{end}")
            sys.stdout.flush()
            self._asked = prompt

    def note_answer(self) -> None:
        """Note that a line was typed, so that no prompt is showing any more."""
        self._asked = ""

    def leave(self) -> None:
        """End the line of a prompt that is showing, so that other output begins on a new line."""
        sys.stdout.write(self._end_prompt())
        sys.stdout.flush()

    def _end_prompt(self) -> str:
        """Note that no prompt is showing; return the line break that ends its line, if any."""
        shown, self._asked = self._asked, ""
        return "\n" if shown and self.is_eager else ""

    def _listen(self) -> None:
        line: str | None = ""
        while line is not None:
            self._may_read.acquire()
            line = self._lines.next()
            self.typed.append(line)
            self._wake()


_CONTROLS: Final = {
    0: "",  # padding, which some links send to stay open
    **dict.fromkeys({*range(1, 0x20), *range(0x7F, 0xA0)} - {*map(ord, "\t\n\r")}, "\ufffd"),
}
"""Replacements for control characters: the letters after one, which a key sends, are no command."""


class _Lines:
    """The lines of standard input.

    They are read from the file descriptor: a thread blocked inside `sys.stdin` when the program
    ends makes the interpreter abort.
    """

    def __init__(self) -> None:
        encoding = os.device_encoding(_STDIN) or sys.stdin.encoding or "utf-8"
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self._whole: deque[str] = deque()
        self._begun = ""
        self._ended = False

    def next(self) -> str | None:
        """Wait for the next line, and return it, `None` at the end of input."""
        while not self._whole and not self._ended:
            try:
                data = os.read(_STDIN, _MAX_LINE_CHARACTERS)
            except OSError:  # the terminal is gone
                data = b""
            self._ended = not data
            text = self._decoder.decode(data, final=self._ended).translate(_CONTROLS)
            text = self._begun + text
            *lines, begun = text.split("\n")
            self._whole.extend(line.removesuffix("\r") for line in lines)
            self._begun = begun[:_MAX_LINE_CHARACTERS]
            if self._ended and begun:
                self._whole.append(begun)
        return self._whole.popleft() if self._whole else None
