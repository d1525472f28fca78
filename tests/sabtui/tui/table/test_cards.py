"""Cards, by keys: what each can do and where, how it lies, how many keys it takes, and why not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import get_args

import pytest
from msgspec import structs

from engine import moves
from engine.actions import (
    AlreadyBroken,
    Break,
    CannotRepair,
    Map,
    NoHiddenGoal,
    NoSuchSeat,
    NotBroken,
    NoTunnel,
    Repair,
    Rockfall,
)
from engine.board import GOAL_CELLS
from engine.bots import Playouts, greedy
from engine.bots.hints import Hint, MostNuggets, find_hints
from engine.cards import Card, Path, Tool
from engine.dealing import deal
from engine.edition import INTERNATIONAL
from engine.game import Game
from engine.moves import Discard, KeepGold, Lay, Move
from engine.state import Phase
from engine.view import View
from net.client.session import Status
from net.protocol.lobby import BotChair
from sabtui.tui.mine.tiles import CellMark
from sabtui.tui.table import actions
from sabtui.tui.table.actions import WAYS, choose_card
from sabtui.tui.table.model import SendRequest
from sabtui.tui.table.selection import Choice, Selection, find_highlights
from tests.sabtui.cases import DIG, view_of
from tests.sabtui.tui import scenes
from tests.sabtui.tui.table.pure_table import STATUSES, PureTable
from tests.samples import first

YOURS = scenes.view()
ONE_CARD = YOURS._replace(hand=(Card.NE,))
WITH_MAP = YOURS._replace(hand=(Card.MAP, *YOURS.hand[1:]))
NO_CART = YOURS._replace(table=YOURS.table._replace(broken=(Tool.CART.bit, 0, 0, 0, 0)))
ALIKE = scenes.choosing()
ALIKE = ALIKE._replace(offer=(1, 1), score=replace(ALIKE.score, offer=2))
CHOOSE_GOLD = "Gold! Press the number on the card you keep: 3, 2 or 1."
FROM_SOUTH = "Enter: lay it here: from south to north and"

Story = tuple[tuple[str, str | Move | None], ...]
STORIES: dict[str, tuple[View, Story]] = {
    "n goes to places, r turns the card there": (
        YOURS,
        (
            ("2 n", f"{FROM_SOUTH} east. r rotates it."),
            ("r", f"{FROM_SOUTH} west..."),
            ("N", "Enter: lay..."),
        ),
    ),
    "R where the other way does not fit": (
        YOURS,
        (("R", None), ("4 R", None), ("escape 1 x R", None), ("escape 1 right R", None)),
    ),
    "R where a card lies either way": (YOURS, (("2 n R", Lay(Path.read("NSW"), (0, -2))),)),
    "r where it changes nothing, and where it does": (
        YOURS,
        (
            ("2 r", "The east side would meet rock. Turned around, it fits."),
            ("n r", "Enter: lay..."),
            ("5 r", "Not broken: Bruno's cart."),
            ("n r", "Enter: repair Chiara's cart..."),
            ("3 r", "There is no other way to play this card here."),
        ),
    ),
    "e goes from card to card": (
        YOURS,
        (
            ("e", "Enter: lay..."),
            ("e e x enter", Discard(YOURS.hand[2])),
        ),
    ),
    "a break goes to players": (
        YOURS,
        (("4", "Enter: break Bruno's lantern."), ("n n enter", Break(Tool.LANTERN, 4))),
    ),
    "a repair of two tools": (
        YOURS,
        (
            ("5 n", "Enter: repair Chiara's pick. r: cart."),
            ("r enter", Repair(Card.REPAIR_PICK_CART, 2, Tool.CART)),
        ),
    ),
    "escape keeps the card": (
        YOURS,
        (
            ("1 x", "Enter: pass and discard it. Face down. Esc keeps it."),
            ("escape", "Enter: lay..."),
            ("x x", "Enter: lay..."),
            ("x enter", Discard(Card.NE)),
        ),
    ),
    "x alone discards nothing, the open claims notwithstanding": (
        YOURS,
        (
            ("c x", "Choose a card, 1 to 6."),
            ("escape 3 x enter", Discard(YOURS.hand[2])),
        ),
    ),
    "in another's turn nothing is discarded": (
        scenes.view(turn=2),
        (("x 2", "It is Bruno's turn. Then: lay..."), ("x enter", None)),
    ),
    "the last card is named by its key": (
        ONE_CARD,
        (
            ("", "Your turn: press 1 for your last card..."),
            ("r", "Press 1 for your last card."),
            ("x", "Press 1 for your last card."),
        ),
    ),
    "a broken tool, and what one can do all the same": (
        NO_CART,
        (
            ("", "Your cart is broken: you cannot dig. Your turn: choose a card, 1 to 6."),
            (
                "2",
                ("Your cart is broken: you cannot dig. x discards it; only action cards play."),
            ),
            (
                "enter",
                ("Your cart is broken: you cannot dig. x discards it; only action cards play."),
            ),
            ("n", "You cannot play this card now: x discards it."),
            ("N", "You cannot play this card now: x discards it."),
            ("", None),
        ),
    ),
    "a map, and what is known of a goal": (
        WITH_MAP,
        (
            ("1", "Enter: look at the north goal in secret..."),
            ("n", "Enter: look at the south goal in secret, the treasure on your map."),
            ("n", "Enter: look at the middle goal in secret, stone on your map."),
        ),
    ),
    "gold by its nuggets": (
        scenes.choosing(),
        (
            *((key, CHOOSE_GOLD) for key in ("", "e", "n", "r", "x", "enter")),
            ("5", "That is not on the list. Choose from it."),
            ("2 enter", KeepGold(2)),
        ),
    ),
    "gold of one kind by one key": (
        ALIKE,
        (
            ("", "Enter: keep the gold card of 1 nugget. The gold cards left are all the same."),
            ("n", "The gold cards left are all the same. Enter: keep the gold card of 1 nugget."),
            ("enter", KeepGold(1)),
        ),
    ),
    "after the game": (scenes.over(), tuple((key, "The game is over.") for key in "rRnx")),
}
"""Keys pressed in turn, and what is said then, up to dots, or the only move sent so far."""


@pytest.mark.parametrize(("view", "story"), STORIES.values(), ids=STORIES)
def test_keys_choose_turn_and_play_cards(view: View, story: Story) -> None:
    at = PureTable(scenes.now(view))
    for keys, wanted in story:
        at.press(*keys.split())
        if not isinstance(wanted, str):
            assert at.moves == [move for move in (wanted,) if move], keys
        elif wanted.endswith("..."):
            assert at.said.startswith(wanted.removesuffix("...")), keys
        else:
            assert at.said == wanted, keys


@pytest.mark.parametrize("way", WAYS, ids=lambda way: str(way[0]))
def test_arrows_and_letters_move_the_cursor(way: tuple[str, str, int, int]) -> None:
    _name, keys, east, south = way
    at = PureTable()
    at.press(*keys.split())
    assert at.selection.cell == (3 * east, 3 * south), "by three keys, a cell each"
    assert at.window.shows(at.selection.cell)


@pytest.mark.parametrize("status", ["disk full", "lost", "paused"])
def test_where_no_move_can_be_made_a_discard_begins_with_the_card(status: str) -> None:
    at = PureTable(STATUSES[status])
    at.press("x")
    assert (at.said, at.model.selection.discarding) == ("Choose a card, 1 to 6.", False)
    at.press("2", "x", "enter")
    assert at.model.selection.discarding
    assert not at.requests


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
    at.receive(replace(at.status, game_state=replace(at.status.game_state, step=58)))
    assert at.why_not(actions.confirm) is None


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


def test_a_digit_of_no_card_says_how_many_there_are() -> None:
    assert PureTable().why_not(choose_card(7)) == "You hold 6 cards."
    assert PureTable().why_not(choose_card(0)) == "You hold 6 cards."
    assert PureTable(STATUSES["no game"]).why_not(choose_card(1)) == "The game has not begun yet."


def first_hints(players: int) -> Iterator[tuple[View, Move]]:
    """Moves of the first seat in games with bots, each the first hint, and the views before."""
    rng = Random(players)
    seed = rng.randbytes(32)
    while True:
        game, _ = Game.begin(deal(seed, 1, players), INTERNATIONAL)
        while game.phase is not Phase.OVER:
            if game.phase is Phase.DEAL:
                game, _ = game.deal(seed)
                continue
            move = greedy(game.view(game.to_act, history=False), rng, Playouts(0))
            if game.to_act == 0:
                view = game.view(0)
                move = find_hints(view, rng, Playouts(10))[0].move
                yield view, move
            game, _ = game.apply(move)
        seed = rng.randbytes(32)


def seat_with_bots(view: View) -> Status:
    """What the first seat holds of a table with bots in all others."""
    bots = tuple(BotChair(name, "easy") for name in scenes.CROWD[1 : view.table.players])
    lobby = scenes.lobby()
    return scenes.now(view, structs.replace(lobby, chairs=(lobby.chairs[0], *bots)))


@pytest.mark.parametrize("players", first(1, [5, 3, 10], thorough=3))
def test_two_keys_make_the_move_of_a_hint_whatever_it_is(players: int) -> None:
    for (view, move), _count in zip(first_hints(players), range(50), strict=False):
        at = PureTable(seat_with_bots(view))
        at.press("i")
        at.take_hints(view, Hint(move, MostNuggets(), None))
        at.press("enter")
        assert at.moves == [move]


@pytest.mark.parametrize("others", [("x",), ("escape",), ("right",), ("n",), ("e",), ("enter",)])
def test_after_any_other_key_than_a_number_a_number_discards_nothing(others: tuple[str]) -> None:
    at = PureTable()
    at.press("x", *others, "2")
    assert at.moves == []


NEVER_OFFERED = {moves.NotInHand, NoSuchSeat, CannotRepair}
"""A screen has no way to wish for these: a card not held, a seat not there, another tool."""

CUT_OFF = scenes.view("EW@1/NS@3n1 ?/?/?", "NS/M")
OTHERS_GOLD = scenes.choosing()._replace(score=replace(scenes.choosing().score, chooser=1))
WATCHING = scenes.view()._replace(seat=None, role=None, hand=())


BROKEN = scenes.view(hand="NE/NES")
BROKEN = BROKEN._replace(table=BROKEN.table._replace(broken=(7, *BROKEN.table.broken[1:])))
CASES: list[tuple[type[moves.Reason], View, str, str]] = [
    (moves.ToolsBroken, BROKEN, "1", "Your pick, lantern and cart are broken: you cannot dig."),
    (moves.CellTaken, YOURS, "1 home", "A card lies there already."),
    (moves.SideClashes, YOURS, "1 home up left", "would"),
    (moves.TouchesNothing, YOURS, "1 home" + 5 * " left", "There is no path card next to "),
    (moves.NotLinked, CUT_OFF, "1 home right right right up up", "No tunnel from the start opens"),
    (AlreadyBroken, scenes.view(hand="-P"), "1 up up", "Already broken: Bruno's"),
    (NotBroken, YOURS, "5 up", "Not broken: your pick."),
    (NoTunnel, YOURS, "6 home", "A rockfall cannot remove the start or a goal."),
    (NoHiddenGoal, CUT_OFF, "2 home", "0 is not a goal"),
    (moves.NotYourTurn, scenes.view(turn=2), "1 enter", "It is Bruno's turn."),
    (moves.GoldBeingShared, OTHERS_GOLD, "1", "Bruno is choosing a gold card."),
    (moves.NotOnOffer, scenes.choosing(), "6", "That is not on the list. Choose from it."),
    (moves.DealAwaited, scenes.between(), "1", "The next round has not been dealt yet."),
    (moves.GameOver, scenes.over(), "1", "The game is over."),
    (
        moves.OnlyWatching,
        WATCHING,
        "1",
        "Watchers cannot do that: sit down first, if a seat is free.",
    ),
]
"""What is pressed where, and the cause that is named."""


@pytest.mark.parametrize(
    ("reason", "view", "keys", "text"), CASES, ids=[case[0].__name__ for case in CASES]
)
def test_the_status_line_names_the_cause(
    reason: type[moves.Reason], view: View, keys: str, text: str
) -> None:
    at = PureTable(replace(scenes.now(view), member=1 if view.seat == 0 else 9))
    at.press(*keys.split())
    assert text in at.said, reason
    assert at.moves == []


def test_each_reason_is_met_or_never_offered() -> None:
    assert {case[0] for case in CASES} | NEVER_OFFERED == {*get_args(moves.Reason)}


NES = 1  # its place in the hand of `DIG`


def way(text: str) -> Path:
    return Path.read(text)


def test_a_path_card_has_a_place_for_each_cell_and_a_way_for_each_way_up() -> None:
    choice = Choice.of(DIG, Card.NES)
    assert choice.targets == {
        (0, -1): (Lay(way("NES"), (0, -1)), Lay(way("NSW"), (0, -1))),
        (-1, 0): (Lay(way("NES"), (-1, 0)),),
        (0, 1): (Lay(way("NES"), (0, 1)), Lay(way("NSW"), (0, 1))),
        (2, -1): (Lay(way("NES"), (2, -1)), Lay(way("NSW"), (2, -1))),
        (3, 0): (Lay(way("NSW"), (3, 0)),),
    }


def test_places_near_the_gold_come_first_and_other_players_before_oneself() -> None:
    assert next(iter(Choice.of(DIG, Card.NES).targets)) == (3, 0)
    assert [*Choice.of(DIG, Card.BREAK_CART).targets] == [1, 2, 0]
    mine = view_of("- ?/?/? 1 P,P,- EW/+P,3,2 0 m??+?")
    assert [*Choice.of(mine, Card.REPAIR_PICK).targets] == [0, 1]


def test_what_fits_one_way_alone_lies_that_way_however_it_was_turned() -> None:
    choice = Choice.of(DIG, Card.NES)
    for turned in (False, True):
        assert choice.play_at((3, 0), turned) == Lay(way("NSW"), (3, 0))
        assert choice.other_way((3, 0), turned) == Lay(way("NES"), (3, 0))
    assert choice.play_at((0, 1), turned=False) == Lay(way("NES"), (0, 1))
    assert choice.play_at((0, 1), turned=True) == Lay(way("NSW"), (0, 1))


def test_an_impossible_place_has_its_wish_too() -> None:
    assert Choice.of(DIG, Card.NES).play_at((7, 7), turned=True) == Lay(way("NSW"), (7, 7))
    assert Choice.of(DIG, Card.BREAK_LANTERN).play_at(1, turned=False) == Break(Tool.LANTERN, 1)
    assert Choice.of(DIG, Card.BREAK_LANTERN).play_at((0, 0), turned=False) is None
    assert Choice.of(DIG, Card.ROCKFALL).play_at((0, 0), turned=False) == Rockfall((0, 0))
    assert Choice.of(DIG, Card.MAP).play_at((8, 0), turned=False) == Map((8, 0))
    assert Choice.of(DIG, Card.MAP).play_at(1, turned=False) is None


def test_a_card_is_put_down_when_the_hand_or_the_turn_is_another() -> None:
    selection = Selection(cell=(3, 0), card=NES)
    assert selection.follow(DIG, DIG) == selection
    other = DIG._replace(hand=DIG.hand[1:])
    assert selection.follow(DIG, other).card is None
    played_and_drew_the_same = DIG._replace(table=DIG.table._replace(turn=1))
    assert selection.follow(DIG, played_and_drew_the_same).card is None
    assert selection.follow(played_and_drew_the_same, DIG).card == NES, "who thinks ahead keeps it"
    assert selection.follow(DIG, None) == Selection()
    assert Selection(nuggets=2).follow(DIG._replace(offer=(2, 1)), DIG).nuggets is None


def test_a_player_under_the_cursor_stays_there_while_others_move() -> None:
    players = DIG.table.players
    for seat in range(players):
        assert Selection(seat=seat).follow(DIG, DIG._replace(history=())) == Selection(seat=seat)
    assert Selection(seat=players).follow(DIG, DIG).seat is None, "nobody sits there any more"


VIEW = scenes.view()


def test_places_of_a_card_are_marked_whichever_way_up_it_lies_there() -> None:
    for turned in (False, True):
        selection = replace(Selection().choose_card(1, VIEW), turned=turned)
        shown = find_highlights(VIEW, selection)
        choice = selection.choice(VIEW)
        assert choice is not None
        fits = {cell for cell, mark in shown.marks.items() if mark is CellMark.FITS}
        assert fits == choice.targets.keys()
        assert len(fits) == 4


def test_a_lay_lights_what_it_joins_and_the_stretch_that_it_connects() -> None:
    shown = find_highlights(VIEW, Selection().choose_card(1, VIEW))
    joined = {cell for cell, mark in shown.marks.items() if mark is CellMark.JOINED}
    assert joined == {(3, 0), (4, -1), (4, 1), (3, -1)}
    opened = {
        cell: shown.labels[cell] for cell, mark in shown.marks.items() if mark is CellMark.OPENED
    }
    assert opened == {(3, -2): "^"}, "at the far end of the stretch"


def test_a_goal_that_a_lay_would_reach_is_lit() -> None:
    view = scenes.view("EW@1/EW@2/NESW@3/NESW@4/NESW@5/NESW@6 ?/?/?", "EW/NES/ew/-L/+PC/R")
    shown = find_highlights(view, Selection().choose_card(0, view))
    assert shown.cursor == (7, 0)
    assert (shown.marks[GOAL_CELLS[1]], shown.labels[GOAL_CELLS[1]]) == (CellMark.OPENED, ">")


def test_where_a_card_does_not_fit_nothing_is_lit_but_places() -> None:
    shown = find_highlights(VIEW, replace(Selection().choose_card(1, VIEW), cell=(0, 0)))
    assert shown.ghost is not None
    assert not shown.ghost.fits
    assert not {CellMark.JOINED, CellMark.OPENED} & {*shown.marks.values()}


def test_without_a_card_or_with_one_to_discard_only_the_cursor_stands_out() -> None:
    for selection in (Selection(), replace(Selection().choose_card(1, VIEW), discarding=True)):
        shown = find_highlights(VIEW, selection)
        assert not shown.marks
        assert shown.ghost is None
        assert shown.cursor is not None
        assert shown.new == (4, -1)
