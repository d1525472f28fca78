"""Cost of having a step on disk before its frame is sent.

Steps of 200 bytes are awaited one by one: through the `JournalWriter`, through the bare `Journal`,
and as a bare fsync of the same bytes. Steps are also written ten at a time, which share a sync. The
disk is the one of the system's folder for temporary files; if that folder is in memory, the figures
mean nothing.
"""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter

from net.room.effects import JournalStep
from net.server.journal import Journal, JournalWriter

STEPS = 2000
"""Number of steps measured for each row."""
PAYLOAD = os.urandom(200)
"""The content of each step: 200 bytes, which no compression makes smaller."""


def time_calls(act: Callable[[int], object]) -> list[float]:
    """Call `act` for each step number, and return the milliseconds of each call."""
    took = []
    for number in range(1, STEPS + 1):
        begun = perf_counter()
        act(number)
        took.append((perf_counter() - begun) * 1000)
    return took


async def time_writer(path: Path, together: int) -> list[float]:
    """Append through a `JournalWriter`, and return the milliseconds until each batch is on disk.

    A batch is `together` steps.
    """
    written = asyncio.Event()
    writer = JournalWriter(new(path), lambda _disk: None)
    took = []
    for first in range(1, STEPS + 1, together):
        begun = perf_counter()
        written.clear()
        writer.write([JournalStep(first + n, PAYLOAD) for n in range(together)], written.set)
        await written.wait()
        took.append((perf_counter() - begun) * 1000)
    await writer.close()
    return took


def time_fsync(path: Path) -> list[float]:
    """Write and fsync each step in a plain file, and return the milliseconds of each."""
    with path.open("wb", buffering=0) as file:

        def act(_: int) -> None:
            file.write(PAYLOAD)
            os.fsync(file.fileno())

        return time_calls(act)


def new(path: Path) -> Journal:
    """Create an empty journal."""
    return Journal.create(path, table=path.stem, name="bench", meta={})


def show(what: str, took: list[float], yardstick: float) -> None:
    """Print one row: median, 99th percentile and maximum, and the median relative to fsync."""
    middle, p99 = median(took), quantiles(took, n=100)[98]
    print(f"{what:34}{middle:8.3f}{p99:8.3f}{max(took):9.3f}{middle / yardstick:8.1f}x")


def main() -> None:
    """Measure, and print the figures."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        fsync = time_fsync(folder / "file")
        yardstick = median(fsync)
        print(f"journal, ms a commit {'median':>21}{'p99':>8}{'max':>9}  / fsync")
        show("bare os.fsync", fsync, yardstick)
        with new(folder / "journal.table") as journal:
            appended = time_calls(lambda number: journal.commit([JournalStep(number, PAYLOAD)]))
        show("Journal.commit", appended, yardstick)
        show("JournalWriter.append", asyncio.run(time_writer(folder / "one.table", 1)), yardstick)
        show(
            "JournalWriter.append, 10 at once",
            asyncio.run(time_writer(folder / "ten.table", 10)),
            yardstick,
        )
        begun = perf_counter()
        with Journal.open(folder / "journal.table"):
            opened = (perf_counter() - begun) * 1000
        print(f"Journal.open with {STEPS} steps, all checked: {opened:.1f} ms")
