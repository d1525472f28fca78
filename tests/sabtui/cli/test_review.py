"""`sabtui review` reviews a game."""

from pathlib import Path

import pytest

from engine.bots.review import Effort
from engine.notation import format_record
from sabtui.after.review import show_review
from sabtui.cli.main import main
from tests.sabtui.games import game_record

LITTLE = Effort(1, 6, 6)
TEXT = format_record(game_record(6))


def test_a_game_is_reviewed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.sab"
    file.write_text(TEXT, encoding="utf-8")
    assert show_review(str(file), LITTLE) == 0
    told = capsys.readouterr()
    assert "Round 1" in told.out
    assert "%" not in told.out
    assert told.err == "", "no progress but on a terminal"


def test_what_cannot_be_reviewed_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", "nowhere.sab"]) == 1
    assert capsys.readouterr().err.startswith("sabtui: Cannot read nowhere.sab")
