"""Enter a table: its room code, and what one is called there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.widgets import Input, Static

from net.discovery.address import Typed
from net.discovery.game import Game
from net.secure.code import BadCode, RoomCode
from net.text import NAME_CELLS, clean_name, harmless
from sabtui.preferences import called
from sabtui.screen.commands import Command
from sabtui.screen.doors import Joining
from sabtui.screen.form import Field, Form, Line, Note
from sabtui.screen.leaving import Leaving
from sabtui.words.codes import bad_code
from sabtui.words.tongue import _, pgettext


class Enter(Leaving):
    """The last step before a table."""

    AUTO_FOCUS = "Line"

    def __init__(self, at: Game | Typed) -> None:
        self.at = at
        super().__init__()
        self.note: Final = Note()
        told = _("The two words on your host's screen, in capitals or not. Empty: an open table.")
        # Translators: shown in the empty line for the room code.
        self.code: Final = Line("code", "", 60, told, _("two words"))
        told = _("What others see. Somebody with your name already? Yours gets a number.")
        self.called: Final = Line("name", "", NAME_CELLS, told)

    def commands(self) -> Iterable[Command]:
        """What can be asked here."""
        yield Command(
            "enter", ("enter",), _("join"), _("go to the table"), self.enter, self.why_not
        )
        yield Command("back", ("escape",), _("back"), _("back to the list"), self.back)
        yield from self.form_commands(_("code or name"))

    def body(self) -> ComposeResult:
        """The table, the code and the name."""
        title = self.at.title if isinstance(self.at, Game) else self.at.host
        yield Static(
            _("Join {title}").format(title=harmless(title)), markup=False, classes="heading"
        )
        self.called.fill(called(self.house.preferences))
        yield Form(
            [Field(pgettext("field", "Room code"), self.code), Field(_("Your name"), self.called)]
        )
        yield self.note

    def why_not(self) -> str | None:
        """Say that one is on one's way already."""
        return _("Joining already, one moment.") if self.busy else None

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Say what is to be known of a row."""
        self.note.follow(event.widget)

    def on_input_submitted(self, _submitted: Input.Submitted) -> None:
        """Go to the table."""
        self.action_command("enter")

    def enter(self) -> None:
        """Go to the table, if code and name can be right."""
        try:
            code = RoomCode.parse(self.code.value) if self.code.value.strip() else None
        except BadCode as bad:
            self.say(f"{bad_code(bad)}.")
            return
        name = clean_name(self.called.value)
        liked = self.house.preferences
        if name and name != called(liked):
            self.house.prefer(replace(liked, name=name))
        wish = Joining(name or called(liked), self.at, code)
        self.leave_by(self.house.doors.join(wish), _("Joining..."))
