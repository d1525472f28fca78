"""Laws of the house that `make measure` counts: one meaning for a name, no circle of imports."""

from tools import measure

MODULES = measure.read_modules(measure.ROOT)


def test_no_class_name_means_two_things() -> None:
    assert measure.homonyms(MODULES) == {}


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert measure.cycles(measure.import_graph(MODULES, late=True)) == []


def test_no_docstring_begins_with_a_question_word() -> None:
    asked, functions = measure.question_docstrings(MODULES)
    assert functions > 1_000
    assert asked == 0
