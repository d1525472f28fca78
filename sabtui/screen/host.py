"""Host: what the table is to be, then it is opened."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace
from textual import events
from textual.app import ComposeResult
from textual.widgets import Input, Static

from net.codec.fields import MOST_SEATS
from net.lobby import Settings
from net.text import NAME_CELLS, clean_name
from sabtui.dwarves import LEVEL
from sabtui.preferences import called
from sabtui.screen.choices import agreed, levels, term_choices
from sabtui.screen.commands import Command
from sabtui.screen.doors import Hosting
from sabtui.screen.editions import EditionChoices
from sabtui.screen.form import LONG, Choice, Field, Form, Line, Note, Option, long_css
from sabtui.screen.leaving import Leaving
from sabtui.words.tongue import _, pgettext


class Host(Leaving):
    """What the table is to be."""

    AUTO_FOCUS = "Line"
    VERTICAL_BREAKPOINTS = LONG
    CSS = long_css("Host")

    def __init__(self) -> None:
        super().__init__()
        self.note: Final = Note()
        told = _("What you are called at the table.")
        self.called: Final = Line("name", "", NAME_CELLS, told)
        told = _("By this name others see it in their list.")
        self.title_line: Final = Line("title", "", NAME_CELLS, told)
        self.edition: Final = EditionChoices(Settings().edition)
        choices = _choices(self.edition)
        self.choices: Final = {str(choice.name): choice for choice in choices}

    def commands(self) -> Iterable[Command]:
        """What can be asked here."""
        told = _("open the table as set up here")
        yield Command(
            "open", ("enter", "ctrl+o"), _("open the table"), told, self.open, self.why_not
        )
        yield Command("back", ("escape",), _("back"), _("back to the welcome screen"), self.back)
        yield from self.form_commands(_("the next row"))

    def body(self) -> ComposeResult:
        """The rows and a note."""
        name = called(self.house.preferences)
        self.called.fill(name)
        self.title_line.fill(clean_name(_("{name}'s table").format(name=name)))
        yield Static(
            _("Host a table: Left and Right change, Enter opens it"),
            markup=False,
            classes="heading",
        )
        lines = (Field(_("Your name"), self.called), Field(_("Table"), self.title_line))
        yield Form([*lines, *self.choices.values()])
        yield self.note

    def why_not(self) -> str | None:
        """Say that it is being opened."""
        return _("Opening the table already, one moment.") if self.busy else None

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Say what is to be known of a row."""
        self.note.follow(event.widget)

    def on_choice_changed(self, changed: Choice.Changed) -> None:
        """Say what is to be known of a choice, which another may have to follow."""
        self.edition.follow(changed.choice)
        self.note.follow(changed.choice)

    def on_input_submitted(self, _submitted: Input.Submitted) -> None:
        """Open the table."""
        self.action_command("open")

    def wish(self) -> Hosting:
        """The table as it is set up here."""
        chosen = {name: choice.value for name, choice in self.choices.items()}
        name = clean_name(self.called.value) or called(self.house.preferences)
        settings = replace(agreed(Settings(), chosen), is_open=chosen["door"] == OPEN)
        title = clean_name(self.title_line.value) or name
        bots = min(int(chosen["bots"]), settings.seats - 1)
        return Hosting(name, title, settings, bots, chosen["level"])

    def open(self) -> None:
        """Open the table and go there."""
        self.leave_by(self.house.doors.host(self.wish()), _("Opening the table..."))


OPEN, CODE = "open", "code"


def _choices(edition: EditionChoices) -> Iterable[Choice]:
    """What a table can agree upon, and what it begins with."""
    rounds, seats, *others = term_choices(Settings())
    told = _("So many seats are bots' from the beginning. In the lobby you can change that.")
    bots = [Option(str(count), str(count), told) for count in range(MOST_SEATS)]
    yield from (edition.book, rounds, seats)
    yield Choice("bots", _("Bots"), bots, "0")
    yield Choice("level", _("Bots are"), levels(LEVEL), LEVEL)
    # Translators: whether one needs a code to come in: Access.
    yield Choice("door", _("Door"), _doors(), CODE)
    yield from others
    yield from edition.rows


def _doors() -> list[Option]:
    code = _("Two words that you tell your friends. Nobody enters without, nobody listens in.")
    anybody = _("No code: anybody on this network can come in, and take a free seat.")
    # Translators: the door of a table: no code is asked.
    return [Option(CODE, _("room code"), code), Option(OPEN, pgettext("door", "open"), anybody)]
