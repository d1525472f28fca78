"""Cost at rest, and of starting: a host with five links, a table's screen, `--help` and `games`.

Figures at rest are of the whole process with its threads: processor time, and wake-ups a second, as
Linux counts them (a thread that waited goes on). The five links send a heartbeat every two seconds,
all at once; the screen shows a table before its game. Starts are compared with a Python that
imports `asyncio` and `ssl`, in turn, so that noise affects all. Measures nothing outside Linux.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from statistics import median
from subprocess import DEVNULL, PIPE, run
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

from benchmarks import wire
from benchmarks.screen import environment
from net.discovery.networks import claim_port
from net.protocol.lobby import Settings
from net.secure.keys import SeatKey
from net.server.live_table import TableServer
from net.server.tables import ServerOptions, create
from tests.terminal import Terminal

assert sys.platform != "win32"  # so that types know, too

import resource  # noqa: E402 - POSIX

LINKS: Final = 5
BEAT_S: Final = 2.0
"""Seconds between two heartbeats of a client."""

SETTLE_S: Final = 6.0
"""Seconds until all that goes with a beginning is over."""

REST_S: Final = 20.0
"""Seconds measured."""

STARTS: Final = 7
"""Number of starts measured of each command."""

COMMANDS: Final = {
    "asyncio and ssl": ("-c", "import asyncio, ssl"),
    "sabtui --help": ("-m", "sabtui", "--help"),
    "sabtui games": ("-m", "sabtui", "games"),
}


def main() -> None:
    """Measure, and print the figures."""
    if sys.platform == "linux":
        print("at rest                              processor   wake-ups/s")
        asyncio.run(report_host("host, five links", announce=False))
        asyncio.run(report_host("the same, with mDNS", announce=True))
        asyncio.run(report_screen())
        report_starts()


async def host(folder: Path, *, announce: bool) -> None:
    """Run a table until killed. Its host's key comes on stdin."""
    claimed = claim_port(ports=[0]) if announce else claim_port(ports=[0], hosts=[wire.HERE])
    settings = Settings(seats=LINKS, is_open=True)
    key = sys.stdin.buffer.read(32)
    table = create(folder, name="Bench", host_key=key, settings=settings, port=claimed.port)
    print(claimed.port, flush=True)
    await TableServer(table, claimed, ServerOptions(announce=announce)).run()


async def report_host(what: str, *, announce: bool) -> None:
    """Measure a host whose five players do nothing, and print the figures."""
    command = sys.executable, "-m", "benchmarks.rest"
    with TemporaryDirectory() as folder:
        server = await asyncio.create_subprocess_exec(
            *command, folder, "announce" * announce, stdin=PIPE, stdout=PIPE, stderr=DEVNULL
        )
        try:
            assert server.stdin is not None
            key = SeatKey.new()
            server.stdin.write(key.public)
            port = await wire.port_of(server)
            people = [
                await wire.come(number, port, SeatKey.new() if number else key)
                for number in range(LINKS)
            ]
            beats = [asyncio.create_task(beat(person)) for person in people]
            await report_rest(what, server.pid)
            for task in beats:
                task.cancel()
        finally:
            server.kill()
            await server.wait()


async def beat(person: wire.Person) -> None:
    """Send heartbeats, at the same time as all others, and read their answers."""
    while True:
        await asyncio.sleep(BEAT_S - perf_counter() % BEAT_S)
        await person.beat()


async def report_screen() -> None:
    """Measure the screen of a host whose table waits for players, and print the figures."""
    command = "-m", "sabtui", "host", "Bench", "--open", "--name", "Ann"
    with TemporaryDirectory() as home:
        async with await Terminal.start(
            sys.executable, *command, env=environment(home)
        ) as terminal:
            await terminal.sees("Bench")
            await report_rest("a table's screen", terminal.process.pid)
            terminal.type("\x1b")  # the table has a process of its own, which would go on
            await terminal.sees("y: yes")
            terminal.type("y")
            await terminal.sees("Practise")


async def report_rest(what: str, pid: int) -> None:
    """Measure a process that has nothing to do, and print the figures."""
    await asyncio.sleep(SETTLE_S)
    spent, woken, begun = wire.processor(pid), wake_ups(pid), perf_counter()
    await asyncio.sleep(REST_S)
    took = perf_counter() - begun
    share = (wire.processor(pid) - spent) / took
    print(f"{what:<34} {share:>10.2%} {(wake_ups(pid) - woken) / took:>12.1f}", flush=True)


def wake_ups(pid: int) -> int:
    """Return the number of times that threads of a process have waited and gone on."""
    count = 0
    for thread in Path(f"/proc/{pid}/task").iterdir():
        status = (thread / "status").read_text(encoding="ascii", errors="replace")
        count += int(status.partition("\nvoluntary_ctxt_switches:")[2].split()[0])
    return count


def report_starts() -> None:
    """Measure the processor time of commands, and print it, and its ratio to the first's."""
    took: dict[str, list[float]] = {name: [] for name in COMMANDS}
    with TemporaryDirectory() as home:
        for _ in range(STARTS):
            for name, words in COMMANDS.items():
                took[name].append(time_start(words, home))
    bare = median(took["asyncio and ssl"])
    print("processor time of a whole run, ms      p50  ratio")
    for name, times in took.items():
        print(f"{name:<34} {median(times) * 1000:7.0f} {median(times) / bare:6.2f}", flush=True)


def time_start(words: tuple[str, ...], home: str) -> float:
    """Run a command of Python to its end, and return its processor seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(  # noqa: S603 - ourselves
        [sys.executable, *words], env=environment(home), stdout=DEVNULL, stderr=DEVNULL, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    asyncio.run(host(Path(sys.argv[1]), announce=bool(sys.argv[2])))
