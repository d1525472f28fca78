"""Terminals: a stranger's sequences do nothing, wherever they are cut and however late they come.

The sequences are those of the grammar of ECMA-48 with 7-bit or 8-bit controls, kitty's keys and
mouse reports, except those that mean a letter, a click or a paste.
"""

from __future__ import annotations

import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest
from hypothesis import strategies as st
from textual import constants, events
from textual.app import App
from textual.message import Message

pytest.importorskip("termios", reason="a driver for POSIX")
assert sys.platform != "win32"  # so that types know, too

from sabtui.tui.driver import TerminalInput, new_decoder  # noqa: E402 - POSIX
from sabtui.tui.screens.host import HostScreen  # noqa: E402 - POSIX
from tests.fuzz.fuzzing import fuzz  # noqa: E402 - POSIX
from tests.sabtui.tui.app_fixture import open_app  # noqa: E402 - POSIX
from tests.sabtui.tui.lobby_fixture import shown_table  # noqa: E402 - POSIX

LATE_S = 2 * constants.ESCAPE_DELAY
"""Seconds of a pause within a sequence, after which an escape alone is a key."""

LETTERS = "0123456789;:?<>=!$ abcmnpqrtuxyzABCDMPRSZ/+,#{}|~é"
"""Letters of control strings: those of answers, and those that are commands."""

PARAMETERS, BETWEEN = "0123456789:;<=>?", " !\"#%&'()*+,-./"  # with a dollar rxvt ends keys
LAST = "".join(map(chr, range(0x40, 0x7F)))
OTHERS = "".join(letter for letter in LAST if letter not in "[M~uABCDEFHPQRSZ")
"""Last letters of sequences that are no key, no mouse report and no paste."""

STRINGS = "]P_^X"
NUMBERS = (0, 1, 3, 27, 57, 99, 1088, 57358, 57441, 55296, 0x110000, 9_999_999)


def make_sequence(random: Random) -> str:
    """One sequence of a terminal that means no letter, no click and no paste."""
    kind = random.randrange(8)
    if kind < 3:  # OSC, DCS, APC, PM and SOS
        head = random.choice(STRINGS)
        end = random.choice(["\x1b\\", "\x07"]) if head == "]" else "\x1b\\"
        return f"\x1b{head}{pick(random, LETTERS, 60)}{end}"
    if kind == 3:  # kitty's keys: let go, impossible, or without a letter
        code, held = random.choice(NUMBERS), random.randrange(0, 300)
        return random.choice(
            [
                f"\x1b[{code};{held}:3u",
                f"\x1b[{code}:{code};{held}:3;{code}u",
                f"\x1b[99;{held};{random.choice(NUMBERS[-3:])}u",
                f"\x1b[{random.randrange(57358, 57364)};{held}:{random.randrange(1, 4)}u",
                f"\x1b[1;{held}:3A",
                f"\x1b[{code};{held};{code}~",
            ]
        )
    if kind == 4:  # mouse: moves, and reports of other kinds
        x, y = random.randrange(-9, 99_999), random.randrange(-9, 300)
        return random.choice(
            [f"\x1b[<35;{x};{y}M", f"\x1b[M{pick(random, LETTERS, 3, 3)}", f"\x1b[{x};{y};9M"]
        )
    if kind == 5:  # answers and settings of terminals
        return f"\x1b[{random.choice('<=>?')}{pick(random, PARAMETERS, 12)}{random.choice(LAST)}"
    between = pick(random, BETWEEN, 2)
    last = random.choice(LAST if between else OTHERS)
    return f"\x1b[{pick(random, PARAMETERS, 12)}{between}{last}"


def pick(random: Random, letters: str, most: int, least: int = 0) -> str:
    """Some of these letters."""
    return "".join(random.choices(letters, k=random.randint(least, most)))


def write_sequence(random: Random, sequence: str) -> bytes:
    """A sequence as a terminal sends it: with 7-bit controls, or with 8-bit ones in two codings."""
    at = random.randint(1, len(sequence))
    sequence = f"{sequence[:at]}{chr(0) * (random.random() < 0.1)}{sequence[at:]}"
    form = random.randrange(3)
    if form == 0:
        return sequence.encode()
    first, *others = re.split(r"(?=\x1b[@-_])", sequence)
    coding = "utf-8" if form == 1 else "latin-1"
    coded = [chr(ord(part[1]) + 0x40).encode(coding) + part[2:].encode() for part in others]
    return b"".join([first.encode(), *coded])


def feed_sequences(
    random: Random, sequences: int, typed: TerminalInput, at_s: float
) -> Iterator[Message]:
    """What comes of this many sequences, cut anywhere, some of their pieces late."""
    decode = new_decoder().decode
    for _ in range(sequences):
        rest = write_sequence(random, make_sequence(random))
        while rest:
            cut = random.randint(1, len(rest))
            at_s += LATE_S * (random.random() < 0.5)
            yield from typed.feed(decode(rest[:cut]), at_s)
            rest = rest[cut:]


@fuzz(st.integers(0, (1 << 64) - 1), so_many=400)
def test_nothing_that_a_terminal_sends_beside_keys_is_a_letter(number: int) -> None:
    typed = TerminalInput()
    heard = [*feed_sequences(Random(number), 10, typed, 0.0)]
    assert [key for key in heard if isinstance(key, events.Key) and key.is_printable] == []
    assert [event for event in heard if isinstance(event, events.Paste | events.MouseDown)] == []
    assert [key.key for key in typed.feed("q", 1e6) if isinstance(key, events.Key)] == ["q"]


@fuzz(st.lists(st.binary(max_size=40), max_size=6), so_many=400)
def test_no_bytes_of_a_terminal_end_the_program(pieces: list[bytes]) -> None:
    typed, decode = TerminalInput(), new_decoder().decode
    for piece in pieces:
        text = decode(b"\x1b[" + piece)
        assert all(isinstance(heard, Message) for heard in typed.feed(text, 0.0))


Pause = Callable[[], Awaitable[object]]

AT_TABLE = 160
"""Sequences in a usual run, of each place."""


async def send(app: App[None], pause: Pause, sequences: int) -> None:
    """Send an app sequences as its driver does."""
    random, typed = Random(7341), TerminalInput()
    for number in range(sequences // 10):
        for message in feed_sequences(random, 10, typed, 100.0 * number):
            app.post_message(message)
        await pause()


@asynccontextmanager
async def at_ones_turn(*, talks: bool) -> AsyncIterator[tuple[App[None], Pause]]:
    """A table at one's own turn, where nothing is to be done; with the talk line open if wanted."""
    async with shown_table() as at:
        await at.press(*("t" if talks else ""))
        stack = [*at.app.screen_stack]
        yield at.app, at.pilot.pause
        assert at.app.is_running
        assert at.app.screen_stack == stack, "no screen was opened"
        assert (at.seat.requests, at.seat.moves, at.seat.left) == ([], [], False)
        assert at.table.talk_line.value == ""
        assert at.table.model.about is None, "no list of claims was opened"
        assert at.table.model.selection.card is None


@pytest.mark.parametrize("talks", [False, True], ids=["table", "talk"])
async def test_nothing_happens_at_a_table_whatever_the_terminal_sends(*, talks: bool) -> None:
    async with at_ones_turn(talks=talks) as (app, pause):
        await send(app, pause, AT_TABLE)


async def test_nothing_happens_in_a_form_whatever_the_terminal_sends(tmp_path: Path) -> None:
    async with open_app(tmp_path, (80, 30)) as front:
        await front.press("h")
        await front.is_on(HostScreen)
        screen = front.screen
        assert isinstance(screen, HostScreen)
        before = screen.name_field.value, screen.title_line.value
        await send(front.app, front.pilot.pause, AT_TABLE)
        assert front.app.is_running
        assert (screen.name_field.value, screen.title_line.value) == before


@pytest.mark.level("soak")
async def test_nothing_happens_at_a_table_for_long_whatever_the_terminal_sends() -> None:
    async with at_ones_turn(talks=False) as (app, pause):
        await send(app, pause, 125 * AT_TABLE)
