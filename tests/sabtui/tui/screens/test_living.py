"""The living picture of the welcome screen: legal rounds, a card at a time, and rest where due."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from engine.board import EMPTY, GOAL_CELLS, LINKED
from engine.cards import Goal
from sabtui.app.preferences import PreferencesStore
from sabtui.tui.app import SabtuiApp
from sabtui.tui.screens import welcome
from sabtui.tui.screens.living import REST_CARDS, LivingMine, boards, draw_mine, read_rounds
from sabtui.tui.screens.settings import SettingsScreen
from sabtui.tui.screens.welcome import WelcomeScreen
from sabtui.tui.theme import ASCII, BOX, DRAWN, DRAWN_IN_256, Glyphs
from sabtui.tui.widgets.panel import plain, width
from tests.sabtui.tui.app_fixture import PreparedTables, open_app
from tests.sabtui.tui.run_app import TableApp


def digs(mine: LivingMine) -> bool:
    """True if a card is to come."""
    return mine._timer is not None and mine._timer._active.is_set()


@pytest.mark.parametrize("played", read_rounds())
def test_each_round_is_played_by_the_rules_and_ends_at_the_treasure(played: str) -> None:
    before, found = EMPTY, EMPTY
    for after in boards(played):
        laid, gone = after.cards.keys() - before.cards.keys(), before.cards.keys() - after.cards
        (cell,) = laid or gone
        if cell in gone:
            assert cell in before.tunnels()
        elif cell in GOAL_CELLS:
            assert cell in before.opened_goals()
        else:
            assert before.sites[cell] & LINKED
            beside = (before.sites[cell] & 0b1111).bit_count()
            assert before.agreeing(cell, after.cards[cell]) == beside
        before = found = after
    signs = [Goal.lying(found.cards[cell]) for cell in GOAL_CELLS if cell in found.cards]
    assert Goal.TREASURE in signs


@pytest.mark.parametrize("glyphs", [ASCII, BOX, DRAWN, DRAWN_IN_256], ids=lambda item: item.name)
@pytest.mark.parametrize("size", [(45, 6), (60, 6), (80, 12), (120, 22), (200, 44), (20, 3)])
def test_the_picture_fills_its_place_at_any_size(glyphs: Glyphs, size: tuple[int, int]) -> None:
    columns, rows = size
    for board in (EMPTY, list(boards(read_rounds()[2]))[-1]):
        drawn = draw_mine(board, columns, rows, glyphs)
        assert [width(row) for row in drawn] == [columns] * rows
        text = "".join(map(plain, drawn))
        assert glyphs is not ASCII or text.isascii()
        if columns >= 60:
            assert "S" in text or glyphs in (DRAWN, DRAWN_IN_256)


async def test_a_mine_digs_itself_card_by_card_and_then_rests() -> None:
    app = TableApp(BOX)
    async with app.run_test(size=(80, 24)) as pilot:
        mine = LivingMine(cast("SabtuiApp", app), is_still=False)
        await app.mount(mine)
        await pilot.pause()
        assert mine._timer is not None
        mine._timer.pause()
        rounds = [list(boards(played)) for played in read_rounds()]
        for number, played in enumerate(rounds):
            if number:
                mine.dig()
                assert mine._board == EMPTY
            for board in played:
                before = mine.rows
                mine.dig()
                assert mine._board == board
                assert mine.rows != before
            for _ in range(REST_CARDS):
                mine.dig()
                assert mine._board == board
        mine._timer.resume()
        mine.dig()
        assert mine._board == rounds[-1][-1]
        assert not digs(mine), "no wake-ups once all is dug"


async def test_no_card_is_laid_while_the_terminal_has_not_taken_the_last() -> None:
    app = TableApp(BOX)
    async with app.run_test(size=(80, 24)) as pilot:
        mine = LivingMine(cast("SabtuiApp", app), is_still=False)
        await app.mount(mine)
        await pilot.pause()
        assert mine._timer is not None
        mine.dig()
        laid = mine.rows
        app.is_terminal_behind = True
        mine.dig()
        assert mine.rows is laid
        assert not digs(mine), "the line is slow: the picture is not worth it"


@pytest.mark.parametrize(
    ("reason", "is_still"), [("", False), ("calm", True), ("headless", True), ("ssh", True)]
)
async def test_the_welcome_screen_lies_still_where_bytes_or_movement_are_unwelcome(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, reason: str, is_still: bool
) -> None:
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    monkeypatch.delenv("TEXTUAL_ANIMATIONS", raising=False)
    if reason == "ssh":
        monkeypatch.setenv("SSH_CONNECTION", "192.0.2.1 1 192.0.2.2 22")
    monkeypatch.setattr(welcome, "FIRST_S", 0.001)
    monkeypatch.setattr(SabtuiApp, "is_headless", property(lambda _app: reason == "headless"))
    store = PreferencesStore(tmp_path / "settings")
    app = SabtuiApp(PreparedTables, store, is_calm=reason == "calm")
    async with app.run_test() as pilot:
        while not app.screen.query(LivingMine):
            await pilot.pause(0.01)
        [mine] = app.screen.query(LivingMine)
        assert (mine._timer is None) is is_still
        final = list(boards(read_rounds()[0]))[-1]
        assert (mine._board == final) is is_still, "who sees no movement sees a finished mine"


async def test_a_mine_below_another_screen_rests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    monkeypatch.delenv("TEXTUAL_ANIMATIONS", raising=False)
    monkeypatch.setattr(welcome, "FIRST_S", 0.001)
    monkeypatch.setattr(SabtuiApp, "is_headless", property(lambda _app: False))
    async with open_app(tmp_path) as front:
        await front.until(lambda: bool(front.screen.query(LivingMine)))
        [mine] = front.screen.query(LivingMine)
        await front.press("s")
        await front.is_on(SettingsScreen)
        before = mine._board
        mine.dig()
        assert mine._board == before
        await front.press("escape")
        await front.is_on(WelcomeScreen)
        mine.dig()
        assert mine._board != before
