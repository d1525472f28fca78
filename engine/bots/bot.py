"""Bot protocol, Budget; random bot; the registry of levels.

What a bot is: a function of a seat's view, chance, and how much it may think.

The bot that plays any legal move, each as likely as the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from engine.moves import Move
from engine.view import View


@dataclass(frozen=True, slots=True)
class Playouts:
    """Think for so many games played out: the same everywhere, for tests and measurements."""

    count: int


@dataclass(frozen=True, slots=True)
class Seconds:
    """Think for so long: for tables where people wait."""

    seconds: float


Budget = Playouts | Seconds


class Bot(Protocol):
    """Chooses a move for the seat that is to act."""

    def __call__(self, view: View, rng: Random, budget: Budget) -> Move:
        """A legal move of `view.seat`. Raises `ValueError` where that seat is not to act."""


def to_choose_from(view: View) -> Sequence[Move]:
    """The legal moves of a view. Raises `ValueError` where there are none."""
    moves = list(view.legal_moves())
    if not moves:
        raise ValueError(f"seat {view.seat} is not to act")
    return moves


def random_bot(view: View, rng: Random, budget: Budget) -> Move:
    """Any legal move. Raises `ValueError` where the seat is not to act."""
    del budget  # It does not think.
    return rng.choice(to_choose_from(view))
