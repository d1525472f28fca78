"""Paths, goals, the end of a round, and turns, shown by positions (RULES P, G, R, T)."""

from engine.edition import Edition
from tests.engine.cases import Case, each_case


@each_case("rules_paths")
def test_paths_are_laid_as_the_rules_say(case: Case, edition: Edition) -> None:
    case.check(edition)


@each_case("rules_goals")
def test_goals_are_revealed_as_the_rules_say(case: Case, edition: Edition) -> None:
    case.check(edition)


@each_case("rules_ends")
def test_rounds_end_as_the_rules_say(case: Case, edition: Edition) -> None:
    case.check(edition)


@each_case("rules_turns")
def test_turns_go_as_the_rules_say(case: Case, edition: Edition) -> None:
    case.check(edition)
