"""The summary finds the turning points of games in which they are known, and who was found out."""

from itertools import pairwise

import pytest

from engine.bots.estimates import Estimate, change
from engine.bots.hints import Sheds
from engine.bots.review import (
    NOTABLE_CHANGE,
    TURNING_POINT_SWING,
    Effort,
    MoveReview,
    ReviewSummary,
    StepReview,
    Suspicion,
    moves_of_note,
    review,
    summarise,
    surely,
    suspicions,
    turning_points,
)
from engine.cards import Card
from engine.moves import Discard, format_move
from tests.engine.bots.test_review import steps_from
from tests.engine.cases import ROAD, WON, last_step_position

THOROUGH = Effort(chance=60, choice=60, comparison=30)
SURE = Effort(chance=400, choice=60, comparison=30)
"""Enough play-outs that a change of 0.25 is found whatever the seed; with 60, for one in four."""


def summary_of(line: str, moves: str, seed: int = 0, effort: Effort = THOROUGH) -> ReviewSummary:
    steps = steps_from(line, moves)
    return summarise(steps, list(review(steps, seed=seed, effort=effort)))


def stub(number: int, chance: float, *, deal: bool = False) -> StepReview:
    """A step after which the miners have this chance, with a little noise."""
    made = Discard(Card.MAP), Sheds(Card.MAP)
    move = MoveReview(0, *made, *made, Estimate.certain(0))
    estimate = Estimate.share(round(1000 * chance), 1000)
    return StepReview(number, 1, (0.5,), (1, 0, 0), 3, estimate, None if deal else move)


def turns(summary: ReviewSummary) -> list[tuple[int, str]]:
    """The steps and moves of the turning points."""
    return [(one.step, format_move(one.review.move)) for one in summary.turning_points]


def test_reaching_the_gold_that_few_could_reach_is_the_turning_point() -> None:
    hands = "NS/NE,NS/NE,NS/NESW,NW/NE"
    line = f"{ROAD} (NE)/(NESW)/(NW) 1 P,L,-,C {hands} - mmms+m"
    summary = summary_of(line, f"xNS xNS {WON}")
    assert turns(summary)[-1] == (3, WON)
    assert summary.turning_points[-1].swing.value > 0
    assert summary.turning_points[-1].review.agrees


@pytest.mark.level("broad")
def test_a_rockfall_at_the_end_is_a_turning_point() -> None:
    hands = "NEW/NES,R/NS,NEW/NES,NESW/NS"
    line = f"{ROAD}/NESW@7n1 (NE)/(NESW)/(NW) 1 -,-,-,- {hands} - msmm+m".replace("/NESW@7n1", "")
    summary = summary_of(line, "xNES R@6 xNES xNESW", effort=SURE)
    (fall,) = [one for one in summary.turning_points if one.step == 2]
    assert (format_move(fall.review.move), fall.swing.value < -0.1) == ("R@6", True)


def test_throwing_the_winning_card_away_loses_surely() -> None:
    steps = steps_from(last_step_position("mmms", 1), "xNESW")
    move = [*review(steps, effort=THOROUGH)][1].move
    assert move is not None
    assert (format_move(move.move), format_move(move.best)) == ("xNESW", WON)
    assert surely(move.gain) > NOTABLE_CHANGE


@pytest.mark.level("broad")
def test_where_nothing_can_be_done_there_is_no_turning_point_however_often_one_looks() -> None:
    line = "- (NE)/(NESW)/(NW) 1 PLC,PLC,PLC NS/NS/NE,NS/NE/NW,NE/NE/NW - mms+m"
    for seed in range(3):
        summary = summary_of(line, "xNS xNS xNE xNS xNE xNE", seed)
        assert turns(summary) == []


@pytest.mark.level("broad")
def test_noise_is_rarely_taken_for_a_turning_point() -> None:
    """Compare the same position with itself, with chance of its own each time."""
    steps = steps_from(last_step_position("mmms", 1).replace("M/M", "M/M/M/M/R/R"), "")
    chances = [
        next(review(steps, seed=seed, effort=Effort(chance=60))).chance for seed in range(30)
    ]
    swings = [change(before, after) for before, after in pairwise(chances)]
    assert any(abs(swing.value) > 0.05 for swing in swings), "there is noise"
    assert sum(surely(swing) > TURNING_POINT_SWING for swing in swings) <= 1


def test_a_small_change_is_no_turning_point_however_sure() -> None:
    reviews = [stub(0, 0.5), stub(1, 0.58)]
    (move,) = moves_of_note(reviews)
    assert 0 < surely(move.swing) < TURNING_POINT_SWING
    assert turning_points([move], reviews) == ()


def test_only_the_greatest_turning_points_of_a_round_are_told() -> None:
    reviews = [stub(number, chance) for number, chance in enumerate([0, 1, 0, 0.6, 0, 0.7, 1])]
    reviews.append(stub(7, 0.5, deal=True))
    moves = list(moves_of_note(reviews))
    assert len(moves) == 6, "a deal is no move"
    assert [one.step for one in turning_points(moves, reviews)] == [1, 2, 5]


@pytest.mark.parametrize(
    ("low", "high", "least"), [(0.2, 0.4, 0.2), (-0.4, -0.3, 0.3), (-0.1, 0.5, 0.0)]
)
def test_a_change_is_as_sure_as_its_interval_allows(low: float, high: float, least: float) -> None:
    assert surely(Estimate((low + high) / 2, low, high)) == least


# A saboteur is found out once everybody has reason to suspect them until the round is over.


def position(roles: str) -> str:
    """A position in which seat 1 can break tools and seat 5 can reach the treasure."""
    hands = "-P/-L/-C,NS/NS/NE,NS/NE/NE,NE/NW/NW,NW/n/NESW"
    return f"{ROAD} (NE)/(NESW)/(NW) 1 -,-,-,-,- {hands} M/M/M/M/M/M {roles}+m"


LOUD = "-P>2 xNS xNS xNE xNW -L>3 xNS xNE xNW xn -C>4 xNE xNE xNW"
QUIET = "x-P xNS xNS xNE xNW x-L xNS xNE xNW xn x-C xNE xNE xNW"


def when(line: str, moves: str) -> tuple[Suspicion, ...]:
    """Tell when the saboteurs were found out."""
    steps = steps_from(line, moves)
    return suspicions(steps, list(review(steps, effort=Effort(2, 6, 6))))


def test_a_saboteur_is_found_out_by_what_they_do() -> None:
    loud, quiet = when(position("smmsm"), f"{LOUD} {WON}")
    assert loud == Suspicion(1, 0, 6, ()), "of three broken tools the second is proof enough"
    assert (quiet.seat, quiet.step) == (3, None)


def test_a_saboteur_who_passes_is_not_found_out_before_the_end() -> None:
    assert [one.step for one in when(position("smmsm"), f"{QUIET} {WON}")] == [None, None]


def test_a_round_that_goes_on_proves_nothing() -> None:
    assert when(position("smmsm"), LOUD) == ()


def test_miners_who_were_more_suspected_are_named() -> None:
    hidden, _ = when(position("mmssm"), f"{LOUD} {WON}")
    assert hidden == Suspicion(1, 2, None, (0, 4))


def test_whom_everybody_suspected_all_along_was_found_out_at_once() -> None:
    steps = steps_from(position("smmsm"), f"{LOUD} {WON}")
    last = list(review(steps, effort=Effort(2, 6, 6)))[11:]
    assert suspicions(steps, last)[0].step == 11
