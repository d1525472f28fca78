"""How goals are revealed (RULES G, R1)."""

from engine.edition import Edition
from tests.engine.cases import Case, each_case


@each_case("goals")
def test_goals_are_revealed_as_the_rules_say(case: Case, edition: Edition) -> None:
    case.check(edition)
