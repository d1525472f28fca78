"""Events of a game, each addressed to everybody or to the one seat that may know it (RULES K).

A secret is an event of its own beside the public one: `Drew` tells everybody that a seat drew,
`Dealt` tells that seat which card. No event is ever redacted to suit its reader. Each kind of event
belongs to `Public` or to `Private`, which decides who may know it.

A move becomes its public event only in `public_event`, and the event's `move` is the inverse.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeVar, get_args, overload

from engine.actions import ActionEvent, Looked, TurnEvent
from engine.board import Board, Cell
from engine.cards import Card, Goal, Path, Role
from engine.moves import Discard, KeepGold, Lay, Move, Play

# Private events: only the seat `to` may know them.


@dataclass(frozen=True, slots=True)
class DwarfDealt:
    """A seat's dwarf card (S2)."""

    to: int
    role: Role


@dataclass(frozen=True, slots=True)
class HandDealt:
    """A seat's first hand of a round (S7)."""

    to: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Dealt:
    """The card that a seat drew (T2)."""

    to: int
    card: Card


@dataclass(frozen=True, slots=True)
class DiscardedCard:
    """The card that a seat discarded face down (T1)."""

    to: int
    card: Card


@dataclass(frozen=True, slots=True)
class GoalPeeked:
    """The goal that a seat saw with its map (A5)."""

    to: int
    cell: Cell
    goal: Goal


@dataclass(frozen=True, slots=True)
class GoldShown:
    """The gold cards offered to a seat, in nuggets from most to least (D4)."""

    to: int
    nuggets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GoldReceived:
    """The gold cards that a seat took or was paid, in nuggets from most to least (D1, D5)."""

    to: int
    nuggets: tuple[int, ...]


Private = DwarfDealt | HandDealt | Dealt | DiscardedCard | GoalPeeked | GoldShown | GoldReceived

# Public events.


@dataclass(frozen=True, slots=True)
class RoundBegan:
    """A round was dealt (S7).

    `number` counts from 1, `starter` is the seat that begins, `hands` are the numbers of cards by
    seat, and `pile` is the number of cards in the draw pile.
    """

    number: int
    starter: int
    hands: tuple[int, ...]
    pile: int


@dataclass(frozen=True, slots=True)
class Laid(TurnEvent):
    """A path card was laid (P)."""

    path: Path
    cell: Cell

    @property
    def move(self) -> Lay:
        """The move that this event shows."""
        return Lay(self.path, self.cell)


@dataclass(frozen=True, slots=True)
class Revealed:
    """A goal was turned face up, and lies as `path` (G1, G3)."""

    cell: Cell
    path: Path


@dataclass(frozen=True, slots=True)
class Passed(TurnEvent):
    """A card was discarded face down (T1)."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A seat without cards passed without discarding; the table does this for it (T4)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Drew:
    """A card was drawn (T2)."""

    seat: int


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """The turn of a seat began (S8, T2)."""

    seat: int


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """A side won, and every dwarf and goal was turned up (R1 to R4).

    `roles` are by seat, `spare` is the dwarf left over, `goals` go from north to south.
    """

    winner: Role
    roles: tuple[Role, ...]
    spare: Role
    goals: tuple[Goal, Goal, Goal]


@dataclass(frozen=True, slots=True)
class GoldDrawn:
    """A number of gold cards was drawn for the miners, unseen (D1, D2)."""

    cards: int


@dataclass(frozen=True, slots=True)
class ChoiceBegan:
    """A seat is to keep one of the gold cards left (D1)."""

    seat: int


@dataclass(frozen=True, slots=True)
class GoldTaken:
    """A seat took one gold card, which the others do not see (D7)."""

    seat: int


@dataclass(frozen=True, slots=True)
class SaboteursPaid:
    """The saboteurs were paid (D5).

    `due` is the number of nuggets owed to each; `cards` and `chits` are counts by seat (D8).
    """

    due: int
    cards: tuple[int, ...]
    chits: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameEnded:
    """All gold was shown (F1): the cards of each seat, in nuggets from most to least."""

    gold: tuple[tuple[int, ...], ...]


FaceUpPlay = Laid | ActionEvent
"""The events of plays that everybody sees whole, so that the move follows from the event."""

PlayedTurn = FaceUpPlay | Passed
"""The events of a seat's turn: it plays a card, or discards one (T1)."""

Played = PlayedTurn | GoldTaken
"""The events that show everybody a move; not which card was discarded, nor which gold was kept."""

PartlySecret = Passed | Looked | GoldTaken
"""The events of moves about which a private event tells the seat more than everybody knows."""

Public = (
    Played
    | RoundBegan
    | Revealed
    | Skipped
    | Drew
    | TurnBegan
    | RoundEnded
    | GoldDrawn
    | ChoiceBegan
    | SaboteursPaid
    | GameEnded
)
Event = Public | Private

_PUBLIC_TYPES: Final = frozenset(get_args(Public))
"""Looked up instead of a `match`, as each view filters hundreds of events."""

GoldEvent = GoldShown | GoldReceived | GoldDrawn | ChoiceBegan | GoldTaken | SaboteursPaid
"""The events about gold, which a game keeps in its ledger from round to round."""


def addressee(event: Event) -> int | None:
    """Return the only seat to know an event, `None` for all (RULES K). Raises `TypeError`."""
    if type(event) in _PUBLIC_TYPES:
        return None
    if not isinstance(event, Private):
        raise TypeError(f"{event!r} is no event")
    return event.to


def event_dict(event: Event) -> dict[str, object]:
    """Return an event as plain values: its kind as `event`, and its fields by their names.

    A cell is the list `[x, y]`, and other tuples are lists too. Cards, paths, tools, dwarves and
    goals are spelt as in the notation. Seats are counted from 0.
    """
    fields = {name: _simplify(getattr(event, name)) for name in event.__dataclass_fields__}
    return {"event": type(event).__name__, **fields}


def _simplify(value: object) -> object:
    """Return a value of an event as JSON has it."""
    if isinstance(value, tuple):
        return [_simplify(item) for item in value]
    return value if type(value) is int else str(value)


EventT = TypeVar("EventT", bound=Event)


def visible_to(events: Iterable[EventT], seat: int | None) -> tuple[EventT, ...]:
    """Return the events that a seat may know; for `None`, a watcher, the public ones."""
    return tuple(
        [
            event
            for event in events
            if type(event) in _PUBLIC_TYPES or addressee(event) in (None, seat)
        ]
    )


_passed = lru_cache(maxsize=1 << 4)(Passed)  # one shared object for each seat


@overload
def public_event(seat: int, move: Play, board: Board) -> PlayedTurn: ...
@overload
def public_event(seat: int, move: KeepGold, board: Board) -> GoldTaken: ...
def public_event(seat: int, move: Move, board: Board) -> Played:
    """Return the event that shows everybody a seat's move, made on this board (RULES K)."""
    # Not `match`: its class patterns take twice as long.
    if isinstance(move, Discard):
        return _passed(seat)
    if isinstance(move, Lay):
        return Laid(seat, move.path, move.cell)
    if isinstance(move, KeepGold):
        return GoldTaken(seat)
    return move.make_event(seat, board)
