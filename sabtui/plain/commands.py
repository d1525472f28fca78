"""The commands of plain-text mode, their parser, and the help that lists them.

Any other line is a number, a card or a move, which `sabtui.plain.parser` reads.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique
from typing import Final, TypeAlias

from sabtui.table.deed import Argument, Deed, is_host
from sabtui.table.deeds import DEEDS, refuse_twins
from sabtui.text.audit import words_purpose
from sabtui.text.i18n import _
from sabtui.text.seats import autopilot_purpose
from sabtui.text.settings import table_settings
from sabtui.text.summary import cells_sentence


class Spelling(Enum):
    """A command, by its long and its short spelling."""

    def __init__(self, long: str, short: str = "") -> None:
        self.long: Final = long
        self.short: Final = short or long

    @property
    def words(self) -> tuple[str, ...]:
        """The spellings, the short one first."""
        return tuple(dict.fromkeys((self.short, self.long)))


@unique
class InGame(Spelling):
    """Commands that need a game: showing it, hints, discarding."""

    HAND = "hand", "h"
    MINE = "mine", "m"
    DRAW = "draw", "d"
    ROLE = "role", "r"
    LOG = "log", "l"
    SINCE = "since"
    CLAIMS = "claims"
    UNSEEN = "unseen"
    PILE = "pile", "p"
    MORE = "more", "+"
    BACK = "back", "b"
    HINT = "hint", "i"
    DISCARD = "x", "x"


@unique
class AtTable(Spelling):
    """Commands of anybody at a table, in a game or not, besides the deeds."""

    HELP = "help", "?"
    WHO = "who", "w"
    TALK = "talk", "t"
    CLAIM = "claim", "c"
    TABLE = "table"
    RULES = "rules"
    WORDS = "words"
    AUTO = "auto"
    SAVE = "save", "s"
    REPLAY = "replay"
    QUIT = "quit", "q"


@unique
class AsHost(Spelling):
    """Commands of the host only that lines have for themselves: who has which seat."""

    BOT = "bot"
    BOTS = "bots"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class SetTo:
    """Command of the host that changes a setting, by the setting's word."""

    long: str


PlainCommand: TypeAlias = InGame | AtTable | AsHost | SetTo | Deed


@dataclass(frozen=True, slots=True)
class ParsedCommand:
    """A command, the word it was given by, and the rest of its line."""

    command: PlainCommand
    word: str
    rest: str


def _spellings() -> dict[str, PlainCommand]:
    """Return the commands by spelling. Raises `ValueError` if two share one."""
    own: tuple[InGame | AtTable | AsHost, ...] = (*InGame, *AtTable, *AsHost)
    found: list[tuple[str, PlainCommand]] = [(word, one) for one in own for word in one.words]
    found += [(word, deed) for deed in DEEDS for word in deed.typed]
    found += [(one.word, SetTo(one.word)) for one in table_settings() if one.word]
    # Synonyms that help does not list.
    found += [("exit", AtTable.QUIT), ("bye", AtTable.QUIT), ("say", AtTable.TALK)]
    found += [("discard", InGame.DISCARD)]
    refuse_twins([word for word, _command in found])
    return dict(found)


_SPELLINGS: Final = _spellings()

_WITH_NUMBER: Final[dict[str, PlainCommand]] = {"x": InGame.DISCARD, "c": AtTable.CLAIM}
"""Commands by letter that a number may follow without a space, as in `x3`."""


def parse_command(line: str) -> ParsedCommand | None:
    """Parse a line as a command; return `None` if it is none.

    Case is ignored, except that the words M and R are cards, not commands.
    """
    word, _space, rest = line.partition(" ")
    command = _SPELLINGS.get(word.lower())
    if line[:1] == '"':
        return ParsedCommand(AtTable.TALK, word, line.strip('" '))
    if word in ("M", "R"):
        return None  # The cards map and rockfall.
    if command is None and word[1:].isdecimal() and not rest:
        command, rest = _WITH_NUMBER.get(word[0].lower()), word[1:]
    return None if command is None else ParsedCommand(command, word.lower(), rest.strip())


def game_help() -> list[str]:
    """Return the help on commands in a game, short enough for one screen."""
    return [
        _("Type a card and a place by number, or a move (see ? moves)."),
        *_rows(
            (AtTable.HELP, _("? game, ? moves, ? signs, ? table")),
            (InGame.HAND, _("your cards; Enter: what to do now")),
            (InGame.MINE, _("the mine in words; m 3n1: around that cell")),
            (InGame.DRAW, _("the mine as a drawing; d big, d small")),
            (AtTable.WHO, _("players, tools, turn; w NAME: what they did")),
            (InGame.ROLE, _("your role, your gold, rounds won")),
            (InGame.LOG, _("the log; l 40: 40 lines; since: your last turn")),
            (InGame.CLAIMS, _("who said what about goals and players")),
            (InGame.PILE, _("draw pile, discards; unseen: cards not seen")),
            (InGame.MORE, _("the rest of a long list; b, back: your cards")),
            (InGame.HINT, _("suggested moves, and why")),
            (InGame.DISCARD, _("x3: pass, and discard your card 3")),
            (AtTable.TALK, _("t TEXT: tell everybody; t: show the talk")),
            (AtTable.CLAIM, _("quick claims; c 3: make claim 3")),
            (AtTable.RULES, _("the rules by page, such as rules gold")),
            (AtTable.QUIT, _("leave for now, and come back later")),
        ),
    ]


def table_help(*, is_host: bool) -> list[str]:
    """Return the help on commands at a table, in a game or not, short enough for one screen."""
    rows = _rows(
        (AtTable.HELP, _("? game, ? moves, ? signs, ? table")),
        *_deed_rows(is_hosts=False),
        (AtTable.TALK, _("t TEXT: tell everybody; t: show the talk")),
        (AtTable.CLAIM, _("quick claims; c 3: make claim 3")),
        (AtTable.WHO, _("players, tools, turn; w NAME: what they did")),
        (AtTable.TABLE, _("who sits where, and the table's settings")),
        (AtTable.RULES, _("the rules by page, such as rules gold")),
        (AtTable.WORDS, words_purpose()),
        (AtTable.AUTO, autopilot_purpose()),
        (AtTable.SAVE, _("save FILE: save the record of a game")),
        (AtTable.REPLAY, _("watch a finished game again")),
        (AtTable.QUIT, _("leave for now, and come back later")),
    )
    return [*rows, _("? host lists what only you can do.")] if is_host else rows


def host_help() -> list[str]:
    """Return the help on commands of the host, short enough for one screen."""
    rows = _rows(
        *_deed_rows(is_hosts=True),
        (AsHost.BOT, _("bot NAME LEVEL: add a bot; bots 2: add two")),
        (AsHost.EMPTY, _("empty 3: free seat 3")),
    )
    return [*rows, _("? settings lists how to change the table's settings.")]


def settings_help() -> list[str]:
    """Return the help on the table's settings, which the host may change."""
    return _rows(*((one.word, one.usage) for one in table_settings() if one.usage))


def move_lines() -> list[str]:
    """Return the help on how moves are written."""
    return [
        _("2 1 plays card 2 at place 1; 2 alone lists its places; x2 discards it."),
        _("NES@3n1 lays a card open to north, east and south; nes is a dead end."),
        cells_sentence(),
        _("-L>2 breaks seat 2's lantern; +L>2 repairs it, +LC>2:L with a double card."),
        _("R@3n1 is a rockfall, M@8n2 a map, xNES a discard; $2 keeps two nuggets."),
        _("P is the pick, L the lantern, C the cart."),
    ]


def sign_lines() -> list[str]:
    """Return the help on the signs in the drawing of the mine."""
    return [
        _("S start, $ treasure, o stone, [?] face-down goal; [$] and [o]: only you know."),
        _("Large: joined lines: tunnels; arms around an x: dead ends; dots: cut off."),
        _("Small: the middle shows north and south: + both, ' north, . south, - neither;"),
        _("in a dead end X both, ^ north, v south, x neither. ~ is cut off."),
        _("Numbers are the places of the card you chose."),
    ]


def _rows(*rows: tuple[Spelling | str, str]) -> list[str]:
    """Return commands and their purposes, a line each, in two columns."""
    spelt = [", ".join(one.words) if isinstance(one, Spelling) else one for one, _purpose in rows]
    width = 1 + max(map(len, spelt))
    return [f"{one:<{width}} {row[1]}" for one, row in zip(spelt, rows, strict=True)]


def _deed_rows(*, is_hosts: bool) -> list[tuple[str, str]]:
    """Return the words of the host's deeds or of all others, with what follows, and purposes."""
    name = _("NAME")
    follows = {
        Argument.NOTHING: "",
        Argument.SEAT: " 2",
        Argument.PERSON: f" {name}",
        Argument.SEAT_AND_PERSON: f" 2 {name}",
    }
    deeds = [
        deed
        for deed in DEEDS
        if deed.typed and deed.is_listed and (deed.concerns is is_host) is is_hosts
    ]
    return [(", ".join(deed.typed) + follows[deed.takes], deed.purpose()) for deed in deeds]
