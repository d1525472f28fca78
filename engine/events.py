"""What happens at a table, each fact addressed from birth to those who may know it (RULES K).

A secret fact is an event of its own beside the public one: `Drew` tells everybody that a seat
drew, `Dealt` tells that seat what. Nothing is ever taken out of an event to make it fit for
somebody. Whoever adds a kind of event and addresses it to nobody fails the type check.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeVar, assert_never, get_args

from engine.board import Cell
from engine.cards import Card, Goal, Path, Role, Tool

# What a seat alone is told.


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
    """What a seat's map showed it (A5)."""

    to: int
    cell: Cell
    goal: Goal


@dataclass(frozen=True, slots=True)
class GoldShown:
    """The gold cards, in nuggets from most to least, that a seat may choose from (D4)."""

    to: int
    nuggets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GoldReceived:
    """The gold cards, in nuggets from most to least, that a seat took or was paid (D1, D5)."""

    to: int
    nuggets: tuple[int, ...]


Private = DwarfDealt | HandDealt | Dealt | DiscardedCard | GoalPeeked | GoldShown | GoldReceived

# What everybody is told.


@dataclass(frozen=True, slots=True)
class RoundBegan:
    """A round is dealt: its number from 1, who begins, and how many cards are where (S7)."""

    number: int
    starter: int
    hands: tuple[int, ...]
    pile: int


@dataclass(frozen=True, slots=True)
class Laid:
    """A path card was laid (P)."""

    seat: int
    path: Path
    cell: Cell


@dataclass(frozen=True, slots=True)
class Revealed:
    """A goal was turned up, and lies as `path` (G1, G3)."""

    cell: Cell
    path: Path


@dataclass(frozen=True, slots=True)
class Broke:
    """A tool was broken (A1)."""

    seat: int
    tool: Tool
    target: int


@dataclass(frozen=True, slots=True)
class Repaired:
    """A tool was repaired (A2, A3)."""

    seat: int
    card: Card
    target: int
    tool: Tool


@dataclass(frozen=True, slots=True)
class Collapsed:
    """A tunnel card, `path`, was taken off the table by a rockfall (A4)."""

    seat: int
    cell: Cell
    path: Path


@dataclass(frozen=True, slots=True)
class Looked:
    """A goal was looked at (A5)."""

    seat: int
    cell: Cell


@dataclass(frozen=True, slots=True)
class Passed:
    """A card was discarded face down (T1)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """A seat without cards passed without discarding; the table did it by itself (T4)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Drew:
    """A card was drawn (T2)."""

    seat: int


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """It is this seat's turn (S8, T2)."""

    seat: int


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """A side won, and every dwarf and goal is turned up (R1 to R4).

    `roles` are those of the seats, `spare` the dwarf left over, `goals` from north to south.
    """

    winner: Role
    roles: tuple[Role, ...]
    spare: Role
    goals: tuple[Goal, Goal, Goal]


@dataclass(frozen=True, slots=True)
class GoldDrawn:
    """So many gold cards were drawn for the miners, unseen (D1, D2)."""

    cards: int


@dataclass(frozen=True, slots=True)
class ChoiceBegan:
    """It is this seat's turn to keep one of the gold cards left (D1)."""

    seat: int


@dataclass(frozen=True, slots=True)
class GoldTaken:
    """A seat took one gold card (D7)."""

    seat: int


@dataclass(frozen=True, slots=True)
class SaboteursPaid:
    """The saboteurs were paid (D5): how much was due to each, and by seat cards and chits (D8)."""

    due: int
    cards: tuple[int, ...]
    chits: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameEnded:
    """All gold is shown (F1): the cards of each seat, in nuggets from most to least."""

    gold: tuple[tuple[int, ...], ...]


Public = (
    RoundBegan
    | Laid
    | Revealed
    | Broke
    | Repaired
    | Collapsed
    | Looked
    | Passed
    | Skipped
    | Drew
    | TurnBegan
    | RoundEnded
    | GoldDrawn
    | ChoiceBegan
    | GoldTaken
    | SaboteursPaid
    | GameEnded
)
Event = Public | Private

_HEARD_BY_ALL: Final = frozenset(get_args(Public))
"""Looked up, not matched: a round has hundreds of events, and each view goes through them all."""

GoldEvent = GoldShown | GoldReceived | GoldDrawn | ChoiceBegan | GoldTaken | SaboteursPaid
"""What the gold's story is told by, from round to round."""


def addressee(event: Event) -> int | None:
    """The seat that alone may hear an event, or `None` where everybody may (RULES K)."""
    match event:
        case (
            DwarfDealt()
            | HandDealt()
            | Dealt()
            | DiscardedCard()
            | GoalPeeked()
            | GoldShown()
            | GoldReceived()
        ):
            return event.to
        case (
            RoundBegan()
            | Laid()
            | Revealed()
            | Broke()
            | Repaired()
            | Collapsed()
            | Looked()
            | Passed()
            | Skipped()
            | Drew()
            | TurnBegan()
            | RoundEnded()
            | GoldDrawn()
            | ChoiceBegan()
            | GoldTaken()
            | SaboteursPaid()
            | GameEnded()
        ):
            return None
        case _:
            assert_never(event)


EventT = TypeVar("EventT", bound=Event)


def visible_to(seat: int | None, events: Iterable[EventT]) -> tuple[EventT, ...]:
    """Those of the events that a seat may hear; for `None`, a watcher, the public ones."""
    return tuple(
        [
            event
            for event in events
            if type(event) in _HEARD_BY_ALL or addressee(event) in (None, seat)
        ]
    )
