"""Figures about the source: sizes, names, docstrings, imports.

    make measure       print them for this checkout

A figure shows where to look; it is no goal in itself. The source is all of `engine`, `net` and
`sabtui`; tests, tools and benchmarks are not counted. Files are read, never imported.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PACKAGES: Final = ("engine", "net", "sabtui")

SMALL_LINES: Final = 60
"""Files with fewer lines are counted as small."""
LARGE_LINES: Final = 250
"""Files with more lines are counted as large."""

QUESTION_WORDS: Final = frozenset(
    ("What", "Whether", "Who", "Whom", "Whose", "Which", "Where", "When", "How", "Why")
)
"""Words that no docstring of a function should begin with."""

PARTICIPLE: Final = re.compile(
    r"(?!(embed|exceed|feed|need|proceed|seed|shed|speed|succeed)$)[a-z]+ed"
    "|beaten|been|begun|bent|blown|bought|broken|brought|built|burnt|caught|chosen|dealt|done|drawn"
    "|driven|dug|eaten|fallen|fed|felt|flown|forgotten|fought|found|frozen|given|gone|grown|heard"
    "|held|hidden|hung|kept|known|laid|learnt|led|left|lent|lit|lost|made|meant|met|paid|said|sat"
    "|seen|sent|shaken|shown|slept|sold|sought|spelt|spent|spoken|stolen|stood|struck|stuck|sunk"
    "|swept|taken|taught|thought|thrown|told|torn|understood|undone|withdrawn|woken|won|worn|wound"
    "|written"
)
"""Participles, but for those that may be a command, too, such as `read`."""

_FUNCTION_NAME: Final = re.compile(r"def _*([a-z]+)_*\(")

Graph = Mapping[str, frozenset[str]]
"""For each module, the modules that it imports."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def _parse(text: str) -> ast.Module:
    return ast.parse(text)


@dataclass(frozen=True, slots=True)
class Module:
    """A module of the source by its dotted name."""

    name: str
    text: str
    is_package: bool

    @property
    def tree(self) -> ast.Module:
        """The syntax tree, parsed once it is asked for."""
        return _parse(self.text)

    @property
    def lines(self) -> int:
        """The number of lines, blank ones included."""
        return self.text.count("\n")


def read_modules(root: Path, folders: Iterable[str] = PACKAGES) -> list[Module]:
    """Read every module in these folders, in the order of their paths."""
    found = []
    for package in folders:
        for path in sorted((root / package).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            is_package = parts[-1] == "__init__"
            text = path.read_text(encoding="utf-8")
            name = ".".join(parts[:-1] if is_package else parts)
            found.append(Module(name, text, is_package))
    return found


def packages(modules: Iterable[Module]) -> dict[str, tuple[int, int]]:
    """Return the number of modules and of lines of each package, without those inside it."""
    sizes: defaultdict[str, list[int]] = defaultdict(list)
    for module in modules:
        package = module.name if module.is_package else module.name.rpartition(".")[0]
        sizes[package].append(module.lines)
    return {name: (len(lines), sum(lines)) for name, lines in sorted(sizes.items())}


def homonyms(modules: Iterable[Module]) -> dict[str, list[str]]:
    """Return the public names of types that more than one module defines, with these modules."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for module in modules:
        for name in type_names(module):
            places[name].append(module.name)
    return {name: where for name, where in sorted(places.items()) if len(where) > 1}


def type_names(module: Module) -> Iterator[str]:
    """Yield the public names of a module's classes, type aliases, and types that a call makes.

    An alias is known by its capital letter and a small one. Type variables do not count: they only
    have a meaning in their own module.
    """
    for node in module.tree.body:
        if isinstance(node, ast.ClassDef):
            names = [node.name]
        else:
            names = [
                name for name, _value in _find_assignment(node) if re.match(r"[A-Z]\w*[a-z]", name)
            ]
        yield from (name for name in names if not name.startswith("_"))


def _find_assignment(node: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """Yield the name and value of an assignment to one name, but for a type variable."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target, value = node.targets[0], node.value
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        target, value = node.target, node.value
    else:
        return
    is_variable = isinstance(value, ast.Call) and ast.unparse(value.func) == "TypeVar"
    if isinstance(target, ast.Name) and not is_variable:
        yield target.id, value


def _blocks(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the children of a node that are, or hold, statements."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
            yield child


def _walk_blocks(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and all that is, or holds, a statement below it."""
    yield node
    for child in _blocks(node):
        yield from _walk_blocks(child)


def question_docstrings(modules: Iterable[Module]) -> tuple[int, int]:
    """Count docstrings that begin with a question word, and all: of modules, classes, functions."""
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    asked = total = 0
    for module in modules:
        for node in _walk_blocks(module.tree):
            docstring = ast.get_docstring(node) if isinstance(node, documented) else None
            if docstring:
                total += 1
                asked += re.split(r"\W", docstring.lstrip(), maxsplit=1)[0] in QUESTION_WORDS
    return asked, total


def participles(modules: Iterable[Module]) -> list[str]:
    """Return the functions named by a participle alone, as `module.function`; no properties."""
    return [
        f"{module.name}.{node.name}"
        for module in modules
        if any(map(PARTICIPLE.fullmatch, _FUNCTION_NAME.findall(module.text)))
        for node in _walk_blocks(module.tree)
        if isinstance(node, Function)
        and PARTICIPLE.fullmatch(node.name.strip("_"))
        and not any("property" in ast.unparse(decorator) for decorator in node.decorator_list)
    ]


def import_graph(modules: Sequence[Module]) -> Graph:
    """Return, for each module, the modules that it imports, inside functions too.

    Imports for type checkers alone do not count. Importing from a package means its module of that
    name, if it has one, and otherwise the package itself.
    """
    known = {module.name for module in modules}
    return {module.name: frozenset(_imports(module, known)) - {module.name} for module in modules}


def _imports(module: Module, known: set[str]) -> Iterator[str]:
    """Yield the known modules that a module imports."""
    for node in _import_nodes(module.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        else:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                if inner in known:
                    yield inner
                elif node.module in known:
                    yield str(node.module)


def _import_nodes(node: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the import statements below a node of the syntax tree."""
    for child in _blocks(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child
        elif isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            yield from _import_nodes(ast.Module(child.orelse, []))
        else:
            yield from _import_nodes(child)


def components(graph: Graph) -> list[frozenset[str]]:
    """Return the strongly connected components (Tarjan)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[frozenset[str]] = []

    def visit(name: str) -> None:
        order[name] = low[name] = len(order)
        stack.append(name)
        for other in sorted(graph[name]):
            if other not in order:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], order[other])
        if low[name] == order[name]:
            at = stack.index(name)
            found.append(frozenset(stack[at:]))
            del stack[at:]

    for name in sorted(graph):
        if name not in order:
            visit(name)
    return found


def cycles(graph: Graph) -> list[list[str]]:
    """Return the modules of each import cycle."""
    return sorted(sorted(component) for component in components(graph) if len(component) > 1)


def report(root: Path) -> Iterator[str]:
    """Yield the figures of a checkout, a line each; lists of names follow their figure."""
    modules = read_modules(root)
    sizes = [module.lines for module in modules]
    small = [module for module in modules if module.lines < SMALL_LINES]
    largest = max(modules, key=lambda module: module.lines)
    yield f"modules                        {_with_packages(modules)}"
    yield from (
        f"  {name:<28} {count:>3} {lines:>6} lines"
        for name, (count, lines) in packages(modules).items()
    )
    yield f"median lines                   {median(sizes):.0f}"
    yield f"largest                        {largest.lines} {largest.name}"
    yield f"under {SMALL_LINES} lines                 {_with_packages(small)}"
    yield f"over {LARGE_LINES} lines                 {sum(size > LARGE_LINES for size in sizes)}"
    names = homonyms(modules)
    yield f"type homonyms                  {len(names)}"
    yield from (f"  {name}: {', '.join(where)}" for name, where in names.items())
    asked, total = question_docstrings(modules)
    yield f"docstrings with a question word {asked} of {total}"
    named = participles(modules)
    yield f"functions named by participle  {len(named)}"
    found = cycles(import_graph(modules))
    yield f"modules in import cycles       {sum(map(len, found))}"
    yield from (f"  {', '.join(cycle)}" for cycle in found)


def _with_packages(modules: Sequence[Module]) -> str:
    """Return the numbers of modules and of packages among them, as text."""
    return f"{len(modules)}, {sum(module.is_package for module in modules)} of them packages"


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="make measure", description="Measure the source.")
    parser.add_argument("root", nargs="?", type=Path, default=ROOT, help="another checkout")
    for line in report(parser.parse_args().root):
        print(line)


if __name__ == "__main__":
    main()
