"""The form for a table's settings before its game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from textual.app import ComposeResult
from textual.widgets import Static

from net.protocol.lobby import Settings
from sabtui.text.i18n import _
from sabtui.tui.command import Command
from sabtui.tui.commands import CommandScreen
from sabtui.tui.screens.host import EditionChoices, agree_on, form_rows
from sabtui.tui.widgets.form import LONG, ChoiceRow, Form, FormHint, long_css


class TableSettingsScreen(CommandScreen):
    """Form for settings. `take` receives the new settings."""

    AUTO_FOCUS = "ChoiceRow"
    VERTICAL_BREAKPOINTS = LONG
    CSS = long_css("TableSettingsScreen")

    def __init__(self, settings: Settings, take: Callable[[Settings], None]) -> None:
        self.settings = settings
        self.take = take
        super().__init__()
        self.edition: Final = EditionChoices(settings.edition)
        # Whether a code is needed is settled once the table is open.
        terms = [row for row in form_rows(settings) if row.name != "is_open"]
        self.choices: Final = (self.edition.book, *terms, *self.edition.rows)
        self.note: Final = FormHint()

    def commands(self) -> Iterable[Command]:
        """Yield the commands of this screen."""
        # Translators: play by these terms.
        yield Command("take", ("enter",), _("apply"), _("play with these settings"), self.agree)
        yield Command("back", ("escape",), _("back"), _("back; nothing is changed"), self.back)
        yield from self.form_commands(_("the next row"))

    def body(self) -> ComposeResult:
        """Yield the form and a hint."""
        text = _("Table settings: Left and Right change, Enter applies")
        yield Static(text, markup=False, classes="heading")
        yield Form(self.choices)
        yield self.note

    def on_choice_row_changed(self, changed: ChoiceRow.Changed) -> None:
        """Update the edition's choices that depend on a changed one, and show its hint."""
        self.edition.follow(changed.choice)
        self.note.follow(changed.choice)

    def agree(self) -> None:
        """Pass on the new settings and go back."""
        chosen = {str(choice.name): choice.value for choice in self.choices}
        self.take(agree_on(self.settings, chosen))
        self.back()
