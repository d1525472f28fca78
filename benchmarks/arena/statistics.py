"""The figures of the arena, as the rows of each table.

They are win rates with Wilson intervals for pairings over the same deals, gold per level, and the
accuracy of suspicions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from random import Random
from typing import Final

from benchmarks.arena.players import ORACLE, Pairing, pace
from engine.bots import LEVELS, Playouts
from engine.bots.beliefs import infer_beliefs, infer_public_beliefs
from engine.bots.evidence import observe
from engine.cards import Role
from engine.dealing import deal
from engine.edition import ARGENTINA, FRANCE, ITALIA
from engine.game import Game
from engine.state import PLAYERS, Phase
from sabtui.kit.arena import (
    Player,
    ReportRow,
    each,
    move_of,
    own,
    percent,
    rank_bots,
    seed_of,
)


@dataclass(frozen=True, slots=True)
class Scale:
    """The extent of the measurements.

    `rounds` are played for each pairing, `fewer` in the lesser tables, `wary` where nobody
    searches, and `games` for gold. `playouts` is the budget of `search` per move, `fewer_playouts`
    in the lesser tables, and `few_playouts` beside talk and for counts; teams play `talks` rounds.
    `players` are the table sizes, and `seats` those in the table of seats; `budgets` are the
    play-outs in the table of budgets, and `jobs` is the number of processes.
    """

    rounds: int = 400
    fewer: int = 100
    games: int = 100
    budgets: tuple[int, ...] = (60, 150, 400)
    talks: int = 515
    wary: int = 600
    playouts: int = 1000
    fewer_playouts: int = 150
    few_playouts: int = 60
    players: tuple[int, ...] = (3, 5, 7, 10)
    seats: tuple[int, ...] = tuple(PLAYERS)
    jobs: int = 1


PAIRING_COLUMNS: Final = (
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
"""The header of a table of pairings."""


def pairing_row(pairing: Pairing, rounds: int, jobs: int) -> ReportRow:
    """Return the row of a pairing: how often the miners win, and the time per move."""
    won, miners, saboteurs = zip(*each(pairing.outcome, rounds, jobs), strict=True)
    return (
        pairing.players,
        pairing.edition,
        pairing.miners,
        pairing.saboteurs,
        pairing.playouts,
        rounds,
        percent(sum(won), rounds),
        pace(miners),
        pace(saboteurs),
    )


def sides(scale: Scale) -> Iterator[ReportRow]:
    """Yield the win rates with five players, over the same deals for every pairing."""
    against = ("greedy", "wary", "search")
    of = [(name, "greedy") for name in against] + [("greedy", name) for name in against[1:]]
    for miners, saboteurs in of:
        pairing = Pairing(miners, saboteurs, scale.playouts)
        yield pairing_row(pairing, scale.rounds, scale.jobs)


BUDGET_COLUMNS: Final = (
    "bot",
    "play-outs",
    "rounds",
    "miners win with it",
    "ms a move",
    "miners win against it",
    "ms a move",
)
"""The header of the table of budgets."""


def budgets(scale: Scale) -> Iterator[ReportRow]:
    """Yield the win rates for each budget of `search`, on both sides, beside those of `greedy`."""
    for name, count in (
        ("greedy", 0),
        ("wary", 0),
        *(("search", count) for count in scale.budgets),
    ):
        row: list[object] = [name, count, scale.fewer]
        for at, pair in enumerate(((name, "greedy"), ("greedy", name))):
            played = each(Pairing(*pair, count).outcome, scale.fewer, scale.jobs)
            won, *players = zip(*played, strict=True)
            row += [percent(sum(won), scale.fewer), pace(players[at])]
        yield tuple(row)


def sizes(scale: Scale) -> Iterator[ReportRow]:
    """Yield the win rates at small and large tables, with the oracle as the ceiling."""
    of = [
        ("greedy", "greedy"),
        ("search", "search"),
        (ORACLE, "greedy"),
        ("greedy", ORACLE),
        (ORACLE, ORACLE),
    ]
    for players in scale.players:
        for miners, saboteurs in of:
            pairing = Pairing(miners, saboteurs, scale.fewer_playouts, players)
            yield pairing_row(pairing, scale.fewer, scale.jobs)


def league(scale: Scale) -> Iterator[ReportRow]:
    """Yield the standing of our bots."""
    players = scale.players[min(1, len(scale.players) - 1)]
    names = ("random", "greedy", "wary", "search")
    yield from rank_bots(names, scale.fewer, scale.jobs, players, scale.fewer_playouts)


LEVEL_SEATS: Final = (5, 8)
"""The numbers of seats at which the levels are compared."""

FIRST_LEVEL_DEAL: Final = 95_000
"""The number of the first deal of that comparison: nothing was tuned on these."""


def levels(scale: Scale) -> Iterator[ReportRow]:
    """Yield the standing of the levels at each of these tables."""
    for players in LEVEL_SEATS:
        rows = rank_bots(
            tuple(LEVELS),
            scale.rounds,
            scale.jobs,
            players,
            scale.fewer_playouts,
            first=FIRST_LEVEL_DEAL,
        )
        yield from ((players, *row) for row in rows)


SPEED_COLUMNS: Final = ("players", "level", "ms a move, miners", "ms a move, saboteurs")
"""The header of the table of speed."""


def speed(scale: Scale) -> Iterator[ReportRow]:
    """Yield the processor time of a move of each level, against itself, as the levels play."""
    for players, level in product(LEVEL_SEATS, LEVELS):
        pairing = Pairing(level, level, scale.fewer_playouts, players, talker=own)
        _, *sides = zip(*each(pairing.outcome, scale.rounds, scale.jobs), strict=True)
        yield players, level, *map(pace, sides)


def editions(scale: Scale) -> Iterator[ReportRow]:
    """Yield the win rates in the editions other than the default."""
    for edition in (ARGENTINA, ITALIA, FRANCE):
        pairing = Pairing("greedy", "greedy", 0, edition=edition.text)
        yield pairing_row(pairing, scale.rounds, scale.jobs)


def gold(scale: Scale) -> Iterator[ReportRow]:
    """Yield the nuggets per level in whole games of six seats, two for each level.

    Levels change seats from game to game.
    """
    found = each(partial(_gold, scale.fewer_playouts), scale.games, scale.jobs)
    for name in LEVELS:
        won = sum(nuggets[name] for nuggets in found)
        yield name, scale.games, f"{won / scale.games / 2:.2f}"


def _gold(playouts: int, number: int) -> Counter[str]:
    """Return the nuggets that each level won in one game."""
    names = [*LEVELS] * 2
    first = number % len(names)
    names = [*names[first:], *names[:first]]
    won: Counter[str] = Counter()
    seats = [Player(name, Playouts(playouts)) for name in names]
    for name, nuggets in zip(names, play_game(number, seats), strict=True):
        won[name] += nuggets
    return won


def play_game(number: int, seats: Sequence[Player]) -> tuple[int, ...]:
    """Play a whole game, and return the nuggets of each seat."""
    seed = seed_of(number)
    rng = Random(seed)
    game, _ = Game.begin(deal(seed, 1, len(seats)))
    while game.phase is not Phase.OVER:
        if game.to_act is None:
            game, _ = game.deal(seed)
        else:
            game, _ = game.apply(move_of(seats[game.to_act].move(game, rng)))
    assert game.score.nuggets is not None
    return game.score.nuggets


MOMENTS: Final = ("a quarter of the way", "half-way", "at the end")
"""The moments of a round at which suspicions are measured."""


def doubts(scale: Scale) -> Iterator[ReportRow]:
    """Yield how often `search` miners suspect a saboteur most, and the saboteurs' public odds."""
    for name in ("greedy", "wary", "search"):
        pairing = Pairing("search", name, scale.fewer_playouts)
        count: Counter[str] = Counter()
        for result in each(partial(_doubts, pairing), scale.fewer, scale.jobs):
            count += result
        asked, hidden = count["asked"], max(count["saboteurs"], 1)
        yield name, "by chance", asked, f"{count['chance'] / asked:.1f}%", ""
        for when in MOMENTS:
            eyes = f"{count[f'eyes {when}'] / hidden:.0f}%"
            yield name, when, asked, percent(count[when], asked), eyes


def _doubts(pairing: Pairing, number: int) -> Counter[str]:
    """Count, for one round, the miners asked and how often they are right.

    Shares are in hundredths: the chance to be right by guessing, and the public saboteur
    probability of each saboteur.
    """
    states, *_ = pairing.play(number)
    before = states[:-1]
    roles = states[-1].round.roles
    count: Counter[str] = Counter()
    for seat, role in enumerate(roles):
        if role is Role.MINER:
            count["asked"] += 1
            count["chance"] += round(100 * roles.count(Role.SABOTEUR) / (len(roles) - 1))
        else:
            count["saboteurs"] += 1
        for when, state in zip(MOMENTS, _moments(before), strict=True):
            if role is Role.MINER:
                count[when] += roles[most_suspected(state, seat)] is Role.SABOTEUR
            else:
                public = infer_public_beliefs(observe(state.view(None)))
                count[f"eyes {when}"] += round(100 * public.saboteur[seat])
    return count


def _moments(states: list[Game]) -> tuple[Game, ...]:
    """Return the states a quarter through a round, half-way, and before its last move."""
    return states[len(states) // 4], states[len(states) // 2], states[-1]


def most_suspected(game: Game, seat: int) -> int:
    """Return the other seat that a miner has most reason to suspect."""
    doubts = infer_beliefs(observe(game.view(seat))).saboteur
    return max((other for other in range(len(doubts)) if other != seat), key=doubts.__getitem__)
