"""What can be typed: the one list that reading a line and `?` share.

Knows spellings and what they are for. What is no command here is a number, a card or a move, which
`engine.notation` reads.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, assert_never

from sabtui.words.tongue import _


class Command(Enum):
    """A command, by its long and its short spelling."""

    HELP = "help", "?"
    HAND = "hand", "h"
    MINE = "mine", "m"
    DRAW = "draw", "d"
    WHO = "who", "w"
    ROLE = "role", "r"
    LOG = "log", "l"
    PILE = "pile", "p"
    MORE = "more", "+"
    BACK = "back", "b"
    DISCARD = "x", "x"
    AGAIN = "again", "a"
    SAVE = "save", "s"
    QUIT = "quit", "q"

    def __init__(self, long: str, short: str) -> None:
        self.long: Final = long
        self.short: Final = short


@dataclass(frozen=True, slots=True)
class Asked:
    """A command, and the rest of its line."""

    command: Command
    rest: str


_SPELLINGS: Final = {
    spelling: command for command in Command for spelling in (command.long, command.short)
} | {"exit": Command.QUIT, "bye": Command.QUIT, "discard": Command.DISCARD}


def asked(line: str) -> Asked | None:
    """The command that a line is, `None` where it is none. Capitals do not matter."""
    word, _space, rest = line.partition(" ")
    command = _SPELLINGS.get(word.lower())
    if word in ("M", "R"):
        return None  # Cards: the map, the rockfall.
    if command is None and word[:1] in "xX" and word[1:].isdecimal() and not rest:
        return Asked(Command.DISCARD, word[1:])
    return None if command is None else Asked(command, rest.strip())


def help_lines(*, over: bool) -> list[str]:
    """What can be typed now, on one short screen."""
    return [
        _("On your turn type a card's number, then a place's. Or a move: ? moves tells how."),
        *(
            f"{_spelt(command):<9} {purpose(command)}"
            for command in Command
            if over or command not in _WHEN_OVER
        ),
    ]


def move_lines() -> list[str]:
    """How moves are spelt."""
    return [
        _("2 1 is card 2 at place 1; 2 alone lists its places; x2 discards it."),
        _("NES@3n1 lays a card open to north, east, south; nes is a dead end."),
        _("A cell is so many east of the start, then north or south: 3n1, 8s2, 4."),
        _("-L>2 breaks the lantern of seat 2; +L>2 repairs it, +LC>2:L by a double card."),
        _("R@3n1 is a rockfall, M@8n2 a map, xNES a discard, $2 keeps two nuggets."),
        _("P is pick, L lantern, C cart."),
    ]


_WHEN_OVER: Final = Command.AGAIN, Command.SAVE


def _spelt(command: Command) -> str:
    """How a command is typed, short and long."""
    spelt = [command.short] if command.long == command.short else [command.short, command.long]
    return ", ".join(spelt)


def purpose(command: Command) -> str:
    """What a command is for."""
    match command:
        case Command.HELP:
            return _("this help; ? moves, ? signs")
        case Command.HAND:
            return _("your cards; Enter tells where you are")
        case Command.MINE:
            return _("the mine in words; m 3n1: around that cell")
        case Command.DRAW:
            return _("the mine drawn; d big, d small")
        case Command.WHO:
            return _("players: tools, cards, gold, whose turn")
        case Command.ROLE:
            return _("what you are, your gold, rounds won")
        case Command.LOG:
            return _("what happened last; l 40: so many lines")
        case Command.PILE:
            return _("cards to draw, cards discarded")
        case Command.MORE:
            return _("the rest of a long list")
        case Command.BACK:
            return _("back to your cards")
        case Command.DISCARD:
            return _("x3: pass, and discard your card 3")
        case Command.AGAIN:
            return _("a new game")
        case Command.SAVE:
            return _("save FILE: keep the record")
        case Command.QUIT:
            return _("leave; it asks first")
        case _:
            assert_never(command)


def sign_lines() -> list[str]:
    """What the signs of the drawing mean."""
    return [
        _("S start, $ treasure, o stone, [?] goal face down; [$] and [o]: only you know."),
        _("Large: lines joined are a tunnel, arms around an x a dead end, dots are cut off."),
        _("Small: the middle tells north and south: + both, ' north, . south, - none;"),
        _("in a dead end X both, ^ north, v south, x none. ~ is cut off."),
        _("Numbers are the places of the card you chose."),
    ]
