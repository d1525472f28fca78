"""Bots that fail, and the process in which they think."""

import asyncio
import os
import pickle
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random

import pytest

from engine import Discard, Move, View
from engine.board import GOAL_CELLS
from engine.bots import Budget, Seconds, greedy, random_bot
from engine.bots.talk import (
    SILENCE,
    Bluff,
    DigsForUs,
    GoldAt,
    HelpMe,
    Honesty,
    Statement,
    Talk,
    TrackRecord,
    WhoMe,
)
from engine.cards import Path as Way
from engine.cards import Role, Tool
from engine.events import Laid, Passed, Public
from engine.notation import parse_position
from net.protocol.lobby import Settings, TableClaim, Topic
from net.protocol.requests import MakeClaim, PutBot, SetReady, Start
from net.room.bots import BotClaimRequest, BotMoveRequest
from net.room.effects import Effects
from net.server.bot_worker import Think, Thought, answer
from net.server.bots import BotPace, BotPool, BotProcess, BotReply, BotScheduler, has_gone_dull
from net.server.tables import ServerOptions
from net.tasks import cancel_and_wait
from tests.net.room.room_fixture import Table, playing
from tests.net.server.child import a_turn, start_child
from tests.net.server.journal_tools import POSIX
from tests.net.server.served_table import QUICK, hosting, until
from tests.samples import each_in_turn, first

BAD = ("-m", "tests.net.server.bad_bots")
BRIEFLY = Seconds(0.01)
PATIENCE_S = 600.0
"""Seconds for a bot that is to answer: a busy machine takes long to start a process."""


@pytest.mark.level("broad")
@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("raises", "RuntimeError"),
        ("hangs", "TimeoutError"),
        ("cheats", "an illegal move"),
        ("confuses", "ValidationError"),
        pytest.param("dies", "its process has ended", marks=pytest.mark.level("thorough")),
        pytest.param("rambles", "DecodeError", marks=pytest.mark.level("thorough")),
        pytest.param("forks", "TimeoutError", marks=[POSIX, pytest.mark.level("thorough")]),
    ],
)
async def test_whatever_a_bot_does_there_is_a_move_and_the_log_tells_no_card(
    how: str, why: str, caplog: pytest.LogCaptureFixture
) -> None:
    bot_process = BotProcess((*BAD, how), 0.4 if why == "TimeoutError" else PATIENCE_S)
    turn = a_turn()
    move, *_ = await bot_process.think(turn, Random(1), BRIEFLY)
    assert turn.view.why_not(move) is None
    assert caplog.messages == [f"the bot random for seat {turn.seat + 1} failed: {why}"]
    assert (bot_process._process is not None) == (how in {"raises", "cheats"}), "if it can go on"
    await bot_process.close()


async def test_a_bot_may_print_and_reads_no_questions(caplog: pytest.LogCaptureFixture) -> None:
    bot_process, turn = BotProcess((*BAD, "chats"), PATIENCE_S), a_turn()
    moves = [(await bot_process.think(turn, Random(1), BRIEFLY)).move for _ in range(2)]
    assert moves == [random_bot(turn.view, Random(Random(1).getrandbits(32)), BRIEFLY)] * 2
    assert not caplog.messages
    await bot_process.close()


def test_a_bot_in_its_process_is_told_all_that_was_said() -> None:
    cell = GOAL_CELLS[2]
    claims = DigsForUs(1), GoldAt(cell), HelpMe(Tool.CART), Bluff(2), WhoMe()
    records = tuple(TrackRecord(Honesty(2, 1), Honesty(0, seat)) for seat in range(4))
    talk = Talk(tuple(Statement(1, claim, 40) for claim in claims), records)
    told: list[Talk] = []

    def bot(view: View, rng: Random, budget: Budget, talk: Talk = SILENCE) -> Move:
        told.append(talk)
        return greedy(view, rng, budget)

    question = Think(a_turn().view, talk, "mine", 1, Seconds(0.1))
    there = pickle.loads(pickle.dumps(question))  # noqa: S301 - our own
    assert isinstance(answer(there, {"mine": bot}), Thought)
    assert told == [talk]


async def test_a_process_serves_for_many_moves_and_a_new_one_comes_when_it_dies() -> None:
    bot_process = BotProcess(limit=PATIENCE_S)
    turn = a_turn()
    await bot_process.think(turn, Random(1), BRIEFLY)
    first = bot_process._process
    assert first is not None
    moves = {(await bot_process.think(turn, Random(seed), BRIEFLY)).move for seed in range(20)}
    assert len(moves) > 1, "chance is handed in"
    assert bot_process._process is first
    first.kill()
    first.wait()
    await bot_process.think(turn, Random(1), BRIEFLY)
    await bot_process.think(turn, Random(1), BRIEFLY)
    assert bot_process._process not in (None, first)
    await bot_process.close()
    await bot_process.close()


@POSIX
async def test_ctrl_c_is_not_for_bots() -> None:
    bot_process = BotProcess(limit=PATIENCE_S)
    await bot_process.think(a_turn(), Random(1), BRIEFLY)
    process = bot_process._process
    assert process is not None
    process.send_signal(signal.SIGINT)
    await bot_process.think(a_turn(), Random(1), BRIEFLY)
    assert bot_process._process is process
    await bot_process.close()


def runs(pid: int) -> bool:
    """Whether a process runs, and is not just waiting to be forgotten."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] not in {"Z", "X"}


def running(group: int) -> list[int]:
    """Return the processes of a group that run."""
    pids = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal()]
    return [pid for pid in pids if runs(pid) and _group_of(pid) == group]


def _group_of(pid: int) -> int:
    if sys.platform != "win32":
        with suppress(ProcessLookupError):
            return os.getpgid(pid)
    return 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks /proc")
@pytest.mark.parametrize(("how", "processes"), [("hangs", 1), ("forks", 2)])
async def test_a_bot_that_never_ends_ends_with_its_host(how: str, processes: int) -> None:
    async with start_child("think", how) as child:
        worker = int(await child.line())
        await until(lambda: len(running(worker)) == processes)
        if how == "hangs":
            await asyncio.to_thread(time.sleep, 0.3)  # until it thinks
        child.process.kill()
        await until(lambda: not running(worker))


def game_with_absent(name: str) -> Table:
    """A game in which somebody is gone, whose turn it is."""
    table = playing()
    while table.name_to_act() != name:
        assert table.plays(table.name_to_act(), table.move()) is None
    table.wait(11, name)
    return table


class Timed(BotPool):
    """A bot process that notes when it is asked and when it has answered."""

    def __init__(self, worker: Sequence[str] = QUICK.worker) -> None:
        super().__init__(lambda _bot: None, worker)
        self.asked: list[float] = []
        self.answered: list[float] = []

    async def think(self, turn: BotMoveRequest, chance: Random, budget: Budget) -> BotReply:
        self.asked.append(time.monotonic())
        move = await super().think(turn, chance, budget)
        self.answered.append(time.monotonic())
        return move

    async def speak(self, due: BotClaimRequest) -> TableClaim | None:
        self.asked.append(time.monotonic())
        claim = await super().speak(due)
        self.answered.append(time.monotonic())
        return claim


async def takes(
    table: Table, bot_process: Timed, pace: BotPace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """See that a bot does something at the time that was drawn before it was asked.

    A machine under load may be late with everything: so the time is compared with those of other
    things that happened in the same loop, never with a clock alone.
    """
    await bot_process.think(a_turn(), Random(1), BRIEFLY)  # the process is up
    bot_process.asked.clear()
    bot_process.answered.clear()
    draw, drawn, done = BotScheduler._draw, list[float](), list[float]()
    pause_s, _ = pace.pace

    def note_pause(bots: BotScheduler) -> float:
        drawn.append(draw(bots))
        return drawn[-1]

    def happen(effects: Effects) -> None:
        done.append(time.monotonic())
        table.happen(effects)

    monkeypatch.setattr(BotScheduler, "_draw", note_pause)
    begun = time.monotonic()
    bots = BotScheduler(table.room, bot_process, pace, happen)
    running = asyncio.create_task(bots.run())
    await until(lambda: bool(bot_process.answered))
    assert begun + pause_s <= drawn[0] <= bot_process.asked[0] + pause_s, "thinking is part of it"
    await asyncio.sleep(drawn[0] + pause_s / 4 - time.monotonic())
    for _ in range(50):  # turns of the loop that the bot may take after its own timer
        await asyncio.sleep(0)
    assert done
    assert done[0] >= drawn[0]
    running.cancel()
    await bot_process.close()


async def test_how_long_a_bot_takes_is_drawn_beforehand(monkeypatch: pytest.MonkeyPatch) -> None:
    await takes(game_with_absent("Ben"), Timed(), BotPace((0.3, 0.3), Seconds(0.1)), monkeypatch)


@pytest.mark.parametrize("role", first(1, Role, thorough=2))
async def test_how_long_a_bot_takes_to_speak_is_drawn_whatever_it_is_and_however_it_thinks(
    role: Role, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, bot_process = game_with_accused(role), Timed((*BAD, "dawdles"))
    await takes(table, bot_process, BotPace((0.4, 0.4), BRIEFLY), monkeypatch)
    assert table.room.state.talk[-1].name == "Borin"


class Witness(BotPool):
    """A thinker that notes when it is asked."""

    def __init__(self, noted: list[str], worker: tuple[str, ...]) -> None:
        super().__init__(lambda _bot: None, worker)
        self.noted = noted

    async def think(self, turn: BotMoveRequest, chance: Random, budget: Budget) -> BotReply:
        self.noted.append("asked")
        return await super().think(turn, chance, budget)

    async def speak(self, due: BotClaimRequest) -> TableClaim | None:
        self.noted.append("asked")
        return await super().speak(due)


@pytest.mark.parametrize(("how", "speaks"), each_in_turn(["dawdles", "raises"], [False, True]))
async def test_a_pause_is_drawn_before_a_bot_thinks_and_is_waited_for_whatever_comes_of_it(
    how: str, monkeypatch: pytest.MonkeyPatch, *, speaks: bool
) -> None:
    table = game_with_accused(Role.MINER) if speaks else game_with_absent("Ben")
    noted: list[str] = []

    def draw(_bots: BotScheduler) -> float:
        noted.append("drawn")
        return 7341.0

    async def pause(_bots: BotScheduler, until: float, _is_wanted: object) -> None:
        noted.append(f"waited until {until}")

    monkeypatch.setattr(BotScheduler, "_draw", draw)
    monkeypatch.setattr(BotScheduler, "_pause", pause)
    thinker = Witness(noted, (*BAD, how))
    bots = BotScheduler(table.room, thinker, BotPace(), lambda _effects: noted.append("done"))
    running = asyncio.create_task(bots.run())
    await until(lambda: "done" in noted)
    running.cancel()
    assert noted[:4] == ["drawn", "asked", "waited until 7341.0", "done"]
    await thinker.close()


def game_with_accused(role: Role) -> Table:
    """A game in which Ann blames a bot that has this role."""
    table = deal_to_a_bot(seed_of(role))
    assert table.wants("Ann", MakeClaim(TableClaim(Topic.BLUFF, 3))) is None
    return table


@cache
def seed_of(role: Role) -> int:
    """Find a deal of which a bot has this role, and does not begin."""
    for seed in range(100):
        view = deal_to_a_bot(seed).room.state.view(3)
        if view is not None and view.role is role and view.to_act != 3:
            return seed
    raise AssertionError(role)


def deal_to_a_bot(seed: int) -> Table:
    """A game of three people and a bot."""
    table = Table(Settings(seats=4, rounds=1), bytes([seed]) * 32)
    for name in ("Ann", "Ben", "Cleo"):
        table.come(name)
        table.wants(name, SetReady(ready=True))
    assert table.wants("Ann", PutBot(3, "Borin", "random")) is None
    assert table.wants("Ann", Start()) is None
    return table


async def test_bots_are_woken_when_one_is_due_and_not_after_every_step() -> None:
    tables = (deal_to_a_bot(seed) for seed in range(100))
    table = next(table for table in tables if table.name_to_act() in table.people)
    bots = BotScheduler(
        table.room, BotPool(lambda _: None), BotPace((60, 60), BRIEFLY), lambda _: None
    )
    running = asyncio.create_task(bots.run())
    await asyncio.sleep(0)
    while (name := table.name_to_act()) in table.people:
        bots.look()
        assert not bots._changed.is_set()
        view = table.people[name].client.status.view
        assert view is not None
        table.plays(name, Discard(view.hand[0]))
    bots.look()
    assert bots._changed.is_set()
    await cancel_and_wait(running)


@pytest.mark.parametrize("worker", first(1, [list(QUICK.worker), [*BAD, "cheats"]], thorough=2))
async def test_bots_at_a_real_table_say_what_they_saw_and_no_bad_one_stops_it(
    where: Path, worker: list[str]
) -> None:
    options = ServerOptions(announce=False, pace=QUICK.pace, worker=worker)
    async with hosting(where, Settings(seats=4, rounds=1), options) as hosted:
        (ann,) = await hosted.come("Ann")
        for seat in range(1, 4):
            assert await ann.wants(PutBot(seat, f"Bot {seat}", "random")) is None
        await hosted.play_on()
        assert hosted.state.talk


async def test_a_bot_that_is_no_longer_wanted_keeps_nobody_waiting() -> None:
    table, pool = game_with_absent("Ben"), BotPool(lambda _: None)
    came: list[Effects] = []
    bots = BotScheduler(table.room, pool, BotPace((60, 60), BRIEFLY), came.append)
    running = asyncio.create_task(bots.run())
    await until(lambda: pool._ours._process is not None)
    table.come("Ben")
    bots.look()
    await until(lambda: len(came) == 1)
    assert came[0].steps == ()
    running.cancel()
    await pool.close()


@pytest.mark.parametrize(
    ("passes", "is_dull"), [((1, 2, 0, 1, 2), True), ((0, 1, 2), True), ((1, 2), False)]
)
def test_a_table_is_dull_once_all_have_passed(passes: tuple[int, ...], *, is_dull: bool) -> None:
    view = parse_position("EW@1 ?/?/? 1 -,-,- NES,3,3 9 ???+?").view(None)
    history: list[Public] = [Laid(0, Way.read("EW"), (1, 0)), *map(Passed, passes)]
    assert has_gone_dull(view._replace(history=tuple(history))) == is_dull


async def test_bots_that_can_only_pass_keep_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("net.server.bots.has_gone_dull", lambda _view: True)
    table, ends = game_with_absent("Ben"), list[float]()

    async def pause(_bots: BotScheduler, until: float, _is_wanted: object) -> None:
        ends.append(until)

    monkeypatch.setattr(BotScheduler, "_pause", pause)
    thinker = Timed()
    pace = BotPace((900, 900), BRIEFLY)
    bots = BotScheduler(table.room, thinker, pace, lambda _effects: None)
    running = asyncio.create_task(bots.run())
    await until(lambda: bool(ends))
    assert ends[0] < time.monotonic() + 1
    running.cancel()
    await thinker.close()
