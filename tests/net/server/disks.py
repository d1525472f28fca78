"""Processes that tests of the journal start, kill and starve.

`python -m tests.net.server.disks PART PATH ...`. Each part is a function here; what it finds
wrong, it raises.
"""

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from net.room.effects import JournalStep
from net.server.journal import Journal, JournalWriter
from net.server.journal_format import JournalUnwritable, Obstacle
from tests.net.server import journal_tools as tools
from tests.net.server.journal_tools import create, payload


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


def read_only_file(path: Path) -> None:
    """Try to resume from a file that may not be written."""
    with pytest.raises(JournalUnwritable) as caught:
        Journal.open(path)
    assert caught.value.obstacle is Obstacle.READ_ONLY


PARTS = (leave, tear, read_only_file)

if __name__ == "__main__":
    part = next(part for part in PARTS if part.__name__ == sys.argv[1])
    part(Path(sys.argv[2]), *sys.argv[3:])
