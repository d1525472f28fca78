"""Textual's driver for POSIX terminals, without its ten wake-ups a second while nothing is typed.

Textual's own input thread looks ten times a second whether the app ends, or an escape key was
typed by itself. Here the thread sleeps until there is input or the app ends, and looks at the clock
only after an escape, which may be a key or the beginning of a sequence. `TerminalInput` says what
was typed.
"""

from __future__ import annotations

import fcntl
import os
import struct
import sys
import termios
import threading
import time
from codecs import getincrementaldecoder
from selectors import EVENT_READ, EVENT_WRITE, SelectSelector
from typing import TYPE_CHECKING, Final

from textual.app import App
from textual.drivers.linux_driver import LinuxDriver
from textual.events import Resize
from textual.geometry import Size

from sabtui.app.log_file import log_exception
from sabtui.app.terminal import find_size, kernel_size
from sabtui.art.terminal import SILENT, divide_window, is_gnu_screen
from sabtui.tui.context import Answered
from sabtui.tui.terminal_input import TerminalInput

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from textual.message import Message

    from sabtui.art.store import Size as Pixels

assert sys.platform != "win32"  # imported on POSIX alone; so that types know, too

MAX_READ_BYTES: Final = 4096
"""Most bytes of input that are read at once."""


class ExitEvent(threading.Event):
    """An event that also ends waiting for its file, which can be read from while it is set.

    Its files stay open: a driver goes on after `close`, once a suspended app does.
    """

    def __init__(self) -> None:
        super().__init__()
        self._file, self._wake = os.pipe()
        os.set_blocking(self._file, False)

    def fileno(self) -> int:
        """Return the file that can be read from while the event is set."""
        return self._file

    def set(self) -> None:
        """Set the event."""
        super().set()
        os.write(self._wake, b"\0")

    def clear(self) -> None:
        """Unset the event, which was set."""
        super().clear()
        os.read(self._file, MAX_READ_BYTES)


def read_cell(terminal: int) -> Pixels | None:
    """Return a cell's size in pixels, where the kernel knows that of the terminal's window."""
    try:
        told = fcntl.ioctl(terminal, termios.TIOCGWINSZ, bytes(8))
    except OSError:
        return None
    rows, columns, width, height = struct.unpack("4H", told)
    return divide_window((columns, rows), (width, height))


def _as_in_kernel(told: Resize) -> Resize:
    """Return a size that was told with the input as the kernel has it, if it has one.

    A size may be late, of another window, or so large that drawing it would never end.
    """
    known = kernel_size()
    size = Size(*find_size(os.environ, told.size if 0 in known else known))
    return Resize(size, size, pixel_size=told.pixel_size)


def _holds_escapes(environ: Mapping[str, str]) -> bool:
    """Return True in GNU screen, which with the mouse on keeps Escape back until another key.

    tmux may be called "screen", too, but not "screen.xterm".
    """
    term = environ.get("TERM", "")
    return term.startswith("screen.") or ("STY" in environ and is_gnu_screen(environ))


class QuietDriver(LinuxDriver):
    """Textual's driver with an input thread that sleeps while nothing is typed.

    It can also tell that the terminal is slow, and ask it what it can show.
    """

    def __init__(
        self,
        app: App[object],
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        mouse = mouse and not _holds_escapes(os.environ)
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._file = sys.__stdout__  # which `why_no_screen` looks at; errors can go to a file
        self.exit_event: ExitEvent = ExitEvent()
        self._awaited = 0

    def _get_terminal_size(self) -> tuple[int, int]:
        """Return the size now, where Textual would take `COLUMNS` and `LINES` before it."""
        return find_size(os.environ)

    @property
    def is_behind(self) -> bool:
        """True while the terminal does not take what is written: its buffer is full."""
        assert self._file is not None, "an app on a terminal writes to its standard output"
        with SelectSelector() as selector:
            selector.register(self._file, EVENT_WRITE)
            return not selector.select(0)

    @property
    def cell(self) -> Pixels | None:
        """Pixels of a cell, where the kernel knows those of the window."""
        return read_cell(self.fileno)

    def ask(self, questions: str) -> None:
        """Ask the terminal, the last question of all being DA1; it may answer by `Answered`."""
        self._awaited += 1
        self.write(questions)
        self.flush()

    def _pass_on(self, heard: Iterable[Message]) -> None:
        """Process what was typed, and answers to our own questions, but not to others'."""
        for message in heard:
            if isinstance(message, Answered):
                if not self._awaited:
                    continue
                self._awaited -= SILENT.read(message.text).is_done
            elif isinstance(message, Resize):
                self.process_message(_as_in_kernel(message))
                continue
            self.process_message(message)

    def _run_input_thread(self) -> None:
        """Read input until the app ends. If the terminal is lost, the app ends without a word."""
        try:
            self.run_input_thread()
        except OSError as error:
            log_exception(error)
            self._app.call_later(self._app.panic)
        except Exception as error:  # noqa: BLE001 - a bug of ours, as in any handler
            self._app.call_later(self._app._handle_exception, error)  # noqa: SLF001 - as Textual does

    def run_input_thread(self) -> None:
        """Read input and process its events until the app ends."""
        typed = TerminalInput(debug=self._debug)
        decode = getincrementaldecoder("utf-8")("replace").decode
        with SelectSelector() as selector:
            selector.register(self.fileno, EVENT_READ)
            selector.register(self.exit_event, EVENT_READ)
            while not self.exit_event.is_set():
                ready = selector.select(typed.waits_s)
                text = ""
                if any(key.fd == self.fileno for key, _ in ready):
                    data = os.read(self.fileno, MAX_READ_BYTES)
                    if not data:  # the terminal is gone
                        selector.unregister(self.fileno)
                    text = decode(data)
                self._pass_on(typed.feed(text, time.monotonic()))
