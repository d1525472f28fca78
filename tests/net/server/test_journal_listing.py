"""Finding journals and clearing finished ones away."""

import os
from pathlib import Path

import pytest

from net.server.journal import (
    Journal,
    JournalInfo,
    UnreadableJournal,
    list_journals,
    path_of,
    remove_finished,
)
from net.server.journal_format import Damage, Finish, JournalBroken, JournalUnwritable
from tests.net.server.journal_tools import append, create, list_folder, payload


def make(folder: Path, table: str, changed: float, *, finished: bool = False) -> Path:
    path = path_of(table, folder)
    with create(path) as journal:
        append(journal, 1, payload(1))
        if finished:
            journal.commit([Finish()])
    os.utime(path, (changed, changed))
    return path


def test_no_folder_has_no_tables(tmp_path: Path) -> None:
    assert list_journals(tmp_path / "none") == []


def test_the_last_changed_stands_first(tmp_path: Path) -> None:
    make(tmp_path, "b", 200.0)
    make(tmp_path, "a", 100.0, finished=True)
    make(tmp_path, "c", 300.0)
    (tmp_path / "notes.txt").write_text("no table")
    found = [entry for entry in list_journals(tmp_path) if isinstance(entry, JournalInfo)]
    assert found == [
        JournalInfo(
            path_of(name, tmp_path), name, "Änne's table", created, changed, finished, busy=False
        )
        for (name, changed, finished), created in zip(
            (("c", 300, False), ("b", 200, False), ("a", 100, True)),
            [entry.created for entry in found],
            strict=True,
        )
    ]


def test_a_running_table_is_busy_and_newest_and_a_look_changes_nothing(tmp_path: Path) -> None:
    make(tmp_path, "other", 9e9)
    path = make(tmp_path, "mine", 100.0)
    with Journal.open(path) as journal:
        append(journal, 2, payload(2))
        os.utime(path, (9.1e9, 9.1e9))
        before = {name: (tmp_path / name).stat() for name in list_folder(tmp_path)}
        entry = list_journals(tmp_path)[0]
        assert isinstance(entry, JournalInfo)
        assert (entry.path, entry.busy, entry.changed) == (path, True, 9.1e9)
        after = {name: (tmp_path / name).stat() for name in list_folder(tmp_path)}
        assert before.keys() == after.keys()
        for name, stat in before.items():
            now = after[name]
            assert (stat.st_size, stat.st_mtime_ns) == (now.st_size, now.st_mtime_ns)
        append(journal, 3, payload(3))


def test_a_table_finished_just_now_is_known_as_finished_while_its_host_still_runs(
    tmp_path: Path,
) -> None:
    with create(path_of("mine", tmp_path)) as journal:
        journal.commit([Finish()])
        (entry,) = list_journals(tmp_path)
        assert isinstance(entry, JournalInfo)
        assert entry.finished
        assert entry.busy
        assert remove_finished(tmp_path, before=9e9) == []


def test_a_file_that_is_no_journal_is_listed_with_what_is_wrong(tmp_path: Path) -> None:
    path = path_of("odd", tmp_path)
    path.write_bytes(b"not a journal " * 100)
    (entry,) = list_journals(tmp_path)
    assert isinstance(entry, UnreadableJournal)
    assert isinstance(entry.error, JournalBroken)
    assert entry.error.damage is Damage.NOT_A_JOURNAL
    assert remove_finished(tmp_path, before=9e9) == []


def test_a_running_tables_file_that_is_damaged_is_listed_as_such(tmp_path: Path) -> None:
    path = path_of("mine", tmp_path)
    with create(path):
        path.write_bytes(bytes(200))
        (entry,) = list_journals(tmp_path)
        assert isinstance(entry, UnreadableJournal)
        assert isinstance(entry.error, JournalBroken)


def test_a_file_gone_meanwhile_is_no_table(tmp_path: Path) -> None:
    path_of("gone", tmp_path).symlink_to(tmp_path / "nowhere")
    assert list_journals(tmp_path) == []


def test_only_old_finished_tables_are_removed_and_all_their_files(tmp_path: Path) -> None:
    old = make(tmp_path, "old", 100.0, finished=True)
    old.with_suffix(".lock").write_bytes(b"left by a kill")
    make(tmp_path, "open", 100.0)
    make(tmp_path, "new", 300.0, finished=True)
    assert remove_finished(tmp_path, before=200.0) == [old]
    assert list_folder(tmp_path) == ["new.lock", "new.table", "open.lock", "open.table"]


def test_a_file_that_cannot_be_removed_is_reported(tmp_path: Path) -> None:
    make(tmp_path, "old", 100.0, finished=True)
    lock = tmp_path / "old.lock"
    lock.unlink()
    lock.mkdir()
    with pytest.raises(JournalUnwritable):
        remove_finished(tmp_path, before=200.0)
