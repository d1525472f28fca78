"""Processes that tests of the host start and kill: `python -m tests.net.host.child PART ...`."""

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

from engine import Game, deal
from engine.bots import Seconds
from net.discovery.ports import claim
from net.host.host import Host
from net.host.table import resume
from net.host.thinker import Thinker
from net.room import BotCue, BotTurn
from net.speech import Blamed
from tests.net.host.guest import HERE, QUICK, until


def say(text: object) -> None:
    os.write(1, f"{text}\n".encode())


async def _host(path: str) -> None:
    table = resume(Path(path))
    claimed = claim(first=table.port or None, ports=[0], hosts=[HERE])
    say(claimed.port)
    await Host(table, claimed, QUICK).run()


def host(path: str) -> None:
    """Host the table of a journal, and tell its port."""
    asyncio.run(_host(path))


def a_turn() -> BotTurn:
    """The first turn of a game of four."""
    game, _ = Game.begin(deal(bytes(32), 1, 4), rounds=1)
    seat = game.to_act
    assert seat is not None
    return BotTurn(seat, "random", 1, None, game.view(seat))


def a_cue() -> BotCue:
    """Somebody blames a bot in its first turn."""
    turn = a_turn()
    return BotCue(1, turn.seat, Blamed((turn.seat + 1) % 4), turn.view)


async def _think(how: str) -> None:
    thinker = Thinker(("-m", "tests.net.host.bad_bots", how), 60)
    asking = asyncio.create_task(thinker.think(a_turn(), Random(1), Seconds(0.1)))
    await until(lambda: thinker._process is not None)
    assert thinker._process is not None
    say(thinker._process.pid)
    await asking


def think(how: str) -> None:
    """Ask a bad bot for ever, and tell the process in which it thinks."""
    asyncio.run(_think(how))


PARTS: tuple[Callable[[str], None], ...] = (host, think)

if __name__ == "__main__":
    next(part for part in PARTS if part.__name__ == sys.argv[1])(*sys.argv[2:])
