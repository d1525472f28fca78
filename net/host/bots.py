"""When bots move and speak: after a pause that is drawn before they think, and so tells nothing.

One thing after the other, in the order that the room has. Knows its due turns and cues, and the
thinker. Must not know links, nor what a bot thinks.
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
from net.room import BotCue, BotTurn, Cue, Due, Outcome, Room

PACE: Final = (0.6, 1.6)
THOUGHT: Final = Seconds(0.4)


@dataclass(frozen=True, slots=True)
class Tempo:
    """Between which seconds a bot's move takes, or its word, thinking included.

    `thought` is how long it may think of a move.
    """

    pace: tuple[float, float] = PACE
    thought: Seconds = THOUGHT


class Bots:
    """Moves and speaks for all bots at a table. `happen` is called with what comes of it."""

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
        """Speak whenever a bot has something to say, and move whenever it is a bot's turn."""
        while True:
            if (cue := self._room.bot_cue()) is not None:
                await self._speak(cue)
            elif (turn := self._room.bot_turn()) is not None:
                await self._move(turn)
            else:
                await self._change()

    async def _speak(self, cue: BotCue) -> None:
        until = self._draw()
        claim = await self._thinker.speak(cue)
        await self._pause(until, lambda: self._is_asked(cue))
        self._happen(self._room.bot_spoke(cue, claim, time.monotonic()))

    async def _move(self, turn: BotTurn) -> None:
        until = self._draw()
        move = await self._thinker.think(turn, self._chance, self._tempo.thought)
        await self._pause(until, lambda: self._is_due(turn))
        self._happen(self._room.bot_moved(turn, move, time.monotonic()))

    def _draw(self) -> float:
        """When the pause ends that begins now."""
        return time.monotonic() + self._chance.uniform(*self._tempo.pace)

    async def _pause(self, until: float, is_wanted: Callable[[], bool]) -> None:
        """Wait until then, unless it is wanted no more."""
        while is_wanted() and (left := until - time.monotonic()) > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._change()

    def _is_asked(self, cue: Cue) -> bool:
        """Whether something is to be said still."""
        asked = self._room.cue
        return asked is not None and (asked.number, asked.seat) == (cue.number, cue.seat)

    def _is_due(self, turn: Due) -> bool:
        """Whether nobody else has moved for that seat, or come back to it."""
        due = self._room.due
        return due is not None and (due.turn, due.seat) == (turn.turn, turn.seat)

    async def _change(self) -> None:
        self._changed.clear()
        await self._changed.wait()
