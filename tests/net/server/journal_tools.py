"""What the tests of the journal share: sample journals, folders for them, and child processes."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from net.room.effects import JournalStep
from net.server.journal import Journal

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


def command(*words: object) -> list[str]:
    return [sys.executable, "-m", "tests.net.server.disks", *map(str, words)]


def start(*words: object) -> subprocess.Popen[str]:
    return subprocess.Popen(  # noqa: S603 - our own child
        command(*words), cwd=HOUSE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def run(*words: object, within: tuple[str, ...] = ()) -> list[str]:
    """Run a part of the child to its end; return the lines that it said."""
    done = subprocess.run(  # noqa: S603 - our own child
        [*within, *command(*words)], cwd=HOUSE, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")[:-1]


def steps(path: Path) -> list[JournalStep]:
    with Journal.open(path) as journal:
        return [*journal.steps]


def expected_steps(count: int) -> list[JournalStep]:
    return [JournalStep(number, payload(number)) for number in range(1, count + 1)]
