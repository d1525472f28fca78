"""The SSH door: cost of a guest, time until their screen is there, time of a key, bytes a step.

All is real and on this computer: the door's process, a process for each guest's screen, asyncssh's
client, and for the bytes OpenSSH's. A key is timed from its writing until the first byte that the
screen draws. Keys open and close the help page, so that each draws a whole screen, which costs more
than most. Guests type as people who choose do, each at times of their own; then, to see how much
the processors hold, all in the same moment, again and again. What comes is counted, and no longer
drawn: to draw all screens again would cost as much as the door. As root, the typing goes before
other work of this computer. Measures nothing outside Linux, or without asyncssh and ssh.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final, Protocol

from benchmarks.wire import precedence, processor
from engine import Phase
from net.protocol.lobby import Settings
from net.protocol.requests import SetReady, Start
from net.room.sessions import Limits
from net.secure.limits import Limit
from tests.net.server.served_table import HERE, until
from tests.sabtui.doors.open_doors import Door
from tests.sabtui.doors.watched import WatchedGuest
from tests.terminal import Screen

GUESTS: Final = 24  # `guests.MAX_SCREENS`: as many as the door lets in
KEYS: Final = 20
"""Keys that each guest types."""
CHOOSING_S: Final = (1.5, 3.5)
"""Seconds from one key to the next of somebody who chooses."""
HURRY_S: Final = (0.2, 0.2)
"""The same if all type at once."""

FIRST_FRAME_BYTES: Final = 400
"""Bytes of a screen's first frame, at least; what a terminal is asked before takes fewer."""

REST_S: Final = 10.0
CHILDREN: Final = Path(f"/proc/self/task/{os.getpid()}/children")
"""File that lists the processes that this one has started: the door's, and no other."""
KINDS: Final = ("Private_Dirty", "Pss")
"""Memory of a process: what nobody else uses, and that with its share of the rest."""


def main() -> None:
    """Measure, and print the figures."""
    if sys.platform == "linux" and find_spec("asyncssh") and shutil.which("ssh"):
        report_all()


def report_all() -> None:
    """Measure guests by asyncssh's client, and the bytes that OpenSSH's is sent."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        asyncio.run(report_guests(Path(folder)))
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        asyncio.run(report_bytes(Path(folder)))


async def report_guests(folder: Path) -> None:
    """Let guests in one after another; print what they wait for and cost."""
    from tests.sabtui.doors.open_doors import processes_in  # noqa: PLC0415 - POSIX
    from tests.sabtui.doors.ssh_table import door  # noqa: PLC0415 - needs asyncssh

    (folder / "tables").mkdir()
    settings = Settings(seats=10)
    enough = Limit(GUESTS + 1, GUESTS + 1)
    limits = Limits(per_address=GUESTS + 1, of_address=enough, of_all=enough)
    async with (
        door(folder / "tables", folder / "door", settings) as opened,
        AsyncExitStack() as stack,
    ):
        opened.hosted.host.room.sessions.limits = limits
        waits, guests = list[float](), list[WatchedGuest]()
        for number in range(GUESTS):
            begun = perf_counter()
            guest = await stack.enter_async_context(opened.guest(f"guest{number}"))
            await guest.until(partial(_has_more, guest, FIRST_FRAME_BYTES))
            waits.append(perf_counter() - begun)
            guests.append(guest)
        print(
            f"ssh to first frame, s: {median(waits):.2f}, the slowest of {GUESTS} {max(waits):.2f}"
        )
        homes = [path.parent for path in (folder / "door").glob("guests/*/*/guest.json")]
        screens = [pid for home in homes for pid in processes_in(home)]
        if screens:  # only root finds them
            before = sum(map(processor, screens))
            await asyncio.sleep(REST_S)
            share = (sum(map(processor, screens)) - before) / REST_S / len(screens)
            own, shares = (median(memory(pid, kind) for pid in screens) for kind in KINDS)
            print(
                f"a guest's screen: {own:.0f} MB of its own, {shares:.0f} MB with its share of "
                f"what it has in common, at rest {share:.2%} of a core"
            )
        for guest in guests:
            guest.screen = Undrawn(80, 24)
        doors = [int(pid) for pid in CHILDREN.read_text(encoding="ascii").split()]
        with precedence(*doors, *screens):
            await report_keys("one key each in 2.5 s", guests, CHOOSING_S, [*doors, *screens])
            await report_keys("all in the same moment", guests, HURRY_S, [*doors, *screens])


class Undrawn(Screen):
    """A screen that nobody looks at."""

    def feed(self, data: bytes) -> None:
        """Drop what came."""


async def report_keys(
    how: str, guests: list[WatchedGuest], pace: tuple[float, float], pids: list[int]
) -> None:
    """Let all guests type, and print what they wait for, and what a key costs these processes."""
    before, begun = sum(map(processor, pids)), perf_counter()
    typed = await asyncio.gather(*(time_keys(guest, pace) for guest in guests))
    spent, lasted = sum(map(processor, pids)) - before, perf_counter() - begun
    took = sorted(wait for waits in typed for wait in waits)
    print(
        f"key to paint, {len(guests)} guests, {how}, ms: p50 {median(took) * 1000:.0f}, "
        f"p99 {took[len(took) * 99 // 100] * 1000:.0f}; {len(took) / lasted:.0f} keys a second, "
        f"{spent / len(took) * 1000:.0f} ms of processor each",
        flush=True,
    )


def memory(pid: int, kind: str) -> float:
    """Return the memory of a kind that a process holds, in MB."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{kind}:")) / 1000


async def time_keys(guest: WatchedGuest, pace: tuple[float, float]) -> list[float]:
    """Open and close the help page by keys; return the seconds until each is answered."""
    took, chance = [], Random()
    await asyncio.sleep(chance.uniform(0, pace[1] - pace[0]))
    for number in range(KEYS):
        drawn, begun = len(guest.raw), perf_counter()
        guest.type("q" if number % 2 else "?")
        await guest.until(partial(_has_more, guest, drawn))
        took.append(perf_counter() - begun)
        await asyncio.sleep(chance.uniform(*pace))
    return took


def _has_more(guest: WatchedGuest, drawn: int) -> bool:
    return len(guest.raw) > drawn


async def report_bytes(folder: Path) -> None:
    """Play a round by OpenSSH, and print how many bytes came to the guest for each step."""
    from tests.sabtui.doors.ssh_table import door, typed_ssh  # noqa: PLC0415 - needs asyncssh

    (folder / "tables").mkdir()
    async with (
        door(folder / "tables", folder / "door") as opened,
        relay(opened.port) as (port, counted),
        opened.guest("Eva") as eva,
    ):
        near = replace(opened, via=port)
        async with await typed_ssh(near, "dede", folder) as dede:
            await dede.sees("You have joined")
            ann = opened.hosted.guests[0]
            await ann.wants(SetReady(ready=True))
            await until(
                lambda: all(person.ready for person, _ in opened.hosted.state.lobby.sitting)
            )
            await ann.wants(Start())
            ann.plays = True
            ann.move()
            before, step = counted[0], opened.hosted.state.number
            await asyncio.gather(plays(dede, opened, "dede"), plays(eva, opened, "Eva"))
            steps = opened.hosted.state.number - step
            spent = (counted[0] - before) / steps
    print(f"bytes to a guest for each step, ssh: {spent:.0f}")


class Typist(Protocol):
    """Somebody at a keyboard."""

    def type(self, keys: str) -> None:
        """Type."""


async def plays(guest: Typist, opened: Door, name: str) -> None:
    """Pass or move whenever it is this guest's turn, until the game is over."""
    people = {person.name: person.member for person in opened.hosted.state.lobby.people}
    seat = opened.hosted.state.lobby.seat_of(people[name])
    assert seat is not None
    await until(lambda: opened.hosted.state.view(seat) is not None)
    while (view := opened.hosted.state.view(seat)) is not None and view.phase is not Phase.OVER:
        if view.to_act != seat:
            await asyncio.sleep(0.02)
            continue
        number = opened.hosted.state.number
        # A gold card is chosen by its nuggets, and there is not always one with a single nugget.
        guest.type(str(view.offer[0]) if view.phase is Phase.GOLD else "1x")
        await asyncio.sleep(0.05)
        guest.type("\r")
        with suppress(TimeoutError):  # not every card can be passed: try again
            await until(partial(_is_past, opened, number), 2.0)


def _is_past(opened: Door, number: int) -> bool:
    return opened.hosted.state.number > number


@asynccontextmanager
async def relay(port: int) -> AsyncIterator[tuple[int, list[int]]]:
    """Pass a connection on to a port; yield our own port, and the bytes that came back so far."""
    counted = [0]

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(HERE, port)

        async def pump(out: asyncio.StreamReader, to: asyncio.StreamWriter, count: int) -> None:
            while data := await out.read(1 << 16):
                counted[0] += count * len(data)
                to.write(data)
                await to.drain()

        try:
            await asyncio.gather(pump(reader, back, 0), pump(there, writer, 1))
        except (OSError, asyncio.CancelledError):  # the guest or the benchmark is over
            pass
        finally:
            back.close()
            writer.close()

    server = await asyncio.start_server(pass_on, HERE, 0)
    async with server:
        yield server.sockets[0].getsockname()[1], counted
