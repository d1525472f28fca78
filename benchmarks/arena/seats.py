"""How even the sides are at each number of seats, in rounds with a saboteur in play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise, product
from typing import Final, NamedTuple

from benchmarks.arena.nerve import median_of, suspect_saboteurs
from benchmarks.arena.players import Pairing
from benchmarks.arena.statistics import Scale
from engine.bots import LEVELS, Playouts
from engine.bots.beliefs import infer_beliefs
from engine.bots.evidence import observe
from engine.cards import Goal, Role
from sabtui.kit.arena import (
    Player,
    ReportRow,
    each,
    have_miners_won,
    own,
    percent,
    play_round,
)

FIRST_EVEN_DEAL: Final = 130_000
"""The number of the first deal: nothing was tuned on these."""

KNOWN_GOLD: Final = 0.97
"""Probability of the treasure from which a saboteur knew what it turned up."""

SEAT_COLUMNS: Final = (
    "players",
    "level",
    "rounds with a saboteur",
    "miners win",
    "saboteurs suspected half-way",
    "passes",
    "rounds that begin with one",
    "treasures turned up by a saboteur (who knew)",
)
"""The header of the table of seats."""


class EvenRound(NamedTuple):
    """A round of bots of one level: what its sides and its table can be judged by.

    `suspected` is the public suspicion of each saboteur after half of the moves. `moves` and
    `passes` are those while there were cards to draw. `turned_up` is the probability that the
    saboteur who turned the treasure up gave to it, `None` if no saboteur did.
    """

    won: bool
    suspected: tuple[float, ...]
    moves: int
    passes: int
    begins_with_pass: bool
    turned_up: float | None


def seats(scale: Scale) -> Iterator[ReportRow]:
    """Yield for each number of seats and level how the rounds went, with talk as at tables."""
    for players, level in product(scale.seats, LEVELS):
        pairing = Pairing(level, level, scale.few_playouts, players, talker=own)
        rounds = each(partial(even_round, pairing), scale.rounds, scale.jobs)
        yield players, level, *judge_rounds(rounds)


def judge_rounds(rounds: Sequence[EvenRound]) -> ReportRow:
    """Return the cells of a row that follow from its rounds."""
    played = [round_ for round_ in rounds if round_.suspected]
    found = [round_.turned_up for round_ in rounds if round_.turned_up is not None]
    knew = sum(gold >= KNOWN_GOLD for gold in found)
    return (
        len(played),
        percent(sum(round_.won for round_ in played), max(len(played), 1)),
        median_of([round_.suspected for round_ in played]),
        percent(
            sum(round_.passes for round_ in rounds), max(sum(round_.moves for round_ in rounds), 1)
        ),
        percent(sum(round_.begins_with_pass for round_ in rounds), max(len(rounds), 1)),
        f"{len(found)} ({knew})",
    )


def even_round(pairing: Pairing, number: int) -> EvenRound:
    """Play a round, and return how it went."""
    states, *_, talk = pairing.play(FIRST_EVEN_DEAL + number)
    roles = states[0].round.roles
    moves = passes = 0
    is_pass: list[bool] = []
    for before, now in pairwise(states):
        seat = before.to_act
        assert seat is not None
        buried = now.round.table.buried[seat] > before.round.table.buried[seat]
        is_pass.append(buried)
        moves += bool(before.round.pile)
        passes += buried and bool(before.round.pile)
    won, last = have_miners_won(states), states[-2]
    seat, turned_up = last.to_act, None
    if won and seat is not None and roles[seat] is Role.SABOTEUR:
        treasure = last.round.goals.index(Goal.TREASURE)
        turned_up = infer_beliefs(observe(last.view(seat))).gold[treasure]
    return EvenRound(
        won,
        suspect_saboteurs(states[len(states) // 2], talk),
        moves,
        passes,
        is_pass[0],
        turned_up,
    )


BEGINNER_COLUMNS: Final = (
    "side",
    "rounds",
    "the beginner's side wins",
    "its neighbours' side wins",
)
"""The header of the table of a beginner among medium bots."""

NEIGHBOURS: Final = (1, -1)
"""The steps from a seat to its neighbours'."""


def beginner(scale: Scale) -> Iterator[ReportRow]:
    """Yield how often the seat of a `greedy` bot among `wary` ones wins, and its neighbours'."""
    rounds = each(beginner_round, scale.rounds, scale.jobs)
    for role in (Role.MINER, Role.SABOTEUR):
        mine, theirs = (
            [round_[seat][1] for round_ in rounds for seat in which if round_[seat][0] is role]
            for which in ((0,), NEIGHBOURS)
        )
        shares = (percent(sum(won), max(len(won), 1)) for won in (mine, theirs))
        yield f"{role.name.lower()}s", len(mine), *shares


def beginner_round(number: int) -> list[tuple[Role, bool]]:
    """Play a round with a beginner in the first seat; return each seat's role, and if it won."""
    seats = [Player(name, Playouts(0), own) for name in ("greedy", *("wary",) * 4)]
    states, _ = play_round(FIRST_EVEN_DEAL + number, seats)
    won = have_miners_won(states)
    return [(role, won is (role is Role.MINER)) for role in states[0].round.roles]
