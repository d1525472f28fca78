"""The players as boards of two rows, where cards are drawn and the side has room for them.

A board has a dwarf of the player's colour, their name, their tools whole or in pieces, and their
gold. Nothing depends on colour: hats and beards differ, and so do tools in pieces.
"""

from __future__ import annotations

from typing import Final

from engine.cards import Tool
from sabtui.art.catalogue import Drawing, find_dwarf, find_pile, find_tool
from sabtui.art.store import Size
from sabtui.text.cards import role_words
from sabtui.tui.mine.cards import draw_picture
from sabtui.tui.table.layout import Seats
from sabtui.tui.table.players import PlayersContext, draw_head, draw_name, draw_title
from sabtui.tui.table.result_columns import role_look
from sabtui.tui.widgets.rows import (
    Ground,
    Look,
    Row,
    StyledSpan,
    cut,
    fill_row,
    join_rows,
    merge_pieces,
)
from sabtui.tui.widgets.rows import width as row_width

FACE_SIZE: Final = (4, 2)
ICON_SIZE: Final = (3, 2)
"""Columns and rows of a dwarf, and of a tool or a pile of gold."""

PILE_COLUMNS: Final = 32
"""Columns of a board from which gold is drawn as a pile, too."""


def draw_boards(shown: PlayersContext, room: Seats) -> list[Row]:
    """Return the boards of all players, below a title if turns go in the unusual direction."""
    drawn = [_draw_board(seat, shown, room.columns) for seat in shown.sight.seats]
    return [*draw_title(shown, room), *(row for board in drawn for row in board)]


def _draw_board(seat: int, shown: PlayersContext, columns: int) -> list[Row]:
    """Return a player in two rows of so many columns."""
    view, blank = shown.sight.view, (StyledSpan(" "),)
    mark, *head = draw_head(seat, shown)
    face = _draw(find_dwarf(shown.sight.names.colour(seat)), FACE_SIZE, shown)
    ends = _draw_ends(seat, shown, columns)
    left = columns - row_width((mark, *face[0], *blank, *ends[0]))
    named = (*head, *draw_name(seat, shown.sight, left - row_width(tuple(head))))
    facts = [StyledSpan(f"[{view.table.hands[seat]}] ", Look.DIM)]
    if view.table.end is not None:
        role = view.table.end.roles[seat]
        facts = [StyledSpan(f"{cut(role_words(role), left - 1)} ", role_look(role))]
    facts.append(StyledSpan(shown.gold(seat), Look.GOLD))
    is_chosen = seat == shown.cursor
    chosen = (StyledSpan(">" if is_chosen else " ", Look.KEY),)
    ground = Ground.CURSOR if is_chosen else Ground.LIT if shown.is_target(seat) else None
    return [
        tuple(span._replace(ground=ground) for span in merge_pieces(join_rows(parts)))
        for parts in (
            ((mark,), face[0], blank, fill_row(named, left), ends[0]),
            (chosen, face[1], blank, fill_row(tuple(facts), left), ends[1]),
        )
    ]


def _draw_ends(seat: int, shown: PlayersContext, columns: int) -> list[Row]:
    """Return gold as a pile where there is room for it, and tools as long as a round lasts."""
    view, ends = shown.sight.view, list[list[Row]]()
    if columns >= PILE_COLUMNS and shown.tells_gold:
        pile = find_pile(_count_gold(seat, shown))
        ends.append([()] * 2 if pile is None else _draw(pile, ICON_SIZE, shown))
    for tool in Tool if view.table.end is None else ():
        is_broken = bool(view.table.broken[seat] & tool.bit)
        icon = find_tool(tool, is_broken=is_broken)
        ends.append(_draw(icon, ICON_SIZE, shown))
    wide = ICON_SIZE[0]
    return [
        join_rows(part for icon in ends for part in ((StyledSpan(" "),), fill_row(icon[row], wide)))
        for row in range(ICON_SIZE[1])
    ]


def _count_gold(seat: int, shown: PlayersContext) -> int:
    """Return the nuggets of a player where they are known, else the cards and IOUs in sight."""
    view = shown.sight.view
    if view.score.nuggets is not None:
        return view.score.nuggets[seat]
    cards = sum(view.gold) if seat == view.seat else view.score.cards[seat]
    return cards + view.score.chits[seat]


def _draw(drawing: Drawing, size: Size, shown: PlayersContext) -> list[Row]:
    return list(draw_picture(drawing, size, shown.glyphs))
