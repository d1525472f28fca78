"""Laws of the house that `make measure` counts: one meaning for a name, no circle of imports."""

from functools import cache

from tools import measure
from tools.measure import Module


@cache
def modules() -> list[Module]:
    """Read all modules, once."""
    return measure.read_modules(measure.ROOT)


def test_no_class_name_means_two_things() -> None:
    assert measure.homonyms(modules()) == {}


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert measure.cycles(measure.import_graph(modules(), late=True)) == []


def test_no_docstring_begins_with_a_question_word() -> None:
    asked, functions = measure.question_docstrings(modules())
    assert functions > 1_000
    assert asked == 0
