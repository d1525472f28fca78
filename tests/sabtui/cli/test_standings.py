"""`sabtui standings` counts the games of the library."""

from pathlib import Path

import pytest

from engine.notation import Record, format_record
from sabtui.after.cli import show_standings
from sabtui.app.errors import UserError
from sabtui.cli.args import read
from tests.sabtui.games import game_record, kept_text


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library of two games, of a user who played in neither."""
    monkeypatch.setattr("sabtui.after.cli.player_name", lambda _preferences: "Zoe")
    for number, names in enumerate((("Ana", "Bruno", "Chi"), ("Annie", "Bruno", "Dora"))):
        text = kept_text(game_record(number, names), tmp_path)
        (tmp_path / f"{number}.sab").write_text(text, encoding="utf-8")
    return tmp_path


def print_standings(
    words: list[str], library: Path, capsys: pytest.CaptureFixture[str]
) -> tuple[str, list[str]]:
    """What is printed, and the names in the table."""
    assert show_standings(read(["standings", *words]), library) == 0
    out = capsys.readouterr().out
    table = out.split("\n\n")[1].splitlines()[1:] if "\n\n" in out else []
    return out, sorted(line.split()[0] for line in table)


def test_all_games_are_counted_or_those_that_are_chosen(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, names = print_standings([], library, capsys)
    assert out.startswith("2 finished games.\n")
    assert names == ["Ana", "Annie", "Bruno", "Chi", "Dora"]
    assert print_standings(["Dora"], library, capsys)[1] == ["Annie", "Bruno", "Dora"]
    assert print_standings(["--since", "2999-01-01"], library, capsys)[1] == []
    assert print_standings(["--evening"], library, capsys)[0].startswith("2 finished games.\n")


def test_a_game_that_was_not_finished_begins_no_evening(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("Ana", "Bruno", "Chi")
    begun = Record(names, rounds=3, seed=bytes(32), extra=(("Date", "2999-01-01T20:00:00"),))
    text = kept_text(begun.add_round(), library)
    (library / "begun.sab").write_text(text, encoding="utf-8")
    assert print_standings(["--evening"], library, capsys)[0].startswith("2 finished games.\n")


def test_figures_and_bots_are_shown_if_that_is_wanted(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("Ana", "Norri", "Chi")
    text = kept_text(game_record(9, names), library)
    (library / "bots.sab").write_text(text, encoding="utf-8")
    out, people = print_standings(["Norri"], library, capsys)
    assert people == ["Ana", "Chi"]
    assert "95%" not in out
    out, everybody = print_standings(["Norri", "--numbers"], library, capsys)
    assert everybody == sorted(names)
    assert "95% interval" in out


def test_a_library_that_cannot_be_opened_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="Cannot write"):
        show_standings(read(["standings"]), tmp_path / "file" / "folder")


def test_a_library_whose_secret_cannot_be_read_says_so_and_keeps_it(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (library / "keeper").write_bytes(b"damaged")
    assert show_standings(read(["standings"]), library) == 0
    assert f"{library / 'keeper'} cannot be read." in capsys.readouterr().err
    assert (library / "keeper").read_bytes() == b"damaged"


def test_a_day_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        read(["standings", "--since", "yesterday"])
    assert "is not a day such as 2026-11-22" in capsys.readouterr().err


def test_a_game_that_ones_own_program_did_not_see_does_not_count(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made_up = format_record(game_record(7, ("Eva", "Fay", "Gil")))
    (library / "made_up.sab").write_text(made_up, encoding="utf-8")
    assert show_standings(read(["standings"]), library) == 0
    said = capsys.readouterr()
    assert said.out.startswith("2 finished games.\n")
    assert not said.err
