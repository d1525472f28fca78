"""The library of games: its index follows from the files, whatever becomes of the index."""

import os
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from engine.notation import Record, format_record, parse_record
from engine.notation.record_parser import parse_summary
from sabtui.after.library import INDEX_NAME, IndexedGame, Library, open_index
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


@pytest.fixture
def library(folder: Path) -> Iterator[Library]:
    """The library of that folder, up to date."""
    opened = Library(folder, "Bruno")
    opened.refresh()
    yield opened
    opened.close()


def by_file(library: Library) -> dict[str, IndexedGame]:
    return {game.file: game for game in library.games()}


def test_the_index_has_every_game_with_its_people_roles_and_gold(library: Library) -> None:
    games = by_file(library)
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
    assert (whole.winners, whole.first, whole.is_over) == ("ms", (1,), True)
    assert (whole.edition, whole.rounds, whole.seen) == ("italia", 2, None)
    assert games["seat_2.sab"].seen == 1
    assert games["watched.sab"].seen == -1
    begun = games["begun.sab"]
    assert (begun.is_over, begun.first, begun.winners) == (False, (), "")
    assert [player.gold for player in begun.players] == [None, None, None]


def test_games_come_newest_first_by_the_date_that_is_written_in_them(folder: Path) -> None:
    for number, day in enumerate(("2026-03-01", "2026-05-01", "2026-04-01")):
        date = ("Date", f"{day}T20:00:00+00:00")
        record = Record((f"A{number}", "B", "C"), seed=bytes(32), extra=(date,))
        path = folder / f"{number}.sab"
        path.write_text(format_record(record), encoding="utf-8")
        os.utime(path, (0, 0))
    library = Library(folder)
    library.refresh()
    names = [game.players[0].name for game in library.games()]
    assert [name for name in names if name in ("A0", "A1", "A2")] == ["A1", "A2", "A0"]
    library.close()


def test_a_file_that_comes_goes_or_changes_is_followed(library: Library, folder: Path) -> None:
    before = len(library.games())
    assert library.refresh().added == 0
    (folder / "new.sab").write_bytes(
        format_record(Record(("X", "Y", "Z"), seed=bytes(32))).encode()
    )
    assert library.refresh().added == 1
    (folder / "new.sab").write_bytes(
        format_record(Record(("X2", "Y", "Z"), seed=bytes(32))).encode()
    )
    library.refresh()
    assert len(library.games()) == before + 1
    assert by_file(library)["new.sab"].players[0].name == "X2"
    (folder / "new.sab").unlink()
    assert library.refresh().removed == 1
    assert len(library.games()) == before


def test_a_game_in_two_files_is_one_game_until_both_are_gone(
    library: Library, folder: Path
) -> None:
    count = len(library.games())
    (folder / "copy.sab").write_bytes(tag_record(("Place", "elsewhere")))
    assert library.refresh().added == 0
    assert len(library.games()) == count
    (folder / "whole.sab").unlink()
    library.refresh()
    assert by_file(library)["copy.sab"].id == parse_summary(WHOLE).id
    (folder / "copy.sab").unlink()
    library.refresh()
    assert len(library.games()) == count - 1


def test_ones_own_seat_is_known_by_who_kept_the_file_else_by_name(folder: Path) -> None:
    ours = Kept.by(keeper_of(folder), parse_summary(WHOLE).id, 3).text
    (folder / "whole.sab").write_bytes(tag_record(("Kept", ours)))
    library = Library(folder, "bruno")
    library.refresh()
    game = by_file(library)["whole.sab"]
    assert game.my_seat == 3
    assert game.is_checked
    theirs = Kept.by("0" * 32, parse_summary(WHOLE).id, 3).text
    (folder / "whole.sab").write_bytes(tag_record(("Kept", theirs)))
    library.refresh()
    game = by_file(library)["whole.sab"]
    assert game.my_seat == 1, "of the name Bruno"
    assert not game.is_checked
    watched = Kept.by(keeper_of(folder), parse_summary(WHOLE).id, None).text
    (folder / "whole.sab").write_bytes(tag_record(("Kept", watched)))
    library.refresh()
    game = by_file(library)["whole.sab"]
    assert (game.my_seat, game.is_checked) == (None, True)
    library.close()


def test_a_made_up_game_is_not_checked_though_it_has_the_proof_of_another(folder: Path) -> None:
    ours = Kept.by(keeper_of(folder), parse_summary(WHOLE).id, 1).text
    (folder / "whole.sab").write_bytes(tag_record(("Kept", ours)))
    made_up = Record(("Anna", "Bruno", "Eve"), seed=bytes(32), extra=(("Kept", ours),))
    (folder / "made_up.sab").write_text(format_record(made_up), encoding="utf-8")
    library = Library(folder)
    library.refresh()
    games = by_file(library)
    assert (games["whole.sab"].is_checked, games["made_up.sab"].is_checked) == (True, False)
    library.close()


def test_a_game_whose_record_disagreed_with_what_was_seen_is_not_checked(folder: Path) -> None:
    disputed = Kept.by(keeper_of(folder), parse_summary(WHOLE).id, 3, agrees=False).text
    (folder / "whole.sab").write_bytes(tag_record(("Kept", disputed)))
    library = Library(folder, "Bruno")
    library.refresh()
    game = by_file(library)["whole.sab"]
    assert (game.my_seat, game.is_checked) == (3, False)
    library.close()


def test_of_two_files_of_a_game_the_one_that_was_kept_here_counts(folder: Path) -> None:
    ours = Kept.by(keeper_of(folder), parse_summary(WHOLE).id, None).text
    library = Library(folder)
    library.refresh()
    assert not by_file(library)["whole.sab"].is_checked
    (folder / "zz.sab").write_bytes(tag_record(("Kept", ours)))
    library.refresh()
    assert by_file(library)["zz.sab"].is_checked
    library.close()


@pytest.mark.parametrize("text", ["", "x", "9 - a", "1", "- - a b", "0 - a", "1 a b c"])
def test_a_tag_of_another_form_says_nothing_of_who_kept_a_file(text: str) -> None:
    found = Kept.read(text, 3)
    assert found is None or found.proof == ""


def test_files_that_are_no_records_are_told_and_do_not_keep_the_others_from_the_list(
    library: Library, folder: Path
) -> None:
    count = len(library.games())
    (folder / "broken.sab").write_bytes(WHOLE.replace(b"Eve", b"Eva"))
    (folder / "huge.sab").write_bytes(b"{" + b"x" * (1 << 20) + b"}" + WHOLE)
    (folder / "binary.sab").write_bytes(bytes(range(256)))
    (folder / "folder.sab").mkdir()
    problems = dict(library.refresh().problems)
    assert sorted(problems) == ["binary.sab", "broken.sab", "huge.sab"]
    assert all(problem.isprintable() and problem for problem in problems.values())
    assert "checksum" in problems["broken.sab"]
    assert len(library.games()) == count
    assert dict(library.problems()) == problems
    (folder / "broken.sab").unlink()
    assert "broken.sab" not in dict(library.refresh().problems)


@pytest.mark.parametrize("damage", [b"", b"no database", None])
def test_an_index_that_is_lost_or_damaged_is_made_again(
    library: Library, folder: Path, damage: bytes | None
) -> None:
    games = library.games()
    library.close()
    index = folder / INDEX_NAME
    if damage is None:
        index.unlink()
    else:
        index.write_bytes(damage)
    again = Library(folder, "Bruno")
    again.refresh()
    assert again.games() == games
    again.close()


def test_an_index_of_another_version_is_made_again(library: Library, folder: Path) -> None:
    games = library.games()
    library.close()
    other = sqlite3.connect(folder / INDEX_NAME)
    other.execute("PRAGMA user_version=99")
    other.execute("DROP TABLE games")
    other.commit()
    other.close()
    again = Library(folder, "Bruno")
    again.refresh()
    assert again.games() == games
    again.close()


def test_an_index_that_another_program_writes_for_long_is_left_as_it_is(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sabtui.after.library.BUSY_TIMEOUT_S", 0.01)
    game = library.games()[0].id
    library.store_analysis(game, "review", b"kept")
    library.close()
    other = sqlite3.connect(folder / INDEX_NAME)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(OSError, match="locked"):
        Library(folder, "Bruno")
    other.close()
    again = Library(folder, "Bruno")
    assert again.analysis(game, "review") == b"kept"
    again.close()


def test_an_index_that_two_programs_make_at_once_is_made_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = sqlite3.connect

    class Late(sqlite3.Connection):
        """A connection before whose first script another program has made the index."""

        def executescript(self, script: str, /) -> sqlite3.Cursor:
            with closing(connect(folder / INDEX_NAME)) as other:
                other.executescript(script)
                other.execute("INSERT INTO analyses VALUES ('game', 'review', x'07')")
                other.commit()
            return super().executescript(script)

    monkeypatch.setattr("sqlite3.connect", lambda path, **how: connect(path, factory=Late, **how))
    with closing(open_index(folder)) as index:
        assert index.execute("SELECT data FROM analyses").fetchall() == [(b"\x07",)]


def test_what_was_worked_out_of_a_game_survives_a_rebuild(library: Library) -> None:
    game = library.games()[0].id
    assert library.analysis(game, "review") is None
    library.store_analysis(game, "review", b"first")
    library.store_analysis(game, "review", b"second")
    before = library.games()
    assert library.rebuild().added == len(before)
    assert library.games() == before
    assert library.analysis(game, "review") == b"second"
    assert library.analysis(game, "other") is None


def test_a_rebuild_tells_how_far_it_is_and_can_be_stopped_and_taken_up_again(
    library: Library, folder: Path
) -> None:
    for number in range(230):
        record = Record((f"A{number}", "B", "C"), seed=bytes(32))
        (folder / f"{number}.sab").write_text(format_record(record), encoding="utf-8")
    told: list[tuple[int, int]] = []

    def tell(done: int, of: int) -> bool:
        told.append((done, of))
        return True

    assert not library.rebuild(tell).is_stopped
    every = len(library.games())
    files = len(list(folder.glob("*.sab")))
    assert told == [(0, files), (100, files), (200, files), (files, files)]
    assert library.rebuild(lambda done, _of: done < 100).is_stopped
    assert len(library.games()) < every
    library.refresh()
    assert len(library.games()) == every


def test_an_id_of_a_library_is_made_once(folder: Path) -> None:
    first = keeper_of(folder)
    assert first is not None
    assert keeper_of(folder) == first


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
    Library(tmp_path / "new" / "records").close()
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700
    for file in (tmp_path / "new" / "records").iterdir():
        assert file.stat().st_mode & 0o777 == 0o600
