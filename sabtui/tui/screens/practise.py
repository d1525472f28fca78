"""Screen for choosing a practice game: how many bots, how good, how fast, and the rules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from engine.edition import Edition
from net.protocol.fields import MAX_SEATS
from net.protocol.lobby import Settings
from sabtui.app import Speed
from sabtui.app.errors import UserError
from sabtui.app.preferences import player_name
from sabtui.app.requests import MIN_OPPONENTS, PracticeRequest
from sabtui.text.editions import edition_name, row_words
from sabtui.text.i18n import _, capitalise, pgettext
from sabtui.text.settings import setting_of
from sabtui.text.summary import saboteurs_sentence
from sabtui.tui.command import Command
from sabtui.tui.screens.forms import FormScreen, game_title
from sabtui.tui.screens.host import EditionChoices, form_row, level_row
from sabtui.tui.widgets.form import ChoiceRow, Form, Option


class PractiseScreen(FormScreen):
    """Form for a practice game, preset so that Enter begins one at once."""

    def __init__(self) -> None:
        super().__init__()
        usual = PracticeRequest("")
        self.rules: Final = Static(markup=False, id="rules")
        self.edition: Final = EditionChoices(usual.edition.text)
        self.bots: Final = ChoiceRow("bots", _("Bots"), _bots(), str(usual.bots))
        self.level: Final = level_row()
        self.rounds: Final = form_row(setting_of("rounds"), Settings(rounds=usual.rounds))
        # Translators: how fast bots move.
        self.speed: Final = ChoiceRow("speed", _("Speed"), _speeds(), Speed.NORMAL)

    def commands(self) -> Iterable[Command]:
        """Yield the commands of this screen."""
        # Translators: a verb: begin the game.
        label, text = pgettext("label", "begin"), _("begin the game as set up here")
        yield Command("begin", ("enter", "ctrl+o"), label, text, self.begin)
        yield Command("back", ("escape",), _("back"), _("back to where you were"), self.back)
        yield from self.form_commands(_("the next row"))

    def body(self) -> ComposeResult:
        """Yield the form and a hint."""
        text = _("Practise: Left and Right change, Enter begins")
        more = (self.rounds, self.edition.book, *self.edition.rows)
        form = Form({game_title(): (self.bots, self.level, self.speed)}, more)
        yield from self.lay_out(text, form, self.rules)
        self.tell_rules()

    def on_choice_row_changed(self, changed: ChoiceRow.Changed) -> None:
        """Update the edition's choices that depend on a changed one, and show its hint."""
        self.edition.follow(changed.choice)
        self.query_one(Form).fold()
        super().on_choice_row_changed(changed)
        self.tell_rules()

    def tell_rules(self) -> None:
        """Show the chosen rules in sentences, for which only wide terminals have room."""
        edition = Edition.read(self.edition.book.value)
        title = _("edition {edition}").format(edition=edition_name(edition.text))
        lines = [Content(title).stylize("bold")]
        lines += [Content(f"{capitalise(row_words(row))}.") for row in edition.rows]
        self.rules.update(Content("\n").join(lines))

    def table_request(self) -> PracticeRequest:
        """Return the request for the game as set up in the form."""
        return PracticeRequest(
            player_name(self.context.preferences),
            int(self.bots.value),
            self.level.value,
            Edition.read(self.edition.book.value),
            int(self.rounds.value),
            speed=Speed(self.speed.value),
        )

    def begin(self) -> None:
        """Begin the game."""
        self.say(_("Dealing..."))
        try:
            handle = self.context.tables.practise(self.table_request())
        except UserError as trouble:
            self.say(str(trouble))
        else:
            self.context.sit(handle)


def _bots() -> list[Option]:
    """Return the numbers of bots, each with how many saboteurs there may be."""
    counts = range(MIN_OPPONENTS, MAX_SEATS)
    return [Option(str(bots), str(bots), saboteurs_sentence(bots + 1)) for bots in counts]


def _speeds() -> list[Option]:
    return [
        Option(Speed.SLOW, pgettext("speed", "slow")),
        Option(Speed.NORMAL, pgettext("speed", "normal")),
        Option(Speed.FAST, pgettext("speed", "fast")),
        Option(Speed.INSTANT, pgettext("speed", "instant")),
    ]
