"""A screen that shows a seat: the lobby before and between games, the table in them.

The app gives it each update once, in order, and shows the other kind of screen when the table's
stage says so; a new screen begins with what is now.
"""

from __future__ import annotations

from net.client.session import Session, Status, Update
from sabtui.app.requests import Invitation
from sabtui.text.i18n import _
from sabtui.tui.commands import Command, CommandScreen


class SessionScreen(CommandScreen):
    """A screen over a seat.

    `status` is what it shows, and is what came last: a seat of its own thread may know more
    already. `invitation` are what a host tells those who want to come, `None` for a guest.
    """

    def __init__(self, seat: Session, status: Status, invitation: Invitation | None = None) -> None:
        self.session = seat
        self.status = status
        self.invitation = invitation
        super().__init__()

    def again(self) -> SessionScreen:
        """The same screen anew."""
        return type(self)(self.session, self.status, self.invitation)

    def settings_command(self) -> Command:
        """Settings, from a table too."""
        purpose = _("your name, language, lines, colours and bell")
        return Command("settings", ("f2",), _("settings"), purpose, self._settings, hidden=True)

    def _settings(self) -> None:
        from sabtui.tui.screens.settings import SettingsScreen  # noqa: PLC0415 - rarely needed

        self.show(SettingsScreen())

    def say(self, text: str) -> None:
        """Say something; what is above makes room where that takes more lines, or fewer."""
        before = self.footer.rows
        super().say(text)
        if self.footer.rows != before:
            self.redraw()

    def redraw(self) -> None:
        """Show what is now, in the room that the foot leaves."""

    def show_update(self, update: Update) -> None:
        """Take in an update. Called once the screen is mounted, also below other screens."""
        self.status = update.status
