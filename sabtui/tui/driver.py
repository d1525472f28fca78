"""Textual's driver for POSIX terminals, without its ten wake-ups a second; a job of a shell.

A terminal is a stranger: it also sends answers to what other programs asked, late and in pieces.
Textual's parser takes what it does not know for keys, and letters are commands. So it is given only
whole sequences that it knows; all others are dropped whole, and so is any letter after an escape.

Textual's own input thread looks ten times a second whether the app ends, or an escape key was typed
by itself. Here the thread sleeps until there is input or the app ends, and looks at the clock only
after an escape, which may be a key or the beginning of a sequence. `TerminalInput` says what was
typed.
"""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import struct
import sys
import termios
import threading
import time
from codecs import getincrementaldecoder
from collections.abc import Iterator
from selectors import EVENT_READ, EVENT_WRITE, SelectSelector
from typing import TYPE_CHECKING, Final

from textual import constants, events
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._keyboard_protocol import FUNCTIONAL_KEYS
from textual._xterm_parser import XTermParser
from textual.app import App
from textual.drivers.linux_driver import LinuxDriver
from textual.events import Resize
from textual.geometry import Size
from textual.message import Message

from sabtui.app.errors import log_exception
from sabtui.app.terminal import find_size, kernel_size
from sabtui.art.terminal import SILENT, divide_window, is_answer, is_gnu_screen
from sabtui.tui.context import Answered

LATE_S: Final = 2.0
"""Seconds without input after which the rest of a sequence is no longer waited for."""

PASTE_LATE_S: Final = 10.0
"""Seconds without input after which a paste has ended, though its end never came."""

MAX_PASTED: Final = 4096
"""Characters of a paste that are kept: many more than fit into any field."""

MAX_SEQUENCE: Final = 100
"""Characters of a sequence that are kept; longer ones are not known, and dropped."""

ESC: Final = "\x1b"
PASTE_BEGIN: Final = "\x1b[200~"
PASTE_END: Final = "\x1b[201~"
_MOUSE_HEAD: Final = "\x1b[M"
_MOUSE_LETTERS: Final = 6  # an old mouse report: its head, and three letters

_STRINGS: Final = frozenset("]P_^X")
"""Letters that begin a control string after an escape: OSC, DCS, APC, PM and SOS."""

_HEADS: Final = _STRINGS | {"[", "O"}
"""Letters that begin a sequence after an escape."""

_KEY: Final = re.compile(
    r"\x1b\[(?P<code>\d{0,7})(?::\d{0,7}){0,2}"
    r"(?:;(?P<held>\d{0,3})(?::(?P<kind>\d?))?"
    r"(?:;(?P<text>(?:\d{1,7}(?::\d{1,7}){0,7})?))?)?(?P<end>[u~A-FHPQRS])"
)
"""A key of kitty's protocol, with the alternate keys and kinds of event that nobody asked for."""

_RELEASE: Final = "3"
"""Kind of event when a key is let go."""

_HELD_ALT: Final = re.compile(r"\x1b\[(?:27;3;(\d{1,3})~|(\d{1,3});3(?:;\d{1,3})?u)")
"""Alt and a letter, as some terminals and tmux write an escape before it."""

_OTHERS: Final = re.compile(
    r"\x1b\[(?:"
    r"[IO]"  # focus
    r"|<\d{1,5};-?\d{1,6};-?\d{1,6}[Mm]"  # mouse
    r"|\d{1,5};\d{1,5}R"  # place of the cursor
    r"|\?\d{1,5};\d\$y"  # modes
    r"|48(?:;\d{1,5}(?::[\d:]{0,9})?){4}t"  # size of the window
    r")"
)
"""Other sequences that Textual's parser knows."""


_MANY_LETTERS: Final = re.compile(r"([^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]{64,})")
"""More letters, read at once, than anybody types: a paste in a terminal that does not mark it."""

_TAIL: Final = re.compile(
    r"[?>=]?\d{1,5}(?:;\d{1,5})+(?:\$y|[cnRt])"  # an answer to what the terminal is, or where
    r"|(?:\d{1,3};)*rgba?:[\da-fA-F/]{3,30}(?:\x1b?\\|\x07)"  # a colour
)
"""Rest of an answer, read at once, of which another program has read the beginning."""


class _Paste:
    """A paste that goes on, of which no more than `MAX_PASTED` characters are kept."""

    def __init__(self) -> None:
        self.has_ended = False
        self._kept = ""
        self._tail = ""
        """The last characters, with which the end may have begun."""

    @property
    def text(self) -> str:
        """Return the text so far."""
        return (self._kept + self._tail)[:MAX_PASTED]

    def take(self, text: str) -> int:
        """Take a text in, and return how many of its characters belong to the paste."""
        come = self._tail + text
        at = come.find(PASTE_END)
        self.has_ended = at >= 0
        kept = at if self.has_ended else max(len(come) - len(PASTE_END) + 1, 0)
        self._kept += come[:kept][: MAX_PASTED - len(self._kept)]
        taken = at + len(PASTE_END) - len(self._tail) if self.has_ended else len(text)
        self._tail = "" if self.has_ended else come[kept:]
        return taken


class TerminalInput:
    """Reader of what a terminal sends. Times are seconds of any one clock."""

    def __init__(self, *, debug: bool = False) -> None:
        self._parser = XTermParser(debug)
        self._begun = ""
        """Sequence of which the end is to come."""
        self._paste: _Paste | None = None
        self._may_go_on = False
        """True after an Escape key that may have been the first byte of a sequence."""
        self._heard_at = 0.0

    @property
    def waits_s(self) -> float | None:
        """Seconds after which to call `tick`, if nothing is read before; `None`: no need to."""
        return constants.ESCAPE_DELAY if self._begun == ESC else None

    def tick(self, now: float) -> Iterator[Message]:
        """Yield an Escape key to which nothing was added, and what has waited for too long."""
        silent_s = now - self._heard_at
        if self._begun == ESC and silent_s >= constants.ESCAPE_DELAY:
            self._begun, self._may_go_on = "", True
            yield events.Key("escape", ESC)
        if silent_s >= LATE_S:
            self._begun, self._may_go_on = "", False
        if self._paste is not None and silent_s >= PASTE_LATE_S:
            yield self._end_paste()

    def feed(self, text: str, now: float) -> Iterator[Message]:
        """Yield what a text means that was read at a time, after what has come before."""
        yield from self.tick(now)
        if not text:
            return
        self._heard_at = now
        if self._may_go_on and text[0] in _HEADS:
            self._begun = ESC
        elif not self._begun and self._paste is None and (tail := _TAIL.match(text)):
            text = text[tail.end() :]
        self._may_go_on = False
        at = 0
        while at < len(text):
            if self._paste is not None:
                at += self._paste.take(text[at:])
                if self._paste.has_ended:
                    yield self._end_paste()
            elif self._begun:
                yield from self._go_on(text[at])
                at += 1
            else:
                end = text.find(ESC, at)
                end = end if end >= 0 else len(text)
                yield from self._type(text[at:end])
                self._begun = text[end : end + 1]
                at = end + 1

    def _type(self, text: str) -> Iterator[Message]:
        """Yield the keys of a text without a sequence, and pastes that are not marked as such."""
        for number, part in enumerate(_MANY_LETTERS.split(text)):
            if number % 2:
                yield events.Paste(part[:MAX_PASTED])
            else:
                yield from self._parse(part)

    def _end_paste(self) -> events.Paste:
        assert self._paste is not None
        pasted, self._paste = events.Paste(self._paste.text), None
        return pasted

    def _go_on(self, letter: str) -> Iterator[Message]:
        """Add a letter to the sequence that has begun."""
        begun = self._begun
        kind = begun[1:2]
        if kind in _STRINGS:
            yield from self._go_on_string(letter)
        elif letter == ESC:
            if begun == ESC:
                yield events.Key("escape", ESC)
            self._begun = ESC
        elif self._is_middle(letter):
            self._begun = (begun + letter)[:MAX_SEQUENCE]
            if self._begun in ANSI_SEQUENCES_KEYS:  # rxvt ends keys with a dollar
                yield from self._end(self._begun)
        else:
            yield from self._end(begun + letter)

    def _is_middle(self, letter: str) -> bool:
        """Return True if the sequence that has begun goes on after this letter."""
        begun = self._begun
        if begun == ESC:
            return letter in _HEADS or " " <= letter <= "/"
        if begun.startswith(_MOUSE_HEAD):
            return len(begun) < _MOUSE_LETTERS - 1
        if begun[1] == "[":
            return " " <= letter <= "?" or (begun == "\x1b[" and letter in "[M")
        return " " <= letter <= ("?" if begun[1] == "O" else "/")

    def _go_on_string(self, letter: str) -> Iterator[Message]:
        """Add a letter to a control string, which ends with an escape and a backslash.

        OSC may end with a bell instead. Two escapes are one of the string's own, as tmux writes it;
        after one escape any other letter begins another sequence.
        """
        begun = self._begun
        if letter in "\x18\x1a":  # these end it in any terminal
            self._begun = ""
        elif (begun[-1] == ESC and letter == "\\") or (begun[1] == "]" and letter == "\x07"):
            yield from self._end(begun + letter)
        elif letter == ESC:
            self._begun = begun[:-1] if begun[-1] == ESC else begun + ESC
        elif begun[-1] == ESC:
            self._begun = ESC
            yield from self._go_on(letter)
        else:
            self._begun = (begun + letter)[:MAX_SEQUENCE]

    def _end(self, sequence: str) -> Iterator[Message]:
        """Yield what a whole sequence means, nothing for one that is not known."""
        self._begun = ""
        alt = _HELD_ALT.fullmatch(sequence)
        if alt and (letter := chr(int(alt[1] or alt[2]))) in _HEADS:
            self._begun = ESC + letter
        elif sequence == PASTE_BEGIN:
            self._paste = _Paste()
        elif is_answer(sequence):
            yield Answered(sequence)
        else:
            yield from self._parse(find_known(sequence))

    def _parse(self, text: str) -> Iterator[Message]:
        """Yield the events of keys without a sequence, or of one that is known."""
        try:
            yield from list(self._parser.feed(text)) if text else ()  # "" would end the parser
        except Exception as error:  # noqa: BLE001 - whatever a parser does with a stranger's input
            log_exception(error)
            self._parser = XTermParser(debug=False)


def find_known(sequence: str) -> str:
    """Return a sequence as Textual's parser knows it, "" if it does not."""
    keys = ANSI_SEQUENCES_KEYS.get(sequence)
    if sequence[1:2] not in {"[", "O"}:  # an escape and one letter: keys that edit, never letters
        return sequence if isinstance(keys, tuple) else ""
    if key := _find_key(sequence):
        return key
    return sequence if keys is not None or _OTHERS.fullmatch(sequence) else ""


def _find_key(sequence: str) -> str:
    """Return a key of kitty's protocol without what Textual's parser cannot read, else ""."""
    match = _KEY.fullmatch(sequence)
    if match is None or match["kind"] == _RELEASE:
        return ""
    code, held, text, end = match["code"], match["held"] or "", match["text"] or "", match["end"]
    if end == "u":
        numbers = [int(number) for number in (code, *text.split(":")) if number]
        return f"\x1b[{code};{held};{text}u" if all(map(_is_letter, numbers)) else ""
    is_known = not text and f"{code or 1}{end}" in FUNCTIONAL_KEYS
    return f"\x1b[{code};{held}{end}" if is_known else ""


def _is_letter(number: int) -> bool:
    """Return True for the number of a character that can be written."""
    return 0 < number < 0xD800 or 0xDFFF < number <= 0x10FFFF


def suspend_job() -> None:
    """Suspend our whole process group: the shell waits until every process of the job has stopped.

    If no shell can resume us, as in `ssh -t host sabtui`, the system does not stop us.
    """
    if sys.platform != "win32":
        before = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.killpg(0, signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, before)


def end_with_terminal() -> None:
    """Wait until the terminal hangs up, then send ourselves the signal for that.

    The system sends it only to those whom the terminal controls. Any other program reads an endless
    end of input, and Textual goes on reading, on a whole core.
    """
    if sys.platform != "win32" and sys.stdin.isatty():
        terminal = select.poll()
        terminal.register(sys.stdin, 0)  # hang-ups and errors are reported in any case
        if any(told & (select.POLLHUP | select.POLLERR) for _, told in terminal.poll()):
            os.kill(os.getpid(), signal.SIGHUP)


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
