"""How many keys a move takes: those of a player who takes the hint's move without asking for it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from msgspec import structs

from engine.actions import Break
from engine.bots import Playouts, greedy
from engine.bots.hints import Hint, MostNuggets, hints
from engine.cards import Path
from engine.dealing import deal
from engine.edition import INTERNATIONAL
from engine.game import Game
from engine.moves import Discard, KeepGold, Lay, Move
from engine.state import Phase
from engine.view import View
from net.client.session import Status
from net.protocol.lobby import BotChair
from sabtui.tui.table.selection import Choice
from tests.sabtui.tui import scenes
from tests.sabtui.tui.table.pure_table import PureTable
from tests.sabtui.tui.table.shortest_keys import shortest_keys
from tests.samples import first

MOVES = 50


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
                move = hints(view, rng, Playouts(10))[0].move
                yield view, move
            game, _ = game.apply(move)
        seed = rng.randbytes(32)


def most_keys(view: View, move: Move) -> int:
    """The most keys promised: two, and what leads around half of the places of a card."""
    if isinstance(move, Discard | KeepGold):
        return 2
    return 2 + len(Choice.of(view, move.card).targets) // 2


def seat_with_bots(view: View) -> Status:
    """What the first seat holds of a table with bots in all others."""
    bots = tuple(BotChair(name, "easy") for name in scenes.CROWD[1 : view.table.players])
    lobby = scenes.lobby()
    return scenes.now(view, structs.replace(lobby, chairs=(lobby.chairs[0], *bots)))


@pytest.mark.parametrize("players", first(1, [5, 3, 10], thorough=3))
def test_the_moves_of_hints_take_no_more_keys_than_promised(players: int) -> None:
    taken: dict[type[Move], list[int]] = {}
    for (view, move), _count in zip(first_hints(players), range(MOVES), strict=False):
        at = PureTable(seat_with_bots(view))
        keys = shortest_keys(at.model, at.status, move)
        taken.setdefault(type(move), []).append(len(keys))
        assert len(keys) <= most_keys(view, move), f"{move}: {keys}"
    assert {Lay, Break, Discard} <= taken.keys()
    assert 2 in taken[Lay], "at the first place it takes only the card and Enter"


def test_two_keys_make_the_move_of_a_hint_whatever_it_is() -> None:
    for (view, move), _count in zip(first_hints(5), range(20), strict=False):
        at = PureTable(seat_with_bots(view))
        at.press("i")
        at.take_hints(view, Hint(move, MostNuggets(), None))
        at.press("enter")
        assert at.moves == [move]


def test_a_card_is_discarded_by_x_and_its_number() -> None:
    at = PureTable()
    at.press("x")
    assert at.moves == []
    assert at.said == "Pass: press the number of the card to discard, 1 to 6. Esc goes back."
    at.press("3")
    assert at.moves == [Discard(scenes.view().hand[2])]


@pytest.mark.parametrize("others", [("x",), ("escape",), ("right",), ("n",), ("e",), ("enter",)])
def test_after_any_other_key_than_a_number_a_number_discards_nothing(others: tuple[str]) -> None:
    at = PureTable()
    at.press("x", *others, "2")
    assert at.moves == []


def test_in_the_turn_of_another_x_waits_for_no_number() -> None:
    at = PureTable(scenes.now(scenes.view(turn=2)))
    at.press("x", "2")
    assert at.model.selection.card == 1
    assert not at.model.selection.discarding
    assert at.moves == []


def test_a_card_that_lies_either_way_is_turned_and_laid_by_one_key() -> None:
    at = PureTable(size=(120, 40))
    at.press("2", "n")
    assert "r turns it. R plays it turned." in at.said
    at.press("R")
    assert at.moves == [Lay(Path.read("NSW"), (0, -2))]


@pytest.mark.parametrize("keys", [("R",), ("4", "R"), ("1", "x", "R"), ("1", "right", "R")])
def test_nothing_is_laid_turned_where_the_other_way_does_not_fit(keys: tuple[str, ...]) -> None:
    at = PureTable()
    at.press(*keys)
    assert at.moves == []
