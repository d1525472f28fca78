"""Textual's driver for POSIX terminals, given only whole sequences.

A terminal cannot be trusted: it also sends answers to other programs' questions, late and in
pieces. Textual's parser takes what it does not know for keys, and letters are commands. So
`TerminalInput` passes it whole sequences, one at a time: unknown ones are dropped whole, and so is
any letter after an escape. A terminal may also begin them with one 8-bit control, in UTF-8 or as a
raw byte, for an escape and a letter (ECMA-48, 5.3).
"""

from __future__ import annotations

import fcntl
import os
import re
import struct
import sys
import termios
import threading
import time
from codecs import IncrementalDecoder, getincrementaldecoder, register_error
from collections.abc import Iterator
from selectors import EVENT_READ, EVENT_WRITE, SelectSelector
from typing import TYPE_CHECKING, Final

from textual import constants, events
from textual.app import App
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message
from textual.messages import InBandWindowResize

from sabtui.app.errors import log_exception
from sabtui.app.terminal import find_size
from sabtui.art.terminal import divide_window, is_answer, is_gnu_screen
from sabtui.tui.private import ANSI_SEQUENCES_KEYS, FUNCTIONAL_KEYS, XTermParser
from sabtui.tui.theme import Answered

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sabtui.art.store import Size as Pixels

assert sys.platform != "win32"  # imported only on POSIX; tells the type checker

LOOK_S: Final = 0.1
"""Seconds between checks of whether Escape was typed, which also begins other keys."""

LATE_S: Final = 2.0
"""Seconds without input after which the rest of a sequence is no longer waited for."""

PASTE_LATE_S: Final = 10.0
"""Seconds without input after which the end of a paste is no longer waited for."""

MAX_PASTED: Final = 4096
"""Characters of a paste that are kept, many more than fit into any field, and of one read."""

MANY_LETTERS: Final = 64
"""This many letters read at once are a paste, in a terminal that does not mark pastes."""

MAX_SEQUENCE: Final = 32
"""Maximum characters of a sequence that Textual knows: it takes longer ones for letters."""

ESC: Final = "\x1b"
PASTE_BEGIN: Final = "\x1b[200~"

_TOKEN: Final = re.compile(
    r"\x1b\[200~(?P<paste>.*?)(?:\x1b\[|\x9b)201~"
    r"|[^\x1b\x80-\x9f]+"  # letters
    r"|\x1b(?=[\x1b\x80-\x9f])"  # an escape key, and a sequence
    r"|(?!\x1b\[200~)\x1b(?:"
    r"\[M.{3}|\[\[.|\[\d+\$"  # an old mouse report, keys of the Linux console and of rxvt
    # Other controls than escape, CAN and SUB end no sequence.
    r"|\[(?![M\[])[\x00-\x17\x19\x1c-?\x7f]*(?:[^\x00-\x17\x19\x1c-?\x1b\x7f-\x9f]|(?=[\x1b\x80-\x9f]))"
    r"|O[ -?]*(?:[^ -?\x1b\x80-\x9f]|(?=[\x1b\x80-\x9f]))"
    r"|N(?:[^\x1b\x80-\x9f]|(?=[\x1b\x80-\x9f]))"  # one letter of another character set
    # Control strings. Two escapes stand for one within the string, as tmux writes it.
    r"|\](?:[^\x1b\x07\x18\x1a\x9c]|\x1b\x1b)*(?:\x1b\\|[\x07\x18\x1a\x9c]|(?=\x1b[^\x1b\\]))"
    r"|[P_^X](?:[^\x1b\x18\x1a\x9c]|\x1b\x1b)*(?:\x1b\\|[\x18\x1a\x9c]|(?=\x1b[^\x1b\\]))"
    r"|[ -/]+(?:[^ -/\x1b\x80-\x9f]|(?=[\x1b\x80-\x9f]))"
    r"|[^ -/\[\]NOP_^X\x1b\x80-\x9f])",
    re.DOTALL,
)
"""What a terminal may send: a paste, letters, or a whole sequence, known or not."""

_EIGHT_BITS: Final = {chr(at + 0x40): f"{ESC}{chr(at)}" for at in range(0x40, 0x60)}
"""What each 8-bit control stands for."""

_ENDS: Final = frozenset("u~ABCDEFHPQRS")  # characters that end a key with a number

_NUMBERED_KEY: Final = re.compile(r"\x1b\[(\d{0,7})(?:;\d{0,3})?(;[\d:]*)?(.)")


def _keep_controls(error: UnicodeError) -> tuple[str, int]:
    """Decode bytes that are not UTF-8: 8-bit controls to themselves, all others as usual."""
    assert isinstance(error, UnicodeDecodeError)
    wrong = error.object[error.start : error.end]
    return "".join(chr(byte) if byte in _CONTROLS else "\ufffd" for byte in wrong), error.end


_CONTROLS: Final = range(0x80, 0xA0)
register_error("sabtui.controls", _keep_controls)


def new_decoder() -> IncrementalDecoder:
    """Return a decoder of what a terminal sends, for `TerminalInput`."""
    return getincrementaldecoder("utf-8")("sabtui.controls")


class TerminalInput:
    """Reader of what a terminal sends."""

    def __init__(self) -> None:
        self._held = ""  # an unfinished sequence or paste
        self._may_go_on = False
        """True after an Escape key that may have been the first byte of a sequence."""
        self._heard_at = 0.0

    @property
    def is_waiting(self) -> bool:
        """True while a sequence is incomplete, or an Escape may be a key on its own."""
        return bool(self._held)

    def feed(self, text: str, now: float) -> Iterator[Message]:
        """Yield the messages that a text completes, "" if nothing came.

        `now` is in seconds of any clock: an Escape by itself is a key after a while.
        """
        text = text.replace("\0", "")  # padding, which some links send to stay open
        silent_s = now - self._heard_at
        if self._held == ESC and silent_s >= constants.ESCAPE_DELAY:
            self._held, self._may_go_on = "", True
            yield events.Key("escape", ESC)
        if silent_s >= (PASTE_LATE_S if self._held.startswith(PASTE_BEGIN) else LATE_S):
            self._held, self._may_go_on = "", False
        if not text:
            return
        self._heard_at = now
        if self._may_go_on and text[0] in "[]OP_^X":
            text = ESC + text
        self._may_go_on = False
        text, at = self._held + text, 0
        while True:
            if seven_bits := _EIGHT_BITS.get(text[at : at + 1]):
                text, at = seven_bits + text[at + 1 :], 0
            token = _TOKEN.match(text, at)
            if token is None:
                break
            at = token.end()
            yield from _read(token[0], token["paste"])
        self._held = held = text[at:]
        end = len(PASTE_BEGIN)
        most = MAX_PASTED + end if held.startswith(PASTE_BEGIN) else MAX_SEQUENCE
        if len(held) > most + end:  # keep only what can matter, and what may be part of its end
            self._held = held[:2] + held[2:most].replace(ESC, "") + held[-end:]


def _read(text: str, paste: str | None) -> Iterator[Message]:
    """Yield the messages for letters, a paste or a whole sequence; nothing for unknown ones."""
    if paste is not None or (text[0] != ESC and len(text) >= MANY_LETTERS):
        yield events.Paste((text if paste is None else paste)[:MAX_PASTED])
    elif text == ESC:
        yield events.Key("escape", ESC)
    elif is_answer(text):
        yield Answered(text)
    elif text[0] != ESC or _may_be_known(text):
        try:
            # A new parser: the last one may still wait for the end of an unknown sequence.
            yield from list(XTermParser().feed(text))
        except Exception as error:  # noqa: BLE001 - whatever a parser does with untrusted input
            log_exception(error)


def _may_be_known(sequence: str) -> bool:
    """Return False for a sequence that Textual's parser would turn into letters."""
    if len(sequence) > MAX_SEQUENCE:
        return False
    known = ANSI_SEQUENCES_KEYS.get(sequence)
    if sequence[1] not in "[O":
        return isinstance(known, tuple)
    if known is not None or sequence[-1] not in _ENDS:
        return True
    key = _NUMBERED_KEY.fullmatch(sequence)
    if key is None or key[3] == "u":
        return key is not None
    return key[2] is None and f"{key[1] or 1}{key[3]}" in FUNCTIONAL_KEYS


def read_cell(terminal: int) -> Pixels | None:
    """Return a cell's size in pixels, if the kernel knows the size of the terminal's window."""
    try:
        answer = fcntl.ioctl(terminal, termios.TIOCGWINSZ, bytes(8))
    except OSError:
        return None
    rows, columns, width, height = struct.unpack("4H", answer)
    return divide_window((columns, rows), (width, height))


def _holds_escapes(environ: Mapping[str, str]) -> bool:
    """Return True in GNU screen, which holds Escape back until the next key if the mouse is on.

    tmux may be called "screen", too, but not "screen.xterm".
    """
    term = environ.get("TERM", "")
    return term.startswith("screen.") or ("STY" in environ and is_gnu_screen(environ))


class ExitEvent(threading.Event):
    """An event that a selector can wait for: `file` can be read while it is set."""

    def __init__(self) -> None:
        super().__init__()
        self.file, self._writing = os.pipe()

    def set(self) -> None:
        if not self.is_set():
            os.write(self._writing, b"\0")
        super().set()

    def clear(self) -> None:
        if self.is_set():
            os.read(self.file, 1)
        super().clear()

    def __del__(self) -> None:
        os.close(self.file)
        os.close(self._writing)


class QuietDriver(LinuxDriver):
    """Textual's driver with our reader, and with questions to the terminal."""

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
        self.exit_event = self._exit = ExitEvent()
        self._file = sys.__stdout__  # `why_no_screen` checks this one; errors can go to a file

    def _get_terminal_size(self) -> tuple[int, int]:
        """Return the window's size; Textual would prefer the variables `COLUMNS` and `LINES`."""
        return find_size(os.environ)

    def _query_in_band_window_resize(self) -> None:
        """Do not ask for sizes among the keys: the kernel knows them, and cannot be spoofed."""

    @property
    def is_behind(self) -> bool:
        """True while the terminal does not take what is written: its buffer is full."""
        assert self._file is not None, "an app on a terminal writes to its standard output"
        with SelectSelector() as selector:
            selector.register(self._file, EVENT_WRITE)
            return not selector.select(0)

    @property
    def cell(self) -> Pixels | None:
        """Pixels of a cell, if the kernel knows the size of the window in pixels."""
        return read_cell(self.fileno)

    def ask(self, questions: str) -> None:
        """Ask the terminal, which may answer by `Answered`."""
        self.write(questions)
        self.flush()

    def _run_input_thread(self) -> None:
        """Read input until the app ends. If the terminal is lost, the app ends silently."""
        try:
            self.run_input_thread()
        except OSError as error:
            log_exception(error)
            self._app.call_later(self._app.panic)
        except Exception as error:  # noqa: BLE001 - a bug of ours, as in any handler
            self._app.call_later(self._app._handle_exception, error)  # noqa: SLF001 - as Textual does

    def run_input_thread(self) -> None:
        """Read input and process its events until the app ends."""
        typed = TerminalInput()
        decode = new_decoder().decode
        with SelectSelector() as selector:
            selector.register(self.fileno, EVENT_READ)
            selector.register(self._exit.file, EVENT_READ)
            while not self.exit_event.is_set():
                text = ""
                # No polling while nothing is due: a guest's screen would wake ten times a second.
                ready = selector.select(LOOK_S if typed.is_waiting else None)
                if any(key.fd == self.fileno for key, _events in ready):
                    data = os.read(self.fileno, MAX_PASTED)
                    if not data:  # the terminal is gone
                        selector.unregister(self.fileno)
                    text = decode(data)
                for message in typed.feed(text, time.monotonic()):
                    if not isinstance(message, events.Resize | InBandWindowResize):
                        self.process_message(message)
