"""Output of a guest's screen in pieces of a few lengths, whatever they show.

What a door sends is sealed, but anybody on the network sees how long it is, and when it comes. The
first screen of a round takes some 450 bytes more to draw for a saboteur than for a miner. So what
is drawn within a moment goes out as one piece, filled up to one of `PIECES_BYTES` with NUL bytes.
Terminals ignore these: NUL is the padding character of terminfo. Nothing on the way may compress
what was filled up.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, TypeAlias

PIECES_BYTES: Final = (4 * 1024, 16 * 1024, 64 * 1024)
"""Lengths of pieces: most things that happen are in the first, a whole screen in the last. There
are so few because two screens that differ in a secret may fall to either side of each of them."""

GATHER_S: Final = 0.02
"""Seconds in which all that is drawn makes one piece: the system hands over 4 KiB at a time."""

FILLER: Final = b"\0"

_MAX_CUT_BYTES: Final = 256
"""Most bytes that wait for the rest of a character or of an escape sequence."""

_CUT: Final = re.compile(
    rb"("
    rb"\x1b(\[[ -?]*|[ -/]*)"  # the beginning of an escape or a control sequence
    rb"|\x1b[]P^_X][^\x07\x1b]*\x1b?"  # a string of the system or the device, without its end
    rb"|[\xc0-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xff][\x80-\xbf]{0,2}"  # part of a character
    rb")\Z"
)

ReadOutput: TypeAlias = Callable[[], Awaitable[bytes]]
"""Waits for what a screen draws next; b"" once it has ended. Nothing is lost if it is cancelled."""


class PaddedOutput:
    """Output of a screen, in pieces that say little by their length."""

    def __init__(self, read: ReadOutput) -> None:
        self._read = read
        self._drawn = bytearray()
        self._has_ended = False

    async def read(self) -> bytes:
        """Wait for the next piece, and return it; b"" once the screen has ended.

        Only one caller may wait at a time.
        """
        while True:
            await self._draw()
            with suppress(TimeoutError):
                async with asyncio.timeout(GATHER_S):
                    while not self._has_ended and len(self._drawn) < PIECES_BYTES[-1]:
                        await self._draw()
            if piece := self._next():
                return fill_up(piece)
            if self._has_ended:
                return b""

    async def _draw(self) -> None:
        """Wait for what is drawn next, unless a whole piece is there already."""
        if not self._has_ended and len(self._drawn) < PIECES_BYTES[-1]:
            drawn = await self._read()
            self._drawn += drawn
            self._has_ended = not drawn

    def _next(self) -> bytes:
        """Take the next piece: no character, and no sequence of them, is cut in two."""
        most = bytes(self._drawn[: PIECES_BYTES[-1]])
        is_last = self._has_ended and len(most) == len(self._drawn)
        piece = most if is_last else drop_cut_end(most)
        del self._drawn[: len(piece)]
        return piece


def drop_cut_end(drawn: bytes) -> bytes:
    """Return what is drawn without the beginning of a character or of a sequence at its end."""
    cut = _CUT.search(drawn, max(0, len(drawn) - _MAX_CUT_BYTES))
    return drawn if cut is None else drawn[: cut.start()]


def fill_up(piece: bytes) -> bytes:
    """Return a piece with filler behind it, in the least of the lengths that holds it."""
    return piece.ljust(next(size for size in PIECES_BYTES if size >= len(piece)), FILLER)
