"""Moves as values: all that a player can do (RULES T, A, D).

A move says what is done, not by which seat: that is the seat whose turn it is.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.board import Cell
from engine.cards import BREAK, CARD_OF_PATH, Card, Path, Tool


@dataclass(frozen=True, slots=True)
class Lay:
    """Lay a path card into an empty cell, the way it is to lie (P)."""

    path: Path
    cell: Cell

    @property
    def card(self) -> Card:
        """The card that leaves the hand."""
        return CARD_OF_PATH[self.path.index]


@dataclass(frozen=True, slots=True)
class Break:
    """Play a broken tool in front of a seat (A1)."""

    tool: Tool
    target: int

    @property
    def card(self) -> Card:
        """The card that leaves the hand."""
        return BREAK[self.tool]


@dataclass(frozen=True, slots=True)
class Repair:
    """Take a broken tool from a seat with a repair that fits (A2, A3)."""

    card: Card
    target: int
    tool: Tool


@dataclass(frozen=True, slots=True)
class Rockfall:
    """Take a tunnel card off the table (A4)."""

    cell: Cell

    @property
    def card(self) -> Card:
        """The card that leaves the hand."""
        return Card.ROCKFALL


@dataclass(frozen=True, slots=True)
class Map:
    """Look at a face-down goal (A5)."""

    cell: Cell

    @property
    def card(self) -> Card:
        """The card that leaves the hand."""
        return Card.MAP


@dataclass(frozen=True, slots=True)
class Discard:
    """Pass, and discard this card face down (T1)."""

    card: Card


@dataclass(frozen=True, slots=True)
class KeepGold:
    """Keep a gold card with this number of nuggets (D1)."""

    nuggets: int


Play = Lay | Break | Repair | Rockfall | Map | Discard
"""A move that takes a turn (T1)."""

Move = Play | KeepGold
