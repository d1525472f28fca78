"""The writer: a journal beside an event loop, in good times and bad."""

import asyncio
import gc
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from net.room.effects import JournalStep
from net.server.journal import Journal, JournalWriter, list_journals, remove_journal
from net.server.journal_format import (
    Finish,
    JournalError,
    JournalUnwritable,
    Obstacle,
    PutMeta,
    Write,
)
from tests.net.server.journal_tools import (
    POSIX,
    create,
    expected_steps,
    no_file_beyond,
    payload,
    quick_folder,
    resume_or_create,
    run,
    steps,
)


@pytest.fixture
def path() -> Iterator[Path]:
    with quick_folder() as folder:
        yield folder / "mine.table"


@pytest.fixture
def reports() -> list[JournalError | None]:
    """Gather what the writer says of trouble."""
    return []


@asynccontextmanager
async def keeping(path: Path, reports: list[JournalError | None]) -> AsyncIterator[JournalWriter]:
    writer = JournalWriter(resume_or_create(path), reports.append)
    try:
        yield writer
    finally:
        await writer.close()


async def test_what_was_awaited_is_on_disk_in_order(
    path: Path, reports: list[JournalError | None]
) -> None:
    async with keeping(path, reports) as writer:
        for number in range(1, 30):
            await writer.write(JournalStep(number, payload(number)))
            assert writer._journal.last == number
    assert steps(path) == expected_steps(29)
    assert reports == []


async def test_steps_that_come_at_once_or_while_a_commit_runs_share_one(
    path: Path, reports: list[JournalError | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[int] = []
    async with keeping(path, reports) as writer:
        syncs: list[object] = []
        monkeypatch.setattr("net.server.journal.sync", syncs.append)
        futures = [writer.write(JournalStep(number, payload(number))) for number in range(1, 51)]
        await asyncio.sleep(0)  # the commit of those begins
        futures += [writer.write(JournalStep(number, payload(number))) for number in range(51, 101)]
        for number, future in enumerate(futures, 1):
            future.add_done_callback(partial(lambda number, _: order.append(number), number))
        await asyncio.gather(*futures)
    assert len(syncs) == 2
    assert order == list(range(1, 101))
    assert steps(path) == expected_steps(100)


async def test_of_each_commit_the_last_step_is_told_and_of_none_that_fails(
    path: Path, reports: list[JournalError | None]
) -> None:
    written: list[int] = []
    writer = JournalWriter(create(path), reports.append, written.append)
    await asyncio.gather(
        *(writer.write(JournalStep(number, payload(number))) for number in (1, 2, 3))
    )
    assert written == [3]
    await writer.write(PutMeta("code", b"iron cart"))
    assert written == [3]
    remove_journal(path)  # so that the next write fails
    with pytest.raises(JournalError):
        await writer.write(JournalStep(4, payload(4)))
    assert written == [3]
    await writer.go_unsaved()
    await writer.write(JournalStep(4, payload(4)))
    await asyncio.sleep(0)
    assert written == [3, 4]
    await writer.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of other tests
async def test_a_failure_that_nobody_asks_about_is_told_of_once_and_not_logged(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    troubles: asyncio.Queue[JournalError | None] = asyncio.Queue()
    writer = JournalWriter(create(path), troubles.put_nowait)
    remove_journal(path)  # so that the next write fails
    _ = writer.write(JournalStep(1, payload(1)))
    _ = writer.write(PutMeta("code", b"iron cart"))
    assert await troubles.get() is not None
    assert troubles.empty()
    await writer.close()
    del writer
    gc.collect(1)  # asyncio logs the exception of a future when it is collected, young as it is
    assert not caplog.records


def test_a_program_that_ends_without_closing_its_journal_ends(path: Path) -> None:
    assert run("leave", path) == ["1"]
    assert steps(path) == expected_steps(1)


async def test_closing_waits_for_all_and_leaves_no_thread(
    path: Path, reports: list[JournalError | None]
) -> None:
    async with keeping(path, reports) as writer:
        last = [writer.write(JournalStep(number, payload(number))) for number in range(1, 50)][-1]
    assert last.done()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("journal")]
    assert steps(path) == expected_steps(49)


async def test_an_asker_that_no_longer_listens_stops_nothing(
    path: Path, reports: list[JournalError | None]
) -> None:
    async with keeping(path, reports) as writer:
        futures = [writer.write(JournalStep(number, payload(number))) for number in (1, 2, 3)]
        assert futures[0].cancel()
        assert futures[1].cancel()
        await futures[2]
    assert steps(path) == expected_steps(3)


async def test_other_writes_keep_their_place_among_the_steps(
    path: Path, reports: list[JournalError | None]
) -> None:
    async with keeping(path, reports) as writer:
        writes: tuple[Write, ...] = (
            JournalStep(1, b"one"),
            PutMeta("code", b"iron cart"),
            JournalStep(2, b""),
        )
        await asyncio.gather(*map(writer.write, writes))
    with Journal.open(path) as journal:
        assert journal.last == 2
        assert journal.kept["code"] == b"iron cart"


async def test_a_finished_journal_is_known_as_such(
    path: Path, reports: list[JournalError | None]
) -> None:
    async with keeping(path, reports) as writer:
        await writer.write(Finish())
    assert getattr(list_journals(path.parent)[0], "finished", None)


@pytest.mark.parametrize("write", [JournalStep(1, b""), JournalStep(3, b"")])
async def test_a_write_that_does_not_follow_is_our_own_bug(
    path: Path, reports: list[JournalError | None], write: JournalStep
) -> None:
    async with keeping(path, reports) as writer:
        await writer.write(JournalStep(1, payload(1)))
        with pytest.raises(ValueError, match=str(write.number)):
            await writer.write(write)
        await writer.write(JournalStep(2, payload(2)))


@POSIX
async def test_trouble_fails_all_that_waits_is_told_once_and_passes(
    path: Path, reports: list[JournalError | None]
) -> None:
    async with keeping(path, reports) as writer:
        await writer.write(JournalStep(1, payload(1)))
        with no_file_beyond(0):
            futures = [writer.write(JournalStep(number, payload(number))) for number in (2, 3, 4)]
            dropped = writer.write(JournalStep(5, payload(5)))
            assert dropped.cancel()
            results = await asyncio.gather(*futures, return_exceptions=True)
            (trouble,) = reports
            assert results == [trouble] * 3
            assert isinstance(trouble, JournalUnwritable)
            assert trouble.obstacle is Obstacle.FULL
            for number in (2, 3, 2):
                with pytest.raises(JournalUnwritable):
                    await writer.write(JournalStep(number, payload(number)))
            assert reports == [trouble]
        await asyncio.gather(
            *(writer.write(JournalStep(number, payload(number))) for number in (2, 3, 4, 5))
        )
        assert reports == [trouble, None]
        assert writer.trouble is None
    assert steps(path) == expected_steps(5)


@POSIX
async def test_what_waits_for_a_commit_that_fails_fails_after_what_was_in_it(
    path: Path, reports: list[JournalError | None]
) -> None:
    failed: list[int] = []
    async with keeping(path, reports) as writer:
        with no_file_beyond(0):
            in_it = writer.write(JournalStep(1, payload(1)))
            await asyncio.sleep(0)  # the commit begins
            waits = writer.write(JournalStep(2, payload(2)))
            in_it.add_done_callback(lambda _: failed.append(1))
            waits.add_done_callback(lambda _: failed.append(2))
            await asyncio.gather(in_it, waits, return_exceptions=True)
    assert failed == [1, 2]


@POSIX
async def test_unsaved_the_host_goes_on_and_the_journal_ends_where_it_was_full(
    path: Path, reports: list[JournalError | None]
) -> None:
    async with keeping(path, reports) as writer:
        await writer.write(JournalStep(1, payload(1)))
        with no_file_beyond(0):
            with pytest.raises(JournalUnwritable):
                await writer.write(JournalStep(2, payload(2)))
            await writer.go_unsaved()
            for write in (JournalStep(2, b""), JournalStep(3, b""), PutMeta("code", b"")):
                assert writer.write(write).done()
    with Journal.open(path) as journal:
        assert journal.last == 1
        assert journal.kept["code"] == b"copper lantern"


async def test_what_was_asked_for_before_going_on_unsaved_is_still_saved(
    path: Path, reports: list[JournalError | None]
) -> None:
    async with keeping(path, reports) as writer:
        before = writer.write(JournalStep(1, payload(1)))
        await writer.go_unsaved()
        assert before.done()
    assert steps(path) == expected_steps(1)


@POSIX
async def test_a_table_that_goes_on_unsaved_can_still_be_finished(
    path: Path, reports: list[JournalError | None]
) -> None:
    async with keeping(path, reports) as writer:
        await writer.go_unsaved()
        await writer.write(JournalStep(1, b"forgotten"))
        with no_file_beyond(0), pytest.raises(JournalUnwritable):
            await writer.write(Finish())
        await writer.write(JournalStep(2, b"forgotten"))
        await writer.write(Finish())
    assert getattr(list_journals(path.parent)[0], "finished", None)


@POSIX
def test_a_journal_that_cannot_be_made_leaves_nothing(path: Path) -> None:
    with no_file_beyond(1000), pytest.raises(JournalUnwritable):
        create(path)
    assert not list(path.parent.iterdir())
