"""Pairings of two sides, and the players that are there to measure with.

A player counts its processor time. One may be deaf to all talk; the oracle sees all cards, and is
the ceiling for the bots.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from time import thread_time
from typing import Final

from engine.bots import Playouts
from engine.bots.bot import SpokenMove
from engine.bots.estimates import STANDARD_ERRORS
from engine.bots.rollout import FastRound, roll_out
from engine.bots.talk import SILENCE, Talk
from engine.bots.temper import USUAL_TEMPER, Temper
from engine.cards import Role
from engine.dealing import deal
from engine.edition import EDITIONS, INTERNATIONAL
from engine.game import Game
from engine.moves import Move, Play
from engine.round import Round
from engine.state import Phase
from sabtui.kit.arena import Player, Talker, have_miners_won, play_round, seed_of, silent


@dataclass
class MeasuredPlayer(Player):
    """A player with the processor time in seconds that it has `spent` on its `moves`."""

    spent: float = 0.0
    moves: int = 0

    def move(
        self, game: Game, rng: Random, talk: Talk = SILENCE, temper: Temper = USUAL_TEMPER
    ) -> Move | SpokenMove:
        """Return the player's move, and add to its time."""
        start = thread_time()
        said = self.choose(game, rng, talk, temper)
        self.spent += thread_time() - start
        self.moves += 1
        return said

    def choose(self, game: Game, rng: Random, talk: Talk, temper: Temper) -> Move | SpokenMove:
        """Return the move of its bot."""
        return super().move(game, rng, talk, temper)


class DeafPlayer(MeasuredPlayer):
    """A player that hears no talk."""

    def choose(self, game: Game, rng: Random, talk: Talk, temper: Temper) -> Move | SpokenMove:
        """Return the move of the bot as if nobody had said anything."""
        del talk
        return super().choose(game, rng, SILENCE, temper)


ORACLE: Final = "oracle"
"""The name of the oracle in tables."""


class OraclePlayer(MeasuredPlayer):
    """A player that sees all cards; `greedy` shares its gold."""

    def choose(self, game: Game, rng: Random, talk: Talk, temper: Temper) -> Move | SpokenMove:
        """Return the best move by the true cards."""
        if game.phase is Phase.PLAY:
            return oracle(game.round)
        return super().choose(game, rng, talk, temper)


def oracle(now: Round) -> Play:
    """Return the move after which a play-out with the true cards ends best for its side."""
    seat = now.table.turn
    assert seat is not None
    start = FastRound(now, [role is Role.SABOTEUR for role in now.roles])
    sign = 1 if now.roles[seat] is Role.MINER else -1
    return max(now.legal_moves(), key=lambda move: sign * roll_out(start.after(move)))


@dataclass(frozen=True, slots=True)
class Pairing:
    """The bots of both sides, with players, edition, play-outs per move, and how they talk.

    A bot may be the oracle, and a side `deaf` to all talk, or `mute`.
    """

    miners: str
    saboteurs: str
    playouts: int
    players: int = 5
    edition: str = INTERNATIONAL.text
    talker: Talker = silent
    deaf: frozenset[Role] = frozenset()
    mute: frozenset[Role] = frozenset()

    def player(self, role: Role) -> MeasuredPlayer:
        """Return a new player of a side, for all of its seats."""
        name = self.miners if role is Role.MINER else self.saboteurs
        budget, talker = Playouts(self.playouts), silent if role in self.mute else self.talker
        if name == ORACLE:
            return OraclePlayer("greedy", budget, talker)
        return (DeafPlayer if role in self.deaf else MeasuredPlayer)(name, budget, talker)

    def play(self, number: int) -> tuple[list[Game], MeasuredPlayer, MeasuredPlayer, Talk]:
        """Play a round; return each of its states, the players of both sides, and what was said."""
        sides = {role: self.player(role) for role in Role}
        seats = [sides[role] for role in roles_of(number, self.players)]
        states, talk = play_round(number, seats, EDITIONS[self.edition])
        return states, sides[Role.MINER], sides[Role.SABOTEUR], talk

    def outcome(self, number: int) -> tuple[bool, MeasuredPlayer, MeasuredPlayer]:
        """Play a round; return True if the miners won, and the players of both sides."""
        states, miners, saboteurs, _ = self.play(number)
        return have_miners_won(states), miners, saboteurs


def roles_of(number: int, players: int) -> tuple[Role, ...]:
    """Return the roles by seat in the round of this number."""
    return deal(seed_of(number), 1, players).roles


def pace(players: Iterable[MeasuredPlayer]) -> str:
    """Return the processor time per move, in milliseconds, as text."""
    spent, moves = 0.0, 0
    for player in players:
        spent += player.spent
        moves += player.moves
    return f"{1000 * spent / max(moves, 1):.1f}"


def gain(won: Sequence[tuple[bool, bool]]) -> str:
    """Return by how many percentage points more often the second of two is won, and the interval.

    Both play the same deals, so it is the 95% interval of paired shares.
    """
    rounds = len(won)
    more = sum(second and not first for first, second in won)
    less = sum(first and not second for first, second in won)
    mean = (more - less) / rounds
    variance = max((more + less) / rounds - mean * mean, 0)
    spread = STANDARD_ERRORS * sqrt(variance / rounds)
    return f"{100 * mean:+.1f} ({100 * (mean - spread):+.1f} to {100 * (mean + spread):+.1f})"
