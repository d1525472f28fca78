"""All players with their hands, while all cards are open.

A player has a row, with cards in a few letters; in a terminal that shows pictures, and where there
is room, two or three, with small pictures of the cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from rich.cells import cell_len

from engine.board import START
from engine.cards import Card
from engine.dealing import HAND_SIZES
from sabtui.art.catalogue import find_card
from sabtui.table.sight import Sight
from sabtui.text.cards import role_initial
from sabtui.tui.mine.cards import draw_card
from sabtui.tui.mine.tiles import LaidCard, Tile, TileSize
from sabtui.tui.table.hand import PLAIN, draw_sized
from sabtui.tui.table.log import card_sign, role_look
from sabtui.tui.table.model import TableModel
from sabtui.tui.table.players import number_of, small_tools
from sabtui.tui.theme import ASCII, Glyphs
from sabtui.tui.widgets.rows import (
    Look,
    Row,
    StyledSpan,
    cut,
    fill_row,
    fit_text,
    join_rows,
    player_look,
    width,
)

NAME_COLUMNS: Final = 10
"""Columns that a longer name keeps beside the cards of a player; shorter ones are whole."""

HEAD_COLUMNS: Final = 5
"""Columns before a name: whose turn it is, the player's number, their role."""

CARD_SIZE: Final = TileSize.COMPACT
"""Columns and rows of a small picture of a card."""

HAND_COLUMNS: Final = max(HAND_SIZES.values()) * (CARD_SIZE.columns + 1) - 1
"""Columns of the pictures of a whole hand."""


@dataclass(frozen=True)
class OpenHands:
    """The list for a table, in at most so many rows if it has pictures."""

    sight: Sight
    table: TableModel
    most: int

    @property
    def rows(self) -> int:
        """Rows of the list."""
        return len(self.sight.seats) * self.each

    @cached_property
    def each(self) -> int:
        """Rows of a player: with pictures beside the name, or below it, or without any."""
        columns, players = self.table.layout.text, len(self.sight.seats)
        is_wide = columns > HEAD_COLUMNS + NAME_COLUMNS + HAND_COLUMNS
        rows = CARD_SIZE.rows if is_wide else 1 + CARD_SIZE.rows
        is_whole = columns >= HAND_COLUMNS and players * rows <= self.most
        return rows if self.table.glyphs.has_pictures and is_whole else 1

    def draw(self) -> list[Row]:
        """Return the rows of the list."""
        return [row for seat in self.sight.seats for row in self._draw_player(seat)]

    def _draw_player(self, seat: int) -> list[Row]:
        columns, tail = self.table.layout.text, self._tail(seat)
        if self.each == 1:
            return [self._in_a_row(seat)]
        pictures = _draw_hand(self.sight.hand(seat) or (), self.table.glyphs)
        if self.each > CARD_SIZE.rows:
            named = self._name(seat, columns - width(tail))
            indent = (StyledSpan(" " * ((columns - HAND_COLUMNS) // 2)),)
            below = [fill_row((*indent, *row), columns) for row in pictures]
            return [fill_row((*named, *tail), columns), *below]
        left = columns - HAND_COLUMNS
        under = (StyledSpan(" " * (HEAD_COLUMNS - 1)), *tail)
        lefts = (self._name(seat, left), fill_row(under, left))
        return [fill_row((*one, *row), columns) for one, row in zip(lefts, pictures, strict=True)]

    def _head(self, seat: int) -> Row:
        """Return whose turn it is, the player's number, and the first letter of their role."""
        view, role = self.sight.view, self.sight.role(seat)
        return (
            StyledSpan(">" if seat == view.to_act else " ", Look.TURN),
            number_of(seat, view),
            StyledSpan(" "),
            *(() if role is None else (StyledSpan(f"{role_initial(role)} ", role_look(role)),)),
        )

    def _tail(self, seat: int) -> Row:
        """Return the broken tools of a player, and their gold."""
        gold = self.sight.nuggets(seat)
        nuggets = StyledSpan(f" ${gold}" if gold else "", Look.GOLD)
        return (*small_tools(seat, self.sight.view), nuggets)

    def _name(self, seat: int, columns: int) -> Row:
        """Return a player's head and name in exactly so many columns."""
        head, names = self._head(seat), self.sight.names
        room = columns - width(head)
        named = fit_text(cut(names.names[seat], room - 1), room)
        return (*head, StyledSpan(named, player_look(names.colour(seat))))

    def _in_a_row(self, seat: int) -> Row:
        """Return a player with role, cards, tools and gold, as far as they fit."""
        columns, tail = self.table.layout.text, self._tail(seat)
        left = columns - width(self._head(seat)) - width(tail)
        kept = min(cell_len(self.sight.names.names[seat]), NAME_COLUMNS)
        cards = _spell_hand(self.sight.hand(seat) or (), left - kept - 1, self.table.glyphs)
        named = self._name(seat, columns - width(tail) - cell_len(cards))
        return fill_row((*named, StyledSpan(cards), *tail), columns)


def _draw_hand(cards: tuple[Card, ...], glyphs: Glyphs) -> list[Row]:
    """Return small pictures of cards side by side."""
    faces = [_draw_small(card, glyphs) for card in cards]
    gap = (StyledSpan(" "),)
    return [
        join_rows(part for face in faces for part in (face[row], gap))
        for row in range(CARD_SIZE.rows)
    ]


def _draw_small(card: Card, glyphs: Glyphs) -> list[Row]:
    """Return a small picture of a card, a path card as it is named."""
    if card.ways:
        return list(draw_card(Tile(LaidCard(card.ways[0])), START, CARD_SIZE, glyphs))
    return draw_sized(find_card(card), CARD_SIZE.value, glyphs, PLAIN)


def _spell_hand(cards: tuple[Card, ...], columns: int, glyphs: Glyphs) -> str:
    """Return the cards of a hand in a few letters, with a count of those that do not fit."""
    signs = [_spell(card, glyphs) for card in cards]
    for kept in range(len(signs), -1, -1):
        more = f"{len(signs) - kept}>" if kept < len(signs) else ""  # as at the edge of the mine
        text = " ".join([*signs[:kept], *([more] if more else [])])
        if cell_len(text) <= columns:
            return text
    return ""


def _spell(card: Card, glyphs: Glyphs) -> str:
    """Return a card in a few letters, a path card as a drawing."""
    return card.text if glyphs is ASCII or not card.ways else card_sign(card.ways[0], glyphs)
