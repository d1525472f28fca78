"""Editions and settings of a table, one row each: what all faces show, ask for and read.

Rows are in the order of forms; terms are in the order of the fields of `Settings`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple, get_type_hints

from msgspec import structs

from engine.bots.installed import installed_bots, offered_bots
from engine.edition import (
    EDITIONS,
    INTERNATIONAL,
    ConnectRule,
    DeadTable,
    Direction,
    Edition,
    EditionRow,
    ShareRule,
    StarterRule,
)
from engine.mistakes import NotationError
from net.protocol.fields import NOBODY
from net.protocol.lobby import Absence, ChatRule, Settings
from sabtui.text.i18n import (
    _,
    add_facts,
    alternatives,
    capitalise,
    lazy,
    lower_first,
    ngettext,
    pgettext,
    phrases,
    put_title,
)
from sabtui.text.names import PlayerNames
from sabtui.text.network import anybody_joins, name_typed

nothing_changed: Final = lazy("Nothing has changed.")


def on_words() -> str:
    # Translators: a switch in a form, such as the bell: on or off.
    return pgettext("switch", "on")


def off_words() -> str:
    return pgettext("switch", "off")


def edition_name(text: str) -> str:
    """Return an edition's name with its house rules; for an unknown edition, return its text."""
    try:
        edition = Edition.read(text)
    except NotationError:
        return text
    name = book_name(edition.book)
    if not edition.changed:
        return name
    rows = phrases([row_words(row) for row in edition.changed])
    return add_facts(name, rows)


def game_facts(edition: Edition, players: int, rounds: int) -> str:
    """Describe the kind of game in a record."""
    text = _("Edition {edition}, {players} players, rounds: {rounds}.")
    return text.format(edition=edition_name(edition.text), players=players, rounds=rounds)


def book_name(book: str) -> str:
    names = {
        "international": pgettext("edition", "international"),
        "argentina": pgettext("edition", "Argentina"),
        "italia": pgettext("edition", "Italy 2004"),
        "france": pgettext("edition", "France 2004"),
    }
    assert names.keys() == EDITIONS.keys()
    return names[book]


def differences(edition: Edition) -> str:
    """Return a sentence on how an edition differs from the international one."""
    rows = [row for row in edition.rows if row not in INTERNATIONAL.rows]
    if not rows:
        return _(
            "Play goes clockwise; the player left of whoever laid the last path card begins the "
            "next round."
        )
    return capitalise(phrases([row_words(row) for row in rows])) + "."


def edition_sentence(edition: Edition) -> str:
    """Describe an edition: how turns pass, what paths touch, and its other changes."""
    rows = [
        row
        for row in edition.rows
        if isinstance(row, Direction | ConnectRule) or row not in INTERNATIONAL.rows
    ]
    text = phrases([row_words(row) for row in rows])
    facts = add_facts(book_name(edition.book), text)
    return put_title(_("Edition"), f"{facts}.")


def row_label(row: EditionRow) -> str:
    """Return a row's label in a form, 13 columns at most."""
    labels: dict[type[EditionRow], str] = {
        # Translators: labels of a form, 13 columns at most: which way turns pass.
        Direction: _("Direction"),
        # Translators: what a path that is laid has to touch.
        ConnectRule: _("Path cards"),
        # Translators: when a round ends in which nobody reached the treasure.
        DeadTable: _("Round ends"),
        # Translators: how many gold cards the miners share.
        ShareRule: _("Gold cards"),
        # Translators: who begins the next round.
        StarterRule: _("Goes first"),
    }
    return labels[type(row)]


def row_shown(row: EditionRow) -> str:
    """Return a row's rule as a form shows it beside its label, 40 columns at most."""
    shown = {
        # Translators: turns pass: clockwise.
        Direction.CLOCKWISE: _("clockwise"),
        Direction.COUNTER_CLOCKWISE: _("counter-clockwise"),
        # Translators: paths: join a tunnel from the start.
        ConnectRule.LINKED: _("join a tunnel from the start"),
        ConnectRule.ADJACENT: _("touch any path card"),
        # Translators: the round ends: when all hands are empty.
        DeadTable.PLAYED_OUT: _("when all hands are empty"),
        DeadTable.ENDS_ROUND: _("pile empty and nobody can play"),
        # Translators: gold cards that the miners share: one for each miner.
        ShareRule.EACH_MINER_ONE: _("one for each miner"),
        ShareRule.ALL_PLAYERS: _("as many as there are players"),
        # Translators: next to begin: who sits left of whoever laid the last path.
        StarterRule.PATH: _("left of whoever laid the last path card"),
        StarterRule.CARD: _("left of whoever played the last card"),
    }
    return shown[row]


def row_words(row: EditionRow) -> str:
    return put_title(lower_first(row_label(row)), row_shown(row))


def edition_lines() -> list[str]:
    lines = [_("edition italia picks a rulebook, edition +linked changes one of its rules:")]
    lines += [f"{book}: {differences(edition)}" for book, edition in EDITIONS.items()]
    rows = [
        row for kind in (Direction, ConnectRule, DeadTable, ShareRule, StarterRule) for row in kind
    ]
    return lines + [f"+{row}: {row_words(row)}" for row in rows]


def level_name(level: str) -> str:
    """Return the name of a bot level; for an unknown level, return it unchanged."""
    names = {
        "easy": pgettext("bot", "easy"),
        "medium": pgettext("bot", "medium"),
        "hard": pgettext("bot", "hard"),
    }
    return names.get(level, level)


def next_level(level: str, by: int = 1) -> str:
    """Return the level after this one, or before it if `by` is -1, of our bots and installed ones.

    After the last one, and after an unknown one, comes the first.
    """
    levels = offered_bots()
    return levels[(levels.index(level) + by) % len(levels)] if level in levels else levels[0]


class WrongSetting(ValueError):
    """Raised for a typed value that a setting cannot have; its text is a sentence for players."""


class SettingChoice(NamedTuple):
    """A choice in a form: how its value is typed, how it is shown, and a hint."""

    typed: str
    shown: str
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A setting of a table: how faces show it, ask for it and read it."""

    field: str  # of `Settings`
    values: Mapping[str, object]  # by the way they are typed
    phrase: str  # describes its present value
    word: str = ""  # sets it in `--plain`; without one it cannot be typed
    advice: str = ""  # what can be typed, if `values` does not say so
    label: str = ""  # of its row in forms; "" if it has no row, or several of its own
    choices: Sequence[SettingChoice] = ()  # in forms
    flag: str = ""  # its option of the shell
    purpose: str = ""  # the option's help, "" if practice has it, too
    means: str = ""  # the value that an option without an argument sets
    matters_alone: bool = True  # True if it matters in practice with bots, too

    @property
    def bounds(self) -> tuple[int, int] | None:
        """The minimum and the maximum of a number, `None` for anything else."""
        words = [*self.values]
        return (int(words[0]), int(words[-1])) if words[0].isdecimal() else None

    @property
    def usage(self) -> str:
        """The word as it is typed, and its values."""
        if self.advice:
            return f"{self.word} {name_typed()}"
        if self.bounds is not None:
            return f"{self.word} {self.bounds[0]}-{self.bounds[1]}"
        return f"{self.word} {'/'.join(self.values)}"

    def spell(self, now: Settings) -> str:
        value = getattr(now, self.field)
        return next((word for word, meant in self.values.items() if meant == value), str(value))

    def advise(self) -> str:
        """List the values that can be typed."""
        if self.advice:
            return self.advice
        if self.bounds is not None:
            return number_needed(self.word, *self.bounds)
        ways = alternatives([f"{self.word} {value}" for value in self.values])
        return type_line(ways)

    def read(self, typed: str, now: Settings) -> Settings:
        """Return the settings with this one as typed. Raises `WrongSetting` if it is wrong."""
        try:
            value = self.values[typed.casefold()]  # for the edition, this parses what was typed
        except (KeyError, NotationError):
            raise WrongSetting(self.advise()) from None
        return structs.replace(now, **{self.field: value})


def type_line(line: str) -> str:
    return _("Type {line}.").format(line=line)


def number_needed(word: str, first: int, last: int) -> str:
    text = _("{command} needs a number from {first} to {last}.")
    return text.format(command=word, first=first, last=last)


@cache
def numbers(field: str) -> Mapping[str, int]:
    """Return the values of a setting that is a number, by the way they are typed."""
    (limits,) = get_type_hints(Settings, include_extras=True)[field].__metadata__
    return {str(number): number for number in range(limits.ge, limits.le + 1)}


class _Editions(dict[str, object]):
    """Every edition by its text; one that begins with a plus changes rules of the present one."""

    def __init__(self, now: str) -> None:
        super().__init__({now: now})
        self._now = now

    def __missing__(self, typed: str) -> str:
        return Edition.read(self._now + typed if typed.startswith("+") else typed).text


MAIN_TERMS: Final = ("turn_seconds", "rounds", "edition", "absent")
"""The most important fields, in order, for places without room for all of them."""

TURN_LIMITS_S: Final = (0, 30, 60, 120, 300)
"""Turn limits to choose from in forms, in seconds; 0 means no limit."""


def table_settings(
    now: Settings | None = None, names: PlayerNames | None = None
) -> Iterator[Setting]:
    """Yield the row of each setting, in the current language, for a table with these settings."""
    now = now or Settings()
    yield _make_edition(now)
    yield _make_rounds(now)
    yield _make_seats(now)
    yield _make_youngest(now, names)
    yield _make_access(now)
    yield _make_absence(now)
    yield _make_stand_in(now)
    yield _make_turn_time(now)
    yield _make_hints(now)
    yield _make_chat(now)


def _make_edition(now: Settings) -> Setting:
    return Setting(
        field="edition",
        values=_Editions(now.edition),
        phrase=put_title(lower_first(_("Edition")), edition_name(now.edition)),
        word="edition",
        advice=type_line(alternatives([f"edition {name}" for name in (*EDITIONS, "+linked")])),
        flag="--edition",
    )


def _make_rounds(now: Settings) -> Setting:
    hint = _("Roles and mine are new in each round. Most gold after the last one wins.")
    text = ngettext("{count} round", "{count} rounds", now.rounds)
    return Setting(
        field="rounds",
        values=numbers("rounds"),
        phrase=text.format(count=now.rounds),
        word="rounds",
        label=_("Rounds"),
        choices=[SettingChoice(count, count, hint) for count in numbers("rounds")],
        flag="--rounds",
        purpose=_("Rounds to play, 1 to 3 (default: %(default)s)"),
    )


def _make_seats(now: Settings) -> Setting:
    hint = _("Latecomers get a seat too, up to 10. Empty seats are removed at the start.")
    text = ngettext("{count} seat", "{count} seats", now.seats)
    return Setting(
        field="seats",
        values=numbers("seats"),
        phrase=text.format(count=now.seats),
        word="seats",
        label=_("Seats"),
        choices=[SettingChoice(count, count, hint) for count in numbers("seats")],
        flag="--players",
        purpose=_("How many seats at first, 3 to 10 (default: 5, or as many as the bots need)"),
    )


def _make_youngest(now: Settings, names: PlayerNames | None) -> Setting:
    phrase = _("the first player is drawn at random")
    if names is not None and 0 <= now.youngest < len(names.names):  # S8
        phrase = names.say(now.youngest, _("you go first"), _("{name} goes first"))
    return Setting(
        field="youngest",
        values={str(seat + 1): seat for seat in range(NOBODY, now.seats)},
        phrase=phrase,
        word="youngest",
    )


def _make_access(now: Settings) -> Setting:
    code = _("Two words to tell your friends. Without them, nobody gets in or listens in.")
    anybody = anybody_joins()
    # Translators: whether one needs a code to come in: Access.
    label = _("Access")
    choices = (
        SettingChoice("code", _("room code"), code),
        # Translators: the door of a table: no code is asked.
        SettingChoice("open", pgettext("door", "open"), anybody),
    )
    return Setting(
        field="is_open",
        values={"code": False, "open": True},
        phrase=_name_choice(label, choices[now.is_open]),
        label=label,
        choices=choices,
        flag="--open",
        purpose=anybody.removesuffix("."),
        means="open",
        matters_alone=False,
    )


def _make_absence(now: Settings) -> Setting:
    bot = _("The game goes on. They play for themselves again as soon as they are back.")
    wait = _("The game stops until they are back, unless the host lets a bot move.")
    label = _("On disconnect")
    choices = (
        SettingChoice("bot", absence_words(Absence.BOT), bot),
        SettingChoice("wait", absence_words(Absence.WAIT), wait),
    )
    return Setting(
        field="absent",
        values={"bot": Absence.BOT, "wait": Absence.WAIT},
        phrase=_name_choice(label, choices[now.absent is Absence.WAIT]),
        word="absent",
        label=label,
        choices=choices,
        flag="--absent",
        purpose=_(
            "When a player loses connection: a bot plays for them, or everybody waits "
            "(default: %(default)s)"
        ),
        matters_alone=False,
    )


def _make_stand_in(now: Settings) -> Setting:
    levels = level_choices(now.stand_in)
    # Translators: how good the bots are that play for who is gone: easy, medium or hard.
    label = _("Stand-in bots")
    return Setting(
        field="stand_in",
        values={level.typed: level.typed for level in levels},
        phrase=_name_choice(label, next(level for level in levels if level.typed == now.stand_in)),
        label=label,
        choices=levels,
        flag="--level",
        matters_alone=False,
    )


def _make_turn_time(now: Settings) -> Setting:
    seconds = now.turn_seconds
    label = _("Turn time")
    return Setting(
        field="turn_seconds",
        values=numbers("turn_seconds"),
        phrase=_name_choice(label, _turn_choice(seconds)),
        word="turn",
        label=label,
        choices=[_turn_choice(at) for at in sorted({*TURN_LIMITS_S, seconds})],
        flag="--turn",
        purpose=_(
            "Seconds per turn before a bot makes the move, 0 for no limit (default: %(default)s)"
        ),
    )


def _make_hints(now: Settings) -> Setting:
    allowed = _("On your turn, you can ask for a suggested move and the reason.")
    label, none = _("Hints"), _("No hints at this table")
    choices = (
        SettingChoice("yes", on_words(), allowed),
        SettingChoice("no", off_words(), f"{none}."),
    )
    return Setting(
        field="hints",
        values={"yes": True, "no": False},
        phrase=_name_choice(label, choices[not now.hints]),
        word="hints",
        label=label,
        choices=choices,
        flag="--no-hints",
        purpose=none,
        means="no",
    )


def _make_chat(now: Settings) -> Setting:
    values = {"claims": ChatRule.CLAIMS, "wait": ChatRule.WATCHERS_WAIT, "all": ChatRule.ALL}
    # Translators: who may write to all at a table.
    rules = {
        ChatRule.CLAIMS: _("quick claims only"),
        ChatRule.WATCHERS_WAIT: _("watchers wait for the round's end"),
        ChatRule.ALL: _("watchers chat at any time"),
    }
    claims = _("Nobody types. Players say what they know by the claims of a menu.")
    typing = _("Players type at any time.")
    return Setting(
        field="chat",
        values=values,
        phrase=rules[now.chat],
        word="chat",
        label=_("Chat"),
        choices=[
            SettingChoice(word, rules[rule], claims if rule is ChatRule.CLAIMS else typing)
            for word, rule in values.items()
        ],
        flag="--chat",
        purpose=_("Who may chat, and when watchers may (default: %(default)s)"),
        matters_alone=False,
    )


def absence_words(absent: Absence) -> str:
    """Describe how an absent player's turns are handled."""
    bot, wait = _("a bot plays for them"), _("everybody waits for them")
    return bot if absent is Absence.BOT else wait


def _turn_choice(seconds: int) -> SettingChoice:
    if not seconds:
        hint = _("Take your time. The others can knock on the table.")
        return SettingChoice("0", _("no limit"), hint)
    hint = _("If you take longer, a bot makes that move for you.")
    shown = ngettext("{count} second", "{count} seconds", seconds).format(count=seconds)
    return SettingChoice(str(seconds), shown, hint)


def _name_choice(label: str, choice: SettingChoice) -> str:
    """Return the phrase for a choice: its label, within a sentence, and how it is shown."""
    return put_title(lower_first(label), choice.shown)


def level_choices(now: str) -> list[SettingChoice]:
    """Return our levels of bots, those installed here, and the present one if it is unknown."""
    texts = {
        **dict.fromkeys(installed_bots(), _("A third-party bot, not one of Sabtui's own.")),
        "easy": _("They play whatever looks best right now."),
        "medium": _("They watch who digs where, and grow suspicious."),
        "hard": _("They think ahead, and hide their role."),
    }
    known = dict.fromkeys((*offered_bots(), now))
    return [SettingChoice(level, level_name(level), texts.get(level, "")) for level in known]


def setting_of(field: str, now: Settings | None = None) -> Setting:
    return next(setting for setting in table_settings(now) if setting.field == field)


def describe_settings(
    settings: Settings, names: PlayerNames, fields: Sequence[str] = Settings.__struct_fields__
) -> tuple[str, ...]:
    """Describe some settings, in the order of these fields: all by default."""
    phrases = {setting.field: setting.phrase for setting in table_settings(settings, names)}
    return tuple(phrases[field] for field in fields)


def describe_terms(
    settings: Settings, names: PlayerNames, *, alone: bool = False
) -> tuple[str, ...]:
    """Return the terms of a table as phrases; `alone` with bots, only those that matter there."""
    shown = {
        setting.field for setting in table_settings(settings) if setting.matters_alone or not alone
    }
    fields = [field for field in Settings.__struct_fields__ if field in shown]
    return describe_settings(settings, names, fields)


def describe_changes(before: Settings, now: Settings, names: PlayerNames) -> tuple[str, ...]:
    old, new = describe_settings(before, names), describe_settings(now, names)
    return tuple(term for was, term in zip(old, new, strict=True) if was != term)
