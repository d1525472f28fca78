"""Lines no wider than the terminal, broken between words, wide characters counted as two cells."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sabtui.words.cast import width


@dataclass(frozen=True, slots=True)
class Size:
    """A terminal's columns and rows."""

    columns: int = 60
    rows: int = 18


def wrapped(lines: Iterable[str], columns: int, indent: int = 3) -> list[str]:
    """The lines, each broken where it is too wide; what goes on is indented.

    A line that fits is kept as it is. A word wider than a line is left whole.
    """
    kept: list[str] = []
    for line in lines:
        kept += [line] if width(line) <= columns else _broken(line, columns, indent)
    return kept


def _broken(line: str, columns: int, indent: int) -> Iterable[str]:
    """The parts of a line that is too wide."""
    blanks = len(line) - len(line.lstrip())
    now, words = line[:blanks], line.split()
    empty = True
    for word in words:
        if not empty and width(now) + 1 + width(word) > columns:
            yield now
            now, empty = " " * indent, True
        now += word if empty else f" {word}"
        empty = False
    yield now
