"""What action cards do (RULES A)."""

from engine.edition import Edition
from tests.engine.cases import Case, shown


@shown("actions")
def test_actions_are_played_as_the_rules_say(case: Case, edition: Edition) -> None:
    case.check(edition)
