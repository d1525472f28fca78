"""A screen that shows a seat: the lobby before and between games, the table in them.

The app gives it each update once, in order, and shows the other kind of screen when the table's
stage says so; a new screen begins with what is now. Knows the seat, and not what is behind it.
"""

from __future__ import annotations

from net.client.seat import Now, Seat, Update
from sabtui.screen.commands import Command, Commanded
from sabtui.screen.doors import Facts
from sabtui.words.tongue import _


class Seated(Commanded):
    """A screen over a seat.

    `now` is what it shows, and is what came last: a seat of its own thread may know more already.
    `facts` are what a host tells those who want to come, `None` for a guest.
    """

    def __init__(self, seat: Seat, now: Now, facts: Facts | None = None) -> None:
        self.seat = seat
        self.now = now
        self.facts = facts
        super().__init__()

    def again(self) -> Seated:
        """The same screen anew."""
        return type(self)(self.seat, self.now, self.facts)

    def settings_command(self) -> Command:
        """Settings, from a table too."""
        purpose = _("your name, language, lines, colours and bell")
        return Command("settings", ("f2",), _("settings"), purpose, self._settings, hidden=True)

    def _settings(self) -> None:
        from sabtui.screen.settings import Settings  # noqa: PLC0415 - rarely needed

        self.show(Settings())

    def say(self, text: str) -> None:
        """Say something; what is above makes room where that takes more lines, or fewer."""
        before = self.foot.rows
        super().say(text)
        if self.foot.rows != before:
            self.redraw()

    def redraw(self) -> None:
        """Show what is now, in the room that the foot leaves."""

    def hear(self, update: Update) -> None:
        """Take in an update. Called once the screen is mounted, also below other screens."""
        self.now = update.now
