"""The library of games: what its files tell, and who kept them."""

import os
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from engine.notation import Record, format_record, parse_record
from engine.notation.record_parser import parse_summary
from sabtui.after.library import KeptGame, Library
from sabtui.app.files import Kept, keeper_of, keeper_trouble
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


def read_all(folder: Path, name: str = "Bruno") -> Library:
    """Return a library, read."""
    library = Library(folder, name)
    assert [*library.read()] == [*range(1, library.count + 1)]
    return library


def by_file(folder: Path, name: str = "Bruno") -> dict[str, KeptGame]:
    return {game.file: game for game in read_all(folder, name).games}


def test_a_library_has_every_game_with_its_people_roles_and_gold(folder: Path) -> None:
    os.utime(folder / "begun.sab", (2e9, 2e9))  # another file has the same game
    games = by_file(folder)
    whole = games["whole.sab"]
    assert whole.id == parse_summary(WHOLE).id
    assert [player.name for player in whole.players] == [
        "Anna",
        "Bruno",
        'Chi"ara',
        "Dédé \\",
        "Eve",
    ]
    assert [player.roles for player in whole.players] == ["ms", "ms", "mm", "sm", "sm"]
    assert [player.gold for player in whole.players] == [4, 7, 3, 0, 0]
    assert (whole.first, whole.is_over, whole.edition) == ((1,), True, "italia")
    begun = games["begun.sab"]
    assert (begun.is_over, begun.first) == (False, ())
    assert [player.gold for player in begun.players] == [None, None, None]


def test_games_come_newest_first_by_the_date_that_is_written_in_them(folder: Path) -> None:
    for number, day in enumerate(("2026-03-01", "2026-05-01", "2026-04-01")):
        date = ("Date", f"{day}T20:00:00+00:00")
        record = Record((f"A{number}", "B", "C"), seed=bytes(32), extra=(date,))
        path = folder / f"{number}.sab"
        path.write_text(format_record(record), encoding="utf-8")
        os.utime(path, (0, 0))
    names = [game.players[0].name for game in read_all(folder).games]
    assert [name for name in names if name in ("A0", "A1", "A2")] == ["A1", "A2", "A0"]


def test_the_files_written_last_are_read_first(folder: Path) -> None:
    os.utime(folder / "whole.sab", (2e9, 2e9))
    library = Library(folder)
    next(library.read())
    assert [game.file for game in library.games] == ["whole.sab"]


def test_a_game_in_two_files_is_one_game(folder: Path) -> None:
    count = len(by_file(folder))
    (folder / "copy.sab").write_bytes(tag_record(("Place", "elsewhere")))
    assert len(by_file(folder)) == count
    (folder / "whole.sab").unlink()
    assert by_file(folder)["copy.sab"].id == parse_summary(WHOLE).id


def test_ones_own_seat_is_known_by_who_kept_the_file_else_by_name(folder: Path) -> None:
    ours = Kept.by(keeper_of(folder), parse_summary(WHOLE).id, 3).text
    (folder / "whole.sab").write_bytes(tag_record(("Kept", ours)))
    game = by_file(folder, "bruno")["whole.sab"]
    assert game.my_seat == 3
    assert game.is_checked
    theirs = Kept.by("0" * 32, parse_summary(WHOLE).id, 3).text
    (folder / "whole.sab").write_bytes(tag_record(("Kept", theirs)))
    game = by_file(folder, "bruno")["whole.sab"]
    assert game.my_seat == 1, "of the name Bruno"
    assert not game.is_checked
    watched = Kept.by(keeper_of(folder), parse_summary(WHOLE).id, None).text
    (folder / "whole.sab").write_bytes(tag_record(("Kept", watched)))
    game = by_file(folder)["whole.sab"]
    assert (game.my_seat, game.is_checked) == (None, True)


def test_a_made_up_game_is_not_checked_though_it_has_the_proof_of_another(folder: Path) -> None:
    ours = Kept.by(keeper_of(folder), parse_summary(WHOLE).id, 1).text
    (folder / "whole.sab").write_bytes(tag_record(("Kept", ours)))
    made_up = Record(("Anna", "Bruno", "Eve"), seed=bytes(32), extra=(("Kept", ours),))
    (folder / "made_up.sab").write_text(format_record(made_up), encoding="utf-8")
    games = by_file(folder, "")
    assert (games["whole.sab"].is_checked, games["made_up.sab"].is_checked) == (True, False)


def test_a_game_whose_record_disagreed_with_what_was_seen_is_not_checked(folder: Path) -> None:
    disputed = Kept.by(keeper_of(folder), parse_summary(WHOLE).id, 3, agrees=False).text
    (folder / "whole.sab").write_bytes(tag_record(("Kept", disputed)))
    game = by_file(folder)["whole.sab"]
    assert (game.my_seat, game.is_checked) == (3, False)


def test_of_two_files_of_a_game_the_one_that_was_kept_here_counts(folder: Path) -> None:
    ours = Kept.by(keeper_of(folder), parse_summary(WHOLE).id, None).text
    assert not by_file(folder, "")["whole.sab"].is_checked
    for name in ("aa.sab", "zz.sab"):  # read before the other, and after it
        (folder / name).write_bytes(tag_record(("Kept", ours)))
        os.utime(folder / name, (0, 0) if name == "zz.sab" else (2e9, 2e9))
        assert by_file(folder, "")[name].is_checked
        (folder / name).unlink()


@pytest.mark.parametrize("text", ["", "x", "9 - a", "1", "- - a b", "0 - a", "1 a b c"])
def test_a_tag_of_another_form_says_nothing_of_who_kept_a_file(text: str) -> None:
    found = Kept.read(text, 3)
    assert found is None or found.proof == ""


def test_files_that_are_no_records_are_told_and_do_not_keep_the_others_from_the_list(
    folder: Path,
) -> None:
    count = len(by_file(folder))
    (folder / "broken.sab").write_bytes(WHOLE.replace(b"Eve", b"Eva"))
    (folder / "huge.sab").write_bytes(b"{" + b"x" * (1 << 20) + b"}" + WHOLE)
    (folder / "binary.sab").write_bytes(bytes(range(256)))
    (folder / "folder.sab").mkdir()
    library = read_all(folder)
    assert sorted(library.broken) == ["binary.sab", "broken.sab", "huge.sab"]
    assert len(library.games) == count


@pytest.mark.parametrize("damage", [b"", b"\xff", b"a line more\n"], ids=["none", "odd", "more"])
def test_a_secret_that_cannot_be_read_is_told_and_never_replaced(
    folder: Path, damage: bytes
) -> None:
    first = keeper_of(folder)
    assert keeper_trouble(folder) == ""
    file = folder / "keeper"
    whole = file.read_bytes()
    file.write_bytes(damage and whole + damage)
    damaged = file.read_bytes()
    assert keeper_of(folder) is None
    assert f"{file} cannot be read" in keeper_trouble(folder)
    assert file.read_bytes() == damaged
    file.write_bytes(whole)
    assert keeper_of(folder) == first


def test_without_its_secret_a_library_takes_no_game_for_its_own(folder: Path) -> None:
    (folder / "keeper").write_bytes(b"")
    kept = Kept.by(keeper_of(folder), parse_summary(WHOLE).id, 3)
    assert Kept.read(kept.text, 5) == kept
    assert not kept.is_by(None, parse_summary(WHOLE).id, agrees=True)
    forged = Kept.by("", parse_summary(WHOLE).id, 3)
    assert not forged.is_by(keeper_of(folder), parse_summary(WHOLE).id, agrees=True)


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
def test_a_library_is_for_its_user_alone(tmp_path: Path) -> None:
    Library(tmp_path / "new" / "records")
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700
    for file in (tmp_path / "new" / "records").iterdir():
        assert file.stat().st_mode & 0o777 == 0o600
