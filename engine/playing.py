"""Whole games between bots, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from engine.bots.bot import Bot, Budget, Playouts, SpokenMove, call_bot
from engine.edition import INTERNATIONAL, Edition
from engine.game import Game
from engine.state import ROUNDS, Phase

DEFAULT_BUDGET: Final = Playouts(100)
"""How much a bot may think about a move by default."""


def play(
    bots: Sequence[Bot],
    seed: bytes,
    *,
    edition: Edition = INTERNATIONAL,
    rounds: int = ROUNDS,
    budget: Budget = DEFAULT_BUDGET,
) -> Iterator[Game]:
    """Yield a game between bots, one for each seat, after its first deal and after each step.

    All randomness comes from the 32-byte seed. What bots say is ignored. Raises `BadReply` for an
    answer that is not a move, and `IllegalMove`.
    """
    rng = Random(seed)
    game = Game.new(len(bots), seed=seed, edition=edition, rounds=rounds)
    yield game
    while game.phase is not Phase.OVER:
        if game.to_act is None:
            game, _ = game.deal(seed)
        else:
            reply = call_bot(bots[game.to_act], game.view(game.to_act), rng, budget)
            game, _ = game.apply(reply.move if isinstance(reply, SpokenMove) else reply)
        yield game
