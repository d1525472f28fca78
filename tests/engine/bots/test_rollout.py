"""A play-out is a fast round: moves lead where the rules say, and seats play as they should."""

from collections import Counter
from random import Random

import pytest

from engine.board import GOAL_CELLS, START, Board, neighbours
from engine.bots import rollout
from engine.bots.fast_board import unpack_cell
from engine.bots.rollout import FastRound, roll_out
from engine.cards import CARDS, Card, CardKind, Path, Role
from engine.dealing import deal
from engine.edition import EDITIONS, ITALIA
from engine.game import Game
from engine.moves import Lay
from engine.round import Round
from tests.engine.bots.test_fast_board import cards_of, expect_same_board
from tests.engine.cases import ROAD, play_of, round_at

NOBODY = [False] * 10
PLACES = "(NE)/(NESW)/(NW)"


def begin_round(rng: Random, players: int, book: str = "international") -> Round:
    return Game.begin(deal(rng.randbytes(32), 1, players), EDITIONS[book])[0].round


def agree(fast_round: FastRound, now: Round) -> None:
    """See that a play-out is where the round is."""
    table = now.table
    assert fast_round.won == (table.end is not None and table.end.winner is Role.MINER)
    expect_same_board(fast_round.board, table.board)
    if fast_round.won:
        return
    assert tuple(fast_round.broken) == table.broken
    assert fast_round.left == sum(table.hands) + table.pile
    assert [Counter(hand) for hand in fast_round.hands] == [
        Counter(card.index for card in hand) for hand in now.hands
    ]
    assert tuple(CARDS[card] for card in reversed(fast_round.pile)) == now.pile


@pytest.mark.parametrize("book", EDITIONS)
def test_a_move_leads_where_the_rules_say(book: str, rng: Random) -> None:
    for players in (3, 6, 10):
        now = begin_round(rng, players, book)
        fast_round = FastRound(now, NOBODY)
        while now.table.end is None:
            moves = now.legal_moves()
            digs = [move for move in moves if isinstance(move, Lay) and move.cell[0] > 0]
            move = rng.choice(digs if digs and rng.random() < 0.8 else moves)
            now, _ = now.apply(move)
            fast_round = fast_round.after(move)
            agree(fast_round, now)
            assert now.table.turn in (None, fast_round.turn)


@pytest.mark.parametrize("book", EDITIONS)
def test_played_out_nothing_is_lost_and_all_cards_lie_as_they_may(book: str, rng: Random) -> None:
    won = 0
    for players in (3, 5, 10) * 6:
        fast_round = FastRound(begin_round(rng, players, book), NOBODY)
        value = roll_out(fast_round)
        assert fast_round.won == (value > 0.5)
        won += fast_round.won
        assert fast_round.left == sum(map(len, fast_round.hands)) + len(fast_round.pile)
        assert fast_round.won or not fast_round.left
        cards = cards_of(fast_round.board)
        tunnels = {cell: path for cell, path in cards.items() if cell != START}
        hidden = tuple(map(unpack_cell, fast_round.board.hidden))
        expect_same_board(fast_round.board, Board.of(tunnels, hidden))
        for cell in cards.keys() - {START, *GOAL_CELLS}:
            for side, back, beside in neighbours(cell):
                if beside in cards.keys() - GOAL_CELLS:
                    assert bool(cards[cell].edges & side) == bool(cards[beside].edges & back)
    assert 3 < won < 16


@pytest.mark.parametrize(
    ("move", "harm"), [("-P>2", True), ("ew@2", True), ("R@1", True), ("NE@0n1", False)]
)
def test_a_saboteur_who_does_harm_is_marked(move: str, *, harm: bool) -> None:
    for roles in ("smm+m", "mms+m"):
        now = round_at(f"EW@1 (NE)/(NESW)/(NW) 1 -,-,- -P/NE/ew/R,NS,NS M {roles}")
        after = FastRound(now, NOBODY[:3]).after(play_of(move))
        assert after.marked == [harm and roles.startswith("s"), False, False]


def test_a_saboteur_breaks_no_tool_that_is_broken_already() -> None:
    now = round_at("EW@1 (NE)/(NESW)/(NW) 1 -,P,P -P,NS,NS M smm+m")
    fast_round = FastRound(now, NOBODY)
    assert rollout.saboteur_policy(fast_round, 0) == Card.BREAK_PICK.index, "it is thrown away"
    assert tuple(fast_round.broken) == now.table.broken


def test_a_win_counts_more_the_sooner_it_comes_and_a_loss_the_nearer_it_was() -> None:
    soon, late, near, far = (
        *(
            f"{ROAD} {PLACES} 1 -,-,- {rest} mms+m"
            for rest in ("NESW,NS,NS M/M/M/M", "NS,NESW,NS M")
        ),
        *(f"{tunnel} {PLACES} 1 -,-,- NS,NS,NS M mms+m" for tunnel in (ROAD, "-")),
    )
    values = [roll_out(FastRound(round_at(line), NOBODY)) for line in (soon, late, near, far)]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == 4


def test_in_italy_turns_pass_the_other_way() -> None:
    now = round_at("- (NE)/(NESW)/(NW) 1 -,-,- NS,NS,NS M mms+m", ITALIA)
    assert FastRound(now, NOBODY).after(play_of("xNS")).turn == 2


def test_what_has_been_tried_leaves_the_start_as_it_was(rng: Random) -> None:
    now = begin_round(rng, 5)
    start = FastRound(now, NOBODY)
    ends = []
    for _ in range(2):
        ends.append([roll_out(start.after(move)) for move in now.legal_moves()])
        agree(start, now)
    assert ends[0] == ends[1]
    assert len(set(ends[0])) > 1


def test_others_follow_a_miner_who_has_looked_and_no_saboteur() -> None:
    now = round_at("- (NE)/(NESW)/(NW) 1 -,-,- M/NE,NE,NS M mms+m")
    for seat, goal, rumour in ((0, 0, 0b110), (0, 1, 0b010), (2, 0, 0b111)):
        fast_round = FastRound(now, NOBODY)
        fast_round.look(seat, goal)
        assert fast_round.rumour == rumour
        assert fast_round.targets[1] == rumour
        assert fast_round.targets[seat] == rumour & ~0b001
    assert FastRound(now, NOBODY).after(play_of("M@8")).targets[1] == 0b010
    misled = FastRound(now, NOBODY, rumour=0b001)
    misled.look(0, 0)
    assert misled.rumour == 0b001
    assert misled.targets == [0b110, 0b001, 0b001]


# What the seats do, which the measure of `search` rests on.


def play_seat_1(line: str, marked: str = "---") -> tuple[Card, FastRound]:
    """The card that seat 1 plays there, and what that leads to."""
    game = FastRound(round_at(line), [mark == "!" for mark in marked])
    play = rollout.miner_policy if game.miner[0] else rollout.saboteur_policy
    return CARDS[play(game, 0)], game


def test_miners_repair_nobody_who_is_marked_and_break_their_tools() -> None:
    line = f"- {PLACES} 1 P,-,L EW/-C/+L,NS,NS M mms+m"
    card, game = play_seat_1(line)
    assert (card, game.broken) == (Card.REPAIR_LANTERN, [1, 0, 0])
    card, game = play_seat_1(line, "-!!")
    assert (card, game.broken) == (Card.BREAK_CART, [1, 4, 2])


def test_miners_hinder_who_is_marked_before_they_dig() -> None:
    line = f"{ROAD} {PLACES} 1 -,-,- NEW/-C,NS,NS M mms+m"
    assert play_seat_1(line)[0] is Card.read("NEW")
    assert play_seat_1(line, "--!")[0] is Card.BREAK_CART


def test_a_miner_looks_at_the_middle_first() -> None:
    _, game = play_seat_1(f"- {PLACES} 1 P,-,- M,NS,NS M mms+m")
    assert game.looks == [2, 0, 0]
    assert game.targets == [2, 2, 2], "all follow"
    game = FastRound(round_at("- (NESW)/(NE)/(NW) 1 P,-,- M/M,NS,NS M mms+m"), [False] * 3)
    for looks in (2, 3):
        rollout.miner_policy(game, 0)
        assert game.looks[0] == looks
    assert game.targets[0] == 1


def test_a_miner_only_throws_away_what_it_cannot_play(monkeypatch: pytest.MonkeyPatch) -> None:
    line = f"EW@1/ew@2 {PLACES} 1 P,-,- R,NS,NS M mms+m"
    assert (2, 0) not in cards_of(play_seat_1(line)[1].board)
    kinds = [card.kind if card is not Card.ROCKFALL else CardKind.BREAK for card in CARDS]
    monkeypatch.setattr(rollout, "CARD_KINDS", kinds)
    card, game = play_seat_1(line)
    assert card is Card.ROCKFALL
    assert (2, 0) in cards_of(game.board)


def test_saboteurs_break_those_who_can_dig_and_none_of_their_own() -> None:
    card, game = play_seat_1(f"- {PLACES} 1 -,-,L,-,- -P,NS,NS,NS,NS M ssmmm+m", "-----")
    assert (card, game.broken) == (Card.BREAK_PICK, [0, 0, 2, 1, 0])
    assert game.marked == [True, False, False, False, False]


def test_saboteurs_repair_themselves_and_stay_unmarked() -> None:
    card, game = play_seat_1(f"- {PLACES} 1 P,-,- +PL,NS,NS M smm+m")
    assert (card, game.broken) == (Card.REPAIR_PICK_LANTERN, [0, 0, 0])
    assert game.marked == [False] * 3


def test_a_dead_end_goes_where_it_fits_nearest_to_the_gold() -> None:
    _, game = play_seat_1(f"{ROAD} {PLACES} 1 -,-,- nw,NS,NS M smm+m")
    assert cards_of(game.board)[7, 0] is Path.read("nw")
