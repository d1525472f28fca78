"""Engine events on the wire: one class per kind of event, and a `match` in each direction.

The classes are named as in `engine.events`, which documents the events and who may see each. No
field that holds a secret changes its size with the secret (RULES K).
"""

from __future__ import annotations

from typing import Annotated, TypeAlias, assert_never

from msgspec import Meta

from engine import events
from engine.events import Event
from net.protocol.fields import (
    MAX_SEATS,
    CardCode,
    CardCodes,
    CellAt,
    Counts,
    GoalCode,
    Nuggets,
    PathCode,
    RoleCode,
    Roles,
    SeatNumber,
    Small,
    ToolCode,
    Wire,
    card_of,
    cards_code,
    cards_of,
    goal_code,
    goal_of,
    nuggets_of,
    path_of,
    role_code,
    role_of,
    roles_of,
    tool_code,
    tool_of,
)


class DwarfDealt(Wire, frozen=True, tag=1):
    """Secret: the dwarf card that a seat was dealt."""

    to: SeatNumber
    role: RoleCode


class HandDealt(Wire, frozen=True, tag=2):
    """Secret: the first hand of a seat in a round."""

    to: SeatNumber
    cards: CardCodes


class Dealt(Wire, frozen=True, tag=3):
    """Secret: the card that a seat drew."""

    to: SeatNumber
    card: CardCode


class DiscardedCard(Wire, frozen=True, tag=4):
    """Secret: the card that a seat discarded face down."""

    to: SeatNumber
    card: CardCode


class GoalPeeked(Wire, frozen=True, tag=5):
    """Secret: the goal that a seat saw with its map."""

    to: SeatNumber
    cell: CellAt
    goal: GoalCode


class GoldShown(Wire, frozen=True, tag=6):
    """Secret: the gold cards that a seat may choose from."""

    to: SeatNumber
    nuggets: Nuggets


class GoldReceived(Wire, frozen=True, tag=7):
    """Secret: the gold cards that a seat took or was paid."""

    to: SeatNumber
    nuggets: Nuggets


class RoundBegan(Wire, frozen=True, tag=8):
    """Public: a round was dealt; `hands` are the hand sizes by seat, `pile` the cards left."""

    number: Small
    starter: SeatNumber
    hands: Counts
    pile: Small


class Laid(Wire, frozen=True, tag=9):
    """Public: a path card was laid."""

    seat: SeatNumber
    path: PathCode
    cell: CellAt


class Revealed(Wire, frozen=True, tag=10):
    """Public: a goal was turned up and lies as `path`."""

    cell: CellAt
    path: PathCode


class Broke(Wire, frozen=True, tag=11):
    """Public: a tool was broken."""

    seat: SeatNumber
    tool: ToolCode
    target: SeatNumber


class Repaired(Wire, frozen=True, tag=12):
    """Public: a tool was repaired."""

    seat: SeatNumber
    card: CardCode
    target: SeatNumber
    tool: ToolCode


class Collapsed(Wire, frozen=True, tag=13):
    """Public: a rockfall took the tunnel card `path` off the board."""

    seat: SeatNumber
    cell: CellAt
    path: PathCode


class Looked(Wire, frozen=True, tag=14):
    """Public: a seat looked at a goal."""

    seat: SeatNumber
    cell: CellAt


class Passed(Wire, frozen=True, tag=15):
    """Public: a seat discarded a card face down."""

    seat: SeatNumber


class Skipped(Wire, frozen=True, tag=16):
    """Public: a seat without cards was skipped."""

    seat: SeatNumber


class Drew(Wire, frozen=True, tag=17):
    """Public: a seat drew a card."""

    seat: SeatNumber


class TurnBegan(Wire, frozen=True, tag=18):
    """Public: it is this seat's turn."""

    seat: SeatNumber


class RoundEnded(Wire, frozen=True, tag=19):
    """Public: the winning side, and all dwarves and goals; `spare` is the dwarf left over."""

    winner: RoleCode
    roles: Roles
    spare: RoleCode
    goals: tuple[GoalCode, GoalCode, GoalCode]


class GoldDrawn(Wire, frozen=True, tag=20):
    """Public: this number of gold cards was drawn for the miners."""

    cards: Small


class ChoiceBegan(Wire, frozen=True, tag=21):
    """Public: it is this seat's turn to choose a gold card."""

    seat: SeatNumber


class GoldTaken(Wire, frozen=True, tag=22):
    """Public: a seat took a gold card."""

    seat: SeatNumber


class SaboteursPaid(Wire, frozen=True, tag=23):
    """Public: nuggets `due` to each saboteur, and cards and chits paid, by seat."""

    due: Small
    cards: Counts
    chits: Counts


class GameEnded(Wire, frozen=True, tag=24):
    """Public: the gold cards of each seat, in nuggets."""

    gold: Annotated[tuple[Nuggets, ...], Meta(max_length=MAX_SEATS)]


PlayedWire: TypeAlias = Laid | Broke | Repaired | Collapsed | Looked | Passed | GoldTaken
"""The events that show a move to everybody."""

EventWire: TypeAlias = (
    DwarfDealt
    | HandDealt
    | Dealt
    | DiscardedCard
    | GoalPeeked
    | GoldShown
    | GoldReceived
    | RoundBegan
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


def write_event(event: Event) -> EventWire:  # noqa: C901 - a case for each kind of event
    """Return the wire value of an engine event."""
    match event:
        case events.DwarfDealt(to, role):
            return DwarfDealt(to, role_code(role))
        case events.HandDealt(to, cards):
            return HandDealt(to, cards_code(cards))
        case events.Dealt(to, card):
            return Dealt(to, card.index)
        case events.DiscardedCard(to, card):
            return DiscardedCard(to, card.index)
        case events.GoalPeeked(to, cell, goal):
            return GoalPeeked(to, cell, goal_code(goal))
        case events.GoldShown(to, nuggets):
            return GoldShown(to, bytes(nuggets))
        case events.GoldReceived(to, nuggets):
            return GoldReceived(to, bytes(nuggets))
        case events.Laid(seat, path, cell):
            return Laid(seat, path.index, cell)
        case events.Revealed(cell, path):
            return Revealed(cell, path.index)
        case events.Broke(seat, tool, target):
            return Broke(seat, tool_code(tool), target)
        case events.Repaired(seat, card, target, tool):
            return Repaired(seat, card.index, target, tool_code(tool))
        case events.Collapsed(seat, cell, path):
            return Collapsed(seat, cell, path.index)
        case events.Looked(seat, cell):
            return Looked(seat, cell)
        case events.Passed(seat):
            return Passed(seat)
        case events.Skipped(seat):
            return Skipped(seat)
        case events.Drew(seat):
            return Drew(seat)
        case events.TurnBegan(seat):
            return TurnBegan(seat)
        case events.RoundBegan(number, starter, hands, pile):
            return RoundBegan(number, starter, hands, pile)
        case events.RoundEnded():
            return write_end(event)
        case events.GoldDrawn(count):
            return GoldDrawn(count)
        case events.ChoiceBegan(seat):
            return ChoiceBegan(seat)
        case events.GoldTaken(seat):
            return GoldTaken(seat)
        case events.SaboteursPaid(due, counts, chits):
            return SaboteursPaid(due, counts, chits)
        case events.GameEnded(gold):
            return GameEnded(tuple(map(bytes, gold)))
        case _:
            assert_never(event)


def read_event(value: EventWire) -> Event:  # noqa: C901 - a case for each kind of event
    """Return the engine event of a wire value. Raises `BadFrame` for invalid codes."""
    match value:
        case DwarfDealt(to, role):
            return events.DwarfDealt(to, role_of(role))
        case HandDealt(to, cards):
            return events.HandDealt(to, cards_of(cards))
        case Dealt(to, card):
            return events.Dealt(to, card_of(card))
        case DiscardedCard(to, card):
            return events.DiscardedCard(to, card_of(card))
        case GoalPeeked(to, cell, goal):
            return events.GoalPeeked(to, cell, goal_of(goal))
        case GoldShown(to, nuggets):
            return events.GoldShown(to, nuggets_of(nuggets))
        case GoldReceived(to, nuggets):
            return events.GoldReceived(to, nuggets_of(nuggets))
        case Laid(seat, path, cell):
            return events.Laid(seat, path_of(path), cell)
        case Revealed(cell, path):
            return events.Revealed(cell, path_of(path))
        case Broke(seat, tool, target):
            return events.Broke(seat, tool_of(tool), target)
        case Repaired(seat, card, target, tool):
            return events.Repaired(seat, card_of(card), target, tool_of(tool))
        case Collapsed(seat, cell, path):
            return events.Collapsed(seat, cell, path_of(path))
        case Looked(seat, cell):
            return events.Looked(seat, cell)
        case Passed(seat):
            return events.Passed(seat)
        case Skipped(seat):
            return events.Skipped(seat)
        case Drew(seat):
            return events.Drew(seat)
        case TurnBegan(seat):
            return events.TurnBegan(seat)
        case RoundBegan(number, starter, hands, pile):
            return events.RoundBegan(number, starter, hands, pile)
        case RoundEnded():
            return read_end(value)
        case GoldDrawn(count):
            return events.GoldDrawn(count)
        case ChoiceBegan(seat):
            return events.ChoiceBegan(seat)
        case GoldTaken(seat):
            return events.GoldTaken(seat)
        case SaboteursPaid(due, counts, chits):
            return events.SaboteursPaid(due, counts, chits)
        case GameEnded(gold):
            return events.GameEnded(tuple(map(nuggets_of, gold)))
        case _:
            assert_never(value)


def write_end(ended: events.RoundEnded) -> RoundEnded:
    """Return the wire value of a round's end; a snapshot of the table carries it too."""
    north, middle, south = map(goal_code, ended.goals)
    return RoundEnded(
        role_code(ended.winner),
        bytes(map(role_code, ended.roles)),
        role_code(ended.spare),
        (north, middle, south),
    )


def read_end(value: RoundEnded) -> events.RoundEnded:
    """Return the engine event of a round's end. Raises `BadFrame` for bad role codes."""
    north, middle, south = map(goal_of, value.goals)
    return events.RoundEnded(
        role_of(value.winner), roles_of(value.roles), role_of(value.spare), (north, middle, south)
    )
