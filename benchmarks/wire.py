"""Cost of a table on the network: a move's round trip, bytes, and the host's memory.

Ten players and twenty spectators each have a TLS connection to a host in a process of its own. A
round trip lasts from sending a move until the last of the thirty has read its frame. It is
compared with a bare asyncio TLS server in a process of its own, which sends thirty connections a
frame whenever one of them sends one. Reading is the same for both, so the difference is the work of
the host.

Moves and echoes take turns, so both servers have been at rest for as long and the processor's
caches are as cold for both: after a stretch without a pause either takes half the time. The host's
processor time is of moves alone; `benchmarks.rest` has the heartbeats'.

A move is on disk before any client gets it, and the time for that is the disk's. So a table with
its journal on disk is compared with an echo server that syncs a file before it answers, and a table
with its journal in memory with one that does not. Whole games are played by greedy bots.
"""

import asyncio
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from statistics import mean, median, quantiles
from subprocess import DEVNULL, PIPE
from tempfile import TemporaryDirectory
from time import perf_counter

from engine import Phase
from engine.bots import Playouts, greedy
from net.client.state import ClientState
from net.discovery.advert import OURS
from net.discovery.networks import claim_port
from net.protocol.framing import decode, padded_length
from net.protocol.lobby import MAX_PEOPLE, Settings
from net.protocol.messages import HOST_KINDS, ClientMessage, HostMessage, Pong
from net.protocol.requests import SetReady, Start, TableRequest
from net.room.sessions import Limits
from net.secure.connection import Connection, authenticate, connect
from net.secure.handshake import ClientHandshake
from net.secure.keys import SeatKey, TableCertificate, client_context, server_context
from net.secure.limits import Limit
from net.server.live_table import TableServer
from net.server.process import collect_rarely
from net.server.tables import ServerOptions, create
from tests.net.protocol.frames import value_of

PLAYERS, WATCHERS = 10, 20
HERE = "127.0.0.1"
REST_S = 0.004
"""Seconds of rest before and after each round trip: the processor's caches get cold for both."""

BEAT_S = 1.0
"""Seconds between heartbeats: after five seconds of silence the host reports a player as late."""

FRAME_BYTES = 260
"""Bytes of a frame of the echo server, length prefix included: those of the shortest step."""

MEMORY = Path("/dev/shm")  # noqa: S108 - a fresh folder in it
"""A folder in memory on Linux, where syncing a file costs next to nothing."""


async def host(folder: Path) -> None:
    """Run a table for all that connect, until killed. Its host's key comes on stdin."""
    enough = Limit(MAX_PEOPLE, MAX_PEOPLE)
    claimed = claim_port(ports=[0], hosts=[HERE])
    settings = Settings(seats=PLAYERS, rounds=3, is_open=True)
    key = sys.stdin.buffer.read(32)
    table = create(folder, name="Bench", host_key=key, settings=settings, port=claimed.port)
    table.room.sessions.limits = Limits(per_address=MAX_PEOPLE, of_address=enough)
    print(claimed.port, flush=True)
    collect_rarely()
    await TableServer(table, claimed, ServerOptions(announce=False)).run()


class EchoServer(asyncio.Protocol):
    """A connection of the echo server: sends all `clients` a frame for each that it receives.

    If there is a `file`, the frame is first written there and synced, in the event loop itself.
    """

    def __init__(self, clients: list[asyncio.WriteTransport], file: int | None) -> None:
        self._clients = clients
        self._file = file
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self._clients.append(transport)

    def data_received(self, data: bytes) -> None:
        self._received += data
        while len(self._received) >= FRAME_BYTES:
            frame, self._received = self._received[:FRAME_BYTES], self._received[FRAME_BYTES:]
            if self._file is not None:
                os.write(self._file, frame)
                os.fsync(self._file)
            for client in self._clients:
                client.write(frame)


async def echo(synced: str = "") -> None:
    """Run the echo server until killed; `synced` is the path of the file that it syncs, if any."""
    file = os.open(synced, os.O_CREAT | os.O_WRONLY) if synced else None
    clients: list[asyncio.WriteTransport] = []
    server = await asyncio.get_running_loop().create_server(
        partial(EchoServer, clients, file), HERE, 0, ssl=server_context(TableCertificate.new())
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


async def frame_of(reader: asyncio.StreamReader) -> bytes:
    """Read the next frame, and return it with its length prefix."""
    head = await reader.readexactly(4)
    return head + await reader.readexactly(padded_length(int.from_bytes(head, "big")))


class Person:
    """A player or spectator at the table: a connection, and the client state."""

    def __init__(self, number: int, connection: Connection) -> None:
        self.state = ClientState(f"Person {number}", watch=number >= PLAYERS)
        self.connection = connection
        self.reader = connection._wire.reader  # noqa: SLF001 - to read as the bare client reads
        self.bytes = 0
        self.frames = 0

    def say(self, *messages: ClientMessage) -> None:
        """Send messages to the host."""
        for message in messages:
            self.connection.send(message)

    def take(self, frame: bytes) -> HostMessage:
        """Process a frame from the host, answer if needed, and return its message."""
        self.bytes += len(frame)
        self.frames += 1
        message: HostMessage = decode(value_of(frame), *HOST_KINDS)
        self.say(*self.state.receive(message).send)
        return message

    async def until(self, step: int) -> None:
        """Read until this step is known."""
        while self.step < step:
            self.take(await frame_of(self.reader))

    async def wait_for_deal(self, number: int) -> None:
        """Read, and take part in the draw, until this round has been dealt."""
        while (view := self.state.status.view) is None or view.score.number < number:
            self.take(await frame_of(self.reader))

    async def read_answers(self) -> None:
        """Read until all requests have an answer."""
        while self.state.commands:
            self.take(await frame_of(self.reader))

    async def beat(self) -> None:
        """Send the host a heartbeat, and read until its answer."""
        self.say(self.state.ping())
        while not isinstance(self.take(await frame_of(self.reader)), Pong):
            pass

    @property
    def step(self) -> int:
        """The last step known, 0 before the first."""
        return 0 if self.state.status.game_state is None else self.state.status.game_state.step


async def come(number: int, port: int, key: SeatKey) -> Person:
    """Connect and join the table."""
    connection = await connect(HERE, port)
    await authenticate(connection, ClientHandshake.join(connection.fingerprint, OURS, key, None))
    person = Person(number, connection)
    person.say(person.state.begin_connection())
    await person.until(1)
    return person


class Echo:
    """The echo server's clients: as many as there are people at the table."""

    def __init__(self, streams: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]]) -> None:
        self._readers = [reader for reader, _ in streams]
        self._writers = [writer for _, writer in streams]

    @staticmethod
    async def connect(port: int) -> "Echo":
        """Open all connections."""
        context = client_context()
        return Echo(
            [
                await asyncio.open_connection(HERE, port, ssl=context, server_hostname="")
                for _ in range(PLAYERS + WATCHERS)
            ]
        )

    async def trip(self, sender: int) -> float:
        """Send a frame, and return the ms until all connections have got theirs."""
        begun = perf_counter()
        self._writers[sender].write((FRAME_BYTES - 4).to_bytes(4, "big") + bytes(FRAME_BYTES - 4))
        await asyncio.gather(*map(frame_of, self._readers))
        return (perf_counter() - begun) * 1000

    def close(self) -> None:
        """Close all connections."""
        for writer in self._writers:
            writer.transport.abort()


@dataclass
class Measured:
    """Round trips and processor times of moves and of echoes, in ms.

    `drawn` has for each round what drawing its seed adds to its deal: the time from its first step,
    which would be the deal if the host drew alone, to the deal.
    """

    moves: list[float] = field(default_factory=list)
    echoes: list[float] = field(default_factory=list)
    host_cpu: list[float] = field(default_factory=list)
    echo_cpu: list[float] = field(default_factory=list)
    drawn: list[float] = field(default_factory=list)


async def games(
    port: int, host_key: SeatKey, host_pid: int, echo: Echo, echo_pid: int
) -> tuple[Measured, list[Person]]:
    """Play a game, with an echo after each move; return what was measured, and the people."""
    measured = Measured()
    people: list[Person] = []
    for number in range(PLAYERS + WATCHERS):
        people.append(await come(number, port, SeatKey.new() if number else host_key))
        await everybody(people)
    await want(people, people[1:PLAYERS], SetReady(ready=True))
    await want(people, people[:1], Start())
    measured.drawn.append(await wait_for_deal(people, 1))
    for person in people:
        person.bytes = person.frames = 0
    chance = Random(7341)
    beaten = 0.0
    while (view := people[0].state.status.view) is not None and view.phase is not Phase.OVER:
        if perf_counter() > beaten + BEAT_S:
            await asyncio.gather(*(person.beat() for person in people))
            await everybody(people)
            beaten = perf_counter()
            continue
        if view.phase is Phase.DEAL:
            await want(people, people[:PLAYERS], SetReady(ready=True))
            measured.drawn.append(await wait_for_deal(people, view.score.number + 1))
            continue
        mover = next(person for person in people if person.state.status.seat == view.to_act)
        assert mover.state.status.view is not None
        move = greedy(mover.state.status.view, chance, Playouts(0))
        (command,) = mover.state.request(mover.state.status.move_request(move))
        is_first = chance.random() < 0.5
        if is_first:
            await measure_echo(echo, echo_pid, measured)
        await asyncio.sleep(REST_S)
        before = processor(host_pid)
        begun = perf_counter()
        mover.say(command)
        frames = await asyncio.gather(*(frame_of(person.reader) for person in people))
        ms = (perf_counter() - begun) * 1000
        for person, frame in zip(people, frames, strict=True):
            person.take(frame)
        if not mover.state.commands:
            measured.moves.append(ms)
        else:  # These frames were of another step: a player reported late with a heartbeat.
            await mover.read_answers()
        await everybody(people)
        await asyncio.sleep(REST_S)
        measured.host_cpu.append((processor(host_pid) - before) * 1000)
        if not is_first:
            await measure_echo(echo, echo_pid, measured)
    return measured, people


async def measure_echo(echo: Echo, pid: int, measured: Measured) -> None:
    """Measure an echo by the server with this process number."""
    await asyncio.sleep(REST_S)
    before = processor(pid)
    measured.echoes.append(await echo.trip(len(measured.echoes) % PLAYERS))
    await asyncio.sleep(REST_S)
    measured.echo_cpu.append((processor(pid) - before) * 1000)


async def wait_for_deal(people: list[Person], number: int) -> float:
    """Wait until everybody knows that a round is dealt; return how long that took, in ms."""
    begun = perf_counter()
    await asyncio.gather(*(person.wait_for_deal(number) for person in people))
    took = (perf_counter() - begun) * 1000
    await everybody(people)
    return took


async def want(people: list[Person], askers: list[Person], wanted: TableRequest) -> None:
    """Let these people make a request, and wait until everybody knows the resulting steps."""
    for person in askers:
        person.say(*person.state.request(wanted))
        await person.read_answers()
    await everybody(people)


async def everybody(people: list[Person]) -> None:
    """Wait until everybody knows the newest step that anybody knows."""
    step = max(person.step for person in people)
    await asyncio.gather(*(person.until(step) for person in people))


async def child(*arguments: str) -> asyncio.subprocess.Process:
    """Start one of the two servers in a process of its own."""
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "benchmarks.wire", *arguments, stdin=PIPE, stdout=PIPE, stderr=DEVNULL
    )


async def port_of(process: asyncio.subprocess.Process) -> int:
    """Read the port that a server listens on from its stdout."""
    assert process.stdout is not None
    return int(await process.stdout.readline())


def memory(pid: int) -> str:
    """Return the peak memory of a process as text, in MB."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except FileNotFoundError:
        return "not known here"
    peak = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return f"{int(peak.split()[1]) / 1024:.0f} MB"


def processor(pid: int) -> float:
    """Return the seconds of processor time that a process has had, by its own clock; 0 if unknown.

    The figures in `/proc` count whole hundredths of a second, as many as ten steps take.
    """
    seconds = 0.0
    if sys.platform == "linux":
        seconds = time.clock_gettime((~pid << 3) | 2)  # as clock_getcpuclockid(3) derives the clock
    return seconds


@contextmanager
def precedence(*pids: int) -> Iterator[None]:
    """Let our session, and those of these processes, go before others of this computer, if we may.

    Linux shares its processors between sessions first, and only then between processes.
    """
    before = dict[Path, str]()
    with suppress(OSError):
        for process in ("self", *pids):
            group = Path(f"/proc/{process}/autogroup")  # "/autogroup-123 nice 0"
            before[group] = group.read_text(encoding="ascii").split()[-1]
            group.write_text("-20", encoding="ascii")
    try:
        yield
    finally:
        for group, nice in before.items():
            with suppress(OSError):
                group.write_text(nice, encoding="ascii")


def report(what: str, took: list[float]) -> None:
    """Print the median and the 99th percentile, in milliseconds."""
    print(f"{what:<34} {median(took):6.2f} {p99(took):6.2f}", flush=True)


def p99(took: list[float]) -> float:
    """Return the 99th percentile."""
    return quantiles(took, n=100)[98]


async def compare(where: str, folder: Path, synced: str) -> None:
    """Measure a table and an echo server, and print both and their ratio."""
    host_key = SeatKey.new()
    server, bare = await child("host", str(folder)), await child("echo", synced)
    try:
        assert server.stdin is not None
        server.stdin.write(host_key.public)
        echo = await Echo.connect(await port_of(bare))
        port = await port_of(server)
        measured, people = await games(port, host_key, server.pid, echo, bare.pid)
        moves, echoes, drawn = measured.moves, measured.echoes, measured.drawn
        report(f"echo{' after a sync' if synced else ''}", echoes)
        report(f"move, journal {where}", moves)
        ratio = f"{median(moves) / median(echoes):6.2f} {p99(moves) / p99(echoes):6.2f}"
        print(f"{'ratio':<34} {ratio}")
        print(f"drawing a seed adds {median(drawn):.1f} ms to a deal, at most {max(drawn):.1f}")
        cost, spent = mean(measured.echo_cpu), mean(measured.host_cpu)
        print(f"processor time a step: {cost:.2f} and {spent:.2f} ms, {spent / (cost or 1):.1f}x")
        seats = people[:PLAYERS]
        each = sum(person.bytes for person in seats) / sum(person.frames for person in seats)
        print(f"bytes a step and seat: {each:.0f}; the host's memory: {memory(server.pid)}")
    finally:
        for process in (server, bare):
            process.kill()
            await process.wait()


def main() -> None:
    """Measure, and print the figures."""
    print(f"round trip to {PLAYERS + WATCHERS} connections, ms     p50    p99")
    with TemporaryDirectory() as folder:
        asyncio.run(compare("on disk", Path(folder), f"{folder}/synced"))
    if MEMORY.is_dir():
        with TemporaryDirectory(dir=MEMORY) as folder:
            asyncio.run(compare("in memory", Path(folder), ""))


if __name__ == "__main__":
    asyncio.run(host(Path(sys.argv[2])) if sys.argv[1] == "host" else echo(sys.argv[2]))
