"""A move becomes one public event, and an event that shows a move gives that move back."""

from random import Random

import pytest

from engine.board import EMPTY
from engine.dealing import deal
from engine.edition import EDITIONS
from engine.events import FaceUpPlay, GoldTaken, Passed, public_event, visible_to
from engine.game import Game
from engine.moves import Discard, KeepGold
from engine.state import Phase
from tests.engine.random_games import keen


def check_moves(game: Game) -> None:
    """See that the event of each legal move gives back all that everybody may know of the move."""
    seat, board = game.to_act, game.round.table.board
    assert seat is not None
    for move in game.legal_moves():
        event = public_event(seat, move, board)
        assert event.seat == seat
        if isinstance(move, Discard):
            assert event == Passed(seat)
        elif isinstance(move, KeepGold):
            assert event == GoldTaken(seat)
        else:
            assert isinstance(event, FaceUpPlay)
            assert event.move == move
            assert public_event(seat, event.move, board) == event


@pytest.mark.level("broad")
@pytest.mark.parametrize("players", [3, 10])
@pytest.mark.parametrize("book", EDITIONS)
def test_moves_and_events_turn_into_each_other_throughout_a_game(book: str, players: int) -> None:
    rng = Random(players)
    game, _ = Game.begin(deal(rng.randbytes(32), 1, players), EDITIONS[book], rounds=2)
    while game.phase is not Phase.OVER:
        if game.phase is Phase.DEAL:
            game, _ = game.deal(deal(rng.randbytes(32), 2, players, game.purse.pile))
            continue
        check_moves(game)
        assert game.to_act is not None
        move = keen(game, rng)
        shown = public_event(game.to_act, move, game.round.table.board)
        game, events = game.apply(move)
        assert visible_to(events, None)[0] == shown


def test_equal_passes_share_one_object() -> None:
    game, _ = Game.begin(deal(bytes(32), 1, 3), EDITIONS["international"], rounds=1)
    board, (first, second, *_) = game.round.table.board, game.round.hands[0]
    assert public_event(0, Discard(first), board) is public_event(0, Discard(second), board)


def test_of_gold_kept_everybody_hears_only_that_it_was_taken() -> None:
    assert public_event(2, KeepGold(3), EMPTY) == GoldTaken(2)
