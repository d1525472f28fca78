"""Files that are no whole journal: cut off, altered, of somebody else, or newer than we are."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from net.protocol.framing import Wire
from net.server.journal import Journal, list_journals
from net.server.journal_format import (
    FORMAT,
    MAGIC,
    Damage,
    Finish,
    Founded,
    JournalBroken,
    begin_file,
    write_frame,
)
from tests.net.server.journal_tools import append, create, expected_steps, quick_folder, steps


@pytest.fixture
def path() -> Iterator[Path]:
    with quick_folder() as folder:
        yield folder / "mine.table"


def damage_of(path: Path) -> JournalBroken:
    with pytest.raises(JournalBroken) as caught:
        Journal.open(path)
    return caught.value


FOUNDED = Founded("mine", "Mine", 0.0)


def with_steps(path: Path, count: int) -> tuple[bytes, list[int]]:
    """Make a journal of so many steps; return its bytes, and its size after each commit."""
    sizes = []
    with create(path) as journal:
        for step in expected_steps(count):
            sizes.append(path.stat().st_size)
            append(journal, step.number, step.payload)
    return path.read_bytes(), [*sizes, path.stat().st_size]


@pytest.mark.parametrize(
    "contents", [b"", b"x", MAGIC, b"SQLite format 3\0", b"Saboteur " * 1000, bytes(9000)]
)
def test_a_file_of_something_else_is_no_journal_and_stays_as_it_is(
    path: Path, contents: bytes
) -> None:
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
def test_what_a_loss_of_power_leaves_behind_the_last_commit_is_cut_off(
    path: Path, left: bytes
) -> None:
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
