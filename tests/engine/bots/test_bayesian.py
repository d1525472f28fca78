"""Saboteurs who hide: what a move gives away, and when it pays to turn."""

from random import Random

import pytest

from engine.bots import Playouts, wary
from engine.bots.actions import observe
from engine.bots.bayesian import (
    ATTACK_DISTANCE_CARDS,
    OBVIOUS_PROBABILITY,
    exposure,
    least_revealing_move,
    rank_moves,
    should_conceal,
)
from engine.bots.beliefs import infer_beliefs, public_beliefs
from engine.bots.search import PRIOR_ROUNDS_PER_POINT, SECRECY_WINS, best_first
from engine.cards import Path, Role, Tool
from engine.deal import deal
from engine.events import Broke, Laid, Public
from engine.game import Game
from engine.moves import Break, Discard, Lay, Play
from engine.notation import parse_position
from engine.view import View
from tests.engine.cases import ROAD, play_of

START = "- ?/?/? 1 -,-,-,-,- -P/ew/NE/NS/M/+L,1,1,1,1 9 s????+?"
LATE = f"{ROAD} ?/?/? 1 -,-,-,-,- -P/ew/NE/NS/M/+L,1,1,1,1 9 s????+?"
LOUD = (Broke(0, Tool.PICK, 1), Laid(0, Path.read("n"), (0, 1)), Broke(0, Tool.CART, 2))


def view_at(line: str, *history: Public) -> View:
    return parse_position(line).view(0)._replace(history=history)


def test_what_harms_gives_away_and_what_digs_does_not() -> None:
    line = "EW@1 ?/?/? 1 -,L,-,-,- -P/ew/EW/R/M/+L,1,1,1,1 9 s????+?"
    view = view_at(line, Laid(1, Path.read("EW"), (1, 0)))
    seen = {text: exposure(observe(view), play_of(text)) for text in ("-P>2", "ew@2", "R@1", "xM")}
    assert min(seen["-P>2"], seen["ew@2"], seen["R@1"]) > seen["xM"]
    assert exposure(observe(view), play_of("EW@2")) < seen["xM"]
    assert exposure(observe(view), play_of("M@8")) < seen["xM"]
    assert exposure(observe(view), play_of("+L>2")) < seen["xM"]


def test_a_move_gives_away_just_what_all_see_once_it_is_made(rng: Random) -> None:
    game, _ = Game.begin(deal(rng.randbytes(32), 1, 6))
    for _ in range(40):
        seat = game.round.table.turn
        assert seat is not None
        move = rng.choice(game.round.legal_moves())
        before = game.view(seat)
        game, _ = game.apply(move)
        assert exposure(observe(before), move) == pytest.approx(
            public_beliefs(observe(game.view(None))).saboteur[seat]
        )


def test_they_hide_while_the_gold_is_far_and_nobody_knows() -> None:
    assert should_conceal(observe(view_at(START)), ATTACK_DISTANCE_CARDS + 1)
    assert not should_conceal(observe(view_at(START)), ATTACK_DISTANCE_CARDS)
    assert public_beliefs(observe(view_at(START, *LOUD))).saboteur[0] > OBVIOUS_PROBABILITY
    assert not should_conceal(observe(view_at(START, *LOUD)), ATTACK_DISTANCE_CARDS + 1)


def test_who_hides_does_the_first_thing_that_tells_no_more_than_a_pass() -> None:
    moves: list[Play] = [play_of(text) for text in ("-P>2", "ew@1", "NS@0n1", "xNE")]
    assert least_revealing_move(observe(view_at(START)), moves) == moves[2]


def test_wary_saboteurs_turn_when_the_gold_is_near_or_who_they_are_is_plain(rng: Random) -> None:
    def harm(line: str, *history: Public) -> int:
        moves = [wary(view_at(line, *history), rng, Playouts(0)) for _ in range(60)]
        return sum(
            isinstance(move, Break) or (isinstance(move, Lay) and not move.path.through)
            for move in moves
        )

    assert 30 < harm(START) < 60
    assert harm(START, *LOUD) == 60
    assert harm(LATE) == 60


def test_who_hides_digs_like_a_miner_and_throws_away_nothing_of_use(rng: Random) -> None:
    view = view_at(START.replace("NS", "EW"))
    moves = [wary(view, rng, Playouts(0)) for _ in range(60)]
    dug = [move for move in moves if isinstance(move, Lay) and move.path.through]
    assert {move.cell for move in dug} == {(1, 0)}
    assert not any(isinstance(move, Discard) for move in moves)


def test_saboteurs_pass_in_their_first_turn_about_as_often_as_miners() -> None:
    passed: dict[Role, list[bool]] = {role: [] for role in Role}
    for number in range(40):
        chance = Random(number)
        game, _ = Game.begin(deal(chance.randbytes(32), 1, 5), rounds=1)
        for _ in range(5):
            if (seat := game.round.table.turn) is not None:
                move = wary(game.view(seat), chance, Playouts(0))
                passed[game.round.roles[seat]].append(isinstance(move, Discard))
                game, _ = game.apply(move)
    miners, saboteurs = (sum(of) / len(of) for of in passed.values())
    assert abs(saboteurs - miners) < 0.1


def test_search_that_has_no_time_to_play_out_does_not_hide_for_its_own_sake(rng: Random) -> None:
    view = view_at(LATE)
    observed = observe(view)
    beliefs = infer_beliefs(observed)
    for count in (0, 5):
        assert best_first(observed, beliefs, rng, Playouts(count))[0].move == play_of("ew@7")


def test_search_weighs_what_a_move_gives_away_for_saboteurs_alone(rng: Random) -> None:
    for role in "ms":
        observed = observe(view_at(START.replace("s????", f"{role}????")))
        beliefs = infer_beliefs(observed)
        worth = {move: worth for worth, move in rank_moves(observed.view, beliefs, rng)}
        for one in best_first(observed, beliefs, rng, Playouts(0)):
            secrecy = SECRECY_WINS * exposure(observed, one.move) if role == "s" else 0
            assert one.prior == PRIOR_ROUNDS_PER_POINT * worth[one.move] - secrecy
