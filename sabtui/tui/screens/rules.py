"""Screen that turns the pages of the rules.

The cards of a page are as large as they can be while all of it fits on the screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final, NamedTuple

from textual.content import Content

from engine.board import START
from engine.cards import Card, Role
from sabtui.art.catalogue import find_card, find_role
from sabtui.art.store import Size
from sabtui.text import rules
from sabtui.text.i18n import _
from sabtui.text.layout import no_more
from sabtui.tui.command import Command
from sabtui.tui.mine.card_tiles import draw_card, draw_picture
from sabtui.tui.mine.tiles import FaceDown, LaidCard, Sign, Tile, TileSize, draw_tile
from sabtui.tui.screens.pages import PagesScreen
from sabtui.tui.table.hand import PLAIN, TILE_SIZE, draw_face
from sabtui.tui.theme import Glyphs
from sabtui.tui.widgets.panel import Row, StyledSpan, assemble, join_rows, overlaid, width
from sabtui.tui.widgets.text import lay_in_columns, wrap_prose


class RulesScreen(PagesScreen):
    """The rules, one page at a time."""

    def __init__(self, at: int = 0) -> None:
        """Open the rules at a page, counted from 0."""
        pages = [(page.title, partial(self._draw_page, page)) for page in rules.rules_pages()]
        super().__init__(_("Rules"), pages, at)

    def commands(self) -> Iterable[Command]:
        text, why_not = _("next page"), partial(self._why_no_more, len(self.pages) - 1)
        yield Command("next", ("right", "enter", "n"), text, text, partial(self.turn, 1), why_not)
        text, why_not = _("previous page"), partial(self._why_no_more, 0)
        yield Command("before", ("left", "b"), text, text, partial(self.turn, -1), why_not)
        yield from super().commands()

    def _why_no_more(self, last: int) -> str | None:
        return no_more() if self.at == last else None

    def _draw_page(self, page: rules.RulesPage, columns: int) -> list[Content]:
        return draw_page(page, columns, self.context.glyphs, self.page.room)

    def on_glyphs_changed(self) -> None:
        self.page.redraw()


MIN_WORDS_COLUMNS: Final = 28
"""Fewest columns of words beside cards: where there are fewer, they go below the cards."""

ICONS_SIZE: Final = (12, TILE_SIZE.rows)
"""Columns and rows of the icons of a card, a sign beside them."""

_GAP: Final = "  "  # blanks before cards, between them, and before the words beside them


class CardScale(NamedTuple):
    """Sizes of cards on a page, for cards of the mine and cards of a hand."""

    tile: TileSize
    card: Size


SCALES: Final = (
    CardScale(TileSize.POSTER, (18, 12)),
    CardScale(TileSize.GIANT, (15, 10)),
    CardScale(TileSize.HIGH, (12, 8)),
    CardScale(TileSize.GREAT, (12, 8)),
    CardScale(TileSize.LARGE, (9, 5)),
    CardScale(TileSize.WIDE, (7, 4)),
    CardScale(TileSize.NORMAL, (7, 4)),
)
"""Largest first: the first with which a page fits is used, or else the last."""


def draw_page(page: rules.RulesPage, columns: int, glyphs: Glyphs, rows: int = 0) -> list[Content]:
    """Return the lines of a page, its cards as large as possible; without `rows`, the smallest."""
    for scale in SCALES[:-1] if rows else ():
        lines = _draw_in_scale(page, columns, glyphs, scale)
        if len(lines) <= rows and all(line.cell_length <= columns for line in lines):
            return lines
    return _draw_in_scale(page, columns, glyphs, SCALES[-1])


def _draw_in_scale(
    page: rules.RulesPage, columns: int, glyphs: Glyphs, scale: CardScale
) -> list[Content]:
    first, *others = page.blocks
    lines = _draw_block(first, columns, glyphs, scale)
    for block in others:
        if not isinstance(block, rules.Picture) or scale.tile is not TileSize.NORMAL:
            lines.append(Content(""))  # a small picture has space around its cards
        lines += _draw_block(block, columns, glyphs, scale)
    return lines


def _draw_block(
    block: rules.Block, columns: int, glyphs: Glyphs, scale: CardScale
) -> list[Content]:
    match block:
        case str():
            return wrap_prose(block, columns)
        case rules.CardRows() if glyphs.cards is not None:
            return _draw_rows(block, columns, glyphs, scale.card)
        case rules.TwoColumns(rows):
            return lay_in_columns(rows, columns)
        case rules.Picture():
            picture = block.fit(columns, scale.tile.columns)
            captions = picture.caption_lines(scale.tile.columns)
            return [*_draw_picture(picture, glyphs, scale.tile), *map(Content, captions)]


def _draw_rows(block: rules.CardRows, columns: int, glyphs: Glyphs, size: Size) -> list[Content]:
    """Return rows of drawn cards with their words beside them, below them if columns are few."""
    faces = [[_draw_face(card, size, glyphs) for card in cards] for cards in block.cards]
    high = len(faces[0][0])
    left = len(_GAP) + max(sum(width(face[0]) + len(_GAP) for face in row) for row in faces)
    is_beside = columns - left >= MIN_WORDS_COLUMNS
    found = list[Content]()
    for row, (word, meaning) in zip(faces, block.rows, strict=True):
        drawn = [
            assemble(join_rows(part for group in parts for part in ((StyledSpan(_GAP),), group)))
            for parts in zip(*row, strict=True)
        ]
        words = [
            Content(word).stylize("bold $accent"),
            *wrap_prose(meaning, columns - left if is_beside else columns),
        ]
        if found:
            found.append(Content(""))
        if not is_beside:
            found += [*drawn, *words]
            continue
        above = max(high - len(words), 0) // 2
        words = [*[Content("")] * above, *words]
        for at in range(max(high, len(words))):
            cells = drawn[at] if at < high else Content("")
            text = words[at] if at < len(words) else Content("")
            found.append(cells.pad_right(left - cells.cell_length) + text)
    return found


def _draw_face(card: Card | Role, size: Size, glyphs: Glyphs) -> Sequence[Row]:
    """Return a card of a hand; in the smallest size, blocks show its icon as a low hand does."""
    if isinstance(card, Role):
        return draw_picture(find_role(card), size, glyphs)
    if glyphs.has_pictures or size != SCALES[-1].card:
        return draw_picture(find_card(card), size, glyphs)
    return draw_face(card, None, ICONS_SIZE, glyphs, PLAIN)


def _draw_picture(picture: rules.Picture, glyphs: Glyphs, size: TileSize) -> list[Content]:
    rows: list[Row] = [()] * size.rows
    for column, cell in zip(picture.find_columns(size.columns), picture.cells, strict=True):
        tile = _draw_cell(cell, glyphs, size)
        rows = [overlaid(row, column, *part) for row, part in zip(rows, tile, strict=True)]
    return [*map(assemble, rows)]


def _draw_cell(cell: rules.PicturedCell, glyphs: Glyphs, size: TileSize) -> tuple[Row, ...]:
    lying: LaidCard | FaceDown
    match cell:
        case None:
            return ((StyledSpan(" " * size.columns),),) * size.rows
        case rules.PicturedGoal(goal, path):
            sign = Sign.of(goal)
            lying = FaceDown(sign) if path is None else LaidCard(path, sign=sign)
        case rules.PicturedCard(path, state, is_start):
            lying = LaidCard(path, state, Sign.START if is_start else None)
    if glyphs.cards is None:
        return draw_tile(Tile(lying), size, glyphs)
    # The cell only chooses among variants of a picture: here any will do.
    return draw_card(Tile(lying), START, size, glyphs)
