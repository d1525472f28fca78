"""The library of games: what its files tell, and the standings that they count up to."""

import os
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from engine.edition import EDITIONS
from engine.notation import Record, format_record, parse_record
from engine.notation.record_parser import RecordSummary, parse_summary
from sabtui.after.library import KeptGame, count_standings, read_library, standings_lines
from tests.engine.notation.games import RECORDS

WHOLE = (RECORDS / "whole.sab").read_bytes()


def tag_record(*extra: tuple[str, str]) -> bytes:
    """Return the whole record with other tags of its own."""
    record = parse_record(WHOLE)
    assert isinstance(record, Record)
    return format_record(replace(record, extra=extra)).encode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with every record of the tests."""
    records = tmp_path / "records"
    records.mkdir()
    for path in RECORDS.glob("*.sab"):
        shutil.copy(path, records)
    return records


def by_file(folder: Path, name: str = "Bruno") -> dict[str, KeptGame]:
    return {game.file: game for game in read_library(folder, name).games}


def test_a_library_has_every_game_with_its_people_roles_gold_and_ones_own_seat(
    folder: Path,
) -> None:
    os.utime(folder / "begun.sab", (2e9, 2e9))  # another file has the same game
    games = by_file(folder, "bruno")
    whole = games["whole.sab"]
    assert whole.record == parse_summary(WHOLE)
    assert [whole.initials(seat) for seat in range(5)] == ["mS", "mS", "mm", "Sm", "Sm"]
    assert (whole.first, whole.my_seat) == ((1,), 1)
    begun = games["begun.sab"]
    assert (begun.record.nuggets, begun.first) == (None, ())
    for name in ("Fay", ""):
        assert by_file(folder, name)["whole.sab"].my_seat is None


def test_games_come_newest_first_by_their_dates(folder: Path) -> None:
    for number, day in enumerate(("2026-03-01", "2026-05-01", "2026-04-01")):
        date = ("Date", f"{day}T20:00:00+00:00")
        record = Record((f"A{number}", "B", "C"), seed=bytes(32), extra=(date,))
        path = folder / f"{number}.sab"
        path.write_text(format_record(record), encoding="utf-8")
        os.utime(path, (0, 0))
    names = [game.record.names[0] for game in read_library(folder).games]
    assert [name for name in names if name in ("A0", "A1", "A2")] == ["A1", "A2", "A0"]


def test_a_game_in_two_files_is_one_game(folder: Path) -> None:
    count = len(by_file(folder))
    (folder / "copy.sab").write_bytes(tag_record(("Place", "elsewhere")))
    assert len(by_file(folder)) == count
    (folder / "whole.sab").unlink()
    assert by_file(folder)["copy.sab"].record.id == parse_summary(WHOLE).id


def test_files_that_are_no_records_are_told_and_do_not_keep_the_others_from_the_list(
    folder: Path,
) -> None:
    count = len(by_file(folder))
    (folder / "broken.sab").write_bytes(WHOLE.replace(b"Eve", b"Eva"))
    (folder / "huge.sab").write_bytes(b"{" + b"x" * (1 << 20) + b"}" + WHOLE)
    (folder / "binary.sab").write_bytes(bytes(range(256)))
    (folder / "folder.sab").mkdir()
    library = read_library(folder)
    assert sorted(library.broken) == ["binary.sab", "broken.sab", "huge.sab"]
    assert len(library.games) == count


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
def test_a_library_is_for_its_user_alone(tmp_path: Path) -> None:
    read_library(tmp_path / "new" / "records")
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700
    for file in (tmp_path / "new" / "records").iterdir():
        assert file.stat().st_mode & 0o777 == 0o600


def game(*players: tuple[str, int], day: int = 0, me: int | None = None) -> KeptGame:
    """A finished game: everybody's name and gold."""
    names, gold = zip(*players, strict=True)
    record = RecordSummary(f"{day:032}", names, EDITIONS["international"], 1, None, gold, (), ())
    return KeptGame(f"{day}.sab", float(day), "", me, record)


FIRST = game(("Ana", 4), ("Bruno", 1), ("Chi", 1))
SECOND = game(("ana", 2), ("Bruno", 5), ("Dora", 5), day=1, me=1)


def test_everybody_is_counted_by_name_whatever_its_case_most_gold_first() -> None:
    assert count_standings([FIRST, SECOND]) == (
        ("Ana", 6, 1, 2),
        ("Bruno", 6, 1, 2),
        ("Dora", 5, 1, 1),
        ("Chi", 1, 0, 1),
    )


def test_bots_do_not_stand_among_people_but_whoever_has_a_bots_name_does() -> None:
    mixed = game(("Norri 2", 0), ("Ana", 3), ("Norri", 2))
    assert [row.name for row in count_standings([mixed])] == ["Ana"]
    assert [row.name for row in count_standings([replace(mixed, my_seat=2)])] == ["Ana", "Norri"]


def test_games_that_are_not_over_count_for_nothing() -> None:
    others = [replace(FIRST, record=replace(FIRST.record, nuggets=None))]
    assert standings_lines(others) == standings_lines([]) == ["0 finished games."]
    counted, _blank, header, *rows = standings_lines([FIRST, *others])
    assert counted == "1 finished game."
    assert header.split() == ["name", "gold", "won", "games"]
    assert [row.split() for row in rows] == [
        ["Ana", "4", "1", "1"],
        ["Bruno", "1", "0", "1"],
        ["Chi", "1", "0", "1"],
    ]
