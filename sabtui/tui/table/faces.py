"""Painted faces of the cards in the hand: tunnels as they would lie, tools, goals and boulders.

A broken tool has a cross beside it and one to repair a plus, so colour tells nothing alone.
"""

from __future__ import annotations

from typing import Final

from engine.cards import Card, Path, Tool
from sabtui.text.cards import tool
from sabtui.tui.mine.paint import painted
from sabtui.tui.mine.tiles import LaidCard, Tile, TileSize
from sabtui.tui.theme import Glyphs
from sabtui.tui.widgets.rows import Ground, Look, Row, StyledSpan, cut, filled, joined, width

TILE_SIZE: Final = TileSize.WIDE

_TOOLS: Final = {
    Tool.PICK: ("▄▀█▀▄", "  █  "),
    Tool.LANTERN: (" ▄█▄ ", " █*█ "),
    Tool.CART: ("█▄▄▄█", "▀█▀█▀"),
}
"""Tools, in two rows; the flame of the lantern is a star."""
_FLAME: Final = "*"

_BOULDERS: Final = ("▄██▄ ▄▄  ", "▀██▀▐██▌▄")

_GOALS: Final = (
    (" ? ", Look.BACK, Ground.BACK),
    (" $ ", Look.INK, Ground.GOLD),
    (" o ", Look.INK, Ground.STONE),
)
"""What a map may show, side by side."""

_IDLE_LOOKS: Final = {Look.SAND: Look.BURIED, Look.RUBBLE: Look.BURIED}


def path_face(path: Path, columns: int, ground: Ground, glyphs: Glyphs, *, idle: bool) -> list[Row]:
    """Return a path card as it would lie, in three rows; one that can do nothing now is dark."""
    rows = painted(Tile(LaidCard(path)), TILE_SIZE, glyphs)
    if idle:
        rows = tuple(
            tuple(
                StyledSpan(text, _IDLE_LOOKS.get(look, look), Ground.BURIED_ROCK)
                for text, look, _ground in row
            )
            for row in rows
        )
    return [_centred(row, columns, ground) for row in rows]


def action_face(card: Card, columns: int, ground: Ground, *, idle: bool) -> list[Row]:
    """Return an action card in three rows: two of a picture, and one of names of tools."""
    tools: tuple[Tool, ...]
    if card.breaks is not None:
        look, sign, tools = Look.BAD, "x", (card.breaks,)
    elif card.repairs:
        look, sign, tools = Look.GOOD, "+", card.repairs
    else:
        rows = _goals(ground) if card is Card.MAP else _boulders(ground)
        return [_centred(_dim(row, ground) if idle else row, columns, ground) for row in rows]
    room = columns // len(tools) - 1
    pictures = [
        _tool(of, cut(tool(of), room), look, sign if of is tools[0] else "", ground) for of in tools
    ]
    gap = (StyledSpan(" ", ground=ground),)
    rows = [
        joined((pictures[0][at], *(part for one in pictures[1:] for part in (gap, one[at]))))
        for at in range(3)
    ]
    return [_centred(_dim(row, ground) if idle else row, columns, ground) for row in rows]


def _tool(of: Tool, name: str, look: Look, sign: str, ground: Ground) -> list[Row]:
    """Return a tool, a sign beside it, and its name below."""
    upper, lower = _TOOLS[of]
    rows: list[Row] = [(StyledSpan(f"{upper}", look, ground), StyledSpan(sign, look, ground))]
    before, flame, after = lower.partition(_FLAME)
    rows.append(
        (
            StyledSpan(before, look, ground),
            StyledSpan(flame, Look.GOLD, ground),
            StyledSpan(f"{after} ", look, ground),
        )
    )
    wide = max(width(rows[0]), len(name))
    rows.append((StyledSpan(name, Look.STRONG, ground),))
    return [_centred(row, wide, ground) for row in rows]


def _goals(ground: Ground) -> list[Row]:
    """Return goals of which a map shows one."""
    gap = StyledSpan(" ", ground=ground)
    signs: Row = (gap, *(part for goal in _GOALS for part in (StyledSpan(*goal), gap)))
    edges: Row = tuple(
        span if span == gap else span._replace(text=" " * len(span.text)) for span in signs
    )
    return [edges, signs, edges]


def _boulders(ground: Ground) -> list[Row]:
    """Return fallen rocks."""
    return [
        (StyledSpan(" ", ground=ground),),
        *((StyledSpan(line, Look.STONE, ground),) for line in _BOULDERS),
    ]


def _dim(row: Row, ground: Ground) -> Row:
    """Return a row of a card that can do nothing now."""
    return tuple(StyledSpan(span.text, Look.DIM, ground) for span in row)


def _centred(row: Row, columns: int, ground: Ground) -> Row:
    """Return a row in the middle of a card."""
    before = max((columns - width(row)) // 2, 0)
    return filled((StyledSpan(" " * before, ground=ground), *row), columns, ground)
