"""A journal and the journals of a folder: what goes in comes out, and what is damaged is told."""

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from net.files import new_file
from net.protocol.framing import Wire
from net.room.effects import JournalStep
from net.server.journal import (
    MAX_STALE_BYTES,
    Journal,
    JournalInfo,
    UnreadableJournal,
    list_journals,
    path_of,
    remove_finished,
    remove_journal,
)
from net.server.journal_format import (
    FORMAT,
    MAGIC,
    Damage,
    Finish,
    Founded,
    JournalBroken,
    JournalBusy,
    JournalFinished,
    JournalMissing,
    JournalUnwritable,
    Obstacle,
    PutMeta,
    begin_file,
    write_frame,
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


def test_values_that_were_replaced_often_are_left_out_at_the_next_start(path: Path) -> None:
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
def test_a_write_out_of_order_is_refused_with_its_commit(path: Path, write: JournalStep) -> None:
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


def test_a_table_that_is_finished_is_known_as_such_while_its_host_runs(tmp_path: Path) -> None:
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


def damage_of(path: Path) -> JournalBroken:
    with pytest.raises(JournalBroken) as caught:
        Journal.open(path)
    return caught.value


FOUNDED = Founded("mine", "Mine", 0.0)


def with_steps(path: Path, count: int) -> tuple[bytes, list[int]]:
    """Make a journal of this many steps; return its bytes, and its size after each commit."""
    sizes = []
    with create(path) as journal:
        for step in expected_steps(count):
            sizes.append(path.stat().st_size)
            append(journal, step.number, step.payload)
    return path.read_bytes(), [*sizes, path.stat().st_size]


@pytest.mark.parametrize(
    "contents", [b"", b"x", MAGIC, b"SQLite format 3\0", b"Saboteur " * 1000, bytes(9000)]
)
def test_a_file_of_something_else_is_no_journal_and_stays(path: Path, contents: bytes) -> None:
    path.write_bytes(contents)
    assert damage_of(path).damage is Damage.NOT_A_JOURNAL
    assert path.read_bytes() == contents


@pytest.mark.parametrize(
    ("number", "damage"), [(FORMAT + 1, Damage.NEWER_FORMAT), (0, Damage.DAMAGED)]
)
def test_a_journal_of_another_format_says_so(path: Path, number: int, damage: Damage) -> None:
    whole, _sizes = with_steps(path, 2)
    path.write_bytes(MAGIC + number.to_bytes(2, "big") + whole[10:])
    assert (damage_of(path).damage, damage_of(path).number) == (damage, number)


@pytest.mark.parametrize(
    "contents",
    [
        begin_file(FOUNDED, [])[:10],
        begin_file(FOUNDED, [])[:10] + write_frame([Finish()]),
        begin_file(FOUNDED, expected_steps(3)[1:]),
        begin_file(FOUNDED, []) + write_frame([FOUNDED]),
        begin_file(FOUNDED, expected_steps(2)) + write_frame(expected_steps(3)[:1]),
    ],
    ids=["nothing", "no founding", "a gap", "two foundings", "a step twice"],
)
def test_frames_that_make_no_table_are_damaged(path: Path, contents: bytes) -> None:
    path.write_bytes(contents)
    assert damage_of(path).damage is Damage.DAMAGED


class Whistle(Wire, frozen=True, tag="whistle"):
    """A write that no journal of this format has."""


def test_a_write_that_is_none_of_ours_is_damage(path: Path) -> None:
    path.write_bytes(begin_file(FOUNDED, [Whistle()]))  # type: ignore[list-item] # Whistle - a later format may have it
    assert damage_of(path).damage is Damage.DAMAGED


def test_a_journal_cut_off_anywhere_has_all_steps_that_are_whole(path: Path) -> None:
    whole, sizes = with_steps(path, 30)
    rng = Random(7341)
    for length in {*sizes, *(rng.randrange(sizes[0], len(whole)) for _ in range(60))}:
        path.write_bytes(whole[:length])
        list_journals(path.parent)
        kept = sum(size <= length for size in sizes) - 1
        assert steps(path) == expected_steps(kept), length


@pytest.mark.parametrize("left", [b"\0" * 3, b"\0" * 5000, b"\0" * 4096 + b"xyz" * 50])
def test_what_a_loss_of_power_leaves_at_the_end_is_cut_off(path: Path, left: bytes) -> None:
    whole, _sizes = with_steps(path, 5)
    path.write_bytes(whole + left)
    with Journal.open(path) as journal:
        assert journal.steps == expected_steps(5)
        append(journal, 6, expected_steps(6)[5].payload)
    assert steps(path) == expected_steps(6)


def test_a_journal_with_any_byte_changed_loses_no_step_in_silence_but_the_last(path: Path) -> None:
    whole, sizes = with_steps(path, 30)
    rng = Random(7341)
    broken = 0
    chosen = [(at, rng.randrange(1, 256)) for at in range(100)]
    for at, change in chosen + [(rng.randrange(len(whole)), 1 << n % 8) for n in range(300)]:
        changed = whole[:at] + bytes([whole[at] ^ change]) + whole[at + 1 :]
        path.write_bytes(changed)
        list_journals(path.parent)
        try:
            found = steps(path)
        except JournalBroken:
            broken += 1
            assert path.read_bytes() == changed, "left as it is"
        else:
            assert at >= sizes[-2], at
            assert found == expected_steps(29)
    assert broken > 360
