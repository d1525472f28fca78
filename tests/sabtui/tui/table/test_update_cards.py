"""What keys do with a card: where it may go, how it lies, and that it is played once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.actions import Break, Repair
from engine.cards import Card, Path, Tool
from engine.moves import Discard, KeepGold, Lay
from net.client.session import Received
from sabtui.tui.table import actions
from sabtui.tui.table.actions import choose_card, jump, press_place
from sabtui.tui.table.model import FindHints, SendRequest
from tests.sabtui.tui import scenes
from tests.sabtui.tui.table.pure_table import STATUSES, PureTable


def test_n_goes_from_place_to_place_and_r_turns_the_card_there() -> None:
    at = PureTable()
    at.press("2", "n")
    assert at.said.startswith("Enter: lay it here: from south to north and east.")
    assert at.said.endswith("r turns it.")
    at.press("r")
    assert at.said.startswith("Enter: lay it here: from south to north and west.")
    at.press("N")
    assert "lay it here: " in at.said


@pytest.mark.parametrize("key", ["r", "R", "n", "x"])
def test_after_the_game_no_card_is_asked_for(key: str) -> None:
    at = PureTable(scenes.now(scenes.over()))
    at.press(key)
    assert at.said == "The game is over."


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
def test_arrows_and_letters_move_the_cursor(keys: tuple[str, ...], cell: tuple[int, int]) -> None:
    at = PureTable()
    at.press(*keys)
    assert at.selection.cell == cell
    assert at.window.shows(cell)


def test_broken_tools_go_to_players() -> None:
    at = PureTable()
    at.press("4")
    assert at.said == "Enter: break Bruno's lantern."
    at.press("n", "n", "enter")
    assert at.moves == [Break(Tool.LANTERN, 4)]


def test_a_repair_of_two_tools_asks_for_one_by_r() -> None:
    at = PureTable()
    at.press("5", "n")
    assert at.said == "Enter: repair Chiara's pick. r: cart."
    at.press("r", "enter")
    assert at.moves == [Repair(Card.REPAIR_PICK_CART, 2, Tool.CART)]


def test_a_discard_is_asked_for_and_escape_takes_it_back() -> None:
    at = PureTable()
    at.press("1", "x")
    assert at.said == "Enter: pass and discard it. Face down. Esc keeps it."
    at.press("escape")
    assert not at.selection.discarding
    at.press("x", "x")
    assert at.moves == [Discard(Card.NE)]


def test_a_number_after_x_discards_a_card_even_if_the_claims_were_open() -> None:
    at = PureTable()
    at.press("c", "x")
    assert at.model.about is None
    assert at.said.startswith("Pass: press the number of the card to discard, 1 to 6.")
    at.press("1")
    assert (at.moves, at.requests) == ([Discard(Card.NE)], [])


def test_the_last_card_is_named_by_its_key() -> None:
    at = PureTable(scenes.now(scenes.view()._replace(hand=(Card.NE,))))
    assert at.said.startswith("Your turn: press 1 for your last card.")
    at.press("r")
    assert at.said == "Choose your last card first: press 1."
    at.press("x")
    assert at.said.startswith("Pass: press 1 to discard your last card.")


def test_no_hint_is_given_while_the_game_is_paused() -> None:
    at = PureTable(STATUSES["paused"])
    at.press("i")
    assert at.said == "Paused: P resumes."
    assert not any(isinstance(one, FindHints) for one in at.effects)


def test_gold_is_chosen_by_its_nuggets() -> None:
    at = PureTable(scenes.now(scenes.choosing()))
    assert at.said == "Gold! Press the number on the card you keep: 3, 2 or 1."
    at.press("5")
    assert at.said == "That is not on the list: choose from it."
    at.press("2", "enter")
    assert at.moves == [KeepGold(2)]


@pytest.mark.parametrize("status", ["disk full", "lost", "paused"])
def test_where_no_move_can_be_made_a_discard_begins_with_the_card(status: str) -> None:
    at = PureTable(STATUSES[status])
    at.press("x")
    assert (at.said, at.model.selection.discards_next) == ("Choose a card first, 1 to 6.", False)
    at.press("2", "x", "enter")
    assert at.model.selection.discarding
    assert not at.requests


def test_gold_of_one_kind_is_kept_by_one_key() -> None:
    view = scenes.choosing()
    same = view._replace(offer=(1, 1), score=replace(view.score, offer=2))
    at = PureTable(scenes.now(same))
    assert at.said == "Enter: keep the gold card of 1 nugget. All gold cards left are alike."
    at.press("n")
    assert at.said == "All gold cards left are alike."
    at.press("enter")
    assert at.moves == [KeepGold(1)]
    at = PureTable(scenes.now(view))
    at.press("enter")
    assert at.said == "Choose a gold card first: press the number on it."
    assert at.moves == []


def test_p_goes_to_the_players_and_stays_there_with_a_card_for_them() -> None:
    at = PureTable()
    at.press("4", "p", "down")
    assert at.selection.seat == 2
    at.press("escape", "p")
    assert at.selection.seat == 0
    assert "Ana (you): 6 cards, 1 gold card" in at.said
    at.press("p")
    assert at.selection.seat is None


def test_a_move_is_sent_once_until_the_table_changes() -> None:
    at = PureTable()
    at.press("2", "enter")
    assert at.effects[-1] == SendRequest(at.status.move_request(Lay(Path.read("NSW"), (4, 0))))
    assert at.why_not(actions.confirm) == "Your move is on its way to the host."
    assert at.why_not(actions.advise) == "Your move is on its way to the host."
    assert at.status.game_state is not None
    at.hear(replace(at.status, game_state=replace(at.status.game_state, step=58)))
    assert at.why_not(actions.confirm) is None


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        (("2",), "The east side would meet rock. Turned around, it fits."),
        (("5",), "Not broken: Bruno's cart."),
        (("3",), "There is no other way to play this card here."),
    ],
    ids=["a bend that fits one way", "a repair of one tool", "a straight"],
)
def test_turning_is_offered_only_where_it_changes_the_move(
    keys: tuple[str, ...], reason: str
) -> None:
    at = PureTable()
    at.press(*keys)
    assert at.why_not(actions.turn_card) == reason
    at.press("n")
    assert (at.why_not(actions.turn_card) is None) is (keys != ("3",))


def test_a_digit_always_picks_a_card_and_that_of_the_chosen_one_turns_it() -> None:
    at = PureTable()
    at.press("2", "3", "1")
    assert (at.selection.card, at.selection.turned) == (0, False)
    at = PureTable()
    at.press("2", "n", "2")
    assert (at.selection.card, at.selection.turned) == (1, True)
    at.press("x", "2")
    assert not at.selection.discarding, "but first it takes back a discard"
    assert at.moves == []


def test_a_key_goes_from_card_to_card() -> None:
    at = PureTable()
    at.press("e")
    assert at.selection.card == 0
    at.press("e", "e")
    assert at.selection.card == 2
    at.press("e", "e", "e", "e")
    assert at.selection.card == 0
    choosing = PureTable(STATUSES["choosing"])
    choosing.press("e")
    assert choosing.said == "Choose a gold card first: press the number on it."
    for key in ("n", "r", "x"):
        choosing.press(key)
        assert choosing.said == "Choose a gold card first: press the number on it.", key


def test_a_broken_tool_is_told_with_what_one_can_do_all_the_same() -> None:
    view = scenes.view()
    broken = view._replace(table=view.table._replace(broken=(Tool.CART.bit, 0, 0, 0, 0)))
    at = PureTable(scenes.now(broken))
    at.press("2")
    assert at.said.endswith("x discards it; only actions work now.")
    at.press("enter")
    assert at.said.endswith("x discards it; only actions work now.")
    assert at.moves == []


def test_a_card_that_can_do_nothing_has_no_place_to_go_to() -> None:
    view = scenes.view()
    broken = view._replace(table=view.table._replace(broken=(1, *view.table.broken[1:])))
    at = PureTable(scenes.now(broken))
    at.press("1", "n")
    assert at.said == "You cannot play this card now: x discards it."
    assert at.why_not(jump(-1)) == at.said


def test_a_digit_of_no_card_says_how_many_there_are() -> None:
    assert PureTable().why_not(choose_card(7)) == "You hold 6 cards."
    assert PureTable().why_not(choose_card(0)) == "You hold 6 cards."
    assert PureTable(STATUSES["no game"]).why_not(choose_card(1)) == "The game has not begun yet."


def test_enter_out_of_turn_is_refused_with_whose_turn_it_is_not_what_lies_there() -> None:
    at = PureTable(STATUSES["waiting"])
    at.press("g")
    assert "North goal, " in at.said, "the cursor is on a goal"
    at.press("enter")
    assert at.said == "It is Bruno's turn."


def test_what_a_map_would_show_is_told_only_of_a_goal_that_is_known() -> None:
    at = PureTable()
    hand = (Card.MAP, *scenes.view().hand[1:])
    at.hear(scenes.now(scenes.view()._replace(hand=hand)), Received())
    at.press("1")
    assert at.said.startswith("Enter: look at the north goal in secret.")
    at.act(press_place((8, 0)))
    assert at.said == "Enter: look at the middle goal in secret, stone on your map."
