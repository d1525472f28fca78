"""Finding journals and clearing finished ones away."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from net.server.journal import Journal
from net.server.journal_errors import Damage, JournalBroken, JournalUnwritable
from net.server.journal_format import Finish
from net.server.journal_listing import (
    JournalInfo,
    UnreadableJournal,
    list_journals,
    path_of,
    remove_finished,
)
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
    assert list_journals(tmp_path) == [
        JournalInfo(
            path_of(name, tmp_path), name, "Änne's table", 7341.5, changed, finished, busy=False
        )
        for name, changed, finished in (("c", 300, False), ("b", 200, False), ("a", 100, True))
    ]


def test_a_running_table_is_busy_and_newest_and_a_look_changes_nothing(tmp_path: Path) -> None:
    make(tmp_path, "other", 9e9)
    path = make(tmp_path, "mine", 100.0)
    with Journal.open(path) as journal:
        append(journal, 2, payload(2))
        log = path.with_name(path.name + "-wal")
        os.utime(log, (9.1e9, 9.1e9))
        before = {name: (tmp_path / name).stat() for name in list_folder(tmp_path)}
        entry = list_journals(tmp_path)[0]
        assert isinstance(entry, JournalInfo)
        assert (entry.path, entry.busy, entry.changed) == (path, True, 9.1e9)
        after = {name: (tmp_path / name).stat() for name in list_folder(tmp_path)}
        assert before.keys() == after.keys()
        for name, stat in before.items():
            assert (stat.st_size, stat.st_mtime_ns) == (
                after[name].st_size,
                after[name].st_mtime_ns,
            )


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
    path.write_bytes(b"not a database " * 100)
    (entry,) = list_journals(tmp_path)
    assert isinstance(entry, UnreadableJournal)
    assert isinstance(entry.error, JournalBroken)
    assert entry.error.damage is Damage.NOT_A_JOURNAL
    assert remove_finished(tmp_path, before=9e9) == []


def test_a_running_tables_file_that_stays_damaged_is_listed_as_such(tmp_path: Path) -> None:
    path = path_of("mine", tmp_path)
    with create(path):
        # By another process: to close the file in this one would drop the lock.
        spoil = "import sys; open(sys.argv[1], 'r+b').write(bytes(200))"
        subprocess.run([sys.executable, "-Wignore", "-c", spoil, str(path)], check=True)  # noqa: S603 - our own
        (entry,) = list_journals(tmp_path)
        assert isinstance(entry, UnreadableJournal)
        assert isinstance(entry.error, JournalBroken)


def test_a_file_gone_meanwhile_is_no_table(tmp_path: Path) -> None:
    path_of("gone", tmp_path).symlink_to(tmp_path / "nowhere")
    assert list_journals(tmp_path) == []


def test_only_old_finished_tables_are_removed_and_all_their_files(tmp_path: Path) -> None:
    old = make(tmp_path, "old", 100.0, finished=True)
    old.with_name(old.name + ".spare").write_bytes(b"left by a kill")
    make(tmp_path, "open", 100.0)
    make(tmp_path, "new", 300.0, finished=True)
    assert remove_finished(tmp_path, before=200.0) == [old]
    assert list_folder(tmp_path) == ["new.table", "open.table"]


def test_a_file_that_cannot_be_removed_is_reported(tmp_path: Path) -> None:
    old = make(tmp_path, "old", 100.0, finished=True)
    (tmp_path / "old.table.spare").mkdir()
    with pytest.raises(JournalUnwritable):
        remove_finished(tmp_path, before=200.0)
    assert old.exists()
