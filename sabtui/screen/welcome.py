"""The welcome screen: what one can do, and nothing to read first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from sabtui.preferences import called
from sabtui.screen.commands import Command, Commanded
from sabtui.screen.doors import Practising
from sabtui.screen.letters import large
from sabtui.screen.menu import Menu
from sabtui.trouble import Trouble
from sabtui.words.cast import padded
from sabtui.words.tongue import _

KEY, LABEL = 3, 11
"""Columns of a row's key and of its label."""


class Welcome(Commanded):
    """Where all begins."""

    AUTO_FOCUS = "Menu"
    DEFAULT_CSS = """
    Welcome {
        align: center middle;
    }
    Welcome > Static {
        height: auto;
        width: 56;
        margin: 1 0;
    }
    Welcome > Menu {
        width: 56;
        height: 8;
    }
    """

    def commands(self) -> Iterable[Command]:
        """What one can do."""
        yield Command("go", ("enter",), _("go there"), _("go to the row under the cursor"), self.go)
        rows = (
            # Translators: a menu: verbs, at most 10 columns each.
            ("join", "j", _("Join"), _("find a game on this network"), self.join),
            # Translators: a verb: open a table.
            ("host", "h", _("Host"), _("open a table, friends come to you"), self.host),
            ("practise", "p", _("Practise"), _("you and four bots, now"), self.practise),
            ("resume", "r", _("Resume"), _("come back to a table you left"), self.resume),
            ("records", "c", _("Records"), _("games that you saved"), self.records),
            ("rules", "u", _("Rules"), _("learn the game in a few pages"), self.rules),
            ("settings", "s", _("Settings"), _("name, lines, colours, bell"), self.prefer),
            ("quit", "q", _("Quit"), _("leave Sabtui"), self.quit),
        )
        for name, key, label, purpose, do in rows:
            yield Command(name, (key,), label, purpose, do, hidden=True)

    def body(self) -> ComposeResult:
        """The title, and what one can do."""
        yield Static(self._title())
        yield Menu([_row(self.by_name[name]) for name in ROWS])

    def _title(self) -> Content:
        told = _("The card game Saboteur, from terminal to terminal")
        drawn = [
            Content(line).stylize("bold $accent") for line in large("sabtui", self.house.glyphs)
        ]
        return Content("\n").join([*drawn, Content(told)])

    def on_menu_chosen(self, _chosen: Menu.Chosen) -> None:
        """Do what was chosen."""
        self.go()

    def go(self) -> None:
        """Do what the row under the cursor says."""
        self.action_command(ROWS[self.query_one(Menu).at])

    def join(self) -> None:
        """Show the games on this network."""
        from sabtui.screen.join import Join  # noqa: PLC0415 - not at start

        self.show(Join())

    def host(self) -> None:
        """Ask what the table is to be."""
        from sabtui.screen.host import Host  # noqa: PLC0415 - not at start

        self.show(Host())

    def practise(self) -> None:
        """Begin a game against bots."""
        self.say(_("Dealing..."))
        try:
            way = self.house.doors.practise(Practising(called(self.house.preferences)))
        except Trouble as trouble:
            self.say(str(trouble))
        else:
            self.house.sit(way)

    def resume(self) -> None:
        """Show the tables one may come back to."""
        from sabtui.screen.resume import Resume  # noqa: PLC0415 - not at start

        self.show(Resume())

    def records(self) -> None:
        """Show the games that were saved."""
        from sabtui.screen.records import Records  # noqa: PLC0415 - not at start

        self.show(Records())

    def rules(self) -> None:
        """Teach the game."""
        from sabtui.screen.rules import Rules  # noqa: PLC0415 - not at start

        self.show(Rules())

    def prefer(self) -> None:
        """Show what a player may like."""
        from sabtui.screen.settings import Settings  # noqa: PLC0415 - not at start

        self.show(Settings())

    def quit(self) -> None:
        """Leave: nothing here could be lost."""
        self.app.exit()


ROWS: Final = ("join", "host", "practise", "resume", "records", "rules", "settings", "quit")


def _row(command: Command) -> Content:
    """A command as a row of the menu."""
    key = Content(padded(command.spelt, KEY)).stylize("bold $accent")
    label = Content(padded(command.label, LABEL)).stylize("bold")
    return key + label + Content(command.purpose)
