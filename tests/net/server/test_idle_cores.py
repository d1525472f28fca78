"""`search` thinks on idle cores, too, and never waits for them."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

import pytest

from engine.bots import Playouts, Seconds, search
from engine.bots.searching import compare_moves
from net.room.effects import BotMoveRequest
from net.server import bot_process, bots
from net.server.bot_process import LOWEST_NICENESS, WORKER_ARGUMENTS, BotProcess, question_about
from net.server.bots import (
    MAX_IDLE_PROCESSES,
    BotPool,
    IdleCores,
    InstalledPlaces,
    OurBots,
    RunningShares,
    count_idle_cores,
    finish_search,
)
from tests.net.server.child import a_turn
from tests.net.server.served_table import until

BRIEFLY = Seconds(0.1)
BAD = ("-m", "tests.net.server.bad_bots")


def hard_turn() -> BotMoveRequest:
    """The first turn of a game of four, with a hard bot."""
    turn = a_turn()
    return BotMoveRequest(turn.seat, "hard", 1, None, turn.view)


@pytest.fixture
def cores(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of idle cores, which a test may change; what runs there waits for nobody.

    So it comes to an end on a machine that does much else.
    """
    counts = [0]
    niceness = 0
    if sys.platform != "win32":
        niceness = os.nice(0)
    monkeypatch.setattr(bot_process, "LOWEST_NICENESS", niceness)
    monkeypatch.setattr(bots, "count_idle_cores", lambda: counts[0])
    return counts


@asynccontextmanager
async def idle_processes(worker: tuple[str, ...]) -> AsyncIterator[IdleCores]:
    idle = IdleCores(worker)
    yield idle
    await idle.close()


async def tallies(shares: RunningShares) -> list[list[int]]:
    """The numbers of play-outs of each share, move by move."""
    return [[one.playouts for one in share] for share in await asyncio.gather(*shares)]


async def test_each_idle_core_plays_out_other_rounds_of_the_same_moves(cores: list[int]) -> None:
    turn = hard_turn()
    question = question_about(turn, Random(1), Playouts(84))
    async with idle_processes(WORKER_ARGUMENTS) as idle:
        assert idle.begin(turn, question) == [], "no core is idle"
        cores[0] = 2
        found = await asyncio.gather(*idle.begin(turn, question))
    chance = [Random(question.seed) for _ in range(3)]
    shares = [compare_moves(turn.view, chance[n], Playouts(84), share=n) for n in range(3)]
    assert found == [tuple(share) for share in shares[1:]]
    assert {one.move for one in shares[0]} == {one.move for one in shares[1]}
    assert len({tuple(sorted(one.total for one in share)) for share in shares}) == 3


async def test_a_move_is_chosen_by_all_play_outs_together(cores: list[int]) -> None:
    turn, cores[0] = hard_turn(), 1
    question = question_about(turn, Random(1), Playouts(84))
    async with idle_processes(WORKER_ARGUMENTS) as idle:
        shares = idle.begin(turn, question)
        await asyncio.gather(*shares)
        process = BotProcess()
        alone = await process.answer(turn, question)
        together = await finish_search(alone, shares)
        await process.close()
    each = [alone.tried, *(share.result() for share in shares)]
    assert sum(one.playouts for one in together.tried) == sum(
        one.playouts for share in each for one in share
    )
    assert together.move == together.tried[0].move
    assert await finish_search(alone, []) == alone


async def test_a_core_that_is_late_or_fails_is_not_waited_for(cores: list[int]) -> None:
    turn, cores[0] = hard_turn(), 1
    question = question_about(turn, Random(1), BRIEFLY)
    process = BotProcess()
    alone = await process.answer(turn, question)
    await process.close()
    turn = a_turn()
    question = question_about(turn, Random(1), BRIEFLY)
    for how in ("hangs", "dies"):
        async with idle_processes((*BAD, how)) as idle:
            shares = idle.begin(turn, question)
            if how == "dies":
                assert await tallies(shares) == [[]]
                assert len(idle.begin(turn, question)) == 1, "it is started anew"
            assert await finish_search(alone, shares) == alone
            if how == "hangs":
                assert not shares[0].done()
                assert idle.begin(turn, question) == [], "it is busy with the last one"


async def test_at_a_table_only_time_is_shared_out(cores: list[int]) -> None:
    turn, cores[0] = hard_turn(), 1
    pool = BotPool(print)
    reply = await pool.think(turn, Random(1), Playouts(84))
    seed = Random(1).getrandbits(32)
    assert reply.move == search(turn.view, Random(seed), Playouts(84))
    assert not pool._idle_cores._last
    await pool.think(a_turn(), Random(1), BRIEFLY)
    assert not pool._idle_cores._last, "others do not search"
    reply = await pool.think(turn, Random(1), BRIEFLY)
    (process,) = pool._idle_cores._last
    assert turn.view.why_not(reply.move) is None
    assert reply.tried
    await pool.close()
    assert process._process is None


async def test_tables_that_share_processes_take_turns_at_them_and_leave_them_open(
    cores: list[int],
) -> None:
    cores[0] = 2
    ours = OurBots(BotProcess(), IdleCores(WORKER_ARGUMENTS), InstalledPlaces())
    pools = [BotPool(print, ours=ours) for _ in range(2)]
    turn, at_once = hard_turn(), Seconds(0.05)
    for reply in await asyncio.gather(*(pool.think(turn, Random(1), at_once) for pool in pools)):
        assert turn.view.why_not(reply.move) is None
        assert reply.tried, "no bot has failed, however long it waited for the others"
    assert ours.process.failures == 0
    assert len(ours.idle_cores._last) == 2
    for pool in pools:
        await pool.close()
    assert all(process._process is not None for process in (ours.process, *ours.idle_cores._last))
    await ours.idle_cores.close()
    await ours.process.close()


def niceness_of(process: int) -> int:
    """How much a process gives way to others."""
    niceness = 0
    if sys.platform != "win32":
        niceness = os.getpriority(os.PRIO_PROCESS, process)
    return niceness


@pytest.mark.skipif(sys.platform == "win32", reason="there is no niceness")
async def test_what_thinks_on_an_idle_core_gives_way_to_all_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turn = hard_turn()
    monkeypatch.setattr(bots, "count_idle_cores", lambda: 1)
    async with idle_processes(WORKER_ARGUMENTS) as idle:
        idle.begin(turn, question_about(turn, Random(1), BRIEFLY))
        (process,) = idle._last
        await until(lambda: process._process is not None)
        assert process._process is not None
        assert niceness_of(process._process.pid) == LOWEST_NICENESS


async def test_there_are_never_many_more_processes(cores: list[int]) -> None:
    async with idle_processes((*BAD, "hangs")) as idle:
        for cores[0], many in ((1, 1), (0, 1), (64, MAX_IDLE_PROCESSES)):
            idle.begin(hard_turn(), question_about(hard_turn(), Random(1), BRIEFLY))
            assert len(idle._last) == many


@pytest.mark.skipif(sys.platform != "linux", reason="replaces what Linux says")
@pytest.mark.parametrize(
    ("cores", "load", "idle"),
    [(1, 0.0, 0), (2, 0.0, 1), (2, 0.9, 1), (2, 1.7, 0), (8, 0.3, 7), (8, 5.6, 2), (4, 9.0, 0)],
)
def test_the_first_core_and_those_in_use_are_not_idle(
    cores: int, load: float, idle: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(cores)))
    monkeypatch.setattr(os, "getloadavg", lambda: (load, 0.0, 0.0))
    assert count_idle_cores() == idle
