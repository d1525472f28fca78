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

    A line that fits is kept as it is. A word wider than a line is left whole, to be copied.
    """
    kept: list[str] = []
    for line in lines:
        kept += [line] if width(line) <= columns else _broken(line, columns, indent)
    return kept


def confined(lines: Iterable[str], columns: int, indent: int = 3) -> list[str]:
    """The same where no line may be wider: a word that is gets broken too."""
    kept: list[str] = []
    for line in wrapped(lines, columns, indent):
        first, rest = _chopped(line, columns)
        kept.append(first)
        while rest:
            part, rest = _chopped(rest, max(columns - indent, 2))
            kept.append(" " * indent + part)
    return kept


def _chopped(text: str, columns: int) -> tuple[str, str]:
    """As much of a text as fits, and the rest; what is written over a letter stays with it."""
    room = columns
    for at, character in enumerate(text):
        room -= width(character)
        if room < 0 and at:
            return text[:at], text[at:]
    return text, ""


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
