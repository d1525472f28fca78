"""The screen of standings counts the kept games."""

from pathlib import Path

import pytest

from engine.notation import Record, format_record
from sabtui.after.screens import records
from sabtui.after.screens.records import StandingsScreen
from tests.sabtui.games import game_record, kept_text
from tests.sabtui.tui.app_fixture import Front, open_app


async def show_standings(front: Front, where: Path) -> StandingsScreen:
    screen = StandingsScreen(where)
    await front.app.push_screen(screen)
    await front.app.workers.wait_for_complete()
    await front.pilot.pause()
    return screen


async def test_everybody_is_shown_with_details(tmp_path: Path) -> None:
    library = tmp_path / "records"
    library.mkdir()
    for number in range(2):
        text = kept_text(game_record(number), library, 0)
        (library / f"{number}.sab").write_text(text, encoding="utf-8")
    async with open_app(tmp_path, (80, 24)) as front:
        screen = await show_standings(front, library)
        text = "\n".join(front.lines)
        assert "2 finished games." in text
        assert "Bruno" in text
        first = screen.found[0]
        assert f"Games 2, won {first.won}, gold {first.gold}." in text
        last = screen.found[-1]
        await front.press("end")
        await front.sees(f"Games 2, won {last.won}, gold {last.gold}.")
        assert "In a row  " not in front.text
        await front.press("n")
        await front.sees("In a row  ")
        await front.sees("95% interval")
        await front.press("n", "escape")
        assert not isinstance(front.app.screen, StandingsScreen)


async def test_a_click_on_a_row_shows_its_details(tmp_path: Path) -> None:
    library = tmp_path / "records"
    library.mkdir()
    (library / "a.sab").write_text(kept_text(game_record(1), library, 0), encoding="utf-8")
    async with open_app(tmp_path, (120, 40)) as front:
        screen = await show_standings(front, library)
        name = screen.found[-1].name
        row = next(at for at, line in enumerate(front.lines) if f"  {name}" in line)
        await front.pilot.click(offset=(6, row))
        await front.pilot.pause()
        assert screen.menu.at == len(screen.found) - 1
        assert str(screen.note.border_title) == name


async def test_a_library_that_cannot_be_opened_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    async with open_app(tmp_path, (80, 24)) as front:
        await show_standings(front, tmp_path / "file" / "records")
        assert "Cannot write" in "\n".join(front.lines)


async def test_f4_opens_them_from_the_list_of_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (records, records):
        monkeypatch.setattr(module, "records_folder", lambda: tmp_path / "records")
    async with open_app(tmp_path, (80, 24)) as front:
        await front.app.push_screen(records.RecordsScreen())
        await front.pilot.pause()
        assert "F4 standings" in front.lines[-1]
        await front.press("f4")
        await front.is_on(StandingsScreen)
        await front.app.workers.wait_for_complete()
        await front.press("escape")
        await front.is_on(records.RecordsScreen)


async def test_games_that_ones_own_program_did_not_see_do_not_count(tmp_path: Path) -> None:
    library = tmp_path / "records"
    library.mkdir()
    (library / "a.sab").write_text(format_record(game_record(1)), encoding="utf-8")
    async with open_app(tmp_path, (80, 24)) as front:
        await show_standings(front, library)
        assert "0 finished games." in "\n".join(front.lines)


async def test_a_library_in_which_no_game_is_finished_is_counted_too(tmp_path: Path) -> None:
    library = tmp_path / "records"
    library.mkdir()
    begun = Record(("Ana", "Bruno", "Carla"), rounds=3, seed=bytes(32)).add_round()
    (library / "begun.sab").write_text(format_record(begun), encoding="utf-8")
    async with open_app(tmp_path, (80, 24)) as front:
        screen = await show_standings(front, library)
        assert len(screen.games or ()) == 1
        assert "0 finished games." in "\n".join(front.lines)
