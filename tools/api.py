"""The page docs/api.md: what users of the engine import, made from its source.

    make api           write the page for this checkout

Each name has its signature and the first sentence of its docstring. Files are read, never imported.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "api.md"

MODULES: Final = (
    "engine",
    "engine.tally",
    "engine.encoding",
    "engine.playing",
    "engine.picture",
    "engine.notation",
    "engine.notation.replays",
    "engine.bots",
    "engine.bots.talk",
    "engine.bots.actions",
    "engine.bots.beliefs",
    "engine.bots.hand_model",
    "engine.bots.searching",
    "engine.bots.estimates",
    "engine.bots.hints",
    "engine.bots.review",
)
"""The modules on the page, in its order. A package shows what its `__all__` names."""

_INTRODUCTION: Final = """\
# The engine's names

Made by `make api` from the source: each name with its signature and the first sentence of its
docstring; `help(...)` in Python has the rest. [Writing a bot](writing-bots.md) shows how they are
used. A name in brackets, such as (P3), is a rule of [the rules](rules.md). Values cannot be
changed, and methods return new ones.
"""

_WIDTH: Final = 100

Definition = ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign


@dataclass(frozen=True, slots=True)
class Named:
    """A name of a module: how it is defined, and the string below it, if there is one."""

    name: str
    node: Definition
    below: str


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


def page() -> str:
    """Return the text of the page."""
    parts = [_INTRODUCTION]
    for module in MODULES:
        tree = _tree(module)
        parts.append(f"## {module}\n\n{_first_sentence(ast.get_docstring(tree) or '')}\n")
        if exported := [*_find_exports(tree)]:
            for source, names in exported:
                parts += [f"### From {source}\n", _list(names)]
        else:
            parts.append(_list(_definitions(tree)))
    return "\n".join(parts)


def _list(names: Iterable[Named]) -> str:
    """Return names as a list in Markdown."""
    return "\n".join(line for named in names for line in _lines(named)) + "\n"


def _tree(module: str) -> ast.Module:
    path = ROOT.joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ast.parse(file.read_text(encoding="utf-8"))


def _find_exports(tree: ast.Module) -> Iterator[tuple[str, list[Named]]]:
    """Yield what a package imports and names in `__all__`, by the module that defines it."""
    wanted = {
        constant.value
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        for constant in ast.walk(node.value)
        if isinstance(constant, ast.Constant) and isinstance(constant.value, str)
    }
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            imported = wanted.intersection(alias.name for alias in node.names)
            if not imported:
                continue
            names = _definitions(_tree(node.module), imported)
            if shown := [named for named in names if named.name in imported]:
                yield node.module, shown
    if own := [named for named in _definitions(tree) if named.name in wanted]:
        yield "itself", own


def _definitions(tree: ast.Module, wanted: Container[str] = ()) -> Iterator[Named]:
    """Yield the public names that a module defines and documents or that are wanted, in order."""
    for node, following in zip(tree.body, [*tree.body[1:], None], strict=True):
        below = _string(following)
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                below = ast.get_docstring(node) or ""
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
                pass
            case _:
                continue
        if name in wanted or (below and not name.startswith("_")):
            yield Named(name, node, below)


def _string(node: ast.stmt | None) -> str:
    """Return the text of a string that stands by itself, "" for any other statement."""
    match node:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return text
        case _:
            return ""


def _lines(named: Named) -> Iterator[str]:
    """Yield the lines of a name: an item of a list, and for a class those of its parts."""
    match named.node:
        case ast.FunctionDef():
            yield _item(named.name + _signature(named.node), named.below)
        case ast.ClassDef():
            yield _item(named.name + _fields(named.node), named.below)
            for part in named.node.body:
                if isinstance(part, ast.FunctionDef) and not part.name.startswith("_"):
                    is_property = any(ast.unparse(one) == "property" for one in part.decorator_list)
                    shape = "" if is_property else _signature(part)
                    yield _item(part.name + shape, ast.get_docstring(part) or "", "  ")
        case ast.AnnAssign(annotation=kind):
            shape = "" if ast.unparse(kind) == "Final" else f": {ast.unparse(kind)}"
            yield _item(named.name + shape, named.below)
        case ast.Assign(value=value):
            is_union = isinstance(value, ast.BinOp | ast.Subscript)
            yield _item(named.name + (f" = {ast.unparse(value)}" if is_union else ""), named.below)


def _item(code: str, text: str, indent: str = "") -> str:
    """Return an item of a list: a name with its shape, and the first sentence on it."""
    said = f": {_first_sentence(text)}" if text else ""
    return fill(
        f"- `{code}`{said}",
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _signature(node: ast.FunctionDef) -> str:
    """Return the parameters and the result of a function, without `self`."""
    arguments = re.sub(r"^self(, )?", "", ast.unparse(node.args))
    return f"({arguments})" + (f" -> {ast.unparse(node.returns)}" if node.returns else "")


def _fields(node: ast.ClassDef) -> str:
    """Return the fields of a value, or the members of an enum; "" if a class has neither."""
    fields = []
    members = []
    for part in node.body:
        match part:
            case ast.AnnAssign(target=ast.Name(id=name)) if not name.startswith("_"):
                default = f" = {ast.unparse(part.value)}" if part.value else ""
                if not default.startswith(" = field(init=False"):
                    fields.append(f"{name}: {ast.unparse(part.annotation)}{default}")
            case ast.Assign(targets=[ast.Name(id=name)]) if name.isupper():
                members.append(name)
            case _:
                pass
    if members:
        return f": {', '.join(members)}"
    return f"({', '.join(fields)})" if fields else ""


def _first_sentence(text: str) -> str:
    """Return the first sentence of a docstring on one line."""
    paragraph = " ".join(text.strip().split("\n\n")[0].split())
    found = re.match(r".*?\.(?= [A-Z`]|$)", paragraph)
    return found[0] if found else paragraph


if __name__ == "__main__":
    main()
