"""Files that are no whole journal: cut off, altered, of somebody else, or newer than we are."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from net.server.journal import Journal
from net.server.journal_errors import Damage, JournalBroken, JournalUnwritable, Obstacle
from net.server.journal_listing import list_journals
from tests.net.server.journal_tools import (
    POSIX,
    create,
    expected_steps,
    list_folder,
    quick_folder,
    run,
    steps,
)


@pytest.fixture
def path() -> Iterator[Path]:
    with quick_folder() as folder:
        yield folder / "mine.table"


def damage_of(path: Path) -> JournalBroken:
    with pytest.raises(JournalBroken) as caught:
        Journal.open(path)
    return caught.value


@pytest.mark.parametrize(
    "contents", [b"", b"x", b"SQLite format 3\0", b"Saboteur " * 1000, bytes(9000)]
)
def test_a_file_that_is_no_database_is_no_journal_and_stays_as_it_is(
    path: Path, contents: bytes
) -> None:
    path.write_bytes(contents)
    assert damage_of(path).damage is Damage.NOT_A_JOURNAL
    assert path.read_bytes() == contents
    assert list_folder(path.parent) == [path.name]


def test_a_file_whose_very_error_cannot_be_read_is_damaged(path: Path) -> None:
    create(path).close()
    whole = path.read_bytes()
    at = whole.index(b"steps")  # the name of a table, which SQLite's error quotes
    path.write_bytes(whole[:at] + b"\xff" + whole[at + 1 :])
    assert damage_of(path).damage is Damage.DAMAGED


@pytest.mark.parametrize(
    ("change", "damage", "number"),
    [
        ("PRAGMA application_id=7", Damage.NOT_A_JOURNAL, None),
        ("PRAGMA user_version=5", Damage.NEWER_FORMAT, 5),
        ("PRAGMA user_version=3", Damage.OLDER_FORMAT, 3),
        ("PRAGMA user_version=1", Damage.OLDER_FORMAT, 1),
        ("PRAGMA user_version=0", Damage.DAMAGED, None),
        ("CREATE TABLE more (key)", Damage.DAMAGED, None),
        ("DROP TABLE kept", Damage.DAMAGED, None),
        ("DELETE FROM header WHERE key='name'", Damage.DAMAGED, None),
        ("UPDATE header SET value='Anna' WHERE key='name'", Damage.DAMAGED, None),
        ("UPDATE header SET value=x'41' WHERE key='name'", Damage.DAMAGED, None),
        ("UPDATE kept SET value=x'41'", Damage.DAMAGED, None),
        ("UPDATE steps SET digest=x'41' WHERE key=9", Damage.DAMAGED, None),
        ("UPDATE steps SET key=key+1 WHERE key=20", Damage.DAMAGED, None),
        ("DELETE FROM steps WHERE key IN (4, 7)", Damage.STEPS_MISSING, 4),
        ("DELETE FROM steps WHERE key=1", Damage.STEPS_MISSING, 1),
    ],
)
def test_a_journal_that_somebody_changed_says_how(
    path: Path, change: str, damage: Damage, number: int | None
) -> None:
    with create(path) as journal:
        journal.commit(expected_steps(20))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(change)
    broken = damage_of(path)
    assert (broken.damage, broken.number) == (damage, number)


def test_a_journal_cut_off_anywhere_is_broken(path: Path) -> None:
    with create(path) as journal:
        journal.commit(expected_steps(60))
    whole = path.read_bytes()
    rng = Random(7341)
    pages = range(0, len(whole), 4096)
    for length in {*pages, 1, 99, 100, 511, 512, *(rng.randrange(len(whole)) for _ in range(30))}:
        path.write_bytes(whole[:length])
        assert damage_of(path).damage in {Damage.NOT_A_JOURNAL, Damage.DAMAGED}, length
        list_journals(path.parent)


def test_a_journal_with_any_byte_changed_is_broken_or_the_same(path: Path) -> None:
    with create(path) as journal:
        journal.commit(expected_steps(40))
    whole = path.read_bytes()
    rng = Random(7341)
    broken = 0
    # In the 19th byte SQLite finds who may write; the 3830th makes it quote what is no UTF-8.
    chosen = [(at, rng.randrange(1, 256)) for at in range(100)] + [(18, 64), (3829, 137)]
    for at, change in chosen + [(rng.randrange(len(whole)), 1 << n % 8) for n in range(150)]:
        path.write_bytes(whole[:at] + bytes([whole[at] ^ change]) + whole[at + 1 :])
        list_journals(path.parent)
        try:
            with Journal.open(path) as journal:
                assert journal.steps() == expected_steps(40), (at, change)
                assert len(journal.read_kept()) == 2, (at, change)
        except JournalBroken:
            broken += 1
        except JournalUnwritable as unwritable:
            assert (at, unwritable.obstacle) == (18, Obstacle.READ_ONLY)  # noqa: PT017 - either
    assert broken > 60


@POSIX
def test_a_log_with_any_byte_changed_loses_no_step_in_silence_but_the_last(path: Path) -> None:
    killed = path.with_name("killed.table")
    run("abandon", killed, 30)
    file, log = killed.read_bytes(), killed.with_name("killed.table-wal").read_bytes()
    rng = Random(7341)
    broken = 0
    for at in [*range(32), *(rng.randrange(len(log)) for _ in range(75))]:
        path.write_bytes(file)
        changed = log[:at] + bytes([log[at] ^ rng.randrange(1, 256)]) + log[at + 1 :]
        path.with_name("mine.table-wal").write_bytes(changed)
        try:
            found = steps(path)
        except JournalBroken:
            broken += 1
            assert path.with_name("mine.table-wal").read_bytes() == changed, "left as it is"
        else:
            assert len(found) >= 29, at
            assert found == expected_steps(len(found))
    assert broken > 60


@POSIX
def test_a_log_cut_off_by_a_crash_gives_the_steps_before(path: Path) -> None:
    killed = path.with_name("killed.table")
    run("abandon", killed, 30)
    file, log = killed.read_bytes(), killed.with_name("killed.table-wal").read_bytes()
    counts = []
    for length in (*range(0, len(log), 2060), len(log)):
        path.write_bytes(file)
        path.with_name("mine.table-wal").write_bytes(log[:length])
        found = steps(path)
        assert found == expected_steps(len(found))
        counts.append(len(found))
    assert counts == sorted(counts)
    assert (counts[0], counts[-1]) == (0, 30)
