"""The browser door: time until a guest's screen is there, time of a key, bytes a step.

All is real and on this computer: the door's process, a process for each guest's screen, and guests
who speak as the page does, without a browser. A key is timed from its writing until the first byte
that the screen draws. The cost of a screen is the same as at the SSH door, which measures it. Needs
the extra `web`.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING, Final

from net.protocol.lobby import Settings
from net.tasks import cancel_and_wait
from sabtui.app.launcher import HAS_TERMINALS

if TYPE_CHECKING:
    from tests.sabtui.doors.web_guest import WebGuest

GUESTS: Final = 10
LINES: Final = 20
"""Lines that each guest sends, all guests at once."""

PAUSE_S: Final = 0.2
"""Seconds between two lines of a guest."""


def main() -> None:
    """Measure, and print the figures."""
    if not HAS_TERMINALS or find_spec("websockets") is None:
        print("browser door: not measured here, without websockets or on Windows")
        return
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        asyncio.run(report_guests(Path(folder)))


async def report_guests(folder: Path) -> None:
    """Let guests in one after another; print what they wait for, at first and for an answer."""
    from tests.sabtui.doors.web_guest import WebGuest, door  # noqa: PLC0415 - needs websockets

    (folder / "tables").mkdir()
    async with (
        door(folder / "tables", folder / "door", Settings(seats=10)) as opened,
        AsyncExitStack() as stack,
    ):
        waits, guests = list[float](), list[WebGuest]()
        for number in range(GUESTS):
            begun = perf_counter()
            guest = await WebGuest.enter(opened.port, f"guest{number}")
            stack.callback(guest.link.transport.abort)
            await guest.sees(b'"t":"own"')
            waits.append(perf_counter() - begun)
            reading = asyncio.create_task(_read_all(guest))  # who reads nothing is soon cut off
            stack.push_async_callback(cancel_and_wait, reading)
            guests.append(guest)
        print(f"browser door to first lines, s: {median(waits):.2f}, slowest {max(waits):.2f}")
        every = await asyncio.gather(*map(time_lines, guests))
        took = sorted(wait for each, _count in every for wait in each)
        sent = sum(count for _each, count in every) / (LINES * GUESTS)
        print(
            f"browser door, line to answer, {GUESTS} guests at once, ms: "
            f"p50 {median(took) * 1000:.0f}, p99 {took[len(took) * 99 // 100] * 1000:.0f}; "
            f"{sent:.0f} bytes an answer"
        )


async def time_lines(guest: WebGuest) -> tuple[list[float], int]:
    """Ask who is there; return seconds until each line is answered, and bytes."""
    took, first = list[float](), len(guest.shown)
    for _ in range(LINES):
        drawn, begun = len(guest.shown), perf_counter()
        await guest.do("who")
        while len(guest.shown) == drawn:  # noqa: ASYNC110 - what is drawn is a mere fact
            await asyncio.sleep(0.001)
        took.append(perf_counter() - begun)
        await asyncio.sleep(PAUSE_S)
    return took, len(guest.shown) - first


async def _read_all(guest: WebGuest) -> None:
    while await guest.read():
        pass
