"""The pages for readers, and their parts: code blocks and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = (
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted(ROOT.glob("docs/*.md")),
    *sorted(ROOT.glob("benchmarks/*.md")),
)

_FENCE: Final = re.compile(r"^( *)```(.*?)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
_HEADING: Final = re.compile(r"^#+ (.*)$")


@dataclass(frozen=True)
class Block:
    """A code block: its page, the number of its first line, its language and its text."""

    page: str
    line: int
    language: str
    text: str

    @property
    def name(self) -> str:
        """The place to look for it."""
        return f"{self.page}:{self.line}"


@dataclass(frozen=True)
class Table:
    """A table: the heading that it stands under, its header and its rows, all as plain cells."""

    heading: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def blocks(path: Path) -> Iterator[Block]:
    """Yield the code blocks of a page, without their indentation in a list."""
    page = path.read_text(encoding="utf-8")
    for found in _FENCE.finditer(page):
        indent, language, text = found.groups()
        line = page.count("\n", 0, found.start()) + 2
        lines = (line.removeprefix(indent) for line in text.splitlines())
        yield Block(path.relative_to(ROOT).as_posix(), line, language, "\n".join(lines) + "\n")


def tables(page: str) -> Iterator[Table]:
    """Yield the tables of a page."""
    heading, rows = "", list[tuple[str, ...]]()
    for line in [*page.splitlines(), ""]:
        if line.startswith("|"):
            rows.append(tuple(cell.strip() for cell in line.strip("|").split("|")))
            continue
        if rows:
            header, _, *body = rows
            yield Table(heading, header, tuple(body))
            rows = []
        if found := _HEADING.match(line):
            heading = found[1]
