"""Moves and claims of the bots at a table, one after the other in the room's order.

Each comes after a pause that is drawn before the bot thinks, so the time it takes tells nothing.
Once everybody at the table has passed in a row, moves come after a short one.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import SystemRandom
from typing import Final

from engine.bots import Seconds
from engine.events import Passed, TurnEvent
from engine.view import View
from net.room import inputs
from net.room.effects import BotClaimDue, BotClaimRequest, BotMoveDue, BotMoveRequest, Effects
from net.room.room import Room
from net.server.bot_pool import BotPool
from net.server.bot_process import BotProcess
from net.tasks import wait_for_event

BOT_MOVE_DELAY_S: Final = (0.6, 1.6)
"""Least and most seconds for a bot's move or claim, thinking included."""

BOT_BUDGET: Final = Seconds(0.4)
"""Seconds for which a bot may think of a move; less than the shortest delay."""

DULL_PAUSE_S: Final = 0.15
"""Most seconds for a move once each player has passed in a row, thinking included."""


@dataclass(frozen=True, slots=True)
class BotPace:
    """The time that bots take.

    `pace`: least and most seconds for a move or a claim, thinking included. `thought`: the time for
    which a bot may think of a move.
    """

    pace: tuple[float, float] = BOT_MOVE_DELAY_S
    thought: Seconds = BOT_BUDGET


class BotScheduler:
    """Moves and speaks for all bots at a table; `happen` is called with the room's effects."""

    def __init__(
        self,
        room: Room,
        runner: BotProcess | BotPool,
        pace: BotPace,
        happen: Callable[[Effects], None],
    ) -> None:
        self._room = room
        self._runner = runner
        self._pace = pace
        self._apply_effects = happen
        self._chance = SystemRandom()
        self._changed = asyncio.Event()
        self._is_idle = False

    def look(self) -> None:
        """Note that the table has changed: a bot may be due, or no longer."""
        # At most tables no bot is due after most steps, and waking a task takes longer than to ask.
        if not self._is_idle or self._room.due is not None or self._room.claim_due is not None:
            self._changed.set()

    async def run(self) -> None:
        """Speak whenever a bot has something to say, and move whenever a bot is due."""
        while True:
            if (due := self._room.claim_request()) is not None:
                await self._speak(due)
            elif (turn := self._room.bot_turn()) is not None:
                await self._move(turn)
            else:
                self._is_idle = True
                await self._change()
                self._is_idle = False

    async def _speak(self, due: BotClaimRequest) -> None:
        until = self._draw()
        claim = await self._runner.speak(due)
        await self._pause(until, lambda: self._is_asked(due))
        self._apply_effects(inputs.make_bot_claim(self._room, time.monotonic(), due, claim))

    async def _move(self, turn: BotMoveRequest) -> None:
        until, thought = self._draw(), self._pace.thought
        if has_gone_dull(turn.view):
            until = min(until, time.monotonic() + DULL_PAUSE_S)
            thought = Seconds(min(thought.seconds, DULL_PAUSE_S / 2))
        made = await self._runner.think(turn, self._chance, thought)
        await self._pause(until, lambda: self._is_due(turn))
        now = time.monotonic()
        said = (made.claims, made.text)
        self._apply_effects(inputs.make_bot_move(self._room, now, turn, made.move, *said))

    def _draw(self) -> float:
        """Return the time at which a pause that begins now ends, drawn at random."""
        return time.monotonic() + self._chance.uniform(*self._pace.pace)

    async def _pause(self, until: float, is_wanted: Callable[[], bool]) -> None:
        """Wait until the time `until`, or until `is_wanted` is False."""
        while is_wanted() and (left := until - time.monotonic()) > 0:
            await self._change(left)

    def _is_asked(self, due: BotClaimDue) -> bool:
        """Return True if the room still waits for this bot's claim."""
        asked = self._room.claim_due
        return asked is not None and (asked.number, asked.seat) == (due.number, due.seat)

    def _is_due(self, turn: BotMoveDue) -> bool:
        """Return True if the bot is still to move: the seat has not moved, no player came back."""
        due = self._room.due
        return due is not None and (due.turn, due.seat) == (turn.turn, turn.seat)

    async def _change(self, seconds: float | None = None) -> None:
        """Wait until the table changes, so many seconds at most."""
        self._changed.clear()
        await wait_for_event(self._changed, seconds)


def has_gone_dull(view: View) -> bool:
    """Return True if each player of the table has passed in their last turn."""
    turns = [event for event in view.history if isinstance(event, TurnEvent)]
    last = turns[-view.table.players :]
    return len(last) == view.table.players and all(isinstance(one, Passed) for one in last)
