"""Base of the screens that show a session: lobby, table and rollback.

The app passes each update once, in order, and switches screens when the table's stage changes; a
new screen begins with the current status.
"""

from __future__ import annotations

from net.client.session import Session, Status, Update
from sabtui.app.invitations import current_invitation
from sabtui.app.requests import Invitation
from sabtui.text.i18n import _
from sabtui.tui.commands import Command, CommandScreen


class SessionScreen(CommandScreen):
    """Screen that shows a session.

    `status` is that of the last update shown: the session runs in its own thread and may be ahead.
    `invitation` is what a host passes on to friends, `None` for a guest: given for a table of their
    own.
    """

    def __init__(self, seat: Session, status: Status, invitation: Invitation | None = None) -> None:
        self.session = seat
        self.status = status
        self.given_invitation = invitation
        super().__init__()

    def again(self) -> SessionScreen:
        """Return a copy of this screen, in the new language."""
        return type(self)(self.session, self.status, self.given_invitation)

    @property
    def invitation(self) -> Invitation | None:
        """The invitation that the player can pass on now, `None` if they are not the host."""
        return current_invitation(self.status, self.given_invitation)

    def settings_command(self) -> Command:
        """Return the command that opens the settings during a game."""
        purpose = _("name, language, lines, colours and bell")
        return Command("settings", ("f2",), _("settings"), purpose, self._settings, hidden=True)

    def _settings(self) -> None:
        from sabtui.tui.screens.settings import SettingsScreen  # noqa: PLC0415 - rarely needed

        self.show(SettingsScreen())

    def say(self, text: str) -> None:
        """Show a message, and redraw if the footer changed its height."""
        before = self.footer.rows
        super().say(text)
        if self.footer.rows != before:
            self.redraw()

    def redraw(self) -> None:
        """Redraw the current state in the space above the footer."""

    def show_update(self, update: Update) -> None:
        """Take in an update. Called once the screen is mounted, even while others lie on top."""
        self.status = update.status
