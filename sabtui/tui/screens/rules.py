"""Screen that turns the pages of the rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from textual.app import ComposeResult
from textual.content import Content

from sabtui.text.i18n import _
from sabtui.text.pages import RulesPage
from sabtui.text.rules import rules_pages
from sabtui.tui.command import Command
from sabtui.tui.commands import CommandScreen
from sabtui.tui.screens.rules_page import page_lines
from sabtui.tui.widgets.text import TextPage


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
        self.page.turn_to(numbered_title(self.pages, self.at), self._draw_page)

    def _draw_page(self, columns: int) -> list[Content]:
        """Return the lines of the page for so many columns, and the rows that are visible."""
        return page_lines(self.pages[self.at], columns, self.context.glyphs, self.page.room)

    def on_glyphs_changed(self) -> None:
        """Draw the cards of the page with the glyphs of the moment."""
        self.page.refresh()


def numbered_title(pages: Sequence[RulesPage], at: int) -> str:
    """Return the title of a page with its number, counted from 1, and how many pages there are."""
    return _("{number}/{count} {title}").format(
        number=at + 1, count=len(pages), title=pages[at].title
    )
