"""How many keys a move takes: those of a player who takes the hint's move without asking for it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from msgspec import structs

from engine.bots import Playouts, greedy
from engine.bots.hints import Hint, MostNuggets, hints
from engine.deal import deal
from engine.edition import INTERNATIONAL
from engine.game import Game
from engine.moves import Break, Discard, KeepGold, Lay, Map, Move, Repair, Rockfall
from engine.state import Phase
from engine.view import View
from net.client.session import Status
from net.lobby.model import BotChair
from sabtui.tui.table.actions import TakeHints
from tests.sabtui.tui import scenes
from tests.sabtui.tui.table.pure_table import PureTable
from tests.sabtui.tui.table.shortest_keys import shortest_keys

MOVES = 50
MOST_KEYS = {Lay: 3, Break: 3, Repair: 3, Rockfall: 3, Map: 3, Discard: 3, KeepGold: 2}


def hinted(players: int) -> Iterator[tuple[View, Move]]:
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


def seated(view: View) -> Status:
    """What the first seat holds of a table with bots in all others."""
    bots = tuple(BotChair(name, "greedy") for name in scenes.CROWD[1 : view.table.players])
    lobby = scenes.lobby()
    return scenes.now(view, structs.replace(lobby, chairs=(lobby.chairs[0], *bots)))


def allowed(view: View, move: Move) -> int:
    """The most keys that a move may take: one more to turn a card that lies there either way up."""
    if isinstance(move, Lay):
        ways = [way for way in move.card.ways if Lay(way, move.cell) in view.legal_moves()]
        return MOST_KEYS[Lay] + (len(ways) > 1)
    return MOST_KEYS[type(move)]


@pytest.mark.parametrize("players", [3, 5, 10])
def test_the_moves_of_hints_take_no_more_keys_than_promised(players: int) -> None:
    taken: dict[type[Move], list[int]] = {}
    for (view, move), _count in zip(hinted(players), range(MOVES), strict=False):
        at = PureTable(seated(view))
        keys = shortest_keys(at.model, at.status, move)
        taken.setdefault(type(move), []).append(len(keys))
        assert len(keys) <= allowed(view, move), f"{move}: {keys}"
    assert {Lay, Break, Discard} <= taken.keys()
    assert 2 in taken[Lay], "at the first place it takes only the card and Enter"


def test_two_keys_make_the_move_of_a_hint_whatever_it_is() -> None:
    for (view, move), _count in zip(hinted(5), range(20), strict=False):
        at = PureTable(seated(view))
        at.press("i")
        at.act(TakeHints(view, (Hint(move, MostNuggets(), None),)))
        at.press("enter")
        assert at.moves == [move]
