"""How often one side wins against the other, over the same deals for every pairing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from typing import Final

from engine.bots import Playouts
from engine.bots.arena.matches import Player, each, play_round, won_by_miners
from engine.cards import Role
from engine.edition import EDITIONS, INTERNATIONAL
from engine.game import Game

Row = tuple[object, ...]


def wilson(won: int, played: int) -> tuple[float, float]:
    """Between which shares the true one lies, 95 times in 100 (Wilson's interval)."""
    z, share = 1.96, won / played
    middle = share + z * z / (2 * played)
    spread = z * sqrt(share * (1 - share) / played + (z / (2 * played)) ** 2)
    return (middle - spread) / (1 + z * z / played), (middle + spread) / (1 + z * z / played)


def percent(won: int, played: int) -> str:
    """A share and its interval, in words for a table."""
    low, high = wilson(won, played)
    return f"{100 * won / played:.1f} % ({100 * low:.0f} to {100 * high:.0f})"


@dataclass(frozen=True, slots=True)
class Pairing:
    """Who plays against whom, where, and for how many play-outs a move."""

    miners: str
    saboteurs: str
    playouts: int
    players: int = 5
    edition: str = INTERNATIONAL.text

    def play(self, number: int) -> tuple[list[Game], Player, Player]:
        """Every state of one round, and who played it on either side."""
        budget = Playouts(self.playouts)
        miners, saboteurs = Player(self.miners, budget), Player(self.saboteurs, budget)
        sides = {Role.MINER: miners, Role.SABOTEUR: saboteurs}
        return play_round(number, self.players, EDITIONS[self.edition], sides), miners, saboteurs

    def outcome(self, number: int) -> tuple[bool, Player, Player]:
        """Whether the miners won a round, and who played it on either side."""
        states, miners, saboteurs = self.play(number)
        return won_by_miners(states), miners, saboteurs

    def row(self, rounds: int, jobs: int) -> Row:
        """How often the miners win."""
        won, miners, saboteurs = zip(*each(self.outcome, rounds, jobs), strict=True)
        return (
            self.players,
            self.edition,
            self.miners,
            self.saboteurs,
            self.playouts,
            rounds,
            percent(sum(won), rounds),
            _pace(miners),
            _pace(saboteurs),
        )


PAIRING: Final = (
    "players",
    "edition",
    "miners",
    "saboteurs",
    "play-outs",
    "rounds",
    "miners win",
    "ms a move, miners",
    "ms a move, saboteurs",
)


def _pace(players: Iterable[Player]) -> str:
    """Milliseconds of processor time a move."""
    spent, moves = 0.0, 0
    for player in players:
        spent += player.spent
        moves += player.moves
    return f"{1000 * spent / max(moves, 1):.1f}"
