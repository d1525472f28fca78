"""Effect of an attack on players: the round trip of their moves, and the host's memory.

Six players are at a table in a process of its own. A move's round trip lasts from when one of five
sends it until the last of the five has its frame. It is measured in quiet, and while a third
process attacks in every way at once and holds the sixth seat. All processes share the processors of
this machine, which remote attackers would not. A move that ends a round is not counted: the five
programs of the players, which are one process here, then check the round, one after another. As
root, all of it goes before other work of this computer.

The system gets back little of the memory that an attack took: freed blocks lie between blocks in
use, and are used again by the next attack. So an attack makes the host larger once, and a second
attack of the same kind must not.
"""

import asyncio
import platform
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import median
from subprocess import DEVNULL, PIPE
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.wire import HERE, MEMORY, p99, precedence, report
from engine import Phase
from engine.bots import Playouts, greedy
from net.client.remote import HEARTBEAT_INTERVAL_S
from net.client.state import ClientState
from net.discovery.advert import OURS
from net.discovery.networks import claim_port
from net.protocol.framing import decode
from net.protocol.hall import Visit
from net.protocol.lobby import Person, Presence, Settings, Taken
from net.protocol.messages import HOST_KINDS, ClientMessage, HostMessage
from net.protocol.requests import PlayAgain, SetReady, Start, TableRequest
from net.secure.code import RoomCode
from net.secure.connection import (
    Connection,
    ConnectionFailed,
    ConnectionFault,
    authenticate,
    connect,
)
from net.secure.handshake import ClientHandshake
from net.secure.keys import SeatKey
from net.server.live_table import TableServer
from net.server.process import collect_rarely
from net.server.tables import ServerOptions, create
from sabtui.club.folder import open_club
from sabtui.club.server import ClubServer

PLAYERS = 6
"""Number of seats; one of them is the attacker's during a storm."""
STORMS = 3
"""Number of attacks."""
STORM_S = 20.0
"""Seconds of each attack."""
CALM_S = 15.0
"""Seconds of quiet before and after each attack, in which the host's memory comes back."""

STAYS_S = 5.0
"""Seconds after which somebody who has come back is taken to stay."""

PAUSE_S = 0.01
"""Seconds between two moves."""

CODE = RoomCode("lantern", "tiger")
SETTINGS = Settings(seats=PLAYERS, rounds=3)


# The host.


async def host(folder: Path) -> None:
    """Run a table for all that connect, until killed. Its host's key comes on stdin."""
    claimed = claim_port(ports=[0], hosts=[HERE])
    key = sys.stdin.buffer.read(32)
    table = create(
        folder, name="Bench", host_key=key, settings=SETTINGS, port=claimed.port, code=CODE
    )
    print(claimed.port, flush=True)
    collect_rarely()
    await TableServer(table, claimed, ServerOptions(announce=False)).run()


async def host_club(folder: Path) -> None:
    """Run a club with one table, until killed. The keys of its players come on stdin."""
    claimed = claim_port(ports=[0], hosts=[HERE])
    keys = [sys.stdin.buffer.read(32) for _ in range(PLAYERS)]
    club = open_club(folder, "Bench", CODE)
    known = [
        Person(number, f"Player {number - 1}", Presence.GONE, key=key)
        for number, key in enumerate(keys, 1)
    ]
    club = replace(club, people=tuple(known))
    table = create(
        club.tables, name="Bench", host_key=keys[0], settings=SETTINGS, port=0, code=CODE
    )
    table.journal.close()  # the club resumes it
    print(claimed.port, table.id, flush=True)
    collect_rarely()
    await ClubServer(club, claimed, ServerOptions(announce=False)).run()


def memory(pid: int) -> float:
    """Return the memory that a process holds now, in MB."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    now = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(now.split()[1]) / 1024


# Players.


class Player:
    """A player at the table, who reads all the time and moves when told to.

    A table of a club is named by its id.
    """

    def __init__(self, name: str, key: SeatKey, table: str = "") -> None:
        self.table = table
        self.state = ClientState(name)
        self.key = key
        self.connection: Connection | None = None
        self._changed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def come(self, port: int, pin: bytes | None = None) -> None:
        """Join with the room code or, given the certificate's `pin`, come back with the key."""
        connection = await connect(HERE, port, pin=pin)
        if pin is None:
            await authenticate(
                connection, ClientHandshake.join(connection.fingerprint, OURS, self.key, CODE)
            )
        else:
            await authenticate(connection, ClientHandshake.rejoin(pin, OURS, self.key))
        await self.use(connection)

    async def use(self, connection: Connection) -> None:
        """Come to the table on a trusted connection.

        Raises ConnectionFailed: the host ended it.
        """
        self.connection = connection
        if self.table:
            connection.send(Visit(self.table))
        connection.send(self.state.begin_connection())
        self._tasks = [
            asyncio.create_task(self._read(connection)),
            asyncio.create_task(self._beat(connection)),
        ]
        await self.until(lambda: self.connection is None or self._is_there)
        if self.connection is None:
            raise ConnectionFailed(ConnectionFault.LOST)

    @property
    def _is_there(self) -> bool:
        """True once the table is known."""
        return self.state.entered and self.state.status.game_state is not None

    async def until(self, there: Callable[[], bool]) -> None:
        """Wait until a condition on the client state holds."""
        while not there():
            self._changed.clear()
            await self._changed.wait()

    async def wants(self, want: TableRequest) -> None:
        """Make a request, and wait until it is answered."""
        self.say_all(self.state.request(want))
        number = self.state.last_id
        await self.until(lambda: all(command.id != number for command in self.state.commands))

    def say_all(self, messages: tuple[ClientMessage, ...]) -> None:
        """Send messages, if there is a connection."""
        for message in messages:
            if self.connection is not None:
                with suppress(ConnectionFailed):
                    self.connection.send(message)

    @property
    def step(self) -> int:
        """The last step known, 0 before the first."""
        return 0 if self.state.status.game_state is None else self.state.status.game_state.step

    @property
    def is_due(self) -> bool:
        """True if it is this player's turn."""
        view = self.state.status.view
        return view is not None and view.to_act == self.state.status.seat is not None

    async def leave(self) -> None:
        """Abort the connection, and wait for the tasks that use it."""
        if self.connection is not None:
            self.connection.abort()
        await asyncio.gather(*self._tasks)

    async def _read(self, connection: Connection) -> None:
        """Process messages until the connection fails."""
        with suppress(ConnectionFailed):
            while True:
                message: HostMessage = decode(await connection.recv(), *HOST_KINDS)
                self.say_all(self.state.receive(message).send)
                self._changed.set()
        self.connection = None
        self.state.end_connection()
        self._changed.set()

    async def _beat(self, connection: Connection) -> None:
        """Send heartbeats, as often as a program does, while the connection lasts."""
        while self.connection is connection:
            self.say_all((self.state.ping(),))
            await asyncio.sleep(HEARTBEAT_INTERVAL_S)


async def play(players: list[Player], seconds: float) -> list[float]:
    """Play one game after another for `seconds`, and return each move's round trip in ms."""
    (took,) = await play_by_turns([players], seconds)
    return took


async def play_by_turns(tables: list[list[Player]], seconds: float) -> list[list[float]]:
    """Play at these tables, a move at each in turn; return each one's round trips in ms."""
    took: list[list[float]] = [[] for _ in tables]
    chance = Random(7341)
    until = perf_counter() + seconds
    while perf_counter() < until:
        for players, trips in zip(tables, took, strict=True):
            await asyncio.sleep(PAUSE_S)
            trips.extend(await go_on(players, chance))
    return took


async def go_on(players: list[Player], chance: Random) -> list[float]:
    """Begin a game or a round, or move; return the round trip of a move that counts, in ms."""
    view = players[0].state.status.view
    if view is None or view.phase is Phase.OVER:
        await begin(players, again=view is not None)
    elif view.phase is Phase.DEAL:
        await ready(players)
    elif mover := next((player for player in players if player.is_due), None):
        assert mover.state.status.view is not None
        move = greedy(mover.state.status.view, chance, Playouts(0))
        begun = perf_counter()
        mover.say_all(mover.state.request(mover.state.status.move_request(move)))
        number = mover.state.last_id
        await mover.until(lambda: all(command.id != number for command in mover.state.commands))
        step = mover.step
        for player in players:
            await player.until(lambda: player.step >= step)  # noqa: B023 - at once
        took = (perf_counter() - begun) * 1000
        if mover.state.status.view.phase is Phase.PLAY is view.phase:
            return [took]
    return []


async def ready(players: list[Player]) -> None:
    """Make all these players ready who are not."""
    for player in players:
        lobby, member = player.state.status.lobby, player.state.status.member
        if lobby is not None and Taken(member, ready=False) in lobby.chairs:
            await player.wants(SetReady(ready=True))


async def begin(players: list[Player], *, again: bool) -> None:
    """Begin a game, once the holder of the sixth seat is ready too."""
    if again:
        await players[0].wants(PlayAgain())
    await ready(players)
    while players[0].state.status.view is None:
        await players[0].wants(Start())
        await asyncio.sleep(0.1)


# Both.


async def measure(folder: Path, place: str) -> None:
    """Play in quiet and under attack, by turns, and print how they compare.

    The `place` is "host", a table alone, or "club".
    """
    keys = [SeatKey.new() for _ in range(PLAYERS)]
    server = await child("benchmarks.attack", place, str(folder))
    try:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(b"".join(key.public for key in keys))
        port, *tables = (await server.stdout.readline()).decode().split()
        players = [Player(f"Player {number}", key, *tables) for number, key in enumerate(keys)]
        for player in players:
            await player.come(int(port))
        quiet, attacked = await play(players, CALM_S), []
        for number in range(STORMS):
            before = memory(server.pid)
            took, most = await in_storm(players, int(port), server.pid)
            attacked += took
            quiet += await play(players, CALM_S)
            after = memory(server.pid)
            grown = f"{before:.1f}, at most {most:.1f}, after {after:.1f}: {after - before:+.1f}"
            print(f"the host's MB before storm {number + 1}: {grown}", flush=True)
        report("quiet", quiet)
        report("attacked", attacked)
        ratio = f"{median(attacked) / median(quiet):6.2f} {p99(attacked) / p99(quiet):6.2f}"
        print(f"{'ratio':<34} {ratio}")
        for player in players:
            await player.leave()
    finally:
        server.kill()
        await server.wait()


async def in_storm(players: list[Player], port: int, pid: int) -> tuple[list[float], float]:
    """Play under attack with the last seat attacking; return round trips in ms, and the peak MB."""
    *players, last = players
    assert last.connection is not None
    pin = last.connection.fingerprint
    await last.leave()
    storm = await child("tests.net.attack.flood", str(port), str(STORM_S))
    assert storm.stdin is not None
    assert storm.stdout is not None
    storm.stdin.write(last.key.secret + pin + last.table.encode())
    storm.stdin.write_eof()
    noted: list[float] = []
    noting = asyncio.create_task(note_memory(pid, noted))
    took = await play(players, STORM_S)
    print(f"the attackers did {(await storm.stdout.readline()).decode().strip()}")
    await storm.wait()
    noting.cancel()
    await come_back(last, port, pin)
    return took, max(noted)


async def come_back(player: Player, port: int, pin: bytes) -> None:
    """Bring back a player whose seat attacked, and so may say little until `STAYS_S` are over."""
    while player.connection is None:
        with suppress(ConnectionFailed):
            await player.come(port, pin)
        await asyncio.sleep(STAYS_S)


async def note_memory(pid: int, noted: list[float]) -> None:
    """Append the memory of a process in MB to `noted`, five times a second."""
    while True:
        noted.append(memory(pid))
        await asyncio.sleep(0.2)


async def child(*module_and_arguments: str) -> asyncio.subprocess.Process:
    """Start a module in a process of its own."""
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", *module_and_arguments, stdin=PIPE, stdout=PIPE, stderr=DEVNULL
    )


def main() -> None:
    """Measure, and print the figures."""
    if platform.system() != "Linux":
        print("attack: the host's memory, and the addresses it takes, are to be had on Linux alone")
        return
    for place, what in (("host", "at a table alone"), ("club", "at a table of a club")):
        print(f"{what + ', round trip to 5 players, ms':<48} p50    p99")
        with (
            TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder,
            precedence(),
        ):
            asyncio.run(measure(Path(folder), place))


if __name__ == "__main__":
    runs = {"host": host, "club": host_club}[sys.argv[1]]
    asyncio.run(runs(Path(sys.argv[2])))
