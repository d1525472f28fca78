"""Checks of bots: those of other packages that are not offered, and how long hard ones think."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from random import Random

from engine import Game, deal
from engine.bots.installed import refused_bots
from net.room.effects import BotMoveRequest
from net.server.bot_pool import BotPool
from net.server.bots import BOT_BUDGET
from sabtui.cli.doctor.finding import Finding, Severity
from sabtui.text.i18n import _


def bot_findings() -> Iterator[Finding]:
    """Yield a finding for each bot of another package that is not offered here, for its author."""
    for reason in refused_bots().values():
        yield Finding(Severity.WARNING, f"{reason}.")


def thinking_finding() -> Finding:
    """Return how many rounds a hard bot plays out for a move, on all cores that are idle now."""
    count = asyncio.run(count_playouts())
    text = _("Rounds that a hard bot plays out for a move here: {count}.").format(count=count)
    return Finding(Severity.OK, text)


async def count_playouts() -> int:
    """Return the play-outs that a hard bot has for a first move, as at a table of five."""
    game, _events = Game.begin(deal(bytes(32), 1, 5), youngest=0)
    turn = BotMoveRequest(0, "hard", 1, None, game.view(0))
    pool, count = BotPool(lambda _: None), 0
    try:
        # What was started for the first move thinks of the second.
        for chance in (Random(1), Random(2)):
            reply = await pool.think(turn, chance, BOT_BUDGET)
            count = sum(one.playouts for one in reply.tried)
    finally:
        await pool.close()
    return count
