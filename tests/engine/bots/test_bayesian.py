"""Saboteurs who hide: what a move gives away, and when it pays to strike."""

from random import Random

import pytest

from engine.actions import Break, Broke, Rockfall
from engine.bots import Playouts, wary
from engine.bots.actions import observe
from engine.bots.beliefs import exposures, infer_beliefs, public_beliefs, rank_moves
from engine.bots.searching import (
    LOST_DOUBT,
    NERVE_WINS,
    PRIOR_ROUNDS_PER_POINT,
    SECRECY_WINS,
    TRUSTED_DOUBT,
    WARY_NERVE_WINS,
    Candidate,
    best_first,
)
from engine.bots.talk import SILENCE, DigsAgainstUs, DigsForUs, Statement, Talk
from engine.cards import Path, Tool
from engine.dealing import deal
from engine.events import Laid, Public
from engine.game import Game
from engine.moves import Lay
from engine.notation import format_move, parse_position
from engine.view import View
from tests.engine.cases import ROAD, play_of

FIRST = "- ?/?/? 1 -,-,-,-,- -P/-C/ew/R/M/NS,6,6,6,6 37 s????+?"
START = "- ?/?/? 1 -,-,-,-,- -P/ew/NE/NS/M/+L,1,1,1,1 9 s????+?"
LATE = f"{ROAD} ?/?/? 1 -,-,-,-,- -P/ew/NE/NS/M/+L,1,1,1,1 9 s????+?"
NEAR = FIRST.replace("-", "EW@1/EW@2/EW@3/NEW@4/NEW@5", 1).replace("37", "32")
BROKE = Broke(0, Tool.PICK, 1)
LOUD = (BROKE, Laid(0, Path.read("n"), (0, 1)), Broke(0, Tool.CART, 2))

SUSPECT = (Broke(2, Tool.PICK, 0), Laid(2, Path.read("e"), (1, 0)), Broke(2, Tool.CART, 0))


def view_at(line: str, *history: Public) -> View:
    return parse_position(line).view(0)._replace(history=history)


def exposure(view: View, text: str) -> float:
    """The public suspicion of the seat to play after a move."""
    return exposures(observe(view), [play_of(text)])[0]


def find_candidates(view: View, rng: Random, wins: float = NERVE_WINS) -> list[Candidate]:
    """The moves that search would try with this nerve, without a play-out."""
    observed = observe(view)
    return best_first(observed, infer_beliefs(observed), rng, Playouts(0), nerve=wins)


def test_what_harms_gives_away_and_what_digs_does_not() -> None:
    line = "EW@1 ?/?/? 1 -,L,-,-,- -P/ew/EW/R/M/+L,1,1,1,1 9 s????+?"
    view = view_at(line, Laid(1, Path.read("EW"), (1, 0)))
    passing = exposure(view, "xM")
    assert min(exposure(view, text) for text in ("-P>2", "ew@2", "R@1")) > passing
    assert max(exposure(view, text) for text in ("EW@2", "M@8", "+L>2")) < passing


def test_a_move_gives_away_just_what_all_see_once_it_is_made(rng: Random) -> None:
    game, _ = Game.begin(deal(rng.randbytes(32), 1, 6))
    for _ in range(20):
        seat = game.round.table.turn
        assert seat is not None
        moves = game.round.legal_moves()
        told = exposures(observe(game.view(seat)), moves)
        at = rng.randrange(len(moves))
        game, _ = game.apply(moves[at])
        assert told[at] == pytest.approx(public_beliefs(observe(game.view(None))).saboteur[seat])


def nerve(doubt: float, wins: float) -> float:
    """The cost of a move that gives this much away to a saboteur, in rounds won."""
    beyond = max(0.0, min(doubt, LOST_DOUBT) - TRUSTED_DOUBT)
    return SECRECY_WINS * doubt + wins * beyond


@pytest.mark.parametrize("wins", [NERVE_WINS, WARY_NERVE_WINS])
def test_search_weighs_what_a_move_gives_away_for_saboteurs_alone(wins: float, rng: Random) -> None:
    for role in "ms":
        for line, hides in ((FIRST, True), (START, False), (NEAR, False)):
            view = view_at(line.replace("s????", f"{role}????"), BROKE)
            observed = observe(view)
            worth = {move: worth for worth, move in rank_moves(view, infer_beliefs(observed), rng)}
            for one in find_candidates(view, rng, wins):
                (doubt,) = exposures(observed, [one.move])
                cost = nerve(doubt, wins if hides else 0.0) if role == "s" else 0
                assert one.prior == pytest.approx(PRIOR_ROUNDS_PER_POINT * worth[one.move] - cost)


def test_saboteurs_have_moves_to_hide_by_among_those_they_try(rng: Random) -> None:
    told = exposures(
        observe(view_at(FIRST)), [one.move for one in find_candidates(view_at(FIRST), rng)]
    )
    assert max(told) > TRUSTED_DOUBT
    assert sum(doubt < 0.34 for doubt in told) >= 2


def harm(line: str, *history: Public, talk: Talk = SILENCE) -> int:
    """Times of ten that a wary saboteur does harm."""
    view = view_at(line, *history)
    moves = [wary(view, Random(number), Playouts(0), talk) for number in range(10)]
    return sum(
        isinstance(move, Break | Rockfall) or (isinstance(move, Lay) and not move.path.through)
        for move in moves
    )


@pytest.mark.level("broad")
def test_saboteurs_do_no_more_harm_that_shows_while_most_cards_are_to_come() -> None:
    assert (
        exposure(view_at(FIRST), "-P>2") < TRUSTED_DOUBT < exposure(view_at(FIRST, BROKE), "-P>2")
    )
    assert harm(FIRST, BROKE) <= 3


@pytest.mark.level("broad")
def test_saboteurs_strike_late_or_near_the_gold_or_once_everybody_knows_them() -> None:
    assert harm(LATE, BROKE) >= 8
    assert harm(NEAR, BROKE) >= 6
    after = FIRST.replace("-", "n@0s1", 1).replace("37", "36")
    assert public_beliefs(observe(view_at(after, *LOUD))).saboteur[0] > LOST_DOUBT
    assert harm(after, *LOUD) >= 9


@pytest.mark.level("broad")
def test_an_accused_saboteur_waits_and_one_that_others_vouch_for_dares_more() -> None:
    accused, trusted = (
        Talk(tuple(Statement(seat, claim, 60) for seat in (1, 2)))
        for claim in (DigsAgainstUs(0), DigsForUs(0))
    )
    assert harm(FIRST) >= 6
    assert harm(FIRST, talk=accused) <= 4
    assert harm(FIRST, BROKE) <= 4
    assert harm(FIRST, BROKE, talk=trusted) >= 6


def test_search_that_has_no_time_to_play_out_does_not_hide_for_its_own_sake(rng: Random) -> None:
    assert find_candidates(view_at(LATE), rng)[0].move == play_of("ew@7")


USEFUL = [
    (
        "a dead end far from the way",
        "EW@1/EW@2/EW@3 ?/?/? 1 -,-,- n/-P,1,1 9 m??+?",
        ("n@0s1", "s@0n1"),
    ),
    ("a tunnel aside", "EW@1/EW@2/EW@3 ?/?/? 1 -,-,- NW/-P/n,1,1 9 m??+?", "NW@4"),
    ("another tool of a suspect", "- ?/?/? 1 P,-,P -L/n,1,1 9 m??+?", "-L>3"),
    ("a repair of one's own tool", "- ?/?/? 1 P,-,- +P/NE/NEW/NESW,1,1 9 s??+?", "+P>1"),
    ("a map on a goal known", "- (NE)/?/? 1 P,-,- M/NE/NEW/NESW,1,1 9 s??+?", "M@"),
]


@pytest.mark.parametrize(("what", "line", "start"), USEFUL, ids=[what for what, *_ in USEFUL])
def test_who_could_only_pass_does_something(
    what: str, line: str, start: str | tuple[str, ...], rng: Random
) -> None:
    view = view_at(line, *SUSPECT) if "suspect" in what else view_at(line)
    ranked = rank_moves(view, infer_beliefs(observe(view)), rng)
    assert format_move(ranked[0][1]).startswith(start)
