"""Picking one of a few: rows under a question. Knows rows, and not what they are about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from net.text import harmless
from sabtui.screen.commands import Command, Commanded
from sabtui.screen.menu import Menu
from sabtui.words.tongue import _


class Pick(Commanded):
    """A question and rows to answer it by; `take` is given which was picked."""

    AUTO_FOCUS = "Menu"
    DEFAULT_CSS = """
    Pick > Menu {
        padding: 0 1;
    }
    """

    def __init__(self, question: str, rows: Sequence[str], take: Callable[[int], None]) -> None:
        self.asked = question
        self.rows = rows
        self.take = take
        super().__init__()

    def commands(self) -> Iterable[Command]:
        """What can be asked here."""
        yield Command("pick", ("enter",), _("this one"), _("the row under the cursor"), self.pick)
        yield Command("back", ("escape",), _("back"), _("back; nothing is changed"), self.back)

    def body(self) -> ComposeResult:
        """The question and the rows."""
        yield Static(harmless(self.asked), markup=False, classes="heading")
        yield Menu([Content(harmless(row)) for row in self.rows])

    def on_menu_chosen(self, _chosen: Menu.Chosen) -> None:
        """Take what was clicked."""
        self.pick()

    def pick(self) -> None:
        """Take the row under the cursor, and go back."""
        at = self.query_one(Menu).at
        self.back()
        self.app.call_later(self.take, at)
