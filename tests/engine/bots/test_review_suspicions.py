"""A saboteur is found out once everybody has reason to suspect them until the round is over."""

from engine.bots.review import Effort, Suspicion, review, suspicions
from tests.engine.bots.test_review import steps_from
from tests.engine.cases import ROAD, WON


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
