"""A journal, its writer and the journals of a folder; what disks and kills do to them, for real."""

import errno
import os
import shutil
import subprocess
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from operator import attrgetter
from pathlib import Path
from random import Random

import msgspec
import pytest

from net import files
from net.protocol.framing import Wire
from net.protocol.lobby import Lobby, Settings
from net.protocol.messages import DiskStatus
from net.room.effects import JournalStep
from net.room.steps import Assembled, read_game_id, read_step
from net.server.journal import (
    MAX_STALE_BYTES,
    Journal,
    JournalInfo,
    JournalWriter,
    UnreadableJournal,
    list_journals,
    path_of,
    read_contents,
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
    JournalMissing,
    JournalUnwritable,
    PutMeta,
    begin_file,
    read_name,
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
    resume_or_create,
    run,
    steps,
)
from tests.net.server.served_table import until


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


def test_a_journal_of_the_format_before_is_read_and_written_in_todays(path: Path) -> None:
    journal = Journal.create(path, table="t", name="T", meta={}, steps=[b"one"])
    journal.close()
    data = path.read_bytes()
    assert data[8:10] == FORMAT.to_bytes(2, "big")
    path.write_bytes(data[:8] + (1).to_bytes(2, "big") + data[10:])
    journal = Journal.open(path)
    assert [step.payload for step in journal.steps] == [b"one"]
    journal.close()
    assert path.read_bytes()[8:10] == FORMAT.to_bytes(2, "big")


def test_the_id_of_a_game_in_a_journal_of_the_format_before_is_its_first_step() -> None:
    assert [read_game_id(kept) for kept in (0, 7, b"", b"x" * 16)] == [
        b"",
        (7).to_bytes(16, "big"),
        b"",
        b"x" * 16,
    ]
    lobby = Lobby.empty("Gold Rush", Settings())
    old = msgspec.msgpack.encode([0, 0, [], [5, [3, bytes(16)], lobby, 7, None, b""], "", b""])
    step = read_step(old)
    assert isinstance(step.act, Assembled)
    assert step.act.game_id == 7


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


def test_a_second_host_in_one_process_is_busy_and_the_first_keeps_its_lock(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("net.files.LOCK_PATIENCE_S", 0.01)
    with create(path) as journal:
        for _ in range(2):
            with pytest.raises(JournalBusy):
                Journal.open(path)
            list_journals(path.parent)
        append(journal, 1, b"one")
    with Journal.open(path) as journal:
        assert journal.last == 1


def test_what_the_system_says_is_passed_on(path: Path) -> None:
    path.mkdir()
    with pytest.raises(JournalUnwritable) as caught:
        Journal.open(path)
    assert caught.value.error.errno in {errno.EISDIR, errno.EACCES}


def test_where_no_disk_has_locks_tables_open_all_the_same(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_file: object) -> None:
        raise OSError(errno.ENOLCK, "no locks")

    with create(path) as journal:
        assert journal.is_locked
    path.unlink()
    monkeypatch.setattr(files, "_lock", fail)
    with create(path) as journal:
        assert not journal.is_locked
        append(journal, 1, payload(1))
    with Journal.open(path) as journal:
        assert (journal.is_locked, journal.last) == (False, 1)


@POSIX
def test_a_lock_that_cannot_be_made_is_no_other_host(path: Path) -> None:
    create(path).close()
    path.with_suffix(".lock").unlink()
    path.with_suffix(".lock").mkdir()
    with pytest.raises(JournalUnwritable):
        Journal.open(path)


JUNK = {
    "a short line": b"abc\n",
    "a head": b"x" * 16,
    "letters": b"junk " * 300,
    "a file": b"SabTable\0\1" + b"y" * 40,
    "noise": Random(7).randbytes(5_000),
}


@pytest.mark.parametrize("junk", JUNK.values(), ids=JUNK)
def test_a_whole_journal_with_something_behind_it_opens_and_says_so(
    path: Path, junk: bytes
) -> None:
    with create(path) as journal:
        append(journal, 1, payload(1))
        append(journal, 2, payload(2))
    whole = path.read_bytes()
    path.write_bytes(whole + junk)
    with Journal.open(path) as journal:
        assert (journal.last, journal.has_lost_end) == (2, len(junk) >= 16)
        append(journal, 3, payload(3))
    with Journal.open(path) as journal:
        assert (journal.last, journal.has_lost_end) == (3, False)


def test_the_name_of_a_damaged_file_is_known_while_its_first_commit_is_whole(path: Path) -> None:
    with create(path) as journal:
        append(journal, 1, payload(1))
        name = read_contents(path).founded.name
    whole = path.read_bytes()
    assert read_name(whole[:-1]) == name
    assert read_name(whole[:40]) is None
    assert read_name(b"junk") is None


def test_an_altered_last_commit_is_told_and_one_before_others_refuses_the_whole(path: Path) -> None:
    with create(path) as journal:
        append(journal, 1, payload(1))
        before = path.stat().st_size
        append(journal, 2, payload(2))
        end = path.stat().st_size
    whole = path.read_bytes()
    for at in range(before, end):
        spoilt = bytearray(whole[:end])
        spoilt[at] ^= 1 << at % 8
        path.write_bytes(spoilt)
        with Journal.open(path) as journal:
            assert (journal.last, journal.has_lost_end) == (1, True)
        path.write_bytes(spoilt + whole[end:] + whole[before:end])
        with pytest.raises(JournalBroken):
            Journal.open(path)


def test_when_the_last_two_commits_are_altered_the_table_opens_before_them(path: Path) -> None:
    whole, sizes = with_steps(path, 5)
    spoilt = bytearray(whole)
    for end in sizes[-2:]:
        spoilt[end - 1] ^= 1
    path.write_bytes(spoilt)
    with Journal.open(path) as journal:
        assert (journal.last, journal.has_lost_end) == (3, True)


def make(folder: Path, table: str, changed: float, *, finished: bool = False) -> Path:
    path = path_of(table, folder)
    with create(path) as journal:
        append(journal, 1, payload(1))
        if finished:
            journal.commit([Finish()])
    os.utime(path, (changed, changed))
    return path


def test_the_last_changed_stands_first(tmp_path: Path) -> None:
    make(tmp_path, "b", 200.0)
    make(tmp_path, "a", 100.0, finished=True)
    make(tmp_path, "c", 300.0)
    (tmp_path / "notes.txt").write_text("no table")
    found = [entry for entry in list_journals(tmp_path) if isinstance(entry, JournalInfo)]
    assert [(entry.path, entry.name, entry.changed, entry.finished) for entry in found] == [
        (path_of(name, tmp_path), "Änne's table", changed, finished)
        for name, changed, finished in (("c", 300, False), ("b", 200, False), ("a", 100, True))
    ]
    assert [entry.table for entry in sorted(found, key=attrgetter("created"))] == ["b", "a", "c"]
    assert not any(entry.busy for entry in found)


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


def test_a_file_that_the_system_cannot_look_at_keeps_no_other_table_out(tmp_path: Path) -> None:
    path_of("loop", tmp_path).symlink_to(path_of("loop", tmp_path))
    path_of("odd", tmp_path).write_bytes(b"not a journal " * 100)
    errors = {
        entry.path.stem: type(getattr(entry, "error", None)) for entry in list_journals(tmp_path)
    }
    assert errors == {"odd": JournalBroken, "loop": JournalUnwritable}
    assert remove_finished(tmp_path, before=9e9) == []


def test_a_file_gone_meanwhile_is_no_table(tmp_path: Path) -> None:
    path_of("gone", tmp_path).symlink_to(tmp_path / "nowhere")
    assert list_journals(tmp_path) == list_journals(tmp_path / "none") == []


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


class Whistle(Wire, frozen=True, tag="whistle"):
    """A write that no journal of this format has."""


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
    assert damage_of(path).damage is damage


@pytest.mark.parametrize(
    "contents",
    [
        begin_file(FOUNDED, [])[:10],
        begin_file(FOUNDED, [])[:10] + write_frame([Finish()]),
        begin_file(FOUNDED, expected_steps(3)[1:]),
        begin_file(FOUNDED, []) + write_frame([FOUNDED]),
        begin_file(FOUNDED, expected_steps(2)) + write_frame(expected_steps(3)[:1]),
        begin_file(FOUNDED, [Whistle()]),  # type: ignore[list-item] # Whistle - a later format may have it
    ],
    ids=["nothing", "no founding", "a gap", "two foundings", "a step twice", "none of ours"],
)
def test_frames_that_make_no_table_are_damaged(path: Path, contents: bytes) -> None:
    path.write_bytes(contents)
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


# The writer: a journal beside an event loop.


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
async def keeping(path: Path, *, saved: int = 0) -> AsyncIterator[Keeping]:
    """A writer that has `saved` this many steps."""
    kept = Keeping(resume_or_create(path))
    try:
        for number in range(1, saved + 1):
            kept.write_steps(number)
            await kept.has_saved(number)
        yield kept
    finally:
        await kept.writer.close()


@pytest.fixture(autouse=True)
def quick_retry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("net.server.journal.WRITE_RETRY_S", 0.01)


async def test_steps_that_come_while_a_commit_runs_share_the_next(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("net.server.journal.QUICK_S", 0.0)  # as on a slow disk
    async with keeping(path) as kept:
        syncs: list[object] = []
        monkeypatch.setattr("net.server.journal.sync", syncs.append)
        kept.write_steps(1)
        await until(lambda: kept.writer._committing == 1)
        for number in range(2, 101):
            kept.write_steps(number)
        await kept.has_saved(100)
    assert len(syncs) == 2
    assert kept.written == [*range(1, 101)]
    assert kept.told == []
    assert steps(path) == expected_steps(100)


async def test_once_the_disk_was_quick_a_step_is_on_it_when_write_returns_until_it_was_slow(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("net.server.journal.QUICK_S", 60.0)
    async with keeping(path, saved=1) as kept:
        kept.write_steps(2)
        assert [step.number for step in read_contents(path).steps] == [1, 2]
        assert kept.written == [1, 2]
        monkeypatch.setattr("net.server.journal.QUICK_S", 0.0)
        kept.write_steps(3)  # in the loop, but not quick: the next one is the thread's
        kept.write_steps(4)
        assert kept.written == [1, 2, 3]
        await kept.has_saved(4)
    assert steps(path) == expected_steps(4)


@POSIX
async def test_a_quick_disk_that_fails_is_tried_again_as_any_other(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("net.server.journal.QUICK_S", 60.0)
    async with keeping(path, saved=1) as kept:
        with no_file_beyond(0):
            kept.write_steps(2)
            assert kept.written == [1]
            await kept.is_told(DiskStatus.FULL)
        kept.write_steps(3)
        await kept.has_saved(3)
    assert steps(path) == expected_steps(3)


@pytest.mark.parametrize(
    ("error", "disk"),
    [
        (errno.ENOSPC, DiskStatus.FULL),
        (errno.EFBIG, DiskStatus.FULL),
        (errno.EDQUOT, DiskStatus.QUOTA),
        (errno.EROFS, DiskStatus.READ_ONLY),
        (errno.ESTALE, DiskStatus.CUT_OFF),
        (errno.EIO, DiskStatus.FAULTY),
        (errno.EACCES, DiskStatus.OTHER),
    ],
)
async def test_why_the_journal_cannot_be_written_is_told(
    path: Path, monkeypatch: pytest.MonkeyPatch, error: int, disk: DiskStatus
) -> None:
    failing = errno.ENOSPC if disk is DiskStatus.OTHER else errno.EACCES

    def fail(_: object) -> None:
        raise OSError(failing, "no")

    async with keeping(path) as kept:
        with monkeypatch.context() as broken:
            broken.setattr("net.server.journal.sync", fail)
            kept.write_steps(1)
            await until(lambda: len(kept.told) == 1)
            failing = error
            await until(lambda: len(kept.told) == 2)
        await kept.has_saved(1)
        await until(lambda: kept.told[1:] == [disk, DiskStatus.OK])
    assert steps(path) == expected_steps(1)


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
    async with keeping(path, saved=1) as kept:
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
    async with keeping(path, saved=1) as kept:
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


@pytest.mark.level("broad")
@POSIX
def test_a_journal_that_is_deleted_while_it_is_open_is_written_no_more(path: Path) -> None:
    aside = path.with_name("aside")
    with create(path) as journal:
        append(journal, 1, payload(1))
        path.rename(aside)
        with pytest.raises(JournalUnwritable) as caught:
            append(journal, 2, payload(2))
        assert caught.value.error.errno == errno.ENOENT
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
        assert caught.value.error.errno == errno.EFBIG
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
