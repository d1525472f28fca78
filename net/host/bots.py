"""When bots move: each after a pause that is drawn before it thinks, and so tells nothing.

Knows the room's due turns and the thinker. Must not know links, nor what a bot thinks.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from random import SystemRandom
from typing import Final

from engine.bots import Seconds
from net.host.thinker import Thinker
from net.room import Due, Outcome, Room

PACE: Final = (0.6, 1.6)
THOUGHT: Final = Seconds(0.4)


@dataclass(frozen=True, slots=True)
class Tempo:
    """Between which seconds a bot's move takes, thinking included, and how long it may think."""

    pace: tuple[float, float] = PACE
    thought: Seconds = THOUGHT


class Bots:
    """Makes the moves of all bots at a table. `happen` is called with what comes of each."""

    def __init__(
        self, room: Room, thinker: Thinker, tempo: Tempo, happen: Callable[[Outcome], None]
    ) -> None:
        self._room = room
        self._thinker = thinker
        self._tempo = tempo
        self._happen = happen
        self._chance = SystemRandom()
        self._changed = asyncio.Event()

    def look(self) -> None:
        """Something at the table has changed."""
        self._changed.set()

    async def run(self) -> None:
        """Move whenever it is a bot's turn."""
        while True:
            if self._room.due is None:
                await self._change()
            else:
                await self._move()

    async def _move(self) -> None:
        turn = self._room.bot_turn()
        assert turn is not None
        until = time.monotonic() + self._chance.uniform(*self._tempo.pace)
        move = await self._thinker.think(turn, self._chance, self._tempo.thought)
        while self._is_due(turn) and (left := until - time.monotonic()) > 0:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._change(), left)
        self._happen(self._room.bot_moved(turn, move, time.monotonic()))

    def _is_due(self, turn: Due) -> bool:
        """Whether nobody else has moved for that seat, or come back to it."""
        due = self._room.due
        return due is not None and (due.turn, due.seat) == (turn.turn, turn.seat)

    async def _change(self) -> None:
        self._changed.clear()
        await self._changed.wait()
