"""Help: all that can be asked of the screen beneath, from its own commands.

Knows commands, and nothing of that screen.
"""

from __future__ import annotations

from collections.abc import Iterable

from textual.app import ComposeResult
from textual.content import Content

from sabtui.screen.commands import PALETTE_KEYS, Command, Commanded
from sabtui.screen.keys import key_name
from sabtui.screen.pane import Page, in_columns, prose
from sabtui.words.tongue import _


class Help(Commanded):
    """What can be done on the screen beneath, and why not where it cannot be now."""

    AUTO_FOCUS = "Page"

    def __init__(self, told: tuple[Command, ...]) -> None:
        self.told = told
        super().__init__()

    def commands(self) -> Iterable[Command]:
        """What can be asked here."""
        yield Command("back", ("escape", "q"), _("back"), _("back to where you were"), self.back)

    def body(self) -> ComposeResult:
        """The list, in a page that scrolls."""
        yield Page(_("What you can do here"), self.lines)

    def lines(self, columns: int) -> list[Content]:
        """A command a line."""
        palette = key_name(PALETTE_KEYS[0])
        rows = ((command.spelt or palette, _purpose(command)) for command in self.told)
        told = _("The mouse does it too: click a row, a card or a key at the foot.")
        return [*in_columns(rows, columns), Content(""), *prose(told, columns)]


def _purpose(command: Command) -> str:
    """What a command is for, and why it cannot be done now."""
    why_not = command.why_not()
    if why_not is None:
        return command.purpose
    return _("{purpose}. Not now: {why_not}").format(purpose=command.purpose, why_not=why_not)
