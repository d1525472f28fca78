"""`sabtui review` reviews a game, and what it worked out is kept."""

import signal
from pathlib import Path

import pytest

from engine.bots.review import Effort
from engine.notation import format_record
from sabtui.after.cli import show_review
from sabtui.cli.main import main
from tests.sabtui.games import game_record

LITTLE = Effort(1, 6, 6)
TEXT = format_record(game_record(6))


def test_a_game_is_reviewed_and_the_review_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.sab"
    file.write_text(TEXT, encoding="utf-8")
    assert show_review(str(file), tmp_path / "library", LITTLE) == 0
    first = capsys.readouterr()
    assert "Round 1" in first.out
    assert "%" not in first.out
    assert first.err == "", "no progress but on a terminal"
    (kept,) = (tmp_path / "library" / "reviews").iterdir()
    whole = kept.read_bytes()
    assert show_review(str(file), tmp_path / "library", LITTLE) == 0
    assert capsys.readouterr() == first
    assert kept.read_bytes() == whole


def test_without_a_library_it_is_worked_out_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.sab"
    file.write_text(TEXT, encoding="utf-8")
    assert show_review(str(file), file / "no folder", LITTLE) == 0
    assert "Round 1" in capsys.readouterr().out


def test_an_interrupt_keeps_the_steps_that_are_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "game.sab"
    file.write_text(TEXT, encoding="utf-8")
    before = signal.getsignal(signal.SIGINT)  # ignored, where the tests run in the background

    def interrupt(text: str, done: int, steps: int) -> None:
        del text, steps
        if done == 3:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("sabtui.after.cli._show_progress", interrupt)
    with pytest.raises(KeyboardInterrupt):
        show_review(str(file), tmp_path, LITTLE)
    assert capsys.readouterr().out == ""
    assert [*(tmp_path / "reviews").iterdir()]
    assert signal.getsignal(signal.SIGINT) is before


def test_what_cannot_be_reviewed_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", "nowhere.sab"]) == 1
    assert capsys.readouterr().err.startswith("sabtui: Cannot read nowhere.sab")
