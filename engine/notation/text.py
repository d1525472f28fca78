"""Text that is being read: stretches of it that know where they stand, and the error they raise.

Knows nothing of cards or games.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from engine.readonly import ReadOnly

_QUOTED = 48
"""How many characters of a text an error quotes at most."""

_WORD = re.compile(r"[^ \t\r\n]+")


class NotationError(ValueError):
    """Text that is not notation, or tells of something that cannot be.

    `problem` says what is wrong with `text` at `column`, counted from 1; where the text is a line
    of a record, `line` is its number, from 1. The message says all of it in one line, quotes no
    more than an excerpt, and shows control and format characters as escapes.

    That is English, for developers. Who says it in another language looks up `template`, which is
    the same for each problem of a kind, and fills in the `facts`.
    """

    def __init__(self, problem: Problem, text: str, column: int, line: int | None = None) -> None:
        super().__init__(problem, text, column, line)
        self.excerpt = _excerpt(text, column)
        self.problem = str(problem)
        self.template = problem.template
        self.facts = problem.facts
        self.text = text
        self.column = column
        self.line = line

    def __str__(self) -> str:
        where = f"column {self.column}"
        if self.line is not None:
            where = f"line {self.line}, {where}"
        return f"{where} of {self.excerpt}: {self.problem}"


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong: a sentence with named fields, what to fill in, and what only developers need.

    The sentence says it without the `detail` too.
    """

    template: str
    facts: Mapping[str, str | int]
    detail: str = ""

    def __str__(self) -> str:
        said = self.template.format(**self.facts)
        return f"{said}: {self.detail}" if self.detail else said


def _excerpt(text: str, column: int) -> str:
    """The text, or what stands around the column in a long one, quoted."""
    start = max(0, min(column - 1 - _QUOTED // 2, len(text) - _QUOTED))
    end = start + _QUOTED
    before, after = "..." if start else "", "..." if end < len(text) else ""
    return f"{before}{text[start:end]!r}{after}"


@dataclass(frozen=True, slots=True)
class Piece:
    """The stretch of `source` from `start` to before `end`; `lined` where lines are counted."""

    source: str
    start: int
    end: int
    lined: bool = False

    @staticmethod
    def whole(text: str) -> Piece:
        """All of a text that is one line."""
        return Piece(text, 0, len(text))

    @property
    def text(self) -> str:
        """What stands there."""
        return self.source[self.start : self.end]

    @property
    def line(self) -> int | None:
        """The number of the line where it begins, from 1, where lines are counted."""
        return self.source.count("\n", 0, self.start) + 1 if self.lined else None

    def cut(self, start: int, end: int | None = None) -> Piece:
        """The part of it from `start` to before `end`, or to its end."""
        until = self.end if end is None else self.start + end
        return Piece(self.source, self.start + start, until, self.lined)

    def split(self, mark: str) -> list[Piece]:
        """Its parts between marks of one character; one part where there is no mark."""
        parts: list[Piece] = []
        start = 0
        for part in self.text.split(mark):
            parts.append(self.cut(start, start + len(part)))
            start += len(part) + 1
        return parts

    def parted(self, mark: str) -> tuple[Piece, Piece | None]:
        """Its parts before and after the first such mark, `None` where there is none."""
        at = self.text.find(mark)
        return (self, None) if at < 0 else (self.cut(0, at), self.cut(at + 1))

    def words(self) -> list[Piece]:
        """Its parts between spaces."""
        return [self.cut(*word.span()) for word in _WORD.finditer(self.text)]

    def wrong(self, template: str, *, detail: str = "", **facts: str | int) -> NotationError:
        """The error to raise for what stands here; the `template` is a literal, for translators."""
        problem = Problem(template, ReadOnly(facts), detail)
        if not self.lined:
            return NotationError(problem, self.source, self.start + 1)
        begins = self.source.rfind("\n", 0, self.start) + 1
        ends = self.source.find("\n", begins)
        text = self.source[begins : ends if ends >= 0 else len(self.source)]
        return NotationError(problem, text, self.start - begins + 1, self.line)
