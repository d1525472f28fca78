"""The pictures of the README are what is seen today, and files that are drawn are drawn first."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.sabtui.tui import screen_pictures
from tests.sabtui.tui.readme_pictures import FOLDER, draw_all
from tests.sabtui.tui.redraw import Drawn, command, put
from tests.sabtui.tui.screen_pictures import SCREENS

MOST_BYTES = 1_500_000


async def test_the_pictures_of_the_readme_are_what_is_seen() -> None:
    kept = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.svg")}
    drawn = await draw_all()
    assert kept.keys() == drawn.keys()
    assert not [name for name in drawn if kept[name] != drawn[name]], "make art draws them"


def test_the_page_on_screens_shows_all_their_pictures_and_they_are_small() -> None:
    drawn = {picture.file for picture in SCREENS}
    kept = {path.name: path.stat().st_size for path in screen_pictures.FOLDER.iterdir()}
    assert kept.keys() == drawn
    page = (FOLDER.parent / "screens.md").read_text(encoding="utf-8")
    assert all(f"(pictures/screens/{name})" in page for name in drawn)
    assert sum(kept.values()) < MOST_BYTES


def test_what_is_drawn_takes_the_place_of_the_old_and_of_nothing_else(tmp_path: Path) -> None:
    put({"a_1.txt": "1", "en/x.txt": "x", "de/x.txt": "x"}, tmp_path)
    put({"b_1.txt": "kept"}, tmp_path)
    put({"a_2.txt": "2", "en/y.txt": "y"}, tmp_path, "a_*.txt", "*/")
    found = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.txt"))
    assert found == ["a_2.txt", "b_1.txt", "en/y.txt"]
    assert not (tmp_path / "de").exists()


def test_where_drawing_fails_nothing_is_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails() -> Drawn:
        raise ZeroDivisionError

    monkeypatch.setattr(sys, "argv", ["pictures.py"])
    put({"a.txt": "old"}, tmp_path)
    with pytest.raises(ZeroDivisionError):
        command(fails, tmp_path, "*.txt")
    assert (tmp_path / "a.txt").read_text() == "old"


def test_arguments_are_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def draw() -> Drawn:
        return {"a.txt": "new"}

    monkeypatch.setattr(sys, "argv", ["pictures.py", "--help"])
    with pytest.raises(SystemExit) as ended:
        command(draw, tmp_path)
    assert ended.value.code == 2
    assert capsys.readouterr().err == "pictures takes no arguments: it draws all anew.\n"
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr(sys, "argv", ["pictures.py"])
    command(draw, tmp_path)
    assert (tmp_path / "a.txt").read_text() == "new"
