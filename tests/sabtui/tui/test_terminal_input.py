"""Input of a terminal: known keys come through; all else is dropped whole, late or in pieces."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import pytest
from textual import constants, events
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual.message import Message

pytest.importorskip("termios", reason="a driver for POSIX")
assert sys.platform != "win32"  # so that types know, too

from sabtui.tui.driver import LATE_S, MAX_PASTED, PASTE_LATE_S, TerminalInput  # noqa: E402 - POSIX
from sabtui.tui.messages import Answered  # noqa: E402 - POSIX

SLOW_S = 2 * constants.ESCAPE_DELAY
"""Seconds between two pieces of a slow line: an escape alone is a key after half of them."""


def hear(*pieces: str, pause_s: float = 0.0) -> list[Message]:
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
    "DA1 that tmux broke": "\x1b[27;3;91~?64;1;2;6;22c",
    "OSC that tmux broke": "\x1b[27;3;93~11;rgb:0/0/0\x1b\\",
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
    assert keys(hear(f"a{sequence}b")) == ["a", "b"]
    assert keys(hear(sequence * 3)) == []


@SEQUENCES
def test_what_is_not_known_is_dropped_in_two_pieces_that_come_late(sequence: str) -> None:
    for at in [*range(1, min(len(sequence), 40)), len(sequence) - 1]:
        pieces = sequence[:at], sequence[at:]
        assert keys(hear(*pieces)) == []
        late = keys(hear(*pieces, pause_s=SLOW_S))
        assert [key for key in late if key != "escape"] == [] or is_escape_and_letter(sequence)


@pytest.mark.parametrize(
    "tail",
    [
        "11;rgb:1414/1919/1f1f\\",
        "11;rgb:1414/1919/1f1f\x1b\\",
        "4;1;rgb:cc/00/00\x07",
        "rgba:14/19/1f/ff\x07",
        "61;4;6;7;14;52c",
        "?62;4c",
        ">41;379;0c",
        "12;40R",
        "?997;1n",
        "?2026;2$y",
    ],
)
def test_the_rest_of_an_answer_that_another_program_began_to_read_is_no_key(tail: str) -> None:
    assert keys(hear(f"{tail}q")) == ["q"]
    assert keys(hear("1", ";", "c")) == ["1", "semicolon", "c"], "keys come one by one"


def is_escape_and_letter(sequence: str) -> bool:
    """Whether, late, it is what a person types: Escape, and then other keys."""
    return sequence[1] not in "[]P_^XO"


KNOWN = {
    "\x1b[A": ["up"],
    "\x1bOA": ["up"],
    "\x1bOP": ["f1"],
    "\x1b[[A": ["f1"],
    "\x1b[15~": ["f5"],
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
    assert keys(hear(typed)) == expected
    for at in range(1, len(typed)):
        assert keys(hear(typed[:at], typed[at:])) == expected


def test_every_key_that_textual_knows_is_known_or_a_letter_after_an_escape() -> None:
    for sequence, known in ANSI_SEQUENCES_KEYS.items():
        heard = hear(sequence)
        if isinstance(known, tuple):
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
        (heard,) = hear(sequence[:at], sequence[at:])
        assert isinstance(heard, kind)


def test_an_escape_key_alone_is_one_after_a_moment() -> None:
    typed = TerminalInput()
    assert [*typed.feed("\x1b", 0.0)] == []
    assert [*typed.feed("", constants.ESCAPE_DELAY / 2)] == []
    assert keys(typed.feed("", constants.ESCAPE_DELAY)) == ["escape"]
    assert keys(typed.feed("q", SLOW_S)) == ["q"]


def test_the_rest_of_a_sequence_is_not_waited_for_for_ever() -> None:
    for begun in ("\x1b[", "\x1b]", "\x1b[?1", "\x1bP1$"):
        assert keys(hear(begun, "q", pause_s=LATE_S)) == ["q"]
    assert keys(hear("\x1b", "[q", pause_s=LATE_S)) == ["escape", "left_square_bracket", "q"]


def paste(*pieces: str, pause_s: float = 0.0) -> list[str]:
    """The texts of pastes, and keys, that come of input in pieces."""
    heard = hear(*pieces, pause_s=pause_s)
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
    assert keys(hear("\x1b[99;;1114112uq")) == ["q"]
    assert "ValueError" in caplog.text
