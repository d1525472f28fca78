"""Screen that turns the pages of the rules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from textual.app import ComposeResult

from sabtui.text.i18n import _
from sabtui.tui.commands import Command, CommandScreen
from sabtui.tui.rules.pages import lessons
from sabtui.tui.widgets.text import TextPage


class RulesScreen(CommandScreen):
    """The rules, one page at a time."""

    AUTO_FOCUS = "TextPage"

    def __init__(self) -> None:
        self.lessons: Final = lessons()
        self.at = 0
        super().__init__()
        self.page: Final = TextPage("", lambda _columns: [])

    def commands(self) -> Iterable[Command]:
        """Yield the commands of this screen."""
        text = _("This is the last page: Escape goes back.")
        yield Command(
            "next",
            ("right", "enter", "n"),
            _("next page"),
            _("the next page"),
            lambda: self.turn(1),
            lambda: text if self.at == len(self.lessons) - 1 else None,
        )
        yield Command(
            "before",
            ("left", "b"),
            _("page before"),
            _("the page before"),
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
        lesson, glyphs = self.lessons[self.at], self.context.glyphs
        title = _("{number}/{count} {title}").format(
            number=self.at + 1, count=len(self.lessons), title=lesson.title
        )
        self.page.turn_to(title, lambda columns: lesson.tell(columns, glyphs))
