"""The writer: a journal beside an event loop, and what disks and kills do to it, each for real."""

import errno
import shutil
import subprocess
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest

from net.protocol.messages import DiskStatus
from net.room.effects import JournalStep
from net.server.journal import Journal, JournalWriter, list_journals
from net.server.journal_format import Finish, JournalUnwritable, Obstacle, PutMeta
from tests.net.server.journal_tools import (
    POSIX,
    append,
    create,
    expected_steps,
    no_file_beyond,
    payload,
    quick_folder,
    resume_or_create,
    run,
    steps,
)
from tests.net.server.served_table import until


@pytest.fixture
def path() -> Iterator[Path]:
    with quick_folder() as folder:
        yield folder / "mine.table"


class Keeping:
    """A writer, and what it says."""

    def __init__(self, journal: Journal) -> None:
        self.told: list[DiskStatus] = []
        self.written: list[int] = []
        self.writer = JournalWriter(journal, self.told.append)

    def write_steps(self, *numbers: int) -> None:
        written = [JournalStep(number, payload(number)) for number in numbers]
        self.writer.write(written, lambda: self.written.append(numbers[-1]))

    async def has_saved(self, number: int) -> None:
        await until(lambda: self.written[-1:] == [number])

    async def is_told(self, *told: DiskStatus) -> None:
        await until(lambda: self.told == [*told])


@asynccontextmanager
async def keeping(path: Path) -> AsyncIterator[Keeping]:
    kept = Keeping(resume_or_create(path))
    try:
        yield kept
    finally:
        await kept.writer.close()


@pytest.fixture(autouse=True)
def quick_retry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("net.server.journal.WRITE_RETRY_S", 0.01)


async def test_steps_that_come_while_a_commit_runs_share_the_next(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with keeping(path) as kept:
        syncs: list[object] = []
        monkeypatch.setattr("net.server.journal.sync", syncs.append)
        for number in range(1, 101):
            kept.write_steps(number)
        await kept.has_saved(100)
    assert len(syncs) == 2
    assert kept.written == [*range(1, 101)]
    assert kept.told == []
    assert steps(path) == expected_steps(100)


def test_a_program_that_ends_without_closing_its_journal_ends(path: Path) -> None:
    assert run("leave", path) == ["saved"]
    assert steps(path) == expected_steps(1)


async def test_closing_waits_for_all_and_leaves_no_thread(path: Path) -> None:
    async with keeping(path) as kept:
        kept.write_steps(*range(1, 50))
    assert kept.written == [49]
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("journal")]
    assert steps(path) == expected_steps(49)


@pytest.mark.parametrize("write", [JournalStep(1, b""), JournalStep(3, b"")])
async def test_a_write_that_does_not_follow_is_our_own_bug(path: Path, write: JournalStep) -> None:
    async with keeping(path) as kept:
        kept.write_steps(1)
        with pytest.raises(ValueError, match=str(write.number)):
            kept.writer.write([write])
        kept.write_steps(2)
    assert steps(path) == expected_steps(2)


@POSIX
async def test_trouble_is_told_once_and_all_is_saved_when_it_has_passed(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    saved: list[str] = []
    async with keeping(path) as kept:
        kept.write_steps(1)
        await kept.has_saved(1)
        with no_file_beyond(0):
            kept.write_steps(2, 3)
            kept.writer.write([PutMeta("code", b"iron cart")], lambda: saved.append("code"))
            kept.writer.write((), lambda: saved.append("what waits for it"))
            await kept.is_told(DiskStatus.FULL)
            kept.write_steps(4)
            await until(lambda: kept.writer._committing == 4)  # what came later, too
            assert kept.told == [DiskStatus.FULL]
            assert (kept.written, saved) == ([1], [])
        await kept.has_saved(4)
        await kept.is_told(DiskStatus.FULL, DiskStatus.OK)
    assert saved == ["code", "what waits for it"]
    assert len(caplog.records) == 1
    assert steps(path) == expected_steps(4)


@POSIX
async def test_what_the_disk_refused_is_tried_once_more_as_the_journal_is_closed(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("net.server.journal.WRITE_RETRY_S", 3600.0)
    async with keeping(path) as kept:
        with no_file_beyond(0):
            kept.write_steps(1)
            await kept.is_told(DiskStatus.FULL)
    assert steps(path) == expected_steps(1)


@POSIX
async def test_closing_does_not_wait_for_a_full_disk(path: Path) -> None:
    kept, told = Keeping(create(path)), list[str]()
    with no_file_beyond(0):
        kept.write_steps(1)
        await kept.writer.close()
    kept.writer.write((), lambda: told.append("what follows from it"))
    assert (steps(path), kept.written, told) == ([], [], [])


async def test_what_waits_for_nothing_is_told_at_once_even_after_the_end(path: Path) -> None:
    told: list[str] = []
    async with keeping(path) as kept:
        kept.write_steps(1)
    kept.writer.write((), lambda: told.append("goodbye"))
    assert told == ["goodbye"]


@POSIX
async def test_unsaved_the_host_goes_on_and_the_journal_ends_where_it_was_full(path: Path) -> None:
    async with keeping(path) as kept:
        kept.write_steps(1)
        await kept.has_saved(1)
        with no_file_beyond(0):
            kept.write_steps(2)
            await kept.is_told(DiskStatus.FULL)
            kept.writer.go_unsaved()
            await kept.has_saved(2)
            kept.write_steps(3)
            kept.writer.write([PutMeta("code", b"")])
            await kept.has_saved(3)
        assert kept.told == [DiskStatus.FULL, DiskStatus.UNSAVED]
    with Journal.open(path) as journal:
        assert journal.last == 1
        assert journal.kept["code"] == b"copper lantern"


@POSIX
async def test_a_table_that_goes_on_unsaved_can_still_be_finished(path: Path) -> None:
    async with keeping(path) as kept:
        kept.writer.go_unsaved()
        kept.write_steps(1)
        kept.writer.write([Finish()])
    assert getattr(list_journals(path.parent)[0], "finished", None)


@POSIX
def test_a_journal_that_cannot_be_made_leaves_nothing(path: Path) -> None:
    with no_file_beyond(1000), pytest.raises(JournalUnwritable):
        create(path)
    assert not list(path.parent.iterdir())


@pytest.mark.level("broad")
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


@pytest.mark.level("broad")
@POSIX
def test_another_file_in_the_place_of_an_open_journal_is_not_taken_for_it(path: Path) -> None:
    with create(path) as journal:
        append(journal, 1, payload(1))
        copy = path.with_name("copy")
        copy.write_bytes(path.read_bytes())
        copy.replace(path)
        with pytest.raises(JournalUnwritable):
            append(journal, 2, payload(2))


@pytest.mark.level("broad")
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


def may_unshare() -> bool:
    """Tell whether this machine lets us be somebody else, without root's powers."""
    trial = ["unshare", "-U", "true"]
    found = shutil.which("unshare")
    return bool(found) and subprocess.run(trial, check=False, capture_output=True).returncode == 0  # noqa: S603 - fixed


@pytest.mark.level("broad")
@pytest.mark.skipif(not may_unshare(), reason="no namespaces here")
def test_a_file_that_is_not_ours_to_write_is_told_as_such(path: Path) -> None:
    create(path).close()
    path.chmod(0o400)
    run("read_only_file", path, within=("unshare", "-U"))  # without root's powers, and the owner


@pytest.mark.level("broad")
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


@pytest.mark.level("broad")
@POSIX
def test_what_was_not_synced_is_written_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_file: object) -> None:
        raise OSError(errno.EIO, "the disk did not keep it")

    with create(path) as journal:
        with monkeypatch.context() as patched:
            patched.setattr("net.server.journal.sync", fail)
            with pytest.raises(JournalUnwritable):
                append(journal, 1, payload(7))
        append(journal, 1, payload(1))
    assert steps(path) == expected_steps(1)
