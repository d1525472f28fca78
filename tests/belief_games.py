"""Command that plays the rounds over which beliefs are measured: `python -m tests.belief_games`.

Six for each number of players. Every seat is played by a bot that chance chose, so that beliefs are
measured over moves of all kinds, and from deals that no figure of the bots was counted from. Bots
that play otherwise make other rounds: run it again only to publish a new set, and measure anew.
"""

from __future__ import annotations

from hashlib import sha256
from random import Random
from typing import Final

from benchmarks.arena.judging import RECORDS
from engine.bots import Bot, Playouts, greedy, search, wary
from engine.dealing import deal
from engine.game import Game
from engine.notation import Record, format_record
from engine.state import Phase

SEED: Final = 7341
EACH: Final = 6
"""Rounds for each number of players."""

BUDGET: Final = Playouts(60)
BOTS: Final[tuple[Bot, ...]] = (greedy, wary, search)


def main() -> None:
    """Play all rounds, and write their records."""
    RECORDS.mkdir(exist_ok=True)
    for players in range(3, 11):
        for number in range(EACH):
            path = RECORDS / f"{players:02}-{number}.sab"
            path.write_text(format_record(play_round(players, number)), encoding="utf-8")


def seed_of(players: int, number: int) -> bytes:
    """Return the seed of a round: of its deal, of who plays, and of how."""
    return sha256(f"sabtui beliefs {SEED} {players} {number}".encode()).digest()


def play_round(players: int, number: int) -> Record:
    """Play a round between bots that chance chose, and return its record."""
    seed = seed_of(players, number)
    rng = Random(seed)
    seats = [rng.choice(BOTS) for _ in range(players)]
    record = Record(
        tuple(f"Seat {seat + 1}" for seat in range(players)), rounds=1, seed=seed
    ).add_round()
    game, _ = Game.begin(deal(seed, 1, players), rounds=1)
    while game.phase is not Phase.OVER:
        move = seats[game.to_act or 0](game.view(game.to_act), rng, BUDGET)
        game, _ = game.apply(move)
        record = record.add_move(move)
    return record


if __name__ == "__main__":
    main()
