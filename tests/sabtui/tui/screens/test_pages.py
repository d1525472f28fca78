"""What is looked at: pages of the rules, the podium of an evening, the mine of the first screen."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec import structs

from engine.board import EMPTY
from sabtui.app import RULES_TOPICS
from sabtui.app.preferences import PreferencesStore
from sabtui.plain.rules_pager import printed_rules
from sabtui.text.i18n import load_locale
from sabtui.text.rules import CardRows, rules_pages
from sabtui.tui.app import SabtuiApp
from sabtui.tui.screens import welcome
from sabtui.tui.screens.living import LivingMine, draw_mine, replay_round
from sabtui.tui.screens.podium import MAX_ON_PODIUM, EveningScreen, rank_people
from sabtui.tui.screens.rules import draw_page
from sabtui.tui.screens.settings import SettingsScreen
from sabtui.tui.screens.welcome import WelcomeScreen
from sabtui.tui.theme import ASCII, BOX, DRAWN, DRAWN_IN_256, PICTURED, Glyphs
from sabtui.tui.widgets.panel import plain, width
from tests.sabtui.text.test_catalogues import FINISHED
from tests.sabtui.tui import scenes
from tests.sabtui.tui.app_fixture import Front, PreparedTables, open_app
from tests.sabtui.tui.run_app import TableApp
from tests.sabtui.tui.tour import speak

SMALLEST_COLUMNS = 60


@pytest.mark.parametrize("glyphs", [DRAWN, DRAWN_IN_256, PICTURED], ids=lambda item: item.name)
def test_cards_of_the_rules_are_drawn_and_stand_where_those_in_lines_do(glyphs: Glyphs) -> None:
    drawn = 0
    for page in rules_pages():
        if any(isinstance(block, CardRows) for block in page.blocks):
            continue  # cards of the hand are drawn beside words, where in lines there are none
        lined, lines = (draw_page(page, 78, glyph_set) for glyph_set in (BOX, glyphs))
        assert [line.cell_length <= 78 for line in lines] == [True] * len(lined)
        for before, after in zip(lined, lines, strict=True):
            if before.plain == after.plain:
                continue
            drawn += 1
            kept = zip(before.plain, after.plain.ljust(len(before.plain)), strict=False)
            assert all(one == other for one, other in kept if one.isalnum() and one not in "xSo")
            assert all(span.style for span in after.spans)
    assert drawn > 3 * 3, "at least three pictures have three rows"


@pytest.mark.parametrize("language", FINISHED)
def test_every_page_of_the_rules_fits_the_smallest_terminal(language: str) -> None:
    columns = SMALLEST_COLUMNS - 2
    with speak(load_locale(language)):
        for page in rules_pages():
            lines = draw_page(page, columns, BOX)
            assert [line.plain for line in lines if len(line.plain.rstrip()) > columns] == []
        printed = printed_rules(list(RULES_TOPICS), SMALLEST_COLUMNS)
        assert [line for line in printed if len(line) > SMALLEST_COLUMNS] == []


async def test_the_pages_are_turned_to_the_last_and_back_and_a_long_one_scrolls(
    tmp_path: Path,
) -> None:
    async with open_app(tmp_path, (60, 14)) as front:
        await front.press("u")
        count = len(rules_pages())
        for number in range(1, count + 1):
            await front.sees(f"{number}/{count} ")
            if number == 3:
                await front.sees("Down for more")
                await front.press("end")
                await front.sees("line 13 of 13")
                await front.sees("cut off   cut off")
            await front.press("right")
        assert front.said == "There is no more to see here."
        await front.press("left")
        await front.sees(f"{count - 1}/{count} ")


def test_the_first_stand_on_the_podium_and_equals_as_high_as_each_other() -> None:
    gold = [("Ana", 12), ("Bruno", 12), ("Cleo", 7), ("Dede", 3), ("Eva", 2), ("Fay", 1)]
    ranked = rank_people(gold, ["Ana"])
    assert [row.name for row in ranked] == [name for name, _gold in gold[:MAX_ON_PODIUM]]
    assert [row.rank for row in ranked] == [0, 0, 1, 2, 3]
    assert [row.name for row in ranked if row.is_first] == ["Ana"]


@pytest.mark.parametrize("glyphs", [BOX, DRAWN])
async def test_the_page_of_an_evening_has_its_podium_above_its_table(glyphs: Glyphs) -> None:
    app = TableApp(glyphs)
    async with app.run_test(size=(100, 40)) as pilot:
        lobby = structs.replace(scenes.lobby(), evening=scenes.EVENING)
        screen = EveningScreen(lobby, ["Ana has won the evening."])
        await app.push_screen(screen)
        await pilot.pause()
        *drawn, last = (line.plain for line in screen.page_lines(100))
        assert last == "Ana has won the evening."
        assert all((text in "\n".join(drawn)) is (glyphs is DRAWN) for text in ("Ana", "$9"))


@pytest.mark.parametrize("glyphs", [ASCII, BOX, DRAWN, DRAWN_IN_256], ids=lambda item: item.name)
@pytest.mark.parametrize("size", [(45, 6), (60, 6), (80, 12), (120, 22), (200, 44), (20, 3)])
def test_the_picture_fills_its_place_at_any_size(glyphs: Glyphs, size: tuple[int, int]) -> None:
    columns, rows = size
    for board in (EMPTY, list(replay_round())[-1]):
        drawn = draw_mine(board, columns, rows, glyphs)
        assert [width(row) for row in drawn] == [columns] * rows
        text = "".join(map(plain, drawn))
        assert glyphs is not ASCII or text.isascii()
        if columns >= 60:
            assert "S" in text or glyphs in (DRAWN, DRAWN_IN_256)


def digs(mine: LivingMine) -> bool:
    """True if a card is to come."""
    return mine._timer is not None and mine._timer._active.is_set()


@asynccontextmanager
async def show_mine() -> AsyncIterator[tuple[TableApp, LivingMine]]:
    """A mine that digs itself when it is told to."""
    app = TableApp(BOX)
    async with app.run_test(size=(80, 24)) as pilot:
        mine = LivingMine(app, is_still=False)
        await app.mount(mine)
        await pilot.pause()
        assert mine._timer is not None
        mine._timer.pause()
        yield app, mine


async def test_a_mine_digs_itself_card_by_card_and_then_rests() -> None:
    async with show_mine() as (_app, mine):
        for board in replay_round():
            before = mine.rows
            mine.dig()
            assert mine._board == board
            assert mine.rows != before
        assert mine._timer is not None
        mine._timer.resume()
        mine.dig()
        assert mine._board == board
        assert not digs(mine), "no wake-ups once all is dug"


async def test_no_card_is_laid_while_the_terminal_has_not_taken_the_last() -> None:
    async with show_mine() as (app, mine):
        assert mine._timer is not None
        mine._timer.resume()
        mine.dig()
        laid = mine.rows
        app.is_terminal_behind = True
        mine.dig()
        assert mine.rows is laid
        assert not digs(mine), "the line is slow: the picture is not worth it"


@pytest.mark.parametrize(
    ("reason", "is_still"), [("", False), ("calm", True), ("headless", True), ("ssh", True)]
)
async def test_the_welcome_screen_lies_still_where_movement_is_unwelcome_and_below_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, reason: str, is_still: bool
) -> None:
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    monkeypatch.delenv("TEXTUAL_ANIMATIONS", raising=False)
    if reason == "ssh":
        monkeypatch.setenv("SSH_CONNECTION", "192.0.2.1 1 192.0.2.2 22")
    monkeypatch.setattr(welcome, "FIRST_S", 0.001)
    monkeypatch.setattr(SabtuiApp, "is_headless", property(lambda _app: reason == "headless"))
    store = PreferencesStore(tmp_path / "settings")
    app, service = SabtuiApp(PreparedTables, store, is_calm=reason == "calm"), PreparedTables()
    async with app.run_test() as pilot:
        front = Front(app, pilot, service)
        await front.until(lambda: bool(app.screen.query(LivingMine)))
        [mine] = app.screen.query(LivingMine)
        assert (mine._timer is None) is is_still
        final = list(replay_round())[-1]
        assert (mine._board == final) is is_still, "who sees no movement sees a finished mine"
        if not is_still:
            await front.go(SettingsScreen, "s")
            before = mine._board
            mine.dig()
            assert mine._board == before
            assert not digs(mine), "no wake-ups below another screen"
            await front.go(WelcomeScreen, "escape")
            await front.until(lambda: digs(mine))
            mine.dig()
            assert mine._board != before
