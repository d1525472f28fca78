"""What the tests of the journal share: sample journals, folders for them, and child processes.

`python -m tests.net.server.journal_tools PART PATH ...` is such a process, which tests start, kill
and starve. What a part finds wrong, it raises.
"""

import asyncio
import errno
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from net.room.effects import JournalStep
from net.server.journal import Journal, JournalWriter
from net.server.journal_format import JournalUnwritable

HOUSE = Path(__file__).parents[3]
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX only")


def payload(number: int) -> bytes:
    """Make up a step, the same in every process."""
    rng = Random(number)
    return rng.randbytes(rng.randrange(1, 700))


def create(path: Path) -> Journal:
    kept = {"code": b"copper lantern", "certificate": Random(1).randbytes(1500)}
    return Journal.create(path, table=path.stem, name="Änne's table", meta=kept)


def append(journal: Journal, number: int, payload: bytes) -> None:
    journal.commit([JournalStep(number, payload)])


def list_folder(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def resume_or_create(path: Path) -> Journal:
    return Journal.open(path) if path.exists() else create(path)


@contextmanager
def no_file_beyond(size: int) -> Iterator[None]:
    """Let the system refuse this process to write into any file beyond this many bytes."""
    if sys.platform == "win32":
        yield
    else:
        import resource  # noqa: PLC0415 - POSIX only

        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def quick_folder() -> Iterator[Path]:
    """Make a folder, in memory where the system has such: a kill is no different there.

    What a sync costs is not these tests' affair, and on a busy disk it is a hundred times as much.
    """
    memory = Path("/dev/shm")  # noqa: S108 - what Linux calls it
    with TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        yield Path(name)


def run(*words: object, within: tuple[str, ...] = ()) -> list[str]:
    """Run a part of the child to its end; return the lines that it said."""
    command = [*within, sys.executable, "-m", "tests.net.server.journal_tools", *map(str, words)]
    done = subprocess.run(command, cwd=HOUSE, capture_output=True, text=True, check=False)  # noqa: S603 - our own child
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")[:-1]


def steps(path: Path) -> list[JournalStep]:
    with Journal.open(path) as journal:
        return [*journal.steps]


def expected_steps(count: int) -> list[JournalStep]:
    return [JournalStep(number, payload(number)) for number in range(1, count + 1)]


def say(text: object) -> None:
    """Print for the test that listens; by the system, so that no kill finds it in a buffer."""
    os.write(1, f"{text}\n".encode())


async def _leave(path: Path) -> None:
    written = asyncio.Event()
    writer = JournalWriter(create(path), lambda _disk: None)
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
            append(journal, journal.last + 1, payload(journal.last + 1))
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
    assert caught.value.error.errno in {errno.EROFS, errno.EACCES}


PARTS = (leave, tear, read_only_file)

if __name__ == "__main__":
    part = next(part for part in PARTS if part.__name__ == sys.argv[1])
    part(Path(sys.argv[2]), *sys.argv[3:])
