"""The processes of all bots at a table: one for all of ours, and one a seat for others' bots.

A bot that somebody else wrote is code that nobody here has read. The process that plays a seat with
it is asked for that seat alone, so even if it keeps all that it is told, it knows no more than a
player there; and if it does not answer, our bots go on.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from random import Random
from typing import Final, Protocol

from engine.bots import BOTS, Budget
from engine.moves import Move
from net.lobby.model import TableClaim
from net.room.effects import BotClaimRequest, BotMoveRequest
from net.server.bot_process import WORKER_ARGUMENTS, BotProcess

INSTALLED_BOT_TIMEOUT_S: Final = 5.0
"""Seconds that another's bot may take for a move, the import of its module included."""


class BotRunner(Protocol):
    """Something that has bots move and speak."""

    async def think(self, turn: BotMoveRequest, chance: Random, budget: Budget) -> Move:
        """Return a legal move for a seat."""
        ...

    async def speak(self, due: BotClaimRequest) -> TableClaim | None:
        """Return a claim of the bot on a seat, or None."""
        ...


class BotPool:
    """Has each bot at a table think in the process that is there for it.

    `worker` are the arguments of Python that start a process, `limit` is the most seconds for a
    move of another's bot. What such a bot says is chosen by our code, in our process.
    """

    def __init__(
        self, worker: Sequence[str] = WORKER_ARGUMENTS, limit: float = INSTALLED_BOT_TIMEOUT_S
    ) -> None:
        self._worker = tuple(worker)
        self._limit = limit
        self._ours = BotProcess(worker)
        self._installed: dict[int, tuple[str, BotProcess]] = {}

    async def think(self, turn: BotMoveRequest, chance: Random, budget: Budget) -> Move:
        """Return a legal move for a seat: its bot's, or one of ours if that fails."""
        process = self._ours if turn.level in BOTS else await self._of(turn.seat, turn.level)
        return await process.think(turn, chance, budget)

    async def speak(self, due: BotClaimRequest) -> TableClaim | None:
        """Return a claim of the bot on a seat, or None if it has nothing to say."""
        return await self._ours.speak(due)

    async def close(self) -> None:
        """End all processes. No question may be asked after that."""
        async with AsyncExitStack() as stack:
            for process in (self._ours, *(process for _, process in self._installed.values())):
                stack.push_async_callback(process.close)

    async def _of(self, seat: int, level: str) -> BotProcess:
        """Return the process that plays this seat with a bot that is not ours.

        A bot that comes to the seat after another begins without what that one knew.
        """
        there, process = self._installed.get(seat, ("", None))
        if process is None or there != level:
            if process is not None:
                del self._installed[seat]
                await process.close()
            process = BotProcess(self._worker, self._limit)
            self._installed[seat] = level, process
        return process
