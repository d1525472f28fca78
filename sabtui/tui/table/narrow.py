"""Players and hand as a narrow terminal shows them.

A player has a few columns: number, name, tools. A card has a third of the terminal and two
rows, so that a finger finds it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.cells import cell_len

from engine.board import START
from engine.cards import Card
from engine.view import View
from sabtui.art.catalogue import find_card, find_icon, find_tool
from sabtui.text.cards import tool
from sabtui.tui.mine.cards import draw_card
from sabtui.tui.mine.tiles import LaidCard, Tile, TileSize, card_drawn
from sabtui.tui.table import hand as wide
from sabtui.tui.table.faces import FaceStyle, draw_sized
from sabtui.tui.table.hand import Held
from sabtui.tui.table.layout import NARROW_HAND_ROWS, StripSeats
from sabtui.tui.table.players import (
    ICON_SIZE,
    PlayersContext,
    connection_sign,
    note_look,
    small_tools,
)
from sabtui.tui.table.selection import Selection
from sabtui.tui.theme import Glyphs
from sabtui.tui.widgets.rows import (
    Look,
    Row,
    StyledSpan,
    cut,
    fill_row,
    join_rows,
    player_look,
    width,
)

MIN_NUMBERED_NAME_COLUMNS: Final = 3
"""Columns below which a name is left out: its number stands for it."""

CARDS_ABREAST: Final = 3
CARD_ROWS: Final = 2
OFFER_COLUMNS: Final = 2 * 45
"""Columns for which gold on offer is drawn: three kinds at most, which need half of them."""


def strip(shown: PlayersContext, room: StripSeats) -> list[Row]:
    """Return the players side by side."""
    rows: list[list[Row]] = [[] for _line in range(room.lines)]
    for seat in shown.sight.seats:
        rows[room.corner_of(seat)[1]].append(_player(seat, shown, room.columns))
    return [fill_row(join_rows(row), room.layout.text) for row in rows]


def _player(seat: int, shown: PlayersContext, columns: int) -> Row:
    """Return one player: whose turn, number, note, name, connection, tools if any is broken."""
    view, names, note = shown.sight.view, shown.sight.names, shown.note(seat)
    tools = small_tools(seat, view)[1:] if view.table.end is None else ()
    sign = connection_sign(seat, shown.sight)
    head = (
        shown.mark(seat),
        StyledSpan(str(seat + 1), Look.KEY),
        StyledSpan(note.value.strip() or sign or " ", note_look(note) if not sign else Look.BAD),
    )
    left = columns - width(head) - max(width(tools), 1)
    cells = (
        *head,
        StyledSpan(
            cut(names.names[seat], left) if left >= MIN_NUMBERED_NAME_COLUMNS else "",
            player_look(names.colour(seat)),
        ),
        *tools,
    )
    return shown.on_ground(fill_row(tuple(span for span in cells if span.text), columns), seat)


def hand(view: View, selection: Selection, columns: int, glyphs: Glyphs) -> list[Row]:
    """Return the hand in two rows of cards."""
    if view.seat is None or not view.hand:
        return wide.hand(view, selection, columns, NARROW_HAND_ROWS - 1, glyphs)
    each = _card_columns(columns)
    cards = [
        _card(Held.of(at, card, view, selection), each - 1, glyphs)
        for at, card in enumerate(view.hand)
    ]
    gap = (StyledSpan(" "),)
    return [
        fill_row(
            join_rows(
                part for card in cards[first : first + CARDS_ABREAST] for part in (gap, card[row])
            ),
            columns,
        )
        for first in range(0, len(cards), CARDS_ABREAST)
        for row in range(CARD_ROWS)
    ]


def card_at(column: int, row: int, columns: int, cards: int) -> int | None:
    """Return the index of the card at a column and row of the cards, or `None`."""
    across = column // _card_columns(columns)
    at = row // CARD_ROWS * CARDS_ABREAST + across
    return at if across < CARDS_ABREAST and at < cards else None


def offer_rows(view: View, chosen: int | None, columns: int, glyphs: Glyphs) -> list[Row]:
    """Return the kinds of gold cards on offer, with the number of each."""
    rows = wide.offer_rows(view, chosen, OFFER_COLUMNS, NARROW_HAND_ROWS - 1, glyphs)
    return [fill_row(row[:-1], columns) for row in rows]


def _card_columns(columns: int) -> int:
    """Return the columns of a card, the gap before it included."""
    return columns // CARDS_ABREAST


def _card(held: Held, columns: int, glyphs: Glyphs) -> list[Row]:
    """Return a card in two rows: its digit, its tile or icons, its name."""
    picture, names = _picture(held, glyphs), _names(held.card, held.name)
    left = columns - width((held.key, *picture[0]))
    tells_tools = glyphs.has_pictures and len(held.card.tools) > 1
    room = left if tells_tools else columns - width((held.key,))
    if held.path is None and max(map(cell_len, names)) > room:
        names = names[0], held.text
        if max(map(cell_len, names)) > left:
            names = held.text, ""
    if held.path is None and max(map(cell_len, names)) > left:  # words matter more
        picture = [(), ()]
        left = columns - width((held.key,))
    blank = held.line("", width((held.key,)))
    return [
        (held.key, *picture[0], held.line(cut(names[0], left), left)),
        (blank, *picture[1], held.line(cut(names[1], left), left)),
    ]


def _picture(held: Held, glyphs: Glyphs) -> list[Row]:
    """Return how a path card lies, in a small tile; of other cards icons where they are drawn."""
    if held.path is None:
        return [join_rows(line) for line in zip(*_draw_icons(held, glyphs), strict=True)] or [
            ()
        ] * 2
    if glyphs.is_painted:
        rows = draw_card(Tile(LaidCard(held.path)), START, TileSize.COMPACT, glyphs)
        return [(*row, held.line("", 1)) for row in rows]
    drawn = card_drawn(held.path, TileSize.COMPACT, glyphs)
    return [(held.line(line, TileSize.COMPACT.columns + 1),) for line in drawn]


def _draw_icons(held: Held, glyphs: Glyphs) -> Iterator[list[Row]]:
    """Yield the tools that an action card is for, a map or rocks; two tools on one picture."""
    if glyphs.cards is None:
        return
    card, blank = held.card, held.line("", 1)
    drawings = [find_tool(one, is_broken=card.breaks is not None) for one in card.tools]
    if not drawings:
        drawings = [find_icon(card)]
    elif len(drawings) > 1 and glyphs.has_pictures:  # in blocks two tools in one icon are a blot
        drawings = [find_card(card)]
    style = FaceStyle(held.ground, is_idle=held.idle and not held.chosen)
    for drawing in drawings:
        yield [(*row, blank) for row in draw_sized(drawing, ICON_SIZE, glyphs, style)]


def _names(card: Card, name: str) -> tuple[str, str]:
    """Return the name of a card and the tools that it is for, for a row each."""
    if not card.tools and (broken := name.split(" ", 1))[1:]:
        return broken[0], broken[1]
    return name, ", ".join(map(tool, card.tools))
