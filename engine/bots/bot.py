"""The `Bot` protocol, the budgets a bot may be given, and the random bot.

A bot is a function of a seat's view, a random generator and a budget.
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
    """Budget in play-outs: gives the same moves on every machine, for tests and measurements."""

    count: int


@dataclass(frozen=True, slots=True)
class Seconds:
    """Budget in seconds of wall-clock time: for tables where people wait."""

    seconds: float


Budget = Playouts | Seconds
"""The limit on how much a bot may think about one move."""


class Bot(Protocol):
    """A function that chooses a move for the seat that is to act."""

    def __call__(self, view: View, rng: Random, budget: Budget) -> Move:
        """Return a legal move of `view.seat`. Raises `ValueError` if that seat is not to act."""


def to_choose_from(view: View) -> Sequence[Move]:
    """Return the legal moves of a view. Raises `ValueError` if there are none."""
    moves = list(view.legal_moves())
    if not moves:
        raise ValueError(f"seat {view.seat} is not to act")
    return moves


def random_bot(view: View, rng: Random, budget: Budget) -> Move:
    """Return a legal move, each equally likely. Raises `ValueError` if the seat is not to act."""
    del budget  # It does not think.
    return rng.choice(to_choose_from(view))
