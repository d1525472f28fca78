"""Laws of the house: one meaning for a name, no import in a circle, packages list their modules.

`make measure` counts most of them.
"""

import ast
import re
from functools import cache

from tools import measure
from tools.measure import Module


@cache
def modules() -> list[Module]:
    """Read all modules, once."""
    return measure.read_modules(measure.ROOT)


def test_no_name_of_a_type_means_two_things() -> None:
    assert measure.homonyms(modules()) == {}


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert measure.cycles(measure.import_graph(modules(), late=True)) == []


def test_no_docstring_begins_with_a_question_word() -> None:
    asked, functions = measure.question_docstrings(modules())
    assert functions > 1_000
    assert asked == 0


def test_no_function_is_named_by_a_participle_alone() -> None:
    others = measure.read_modules(measure.ROOT, ("benchmarks", "tests", "tools"))
    assert measure.participles([*modules(), *others]) == []


def test_every_package_names_its_modules_in_its_docstring() -> None:
    packages = {module.name: module for module in modules() if module.is_package}
    unnamed = [
        module.name
        for module in modules()
        if module.name not in packages and not module.name.endswith("__main__")
        for package, _, name in [module.name.rpartition(".")]
        if not re.search(rf"\b{name}\b", ast.get_docstring(packages[package].tree) or "")
    ]
    assert unnamed == []
