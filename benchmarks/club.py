"""A club with many tables: the way of a move at one of them, memory, and how soon a table opens.

Two clubs are processes of their own. In one a table is alone; in the other there are `TABLES` more,
with five links each and a move every `PACE_S` on average, whose people are a process, too. At one
table of each club five people play as fast as they can, a move at each in turn, so that both meet
the same noise. A move's way lasts from when one of them sends it until the last has its frame. All
share the processors of this machine, which players' programs would not: those of all five, which
are one process here, check a round that ends one after another, so the move that ends it is not
counted.
As root, all of it goes before other work of this computer.
Then moves are made at one `Room` without sockets, and in turn at each of `ROOMS`.
"""

from __future__ import annotations

import asyncio
import platform
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import median
from subprocess import PIPE
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.attack import CODE, Player, begin, memory, play_by_turns, ready
from benchmarks.wire import HERE, MEMORY, p99, precedence, processor, report
from engine import Phase
from engine.bots import Playouts, greedy
from net.client.credentials import REJOIN_TIMEOUT_S
from net.discovery.advert import OURS
from net.discovery.networks import claim_port
from net.protocol.board import MAX_CLUB_TABLES
from net.protocol.framing import decode
from net.protocol.hall import GoTo, OpenTable
from net.protocol.lobby import Person, Presence, Settings
from net.protocol.messages import HOST_KINDS, NOTHING_SEEN, ClientCommand, EnterTable, Welcome
from net.secure.connection import Connection, authenticate, connect
from net.secure.handshake import ClientHandshake
from net.secure.keys import SeatKey
from net.server.process import collect_rarely
from net.server.tables import ServerOptions
from sabtui.club.folder import open_club
from sabtui.club.server import ClubServer
from tests.net.room.room_fixture import Table, three_in_game

OPENED = 5
"""Number of tables whose opening is timed, at the end."""
TABLES = MAX_CLUB_TABLES - 1 - OPENED
"""Number of tables beside the one that is measured."""
LINKS = 5
PEOPLE = 480
"""Number of people, who sit at two tables each: a club knows no more than 500."""
PACE_S = 3.0
"""Seconds from one move to the next at each of them."""
MEASURED_S = 60.0
ROOMS = 1000
MOVES = 20
"""Moves of a game that are timed at one room; at each of many, one."""

SETTINGS = Settings(seats=LINKS, rounds=3)


def key_of(person: int) -> SeatKey:
    """Return the key of a person of this benchmark, whom the club knows, by number."""
    return SeatKey((person % PEOPLE).to_bytes(32, "big"))


async def host(folder: Path) -> None:
    """Run a club that knows all people of this benchmark, until killed."""
    known = tuple(
        Person(number + 1, f"P{number}", Presence.GONE, key=key_of(number).public)
        for number in range(PEOPLE)
    )
    club = replace(open_club(folder, "Bench", CODE), people=known)
    claimed = claim_port(ports=[0], hosts=[HERE])
    server = ClubServer(club, claimed, ServerOptions(announce=False))
    print(claimed.port, flush=True)
    collect_rarely()
    await server.run()


async def dial(person: int, port: int, pin: bytes) -> Connection:
    """Connect to the club by a key that it knows."""
    connection = await connect(HERE, port, pin=pin, seconds=REJOIN_TIMEOUT_S)
    await authenticate(connection, ClientHandshake.rejoin(pin, OURS, key_of(person)))
    return connection


async def open_table(person: int, port: int, pin: bytes) -> tuple[str, float]:
    """Open a table from the hall; return its id, and the milliseconds that it took."""
    connection = await dial(person, port, pin)
    connection.send(EnterTable("", watch=False, incarnation=0, seen=NOTHING_SEEN))
    begun = perf_counter()
    while True:
        match decode(await connection.recv(), *HOST_KINDS):
            case Welcome(last=last):  # the number of this person's last request
                begun = perf_counter()
                connection.send(ClientCommand(last + 1, OpenTable(f"T{person}", SETTINGS)))
            case GoTo(table):
                connection.close()
                return table, (perf_counter() - begun) * 1000
            case _:
                pass


async def sit(table: str, people: range, port: int, pin: bytes) -> list[Player]:
    """Let people sit down at a table."""
    players = list[Player]()
    for person in people:
        player = Player(f"P{person}", key_of(person), table)
        await player.use(await dial(person, port, pin))
        players.append(player)
    return players


async def crowd(port: int, first: int, tables: int) -> None:
    """Play at this many tables, a move every `PACE_S` at each, until killed; say when all do."""
    pin = await pin_of(port)
    seated = []
    for number in range(tables):
        people = range(first + number * LINKS, first + (number + 1) * LINKS)
        table, _ = await open_table(people[0], port, pin)
        seated.append(await sit(table, people, port, pin))
        await begin(seated[-1], again=False)
    rounds = [asyncio.create_task(play_slowly(players)) for players in seated]
    collect_rarely()  # they are one process here, which would halt them all at once
    print("playing", flush=True)
    await asyncio.gather(*rounds)


async def play_slowly(players: list[Player]) -> None:
    """Make a move every `PACE_S` on average."""
    chance = Random(players[0].state.status.member)
    pace = Random()
    while True:
        # At an even pace, tables that have waited once for the club would move together ever after.
        await asyncio.sleep(pace.uniform(0, 2 * PACE_S))
        view = players[0].state.status.view
        if view is None or view.phase is Phase.OVER:
            await begin(players, again=view is not None)
        elif view.phase is Phase.DEAL:
            await ready(players)
        elif mover := next((player for player in players if player.is_due), None):
            assert mover.state.status.view is not None
            move = greedy(mover.state.status.view, chance, Playouts(0))
            mover.say_all(mover.state.request(mover.state.status.move_request(move)))


async def pin_of(port: int) -> bytes:
    """Return the fingerprint of the club's certificate."""
    connection = await connect(HERE, port)
    connection.abort()
    return connection.fingerprint


async def measure(folder: Path) -> None:
    """Measure a table alone and one among others, and print how they compare."""
    children = list[asyncio.subprocess.Process]()
    took = 0.0
    try:
        doors, tables = list[tuple[int, bytes]](), list[list[Player]]()
        for name in ("alone", "club"):
            children.append(await child("host", str(folder / name)))
            port = int(await line_of(children[-1]))
            doors.append((port, await pin_of(port)))
            table, took = await open_table(0, *doors[-1])
            tables.append(await sit(table, range(LINKS), *doors[-1]))
        club = children[-1].pid
        print(f"a table opens, alone: {took:.0f} ms; the club then takes {memory(club):.0f} MB")
        port, pin = doors[-1]
        begun = perf_counter()
        children.append(await child("crowd", str(port), str(LINKS), str(TABLES)))
        await line_of(children[-1])
        print(f"{TABLES} tables of {LINKS} play after {perf_counter() - begun:.0f} s")
        spent = [processor(process.pid) for process in children]
        alone, beside = await play_by_turns(tables, MEASURED_S)
        cores = [
            (processor(process.pid) - before) / MEASURED_S
            for process, before in zip(children, spent, strict=True)
        ]
        report("a table alone", alone)
        report(f"beside {TABLES} others", beside)
        print(
            f"{'ratio':<34} {median(beside) / median(alone):6.2f} {p99(beside) / p99(alone):6.2f}"
        )
        print(
            f"the club takes {memory(club):.0f} MB and {cores[1]:.2f} of a core, its people "
            f"{cores[2]:.2f}; that of one table {cores[0]:.2f}"
        )
        last = LINKS * (TABLES + 1)
        times = [(await open_table(last + number, port, pin))[1] for number in range(OPENED)]
        print(f"a table opens, ms: {', '.join(f'{took:.0f}' for took in times)}")
    finally:
        for process in reversed(children):
            process.kill()
            await process.wait()


async def line_of(process: asyncio.subprocess.Process) -> bytes:
    """Read the next line that a process prints."""
    assert process.stdout is not None
    return await process.stdout.readline()


async def child(*arguments: str) -> asyncio.subprocess.Process:
    """Start a part of this benchmark in a process of its own."""
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "benchmarks.club", *arguments, stdout=PIPE
    )


def report_rooms() -> None:
    """Print what a move costs at one room and at many, its three players' programs included."""
    many = [three_in_game() for _ in range(ROOMS)]
    alone = [time_move(table) for table in many[: ROOMS // MOVES] for _ in range(MOVES)]
    report("at one room after the other", alone)
    report(f"at {ROOMS} rooms by turns", [time_move(table) for table in many])


def time_move(table: Table) -> float:
    """Make a move at a room, and return the milliseconds that it took."""
    name, move = table.name_to_act(), table.move()
    begun = perf_counter()
    table.plays(name, move)
    return (perf_counter() - begun) * 1000


def main() -> None:
    """Measure, and print the figures."""
    if platform.system() != "Linux":
        print("club: the memory of a process is to be had on Linux alone")
        return
    print("a move to 5 players, ms                    p50    p99")
    with (
        TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder,
        precedence(),
    ):
        asyncio.run(measure(Path(folder)))
    report_rooms()


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["host", folder]:
            asyncio.run(host(Path(folder)))
        case ["crowd", port, first, tables]:
            asyncio.run(crowd(int(port), int(first), int(tables)))
        case _:
            main()
