"""What disks, kills and other hosts do to a journal, each for real."""

import errno
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from net.server.journal_format import JournalUnwritable, Obstacle
from tests.net.server.journal_tools import (
    POSIX,
    append,
    create,
    expected_steps,
    no_file_beyond,
    payload,
    quick_folder,
    run,
    steps,
)
from tests.samples import first

pytestmark = pytest.mark.level("broad")


@POSIX
def test_a_journal_that_is_deleted_while_it_is_open_is_written_no_more(path: Path) -> None:
    aside = path.with_name("aside")
    with create(path) as journal:
        append(journal, 1, payload(1))
        path.rename(aside)
        with pytest.raises(JournalUnwritable) as caught:
            append(journal, 2, payload(2))
        assert caught.value.obstacle is Obstacle.GONE
        aside.rename(path)
        append(journal, 2, payload(2))
    assert steps(path) == expected_steps(2)


@POSIX
def test_another_file_in_the_place_of_an_open_journal_is_not_taken_for_it(path: Path) -> None:
    with create(path) as journal:
        append(journal, 1, payload(1))
        copy = path.with_name("copy")
        copy.write_bytes(path.read_bytes())
        copy.replace(path)
        with pytest.raises(JournalUnwritable):
            append(journal, 2, payload(2))


@pytest.fixture
def path() -> Iterator[Path]:
    with quick_folder() as folder:
        yield folder / "mine.table"


# Kills


@POSIX
def test_a_host_killed_inside_a_write_leaves_all_it_told_of_and_nothing_torn(path: Path) -> None:
    folder = path.parent
    rng = Random(7341)
    limits = [10, 100, 1700, 1750, 4100, *(rng.randrange(1700, 300_000) for _ in range(8))]
    texts = dict(line.split() for line in run("tear", folder, *limits))
    for limit in limits:
        path = folder / f"{limit}.table"
        if str(limit) in texts:
            steps_there = steps(path)
            assert len(steps_there) >= int(texts[str(limit)])
            assert steps_there == expected_steps(len(steps_there))
        elif path.exists():  # died as it was opened for the first time
            assert steps(path) == []
        else:
            create(path).close()


# Two hosts


# Disks


def may_unshare() -> bool:
    """Tell whether this machine lets us mount a disk of our own."""
    if not shutil.which("unshare"):
        return False
    trial = ["unshare", "-Urm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    return subprocess.run(trial, check=False, capture_output=True).returncode == 0  # noqa: S603 - fixed


own_disk = pytest.mark.skipif(not may_unshare(), reason="no namespaces here")


def small_disk(folder: Path, then: str = "") -> tuple[str, ...]:
    """Run what follows with a disk of 300 KiB on a folder, after a shell command."""
    mount = f'mount -t tmpfs -o size=300k tmpfs "$0" && {then or "true"} && exec "$@"'
    return ("unshare", "-Urm", "sh", "-c", mount, str(folder))


@own_disk
@pytest.mark.parametrize("part", first(1, ["full", "no_room_to_begin"], thorough=2))
def test_a_full_disk_is_told_once_and_passes(path: Path, part: str) -> None:
    run(part, path, within=small_disk(path.parent))


@own_disk
def test_a_file_that_is_not_ours_to_write_is_told_as_such(path: Path) -> None:
    create(path).close()
    path.chmod(0o400)
    run("read_only_file", path, within=("unshare", "-U"))  # without root's powers, and the owner


@POSIX
def test_a_journal_that_may_not_grow_goes_on_when_it_may(path: Path) -> None:
    with create(path) as journal:
        with no_file_beyond(path.stat().st_size + 2000), pytest.raises(JournalUnwritable) as caught:  # noqa: PT012 - which step?
            while True:
                append(journal, journal.last + 1, payload(journal.last + 1))
        assert caught.value.obstacle is Obstacle.FULL
        append(journal, journal.last + 1, payload(journal.last + 1))
        last = journal.last
    assert steps(path) == expected_steps(last)


@POSIX
def test_a_write_whose_sync_failed_is_written_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_file: object) -> None:
        raise OSError(errno.EIO, "the disk did not keep it")

    with create(path) as journal:
        with monkeypatch.context() as patched:
            patched.setattr("net.server.journal.sync", fail)
            with pytest.raises(JournalUnwritable):
                append(journal, 1, payload(7))
        append(journal, 1, payload(1))
    assert steps(path) == expected_steps(1)
