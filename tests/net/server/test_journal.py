"""The journal itself: what goes in comes out, by the same host or the next."""

import errno
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.files import new_file
from net.room.journal_step import JournalStep
from net.server.journal import Journal
from net.server.journal_errors import (
    JournalBusy,
    JournalFinished,
    JournalMissing,
    JournalUnwritable,
    Obstacle,
)
from net.server.journal_format import Finish, JournalHeader, PutMeta
from net.server.journal_listing import list_journals
from tests.net.server.journal_tools import (
    POSIX,
    append,
    create,
    list_folder,
    payload,
    quick_folder,
)


@pytest.fixture
def path() -> Iterator[Path]:
    with quick_folder() as folder:
        yield folder / "mine.table"


def test_a_new_journal_holds_what_it_was_made_with(path: Path) -> None:
    with create(path) as journal:
        assert journal.header == JournalHeader("mine", "Änne's table", 7341.5, incarnation=1)
        assert journal.read_kept().keys() == {"code", "certificate"}
        assert journal.read_kept()["code"] == b"copper lantern"
        assert journal.last == 0
        assert not journal.steps()


def test_steps_come_back_in_order_and_from_where_one_asks(path: Path) -> None:
    with create(path) as journal:
        for number in range(1, 200):
            append(journal, number, payload(number))
    with Journal.open(path) as journal:
        assert journal.last == 199
        assert journal.steps() == [JournalStep(n, payload(n)) for n in range(1, 200)]


@given(st.lists(st.binary(max_size=5_000), max_size=4))
def test_any_bytes_come_back(payloads: list[bytes]) -> None:
    with quick_folder() as folder:
        with create(folder / "any.table") as journal:
            journal.commit([JournalStep(number, data) for number, data in enumerate(payloads, 1)])
        with Journal.open(folder / "any.table") as journal:
            assert [step.payload for step in journal.steps()] == payloads


def test_every_opening_for_hosting_is_a_new_incarnation(path: Path) -> None:
    create(path).close()
    for incarnation in (2, 3, 4):
        with Journal.open(path) as journal:
            assert journal.header.incarnation == incarnation


def test_kept_values_replace_each_other(path: Path) -> None:
    with create(path) as journal:
        journal.commit([PutMeta("code", b"iron cart"), PutMeta("seat 3", b"")])
    with Journal.open(path) as journal:
        assert journal.read_kept()["code"] == b"iron cart"
        assert journal.read_kept()["seat 3"] == b""


@pytest.mark.parametrize("write", [JournalStep(1, b""), JournalStep(3, b"")])
def test_a_write_that_does_not_follow_is_refused_with_all_that_came_with_it(
    path: Path, write: JournalStep
) -> None:
    with create(path) as journal:
        append(journal, 1, b"one")
        with pytest.raises(ValueError, match=str(write.number)):
            journal.commit([PutMeta("code", b"changed"), write])
        assert journal.read_kept()["code"] == b"copper lantern"
        append(journal, 2, b"two")


def test_a_finished_table_is_not_resumed(path: Path) -> None:
    with create(path) as journal:
        journal.commit([Finish()])
        assert journal.header.finished
    with pytest.raises(JournalFinished) as caught:
        Journal.open(path)
    assert caught.value.path == path


def test_a_journal_that_went_on_unsaved_says_so_until_it_is_saved_again(path: Path) -> None:
    with create(path) as journal:
        append(journal, 1, b"one")
        journal.end_unsaved()
    for _ in range(2):
        with Journal.open(path) as journal:
            assert journal.header.unsaved_after == 1
    with Journal.open(path) as journal:
        append(journal, 2, b"two")
        assert journal.header.unsaved_after is None
    with Journal.open(path) as journal:
        assert journal.header.unsaved_after is None


def test_a_journal_is_for_its_owner_alone(path: Path) -> None:
    folder = path.parent / "state" / "tables"
    with create(folder / "mine.table"):
        assert folder.stat().st_mode & 0o777 == 0o700
        assert list_folder(folder) == ["mine.table", "mine.table-wal", "mine.table.spare"]
        assert {file.stat().st_mode & 0o777 for file in folder.iterdir()} == {0o600}
    assert list_folder(folder) == ["mine.table"], "a closed journal is one file"


def test_a_table_is_never_made_over_another(path: Path) -> None:
    create(path).close()
    before = path.read_bytes()
    with pytest.raises(FileExistsError):
        create(path)
    assert path.read_bytes() == before


def test_what_a_killed_creation_left_is_removed_later(path: Path) -> None:
    fresh = new_file(path.parent)
    for left in (fresh, fresh.with_name(f"{fresh.name}-journal")):
        left.write_bytes(b"half")
        os.utime(left, (0, 0))
    create(path).close()
    assert list_folder(path.parent) == [path.name]


@POSIX
def test_a_folder_on_a_disk_that_is_not_there_cannot_be_written(path: Path) -> None:
    folder = path.parent / "state"
    folder.symlink_to(path.parent / "unplugged")
    for where in (folder / "mine.table", folder / "tables" / "mine.table", Path("/proc/z/a.table")):
        with pytest.raises(JournalUnwritable):
            create(where)
        with pytest.raises(JournalMissing):
            Journal.open(where)


def test_a_journal_that_cannot_be_opened_as_it_is_made_is_not_made(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write_row(*_row: object) -> None:
        raise OSError(errno.ENOSPC, "no room for the first row of its log")

    with monkeypatch.context() as patched:
        patched.setattr("net.server.journal.write_row", write_row)
        with pytest.raises(JournalUnwritable):
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


def test_a_missing_file_is_said_to_be_missing(path: Path) -> None:
    with pytest.raises(JournalMissing):
        Journal.open(path)
    assert not path.exists()


def test_what_the_system_says_is_passed_on_as_a_kind(path: Path) -> None:
    with pytest.raises(JournalUnwritable) as caught:
        Journal.open(path.with_name("x" * 300))
    assert caught.value.obstacle is Obstacle.IO


def test_a_closed_journal_is_our_own_bug(path: Path) -> None:
    journal = create(path)
    journal.close()
    with pytest.raises(sqlite3.ProgrammingError):
        append(journal, 1, b"")
