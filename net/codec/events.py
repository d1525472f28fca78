"""The kinds of events as they travel from the host to those who may hear them.

Shapes alone, named as in `engine.events`, which says what each tells and to whom; the two ways
between them are in `net.codec.tell`. No field of a secret changes its size with the secret.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from net.codec.fields import (
    MOST_SEATS,
    CardCode,
    Cards,
    CellAt,
    Counts,
    GoalCode,
    Nuggets,
    PathCode,
    RoleCode,
    Roles,
    Seat,
    Small,
    ToolCode,
    Wire,
)


class DwarfDealt(Wire, frozen=True, tag=1):
    """To its seat alone."""

    to: Seat
    role: RoleCode


class HandDealt(Wire, frozen=True, tag=2):
    """To its seat alone."""

    to: Seat
    cards: Cards


class Dealt(Wire, frozen=True, tag=3):
    """To its seat alone."""

    to: Seat
    card: CardCode


class Buried(Wire, frozen=True, tag=4):
    """To its seat alone."""

    to: Seat
    card: CardCode


class Saw(Wire, frozen=True, tag=5):
    """To its seat alone."""

    to: Seat
    cell: CellAt
    goal: GoalCode


class GoldShown(Wire, frozen=True, tag=6):
    """To its seat alone."""

    to: Seat
    nuggets: Nuggets


class GoldGot(Wire, frozen=True, tag=7):
    """To its seat alone."""

    to: Seat
    nuggets: Nuggets


class RoundBegan(Wire, frozen=True, tag=8):
    """To all."""

    number: Small
    starter: Seat
    hands: Counts
    pile: Small


class Laid(Wire, frozen=True, tag=9):
    """To all."""

    seat: Seat
    path: PathCode
    cell: CellAt


class Revealed(Wire, frozen=True, tag=10):
    """To all."""

    cell: CellAt
    path: PathCode


class Broke(Wire, frozen=True, tag=11):
    """To all."""

    seat: Seat
    tool: ToolCode
    target: Seat


class Repaired(Wire, frozen=True, tag=12):
    """To all."""

    seat: Seat
    card: CardCode
    target: Seat
    tool: ToolCode


class Collapsed(Wire, frozen=True, tag=13):
    """To all."""

    seat: Seat
    cell: CellAt
    path: PathCode


class Looked(Wire, frozen=True, tag=14):
    """To all."""

    seat: Seat
    cell: CellAt


class Passed(Wire, frozen=True, tag=15):
    """To all."""

    seat: Seat


class Skipped(Wire, frozen=True, tag=16):
    """To all."""

    seat: Seat


class Drew(Wire, frozen=True, tag=17):
    """To all."""

    seat: Seat


class TurnBegan(Wire, frozen=True, tag=18):
    """To all."""

    seat: Seat


class RoundEnded(Wire, frozen=True, tag=19):
    """To all."""

    winner: RoleCode
    roles: Roles
    spare: RoleCode
    goals: tuple[GoalCode, GoalCode, GoalCode]


class GoldDrawn(Wire, frozen=True, tag=20):
    """To all."""

    cards: Small


class ChoiceBegan(Wire, frozen=True, tag=21):
    """To all."""

    seat: Seat


class GoldTaken(Wire, frozen=True, tag=22):
    """To all."""

    seat: Seat


class SaboteursPaid(Wire, frozen=True, tag=23):
    """To all."""

    due: Small
    cards: Counts
    chits: Counts


class GameEnded(Wire, frozen=True, tag=24):
    """To all."""

    gold: Annotated[tuple[Nuggets, ...], Meta(max_length=MOST_SEATS)]


PlayedWire: TypeAlias = Laid | Broke | Repaired | Collapsed | Looked | Passed | GoldTaken
"""Moves, as everybody sees them."""

EventWire: TypeAlias = (
    DwarfDealt
    | HandDealt
    | Dealt
    | Buried
    | Saw
    | GoldShown
    | GoldGot
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
