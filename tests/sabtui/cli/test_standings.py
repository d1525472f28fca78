"""`sabtui standings` counts the games of the library."""

from pathlib import Path

import pytest

from engine.notation import format_record
from sabtui.after.library import show_standings
from sabtui.app.errors import UserError
from tests.sabtui.games import game_record


def test_the_games_of_the_folder_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, names in enumerate((("Ana", "Bruno", "Chi"), ("Annie", "Bruno", "Dora"))):
        text = format_record(game_record(number, names))
        (tmp_path / f"{number}.sab").write_text(text, encoding="utf-8")
    assert show_standings(tmp_path) == 0
    said = capsys.readouterr()
    assert not said.err
    counted, _blank, _header, *rows = said.out.splitlines()
    assert counted == "2 finished games."
    assert sorted(row.split()[0] for row in rows) == ["Ana", "Annie", "Bruno", "Chi", "Dora"]


def test_a_library_that_cannot_be_opened_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="Cannot write"):
        show_standings(tmp_path / "file" / "folder")
