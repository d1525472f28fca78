"""What a guest's screen draws, in pieces whose length says little."""

from __future__ import annotations

import asyncio
from itertools import accumulate

import pytest

from sabtui.doors.padding import FILLER, PIECES_BYTES, PaddedOutput, drop_cut_end, fill_up

SMALL, MIDDLE, LARGE = PIECES_BYTES
WORDS = [
    word.encode()
    for word in (
        "a",
        "\x1b[1;31m",
        "é",
        "\x1b]0;title\x07",
        "界",
        "\x1b[?25l",
        "\x1b(B",
        "\x1bP1$r\x1b\\",
        "🪨",
        "z",
    )
]


class Drawn:
    """Parts that a screen draws at once, one read after the other."""

    def __init__(self, *parts: bytes) -> None:
        self._parts: asyncio.Queue[bytes] = asyncio.Queue()
        self.draw(*parts)

    def draw(self, *parts: bytes) -> None:
        for part in parts:
            self._parts.put_nowait(part)

    async def read(self) -> bytes:
        return await self._parts.get()


async def pieces_of(output: PaddedOutput) -> list[bytes]:
    """All pieces, until the screen has ended."""
    pieces = []
    while piece := await output.read():
        pieces.append(piece)
    return pieces


@pytest.mark.rule("K")
@pytest.mark.parametrize(
    ("length", "whole"),
    [(1, SMALL), (SMALL, SMALL), (SMALL + 1, MIDDLE), (MIDDLE + 1, LARGE), (LARGE, LARGE)],
)
def test_a_piece_has_one_of_a_few_lengths(length: int, whole: int) -> None:
    assert fill_up(b"x" * length) == b"x" * length + FILLER * (whole - length)


@pytest.mark.rule("K")
async def test_what_is_drawn_at_once_is_one_piece_however_the_system_cuts_it() -> None:
    first = await pieces_of(PaddedOutput(Drawn(b"x" * 4095, b"x" * 4095, b"x" * 200, b"").read))
    other = await pieces_of(PaddedOutput(Drawn(b"x" * 2048, b"x" * 4095, b"x" * 700, b"").read))
    assert list(map(len, first)) == list(map(len, other)) == [MIDDLE]


async def test_a_screen_that_draws_without_end_is_read_piece_by_piece() -> None:
    pieces = await pieces_of(PaddedOutput(Drawn(*[b"x" * 5000] * 30, b"").read))
    assert list(map(len, pieces)) == [LARGE, LARGE, LARGE]
    assert b"".join(pieces).replace(FILLER, b"") == b"x" * 150_000


async def test_what_is_drawn_later_is_a_piece_of_its_own() -> None:
    drawn = Drawn(b"first")
    output = PaddedOutput(drawn.read)
    assert (await output.read()).rstrip(FILLER) == b"first"
    drawn.draw(b"second")
    assert (await output.read()).rstrip(FILLER) == b"second"


def test_no_filler_comes_between_the_bytes_of_a_character_or_a_sequence() -> None:
    ends = list(accumulate(map(len, WORDS), initial=0))
    drawn = b"".join(WORDS)
    for cut in range(len(drawn) + 1):
        assert drop_cut_end(drawn[:cut]) == drawn[: max(end for end in ends if end <= cut)]


async def test_the_beginning_of_a_character_waits_for_its_end() -> None:
    parts = iter([b"caf\xc3", None, b"\xa9", b"\xc3", b""])

    async def read() -> bytes:
        part = next(parts)
        return part if part is not None else await asyncio.Future[bytes]()  # nothing comes in time

    pieces = await pieces_of(PaddedOutput(read))
    assert [piece.rstrip(FILLER) for piece in pieces] == [b"caf", "é".encode() + b"\xc3"]


def test_what_never_ends_is_not_waited_for() -> None:
    endless = b"\x1b]0;" + b"x" * 1000
    assert drop_cut_end(endless) == endless
