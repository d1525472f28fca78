"""What keys do at the table, on the screen of somebody whose turn it is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs
from textual.geometry import Offset

from engine.cards import Card, Path, Tool
from engine.moves import Break, Discard, KeepGold, Lay, Repair
from net.client.session import ConnectionState
from net.client.state import Received
from net.lobby import TableClaim, Topic
from net.protocol.messages import (
    Chat,
    CloseReason,
    CommandRefused,
    DiskStatus,
    MakeClaim,
    Pause,
    PlayAgain,
    Refusal,
    SetReady,
)
from sabtui.tui.mine.tiles import TileSize
from sabtui.tui.table.model import SidePanel
from sabtui.tui.table.players import PlayerNote
from sabtui.tui.table.selection import Selection
from tests.sabtui.tui import scenes
from tests.sabtui.tui.lobby_fixture import evening


async def test_a_digit_chooses_a_card_and_enter_lays_it_where_the_cursor_went() -> None:
    async with evening() as at:
        assert at.said == "Your turn: choose a card, 1 to 6."
        await at.press("2")
        assert at.said == "Enter: lay NSW at 4: joins north, south and west."
        await at.press("enter")
        assert at.seat.moves == [Lay(Path.read("NSW"), (4, 0))]
        await at.press("enter")
        assert len(at.seat.moves) == 1
        assert at.said == "Your move is on its way to the host."


async def test_n_goes_from_place_to_place_and_r_turns_the_card_there() -> None:
    async with evening() as at:
        await at.press("2", "n")
        assert at.said.startswith("Enter: lay NES at 0n2: ")
        assert at.said.endswith("r turns it.")
        await at.press("r")
        assert at.said.startswith("Enter: lay NSW at 0n2: ")
        await at.press("N")
        assert "lay NSW at 4" in at.said


async def test_what_cannot_be_turned_here_says_why() -> None:
    async with evening() as at:
        await at.press("2", "r")
        assert at.said == "NES@4: the east side would meet rock, at 5. Turned it fits: NSW@4."
        await at.press("3")
        assert "turn" not in at.shown.splitlines()[-1].split()
        await at.press("r")
        assert at.said == "There is no other way to play this card here."


async def test_an_impossible_wish_has_its_reason_under_the_hand_and_enter_does_nothing() -> None:
    async with evening() as at:
        await at.press("2", "home")
        assert at.said == "0 is taken: a card lies there."
        await at.press("enter")
        assert at.said == "0 is taken: a card lies there."
        assert at.seat.moves == []


async def test_nothing_is_answered_by_silence() -> None:
    async with evening() as at:
        for key, answer in (
            ("enter", "Choose a card first, 1 to 6."),
            ("r", "Choose a card first, 1 to 6."),
            ("n", "Choose a card first, 1 to 6."),
            ("x", "Choose a card first, 1 to 6."),
            ("S", "The record can be saved once the game is over."),
            ("m", "Go to a player first: p, then Up or Down; or click on one."),
            ("escape", "There is nothing to go back from. q leaves the table."),
        ):
            await at.press(key)
            assert at.said == answer


@pytest.mark.parametrize(
    ("keys", "cell"),
    [
        (("right", "l", "d"), (3, 0)),
        (("left", "h", "a"), (-3, 0)),
        (("up", "k", "w"), (0, -3)),
        (("down", "j", "s"), (0, 3)),
    ],
    ids=["right", "left", "up", "down"],
)
async def test_arrows_and_letters_move_the_cursor(
    keys: tuple[str, ...], cell: tuple[int, int]
) -> None:
    async with evening() as at:
        await at.press(*keys)
        assert at.table.model.selection.cell == cell
        assert at.window.shows(cell)


async def test_broken_tools_go_to_players() -> None:
    async with evening() as at:
        await at.press("4")
        assert at.said == "Enter: break Bruno's lantern."
        await at.press("n", "n", "enter")
        assert at.seat.moves == [Break(Tool.LANTERN, 4)]


async def test_a_repair_of_two_tools_asks_for_one_by_r() -> None:
    async with evening() as at:
        await at.press("5", "n")
        assert at.said == "Enter: repair Chiara's pick. r: the other tool."
        await at.press("r", "enter")
        assert at.seat.moves == [Repair(Card.REPAIR_PICK_CART, 2, Tool.CART)]


async def test_a_discard_is_asked_for_and_escape_takes_it_back() -> None:
    async with evening() as at:
        await at.press("1", "x")
        assert at.said == "Enter: pass, and discard tunnel north, east face down. Esc keeps it."
        await at.press("escape")
        assert not at.table.model.selection.discarding
        await at.press("x", "x")
        assert at.seat.moves == [Discard(Card.NE)]


async def test_escape_steps_back_and_never_leaves() -> None:
    async with evening() as at:
        await at.press("2", "x", "escape", "escape", "escape", "escape", "escape")
        assert at.table.model.selection.card is None
        assert at.app.stood == []
        assert not at.seat.left


async def test_leaving_is_asked_in_the_status_line() -> None:
    async with evening() as at:
        await at.press("q")
        assert at.said.startswith("Leave the table?")
        await at.press("n")
        assert at.app.stood == []
        assert at.said == "Your turn: choose a card, 1 to 6."
        await at.press("q", "y")
        assert at.app.stood == [""]


async def test_who_waits_may_think_ahead_and_the_card_stays_chosen() -> None:
    async with evening(scenes.now(scenes.view(turn=2))) as at:
        assert at.said.startswith("It is Bruno's turn.")
        await at.press("2")
        assert at.said == "It is Bruno's turn. Then: lay NSW at 4: joins north, south and west."
        await at.press("enter")
        assert at.seat.moves == []
        assert at.said == "It is Bruno's turn, not yours."
        await at.press("home")
        assert at.said == "It is Bruno's turn. 0 is taken: a card lies there."
        await at.press("n", "r")
        assert at.said.startswith("NES@4: the east side would meet rock")
        rung = at.app.rung
        await at.hear(scenes.now(), Received())
        assert at.app.rung == rung + 1
        assert at.app.titles[-1] == "Your turn - Gold Rush"
        await at.press("enter")
        assert at.seat.moves == [Lay(Path.read("NSW"), (4, 0))]


async def test_waiting_is_explained() -> None:
    async with evening(scenes.now(scenes.view(turn=4))) as at:
        assert at.said.startswith("It is Dede's turn. Dede is gone, and waited for.")
        status = scenes.now(scenes.view(turn=3))
        await at.hear(status, Received())
        assert at.said.startswith("It is Chiara's turn. Chiara's connection is shaky.")
        await at.hear(replace(status, connection=ConnectionState.LOST))
        assert "looking for it again" in at.said
        await at.hear(replace(status, disk=DiskStatus.FULL))
        assert at.said.startswith("Nothing can be saved")


async def test_where_a_disagreement_is_written_down_is_said() -> None:
    async with evening() as at:
        await at.hear(scenes.now(), Received(renewed=True, report="/state/reports/1.txt"))
        assert "Send /state/reports/1.txt to" in at.said


async def test_a_refusal_is_said() -> None:
    async with evening() as at:
        await at.press("2", "enter")
        await at.hear(at.table.status, Received(refused=CommandRefused(1, Refusal.STALE)))
        assert at.said == "The turn was another by then: look again, and choose anew."
        await at.press("enter")
        assert len(at.seat.moves) == 2, "and one may try again"


async def test_a_seat_that_ended_says_why_and_enter_goes_away() -> None:
    async with evening() as at:
        status = replace(
            at.table.status, connection=ConnectionState.ENDED, ending=CloseReason.KICKED
        )
        await at.hear(status)
        assert at.said.startswith("The host sent you away")
        await at.press("enter")
        assert len(at.app.stood) == 1
        assert at.app.stood[0].startswith("The host sent you away")


async def test_gold_is_chosen_by_its_nuggets() -> None:
    async with evening(scenes.now(scenes.choosing())) as at:
        assert at.said == "Gold! Choose the card to keep by its nuggets: 3, 2 and 1."
        await at.press("5")
        assert at.said == "No gold card of 5 nuggets is on offer."
        await at.press("2", "enter")
        assert at.seat.moves == [KeepGold(2)]


async def test_between_rounds_enter_is_ready_and_tells_who_is_waited_for() -> None:
    async with evening(scenes.now(scenes.between())) as at:
        assert at.said == "Enter: ready for the next round. Waiting for Bruno and Chiara."
        await at.press("enter")
        assert at.seat.requests == [SetReady(ready=True)]


async def test_after_the_game_the_host_plays_again_and_tab_shows_the_mine() -> None:
    async with evening(scenes.now(scenes.over())) as at:
        assert "share the win" in at.shown
        await at.press("tab")
        assert "share the win" not in at.shown
        await at.press("enter")
        assert at.said.startswith("Put this game away and play again?")
        assert at.seat.requests == []
        await at.press("y")
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


async def test_quick_claims_take_two_keys_and_arrows_change_whom_they_are_about() -> None:
    async with evening() as at:
        await at.press("c", "6")
        assert at.seat.requests == [MakeClaim(TableClaim(Topic.STONE_AT, 2))]
        await at.press("c", "7")
        assert at.seat.requests[-1] == MakeClaim(TableClaim(Topic.DIGS_AGAINST_US, 4)), (
            "Norri played last"
        )
        await at.press("c", "down", "8")
        assert at.seat.requests[-1] == MakeClaim(TableClaim(Topic.DIGS_FOR_US, 1)), (
            "and is not oneself"
        )
        await at.press("c", "escape", "2")
        assert at.table.model.selection.card == 1
        assert len(at.seat.requests) == 3


async def test_a_player_is_marked_for_oneself_alone() -> None:
    async with evening() as at:
        await at.press("p", "down", "m")
        assert at.table.model.notes == {"Bruno": PlayerNote.FRIEND}
        assert "2+Bruno" in at.shown
        await at.press("m", "m", "m")
        assert at.table.model.notes == {"Bruno": PlayerNote.NONE}
        assert at.seat.requests == []


async def test_the_dwarf_is_hidden_by_a_key_wherever_it_stands() -> None:
    async with evening(size=(120, 40)) as at:
        assert "MINER" in at.shown
        assert "You are a miner" in at.shown
        await at.press("v")
        assert "MINER" not in at.shown
        assert "miner:" not in at.shown


async def test_tab_changes_the_pane_and_pages_scroll_it() -> None:
    async with evening(size=(60, 18)) as at:
        await at.press("tab")
        assert at.table.model.pane is SidePanel.KNOWN
        assert "You are a miner" in at.shown
        await at.press("pagedown")
        assert "You are a miner" not in at.shown
        await at.press("tab")
        assert "good luck" in at.shown
        await at.press("pageup")
        assert "older" in at.shown
        await at.press("escape")
        assert "older" not in at.shown


async def test_zoom_and_pan_keep_the_cursor_on_its_cell() -> None:
    async with evening() as at:
        await at.press("2", "plus")
        sizes = [at.window.size]
        await at.press("minus", "minus")
        assert [*sizes, at.window.size] == [TileSize.WIDE, TileSize.SMALL]
        assert at.window.shows((4, 0))
        await at.press("shift+right", "shift+right", "shift+right", "shift+right")
        assert not at.window.shows((4, 0))
        assert at.table.model.selection.cell == (4, 0)
        await at.press("n", "full_stop")
        assert at.table.model.selection.cell == (4, -1), "the newest card"
        assert at.window.shows((4, -1))
        await at.press("g", "g")
        assert at.table.model.selection.cell == (8, 0)


async def test_the_terminals_own_cursor_sits_on_the_tile_and_on_the_player() -> None:
    async with evening() as at:
        assert at.app.cursor_position == Offset(5, 9)
        await at.press("right")
        assert at.app.cursor_position == Offset(10, 9)
        assert at.shown.splitlines()[9][10] == "═"
        await at.press("p")
        column, row = at.app.cursor_position
        assert at.shown.splitlines()[row][column:].startswith("1 Ana")


async def test_another_size_in_the_middle_of_anything_loses_nothing() -> None:
    async with evening() as at:
        await at.press("2", "x")
        selection = at.table.model.selection
        for size in ((60, 18), (40, 10), (200, 60), (80, 24)):
            await at.pilot.resize_terminal(*size)
            await at.pilot.pause()
            assert at.table.model.selection == selection
        before = at.shown
        assert "discard tunnel north, east, south" in before
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
        assert at.said == "Paused: P goes on."
        assert at.shown.startswith(" PAUSED ")
        await at.press("2", "enter")
        assert at.seat.moves == []
        await at.press("P")
        assert at.seat.requests == [Pause(paused=False)]
