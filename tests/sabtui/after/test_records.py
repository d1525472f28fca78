"""`sabtui record FILE`: who dealt, played and won, or one line that says what is wrong with it."""

import io
import sys
from pathlib import Path

import pytest

from engine.dealing import Draw, SeedShare
from engine.notation import Record, format_record
from sabtui.after.library import date_words
from sabtui.after.replays import show
from sabtui.app.files import keep_picture, seconds_of
from sabtui.cli.main import main
from tests.engine.notation.games import forge
from tests.net.server.journal_tools import no_file_beyond

RECORDS = Path(__file__).parents[2] / "data" / "records"


def show_right(name: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Show a record that is right, and take the lines printed."""
    assert show(str(RECORDS / f"{name}.sab")) == 0
    told = capsys.readouterr()
    assert told.err == ""
    return told.out.splitlines()


def show_wrong(path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Try to show a record that is wrong, and take the one line of complaint."""
    assert main(["record", str(path)]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert told.err.rstrip("\n").isprintable()
    return told.err


def test_of_a_whole_record_it_is_told_who_played_and_won(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = show_right("whole", capsys)
    assert lines[0] == "All cards open. All checksums match."
    assert lines[1] == "Edition Italy 2004, 5 players, rounds: 2."
    assert '   3 Chi"ara' in lines
    assert 'Place: Club "Gold"' in lines
    assert lines[-2:] == [
        "",
        'Gold: Anna 4, Bruno 7, Chi"ara 3, Dédé \\ 0, Eve 0. Bruno wins the game.',
    ]
    assert max(map(len, lines)) < 80


def test_tags_have_labels_in_the_readers_language_and_those_for_programs_are_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tags = (
        ("Date", "2026-11-26T20:15:30"),
        ("Table", "Gold Rush"),
        ("Colours", "1,2,3"),
        ("Kept", "1 - 0123456789abcdef"),
        ("Weather", "rain"),
    )
    path = tmp_path / "kept.sab"
    record = Record(("Ana", "Bruno", "Chiara"), extra=tags).add_round(bytes(32))
    path.write_text(format_record(record), encoding="utf-8")
    assert main(["record", str(path), "--language", "es_AR"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if "2026" in line] == ["Fecha: 2026-11-26 20:15"]
    assert "Mesa: Gold Rush" in lines
    assert "Weather: rain" in lines, "as another program wrote it"
    assert not [line for line in lines if "Kept" in line or "Colours" in line]


def test_a_hostile_name_is_cut_as_everywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    marks = "\u0301" * 50
    path = tmp_path / "kept.sab"
    extra = (("Table", f"G{marks}"),)
    record = Record((f"A{marks}", "Bruno", "Chiara"), extra=extra).add_round(bytes(32))
    path.write_text(format_record(record), encoding="utf-8")
    assert show(str(path)) == 0
    assert "\u0301" * 3 not in capsys.readouterr().out


def test_a_date_is_shown_in_the_readers_time_zone_as_in_the_list_of_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for date in ("2026-11-26T20:15:30+13:00", "2026-11-25T20:15:30-11:00"):
        path = tmp_path / "kept.sab"
        record = Record(("Ana", "Bruno", "Chiara"), extra=(("Date", date),)).add_round(bytes(32))
        path.write_text(format_record(record), encoding="utf-8")
        assert main(["record", str(path)]) == 0
        shown = f"Date: {date_words(seconds_of(date, 0))}"
        assert shown in capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("date", ["one evening", "0001-01-01T00:00:00+14:00"])
def test_a_date_that_is_none_is_shown_as_it_is(
    date: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "kept.sab"
    tags = (("Date", date),)
    record = Record(("Ana", "Bruno", "Chiara"), extra=tags).add_round(bytes(32))
    path.write_text(format_record(record), encoding="utf-8")
    assert main(["record", str(path)]) == 0
    assert f"Date: {date}" in capsys.readouterr().out.splitlines()


def test_a_record_of_a_game_drawn_by_all_says_who_dealt_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ana, bruno = SeedShare("Ana", b"a" * 32), SeedShare("Bruno", b"b" * 32)
    record = Record(("Ana", "Bruno", "Chiara")).add_round(
        Draw(bytes(16), ana, (bruno, SeedShare("Chiara")))
    )
    path = tmp_path / "drawn.sab"
    path.write_text(format_record(record), encoding="utf-8")
    assert show(str(path)) == 0
    assert capsys.readouterr().out.splitlines()[1:3] == [
        "Dealt by Ana and Bruno together: checked.",
        "Round 1 was dealt without Chiara.",
    ]
    path.write_text(forge(format_record(record), bruno.share.hex(), "00" * 32), encoding="utf-8")
    assert "this does not follow from the rest" in show_wrong(path, capsys)


def test_the_record_of_a_seat_or_a_watcher_says_whose_it_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert show_right("seat_2", capsys)[0] == "As Bruno saw it. All checksums match."
    lines = show_right("begun_watched", capsys)
    assert lines[0] == "As a watcher saw it. All checksums match."
    assert lines[-1] == "Not finished."


def test_a_spoilt_record_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a\x1b[31m.sab"
    data = (RECORDS / "whole.sab").read_bytes()
    path.write_bytes(data.replace(b"NESW@1 ", b"NESW@2 ", 1))
    complaint = show_wrong(path, capsys)
    assert "not a valid record: line 14, column" in complaint
    path.write_bytes(data[:-40])
    assert "line 42" in show_wrong(path, capsys)
    for other in (b"\x1b]0;\xff" * 1_000_000, b"root:x:0:0:root\n", b""):
        path.write_bytes(other)
        assert ".sab is not a record of Sabtui." in show_wrong(path, capsys)


def test_a_file_that_cannot_be_read_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    complaint = show_wrong(tmp_path / "none.sab", capsys)
    assert "none.sab: No such file or directory; give the path of a .sab file" in complaint
    show_wrong(tmp_path, capsys)


def test_what_a_terminal_has_no_letter_for_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", out)
    assert show(str(RECORDS / "whole.sab")) == 0
    out.seek(0)
    assert "D\\xe9d\\xe9" in out.read()


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "Cannot write " in keep_picture(b"a picture", "Gold", tmp_path / "file" / "records")


def test_a_picture_that_is_saved_again_at_once_is_saved(tmp_path: Path) -> None:
    said = {keep_picture(b"a picture", "Gold Rush", tmp_path) for _again in range(3)}
    assert all(one.startswith("Saved") for one in said), "a key that is held comes again"


@pytest.mark.skipif(sys.platform == "win32", reason="no limit of the size of files")
def test_what_the_disk_has_no_room_for_leaves_no_half_and_can_be_saved_again(
    tmp_path: Path,
) -> None:
    with no_file_beyond(1000):
        assert keep_picture(bytes(2000), "Gold Rush", tmp_path).startswith("Cannot write")
    assert not list(tmp_path.iterdir())
    assert keep_picture(bytes(2000), "Gold Rush", tmp_path).startswith("Saved")
