"""The bot that plays any legal move, each as likely as the others."""

from __future__ import annotations

from random import Random

from engine.bots.base import Budget, to_choose_from
from engine.moves import Move
from engine.view import View


def uniform(view: View, rng: Random, budget: Budget) -> Move:
    """Any legal move. Raises `ValueError` where the seat is not to act."""
    del budget  # It does not think.
    return rng.choice(to_choose_from(view))
