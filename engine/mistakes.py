"""The error for text that cannot be read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeVar

V = TypeVar("V")

_MAX_QUOTED_CHARACTERS: Final = 48  # maximum characters of a text that an error quotes


class NotationError(ValueError):
    """Text that is not notation, or describes something impossible.

    `problem` says what is wrong with `text` at `column`, counted from 1; if the text is a line of
    a record, `line` is its number, from 1. The message gives all of this on one line, quotes no
    more than an excerpt, and shows control and format characters as escapes. It is English, for
    people who write notation by hand.
    """

    def __init__(self, problem: str, text: str, column: int, line: int | None = None) -> None:
        super().__init__(problem, text, column, line)
        self.excerpt = _cut_excerpt(text, column)
        self.problem = problem
        self.text = text
        self.column = column
        self.line = line

    def __str__(self) -> str:
        where = f"column {self.column}"
        if self.line is not None:
            where = f"line {self.line}, {where}"
        return f"{where} of {self.excerpt}: {self.problem}"


def _cut_excerpt(text: str, column: int) -> str:
    """Return the text in quotes; if it is long, only the part around the column."""
    start = max(
        0, min(column - 1 - _MAX_QUOTED_CHARACTERS // 2, len(text) - _MAX_QUOTED_CHARACTERS)
    )
    end = start + _MAX_QUOTED_CHARACTERS
    before = "..." if start else ""
    after = "..." if end < len(text) else ""
    return f"{before}{text[start:end]!r}{after}"


def look_up(values: Mapping[str, V], text: str, problem: str) -> V:
    """Return the value that is spelt `text`.

    Raises `NotationError` with this `problem` if there is none, and `TypeError` unless `text` is a
    `str`.
    """
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is no text")
    if text not in values:
        raise NotationError(problem, text, 1)
    return values[text]
