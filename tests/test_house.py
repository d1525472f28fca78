"""The house itself: what no linter checks of its packages, its papers, settings and names."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

import engine
import sabtui
from tools import measure
from tools.measure import Module

HOUSE = Path(__file__).parent.parent


def read(name: str) -> str:
    return (HOUSE / name).read_text(encoding="utf-8")


def imports(source: str) -> Iterator[str]:
    """Name the top-level package of each import, wherever in the module it stands."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative import"
            yield str(node.module).partition(".")[0]


@pytest.fixture(scope="module")
def files() -> list[str]:
    """List what the repository holds or would hold."""
    if not (HOUSE / ".git").exists():
        pytest.skip("not a git checkout")
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(  # noqa: S603 - a fixed command
        command, cwd=HOUSE, check=True, capture_output=True, text=True
    )
    return [name for name in listed.stdout.splitlines() if (HOUSE / name).is_file()]


def test_the_engine_imports_the_standard_library_and_itself() -> None:
    known = sys.stdlib_module_names | {"engine"}
    for module in (HOUSE / "engine").rglob("*.py"):
        strangers = set(imports(module.read_text(encoding="utf-8"))) - known
        assert not strangers, f"{module.relative_to(HOUSE)} imports {strangers}"


def test_every_package_of_the_wheel_says_that_it_is_typed() -> None:
    wheel = tomllib.loads(read("pyproject.toml"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert all((HOUSE / package / "py.typed").is_file() for package in wheel["packages"])


def test_what_contributing_calls_of_the_engine_is_there() -> None:
    called = re.findall(r"\b(engine|Game|View)\.([a-z]\w*)", read("CONTRIBUTING.md"))
    assert called
    for whose, name in called:
        owner = engine if whose == "engine" else getattr(engine, whose)
        assert hasattr(owner, name) or find_spec(f"engine.{name}"), f"{whose}.{name}"


def test_the_changelog_begins_with_this_version() -> None:
    headings = re.findall(r"^## \[?([\w.]+)", read("CHANGELOG.md"), flags=re.MULTILINE)
    assert next(name for name in headings if name != "Unreleased") == sabtui.__version__


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_every_make_command_that_a_page_names_exists(page: str) -> None:
    targets = set(re.findall(r"^([a-z]+):", read("Makefile"), flags=re.MULTILINE))
    named = set(re.findall(r"^make ([a-z]+)|`make ([a-z]+)", read(page), flags=re.MULTILINE))
    verbs = {first or second for first, second in named}
    assert verbs, "the page names no command"
    assert verbs <= targets


def test_every_dependency_is_pinned_and_no_pin_names_an_address() -> None:
    lines = [line for line in read("constraints.txt").splitlines() if not line.startswith("#")]
    pins = [re.fullmatch(r"([a-z0-9-]+)==[\w.]+(?: ; [^/]+)?", line) for line in lines]
    assert all(pins), "a line is no pin"
    project = tomllib.loads(read("pyproject.toml"))["project"]
    wanted = sum(project["optional-dependencies"].values(), project["dependencies"])
    named = {re.split(r"[<>=]", requirement)[0] for requirement in wanted}
    assert named <= {pin[1] for pin in pins if pin}


def test_every_rule_that_ruff_ignores_is_explained_on_its_line() -> None:
    settings = read("pyproject.toml")
    everywhere = settings.split("\nignore = [\n")[1].split("\n]")[0]
    by_file = settings.split("[tool.ruff.lint.per-file-ignores]\n")[1].split("\n\n")[0]
    lines = [*everywhere.splitlines(), *by_file.splitlines()]
    assert [line for line in lines if not re.search(r"# \w+", line)] == []


def test_every_exception_from_a_check_is_explained_on_its_line(files: list[str]) -> None:
    silencer = re.compile(r"# (?:noqa\b|type: ignore\b|pragma: no)(?!.* - \w)")
    for name in files:
        if name.endswith(".py"):
            assert [line for line in read(name).splitlines() if silencer.search(line)] == [], name


def test_late_imports_stand_in_few_places(files: list[str]) -> None:
    late = {
        name: count
        for name in files
        if name.startswith(("engine/", "net/", "sabtui/")) and name.endswith(".py")
        if (count := read(name).count("noqa: PLC0415"))
    }
    assert late == {
        "engine/bots/installed.py": 2,
        "engine/view.py": 1,
        "net/discovery/service.py": 1,
        "net/files.py": 1,
        "sabtui/app/errors.py": 1,
        "sabtui/app/tables.py": 1,
        "sabtui/cli/args.py": 2,
        "sabtui/cli/play.py": 1,
        "sabtui/doors/guest_program.py": 1,
        "sabtui/doors/program.py": 2,
        "sabtui/plain/commands.py": 1,
        "sabtui/plain/table.py": 1,
        "sabtui/text/door_words.py": 1,
        "sabtui/tui/command_screen.py": 3,
        "sabtui/tui/navigation.py": 1,
        "sabtui/tui/output.py": 2,
        "sabtui/tui/table/screen.py": 1,
    }


def test_no_file_names_a_folder_of_one_machine(files: list[str]) -> None:
    folder = re.compile(rb"(?<![\w.~$}])/(?:work|farm|root|home|tmp/research)/")
    assert [name for name in files if folder.search((HOUSE / name).read_bytes())] == []


# Laws, most of which `make measure` counts: one meaning for a name, no import in a circle.


@cache
def modules() -> list[Module]:
    """Read all modules, once."""
    return measure.read_modules(measure.ROOT)


def test_no_name_of_a_type_means_two_things() -> None:
    assert measure.homonyms(modules()) == {}


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert measure.cycles(measure.import_graph(modules())) == []


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
