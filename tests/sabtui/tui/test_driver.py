"""The driver: what a terminal sends, whatever it is, and how an app has it and gives it back."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from queue import SimpleQueue

import pytest
from textual import constants, events
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual.app import App
from textual.message import Message

pytest.importorskip("termios", reason="a driver for POSIX")
assert sys.platform != "win32"  # so that types know, too

from sabtui.art.terminal import SILENT, TerminalAnswers  # noqa: E402 - POSIX
from sabtui.tui.app import SabtuiApp  # noqa: E402 - POSIX
from sabtui.tui.driver import (  # noqa: E402 - POSIX
    LATE_S,
    MAX_PASTED,
    PASTE_LATE_S,
    QuietDriver,
    TerminalInput,
    new_decoder,
)
from sabtui.tui.theme import Answered  # noqa: E402 - POSIX
from tests.terminal import PATIENCE  # noqa: E402 - POSIX

ESCAPE_DELAY = 0.02
"""Seconds until the escape key is one, a fifth of the program's."""


class Heard(QuietDriver):
    """A driver that keeps what is typed for the test."""

    heard: SimpleQueue[Message]

    def process_message(self, message: Message) -> None:
        """Keep an event."""
        self.heard.put(message)


@dataclass
class Typing:
    """A driver whose input thread runs, and the end at which the test types."""

    driver: Heard
    end: int
    thread: threading.Thread

    def keys(self, typed: bytes, count: int = 1) -> list[str]:
        """The keys that come of what is typed."""
        os.write(self.end, typed)
        return keys(self.driver.heard.get(timeout=PATIENCE) for _ in range(count))

    def end_thread(self) -> bool:
        """Tell the thread to end; whether it does."""
        self.driver.exit_event.set()
        self.thread.join(PATIENCE)
        self.driver.exit_event.clear()
        return not self.thread.is_alive()

    def begin(self) -> None:
        """Begin another thread, as after a suspended app goes on."""
        self.thread = threading.Thread(target=self.driver.run_input_thread, daemon=True)
        self.thread.start()


@pytest.fixture
async def typing(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Typing]:
    """A driver that reads from a pipe, in place of the terminal."""
    monkeypatch.setattr(constants, "ESCAPE_DELAY", ESCAPE_DELAY)
    inlet, end = os.pipe()
    kept = {number: signal.getsignal(number) for number in (signal.SIGTSTP, signal.SIGCONT)}
    with os.fdopen(inlet) as stdin:
        monkeypatch.setattr(sys, "__stdin__", stdin)
        driver = Heard(App())
        driver.heard = SimpleQueue()
        typing = Typing(driver, end, threading.Thread())
        typing.begin()
        yield typing
        if typing.thread.is_alive():
            assert typing.end_thread()
        driver.close()
    os.close(end)
    for number, handler in kept.items():
        signal.signal(number, handler)


def test_the_app_has_this_driver() -> None:
    assert SabtuiApp.get_driver_class(SabtuiApp.__new__(SabtuiApp)) is QuietDriver


@pytest.mark.parametrize(
    ("environ", "has_mouse"),
    [
        ({"TERM": "screen.xterm-256color"}, False),
        ({"TERM": "screen", "STY": "1.a"}, False),
        ({"TERM": "xterm-256color", "STY": "1.a"}, False),
        ({"TERM": "screen-256color"}, True),  # tmux at the other end of ssh
        ({"TERM": "tmux-256color", "TMUX": "x", "STY": "1.a"}, True),
        ({"TERM": "xterm-256color"}, True),
    ],
)
async def test_gnu_screen_is_not_asked_for_the_mouse_as_it_would_keep_escape_back(
    typing: Typing, monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], *, has_mouse: bool
) -> None:
    for name in ("TERM", "STY", "TMUX"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    driver = QuietDriver(typing.driver._app)
    assert driver._mouse is has_mouse
    driver.close()


def test_keys_come_as_they_are_typed_and_an_escape_key_by_itself(typing: Typing) -> None:
    assert typing.keys(b"ab", 2) == ["a", "b"]
    assert typing.keys(b"\x1b") == ["escape"]
    assert typing.keys(b"\x1b[A") == ["up"]
    sizes = b"\x1b[48;99999;99999;0;0t\x1b[?2048;1$y"
    assert typing.keys(sizes + b"a") == ["a"], "no size is taken from among the keys"


def test_a_letter_in_two_pieces_is_one_and_bytes_that_are_none_end_nothing(typing: Typing) -> None:
    os.write(typing.end, b"a\xc3")
    assert typing.keys(b"", 1) == ["a"]  # so that the second piece comes by itself
    assert typing.keys(b"\xa9") == ["é"]
    assert typing.keys(b"\xffz", 2)[-1] == "z"


def read(*pieces: bytes) -> list[str]:
    """The keys of bytes that come in pieces."""
    decode = new_decoder().decode
    return keys(feed_pieces(*map(decode, pieces)))


CSI, SS2, SS3 = b"\x9b", b"\x8e", b"\x8f"
EIGHT_BITS = {
    CSI + b"A": ["up"],
    CSI + b"1;5C": ["ctrl+right"],
    CSI + b"15~": ["f5"],
    CSI + b"?997;1n": [],
    CSI + b"99A": [],
    CSI + b"\0A": ["up"],
    CSI + b"\r\x7fA": [],
    SS3 + b"P": ["f1"],
    SS3 + b"A": ["up"],
    SS2 + b"A": [],
    b"\x90>|VT420 A\x9c": [],
    b"\x9d11;rgb:A\x9c": [],
    b"\x9d11;rgb:A\x07": [],
    b"\x9d0;A\x1b\\": [],
    b"\x9eA\x9c": [],
    b"\x9fGA\x9c": [],
    b"\x98A\x9c": [],
    b"\x84": [],
    b"\x1b" + CSI + b"A": ["escape", "up"],
}
"""What sequences with raw 8-bit controls mean."""


@pytest.mark.parametrize(("typed", "expected"), EIGHT_BITS.items(), ids=repr)
def test_8_bit_controls_begin_the_same_sequences_raw_or_in_utf_8_and_in_pieces(
    typed: bytes, expected: list[str]
) -> None:
    for form in (typed, typed.decode("latin-1").encode()):
        for at in range(1, len(form) + 1):
            assert read(b"a" + form[:at], form[at:] + b"b") == ["a", *expected, "b"]
        assert read(*(bytes([byte]) for byte in form + b"b")) == [*expected, "b"]
        assert read(form * 3) == expected * 3


def test_a_sequence_with_an_8_bit_control_is_dropped_in_pieces_that_come_late() -> None:
    for typed in (b"\x9b", b"\xc2\x9b", b"\x8f", b"\xc2\x8f"):
        decode = new_decoder().decode
        assert keys(feed_pieces(*(decode(bytes([byte])) for byte in typed), "A", pause_s=1.0)) == [
            "up"
        ]
    assert keys(feed_pieces("\x9d0;", "A", "\x9c", pause_s=1.0)) == []
    assert keys(feed_pieces("\x9b", "A", pause_s=LATE_S)) == ["A"]


def test_letters_in_two_to_four_bytes_come_whole_though_some_look_like_controls() -> None:
    for letter in "ÀÛßćЛ中好🂡👍":  # of each some byte is one from 0x80 to 0x9F
        coded = letter.encode()
        for pieces in ([coded], [bytes([byte]) for byte in coded]):
            decode = new_decoder().decode
            heard = feed_pieces(*map(decode, pieces))
            typed = [event.character for event in heard if isinstance(event, events.Key)]
            assert typed == [letter]


def test_a_byte_that_begins_a_letter_and_then_none_leaves_the_next_key_as_it_is() -> None:
    assert read(b"\xc3", b"q") == ["replacement_character", "q"]
    assert read(b"\xe2\x82", b"q") == ["replacement_character", "q"]
    assert read(b"\xe2", CSI, b"A", b"q") == ["replacement_character", "up", "q"]


def test_a_nul_means_nothing() -> None:
    assert read(b"\0q\0") == ["q"]
    assert read(b"\x1b\0[", b"\0A") == ["up"]


def test_the_thread_ends_when_told_and_another_goes_on_even_if_its_terminal_is_gone(
    typing: Typing,
) -> None:
    assert typing.end_thread()
    typing.begin()
    assert typing.keys(b"a") == ["a"]
    os.close(typing.end)
    typing.end = os.open(os.devnull, os.O_WRONLY)
    assert typing.end_thread()


@pytest.mark.parametrize("error", [ValueError("a fault"), OSError("the terminal is gone")])
async def test_a_fault_where_input_is_read_is_told_but_for_a_terminal_that_is_lost(
    typing: Typing, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(_self: QuietDriver) -> None:
        raise error

    del typing  # its fixture keeps the signals
    monkeypatch.setattr(QuietDriver, "run_input_thread", fail)
    app, told = App[object](), list[tuple[object, ...]]()
    monkeypatch.setattr(app, "call_later", lambda *call: told.append(call))
    QuietDriver(app)._run_input_thread()
    is_lost = isinstance(error, OSError)
    assert told == [(app.panic,) if is_lost else (app._handle_exception, error)]


async def test_a_terminal_that_takes_no_more_is_behind_until_it_does(
    monkeypatch: pytest.MonkeyPatch, typing: Typing
) -> None:
    del typing  # its fixture keeps the signals
    reads, writes = os.pipe()
    with os.fdopen(writes, "w") as terminal:
        monkeypatch.setattr(sys, "__stdout__", terminal)
        driver = QuietDriver(App())
        told = [driver.is_behind]
        os.set_blocking(writes, False)
        taken = _fill(writes)
        told.append(driver.is_behind)
        while taken:
            taken -= len(os.read(reads, taken))
        told.append(driver.is_behind)
        assert told == [False, True, False]
        driver.close()
    os.close(reads)


def _fill(pipe: int) -> int:
    """Write until a pipe is full; how many bytes it took."""
    taken = 0
    while True:
        try:
            taken += os.write(pipe, b"x" * select.PIPE_BUF)
        except BlockingIOError:
            return taken


VERSION, CELL, DEVICE = "\x1bP>|kitty(0.41.1)\x1b\\", "\x1b[6;20;10t", "\x1b[?62;4c"


SLOW_S = 2 * constants.ESCAPE_DELAY
"""Seconds between two pieces of a slow line: an escape alone is a key after half of them."""


def feed_pieces(*pieces: str, pause_s: float = 0.0) -> list[Message]:
    """What comes of input that is read in pieces, a pause after each."""
    typed = TerminalInput()
    heard = list[Message]()
    for number, piece in enumerate(pieces):
        heard += typed.feed(piece, number * pause_s)
    return [*heard, *typed.feed("", (len(pieces) - 1) * pause_s + SLOW_S)]


def keys(heard: Iterable[Message]) -> list[str]:
    """The keys among what was heard."""
    return [event.key for event in heard if isinstance(event, events.Key)]


UNKNOWN = {
    "OSC 11": "\x1b]11;rgb:3030/3434/4646\x1b\\",
    "OSC 4 with a bell": "\x1b]4;1;rgb:cccc/0000/0000\x07",
    "OSC 52, long": f"\x1b]52;c;{'QUJD' * 1_100}\x1b\\",
    "DCS of tmux around another": "\x1bPtmux;\x1b\x1b]11;rgb:0/0/0\x07\x1b\\",
    "DCS with a setting": "\x1bP1$r0m\x1b\\",
    "APC": "\x1b_Ga=T;cccc\x1b\\",
    "PM": "\x1b^11c\x1b\\",
    "SOS": "\x1bX11c\x1b\\",
    "dark mode": "\x1b[?997;1n",
    "DA1 of another": "\x1b[?61;4;6;7;14;21;22c",
    "DA2": "\x1b[>41;379;0c",
    "DA3": "\x1bP!|00000000\x1b\\",
    "unknown last letter": "\x1b[5;6z",
    "between": "\x1b[1 q",
    "other keys of xterm": "\x1b[27;5;99~",
    "letters for a key that has none": "\x1b[1;5;99C",
    "a letter as a number": "\x1b[99A",
    "Alt and a letter": "\x1bc",
    "Option and a digit of iTerm": "\x1b1",
    "character set": "\x1b(c",
    "old mouse": "\x1b[M c1",
    "numbers without end": f"\x1b[{'1;' * 5_000}u",
    "a key that is let go": "\x1b[99;1:3u",
    "no such letter": "\x1b[99;;1114112u",
    "no such key": "\x1b[1114112u",
}
SEQUENCES = pytest.mark.parametrize("sequence", UNKNOWN.values(), ids=UNKNOWN)


@SEQUENCES
def test_what_is_not_known_is_dropped_whole(sequence: str) -> None:
    assert keys(feed_pieces(f"a{sequence}b")) == ["a", "b"]
    assert keys(feed_pieces(sequence * 3)) == []


@SEQUENCES
def test_what_is_not_known_is_dropped_in_two_pieces_that_come_late(sequence: str) -> None:
    for at in [*range(1, min(len(sequence), 40)), len(sequence) - 1]:
        pieces = sequence[:at], sequence[at:]
        assert keys(feed_pieces(*pieces)) == []
        late = keys(feed_pieces(*pieces, pause_s=SLOW_S))
        assert [key for key in late if key != "escape"] == [] or is_escape_and_letter(sequence)


def test_answers_are_passed_on_and_are_no_keys() -> None:
    heard = feed_pieces(f"a{VERSION}b{CELL}{DEVICE}c\x1b[A")
    assert keys(heard) == ["a", "b", "c", "up"]
    answered = "".join(event.text for event in heard if isinstance(event, Answered))
    assert SILENT.read(answered) == TerminalAnswers(
        "kitty", (0, 41, 1), knows_sixel=True, cell=(10, 20)
    )


@pytest.mark.parametrize("answer", [VERSION, CELL, DEVICE, "\x1b_Gi=31;OK\x1b\\"])
def test_an_answer_that_comes_late_and_in_pieces_is_no_key_either(answer: str) -> None:
    piece = 4  # from here on it can be nothing else
    told = feed_pieces(answer[:piece], answer[piece:] + "z", pause_s=3 * SLOW_S)
    assert [type(event) for event in told] == [Answered, events.Key]
    assert keys(told) == ["z"]


def is_escape_and_letter(sequence: str) -> bool:
    """Whether, late, it is what a person types: Escape, and then other keys."""
    return sequence[1] not in "[]P_^XO"


KNOWN = {
    "\x1b[A": ["up"],
    "\x1bOA": ["up"],
    "\x1bOP": ["f1"],
    "\x1b[[A": ["f1"],
    "\x1b[15~": ["f5"],
    "\x1b[6~": ["pagedown"],
    "\x1b[6;5~": ["ctrl+pagedown"],
    "\x1b[3$": ["shift+delete"],
    "\x1b[1;5C": ["ctrl+right"],
    "\x1b[Z": ["shift+tab"],
    "\x1bOp": ["0"],
    "\x1bb": ["ctrl+left"],
    "\x1b\x1b": ["escape", "escape"],
    "\x1b\x1b[A": ["escape", "up"],
    "\x1b[99;;99u": ["c"],
    "\x1b[99;5u": ["ctrl+c"],
    "\x1b[57400;129;49u": ["1"],
    "\x1b[104;3u": ["alt+h"],
    "\x1b[97;;97:98u": ["a", "b"],
    "é": ["é"],
    "ab\r": ["a", "b", "enter"],
}


@pytest.mark.parametrize(("typed", "expected"), KNOWN.items(), ids=ascii)
def test_a_key_is_one_in_one_piece_or_two(typed: str, expected: list[str]) -> None:
    assert keys(feed_pieces(typed)) == expected
    for at in range(1, len(typed)):
        assert keys(feed_pieces(typed[:at], typed[at:])) == expected


def test_every_key_that_textual_knows_is_known_or_a_letter_after_an_escape() -> None:
    for sequence, known in ANSI_SEQUENCES_KEYS.items():
        heard = feed_pieces(sequence)
        if isinstance(known, tuple) and sequence not in {"\0", "\x9b"}:
            assert heard or "<ignore>" in known, sequence
        if sequence.startswith("\x1b") and not sequence.startswith("\x1bO"):
            assert [key for key in heard if isinstance(key, events.Key) and key.is_printable] == []


@pytest.mark.parametrize(
    ("sequence", "kind"),
    [
        ("\x1b[I", events.AppFocus),
        ("\x1b[O", events.AppBlur),
        ("\x1b[<0;10;5M", events.MouseDown),
        ("\x1b[<0;10;5m", events.MouseUp),
        ("\x1b[<35;10;5M", events.MouseMove),
        ("\x1b[<65;10;5M", events.MouseScrollDown),
        ("\x1b[48;24;80;480;800t", events.Resize),
        ("\x1b[?62;4c", Answered),
    ],
)
def test_all_else_that_is_understood_goes_on_working(sequence: str, kind: type[Message]) -> None:
    for at in range(1, len(sequence) + 1):
        (heard,) = feed_pieces(sequence[:at], sequence[at:])
        assert isinstance(heard, kind)


def test_an_escape_key_alone_is_one_after_a_moment() -> None:
    typed = TerminalInput()
    assert [*typed.feed("\x1b", 0.0)] == []
    assert [*typed.feed("", constants.ESCAPE_DELAY / 2)] == []
    assert keys(typed.feed("", constants.ESCAPE_DELAY)) == ["escape"]
    assert keys(typed.feed("q", SLOW_S)) == ["q"]


def test_the_rest_of_a_sequence_is_not_waited_for_for_ever() -> None:
    for begun in ("\x1b[", "\x1b]", "\x1b[?1", "\x1bP1$"):
        assert keys(feed_pieces(begun, "q", pause_s=LATE_S)) == ["q"]
    assert keys(feed_pieces("\x1b", "[q", pause_s=LATE_S)) == ["escape", "left_square_bracket", "q"]


def paste(*pieces: str, pause_s: float = 0.0) -> list[str]:
    """The texts of pastes, and keys, that come of input in pieces."""
    heard = feed_pieces(*pieces, pause_s=pause_s)
    return [event.text for event in heard if isinstance(event, events.Paste)] + keys(heard)


PASTED = "\x1b[200~two\rlines \x1b[A\x1b]11;x\x1b\x1b and more\x1b[201~"


def test_a_paste_is_one_text_whatever_is_in_it_and_wherever_it_is_cut() -> None:
    text = PASTED[6:-6]
    assert paste(f"a{PASTED}b") == [text, "a", "b"]
    for at in range(1, len(PASTED)):
        assert paste(PASTED[:at], PASTED[at:] + "b") == [text, "b"]
    assert paste(*PASTED) == [text]


def test_many_letters_at_once_are_a_paste_that_the_terminal_does_not_mark() -> None:
    assert paste("c1x?" * 16) == ["c1x?" * 16]
    assert paste("q" * 63) == ["q"] * 63
    assert paste("x" * 100_000) == ["x" * MAX_PASTED]


def test_of_a_paste_without_end_a_bounded_part_is_kept_and_it_ends_after_a_pause() -> None:
    assert paste(f"\x1b[200~{'x' * 100_000}\x1b[201~q") == ["x" * MAX_PASTED, "q"]
    pieces = ["\x1b[200~", *["x" * 1_000] * 100, "\x1b[201~q"]
    assert paste(*pieces) == ["x" * MAX_PASTED, "q"]
    assert paste("\x1b[200~text", "q", pause_s=PASTE_LATE_S) == ["q"]


def test_a_fault_of_the_parser_is_logged_and_the_next_key_is_heard(
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert keys(feed_pieces("\x1b[99;;1114112uq")) == ["q"]
    assert "ValueError" in caplog.text
