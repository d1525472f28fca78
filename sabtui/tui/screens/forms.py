"""Screen with a form, which others derive from."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.widget import Widget
from textual.widgets import Static

from sabtui.text.i18n import _
from sabtui.tui.commands import BREADTHS, HEIGHTS, CommandScreen
from sabtui.tui.screens.living import LivingMine
from sabtui.tui.widgets.form import ChoiceRow, FormHint


def game_title() -> str:
    """Return the title of the box with what concerns the game."""
    return _("The game")


class FormScreen(CommandScreen):
    """Screen with a form, and where there is room a mine; `note` is the hint for its rows."""

    CSS_PATH = Path(__file__).with_name("form.tcss")
    AUTO_FOCUS = "Dropdown"
    HORIZONTAL_BREAKPOINTS = BREADTHS
    VERTICAL_BREAKPOINTS = HEIGHTS

    def __init__(self) -> None:
        super().__init__()
        self.note: Final = FormHint()

    def lay_out(self, heading: str, form: Widget, *beside: Widget) -> ComposeResult:
        """Yield the heading, if any, and the form; on a wide screen hint and mine are beside it."""
        if heading:
            yield Static(heading, markup=False, classes="heading")
        with Container(id="form"):
            yield form
            with Vertical(id="beside"):
                yield self.note
                yield from beside
                yield LivingMine(self.context, is_still=True)

    def on_choice_row_changed(self, changed: ChoiceRow.Changed) -> None:
        """Show the hint of what was chosen."""
        self.note.follow(changed.choice)
