"""The journal itself: what goes in comes out, by the same host or the next."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from net.files import new_file
from net.room.effects import JournalStep
from net.server.journal import MAX_STALE_BYTES, Journal, list_journals, remove_journal
from net.server.journal_format import (
    Finish,
    JournalBusy,
    JournalFinished,
    JournalMissing,
    JournalUnwritable,
    Obstacle,
    PutMeta,
)
from tests.net.server.journal_tools import (
    POSIX,
    append,
    create,
    expected_steps,
    list_folder,
    no_file_beyond,
    payload,
    quick_folder,
    steps,
)


@pytest.fixture
def path() -> Iterator[Path]:
    with quick_folder() as folder:
        yield folder / "mine.table"


def test_a_journal_can_begin_with_steps(path: Path) -> None:
    begun = [b"first", b"second"]
    Journal.create(path, table="mine", name="Mine", meta={}, steps=begun).close()
    assert [step.payload for step in steps(path)] == begun


def test_steps_come_back_in_order(path: Path) -> None:
    with create(path) as journal:
        for number in range(1, 200):
            append(journal, number, payload(number))
    with Journal.open(path) as journal:
        assert journal.last == 199
        assert journal.steps == expected_steps(199)


def test_every_opening_for_hosting_is_a_new_incarnation(path: Path) -> None:
    create(path).close()
    for incarnation in (2, 3, 4):
        with Journal.open(path) as journal:
            assert journal.incarnation == incarnation


def test_kept_values_replace_each_other(path: Path) -> None:
    with create(path) as journal:
        journal.commit([PutMeta("code", b"iron cart"), PutMeta("seat 3", b"")])
    with Journal.open(path) as journal:
        assert journal.kept["code"] == b"iron cart"
        assert journal.kept["seat 3"] == b""


def test_values_that_were_replaced_again_and_again_are_left_out_at_the_next_start(
    path: Path,
) -> None:
    night = bytes(MAX_STALE_BYTES // 8)
    with create(path) as journal:
        journal.commit(expected_steps(3))
        for number in range(10):
            journal.commit([PutMeta("night", night + bytes([number]))])
    for incarnation in (2, 3):
        with Journal.open(path) as journal:
            assert journal.kept["night"] == night + bytes([9])
            assert journal.kept["code"] == b"copper lantern"
            assert journal.steps == expected_steps(3)
            assert journal.incarnation == incarnation
            assert path.stat().st_size < 2 * len(night)
            assert path.stat().st_mode & 0o777 == 0o600
            journal.commit([PutMeta("seat", b"anna")])


@pytest.mark.parametrize("write", [JournalStep(1, b""), JournalStep(3, b"")])
def test_a_write_that_does_not_follow_is_refused_with_all_that_came_with_it(
    path: Path, write: JournalStep
) -> None:
    with create(path) as journal:
        append(journal, 1, b"one")
        with pytest.raises(ValueError, match=str(write.number)):
            journal.commit([PutMeta("code", b"changed"), write])
        append(journal, 2, b"two")
    with Journal.open(path) as journal:
        assert journal.kept["code"] == b"copper lantern"
        assert [step.payload for step in journal.steps] == [b"one", b"two"]


def test_a_finished_table_is_not_resumed(path: Path) -> None:
    with create(path) as journal:
        journal.commit([Finish()])
    with pytest.raises(JournalFinished) as caught:
        Journal.open(path)
    assert caught.value.path == path


def test_a_journal_is_for_its_owner_alone(path: Path) -> None:
    folder = path.parent / "state" / "tables"
    with create(folder / "mine.table"):
        assert folder.stat().st_mode & 0o777 == 0o700
        assert list_folder(folder) == ["mine.lock", "mine.table"]
        assert {file.stat().st_mode & 0o777 for file in folder.iterdir()} == {0o600}
    remove_journal(folder / "mine.table")
    assert list_folder(folder) == []


def test_a_table_is_never_made_over_another(path: Path) -> None:
    create(path).close()
    before = path.read_bytes()
    with pytest.raises(FileExistsError):
        create(path)
    assert path.read_bytes() == before


def test_what_a_killed_creation_left_is_removed_later(path: Path) -> None:
    fresh = new_file(path.parent)
    fresh.write_bytes(b"half")
    os.utime(fresh, (0, 0))
    create(path).close()
    assert list_folder(path.parent) == ["mine.lock", path.name]


@POSIX
def test_a_folder_on_a_disk_that_is_not_there_cannot_be_written(path: Path) -> None:
    folder = path.parent / "state"
    folder.symlink_to(path.parent / "unplugged")
    for where in (folder / "mine.table", folder / "tables" / "mine.table", Path("/proc/z/a.table")):
        with pytest.raises(JournalUnwritable):
            create(where)
        with pytest.raises(JournalMissing):
            Journal.open(where)


def test_a_journal_that_cannot_be_opened_as_it_is_made_is_not_made(path: Path) -> None:
    with create(path):
        size = path.stat().st_size
    remove_journal(path)
    with no_file_beyond(size - 1), pytest.raises(JournalUnwritable):  # not even its first opening
        create(path)
    assert list_folder(path.parent) == [], "or a table that nobody has is resumed later"
    create(path).close()


def test_a_second_host_in_one_process_is_busy_and_the_first_keeps_its_lock(path: Path) -> None:
    with create(path) as journal:
        for _ in range(2):
            with pytest.raises(JournalBusy):
                Journal.open(path)
            list_journals(path.parent)
        append(journal, 1, b"one")
    with Journal.open(path) as journal:
        assert journal.last == 1


def test_what_the_system_says_is_passed_on_as_a_kind(path: Path) -> None:
    path.mkdir()
    with pytest.raises(JournalUnwritable) as caught:
        Journal.open(path)
    assert caught.value.obstacle is Obstacle.IO
