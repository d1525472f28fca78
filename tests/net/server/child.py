"""Processes that tests start and kill, such as `python -m tests.net.server.child HOW`."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from random import Random

from engine import Game, deal
from engine.bots import Seconds
from engine.bots.occasions import Blamed
from net.room.bots import BotClaimRequest, BotMoveRequest
from net.server import bots
from tests.net.server.journal_tools import HOUSE, say
from tests.net.server.served_table import until


def a_turn() -> BotMoveRequest:
    """The first turn of a game of four."""
    game, _ = Game.begin(deal(bytes(32), 1, 4), rounds=1)
    seat = game.to_act
    assert seat is not None
    return BotMoveRequest(seat, "random", 1, None, game.view(seat))


def a_claim() -> BotClaimRequest:
    """Somebody blames a bot in its first turn."""
    turn = a_turn()
    return BotClaimRequest(1, turn.seat, Blamed((turn.seat + 1) % 4), turn.view)


async def _think(*how: str) -> None:
    vars(bots)["WORKER_ARGUMENTS"] = ("-m", "tests.net.server.bad_bots", *how)
    bot_process = bots.BotProcess(60)
    asking = asyncio.create_task(bot_process.think(a_turn(), Random(1), Seconds(0.1)))
    await until(lambda: bot_process._process is not None)
    assert bot_process._process is not None
    say(bot_process._process.pid)
    await asking


def think(*how: str) -> None:
    """Ask a bad bot for ever, and tell the process in which it thinks."""
    asyncio.run(_think(*how))


@dataclass
class Child:
    """A module that runs in a process of its own."""

    process: subprocess.Popen[str]

    async def line(self) -> str:
        assert self.process.stdout is not None
        said = await asyncio.to_thread(self.process.stdout.readline)
        return said.strip()

    async def kill(self) -> str:
        """Kill it, and tell what else it said."""
        assert self.process.stdout is not None
        if self.process.stdout.closed:
            return ""
        self.process.kill()
        rest, _ = await asyncio.to_thread(self.process.communicate)
        return rest


@asynccontextmanager
async def start_child(
    *words: object, module: str = "tests.net.server.child"
) -> AsyncIterator[Child]:
    process = subprocess.Popen(  # noqa: ASYNC220, S603 - our own child, and quick to start
        [sys.executable, "-m", module, *map(str, words)],
        cwd=HOUSE,
        stdout=subprocess.PIPE,
        text=True,
    )
    child = Child(process)
    try:
        yield child
    finally:
        await child.kill()


if __name__ == "__main__":
    think(*sys.argv[1:])
