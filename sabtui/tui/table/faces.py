"""Faces of the cards in the hand: tunnels as they would lie, tools, a goal, boulders.

Drawn ones are whole cards where there is room for them; in three rows they are tiles and icons, as
painted ones. A broken tool has a cross beside it and one to repair a plus, so colour tells nothing
alone; the chosen card has a frame.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.cards import Card, Path, Role, Tool
from sabtui.art.blocks import fit_size
from sabtui.art.catalogue import (
    Drawing,
    find_card,
    find_ground,
    find_icon,
    find_role,
    find_tool,
)
from sabtui.art.colours import Tint
from sabtui.art.store import Size
from sabtui.text.cards import tool
from sabtui.tui.mine.cards import draw_cells
from sabtui.tui.mine.paint import paint_tile
from sabtui.tui.mine.tiles import FaceDown, LaidCard, Sign, Tile, TileSize
from sabtui.tui.theme import Glyphs
from sabtui.tui.widgets.rows import (
    Ground,
    Look,
    Paint,
    Row,
    StyledSpan,
    cut,
    fill_row,
    join_rows,
    merge_pieces,
    width,
)

TILE_SIZE: Final = TileSize.WIDE
_ICON_SIZE: Final = (6, TILE_SIZE.rows)
_NUGGET_SIZE: Final = (3, 2)

_TOOLS: Final = {
    Tool.PICK: ("▄▀█▀▄", "  █  "),
    Tool.LANTERN: (" ▄█▄ ", " █*█ "),
    Tool.CART: ("█▄▄▄█", "▀█▀█▀"),
}
"""Tools, in two rows; the flame of the lantern is a star."""
_FLAME: Final = "*"

_BOULDERS: Final = ("▄██▄ ▄▄  ", "▀██▀▐██▌▄")

_IDLE_LOOKS: Final[dict[Look | Paint, Look]] = {Look.SAND: Look.BURIED, Look.RUBBLE: Look.BURIED}


class FaceStyle(NamedTuple):
    """The ground behind a drawn card, and whether it is chosen or can do nothing now."""

    ground: Ground | None = None
    is_chosen: bool = False
    is_idle: bool = False


PLAIN: Final = FaceStyle()
"""A card on the panel's own ground."""


def draw_face(
    card: Card, path: Path | None, size: Size, glyphs: Glyphs, style: FaceStyle
) -> list[Row]:
    """Return a card drawn in exactly so many columns and rows, a path card as it would lie."""
    columns, rows = size
    drawing = find_card(card) if path is None else find_ground(path, is_lit=True)
    if rows > TILE_SIZE.rows or path is not None:
        return draw_largest(drawing, size, glyphs, style)
    ground = style.ground or Ground.CARD
    if not card.tools:
        icon = draw_sized(find_icon(card), _ICON_SIZE, glyphs, style)
        return [_centre(row, columns, ground) for row in icon]
    look, sign = (Look.BAD, "x") if card.breaks else (Look.GOOD, "+")
    beside: list[Row] = [(StyledSpan(f" {sign}", look, ground),), (), ()]
    icons = [
        draw_sized(find_tool(of, is_broken=False), _ICON_SIZE, glyphs, style) for of in card.tools
    ]
    lines = zip(*icons, strict=True) if len(icons) > 1 else zip(*icons, beside, strict=True)
    return [_centre(join_rows(line), columns, ground) for line in lines]


def draw_largest(
    drawing: Drawing, size: Size, glyphs: Glyphs, style: FaceStyle = PLAIN
) -> list[Row]:
    """Return the largest drawing of a card that fits, in the middle of exactly so many columns.

    Raises `ValueError` if it does not fit.
    """
    fitting = fit_size(drawing.name, *size)
    if fitting is None:
        raise ValueError(size)
    return [
        _centre(row, size[0], style.ground) for row in draw_sized(drawing, fitting, glyphs, style)
    ]


def draw_nuggets(count: int, columns: int, glyphs: Glyphs, style: FaceStyle) -> list[Row]:
    """Return nuggets side by side, where a gold card has no room, in exactly so many columns."""
    nugget = draw_sized(Drawing("pile-1"), _NUGGET_SIZE, glyphs, style)
    gap, ground = StyledSpan(" ", ground=style.ground), style.ground
    return [_centre((*row, *(gap, *row) * (count - 1)), columns, ground) for row in nugget]


def find_role_face(role: Role, *, veiled: bool) -> Drawing:
    """Return the picture of a role's card, of its back if it is veiled."""
    return Drawing("back") if veiled else find_role(role)


def draw_sized(drawing: Drawing, size: Size, glyphs: Glyphs, style: FaceStyle) -> list[Row]:
    """Return a drawing of exactly this size; if it is chosen and large enough, it has a frame."""
    tint = Tint.IDLE if style.is_idle else Tint.PLAIN
    has_frame = style.is_chosen and size[1] > TILE_SIZE.rows
    cells = draw_cells(drawing, size, glyphs, tint, has_frame=has_frame)
    return [
        merge_pieces(
            tuple(StyledSpan(one.glyph, Paint(one.front, one.ground), style.ground) for one in row)
        )
        for row in cells
    ]


def path_face(path: Path, columns: int, glyphs: Glyphs, *, chosen: bool, idle: bool) -> list[Row]:
    """Return a path card as it would lie, in three rows of rock, whose tunnels reach its edges.

    One that can do nothing now is dark.
    """
    looks = _IDLE_LOOKS if idle else {}
    rock = Ground.CURSOR_ROCK if chosen else Ground.BURIED_ROCK if idle else Ground.ROCK
    return [
        tuple(
            StyledSpan(text, looks.get(look) or look, rock)
            for text, look, _ground in _widen(row, columns)
        )
        for row in paint_tile(Tile(LaidCard(path)), TILE_SIZE, glyphs)
    ]


def _widen(row: Row, columns: int) -> Row:
    """Return a row whose ends are drawn out to this many columns."""
    more = columns - width(row)
    first = row[0]._replace(text=row[0].text[0] * (more // 2) + row[0].text)
    row = (first, *row[1:])
    return (*row[:-1], row[-1]._replace(text=row[-1].text + row[-1].text[-1] * (more - more // 2)))


def action_face(
    card: Card, columns: int, ground: Ground, glyphs: Glyphs, *, idle: bool
) -> list[Row]:
    """Return an action card in three rows: a picture, and for tools one row of their names."""
    tools = card.tools
    look, sign = (Look.BAD, "x") if card.breaks else (Look.GOOD, "+")
    if not tools:
        goal = paint_tile(Tile(FaceDown(Sign.UNKNOWN)), TILE_SIZE, glyphs)
        rows = list(goal) if card is Card.MAP else _boulders(ground)
        return [_centre(_dim(row, ground) if idle else row, columns, ground) for row in rows]
    room = columns // len(tools) - 1
    pictures = [
        _tool(of, cut(tool(of), room), look, sign if of is tools[0] else "", ground) for of in tools
    ]
    gap = (StyledSpan(" ", ground=ground),)
    rows = [
        join_rows((pictures[0][at], *(part for one in pictures[1:] for part in (gap, one[at]))))
        for at in range(3)
    ]
    return [_centre(_dim(row, ground) if idle else row, columns, ground) for row in rows]


def _tool(of: Tool, name: str, look: Look, sign: str, ground: Ground) -> list[Row]:
    """Return a tool, a sign beside it, and its name below."""
    upper, lower = _TOOLS[of]
    rows: list[Row] = [(StyledSpan(upper, look, ground), StyledSpan(sign, look, ground))]
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
    return [_centre(row, wide, ground) for row in rows]


def _boulders(ground: Ground) -> list[Row]:
    """Return fallen rocks."""
    return [
        (StyledSpan(" ", ground=ground),),
        *((StyledSpan(line, Look.STONE, ground),) for line in _BOULDERS),
    ]


def _dim(row: Row, ground: Ground) -> Row:
    """Return a row of a card that can do nothing now."""
    return tuple(StyledSpan(span.text, Look.DIM, ground) for span in row)


def _centre(row: Row, columns: int, ground: Ground | None) -> Row:
    """Return a row in the middle of a card."""
    before = max((columns - width(row)) // 2, 0)
    return fill_row((StyledSpan(" " * before, ground=ground), *row), columns, ground)
