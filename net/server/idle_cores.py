"""Processes for the cores that nobody uses: there `search` plays out more rounds for one move.

They are workers like that of our bots (`bot_process`), which they never hold up: they have the
lowest priority, and a share that comes late is left out. Each is given the same view as our bots'
own process, and tells it to nobody else. How many play-outs a move had depends on what the bot
knows, so it stays in this process, and no player is told while the game goes on.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Final

from msgspec.structs import replace

from engine.bots.searching import Tried, add_up
from net.room.effects import BotMoveRequest
from net.server.bot_process import BotProcess, BotReply
from net.server.bot_worker import Think

MAX_IDLE_PROCESSES: Final = 3
"""Most processes beside our bots' own, however many cores there are; each has its own memory."""

LATE_S: Final = 0.05
"""Seconds that shares may come later than the move of our bots' own process, which is less than a
bot's pause leaves after its thinking."""

RunningShares = list[asyncio.Task[tuple[Tried, ...]]]
"""Shares of one search that are being thought of."""


class IdleCores:
    """The processes for idle cores at a table, or at all tables of a club.

    `worker` are the arguments of Python that start one. They are started when a search first needs
    them, and stay.
    """

    def __init__(self, worker: Sequence[str]) -> None:
        self._worker = worker
        self._last: dict[BotProcess, asyncio.Task[tuple[Tried, ...]] | None] = {}

    def begin(self, turn: BotMoveRequest, question: Think) -> RunningShares:
        """Begin a share of this search in each process but those that are busy with an older one.

        Where cores have become idle, processes are added, which are too late for this search.
        """
        while len(self._last) < min(count_idle_cores(), MAX_IDLE_PROCESSES):
            self._last[BotProcess(self._worker, is_idle=True)] = None
        shares: RunningShares = []
        for number, (process, last) in enumerate(self._last.items(), 1):
            if last is None or last.done():
                share = process.search(turn, replace(question, share=number))
                shares.append(asyncio.create_task(share))
                self._last[process] = shares[-1]
        return shares

    async def close(self) -> None:
        """End all processes. No search may begin after that."""
        async with AsyncExitStack() as stack:
            for process, last in self._last.items():
                if last is not None:
                    stack.push_async_callback(asyncio.wait, (last,))
                stack.push_async_callback(process.close)


async def finish_search(reply: BotReply, shares: RunningShares) -> BotReply:
    """Return a reply with the move that is best by its own play-outs and those of the shares."""
    if shares:
        await asyncio.wait(shares, timeout=LATE_S)
    arrived = [share.result() for share in shares if share.done()]
    tried = add_up([reply.tried, *arrived]) if any(arrived) else []
    return reply._replace(move=tried[0].move, tried=tuple(tried)) if tried else reply


def count_idle_cores() -> int:
    """Return the number of cores that this process may use and nobody uses now, but for one.

    That one is for our bots' own process. The load of the last minute tells how many are in use,
    where the system has such a figure.
    """
    cores, load = os.cpu_count() or 1, 0.0
    if sys.platform == "linux":
        cores = len(os.sched_getaffinity(0))
    if sys.platform != "win32":
        load = os.getloadavg()[0]
    return max(round(cores - max(load, 1.0)), 0)
