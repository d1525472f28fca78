"""How even the sides are at each number of seats, in rounds with a saboteur in play."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import Final, NamedTuple

from engine.bots.actions import observe
from engine.bots.beliefs import infer_beliefs
from engine.cards import Goal, Role
from tools.arena.matches import each, have_miners_won
from tools.arena.statistics import Pairing, ReportRow, Scale, percent

FIRST_EVEN_DEAL: Final = 300_000
"""The number of the first deal: nothing was tuned on these."""

KNOWN_GOLD: Final = 0.97
"""Probability of the treasure from which a saboteur knew what it turned up."""

SEAT_COLUMNS: Final = (
    "players",
    "level",
    "talk",
    "rounds with a saboteur",
    "miners win",
    "passes",
    "rounds that begin with one",
    "treasures turned up by a saboteur (who knew)",
)
"""The header of the table of seats."""


LEVEL_ROWS: Final = (
    ("easy", "greedy", "silent"),
    ("medium", "wary", "silent"),
    ("medium", "wary", "own"),
    ("hard", "search", "silent"),
)
"""The level, the bot and the talk of the rows for each number of seats."""


class EvenRound(NamedTuple):
    """A round of bots of one level: what its sides and its table can be judged by.

    `moves` and `passes` are those while there were cards to draw. `turned_up` is the probability
    that the saboteur who turned the treasure up gave to it, `None` if no saboteur did.
    """

    has_saboteur: bool
    won: bool
    moves: int
    passes: int
    begins_with_pass: bool
    turned_up: float | None


def seats(scale: Scale) -> Iterator[ReportRow]:
    """Yield for each number of seats and level how the rounds went, silent and talking."""
    for players in scale.seats:
        for level, bot, talker in LEVEL_ROWS:
            count = scale.fewer if bot == "search" else scale.rounds
            pairing = Pairing(bot, bot, scale.few_playouts, players, talker=talker)
            rounds = each(partial(even_round, pairing), count, scale.jobs)
            played = [one for one in rounds if one.has_saboteur]
            found = [one.turned_up for one in rounds if one.turned_up is not None]
            knew = sum(gold >= KNOWN_GOLD for gold in found)
            moves = max(sum(one.moves for one in rounds), 1)
            yield (
                players,
                level,
                "yes" if talker == "own" else "no",
                len(played),
                percent(sum(one.won for one in played), max(len(played), 1)),
                percent(sum(one.passes for one in rounds), moves),
                percent(sum(one.begins_with_pass for one in rounds), len(rounds)),
                f"{len(found)} ({knew})",
            )


def even_round(pairing: Pairing, number: int) -> EvenRound:
    """Play a round, and return how it went."""
    states, *_ = pairing.play(FIRST_EVEN_DEAL + number)
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
    return EvenRound(Role.SABOTEUR in roles, won, moves, passes, is_pass[0], turned_up)
