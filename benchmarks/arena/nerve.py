"""Suspicion of saboteurs who hide, and the share of passes, over deals that no other table has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise, product
from random import Random
from statistics import median
from typing import Final, NamedTuple

from benchmarks.arena.players import Pairing, gain
from benchmarks.arena.statistics import Scale
from benchmarks.arena.talkers import name_talker
from engine.bots.beliefs import infer_public_beliefs
from engine.bots.evidence import observe
from engine.bots.talk import Talk
from engine.cards import Role
from engine.game import Game
from engine.moves import Discard
from sabtui.kit.arena import (
    ARENA_SEED,
    ReportRow,
    each,
    have_miners_won,
    own,
    percent,
    silent,
)

FIRST_DEAL: Final = 50_000
"""The number of the first deal: nothing was tuned on these."""

RESAMPLES: Final = 500
"""How often all rounds are drawn again for the interval of a median."""

NERVE_COLUMNS: Final = (
    "miners",
    "saboteurs",
    "talk",
    "play-outs",
    "rounds",
    "miners win",
    "more often than against greedy",
    "suspicion half-way",
    "suspicion at the end",
)
"""The header of the table of nerve."""


class HiddenRound(NamedTuple):
    """A round: whether the miners won, and the public suspicion of each saboteur.

    Suspicion is the probability that a spectator, who hears all that is said, gives to its being a
    saboteur, after half of the round's moves and before the last one.
    """

    won: bool
    half_way: tuple[float, ...]
    at_the_end: tuple[float, ...]


def nerve(scale: Scale) -> Iterator[ReportRow]:
    """Yield how often miners win, and the median suspicion of saboteurs, over the same deals."""
    levels = ("wary", 0, ("greedy", "wary")), ("search", scale.few_playouts, ("greedy", "search"))
    for (miners, playouts, others), talker in product(levels, (silent, own)):
        usual: list[bool] = []
        for saboteurs in others:
            pairing = Pairing(miners, saboteurs, playouts, talker=talker)
            rounds = each(partial(hidden_round, pairing), scale.rounds, scale.jobs)
            won = [round_.won for round_ in rounds]
            usual = usual or won
            yield (
                miners,
                saboteurs,
                name_talker(talker),
                playouts,
                len(rounds),
                percent(sum(won), len(won)),
                gain(list(zip(usual, won, strict=True))),
                median_of([round_.half_way for round_ in rounds]),
                median_of([round_.at_the_end for round_ in rounds]),
            )


def hidden_round(pairing: Pairing, number: int) -> HiddenRound:
    """Play a round, and return what it shows of its saboteurs."""
    states, *_, talk = pairing.play(FIRST_DEAL + number)
    moves = len(states) - 1
    half_way, at_the_end = (suspect_saboteurs(states[at], talk) for at in (moves // 2, moves - 1))
    return HiddenRound(have_miners_won(states), half_way, at_the_end)


def suspect_saboteurs(game: Game, talk: Talk) -> tuple[float, ...]:
    """Return a spectator's probability of each saboteur to be one, by what was said until then."""
    unplayed = game.round.table.unplayed
    said = tuple(statement for statement in talk.said if statement.unplayed >= unplayed)
    doubts = infer_public_beliefs(observe(game.view(None), Talk(said))).saboteur
    return tuple(
        doubt for doubt, role in zip(doubts, game.round.roles, strict=True) if role is Role.SABOTEUR
    )


def median_of(rounds: Sequence[Sequence[float]]) -> str:
    """Return the median of all values with its 95% interval, as text.

    The interval comes from rounds drawn again at random: the values of one hang together.
    """

    def middle(chosen: Sequence[Sequence[float]]) -> float:
        return median([value for values in chosen for value in values] or [0.0])

    chance = Random(ARENA_SEED)
    again = sorted(middle(chance.choices(rounds, k=len(rounds))) for _ in range(RESAMPLES))
    cut = RESAMPLES // 40
    return f"{middle(rounds):.2f} ({again[cut]:.2f} to {again[-1 - cut]:.2f})"


PASS_COLUMNS: Final = (
    "bots",
    "role",
    "moves",
    "passes",
    "of the passes, forced",
    "passes where another move was legal",
)
"""The header of the table of passes."""


def passes(scale: Scale) -> Iterator[ReportRow]:
    """Yield the share of passes among the moves before the pile is empty.

    A pass is forced if the rules let the seat make no other move.
    """
    for name in ("greedy", "wary", "search"):
        pairing = Pairing(name, name, scale.few_playouts)
        count: Counter[tuple[Role, str]] = Counter()
        for result in each(partial(count_passes, pairing), scale.rounds, scale.jobs):
            count += result
        for roles in ((Role.MINER,), (Role.SABOTEUR,), tuple(Role)):
            moves, passed, forced = (
                sum(count[role, what] for role in roles) for what in ("moves", "passes", "forced")
            )
            free = percent(passed - forced, max(moves - forced, 1))
            who = f"{roles[0].name.lower()}s" if len(roles) == 1 else "all"
            share = percent(forced, max(passed, 1))
            yield name, who, moves, percent(passed, moves), share, free


def count_passes(pairing: Pairing, number: int) -> Counter[tuple[Role, str]]:
    """Count, for one round, the moves of each role, its passes, and those that were forced."""
    states, *_ = pairing.play(FIRST_DEAL + number)
    count: Counter[tuple[Role, str]] = Counter()
    for before, now in pairwise(states):
        if before.round.pile and (seat := before.to_act) is not None:
            role, buried = before.round.roles[seat], now.round.table.buried[seat]
            count[role, "moves"] += 1
            count[role, "passes"] += buried > before.round.table.buried[seat]
            legal = before.view(seat).legal_moves()
            count[role, "forced"] += all(isinstance(move, Discard) for move in legal)
    return count
