"""Where a path card may lie (RULES P, E-link)."""

from engine.edition import Edition
from tests.engine.cases import Case, each_case


@each_case("paths")
def test_paths_are_laid_as_the_rules_say(case: Case, edition: Edition) -> None:
    case.check(edition)
