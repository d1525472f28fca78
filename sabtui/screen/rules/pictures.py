"""Cards in a row, with a word under each: pictures for the rules, drawn as the mine is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from textual.content import Content

from engine.cards import Path
from sabtui.screen.glyphs import Glyphs
from sabtui.screen.mine.tiles import FaceDown, Laid, Lying, Nothing, Sign, Size, Tile, drawn
from sabtui.screen.rows import plain
from sabtui.words.cast import width
from sabtui.words.mine import State

GAP: Final = 3
"""Blanks between two cards with words."""

Rows = Sequence[Content]

START: Final = Laid(Path.read("NESW"), sign=Sign.START)
GOAL: Final = FaceDown(Sign.UNKNOWN)
GOLD: Final = FaceDown(Sign.TREASURE)
STONE: Final = FaceDown(Sign.STONE)
NOTHING: Final = Nothing()


def path(text: str, state: State = State.REACHED) -> Laid:
    """A path card by its notation."""
    return Laid(Path.read(text), state)


def mine(rows: Sequence[Sequence[Lying]], glyphs: Glyphs) -> list[Content]:
    """Cells side by side, row below row, as they lie in the mine."""
    lines: list[Content] = []
    for row in rows:
        tiles = [_tile(lying, glyphs) for lying in row]
        lines += [
            Content("  " + "".join(parts)).stylize("bold") for parts in zip(*tiles, strict=True)
        ]
    return lines


def cards(shown: Sequence[tuple[Lying, str]], glyphs: Glyphs) -> list[Content]:
    """Cards apart from each other, each with a word below."""
    columns = [max(Size.NORMAL.columns, width(word)) + GAP for _lying, word in shown]
    tiles = [_tile(lying, glyphs) for lying, _word in shown]
    lines = [
        Content(
            "  " + "".join(_centred(part, wide) for part, wide in zip(parts, columns, strict=True))
        )
        for parts in zip(*tiles, strict=True)
    ]
    words = "".join(
        _centred(word, wide) for (_lying, word), wide in zip(shown, columns, strict=True)
    )
    return [*(line.stylize("bold") for line in lines), Content("  " + words)]


def _tile(lying: Lying, glyphs: Glyphs) -> tuple[str, ...]:
    rows = [plain(row) for row in drawn(Tile(lying), Size.NORMAL, glyphs)]
    return tuple(" " * Size.NORMAL.columns for _row in rows) if lying == NOTHING else tuple(rows)


def _centred(text: str, columns: int) -> str:
    """Text in the middle of so many columns, the gap on its right left free."""
    room = columns - GAP - width(text)
    left = room // 2
    return " " * left + text + " " * (room - left + GAP)
