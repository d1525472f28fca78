"""What `make measure` counts, on modules written for it."""

import subprocess
import sys
from pathlib import Path

import pytest

from tools import measure
from tools.measure import Module


def module(name: str, text: str) -> Module:
    return Module(name, text, is_package=False)


def graph(texts: dict[str, str], *, late: bool = False) -> measure.Graph:
    modules = [module(name, text) for name, text in texts.items()]
    return measure.import_graph(modules, late=late)


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


@pytest.mark.parametrize(
    "text",
    [
        "Link = str | bytes",
        "Link: TypeAlias = Annotated[int, Meta(ge=0)]",
        "Link = NewType('Link', int)",
        "Link = namedtuple('Link', 'near far')",
        "class Link(NamedTuple): ...",
    ],
)
def test_a_type_of_any_kind_is_a_homonym_of_a_class(text: str) -> None:
    modules = [module("engine.a", "class Link: ..."), module("net.b", text)]
    assert measure.homonyms(modules) == {"Link": ["engine.a", "net.b"]}


@pytest.mark.parametrize(
    "text",
    [
        "class _Own: ...",
        "_Own = int",
        "OwnT = TypeVar('OwnT')",
        "OWN: Final = 1",
        "own = 1",
    ],
)
def test_private_names_type_variables_constants_and_variables_are_no_homonyms(text: str) -> None:
    modules = [module("engine.a", text), module("net.b", text)]
    assert measure.homonyms(modules) == {}


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


def test_a_constant_of_several_values_is_told_with_its_modules() -> None:
    modules = [
        module("engine.a", "PACE = 1\nSAME = 2\nT = TypeVar('T')"),
        module("net.b", "PACE: Final = 3\nSAME: Final = 2\nT = TypeVar('T', bound=int)"),
    ]
    assert measure.repeated_constants(modules) == {"PACE": {"engine.a": "1", "net.b": "3"}}


def test_a_module_imports_modules_and_not_their_package() -> None:
    modules = [
        Module("net.room", "", is_package=True),
        module("net.room.state", ""),
        module("net.a", "from net.room import state, Room\nimport asyncio\nimport net.room.state"),
    ]
    found = measure.import_graph(modules, late=False)
    assert found["net.a"] == {"net.room", "net.room.state"}


def test_late_imports_count_only_where_they_are_asked_for() -> None:
    texts = {"a": "def f():\n    import b", "b": "import a"}
    assert measure.cycles(graph(texts)) == []
    assert measure.cycles(graph(texts, late=True)) == [["a", "b"]]


def test_imports_for_types_alone_count_only_where_they_are_asked_for() -> None:
    text = "if TYPE_CHECKING:\n    import b\nelse:\n    import c"
    assert graph({"a": text, "b": "", "c": ""})["a"] == {"c"}
    modules = [module("a", text), module("b", "import a"), module("c", "")]
    assert measure.cycles(measure.import_graph(modules)) == []
    assert measure.cycles(measure.import_graph(modules, types=True)) == [["a", "b"]]


def test_the_deepest_chain_leads_from_the_importer_to_what_imports_nothing() -> None:
    texts = {"a": "import b\nimport d", "b": "import c", "c": "", "d": ""}
    assert measure.deepest_chain(graph(texts)) == ("a", "b", "c")
    assert measure.deepest_chain({}) == ()


def test_of_chains_of_one_length_the_deepest_is_the_first_by_name() -> None:
    texts = {"b": "import d", "a": "import d\nimport c", "c": "", "d": ""}
    assert measure.deepest_chain(graph(texts)) == ("a", "c")


def test_a_cycle_is_one_step_of_a_chain() -> None:
    texts = {"a": "import b", "b": "import c", "c": "import b\nimport d", "d": ""}
    assert measure.deepest_chain(graph(texts)) == ("a", "b", "d")


def test_comment_lines_are_those_with_nothing_else_on_them() -> None:
    text = '# one\nx = 1  # two\n\n"""# three\n\n# four"""\n# five\n'
    assert measure.comment_share([module("a", text)]) == 2 / 6
    assert measure.comment_share([]) == 0.0


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
