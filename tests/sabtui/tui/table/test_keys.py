"""What keys do at the table, on the screen of somebody whose turn it is."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from msgspec import structs
from textual.geometry import Offset

from engine.cards import Path
from engine.moves import Lay
from net.client.session import Received, Update
from net.protocol.requests import Chat, Pause, PlayAgain
from sabtui.tui.table.selection import PlayerNote, Selection
from tests.sabtui.tui import scenes
from tests.sabtui.tui.lobby_fixture import evening


async def test_a_digit_chooses_a_card_and_enter_lays_it_where_the_cursor_went() -> None:
    async with evening() as at:
        assert at.said.startswith("Your turn: choose a card, 1 to 6.")
        await at.press("2")
        assert at.said == "Enter: lay it here: joins north, south and west."
        await at.press("enter")
        assert at.seat.moves == [Lay(Path.read("NSW"), (4, 0))]
        await at.press("enter")
        assert len(at.seat.moves) == 1
        assert at.said == "Your move is on its way to the host."


async def test_leaving_is_asked_in_the_status_line() -> None:
    async with evening() as at:
        await at.press("q")
        assert at.said.startswith("Leave for now? The table stays open for the others")
        await at.press("n")
        assert at.app.stood == []
        assert at.said.startswith("Your turn: choose a card, 1 to 6.")
        await at.press("q", "y")
        assert at.app.stood == ["Your seat is kept: sabtui join brings you back."]


async def test_control_c_leaves_a_seat_at_once_while_something_is_typed_too() -> None:
    guest = scenes.now(at=structs.replace(scenes.lobby(), host=2))
    for keys in ((), ("t", "h")):
        async with evening(guest) as at:
            await at.press(*keys)
            assert at.table.interrupt()
            assert at.app.stood == ["Your seat is kept: sabtui join brings you back."]


async def test_the_key_after_the_role_card_acts_at_once() -> None:
    async with evening() as at:
        at.table.model = replace(at.table.model, is_masked=True)
        chosen = []
        for _press in range(2):
            await at.press("2")
            chosen.append(at.table.model.selection.card)
        assert chosen == [None, 1], "the first key turns the card"
        assert not at.table.model.is_in_ceremony


async def test_who_waits_may_think_ahead_and_the_card_stays_chosen() -> None:
    async with evening(scenes.now(scenes.view(turn=2))) as at:
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
        await at.hear(scenes.now(), Received())
        assert at.app.rung == rung + 1
        assert at.app.titles[-1] == "Your turn - Gold Rush"
        await at.press("enter")
        assert at.seat.moves == [Lay(Path.read("NSW"), (4, 0))]


async def test_after_the_game_the_host_plays_again_and_tab_shows_the_mine() -> None:
    async with evening(scenes.now(scenes.over())) as at:
        assert "share the win" in at.shown
        await at.press("tab")
        assert "share the win" not in at.shown
        await at.press("enter")
        assert at.seat.requests == [PlayAgain()]


async def test_talk_goes_to_all_and_letters_typed_are_no_commands() -> None:
    async with evening() as at:
        await at.press("t", *"quack [red]2", "enter")
        assert at.seat.requests == [Chat("quack [red]2")]
        assert at.table.model.selection == Selection()
        assert at.app.stood == []
        await at.press("t", "q", "escape", "2")
        assert at.table.model.selection.card == 1
        await at.press("t", "backspace", "space", "enter")
        assert len(at.seat.requests) == 1, "what was begun was kept, and nothing is not said"


async def test_a_player_is_marked_for_oneself_alone() -> None:
    async with evening() as at:
        await at.press("p", "down", "m")
        assert at.table.model.notes == {"Bruno": PlayerNote.FRIEND}
        assert "2+Bruno" in at.shown
        await at.press("m", "m", "m")
        assert at.table.model.notes == {"Bruno": PlayerNote.NONE}
        assert at.seat.requests == []


async def test_the_terminals_own_cursor_sits_on_the_tile_and_on_the_player() -> None:
    async with evening() as at:
        assert at.app.cursor_position == Offset(5, 9)
        await at.press("right")
        assert at.app.cursor_position == Offset(10, 9)
        assert at.shown.splitlines()[9][10] == "═"
        await at.press("p")
        column, row = at.app.cursor_position
        assert at.shown.splitlines()[row][column:].startswith("1 Ana")


async def test_the_terminals_own_cursor_is_hidden_where_nothing_is_pointed_at() -> None:
    async def shows_cursor(*keys: str) -> bool:
        await at.press(*keys)
        return at.app.cursor_shown

    async with evening(scenes.finished_status()) as at:
        assert not await shows_cursor(), "the final result is in place of the mine"
        assert await shows_cursor("t"), "one types here"
        assert await shows_cursor("escape", "p")
        column, row = at.app.cursor_position
        assert at.shown.splitlines()[row][column:].startswith("1 Ana")
        assert not await shows_cursor("escape")
        assert await shows_cursor("tab"), "the mine is back"
        assert not await shows_cursor("question_mark")
    end = scenes.over()
    last = scenes.view()
    score = replace(last.score, number=end.score.number)
    last = last._replace(score=score, table=last.table._replace(turn=1))
    async with evening(scenes.now(last)) as at:
        assert await shows_cursor("p")
        at.table.show_update(Update(scenes.now(end._replace(hand=last.hand))))
        assert not await shows_cursor(), "nobody is pointed at when the game ends"
    async with evening() as at:
        assert await shows_cursor("p")
        assert not await shows_cursor("c"), "claims are listed in place of the players"
    async with evening(size=(50, 12)) as at:
        assert not await shows_cursor(), "there is no room for the table"


async def test_another_size_in_the_middle_of_anything_loses_nothing() -> None:
    async with evening() as at:
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


async def test_a_terminal_too_small_says_so_and_whose_turn_it_is() -> None:
    async with evening(size=(50, 12)) as at:
        first = at.shown.splitlines()[0]
        assert "YOUR TURN" in first
        assert "60x18" in first


async def test_a_paused_game_says_so() -> None:
    async with evening() as at:
        await at.hear(scenes.now(at=structs.replace(scenes.lobby(), paused=True)), Received())
        assert at.said == "Paused: P resumes."
        assert at.shown.startswith(" PAUSED ")
        await at.press("2", "enter")
        assert at.seat.moves == []
        await at.press("P")
        assert at.seat.requests == [Pause(paused=False)]
