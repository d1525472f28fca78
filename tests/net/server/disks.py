"""Processes that tests of the journal start, kill, starve and set upon each other.

`python -m tests.net.server.disks PART PATH ...`. Each part is a function here; what it finds
wrong, it raises.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from net.protocol.messages import DiskStatus
from net.room.effects import JournalStep
from net.server.journal import WRITE_RETRY_S, Journal, JournalWriter
from net.server.journal_format import JournalUnwritable, Obstacle, PutMeta
from tests.net.server import journal_tools as tools
from tests.net.server.journal_tools import create, list_folder, payload


def say(text: object) -> None:
    """Print for the test that listens; by the system, so that no kill finds it in a buffer."""
    os.write(1, f"{text}\n".encode())


async def _leave(path: Path) -> None:
    written = asyncio.Event()
    writer = JournalWriter(create(path))
    writer.write([JournalStep(1, payload(1))], written.set)
    await written.wait()
    say("saved")


def leave(path: Path) -> None:
    """Append a step through a writer, and end as any program does, without closing it."""
    asyncio.run(_leave(path))


def _until_torn(path: Path, limit: int) -> None:
    """Append and tell of it, until the system kills us for a file larger than the limit."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - POSIX only

        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        journal = create(path)
        say(f"{limit} 0")
        while True:
            tools.append(journal, journal.last + 1, payload(journal.last + 1))
            say(f"{limit} {journal.last}")


def tear(folder: Path, *limits: str) -> None:
    """For each limit, die in the midst of the write that crosses that many bytes of a file."""
    if sys.platform != "win32":
        for limit in limits:
            child = os.fork()
            if not child:
                _until_torn(folder / f"{limit}.table", int(limit))
            _, status = os.waitpid(child, 0)
            assert os.WTERMSIG(status) == signal.SIGXFSZ


def _fill(folder: Path) -> None:
    """Leave no byte of the disk free."""
    with (folder / "filling").open("wb", buffering=0) as filling:
        for size in (4096, 1):
            try:
                while True:
                    filling.write(b"x" * size)
            except OSError:
                pass


async def _full(path: Path) -> None:
    said: list[DiskStatus] = []
    writer = JournalWriter(create(path), said.append)
    _fill(path.parent)
    number, saved = 0, list[None]()
    while not said:
        number += 1
        writer.write([JournalStep(number, payload(number))], lambda: saved.append(None))
        await asyncio.sleep(0.001)
    before = len(saved)
    await asyncio.sleep(2 * WRITE_RETRY_S)
    assert (said, len(saved)) == ([DiskStatus.FULL], before), "told once"
    (path.parent / "filling").unlink()
    while len(said) < 2:  # noqa: ASYNC110 - it is tried again each second
        await asyncio.sleep(0.01)
    assert said == [DiskStatus.FULL, DiskStatus.OK]
    await writer.close()
    with Journal.open(path) as journal:
        assert journal.steps == tools.expected_steps(number)


def full(path: Path) -> None:
    """Fill the disk under a journal, make room again and go on."""
    asyncio.run(_full(path))


def _assert_refused(
    attempt: Callable[[Path], Journal], path: Path, obstacle: Obstacle = Obstacle.READ_ONLY
) -> None:
    with pytest.raises(JournalUnwritable) as caught:
        attempt(path)
    assert caught.value.obstacle is obstacle


def no_room_to_begin(path: Path) -> None:
    """Try to make, and to resume, a journal on a full disk."""
    with create(path) as journal:
        journal.commit([PutMeta("name", bytes(4096 - path.stat().st_size % 4096 - 40))])
    _fill(path.parent)
    _assert_refused(Journal.open, path, Obstacle.FULL)
    _assert_refused(create, path.with_name("other.table"), Obstacle.FULL)
    assert list_folder(path.parent) == ["filling", "mine.lock", path.name]


def read_only_file(path: Path) -> None:
    """Try to resume from a file that may not be written."""
    _assert_refused(Journal.open, path)


PARTS = (
    leave,
    tear,
    full,
    no_room_to_begin,
    read_only_file,
)

if __name__ == "__main__":
    part = next(part for part in PARTS if part.__name__ == sys.argv[1])
    part(Path(sys.argv[2]), *sys.argv[3:])
