"""How others come to a table: the code to be read across a room, the address, the ssh line.

A pure function from what a host tells to lines, as large as there is room for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from textual.content import Content

from sabtui.plain.wrap import confined
from sabtui.screen.doors import Facts
from sabtui.screen.glyphs import Glyphs
from sabtui.screen.letters import large, spaced
from sabtui.words.addresses import either
from sabtui.words.cast import width
from sabtui.words.tongue import _

CONTINUES: Final = "\\"
"""What ends a line that goes on, to a shell."""

ROOM: Final = 17
"""Rows that are needed beside those of the chairs for the code to be drawn large."""


def renewed(facts: Facts, code: str) -> Facts:
    """The facts with another room code, if there is one."""
    if not code or not facts.code:
        return facts
    return replace(facts, code=code, ssh=facts.ssh.replace(facts.code, code))


def invitation(facts: Facts, columns: int, rows: int, glyphs: Glyphs) -> list[Content]:
    """The lines; `rows` are those of the terminal that the chairs leave."""
    lines = _code(facts.code, columns, rows, glyphs)
    if facts.addresses:
        told = _("Not in their list? They type the address {address}").format(
            address=either(facts.addresses)
        )
        lines += _plain(told, columns)
    if facts.ssh:
        lines += _typed(_("A friend far away types: {line}"), facts.ssh, columns)
    return lines


def _typed(told: str, line: str, columns: int) -> list[Content]:
    """A line to be copied into a shell: whole, or on lines of its own that a shell joins again."""
    if width(told.format(line=line)) <= columns:
        return [Content(told.format(line=line))]
    return [*_plain(told.format(line="").rstrip(), columns), *map(Content, _broken(line, columns))]


def _broken(line: str, columns: int) -> Iterator[str]:
    """A line for a shell in parts that fit, between words where it can be."""
    while len(line) > columns:
        at = line.rfind(" ", 0, columns - 1) + 1 or columns - 1
        yield f"{line[:at]}{CONTINUES}"
        line = line[at:]
    yield line


def _code(code: str, columns: int, rows: int, glyphs: Glyphs) -> list[Content]:
    if not code:
        return _plain(_("This table is open: anybody on this network may come in."), columns)
    told = _("Friends here run sabtui, choose Join, then this table, and type the code:")
    drawn = large(code, glyphs)
    if rows >= ROOM and max(map(len, drawn)) <= columns:
        big = [Content(line).stylize("bold $accent") for line in drawn]
        return [*_plain(told, columns), Content(""), *big, Content("")]
    before, _field, after = _("Room code: {code}").partition("{code}")
    shown = Content(spaced(code)).stylize("bold $accent")
    return [Content(before) + shown + Content(after)]


def _plain(text: str, columns: int) -> list[Content]:
    return [Content(line) for line in confined([text], columns, 2)]
