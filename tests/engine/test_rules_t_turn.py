"""A turn, and whose it is (RULES T, S8, E-direction)."""

from engine.edition import Edition
from tests.engine.cases import Case, each_case


@each_case("turns")
def test_turns_go_as_the_rules_say(case: Case, edition: Edition) -> None:
    case.check(edition)
