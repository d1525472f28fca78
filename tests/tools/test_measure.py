"""What `make measure` counts, on modules written for it."""

import subprocess
import sys
from pathlib import Path

from tools import measure
from tools.measure import Module


def module(name: str, text: str) -> Module:
    return Module(name, text, is_package=False)


def test_packages_are_counted_without_those_inside_them() -> None:
    modules = [
        Module("net", "x\n", is_package=True),
        Module("net.room", "x\n" * 2, is_package=True),
        module("net.tasks", "x\n" * 3),
        module("net.room.room", "x\n" * 5),
    ]
    assert measure.packages(modules) == {"net": (2, 4), "net.room": (2, 7)}


def test_a_class_of_one_name_in_two_modules_is_a_homonym() -> None:
    modules = [module("engine.a", "class Link: ..."), module("net.b", "class Link: ...")]
    assert measure.homonyms(modules) == {"Link": ["engine.a", "net.b"]}


def test_docstrings_that_begin_with_a_question_word_are_counted() -> None:
    text = '''
def a():
    """Whether it is."""
def b():
    """What's in it."""
async def c():
    """Whatever it takes."""
def d():
    """Return it."""
def e(): ...
class F:
    """Who it is."""
    def method(self):
        """How it goes."""
'''
    assert measure.question_docstrings([module("engine.a", text)]) == (4, 6)


def test_functions_named_by_a_participle_alone_are_named_and_no_properties() -> None:
    text = """
def shown(): ...
def show_opened(): ...
def succeed(): ...
class A:
    async def _opened(self): ...
    @property
    def closed(self): ...
    def is_held(self):
        def laid(): ...
"""
    names = ["engine.a.shown", "engine.a._opened", "engine.a.laid"]
    assert sorted(measure.participles([module("engine.a", text)])) == sorted(names)


def test_a_module_imports_modules_and_not_their_package() -> None:
    modules = [
        Module("net.room", "", is_package=True),
        module("net.room.state", ""),
        module("net.a", "from net.room import state, Room\nimport asyncio\nimport net.room.state"),
    ]
    found = measure.import_graph(modules, late=False)
    assert found["net.a"] == {"net.room", "net.room.state"}


def test_a_checkout_is_measured_without_importing_it(tmp_path: Path) -> None:
    for package in measure.PACKAGES:
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text('"""A package."""\nraise ValueError\n')
    command = [sys.executable, "-m", "tools.measure", str(tmp_path)]
    run = subprocess.run(  # noqa: S603 - a fixed command
        command, cwd=measure.ROOT, check=True, capture_output=True, text=True
    )
    lines = run.stdout.splitlines()
    assert lines[0].split() == ["modules", "3,", "3", "of", "them", "packages"]
    assert "  engine                         1      2 lines" in lines
    assert "type homonyms                  0" in lines
    at = lines.index("import depth                   1")
    assert lines[at + 1] == "  engine"
