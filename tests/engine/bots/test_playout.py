"""A play-out is a round in haste: what a move leads to is what `engine.round` says."""

from collections import Counter
from random import Random

import pytest

from engine.board import GOAL_CELLS, Board, around
from engine.bots.playout import Playout
from engine.cards import CARDS, Role
from engine.deals import deal
from engine.edition import EDITIONS, ITALIA
from engine.game import Game
from engine.moves import Lay
from engine.round import Round
from tests.engine.cases import play_of, round_at

NOBODY = [False] * 10


def begun(rng: Random, players: int, book: str = "international") -> Round:
    return Game.begin(deal(rng.randbytes(32), 1, players), EDITIONS[book])[0].round


def agree(playout: Playout, now: Round) -> None:
    """See that a play-out is where the round is."""
    table = now.table
    assert playout.won == (table.end is not None and table.end.winner is Role.MINER)
    assert playout.board.cards.keys() - GOAL_CELLS == table.board.cards.keys() - GOAL_CELLS
    if playout.won:
        return
    assert playout.board == table.board
    assert tuple(playout.broken) == table.broken
    assert playout.left == sum(table.hands) + table.pile
    assert [Counter(hand) for hand in playout.hands] == [
        Counter(card.index for card in hand) for hand in now.hands
    ]
    assert tuple(CARDS[card] for card in reversed(playout.pile)) == now.pile


@pytest.mark.parametrize("book", EDITIONS)
def test_a_move_leads_where_the_rules_say(book: str, rng: Random) -> None:
    for players in (3, 6, 10):
        now = begun(rng, players, book)
        playout = Playout(now, NOBODY)
        while now.table.end is None:
            moves = now.legal_moves()
            digs = [move for move in moves if isinstance(move, Lay) and move.cell[0] > 0]
            move = rng.choice(digs if digs and rng.random() < 0.8 else moves)
            now, _ = now.apply(move)
            playout = playout.after(move)
            agree(playout, now)
            while now.table.turn is not None and playout.turn != now.table.turn:
                assert not playout.hands[playout.turn]
                playout.turn = (playout.turn + playout.step) % playout.seats


@pytest.mark.parametrize("book", EDITIONS)
def test_played_out_nothing_is_lost_and_all_cards_lie_as_they_may(book: str, rng: Random) -> None:
    won = 0
    for players in (3, 5, 10) * 6:
        playout = Playout(begun(rng, players, book), NOBODY)
        value = playout.run()
        assert playout.won == (value > 0.5)
        won += playout.won
        assert playout.left == sum(map(len, playout.hands)) + len(playout.pile)
        assert playout.won or not playout.left
        cards = playout.board.cards
        tunnels = {cell: path for cell, path in cards.items() if cell != (0, 0)}
        assert playout.board.reached == Board.of(tunnels, playout.board.hidden).reached
        for cell in playout.board.tunnels():
            for side, back, beside in around(cell):
                if beside in playout.board.tunnels():
                    assert bool(cards[cell].edges & side) == bool(cards[beside].edges & back)
    assert 3 < won < 16


@pytest.mark.parametrize(
    ("move", "harm"), [("-P>2", True), ("ew@2", True), ("R@1", True), ("NE@0n1", False)]
)
def test_a_saboteur_who_does_harm_is_marked(move: str, *, harm: bool) -> None:
    for roles in ("smm+m", "mms+m"):
        now = round_at(f"EW@1 (NE)/(NESW)/(NW) 1 -,-,- -P/NE/ew/R,NS,NS M {roles}")
        after = Playout(now, NOBODY[:3]).after(play_of(move))
        assert after.marked == [harm and roles.startswith("s"), False, False]


def test_a_win_counts_more_the_sooner_it_comes_and_a_loss_the_nearer_it_was() -> None:
    road = "EW@1/EW@2/EW@3/NEW@4/NEW@5/NEW@6"
    soon = round_at(f"{road} (NE)/(NESW)/(NW) 1 -,-,- NESW,NS,NS M/M/M/M mms+m")
    late = round_at(f"{road} (NE)/(NESW)/(NW) 1 -,-,- NS,NESW,NS M mms+m")
    near = round_at(f"{road} (NE)/(NESW)/(NW) 1 -,-,- NS,NS,NS M mms+m")
    far = round_at("- (NE)/(NESW)/(NW) 1 -,-,- NS,NS,NS M mms+m")
    values = [Playout(now, NOBODY).run() for now in (soon, late, near, far)]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == 4


def test_in_italy_turns_pass_the_other_way() -> None:
    now = round_at("- (NE)/(NESW)/(NW) 1 -,-,- NS,NS,NS M mms+m", ITALIA)
    assert Playout(now, NOBODY).after(play_of("xNS")).turn == 2


def test_what_has_been_tried_leaves_the_start_as_it_was(rng: Random) -> None:
    now = begun(rng, 5)
    start = Playout(now, NOBODY)
    ends = []
    for _ in range(2):
        ends.append([start.after(move).run() for move in now.legal_moves()])
        agree(start, now)
    assert ends[0] == ends[1]
    assert len(set(ends[0])) > 1
