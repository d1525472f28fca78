"""The records screen: listed at once, found as one types, opened on the table."""

from __future__ import annotations

import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

import pytest

from engine.notation import Record, format_record, parse_record
from sabtui.after import records_screen
from sabtui.after.library import date_words
from sabtui.after.records_screen import RecordsScreen, StandingsScreen
from sabtui.after.replay_screen import ReplayScreen
from sabtui.after.replays import read_replay
from sabtui.tui.screens.living import BoardPanel, draw_mine
from tests.engine.notation.games import RECORDS
from tests.sabtui.tui.app_fixture import Front, open_app
from tests.sabtui.tui.pictures import resize_to, text_of

WHOLE = (RECORDS / "whole.sab").read_bytes()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of records, with a whole game in it, and one that was not finished."""
    kept = tmp_path / "records"
    kept.mkdir()
    monkeypatch.setattr(records_screen, "records_folder", lambda: kept)
    add(kept, "whole", "2026-05-01T20:00:00")
    shutil.copy(RECORDS / "begun.sab", kept)
    return kept


def add(folder: Path, name: str, date: str) -> None:
    """Put the whole game into the folder, as if kept here."""
    record = parse_record(WHOLE)
    assert isinstance(record, Record)
    extra = (("Date", date), ("Table", "Gold Rush"))
    names = (name.title(), *record.names[1:])
    text = format_record(replace(record, names=names, extra=extra))
    (folder / f"{name}.sab").write_text(text, encoding="utf-8")


class Listing(Front):
    """The app with the records on top."""

    @property
    def games(self) -> RecordsScreen:
        assert isinstance(self.app.screen, RecordsScreen)
        return self.app.screen

    @property
    def rows(self) -> list[str]:
        inside = takewhile(lambda line: line.startswith("│"), self.lines[3:])
        return [line for line in inside if line.strip("│ ")]


@asynccontextmanager
async def list_games(tmp_path: Path, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Listing]:
    async with open_app(tmp_path, size) as front:
        await front.press("c")
        await front.is_on(RecordsScreen)
        listing = Listing(front.app, front.pilot, front.service)
        await front.until(lambda: bool(listing.games.every))
        yield listing


@pytest.mark.usefixtures("folder")
async def test_games_are_listed_with_date_winner_role_and_gold(tmp_path: Path) -> None:
    (tmp_path / "settings").write_text("name = Bruno\nart = lines\n", encoding="utf-8")
    async with list_games(tmp_path) as front:
        whole = next(line for line in front.rows if "2026-05-01" in line)
        assert "20:00" in whole
        assert "you" in whole
        assert re.search(r"mS +7 ", whole)
        assert re.search(r"You +Gold", text_of(front.app))
        assert "Whole, Bruno" in whole
        assert any("not finished" in line for line in front.rows)


async def test_what_is_typed_narrows_the_list_and_escape_shows_all_again(
    folder: Path, tmp_path: Path
) -> None:
    for number in range(5):
        add(folder, f"game{number}", f"2026-06-0{number + 1}T20:00:00")
    async with list_games(tmp_path) as front:
        every = len(front.rows)
        await front.type_in("game3")
        assert len(front.rows) == 1
        await front.press("escape")
        assert len(front.rows) == every
        await front.press("down", "down", "down")
        await front.type_in("RUSH 2026-06")
        assert len(front.rows) == 5
        assert front.games.menu.at == 0
        await front.type_in(" nobody")
        assert "Nothing matches" in front.text
        await front.press("enter")
        assert "Nothing matches" in front.said
        await front.press("escape", "escape")
        await front.sees("quit Sabtui")


async def test_enter_watches_the_game_under_the_cursor_and_back_leads_to_the_list(
    folder: Path, tmp_path: Path
) -> None:
    add(folder, "other", "2026-04-01T20:00:00")
    async with list_games(tmp_path) as front:
        await front.type_in("rush")
        await front.press("down", "enter")
        await front.is_on(ReplayScreen)
        assert "Other" in front.text
        await front.press("q")
        await front.is_on(RecordsScreen)
        assert len(front.rows) == 2, "what was typed is still there"


async def test_a_file_that_was_put_there_is_listed_and_a_broken_one_is_told(
    folder: Path, tmp_path: Path
) -> None:
    (folder / "bad\x1b[31m.sab").write_bytes(WHOLE.replace(b"Eve", b"Eva"))
    async with list_games(tmp_path) as front:
        await front.sees("bad?[31m.sab: not a valid record")
        await front.sees("Whole, Bruno")
        await front.type_in("bad")
        await front.press("enter")
        assert "not a valid record" in front.said
        assert "\x1b" not in front.text


async def test_a_folder_that_cannot_be_made_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(records_screen, "records_folder", lambda: tmp_path / "file" / "records")
    async with open_app(tmp_path) as front:
        await front.press("c")
        await front.until(lambda: "Cannot write" in front.said)
        assert "No saved games yet" in front.text


@pytest.mark.usefixtures("folder")
async def test_a_narrow_list_leaves_out_the_time_of_day(tmp_path: Path) -> None:
    async with list_games(tmp_path) as front:
        assert "2026-05-01 20:00" in front.text
        await resize_to(front.pilot, (60, 18))
        await front.until(lambda: "2026-05-01  " in front.text)
        await resize_to(front.pilot, (120, 40))
        await front.sees("2026-05-01 20:00")


def test_a_date_that_no_clock_can_show_is_a_question_mark() -> None:
    assert date_words(1e30) == "?"


async def test_f4_shows_the_standings_over_the_games_that_count(
    folder: Path, tmp_path: Path
) -> None:
    (folder / "copy.sab").write_bytes((folder / "whole.sab").read_bytes())
    async with list_games(tmp_path) as front:
        assert "F4 standings" in front.lines[-1]
        await front.press("f4")
        await front.sees("1 finished game.")
        rows = [line.strip("│ >").split() for line in front.lines]
        assert ["1", "Bruno", "█" * 20, "7", "1", "1"] in rows, "the longest bar"
        await front.press("escape")
        await front.is_on(RecordsScreen)
        await front.press("escape", "t")
        await front.is_on(StandingsScreen)
        await front.sees("1 finished game.")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("size", [(120, 40), (200, 60)])
async def test_the_bars_of_the_standings_are_as_long_as_the_gold(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with list_games(tmp_path, size) as front:
        await front.press("f4")
        await front.sees("1 finished game.")
        rows = [line.strip("│ >").split() for line in front.lines if "█" in line]
        longest = size[0] - 60 if size[0] < 140 else 80
        assert [len(row[2]) for row in rows] == [round(longest * int(row[3]) / 7) for row in rows]


@pytest.mark.usefixtures("folder")
async def test_a_past_game_shows_its_own_last_mine_and_a_broken_file_none(
    folder: Path, tmp_path: Path
) -> None:
    (folder / "zzz.sab").write_text("no record")
    async with list_games(tmp_path, (120, 40)) as front:
        await front.type_in("gold rush")
        [panel] = front.screen.query(BoardPanel)
        view = read_replay(folder / "whole.sab").begin().last.view
        columns, rows = panel.size
        shown = draw_mine(view.table.board, columns, rows, front.app.glyphs, view.peeks)
        await front.until(lambda: [*panel.rows] == shown)
        await front.press("escape")
        await front.type_in("zzz")
        await front.until(lambda: not panel.rows)
