"""Lateness of a host's event loop while nine hard bots think, relative to the same loop idle.

A real host runs with its bot process. One person plays over a TLS connection from a process of
their own, and pauses and resumes the game. A task in the host's event loop wakes up every 5 ms; its
lateness is what everybody at the table waits longer. Bots make no pauses here, so that their
process is always busy.

Then: how many rounds a hard bot plays out for a first move.
"""

import asyncio
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from subprocess import PIPE
from tempfile import TemporaryDirectory

from benchmarks.wire import HERE, Person, come, frame_of, p99
from engine import Game, deal
from engine.bots import Playouts, greedy
from engine.bots.searching import compare_moves
from net.discovery.networks import claim_port
from net.protocol.lobby import BotChair, Settings, bot_names
from net.protocol.requests import Pause, SetReady, Start
from net.room.room import Room
from net.secure.keys import SeatKey
from net.server.bots import BOT_BUDGET, BotPace
from net.server.live_table import TableServer
from net.server.tables import HostedTable, ServerOptions, create

BOTS = 9
"""Number of bots, all of the hard level."""
TURNS = 5
"""Number of times the game is paused and resumed."""

MEASURED_S = 6.0
"""Seconds measured after each pause and each resumption."""

SETTLING_S = BOT_BUDGET.seconds + 0.2
"""Seconds in which a bot ends the thinking that it began before a pause."""

TICK_S = 0.005
"""Seconds between two wake-ups of the measuring task."""
BEAT_S = 1.0
"""Seconds between heartbeats."""
PATIENCE_S = 20.0
"""Seconds until an expected state is taken to be overdue."""
MOVES = 9
"""Number of moves for which play-outs are counted."""
LIMIT_MS = 10.0
"""Most milliseconds that the busy loop may be later than the idle one, at the 99th
percentile."""


async def person(port: int) -> None:
    """Control the table as a remote player: play, and pause or resume with each line on stdin."""
    key = SeatKey(sys.stdin.buffer.read(32))
    chance = Random(7341)
    host = await come(0, port, key)
    host.say(*host.state.request(SetReady(ready=True)), *host.state.request(Start()))
    loop, beat = asyncio.get_running_loop(), 0.0
    asked = loop.run_in_executor(None, sys.stdin.buffer.readline)
    reading = asyncio.create_task(frame_of(host.reader))
    while True:
        await asyncio.wait((asked, reading), timeout=BEAT_S, return_when=asyncio.FIRST_COMPLETED)
        if asked.done():
            if not (line := asked.result()):
                return
            host.say(*host.state.request(Pause(line == b"pause\n")))
            asked = loop.run_in_executor(None, sys.stdin.buffer.readline)
        if reading.done():
            host.take(reading.result())
            move(host, chance)
            reading = asyncio.create_task(frame_of(host.reader))
        if loop.time() >= beat:
            host.say(host.state.ping())
            beat = loop.time() + BEAT_S


def move(host: Person, chance: Random) -> None:
    """Make a greedy move if it is this person's turn."""
    view, lobby = host.state.status.view, host.state.status.lobby
    if view is None or lobby is None or view.seat is None or view.to_act != view.seat:
        return
    if not lobby.paused and not host.state.commands:
        host.say(
            *host.state.request(host.state.status.move_request(greedy(view, chance, Playouts(0))))
        )


async def lateness(seconds: float) -> list[float]:
    """Return the lateness of each wake-up of the loop, in milliseconds."""
    late = []
    until = time.perf_counter() + seconds
    while (begun := time.perf_counter()) < until:
        await asyncio.sleep(TICK_S)
        late.append((time.perf_counter() - begun - TICK_S) * 1000)
    return late


def is_so(room: Room, *, paused: bool) -> bool:
    """Return True if the game is paused, or with `paused=False` if it is not."""
    return room.lobby.paused is paused


async def until(done: Callable[[], bool]) -> None:
    """Wait until a condition holds, by polling it. Raises `TimeoutError` after `PATIENCE_S`."""
    async with asyncio.timeout(PATIENCE_S):
        while not done():  # noqa: ASYNC110 - nobody tells of it
            await asyncio.sleep(TICK_S)


async def measure_lateness(
    table: HostedTable, typed: asyncio.StreamWriter
) -> tuple[list[float], ...]:
    """Return the lateness while the game is paused, and while it runs, in milliseconds."""
    room = table.room
    late: dict[bool, list[float]] = {True: [], False: []}
    await until(lambda: room.state.game is not None)
    for turn in range(2 * TURNS):
        pauses = turn % 2 == 0
        typed.write(b"pause\n" if pauses else b"go\n")
        await until(partial(is_so, room, paused=pauses))
        await asyncio.sleep(SETTLING_S)
        late[pauses] += await lateness(MEASURED_S)
    return late[True], late[False]


async def table_of_bots(folder: Path) -> None:
    """Host a table of bots, measure it, and print the figures."""
    key, claimed = SeatKey.new(), claim_port(ports=[0], hosts=[HERE])
    bots = tuple(BotChair(name, "hard") for name in bot_names(BOTS, ()))
    settings = Settings(seats=BOTS + 1, rounds=3, is_open=True)
    table = create(
        folder,
        name="Bench",
        host_key=key.public,
        settings=settings,
        port=claimed.port,
        bots=bots,
    )
    host = TableServer(
        table, claimed, ServerOptions(announce=False, pace=BotPace((0.0, 0.0), BOT_BUDGET))
    )
    running = asyncio.create_task(host.run())
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "benchmarks.bots", str(claimed.port), stdin=PIPE
    )
    assert child.stdin is not None
    child.stdin.write(key.secret)
    idle, busy = await measure_lateness(table, child.stdin)
    child.stdin.close()
    await child.wait()
    host.stop()
    await running
    report("idle, the game pauses", idle)
    report(f"{BOTS} hard bots think", busy)
    more = p99(busy) - p99(idle)
    print(f"{'later at p99':<34} {more:13.2f}    at most {LIMIT_MS:.0f} ms")
    print(f"steps of the table: {table.room.state.number}, claims: {len(table.room.state.talk)}")


def count_playouts() -> None:
    """Print the median number of play-outs for a move."""
    game, _events = Game.begin(deal(bytes(32), 1, 5), youngest=0)
    counts = [
        sum(
            len(candidate.ends)
            for candidate in compare_moves(game.view(0), Random(seed), BOT_BUDGET)
        )
        for seed in range(MOVES)
    ]
    print(f"{'play-outs for a move':<38} {median(counts):9,.0f}")


def report(what: str, late: list[float]) -> None:
    """Print the median, the 99th percentile and the maximum, in milliseconds."""
    print(f"{what:<34} {median(late):6.2f} {p99(late):6.2f} {max(late):6.2f}", flush=True)


def main() -> None:
    """Measure, and print the figures."""
    print("how late the host's loop is, ms       p50    p99    max")
    with TemporaryDirectory() as folder:
        asyncio.run(table_of_bots(Path(folder)))
    count_playouts()


if __name__ == "__main__":
    asyncio.run(person(int(sys.argv[1])))
