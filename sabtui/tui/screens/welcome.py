"""Welcome screen: a menu, and nothing to read first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from sabtui.app.preferences import player_name
from sabtui.text.i18n import _, capitalise
from sabtui.text.names import pad_to
from sabtui.tui.commands import Command, CommandScreen
from sabtui.tui.theme import large
from sabtui.tui.widgets.list import Menu

KEY_COLUMNS, LABEL_COLUMNS = 3, 11
"""Columns of a row's key and of its label."""


class WelcomeScreen(CommandScreen):
    """First screen of the app."""

    AUTO_FOCUS = "Menu"
    DEFAULT_CSS = """
    WelcomeScreen {
        align: center middle;
    }
    WelcomeScreen > Static {
        height: auto;
        width: 56;
        margin-bottom: 1;
    }
    WelcomeScreen > Menu {
        width: 56;
        height: 9;
    }
    """

    def __init__(self, first: str = "join") -> None:
        """Make the screen with the cursor on the row of the command with this name."""
        self.first = first
        super().__init__()

    def again(self) -> WelcomeScreen:
        """Return a copy of this screen in the new language."""
        return WelcomeScreen(self.first)

    def commands(self) -> Iterable[Command]:
        """Yield the commands, one for each row of the menu."""
        # Translators: a verb: open the row under the cursor.
        yield Command("go", ("enter",), _("open"), _("open the row under the cursor"), self.go)
        rows = (
            # Translators: a menu: verbs, at most 10 columns each.
            ("join", "j", _("Join"), _("find a game on this network"), self.join),
            # Translators: a verb: open a table.
            ("host", "h", _("Host"), _("open a table for your friends"), self.host),
            # Translators: a verb: take the lesson.
            ("learn", "l", _("Learn"), _("your first game, step by step"), self.learn),
            ("practise", "p", _("Practise"), _("play against bots"), self.practise),
            ("resume", "r", _("Resume"), _("come back to a table"), self.resume),
            # Translators: games that are over, to be watched again; at most 10 columns.
            ("records", "c", _("Past games"), _("your finished games"), self.records),
            ("rules", "u", _("Rules"), _("learn the game in a few pages"), self.rules),
            (
                "settings",
                "s",
                capitalise(_("settings")),
                _("name, language, lines, colours, bell"),
                self.prefer,
            ),
            ("quit", "q", _("Quit"), _("leave Sabtui"), self.quit),
        )
        for name, key, label, purpose, do in rows:
            yield Command(name, (key,), label, purpose, do, hidden=True)

    def body(self) -> ComposeResult:
        """Yield the title and the menu."""
        yield Static(self._title())
        menu = Menu([_row(self.by_name[name]) for name in MENU_ROWS])
        menu.at = MENU_ROWS.index(self.first)
        yield menu

    def _title(self) -> Content:
        text = _("The card game Saboteur, from terminal to terminal")
        drawn = [
            Content(line).stylize("bold $accent") for line in large("sabtui", self.context.glyphs)
        ]
        return Content("\n").join([*drawn, Content(text)])

    def on_menu_chosen(self, _chosen: Menu.Chosen) -> None:
        """Run the command that was chosen."""
        self.go()

    def go(self) -> None:
        """Run the command under the cursor."""
        self.action_command(MENU_ROWS[self.query_one(Menu).at])

    def join(self) -> None:
        """Show the games on this network."""
        from sabtui.tui.screens.join import JoinScreen  # noqa: PLC0415 - not at start

        self.show(JoinScreen())

    def host(self) -> None:
        """Show the form for hosting a table."""
        from sabtui.tui.screens.host import HostScreen  # noqa: PLC0415 - not at start

        self.show(HostScreen())

    def learn(self) -> None:
        """Begin the lesson."""
        from sabtui.app.lesson import learn  # noqa: PLC0415 - not at start

        self.context.sit(learn(player_name(self.context.preferences)))
        self._point_at("practise")  # what comes after the lesson

    def _point_at(self, name: str) -> None:
        """Move the cursor to a row."""
        menu = self.query_one(Menu)
        menu.action_move(MENU_ROWS.index(name) - menu.at)

    def practise(self) -> None:
        """Show the form for a game against bots."""
        from sabtui.tui.screens.practise import PractiseScreen  # noqa: PLC0415 - not at start

        self.show(PractiseScreen())

    def resume(self) -> None:
        """Show the tables that can be resumed."""
        from sabtui.tui.screens.resume import ResumeScreen  # noqa: PLC0415 - not at start

        self.show(ResumeScreen())

    def records(self) -> None:
        """Show the saved games."""
        from sabtui.tui.screens.records import RecordsScreen  # noqa: PLC0415 - not at start

        self.show(RecordsScreen())

    def rules(self) -> None:
        """Show the rules."""
        from sabtui.tui.screens.rules import RulesScreen  # noqa: PLC0415 - not at start

        self.show(RulesScreen())

    def prefer(self) -> None:
        """Show the settings."""
        from sabtui.tui.screens.settings import SettingsScreen  # noqa: PLC0415 - not at start

        self.show(SettingsScreen())

    def quit(self) -> None:
        """Quit without confirmation: nothing can be lost here."""
        self.app.exit()


MENU_ROWS: Final = (
    "join",
    "host",
    "learn",
    "practise",
    "resume",
    "records",
    "rules",
    "settings",
    "quit",
)


def _row(command: Command) -> Content:
    """Return a command as a row of the menu."""
    key = Content(pad_to(command.spelt, KEY_COLUMNS)).stylize("bold $accent")
    label = Content(pad_to(command.label, LABEL_COLUMNS)).stylize("bold")
    return key + label + Content(command.purpose)
