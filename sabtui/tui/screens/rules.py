"""Screen that turns the pages of the rules."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from textual.content import Content

from sabtui.text.i18n import _
from sabtui.text.pages import RulesPage
from sabtui.text.rules import rules_pages
from sabtui.tui.command import Command
from sabtui.tui.commands import PagesScreen
from sabtui.tui.screens.rules_page import page_lines


class RulesScreen(PagesScreen):
    """The rules, one page at a time."""

    def __init__(self, at: int = 0) -> None:
        """Open the rules at a page, counted from 0."""
        super().__init__([(one.title, partial(self._draw_page, one)) for one in rules_pages()], at)

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
        yield from super().commands()

    def _draw_page(self, page: RulesPage, columns: int) -> list[Content]:
        """Return the lines of a page for so many columns, and the rows that are visible."""
        return page_lines(page, columns, self.context.glyphs, self.page.room)

    def on_glyphs_changed(self) -> None:
        """Draw the cards of the page with the glyphs of the moment."""
        self.page.refresh()
