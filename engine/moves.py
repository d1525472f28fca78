"""Moves as values (RULES T, P, A, D), how they are spelt, and why one may be illegal.

A move says what is done; the seat whose turn it is does it. `str` spells a move, and `parse_move`
reads it: `NES@3n1`, `-L>2`, `+LC>2:C`, `R@3n1`, `M@8n2`, `xNES`, `$2`.

`Reason` is a closed union of small values with the facts that an interface needs to put it into
words. Most cite the rule that forbids the move. `str` gives a reason in English, for developers.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final, get_args

from engine.actions import (
    PLAY_OF_CARD,
    ActionPlay,
    ActionReason,
    OnSeat,
    Spelt,
    TargetPlace,
    check_cell,
    check_field,
)
from engine.board import Cell
from engine.cards import CARD_OF_PATH, SIDE_NAMES, Card, Path, Tool
from engine.tokens import Span, format_cell, format_seat, read_card, read_cell, read_path


@dataclass(frozen=True, slots=True, repr=False)
class Lay(Spelt):
    """Lay a path card into an empty cell, the way it is to lie (P)."""

    path: Path
    cell: Cell

    def __post_init__(self) -> None:
        check_field(self, self.path, Path)
        check_cell(self, self.cell)

    @property
    def card(self) -> Card:
        """The card that leaves the hand."""
        return CARD_OF_PATH[self.path.index]

    @property
    def place(self) -> Cell:
        """The cell that the card is laid on."""
        return self.cell

    def __str__(self) -> str:
        return f"{self.path}@{format_cell(self.cell)}"


@dataclass(frozen=True, slots=True, repr=False)
class Discard(Spelt):
    """Pass, and discard this card face down (T1)."""

    card: Card

    def __post_init__(self) -> None:
        check_field(self, self.card, Card)

    def __str__(self) -> str:
        return f"x{self.card}"


@dataclass(frozen=True, slots=True, repr=False)
class KeepGold(Spelt):
    """Keep a gold card with this number of nuggets (D1)."""

    nuggets: int

    def __post_init__(self) -> None:
        check_field(self, self.nuggets, int)

    def __str__(self) -> str:
        return f"${self.nuggets}"


PlacedPlay = Lay | ActionPlay  # a card played on a place
Play = PlacedPlay | Discard  # a move that takes a turn (T1)
Move = Play | KeepGold

PLAY_TYPES: Final = frozenset(get_args(Play))
MOVE_TYPES: Final = PLAY_TYPES | {KeepGold}


def check_move(move: Move, kinds: AbstractSet[type] = MOVE_TYPES) -> None:
    """Raise `TypeError` unless this is a move of one of these kinds; text, for example, is not."""
    if type(move) not in kinds:
        if type(move) in MOVE_TYPES:
            raise TypeError(f"{move} takes no turn")
        raise TypeError(f"{move!r} is no move; use `game.read` to read one from text")


def plays_at(card: Card, place: TargetPlace) -> tuple[PlacedPlay, ...]:
    """Return all plays of a card at a place, legal or not; none if it is never played there."""
    if not card.ways:
        return PLAY_OF_CARD[card].plays_at(card, place)
    return () if isinstance(place, int) else tuple(Lay(path, place) for path in card.ways)


# Not `int`, which also reads " 1", "+1" and the digits of other scripts.
_NUGGETS: Final = re.compile(r"[123]")


def parse_move(text: str) -> Move:
    """Read a move. Raises `NotationError`."""
    span = Span.whole(text)
    match span.text[:1]:
        case "":
            raise span.error("expected a move here")
        case "x":
            return Discard(read_card(span.cut(1)))
        case "$":
            return KeepGold(read_nuggets(span.cut(1)))
        case sign:
            return _read_on_seat(span) if sign in _ON_SEATS else _read_on_cell(span)


def read_nuggets(span: Span) -> int:
    """Read a gold card: 1, 2 or 3 nuggets (S5). Raises `NotationError`."""
    if _NUGGETS.fullmatch(span.text) is None:
        raise span.error("a gold card has 1, 2 or 3 nuggets")
    return int(span.text)


def _read_on_seat(span: Span) -> Play:
    """Read an action card that is played on a seat (A1 to A3)."""
    head, place = span.partition(">")
    card = read_card(head)
    if place is None:
        raise span.error("missing: the seat it is played on, as in {card}>2", card=card.text)
    return PLAY_OF_CARD[card].read(card, span, place)


def _read_on_cell(span: Span) -> Play:
    """Read a card that is played on a cell (P, A4, A5)."""
    head, place = span.partition("@")
    if place is None:
        raise span.error("no move is written like this; a card is laid as in NES@3n1")
    for card, play in PLAY_OF_CARD.items():
        if head.text == card.text:
            return play.read(card, span, place)
    return Lay(read_path(head), read_cell(place))


_ON_SEATS: Final = {card.text[0] for card, play in PLAY_OF_CARD.items() if issubclass(play, OnSeat)}
"""The first characters of the cards that are played on a seat."""


@dataclass(frozen=True, slots=True)
class OnlyWatching:
    """A watcher has no seat to play from."""

    def __str__(self) -> str:
        return "a watcher has no seat to play from"


@dataclass(frozen=True, slots=True)
class DealAwaited:
    """No round is being played: the next one is still to be dealt (N1)."""

    def __str__(self) -> str:
        return "the next round is still to be dealt"


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game has ended (F1)."""

    def __str__(self) -> str:
        return "the game is over"


@dataclass(frozen=True, slots=True)
class NotYourTurn:
    """It is the turn of `seat` (S8)."""

    seat: int

    def __str__(self) -> str:
        return f"it is the turn of seat {format_seat(self.seat)}"


@dataclass(frozen=True, slots=True)
class GoldBeingShared:
    """The miners are sharing gold, and `seat` is to choose (D1)."""

    seat: int

    def __str__(self) -> str:
        return f"gold is being shared, and seat {format_seat(self.seat)} is to choose"


@dataclass(frozen=True, slots=True)
class NotOnOffer:
    """No gold card with this number of nuggets is on offer (D4)."""

    nuggets: int

    def __str__(self) -> str:
        return f"no gold card of {self.nuggets} is on offer"


@dataclass(frozen=True, slots=True)
class NotInHand:
    """The hand does not hold this card (T1)."""

    card: Card

    def __str__(self) -> str:
        return f"{self.card} is not in the hand"


@dataclass(frozen=True, slots=True)
class ToolsBroken:
    """A player with a broken tool may not lay a path card (P4)."""

    tools: tuple[Tool, ...]

    def __str__(self) -> str:
        return f"broken tools ({', '.join(self.tools)}) forbid laying path cards"


@dataclass(frozen=True, slots=True)
class CellTaken:
    """A card, which may be a goal, lies on that cell already (P1)."""

    cell: Cell

    def __str__(self) -> str:
        return f"a card lies on {format_cell(self.cell)} already"


@dataclass(frozen=True, slots=True)
class SideClashes:
    """The edge on one side differs from the neighbour's edge (P2).

    `side` is N, E, S or W as an int. If `open`, the card is open there and its neighbour closed;
    otherwise the other way round.
    """

    side: int
    open: bool

    def __str__(self) -> str:
        mine, its = ("open", "closed") if self.open else ("closed", "open")
        return f"side {SIDE_NAMES[self.side]} is {mine}, and the neighbour's edge there is {its}"


@dataclass(frozen=True, slots=True)
class TouchesNothing:
    """No face-up path card lies beside that cell (P3)."""

    cell: Cell

    def __str__(self) -> str:
        return f"no face-up path card lies beside {format_cell(self.cell)}"


@dataclass(frozen=True, slots=True)
class NotLinked:
    """No card that the start reaches opens onto that cell (P3)."""

    cell: Cell

    def __str__(self) -> str:
        return f"no tunnel from the start opens onto {format_cell(self.cell)}"


Reason = (
    OnlyWatching
    | DealAwaited
    | GameOver
    | NotYourTurn
    | GoldBeingShared
    | NotOnOffer
    | NotInHand
    | ToolsBroken
    | CellTaken
    | SideClashes
    | TouchesNothing
    | NotLinked
    | ActionReason
)


class IllegalMove(ValueError):
    """A move that is illegal now, and the `reason`. Nothing has changed."""

    def __init__(self, move: Move, reason: Reason) -> None:
        super().__init__(move, reason)
        self.move = move
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.move} is illegal: {self.reason}"
