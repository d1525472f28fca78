"""Screen that turns the pages of the rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, assert_never

from rich.color import Color
from textual.app import ComposeResult
from textual.content import Content

from engine.board import START
from sabtui.text.i18n import _
from sabtui.text.pages import (
    Block,
    Paragraph,
    Picture,
    PicturedCard,
    PicturedCell,
    PicturedGoal,
    RulesPage,
    TwoColumns,
)
from sabtui.text.rules import rules_pages
from sabtui.tui.command import Command
from sabtui.tui.commands import CommandScreen
from sabtui.tui.mine.cards import draw_card
from sabtui.tui.mine.tiles import FaceDown, LaidCard, Sign, Tile, TileSize, draw_tile
from sabtui.tui.theme import Glyphs
from sabtui.tui.widgets.rows import Paint, Row, StyledSpan, overlaid, plain
from sabtui.tui.widgets.text import TextPage, in_columns, prose


class RulesScreen(CommandScreen):
    """The rules, one page at a time."""

    AUTO_FOCUS = "TextPage"

    def __init__(self, at: int = 0) -> None:
        """Open the rules at a page, counted from 0."""
        self.pages: Final = rules_pages()
        self.at = at
        super().__init__()
        self.page: Final = TextPage("", lambda _columns: [])

    def commands(self) -> Iterable[Command]:
        """Yield the commands of this screen."""
        text = _("This is the last page: Esc goes back.")
        yield Command(
            "next",
            ("right", "enter", "n"),
            _("next page"),
            _("next page"),
            lambda: self.turn(1),
            lambda: text if self.at == len(self.pages) - 1 else None,
        )
        yield Command(
            "before",
            ("left", "b"),
            _("page back"),
            _("page back"),
            lambda: self.turn(-1),
            lambda: None if self.at else _("This is the first page."),
        )
        yield Command("back", ("escape", "q"), _("back"), _("back to where you were"), self.back)

    def body(self) -> ComposeResult:
        """Yield the page."""
        yield self.page

    def on_mount(self) -> None:
        """Show the first page."""
        self.turn(0)

    def turn(self, by: int) -> None:
        """Turn by a number of pages."""
        self.at += by
        page, title = self.pages[self.at], numbered_title(self.pages, self.at)
        self.page.turn_to(title, lambda columns: page_lines(page, columns, self.context.glyphs))

    def on_glyphs_changed(self) -> None:
        """Draw the cards of the page with the glyphs of the moment."""
        self.page.refresh()


def numbered_title(pages: Sequence[RulesPage], at: int) -> str:
    """Return the title of a page with its number, counted from 1, and how many pages there are."""
    return _("{number}/{count} {title}").format(
        number=at + 1, count=len(pages), title=pages[at].title
    )


def page_lines(page: RulesPage, columns: int, glyphs: Glyphs) -> list[Content]:
    """Return the lines of a page."""
    first, *others = page.blocks
    lines = _block_lines(first, columns, glyphs)
    for block in others:
        if not isinstance(block, Picture):  # a picture has space around its cards
            lines.append(Content(""))
        lines += _block_lines(block, columns, glyphs)
    return lines


def _block_lines(block: Block, columns: int, glyphs: Glyphs) -> list[Content]:
    match block:
        case Paragraph(text):
            return prose(text, columns)
        case TwoColumns(rows):
            return in_columns(rows, columns)
        case Picture():
            return [*_draw(block, glyphs), *map(Content, block.caption_lines)]
        case _:
            assert_never(block)


def _draw(picture: Picture, glyphs: Glyphs) -> list[Content]:
    """Return the lines of a picture, drawn where cards are."""
    if glyphs.cards is None:
        lines = picture.lines(lambda cell: [plain(row) for row in _tile(cell, glyphs)])
        return [Content(line).stylize("bold") for line in lines]
    tiles = [_tile(cell, glyphs) for cell in picture.cells]
    found = list[Content]()
    for at in range(TileSize.NORMAL.rows):
        row: Row = ()
        for column, tile in zip(picture.columns, tiles, strict=True):
            row = overlaid(row, column, *tile[at])
        found.append(Content.assemble(*((span.text, _style(span)) for span in row)))
    return found


def _style(span: StyledSpan) -> str:
    """Return the style of a piece of a drawn card, "" for blanks around it."""
    if not isinstance(span.look, Paint):
        return ""
    front, ground = (
        "" if name == "default" else Color.parse(name).get_truecolor().hex for name in span.look
    )
    return f"{front} on {ground}" if ground else front


def _tile(cell: PicturedCell, glyphs: Glyphs) -> tuple[Row, ...]:
    """Return the rows of a cell's tile."""
    lying: LaidCard | FaceDown
    match cell:
        case None:
            return ((StyledSpan(" " * TileSize.NORMAL.columns),),) * TileSize.NORMAL.rows
        case PicturedGoal(goal):
            lying = FaceDown(Sign.of(goal))
        case PicturedCard(path, state, is_start):
            lying = LaidCard(path, state, Sign.START if is_start else None)
        case _:
            assert_never(cell)
    if glyphs.cards is None:
        return draw_tile(Tile(lying), TileSize.NORMAL, glyphs)
    return draw_card(Tile(lying), START, TileSize.NORMAL, glyphs)
