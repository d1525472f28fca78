"""The processes in which all bots at a table think.

Our bots share one process (`bot_process`), and `search` has more of them on idle cores; the tables
of a club share those, so that their number does not grow with that of the tables. A bot that
somebody else wrote is code that nobody here has read. The process that plays a seat with it is
asked for that seat alone, so even if it keeps all that it is told, it knows no more than a player
there; and if it does not answer, our bots go on. Of these processes there are so many at most, at
all tables of a club together: beyond that the one that was asked the longest ago ends, and begins
anew when its turn comes. A bot that has failed too often is given up, and the room is told.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from typing import Final, NamedTuple

from engine.bots import BOTS, Budget, Seconds, search
from net.protocol.lobby import TableClaim
from net.room.effects import BotClaimRequest, BotMoveRequest
from net.server.bot_process import WORKER_ARGUMENTS, BotProcess, BotReply, question_about
from net.server.idle_cores import IdleCores, finish_search

INSTALLED_BOT_TIMEOUT_S: Final = 5.0
"""Seconds that another's bot may take for a move, the import of its module included."""

MAX_BOT_FAILURES: Final = 3
"""Times that another's bot may fail at a table, on all its seats, before it is given up."""


MAX_INSTALLED: Final = 16
"""Most processes of others' bots at once: more than a table has seats."""


class InstalledPlaces:
    """The places for processes of others' bots, which several tables may share.

    All that are there think at once; who finds no place waits until one of them has answered.
    """

    def __init__(self, most: int = MAX_INSTALLED) -> None:
        self._most = most
        self._free = asyncio.Semaphore(most)
        self._thinking = 0
        self._idle: dict[BotProcess, None] = {}  # the one that was asked the longest ago first

    @asynccontextmanager
    async def hold(self, process: BotProcess) -> AsyncIterator[None]:
        """Keep a place for a process while it is asked, if need be that of an idle one."""
        async with self._free:
            self._idle.pop(process, None)
            self._thinking += 1
            try:
                while self._thinking + len(self._idle) > self._most:
                    longest = next(iter(self._idle))
                    del self._idle[longest]
                    await longest.rest()
                yield
            finally:
                self._thinking -= 1
                self._idle[process] = None

    async def close(self, process: BotProcess) -> None:
        """End a process for good, and free its place."""
        self._idle.pop(process, None)
        await process.close()


class OurBots(NamedTuple):
    """The processes of our bots: the one that makes each move, and those for idle cores.

    With them come the `places` for those of others' bots.
    """

    process: BotProcess
    idle_cores: IdleCores
    places: InstalledPlaces


class BotPool:
    """Has each bot at a table think in the process that is there for it.

    `worker` are the arguments of Python that start a process, `limit` is the most seconds for a
    move of another's bot. The claims of such a bot are chosen by our code, in our process, until it
    speaks for itself. A bot that has failed too often is named to `give_up`; asked again, it begins
    anew. If several tables share the processes `ours`, who has made those closes them.
    """

    def __init__(
        self,
        give_up: Callable[[str], None],
        worker: Sequence[str] = WORKER_ARGUMENTS,
        limit: float = INSTALLED_BOT_TIMEOUT_S,
        *,
        ours: OurBots | None = None,
    ) -> None:
        self._give_up = give_up
        self._worker = tuple(worker)
        self._limit = limit
        self._is_shared = ours is not None
        self._ours, self._idle_cores, self._places = ours or OurBots(
            BotProcess(worker), IdleCores(worker), InstalledPlaces()
        )
        self._installed: dict[int, tuple[str, BotProcess]] = {}

    async def think(self, turn: BotMoveRequest, chance: Random, budget: Budget) -> BotReply:
        """Return a legal move for a seat: its bot's, or one of ours if that fails.

        With it comes what the bot says. On more cores than one `search` thinks only by time, so a
        number of play-outs leads to the same move on every machine.
        """
        if turn.level in BOTS:
            question = question_about(turn, chance, budget)
            is_long = BOTS[turn.level] is search and isinstance(budget, Seconds)
            shares = self._idle_cores.begin(turn, question) if is_long else []
            return await finish_search(await self._ours.answer(turn, question), shares)
        process = await self._of(turn.seat, turn.level)
        async with self._places.hold(process):
            move = await process.think(turn, chance, budget)
        theirs = {
            seat: process for seat, (name, process) in self._installed.items() if name == turn.level
        }
        if sum(process.failures for process in theirs.values()) >= MAX_BOT_FAILURES:
            for seat, process in theirs.items():
                del self._installed[seat]
                await self._places.close(process)
            self._give_up(turn.level)
        return move

    async def speak(self, due: BotClaimRequest) -> TableClaim | None:
        """Return a claim of the bot on a seat, or None if it has nothing to say."""
        _, process = self._installed.get(due.seat, ("", self._ours))
        return None if process.speaks else await self._ours.speak(due)

    async def close(self) -> None:
        """End all processes. No question may be asked after that."""
        async with AsyncExitStack() as stack:
            if not self._is_shared:
                stack.push_async_callback(self._idle_cores.close)
                stack.push_async_callback(self._ours.close)
            for _, process in self._installed.values():
                stack.push_async_callback(self._places.close, process)

    async def _of(self, seat: int, level: str) -> BotProcess:
        """Return the process that plays this seat with a bot that is not ours.

        A bot that comes to the seat after another begins without what that one knew.
        """
        there, process = self._installed.get(seat, ("", None))
        if process is None or there != level:
            if process is not None:
                del self._installed[seat]
                await self._places.close(process)
            process = BotProcess(self._worker, self._limit)
            self._installed[seat] = level, process
        return process
