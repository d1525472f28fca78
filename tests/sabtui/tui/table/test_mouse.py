"""What clicks and the wheel do at the table."""

from __future__ import annotations

import pytest

from engine.actions import Break
from engine.cards import Card, Path, Tool
from engine.moves import Discard, KeepGold, Lay
from net.protocol.lobby import TableClaim, Topic
from net.protocol.requests import MakeClaim
from sabtui.tui.mine.tiles import TileSize
from sabtui.tui.table.hand import slot
from sabtui.tui.table.render import above_sentence
from sabtui.tui.table.screen import PRIMARY_BUTTON, click_action, cursor_place
from sabtui.tui.widgets.panel import Panel
from tests.sabtui.tui import scenes
from tests.sabtui.tui.lobby_fixture import Evening, evening
from tests.sabtui.tui.table.pure_table import PureTable


def press(panel: str, column: int, row: int, button: int = PRIMARY_BUTTON) -> Panel.Pressed:
    """A click on a panel of the table."""
    return Panel.Pressed(Panel(panel), column, row, button)


def card(at: int) -> tuple[int, int]:
    """Where a card of the hand is drawn."""
    return 3 + at * slot(80), 2


def cell(at: Evening, x: int, y: int) -> tuple[int, int]:
    """Where a cell is drawn."""
    where = at.window.corner_of((x, y))
    assert where is not None
    return where[0] + 3, where[1] + 1


async def click(at: Evening, panel: Panel, where: tuple[int, int], button: int = 1) -> None:
    await at.pilot.click(panel, offset=where, button=button)
    await at.pilot.pause()


async def test_a_click_chooses_a_card_and_a_second_one_turns_it() -> None:
    async with evening() as at:
        await click(at, at.table.hand, card(1))
        await click(at, at.table.mine, cell(at, 0, 1))
        assert at.said.startswith("Enter: lay it here: from north to east and south.")
        await click(at, at.table.hand, card(1))
        assert at.said.startswith("Enter: lay it here: from north to south and west.")
        await click(at, at.table.mine, cell(at, 0, 1), button=3)
        assert at.said.startswith("Enter: lay it here: from north to east and south.")
        await click(at, at.table.mine, cell(at, 0, 1))
        assert at.seat.moves == [Lay(Path.read("NES"), (0, 1))]


async def test_the_footer_is_clicked() -> None:
    async with evening() as at:
        await click(at, at.table.hand, card(0))
        for _time in range(2):
            column = next(begins for begins, key in at.table.footer.placed if key[2] == "discard")
            await at.pilot.click(at.table.footer, offset=(column, 1))
        assert at.seat.moves == [Discard(Card.NE)]


async def test_quick_claims_are_clicked() -> None:
    async with evening() as at:
        await at.press("c")
        await click(at, at.table.players, (5, 2))
        assert at.seat.requests == [MakeClaim(TableClaim(Topic.STONE_AT, 0))]
        await at.press("c")
        rows = [row for row, line in enumerate(at.shown.splitlines()) if " is a saboteur" in line]
        assert rows, "a long claim goes on in the next row"
        await at.pilot.click(offset=(55, rows[0]))
        assert at.seat.requests[-1] == MakeClaim(TableClaim(Topic.DIGS_AGAINST_US, 4))


async def test_the_wheel_pans_zooms_and_scrolls() -> None:
    async with evening() as at:
        window = at.window
        at.table.post_message(Panel.Wheeled(at.table.mine, 0, 1, zoom=False))
        await at.pilot.pause()
        assert at.window == window.pan(0, 1)
        at.table.post_message(Panel.Wheeled(at.table.mine, 0, 1, zoom=True))
        await at.pilot.pause()
        assert at.window.size is TileSize.COMPACT
        assert at.table.model.selection.cell == (0, 0)


def click_cell(at: PureTable, x: int, y: int, button: int = PRIMARY_BUTTON) -> None:
    """Click a cell of the mine."""
    where = at.window.corner_of((x, y))
    assert where is not None
    at.click(press("mine", where[0] + 3, where[1] + 1, button))


def test_a_click_on_an_impossible_place_says_why_and_a_second_one_does_nothing() -> None:
    at = PureTable()
    at.click(press("hand", *card(1)))
    for _time in range(2):
        click_cell(at, 1, 0)
        assert at.said == "A card lies there already."
    assert at.moves == []


def test_another_button_turns_the_card_wherever_it_is_clicked() -> None:
    at = PureTable()
    at.press("2", "n")
    click_cell(at, 1, 0, button=3)
    assert at.said.startswith("Enter: lay it here: from south to north and west.")


def test_players_are_clicked_and_clicked_again() -> None:
    at = PureTable()
    at.click(press("players", 5, 3))
    assert at.selection.seat == 3
    at.click(press("hand", *card(3)))
    at.click(press("players", 5, 4))
    assert at.moves == []
    at.click(press("players", 5, 4))
    assert at.moves == [Break(Tool.LANTERN, 4)]


def test_gold_is_clicked_and_clicked_again() -> None:
    at = PureTable(scenes.now(scenes.choosing()))
    at.click(press("hand", *card(1)))
    assert at.said == "Enter: keep the gold card of 2 nuggets."
    at.click(press("hand", *card(1)))
    assert at.moves == [KeepGold(2)]


@pytest.mark.parametrize("panel", ["mine", "players", "log", "hand"])
def test_a_click_where_nothing_is_does_nothing(panel: str) -> None:
    for status in (scenes.now(), scenes.now(scenes.choosing()), scenes.now(scenes.between())):
        at = PureTable(status)
        for where in ((0, 5), (79, 5), (79, 99)):
            action = click_action(at.model, at.status, press(panel, *where))
            assert panel == "mine" or action is None


def test_above_a_long_sentence_the_cursor_stays_in_sight_and_clicks_are_where_cells_are() -> None:
    at = PureTable()
    at.model = at.model.at((7, 2)).with_message("a sentence of three lines " * 8)
    shown = above_sentence(at.model, at.status, at.said).window
    assert shown is not None
    where = shown.corner_of((7, 2))
    assert where is not None
    assert where[1] + shown.size.rows <= shown.rows == at.window.rows - 2
    at.click(press("mine", *where))
    assert at.selection.cell == (7, 2)
    at.model = at.model.at((7, -2)).with_message("a sentence of three lines " * 8)
    lower = above_sentence(at.model, at.status, at.said).window
    assert lower is not None
    assert lower.shows((7, -2))


@pytest.mark.parametrize("y", range(-2, 3))
def test_the_terminals_cursor_stands_on_the_tile_as_it_is_drawn_above_a_long_sentence(
    y: int,
) -> None:
    at = PureTable()
    for words in (1, 30, 60):
        at.model = at.model.at((7, y)).with_message("word " * words)
        drawn = above_sentence(at.model, at.status, at.said).window
        place = cursor_place(at.model, at.status, at.said)
        assert drawn is not None
        assert place is not None
        panel, where = place
        assert panel == "mine"
        assert drawn.at(*where) == (7, y)
