"""`sabtui arena`: one bot beside ours over the same deals, or a league of bots.

Every round or game has its own deal from a fixed seed, and all that is compared plays the same
deals. The same version always gives the same figures, except for times.

Each deal is played once by each pairing of teams, one bot the miners and another the saboteurs, and
once for each rotation of all bots over the seats, so that teams are mixed, too. A side is as strong
as its seats are on average: ratings are those by which what happened was most likely (Elo's scale:
of 400 points more come ten wins for one). Intervals come from deals drawn again at random.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from math import exp, log
from pathlib import Path
from random import Random
from typing import Final

from engine.bots import Playouts
from engine.cards import Role
from engine.dealing import deal
from engine.edition import INTERNATIONAL
from sabtui.app.errors import UserError, print_lines
from sabtui.kit.matches import (
    ARENA_SEED,
    BadBot,
    Pairing,
    Player,
    ReportRow,
    bot_to_measure,
    each,
    gain,
    have_miners_won,
    in_markdown,
    pace,
    percent,
    play_round,
    seed_of,
)

PLAYERS: Final = 5
"""How many play, where nothing else is said."""

PLAYOUTS: Final = 150
"""Play-outs for a move of `search` and of others that count them, where nothing else is said."""

ELO_POINTS: Final = 400 / log(10)
"""Points of Elo's scale for one unit of log-odds."""

RESAMPLES: Final = 200
"""How often all deals are drawn again for the intervals."""

_SWEEPS: Final = 60
"""Rounds of improvement of the ratings: far more than they need."""

_PRIOR: Final = 0.05
"""Pull of each rating to the mean, so that who wins every round is not rated infinitely high."""

Weights = tuple[float, ...]
"""For each bot its share of the miners' seats, less that of the saboteurs'."""


@dataclass(frozen=True, slots=True)
class LeagueRound:
    """A round: the bot of each seat and its role, by number, and whether the miners won."""

    bots: tuple[int, ...]
    roles: tuple[Role, ...]
    won: bool

    def weights(self, count: int) -> Weights:
        """Return the weights of that many bots."""
        seats = Counter(zip(self.bots, self.roles, strict=True))
        miners, saboteurs = (max(self.roles.count(role), 1) for role in Role)
        return tuple(
            seats[bot, Role.MINER] / miners - seats[bot, Role.SABOTEUR] / saboteurs
            for bot in range(count)
        )


def play_deal(
    names: Sequence[str], players: int, budget: Playouts, number: int
) -> list[LeagueRound]:
    """Play all rounds of one deal: each pairing of teams, and each rotation of the seats."""
    roles = deal(seed_of(number), 1, players).roles
    lineups = [
        tuple(miners if role is Role.MINER else saboteurs for role in roles)
        for miners in range(len(names))
        for saboteurs in range(len(names))
        if miners != saboteurs
    ]
    lineups += [
        tuple((seat + first) % len(names) for seat in range(players)) for first in range(len(names))
    ]
    played = []
    for lineup in lineups:
        seats = {seat: Player(names[bot], budget, "own") for seat, bot in enumerate(lineup)}
        states, _ = play_round(number, players, INTERNATIONAL, {}, seats)
        played.append(LeagueRound(lineup, roles, have_miners_won(states)))
    return played


LEAGUE_COLUMNS: Final = (
    "bot",
    "Elo",
    "ahead of the next",
    "rounds of its teams",
    "won as miners",
    "won as saboteurs",
)
"""The header of the league's table."""


def tournament(
    names: Sequence[str], count: int, jobs: int, players: int = PLAYERS, playouts: int = PLAYOUTS
) -> Iterator[ReportRow]:
    """Yield the standing of each bot, best first: its rating, and how often its teams win."""
    deals = each(partial(play_deal, names, players, Playouts(playouts)), count, jobs)
    rated = ratings([one for played in deals for one in played], len(names))
    chance = Random(ARENA_SEED)
    again = [
        ratings(
            [one for played in chance.choices(deals, k=len(deals)) for one in played], len(names)
        )
        for _ in range(RESAMPLES)
    ]
    order = sorted(range(len(names)), key=lambda bot: -rated[bot])
    for bot, following in zip(order, [*order[1:], None], strict=True):
        points = _with_interval(rated[bot], [sample[bot] for sample in again])
        ahead = ""
        if following is not None:
            gaps = [sample[bot] - sample[following] for sample in again]
            ahead = _with_interval(rated[bot] - rated[following], gaps)
        teams = [one for played in deals for one in played if _is_team(one, bot)]
        shares = []
        for role in Role:
            won = [one.won == (role is Role.MINER) for one in teams if _side(one, role) == {bot}]
            shares.append(percent(sum(won), len(won)) if won else "")
        yield names[bot], points, ahead, len(teams), *shares


def _side(one: LeagueRound, role: Role) -> set[int]:
    """Return the bots of a side."""
    return {bot for bot, its in zip(one.bots, one.roles, strict=True) if its is role}


def _is_team(one: LeagueRound, bot: int) -> bool:
    """Return True if a side was this bot alone, and the other was not mixed either."""
    sides = [_side(one, role) for role in Role]
    return {bot} in sides and all(len(side) == 1 for side in sides)


def ratings(rounds: Sequence[LeagueRound], count: int) -> list[float]:
    """Return the ratings of that many bots in points, with a mean of 0."""
    played: Counter[Weights] = Counter()
    won: Counter[Weights] = Counter()
    for one in rounds:
        weights = one.weights(count)
        played[weights] += 1
        won[weights] += one.won
    found = _fit_weights(played, won, count)
    mean = sum(found) / count
    return [ELO_POINTS * (strength - mean) for strength in found]


def _fit_weights(
    played: Mapping[Weights, int], won: Mapping[Weights, int], count: int
) -> list[float]:
    """Return the log-odds that each bot adds, by Newton's method, one bot at a time.

    Beside them there is one number for the odds of the miners as such.
    """
    strengths = [0.0] * (count + 1)
    rows = [((*weights, 1.0), played[weights], won[weights]) for weights in played]
    for _ in range(_SWEEPS):
        for at in range(count + 1):
            pull = 0.0 if at == count else _PRIOR
            slope, bend = -pull * strengths[at], pull + 1e-9
            for weights, rounds, wins in rows:
                if weights[at]:
                    odds = sum(map(float.__mul__, weights, strengths))
                    share = 1 / (1 + exp(-odds))
                    slope += weights[at] * (wins - rounds * share)
                    bend += weights[at] ** 2 * rounds * share * (1 - share)
            strengths[at] += slope / bend
    return strengths[:count]


def _with_interval(value: float, samples: Sequence[float]) -> str:
    """Return points with the range of the middle 95 in 100 samples, as text."""
    ordered = sorted(samples)
    cut = len(ordered) // 40
    return f"{value:+.0f} ({ordered[cut]:+.0f} to {ordered[-1 - cut]:+.0f})"


AGAINST_COLUMNS: Final = (
    "bot",
    "plays the",
    "against",
    "rounds",
    "its side wins",
    "more often than greedy",
    "ms a move",
)
"""The header of the table of somebody's bot."""


def against(name: str, rounds: int, jobs: int, playouts: int = PLAYOUTS) -> Iterator[ReportRow]:
    """Yield how often the side of anybody's bot wins against `greedy`, beside ours in its place.

    `name` is what `bot_to_measure` reads. All play the same deals: differences are of pairs.
    """
    for role in Role:
        usual: list[bool] = []
        for bot in ("greedy", "wary", name):
            sides = (bot, "greedy") if role is Role.MINER else ("greedy", bot)
            pairing = Pairing(*sides, playouts, PLAYERS, talker="own")
            played = each(pairing.outcome, rounds, jobs)
            won = [miners_won == (role is Role.MINER) for miners_won, *_ in played]
            usual = usual or won
            yield (
                bot,
                f"{role.name.lower()}s",
                "greedy",
                rounds,
                percent(sum(won), rounds),
                gain(list(zip(usual, won, strict=True))),
                pace(players[role is Role.SABOTEUR] for _, *players in played),
            )


def measure(names: Sequence[str], deals: int, jobs: int) -> int:
    """Print a table of the bots `names` as its rows come, and return the exit code.

    Raises `UserError` that says in one line what is wrong with a bot.
    """
    sys.path.append(str(Path.cwd()))  # where `python -m` would look for MODULE:NAME, too
    bots = [*dict.fromkeys(names)]
    for name in bots:
        try:
            bot_to_measure(name)
        except ValueError as error:
            raise UserError(str(error)) from error
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            raise UserError(f"no bot {name}: its module raised {what}") from error
    if len(bots) == 1:
        return _print(bots, AGAINST_COLUMNS, against(bots[0], deals, jobs))
    return _print(bots, LEAGUE_COLUMNS, tournament(bots, deals, jobs))


def _print(bots: Sequence[str], head: Sequence[str], rows: Iterable[ReportRow]) -> int:
    """Print a table. Raises `UserError` if a bot ends it."""
    try:
        return print_lines(in_markdown(head, rows))
    except BadBot as error:
        raise UserError(str(error)) from error
    except BrokenProcessPool as error:
        raise UserError(f"the process that {' or '.join(bots)} played in ended") from error
