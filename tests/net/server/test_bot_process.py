"""Bots that somebody else wrote play at a table, and nothing that they do stops it."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from random import Random

import pytest

from engine.bots import Playouts, Seconds
from engine.bots.bot import MAX_CLAIMS_PER_MOVE
from engine.bots.talk import Line, Talk
from engine.moves import Discard
from net.protocol.lobby import TableClaim, Topic
from net.room.bots import BotMoveRequest
from net.server.bots import BotPace, BotPool, BotProcess, BotScheduler, OurBots
from net.tasks import cancel_and_wait
from tests.engine.bots.foreign_package import package
from tests.net.room.room_fixture import playing
from tests.net.server.child import a_claim, a_turn
from tests.net.server.served_table import until
from tests.samples import first

__all__ = ["package"]

pytestmark = pytest.mark.level("broad")

BRIEFLY = Seconds(0.01)
PATIENCE_S = 600.0
"""Seconds for a bot that is to answer: a busy machine takes long to start a process."""


@asynccontextmanager
async def a_pool(
    limit: float = PATIENCE_S, give_up: Callable[[str], None] = lambda _: None
) -> AsyncIterator[BotPool]:
    pool = BotPool(give_up, limit=limit)
    yield pool
    await pool.close()


def turn_of(level: str, seat: int | None = None) -> BotMoveRequest:
    """The first turn of a game, with a bot of this name on the seat, or as if it sat elsewhere."""
    turn = a_turn()
    return BotMoveRequest(turn.seat if seat is None else seat, level, 1, None, turn.view)


async def test_it_may_be_given_playouts_instead_of_time(caplog: pytest.LogCaptureFixture) -> None:
    async with a_pool() as pool:
        move, *_ = await pool.think(turn_of("thoughtful"), Random(1), Playouts(7))
    assert isinstance(move, Discard)
    assert not caplog.messages


@pytest.mark.parametrize(
    ("name", "why"),
    first(
        1,
        [
            ("raising", "RuntimeError"),
            ("os:abort", "no bot os:abort: none of that name is installed"),
            ("dying", "its process has ended"),
            ("babbling", "no spoken move: its claims are no tuple, or its text is no text"),
            ("slow", "TimeoutError"),
            ("nonsense", "no move"),
            ("silent", "no move"),
            ("misplacing", "ValueError"),
            ("unmade", "no bot unmade: No module named 'no_such_module_of_theirs'"),
        ],
        thorough=9,
    ),
)
async def test_a_bot_that_fails_is_replaced_for_that_move_with_a_line_in_the_log(
    name: str, why: str, caplog: pytest.LogCaptureFixture
) -> None:
    turn = turn_of(name)
    async with a_pool(1.0 if name == "slow" else PATIENCE_S) as pool:
        assert turn.view.why_not((await pool.think(turn, Random(1), BRIEFLY)).move) is None
    assert caplog.messages == [f"the bot {name} for seat {turn.seat + 1} failed: {why}"]


async def test_a_bot_that_hangs_costs_its_own_move_only() -> None:
    async with a_pool(60.0) as pool:
        hanging = asyncio.create_task(pool.think(turn_of("slow", 0), Random(1), BRIEFLY))
        for name, seat in (("thrower", 1), ("greedy", 2), ("thrower", 1), ("greedy", 2)):
            turn = turn_of(name, seat)
            assert turn.view.why_not((await pool.think(turn, Random(1), BRIEFLY)).move) is None
        assert not hanging.done()
        await cancel_and_wait(hanging)


async def test_a_bot_that_plays_on_is_not_given_up_with_one_that_failed() -> None:
    given_up: list[str] = []
    async with a_pool(give_up=given_up.append) as pool:
        for _ in range(3):
            await pool.think(turn_of("raising", 0), Random(1), BRIEFLY)
            await pool.think(turn_of("thrower", 1), Random(1), BRIEFLY)
        assert given_up == ["raising"]
        assert {seat: bot for seat, (bot, _) in pool._installed.items()} == {1: "thrower"}


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system may not heed it")
async def test_a_bot_gets_no_more_memory_than_it_may_have(
    caplog: pytest.LogCaptureFixture,
) -> None:
    turn = turn_of("hungry")
    async with a_pool() as pool:
        assert turn.view.why_not((await pool.think(turn, Random(1), BRIEFLY)).move) is None
        await pool.think(turn_of("search"), Random(1), BRIEFLY)
    assert caplog.messages == [f"the bot hungry for seat {turn.seat + 1} failed: MemoryError"]


async def test_a_club_has_so_many_installed_bots_and_ours_plays_in_place_of_one_more(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("net.server.bots.MAX_INSTALLED", 2)
    ours, given_up = OurBots(BotProcess(limit=PATIENCE_S), set()), list[str]()
    pools = [BotPool(given_up.append, limit=60, ours=ours) for _ in range(2)]
    for pool, seat in ((pools[0], 0), (pools[0], 1), (pools[1], 0), (pools[0], 1)):
        turn = turn_of("thrower", seat)
        made = await pool.think(turn, Random(1), BRIEFLY)
        assert turn.view.why_not(made.move) is None
    assert given_up == ["thrower"]
    assert not pools[1]._installed
    await pools[0].close()
    await pools[1].think(turn_of("thrower", 0), Random(1), BRIEFLY)
    assert given_up == ["thrower"], "there is room again"
    await pools[0].think(turn_of("thrower", 0), Random(1), BRIEFLY)
    await pools[0].think(turn_of("thrower", 1), Random(1), BRIEFLY)
    assert given_up == ["thrower"] * 2
    assert not pools[0]._installed, "ours plays all the seats of a bot that is given up"
    await pools[1].close()
    assert not ours.installed
    await ours.process.close()
    assert not caplog.messages


async def test_a_table_that_waits_leaves_room_for_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("net.server.bots.INSTALLED_IDLE_S", 0.01)
    ours = OurBots(BotProcess(limit=PATIENCE_S), set())
    pool = BotPool(lambda _: None, limit=PATIENCE_S, ours=ours)
    await pool.think(turn_of("thrower", 0), Random(1), BRIEFLY)
    assert ours.installed
    bots = BotScheduler(playing().room, pool, BotPace(), lambda _: None)
    running = asyncio.create_task(bots.run())
    await until(lambda: not ours.installed)
    await cancel_and_wait(running)
    await pool.think(turn_of("thrower", 0), Random(1), BRIEFLY)
    assert ours.installed, "it comes back for its next move"
    await pool.close()
    await ours.process.close()


async def test_an_installed_bot_hears_and_says_what_it_wants_and_from_then_on_nothing_else(
    caplog: pytest.LogCaptureFixture,
) -> None:
    turn, due = turn_of("telling"), a_claim()
    talk = Talk(lines=(Line(1, "that Ann lies", 40),))
    async with a_pool() as pool:
        made = await pool.think(replace(turn, talk=talk), Random(1), BRIEFLY)
        assert isinstance(made.move, Discard)
        assert made.claims == (TableClaim(Topic.WHO_ME),) * MAX_CLAIMS_PER_MOVE
        assert made.text == "I heard that Ann lies"
        assert await pool.speak(replace(due, seat=turn.seat)) is None
        other = (turn.seat + 1) % turn.view.table.players
        assert await pool.speak(replace(due, seat=other)) is not None, "that is another bot's seat"
        await pool.think(turn_of("thrower"), Random(1), BRIEFLY)
        assert await pool.speak(replace(due, seat=turn.seat)) is not None
    assert not caplog.messages
