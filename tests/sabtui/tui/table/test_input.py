"""What keys, clicks and the wheel do on the table's screen, and a whole game by keys alone."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from random import Random

import pytest
from textual import events
from textual.geometry import Offset

from engine.actions import Break, Looked
from engine.board import GOAL_CELLS
from engine.bots import BOTS, Playouts
from engine.cards import Card, Goal, Path, Tool
from engine.events import GoalPeeked, Passed
from engine.moves import Discard, KeepGold, Lay
from engine.state import Phase
from net.client.session import Received
from net.protocol.cleaning import MAX_CHAT_BYTES, MAX_CHAT_CELLS
from net.protocol.lobby import TableClaim, Topic, clean_text
from net.protocol.requests import Chat, MakeClaim, PlayAgain
from sabtui.text import layout
from sabtui.text.layout import width
from sabtui.tui.mine.tiles import TileSize
from sabtui.tui.table.hand import measure_slot
from sabtui.tui.table.render import above_sentence
from sabtui.tui.table.screen import PRIMARY_BUTTON, TableScreen, click_action, cursor_place
from sabtui.tui.table.selection import Selection
from sabtui.tui.widgets.panel import Panel
from tests.sabtui.tui import scenes
from tests.sabtui.tui.lobby_fixture import shown_table
from tests.sabtui.tui.pictures import text_of
from tests.sabtui.tui.player_app import keys_for
from tests.sabtui.tui.run_app import Practice
from tests.sabtui.tui.table.pure_table import STATUSES, PureTable


async def test_leaving_is_asked_in_the_status_line_but_not_of_a_guest_who_presses_control_c() -> (
    None
):
    kept = ["Your table goes on without you. To come back: sabtui join. To close it then: C."]
    async with shown_table() as at:
        await at.press("q")
        assert at.said.startswith("Leave for now? The table stays open for the others")
        await at.press("n")
        assert at.app.left_with == []
        assert at.said.startswith("Your turn: choose a card, 1 to 6.")
        await at.press("q", "y")
        assert at.app.left_with == kept
    for keys in ((), ("t", "h")):
        kept = ["Your seat is kept. sabtui join brings you back."]
        async with shown_table(STATUSES["guest"]) as at:
            await at.press(*keys)
            assert at.table.interrupt()
            assert at.app.left_with == kept


async def test_the_key_after_the_role_card_acts_at_once() -> None:
    async with shown_table() as at:
        at.table.model = replace(at.table.model, is_masked=True)
        chosen = []
        for _press in range(2):
            await at.press("2")
            chosen.append(at.table.model.selection.card)
        assert chosen == [None, 1], "the first key turns the card"
        assert not at.table.model.is_in_ceremony


async def test_somebody_who_waits_may_think_ahead_and_the_card_stays_chosen() -> None:
    async with shown_table(scenes.now(scenes.view(turn=2))) as at:
        assert at.said.startswith("Norri laid a bend at 4 east, 1 north. It is Bruno's turn.")
        await at.press("2")
        assert at.said == "It is Bruno's turn. Then: lay it here: joins north, south and west."
        await at.press("enter")
        assert at.seat.moves == []
        assert at.said == "It is Bruno's turn."
        await at.press("home")
        assert at.said == "It is Bruno's turn. A card lies there already."
        await at.press("n", "r")
        assert at.said.startswith("The east side would meet rock")
        rung = at.app.rung
        await at.receive(scenes.now(), Received())
        assert at.app.rung == rung + 1
        assert at.app.titles[-1] == "Your turn - Gold Rush"
        await at.press("enter")
        assert at.seat.moves == [Lay(Path.read("NSW"), (4, 0))]


async def test_enter_plays_no_card_beside_the_list_of_claims() -> None:
    async with shown_table() as at:
        await at.press("2", "c", "enter")
        assert at.said == "Press a claim's key; Up and Down choose another player."
        assert "do it" not in at.shown
        await at.press("escape", "enter")
        assert len(at.seat.moves) == 1


async def test_what_a_map_shows_is_said_until_somebody_else_has_moved() -> None:
    waits = scenes.view(turn=2)
    looked = (
        Looked(waits.seat or 0, GOAL_CELLS[0]),
        GoalPeeked(waits.seat or 0, GOAL_CELLS[0], Goal.STONE_NE),
    )
    seen = waits._replace(history=(*waits.history, *looked))
    async with shown_table(scenes.now(seen)) as at:
        assert at.said == "Your map: the north goal is stone. It is Bruno's turn."
    passed = seen._replace(history=(*seen.history, Passed(2)))
    async with shown_table(scenes.now(passed)) as at:
        assert at.said == "Chiara passed. It is Bruno's turn."


async def test_after_the_game_the_host_plays_again_and_tab_shows_the_mine() -> None:
    async with shown_table(scenes.now(scenes.over())) as at:
        assert "share the win" in at.shown
        await at.press("tab")
        assert "share the win" not in at.shown
        await at.press("enter")
        assert at.seat.requests == [PlayAgain()]


async def test_talk_goes_to_all_and_letters_typed_are_no_commands() -> None:
    async with shown_table() as at:
        await at.press("t", *"quack [red]2", "enter")
        assert at.seat.requests == [Chat("quack [red]2")]
        assert at.table.model.selection == Selection()
        assert at.app.left_with == []
        await at.press("t", "q", "escape", "2")
        assert at.table.model.selection.card == 1
        await at.press("t", "backspace", "space", "enter")
        assert len(at.seat.requests) == 1, "what was begun was kept, and nothing is not said"


async def test_the_terminals_own_cursor_sits_on_tile_player_and_chat_line() -> None:
    async with shown_table() as at:
        assert at.app.cursor_position == Offset(5, 9)
        await at.press("right")
        assert at.app.cursor_position == Offset(10, 9)
        assert at.shown.splitlines()[9][10] == "═"
        await at.press("p")
        column, row = at.app.cursor_position
        assert at.shown.splitlines()[row][column:].startswith("1 Ana")
        for keys, is_shown in (("c", False), ("t", True), ("escape question_mark", False)):
            await at.press(*keys.split())
            assert at.app.cursor_shown is is_shown, "claims are in place of the players"


def pointed_at(at: PureTable) -> str | None:
    """The panel on which terminal colours cursor stands."""
    place = cursor_place(at.model, at.status, at.said)
    return None if place is None else place[0]


def test_the_terminals_own_cursor_is_hidden_where_nothing_is_pointed_at() -> None:
    at = PureTable(scenes.finished_status())
    assert pointed_at(at) is None, "the final result is in place of the mine"
    for key, panel in (("p", "players"), ("escape", None), ("tab", "mine")):
        at.press(key)
        assert pointed_at(at) == panel
    end, last = scenes.over(), scenes.view()
    score = replace(last.score, number=end.score.number)
    others_turn = last.table._replace(turn=1)
    at = PureTable(scenes.now(last._replace(score=score, table=others_turn)))
    at.press("p")
    at.receive(scenes.now(end._replace(hand=last.hand)))
    assert pointed_at(at) is None, "nobody is pointed at when the game ends"
    assert pointed_at(PureTable(size=(50, 12))) is None, "there is no room for the table"


async def test_another_size_in_the_middle_of_anything_loses_nothing() -> None:
    async with shown_table() as at:
        await at.press("2", "x")
        selection = at.table.model.selection
        for size in ((60, 18), (40, 10), (200, 60), (80, 24)):
            await at.pilot.resize_terminal(*size)
            await at.pilot.pause()
            assert at.table.model.selection == selection
        async with asyncio.timeout(60):  # a slow machine lays the screen out in several passes
            while "pass and discard it" not in at.shown:
                await at.pilot.pause(0.01)
        await at.press("t", *"half a wo")
        await at.pilot.resize_terminal(60, 18)
        await at.press("r", "d", "enter")
        assert at.seat.requests == [Chat("half a word")]


def press(panel: str, column: int, row: int, button: int = PRIMARY_BUTTON) -> Panel.Pressed:
    """A click on a panel of the table."""
    return Panel.Pressed(Panel(panel), column, row, button)


def card(at: int) -> tuple[int, int]:
    """Where a card of the hand is drawn."""
    return 3 + at * measure_slot(80), 2


async def test_cards_and_the_footer_are_clicked() -> None:
    async with shown_table() as at:
        await at.pilot.click(at.table.hand, offset=card(0))
        for name in ("discard", "do"):
            column = next(begins for begins, key in at.table.footer.placed if key[2] == name)
            await at.pilot.click(at.table.footer, offset=(column, 1))
        assert at.seat.moves == [Discard(Card.NE)]


async def test_the_wheel_pans_zooms_and_scrolls() -> None:
    async with shown_table() as at:
        window = at.window
        at.table.post_message(Panel.Wheeled(at.table.mine, 0, 1, is_zoom=False))
        await at.pilot.pause()
        assert at.window == window.pan(0, 1)
        at.table.post_message(Panel.Wheeled(at.table.mine, 0, 1, is_zoom=True))
        await at.pilot.pause()
        assert at.window.size is TileSize.COMPACT
        assert at.table.model.selection.cell == (0, 0)


def click_cell(at: PureTable, x: int, y: int, button: int = PRIMARY_BUTTON) -> None:
    """Click a cell of the mine."""
    where = at.window.corner_of((x, y))
    assert where is not None
    at.click(press("mine", where[0] + 3, where[1] + 1, button))


def test_a_click_chooses_a_card_and_a_second_one_turns_it() -> None:
    at = PureTable()
    at.click(press("hand", *card(1)))
    click_cell(at, 0, 1)
    assert at.said.startswith("Enter: lay it here: from north to east and south.")
    at.click(press("hand", *card(1)))
    assert at.said.startswith("Enter: lay it here: from north to south and west.")
    click_cell(at, 0, 1, button=3)
    assert at.said.startswith("Enter: lay it here: from north to east and south.")
    click_cell(at, 0, 1)
    assert at.moves == [Lay(Path.read("NES"), (0, 1))]


def test_a_click_on_an_impossible_place_says_why_and_another_button_turns_the_card() -> None:
    at = PureTable()
    at.click(press("hand", *card(1)))
    for _time in range(2):
        click_cell(at, 1, 0)
        assert at.said == "A card lies there already."
    assert at.moves == []
    at.press("escape", "2", "n")
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


def test_quick_claims_are_clicked() -> None:
    at = PureTable()
    at.press("c")
    at.click(press("players", 5, 2))
    assert at.requests == [MakeClaim(TableClaim(Topic.STONE_AT, 0))]
    at.press("c")
    at.click(press("log", 5, 2))
    assert at.requests[1:] == [MakeClaim(TableClaim(Topic.DIGS_FOR_US, 4))], "a row further down"


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


@pytest.mark.parametrize("y", range(-2, 3))
def test_above_a_long_sentence_cursor_and_clicks_are_where_the_cells_are_drawn(y: int) -> None:
    at = PureTable()
    rows = at.window.rows
    for words, lines in ((1, 1), (30, 2), (60, 3)):
        at.model = at.model.at((7, y)).with_message("word " * words)
        drawn = above_sentence(at.model, at.status, at.said).window
        assert rows - drawn.rows == lines - 1
        place = cursor_place(at.model, at.status, at.said)
        assert place is not None
        panel, where = place
        assert (panel, drawn.at(*where)) == ("mine", (7, y))
        at.click(press("mine", *where))
        assert at.selection.cell == (7, y)


async def test_keys_that_do_nothing_say_so_and_so_do_digits_of_no_card() -> None:
    async with shown_table() as at:
        await at.press("y")
        assert at.said == "y does nothing here. ? shows what you can do."
        await at.press("7")
        assert at.said == "You hold 6 cards."


async def test_digits_of_a_french_keyboard_need_no_shift() -> None:
    async with shown_table() as at:
        for digit, typed in enumerate("&é\"'(", 1):
            await at.press(str(digit))
            expected = at.table.model.selection, at.said
            await at.press("escape", typed)
            assert (at.table.model.selection, at.said) == expected
            assert "does nothing" not in at.said
            await at.press("escape")


async def test_a_line_of_talk_takes_what_fits_and_no_letters_that_only_pictures_may_use() -> None:
    async with shown_table() as at:
        await at.press("t")
        line = at.table.talk_line
        pasted = "a pasted\x1b \ue0b0line\U0010eeee\nand another " + "x" * 240
        line.post_message(events.Paste(pasted))
        await at.pilot.pause()
        assert line.value.startswith("a pasted line and another xxx")
        assert len(line.value) == MAX_CHAT_CELLS
        assert at.said == "That was too long: the rest was cut off."
        await at.press("y")
        assert len(line.value) == MAX_CHAT_CELLS
        await at.press("enter")
        assert [type(wanted) for wanted in at.seat.requests] == [Chat]


@pytest.mark.parametrize("letter", ["x", "金", "\u0301", "\x1b", "\n"], ids=ascii)
async def test_a_paste_without_end_is_cut_before_it_is_measured(
    letter: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured = list[int]()

    def measure(text: str) -> int:
        measured.append(len(text))
        assert len(measured) <= MAX_CHAT_BYTES, "one for each letter that can stay"
        return width(text)

    async with shown_table() as at:
        await at.press("t")
        line = at.table.talk_line
        line.post_message(events.Paste("first"))
        await at.pilot.pause()
        monkeypatch.setattr(layout, "width", measure)
        line.post_message(events.Paste(letter * 100_000))
        await at.pilot.pause()
        assert line.value.startswith("first")
        assert clean_text(line.value) == clean_text("first" + letter * 200)
        assert max(measured, default=0) <= 2 * MAX_CHAT_BYTES


async def test_claims_without_room_are_on_another_page_and_can_be_clicked_there() -> None:
    view = scenes.view()
    broken = (7, *view.table.broken[1:])
    crowded = scenes.now(view._replace(table=view.table._replace(broken=broken)))
    async with shown_table(crowded, size=(60, 18)) as at:
        await at.press("c")
        assert "1/2 PgDn" in at.shown
        assert "who, me?" not in at.shown
        await at.press("pagedown", "pagedown")
        assert "2/2 PgUp" in at.shown
        row = next(row for row, line in enumerate(at.shown.splitlines()) if "who, me?" in line)
        await at.pilot.click(offset=(40, row))
        await at.pilot.pause()
        assert at.seat.requests == [MakeClaim(TableClaim(Topic.WHO_ME))]
        await at.press("c")
        assert "1/2 PgDn" in at.shown, "the list begins again"
        await at.press("pagedown", "pageup", "pageup")
        assert "1/2 PgDn" in at.shown


PATIENCE_S = 60.0


def is_wanted(app: Practice) -> bool:
    """Return True while somebody waits for the player, or the game is over."""
    if not isinstance(app.screen, TableScreen) or (view := app.screen.status.view) is None:
        return False
    is_asked = view.seat == view.to_act and not app.table.model.is_sent(app.table.status)
    return view.phase is Phase.OVER or app.table.model.is_in_ceremony or is_asked


@pytest.mark.usefixtures("every_update_drawn")
async def test_a_whole_game_is_played_through_keys_alone() -> None:
    app, chance, late = Practice(), Random(7), time.monotonic() + PATIENCE_S
    app.is_calm = False
    async with app.run_test(size=(80, 24)) as pilot:
        while True:
            while not is_wanted(app):
                assert time.monotonic() < late, text_of(app)
                await pilot.pause(0.01)
            view, model = app.table.status.view, app.table.model
            assert view is not None
            if model.is_in_ceremony:
                await pilot.press("space")
            elif view.phase is Phase.OVER:
                break
            else:
                move = BOTS["greedy"](view, chance, Playouts(0))
                await pilot.press(*keys_for(move, view, model.selection))
        await pilot.press("enter")
        await pilot.pause()
        assert "game over" in text_of(app)
        assert app.rung > 3
        assert app.titles[-1] != ""
