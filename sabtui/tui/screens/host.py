"""Screens for hosting a table, for its settings, and for a practice game.

The edition consists of a choice of rulebook and one for each of its rules, worded by `sabtui.text`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Final

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from engine.edition import EDITIONS, INTERNATIONAL, Edition, EditionRow
from engine.mistakes import NotationError
from net.protocol.cleaning import clean_name
from net.protocol.doors import DoorKind
from net.protocol.fields import MAX_SEATS
from net.protocol.lobby import Settings
from sabtui.app import DEFAULT_BOT_LEVEL, Speed
from sabtui.app.errors import UserError
from sabtui.app.launcher import why_no_door
from sabtui.app.preferences import player_name
from sabtui.app.requests import MIN_OPPONENTS, HostRequest, PracticeRequest
from sabtui.text.door_words import closed_purpose, door_purpose
from sabtui.text.i18n import _, capitalise, join_words, ngettext, pgettext
from sabtui.text.settings import (
    Setting,
    book_name,
    differences,
    edition_name,
    level_choices,
    row_label,
    row_shown,
    row_words,
    setting_of,
    table_settings,
)
from sabtui.text.summary import saboteurs_sentence
from sabtui.tui.command import Command
from sabtui.tui.screens.bases import FormScreen, PendingScreen, game_title
from sabtui.tui.widgets.form import ChoiceRow, Form, LabelledField, NameField, Option


class EditionChoices:
    """Choice of the rulebook and one choice per rule; `follow` keeps them consistent."""

    def __init__(self, edition: str) -> None:
        """Make the choices. `edition` is the text of an edition."""
        begins = _read_edition(edition)
        self._mixture = edition if begins.changed else ""
        self.book: Final = ChoiceRow("edition", _("Edition"), self._list_books(), edition)
        self.rows: Final = tuple(
            ChoiceRow(type(row).__name__, row_label(row), [*map(_make_option, type(row))], row)
            for row in begins.rows
        )

    def follow(self, changed: ChoiceRow) -> None:
        """Set the rules to those of the chosen book, or the book to the mixture of chosen rules."""
        if changed is self.book:
            for choice, row in zip(self.rows, _read_edition(self.book.value).rows, strict=True):
                choice.choose(row)
        elif changed in self.rows:
            edition = mix_edition(choice.value for choice in self.rows)
            if edition.changed:
                self._mixture = edition.text
            self.book.offer(self._list_books(), edition.text)

    def _list_books(self) -> list[Option]:
        """Return the books and the last mixture of rules, so that the player can return to it."""
        options = [Option(book, book_name(book), differences(of)) for book, of in EDITIONS.items()]
        if self._mixture:
            # Translators: an edition whose rules were mixed by the players.
            custom = pgettext("edition", "custom")
            text = _("Your own mix: {edition}.").format(edition=edition_name(self._mixture))
            options.append(Option(self._mixture, custom, text))
        return options


def mix_edition(rows: Iterable[str]) -> Edition:
    """Return the edition with these five rules, named after the most similar book."""
    all_of_them = Edition.read("+".join((INTERNATIONAL.book, *rows))).rows
    mixed = (book.replace(*all_of_them) for book in EDITIONS.values())
    return min(mixed, key=lambda edition: len(edition.changed))


def _read_edition(edition: str) -> Edition:
    """Return the edition with this text, or the usual one if a newer Sabtui wrote the text."""
    try:
        return Edition.read(edition)
    except NotationError:
        return INTERNATIONAL


def _make_option(row: EditionRow) -> Option:
    books = [book_name(book) for book, edition in EDITIONS.items() if row in edition.rows]
    # Translators: the rule that stands above this is that of these editions.
    text = ngettext("As printed in {books}.", "As printed in {books}.", len(books))
    return Option(row, row_shown(row), text.format(books=join_words(books)))


def make_row(setting: Setting, now: Settings) -> ChoiceRow:
    options = [Option(*choice) for choice in setting.choices]
    on = "yes" if setting.values.keys() == {"yes", "no"} else ""
    return ChoiceRow(setting.field, setting.label, options, setting.spell(now), on=on)


def make_rows(now: Settings) -> list[ChoiceRow]:
    """Return a choice for each setting but the edition, preset to the present settings."""
    return [make_row(setting, now) for setting in table_settings(now) if setting.label]


def apply_choices(settings: Settings, chosen: Mapping[str, str]) -> Settings:
    """Return the settings with the chosen values, by the names of their fields."""
    for setting in table_settings(settings):
        if setting.field in chosen:
            settings = setting.read(chosen[setting.field], settings)
    return settings


def make_level_row() -> ChoiceRow:
    levels = [Option(*choice) for choice in level_choices(DEFAULT_BOT_LEVEL)]
    return ChoiceRow("level", _("Bot level"), levels, DEFAULT_BOT_LEVEL)


def form_heading(title: str) -> str:
    return _("{title}: Left and Right change values").format(title=title)


def new_table() -> str:
    return capitalise(_("new table"))


def open_words() -> str:
    return _("open the table")


class EditionScreen(FormScreen):
    """Form with the rules of an edition among its rows."""

    edition: EditionChoices

    def on_choice_row_changed(self, changed: ChoiceRow.Changed) -> None:
        self.edition.follow(changed.choice)
        self.query_one(Form).fold()
        super().on_choice_row_changed(changed)


class HostScreen(EditionScreen, PendingScreen):
    """Form for hosting a table."""

    AUTO_FOCUS = "TextField"

    def __init__(self) -> None:
        super().__init__()
        self.name_field: Final = NameField("name", "", "")
        self.title_line: Final = NameField("title", "", _("Name of the table"))
        self.edition = EditionChoices(Settings().edition)
        self.choices: Final = {str(row.name): row for row in _list_choices(self.edition)}
        self._chosen = set[ChoiceRow]()
        """Choices that the player has made: doors among them no longer follow the access."""

    def commands(self) -> Iterable[Command]:
        yield from self.row_commands()
        yield Command(
            "open", ("enter", "ctrl+o"), open_words(), open_words(), self.open, self.why_busy
        )
        yield from self.form_commands()

    def body(self) -> ComposeResult:
        self.name_field.fill(player_name(self.context.preferences))
        seats, bots, *doors, clock = (self.choices[name] for name in MAIN_CHOICES)
        names = (
            LabelledField(_("Your name"), self.name_field),
            LabelledField(_("Table"), self.title_line),
        )
        boxes = {
            _("You and your table"): (*names, seats, bots),
            _("Access"): doors,
            game_title(): (clock,),
        }
        more = [row for name, row in self.choices.items() if name not in MAIN_CHOICES]
        yield from self.lay_out(form_heading(new_table()), Form(boxes, more))

    def on_choice_row_changed(self, changed: ChoiceRow.Changed) -> None:
        """Close doors if anybody may join, open them for a room code; keep the player's choices."""
        super().on_choice_row_changed(changed)
        self._chosen.add(changed.choice)
        for kind in DoorKind:
            door = self.choices[kind]
            if changed.choice.name == "is_open" and door not in self._chosen:
                door.choose(choose_door_state(kind, is_open=changed.choice.value == "open"))

    def on_input_changed(self) -> None:
        """Show the table's name if none is typed."""
        self.title_line.placeholder = self.table_request().title

    def table_request(self) -> HostRequest:
        """Return the request for the table as set up in the form."""
        chosen = {name: choice.value for name, choice in self.choices.items()}
        name = clean_name(self.name_field.value) or player_name(self.context.preferences)
        settings = apply_choices(Settings(), chosen)
        title = self.title_line.value or _("{name}'s table").format(name=name)
        bots = min(int(chosen["bots"]), settings.seats - 1)
        doors = tuple(kind for kind in DoorKind if chosen[kind] == OPEN)
        return HostRequest(name, clean_name(title), settings, bots, chosen["level"], doors=doors)

    def open(self) -> None:
        """Open the table and go there, and save a new name."""
        request, preferences = self.table_request(), self.context.preferences
        if request.name != player_name(preferences):
            self.context.save_preferences(replace(preferences, name=request.name))
        self.open_table(self.context.tables.host(request), _("One moment..."))


MAIN_CHOICES: Final = ("seats", "bots", *DoorKind, "is_open", "turn_seconds")
"""Choices for a new table that are always in sight."""

OPEN, CLOSED = "open", "closed"


def _list_choices(edition: EditionChoices) -> Iterable[ChoiceRow]:
    rounds, seats, door, *others = make_rows(Settings())
    text = _("How many seats bots start in. You can change this in the lobby.")
    bots = [Option(str(count), str(count), text) for count in range(MAX_SEATS)]
    yield from (edition.book, rounds, seats)
    yield ChoiceRow("bots", capitalise(_("bots")), bots, "0")
    yield make_level_row()
    yield door
    yield _make_door_row(DoorKind.SSH, _("SSH door"))
    yield _make_door_row(DoorKind.WEB, _("Browser door"))
    yield from others
    yield from edition.rows


def _make_door_row(kind: DoorKind, label: str) -> ChoiceRow:
    # Translators: a door of the table for guests who come by ssh, or with a browser.
    options = [
        Option(CLOSED, pgettext("browser door", "closed"), why_no_door(kind) or closed_purpose()),
        Option(OPEN, pgettext("browser door", "open"), why_no_door(kind) or door_purpose(kind)),
    ]
    return ChoiceRow(kind, label, options, choose_door_state(kind, is_open=False), on=OPEN)


def choose_door_state(kind: DoorKind, *, is_open: bool) -> str:
    """Return `OPEN` for a door that can be opened, unless the table `is_open` to anybody."""
    return CLOSED if is_open or why_no_door(kind) else OPEN


MAIN_ROWS: Final = ("rounds", "seats", "turn_seconds")
"""Settings of a table that are always in sight."""


class TableSettingsScreen(EditionScreen):
    """Form for settings. `take` receives the new settings, perhaps for a new table (`is_new`)."""

    def __init__(
        self, settings: Settings, take: Callable[[Settings], None], *, is_new: bool = False
    ) -> None:
        self.settings = settings
        self.take = take
        self.is_new = is_new
        super().__init__()
        self.edition = EditionChoices(settings.edition)
        # Whether a code is needed is fixed once the table is open.
        self.terms: Final = [row for row in make_rows(settings) if row.name != "is_open"]

    def commands(self) -> Iterable[Command]:
        yield from self.row_commands()
        # Translators: play by these terms.
        label = open_words() if self.is_new else _("apply")
        yield Command("take", ("enter", "ctrl+o"), label, label, self.agree)
        yield from self.form_commands()

    def body(self) -> ComposeResult:
        text = form_heading(new_table() if self.is_new else _("Table settings"))
        main = [row for row in self.terms if row.name in MAIN_ROWS]
        others = [row for row in self.terms if row.name not in MAIN_ROWS]
        more = (*others, self.edition.book, *self.edition.rows)
        yield from self.lay_out(text, Form({game_title(): main}, more))

    def agree(self) -> None:
        """Pass on the new settings and go back."""
        choices = (*self.terms, self.edition.book, *self.edition.rows)
        chosen = {str(choice.name): choice.value for choice in choices}
        self.take(apply_choices(self.settings, chosen))
        self.back()


class PractiseScreen(EditionScreen):
    """Form for a practice game, preset so that Enter begins one at once."""

    def __init__(self) -> None:
        super().__init__()
        usual = PracticeRequest("")
        self.rules: Final = Static(markup=False, id="rules", classes="box")
        self.edition = EditionChoices(usual.edition.text)
        bots = [
            Option(str(count), str(count), saboteurs_sentence(count + 1))
            for count in range(MIN_OPPONENTS, MAX_SEATS)
        ]
        self.bots: Final = ChoiceRow("bots", capitalise(_("bots")), bots, str(usual.bots))
        self.level: Final = make_level_row()
        self.rounds: Final = make_row(setting_of("rounds"), Settings(rounds=usual.rounds))
        calm, hasty = _("Time to read what each bot does."), _("Bots think less.")
        speeds = [
            Option(Speed.SLOW, pgettext("speed", "slow"), calm),
            Option(Speed.NORMAL, pgettext("speed", "normal"), calm),
            Option(Speed.FAST, pgettext("speed", "fast"), hasty),
            Option(Speed.INSTANT, pgettext("speed", "instant"), hasty),
        ]
        # Translators: how fast bots move.
        self.speed: Final = ChoiceRow("speed", _("Speed"), speeds, Speed.NORMAL)

    def commands(self) -> Iterable[Command]:
        yield from self.row_commands()
        label = _("start")
        yield Command("begin", ("enter", "ctrl+o"), label, label, self.begin)
        yield from self.form_commands()

    def body(self) -> ComposeResult:
        text = form_heading(_("Practice"))
        more = (self.rounds, self.edition.book, *self.edition.rows)
        form = Form({game_title(): (self.bots, self.level, self.speed)}, more)
        yield from self.lay_out(text, form, self.rules)
        self.show_rules()

    def on_choice_row_changed(self, changed: ChoiceRow.Changed) -> None:
        super().on_choice_row_changed(changed)
        self.show_rules()

    def show_rules(self) -> None:
        """Show the chosen rules in sentences, if the terminal is wide enough."""
        edition = Edition.read(self.edition.book.value)
        title = _("edition {edition}").format(edition=edition_name(edition.text))
        self.rules.border_title = Content(title)
        self.rules.update("\n".join(f"{capitalise(row_words(row))}." for row in edition.rows))

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
        try:
            handle = self.context.tables.practise(self.table_request())
        except UserError as trouble:
            self.say(str(trouble))
        else:
            self.context.enter_table(handle)
