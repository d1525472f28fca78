"""How a round ends (RULES R, E-dead-table)."""

from engine.edition import Edition
from tests.engine.cases import Case, each_case


@each_case("ends")
def test_rounds_end_as_the_rules_say(case: Case, edition: Edition) -> None:
    case.check(edition)
