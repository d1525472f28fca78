"""Bots that fail, ours and those of others, and the processes in which they think."""

import asyncio
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest

from engine import Discard, Move, View
from engine.board import GOAL_CELLS
from engine.bots import Budget, Playouts, Seconds, greedy, random_bot
from engine.bots.bot import MAX_CLAIMS_PER_MOVE
from engine.bots.installed import PROGRAMS_VARIABLE
from engine.bots.talk import (
    SILENCE,
    Bluff,
    DigsForUs,
    GoldAt,
    HelpMe,
    Honesty,
    Line,
    Statement,
    Talk,
    TrackRecord,
    WhoMe,
)
from engine.bots.temper import USUAL_TEMPER
from engine.cards import Path as Way
from engine.cards import Role, Tool
from engine.events import Laid, Passed, Public
from engine.notation import parse_position
from net.protocol.lobby import Settings, TableClaim, Topic
from net.protocol.requests import MakeClaim, PutBot, Start
from net.room.bots import BotClaimRequest, BotMoveRequest
from net.room.effects import Effects
from net.server.bot_worker import Think, Thought, answer
from net.server.bots import (
    BotPace,
    BotPool,
    BotProcess,
    BotReply,
    BotScheduler,
    OurBots,
    has_gone_dull,
)
from net.server.process import environment
from net.tasks import cancel_and_wait
from tests.engine.bots.foreign_package import forget_bots, package
from tests.net.room.room_fixture import Table, three_in_game
from tests.net.server.child import a_claim, a_turn, start_child
from tests.net.server.journal_tools import POSIX
from tests.net.server.served_table import hosting, until
from tests.samples import first

BRIEFLY = Seconds(0.01)
PATIENCE_S = 600.0
"""Seconds for a bot that is to answer: a busy machine takes long to start a process."""


@pytest.fixture
def how(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Let the bots of processes that are started misbehave in this way (`bad_bots`)."""
    bad = ("-m", "tests.net.server.bad_bots", request.param)
    monkeypatch.setattr("net.server.bots.WORKER_ARGUMENTS", bad)
    return str(request.param)


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
    indirect=["how"],
)
async def test_whatever_a_bot_does_there_is_a_move_and_the_log_tells_no_card(
    how: str, why: str, caplog: pytest.LogCaptureFixture
) -> None:
    bot_process = BotProcess(0.4 if why == "TimeoutError" else PATIENCE_S)
    turn = a_turn()
    move, *_ = await bot_process.think(turn, Random(1), BRIEFLY)
    assert turn.view.why_not(move) is None
    assert caplog.messages == [f"the bot random for seat {turn.seat + 1} failed: {why}"]
    assert (bot_process._process is not None) == (how in {"raises", "cheats"}), "if it can go on"
    await bot_process.close()


@pytest.mark.usefixtures("how")
@pytest.mark.parametrize("how", ["chats"], indirect=True)
async def test_a_bot_may_print_and_reads_no_questions(caplog: pytest.LogCaptureFixture) -> None:
    bot_process, turn = BotProcess(PATIENCE_S), a_turn()
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

    question = Think(a_turn().view, talk, USUAL_TEMPER, "mine", 1, Seconds(0.1))
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
    if sys.platform != "win32":
        first.send_signal(signal.SIGINT)  # Ctrl+C is not for bots
        await bot_process.think(turn, Random(1), BRIEFLY)
    assert bot_process._process is first
    first.kill()
    await first.wait()
    await bot_process.think(turn, Random(1), BRIEFLY)
    await bot_process.think(turn, Random(1), BRIEFLY)
    assert bot_process._process not in (None, first)
    await bot_process.close()
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
async def test_a_bot_that_never_ends_ends_with_its_host(
    how: str, processes: int, tmp_path: Path
) -> None:
    thinks = tmp_path / "thinks"
    async with start_child(how, thinks) as child:
        worker = int(await child.line())
        await until(lambda: thinks.exists() and len(running(worker)) == processes)
        child.process.kill()
        await until(lambda: not running(worker))


@POSIX
@pytest.mark.level("thorough")
async def test_a_process_that_a_bot_leaves_behind_holds_no_table_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = tmp_path / "left"
    bad = ("-m", "tests.net.server.bad_bots", "escapes", str(left))
    monkeypatch.setattr("net.server.bots.WORKER_ARGUMENTS", bad)
    bot_process, turn = BotProcess(PATIENCE_S), a_turn()
    thinking = asyncio.create_task(bot_process.think(turn, Random(1), BRIEFLY))
    await until(lambda: left.exists() and left.read_text() != "")
    process = bot_process._process
    assert process is not None
    assert process.stdout is not None
    try:
        thinking.cancel()  # as a new game does
        await asyncio.wait([thinking], timeout=60)
        assert thinking.done()
    finally:
        os.kill(int(left.read_text()), 9)  # types for Windows know no SIGKILL
    assert await process.stdout.read() == b"", "now its pipes end, too"


def game_with_absent(name: str) -> Table:
    table = three_in_game()
    while table.name_to_act() != name:
        assert table.plays(table.name_to_act(), table.move()) is None
    table.wait(11, name)
    return table


class Witness(BotPool):
    """A thinker without a process, that notes when it is asked."""

    def __init__(self) -> None:
        super().__init__(lambda _bot: None)
        self.noted: list[str] = []

    async def think(self, turn: BotMoveRequest, chance: Random, budget: Budget) -> BotReply:
        self.noted.append("asked")
        return BotReply(greedy(turn.view, chance, budget))

    async def speak(self, due: BotClaimRequest) -> TableClaim | None:
        self.noted.append("asked")
        return await super().speak(due)


@pytest.mark.parametrize("role", [None, *Role])
async def test_a_pause_is_drawn_before_a_bot_thinks_and_is_waited_for_whatever_comes_of_it(
    role: Role | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = game_with_absent("Ben") if role is None else game_with_accused(role)
    thinker, drawn, done = Witness(), list[float](), list[float]()
    noted = thinker.noted
    draw, pause = BotScheduler._draw_end, BotScheduler._pause

    def note_draw(bots: BotScheduler) -> float:
        noted.append("drawn")
        drawn.append(draw(bots))
        return drawn[-1]

    async def note_pause(bots: BotScheduler, until: float, is_wanted: Callable[[], bool]) -> None:
        noted.append(f"waited until {until}")
        await pause(bots, until, is_wanted)

    def apply_effects(effects: Effects) -> None:
        noted.append("done")
        done.append(time.monotonic())
        table.apply(effects)

    monkeypatch.setattr(BotScheduler, "_draw_end", note_draw)
    monkeypatch.setattr(BotScheduler, "_pause", note_pause)
    begun = time.monotonic()
    bots = BotScheduler(table.room, thinker, BotPace((0.1, 0.1), BRIEFLY), apply_effects)
    running = asyncio.create_task(bots.run())
    await until(lambda: bool(done))
    running.cancel()
    assert noted[:4] == ["drawn", "asked", f"waited until {drawn[0]}", "done"]
    assert begun + 0.1 <= drawn[0] <= done[0]
    assert role is None or table.room.state.talk[-1].name == "Borin"
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
    table = Table(Settings(seats=4, rounds=1), bytes([seed]) * 32)
    table.come_all("Ann", "Ben", "Cleo")
    table.ready("Ann", "Ben", "Cleo")
    assert table.wants("Ann", PutBot(3, "Borin", "random")) is None
    assert table.wants("Ann", Start()) is None
    return table


async def test_bots_at_a_real_table_say_what_they_saw(where: Path) -> None:
    async with hosting(where, Settings(seats=7, rounds=1)) as hosted:
        (ann,) = await hosted.come("Ann")
        for seat in range(1, 7):  # so many that one of them has something to say
            assert await ann.wants(PutBot(seat, f"Bot {seat}", "random")) is None
        await hosted.play_on()
        assert hosted.state.talk


async def test_a_bot_that_is_no_longer_wanted_keeps_nobody_waiting() -> None:
    table, pool = game_with_absent("Ben"), Witness()
    came: list[Effects] = []
    bots = BotScheduler(table.room, pool, BotPace((60, 60), BRIEFLY), came.append)
    running = asyncio.create_task(bots.run())
    await until(lambda: bool(pool.noted))
    table.come("Ben")
    bots.note_change()
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
    pool = Witness()
    bots = BotScheduler(table.room, pool, BotPace((900, 900), BRIEFLY), lambda _effects: None)
    running = asyncio.create_task(bots.run())
    await until(lambda: bool(ends))
    assert ends[0] < time.monotonic() + 1
    running.cancel()
    await pool.close()


# Bots that somebody else wrote play at a table, and nothing that they do stops it. Those that are
# called `babbling`, `raising` and so on are in `tests.engine.bots.foreign_package`.


__all__ = ["package"]


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


@pytest.mark.level("broad")
async def test_it_may_be_given_playouts_instead_of_time(caplog: pytest.LogCaptureFixture) -> None:
    async with a_pool() as pool:
        move, *_ = await pool.think(turn_of("thoughtful"), Random(1), Playouts(7))
    assert isinstance(move, Discard)
    assert not caplog.messages


@pytest.mark.level("broad")
@pytest.mark.parametrize(
    ("name", "why"),
    first(
        1,
        [
            ("raising", "RuntimeError"),
            ("os:abort", "no bot os:abort: none of that name is installed"),
            ("dying", "its process has ended"),
            ("slow", "TimeoutError"),
            ("nonsense", "no move"),
            ("silent", "no move"),
            ("unmade", "no bot unmade: No module named 'no_such_module_of_theirs'"),
        ],
        thorough=7,
    ),
)
async def test_a_bot_that_fails_is_replaced_for_that_move_with_a_line_in_the_log(
    name: str, why: str, caplog: pytest.LogCaptureFixture
) -> None:
    turn = turn_of(name)
    async with a_pool(1.0 if name == "slow" else PATIENCE_S) as pool:
        assert turn.view.why_not((await pool.think(turn, Random(1), BRIEFLY)).move) is None
    assert caplog.messages == [f"the bot {name} for seat {turn.seat + 1} failed: {why}"]


@pytest.mark.level("broad")
@pytest.mark.parametrize(
    ("name", "fault"),
    [("babbling", "a text that is not a string"), ("misplacing", "an unknown claim")],
)
async def test_what_cannot_be_said_is_left_out_with_a_line_in_the_log_and_the_move_counts(
    name: str, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    turn = turn_of(name)
    async with a_pool() as pool:
        move, claims, text = await pool.think(turn, Random(1), BRIEFLY)
    assert isinstance(move, Discard)
    assert (claims, text) == ((), "")
    start = f"left out of what the bot {name} for seat {turn.seat + 1} said: {fault}"
    assert [message[: len(start)] for message in caplog.messages] == [start]


PYTHONS = [
    sys.executable,
    *map(str, Path(sys.base_prefix).parent.glob("*/bin/python3.1[0-9]")),
]
"""This Python, and others that are here."""

OWN_MODULES = """
import json, os, sys
sys.stdin.readline()
import net, msgspec
assert (net.WHOSE, msgspec.WHOSE) == ("theirs", "theirs")
assert os.environ.get("PYTHONPATH") == {path!r}, os.environ.get("PYTHONPATH")
assert not [name for name in os.environ if name.startswith("SABTUI_PY")]
"""


@pytest.mark.level("broad")
@POSIX
@pytest.mark.parametrize("python", first(1, dict.fromkeys(PYTHONS), thorough=len(PYTHONS)))
@pytest.mark.parametrize("path", ["/users/own", None])
async def test_a_program_has_the_users_environment_and_the_modules_of_its_own_python(
    python: str, path: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    venv = tmp_path / "venv"
    made = [python, "-m", "venv", "--without-pip", str(venv)]
    if subprocess.run(made, check=False, capture_output=True).returncode:  # noqa: ASYNC221, S603 - a test's own
        pytest.skip("this Python does not start")
    (modules,) = venv.glob("lib/python*/site-packages")
    for name in ("net", "msgspec"):
        (modules / f"{name}.py").write_text("WHOSE = 'theirs'\n")
    bot, turn = tmp_path / "own.py", a_turn()
    bot.write_text(
        f"#!{venv}/bin/python\n{OWN_MODULES.format(path=path)}"
        f"print(json.dumps({{'move': {str(turn.view.legal_moves()[-1])!r}, 'text': 'mine'}}))\n"
    )
    bot.chmod(0o755)
    monkeypatch.setenv(PROGRAMS_VARIABLE, str(bot))
    if path is None:
        monkeypatch.delenv("PYTHONPATH", raising=False)
    else:
        monkeypatch.setenv("PYTHONPATH", path)
    for name, value in environment().items():  # as where a table has a process of its own
        monkeypatch.setenv(name, value)
    forget_bots()
    async with a_pool() as pool:
        made_move = await pool.think(turn_of("own"), Random(1), BRIEFLY)
    assert made_move == BotReply(turn.view.legal_moves()[-1], (), "mine")


@pytest.mark.level("broad")
async def test_a_bot_that_hangs_costs_its_own_move_only() -> None:
    async with a_pool(60.0) as pool:
        hanging = asyncio.create_task(pool.think(turn_of("slow", 0), Random(1), BRIEFLY))
        for name, seat in (("thrower", 1), ("greedy", 2), ("thrower", 1), ("greedy", 2)):
            turn = turn_of(name, seat)
            assert turn.view.why_not((await pool.think(turn, Random(1), BRIEFLY)).move) is None
        assert not hanging.done()
        await cancel_and_wait(hanging)


@pytest.mark.level("broad")
async def test_a_bot_that_plays_on_is_not_given_up_with_one_that_failed() -> None:
    given_up: list[str] = []
    async with a_pool(give_up=given_up.append) as pool:
        for _ in range(3):
            await pool.think(turn_of("raising", 0), Random(1), BRIEFLY)
            await pool.think(turn_of("thrower", 1), Random(1), BRIEFLY)
        assert given_up == ["raising"]
        assert {seat: bot for seat, (bot, _) in pool._installed.items()} == {1: "thrower"}


@pytest.mark.level("broad")
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system may not heed it")
async def test_a_bot_gets_no_more_memory_than_it_may_have(caplog: pytest.LogCaptureFixture) -> None:
    turn = turn_of("hungry")
    async with a_pool() as pool:
        assert turn.view.why_not((await pool.think(turn, Random(1), BRIEFLY)).move) is None
        await pool.think(turn_of("search"), Random(1), BRIEFLY)
    assert caplog.messages == [f"the bot hungry for seat {turn.seat + 1} failed: MemoryError"]


@pytest.mark.level("broad")
async def test_a_club_has_a_limit_of_installed_bots_and_ours_plays_in_place_of_one_more(
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


@pytest.mark.level("broad")
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
