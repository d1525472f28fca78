"""What is counted over many rounds, as the rows of each table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from engine.bots import LEVELS, Playouts
from engine.bots.arena.matches import ORACLE, Player, each, play_game
from engine.bots.arena.pairing import Pairing, Row, percent
from engine.bots.deeds import done
from engine.bots.suspicion import in_public, suspicion
from engine.cards import Goal, Role
from engine.edition import ARGENTINA, FRANCE, ITALIA
from engine.game import Game


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is measured: rounds a side, rounds of the lesser tables, games, table sizes.

    `playouts` is what `search` thinks for a move, `fewer_playouts` in the lesser tables; `jobs`
    is how many processes play.
    """

    rounds: int = 400
    fewer: int = 100
    games: int = 100
    playouts: int = 1000
    fewer_playouts: int = 150
    players: tuple[int, ...] = (3, 5, 7, 10)
    jobs: int = 1


def sides(scale: Scale) -> Iterator[Row]:
    """Five players, the same deals for every pairing."""
    against = ("greedy", "wary", "search")
    of = [(name, "greedy") for name in against] + [("greedy", name) for name in against[1:]]
    for miners, saboteurs in of:
        yield Pairing(miners, saboteurs, scale.playouts).row(scale.rounds, scale.jobs)


def sizes(scale: Scale) -> Iterator[Row]:
    """Small tables and large ones, and what a player can do that sees everything."""
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
            yield pairing.row(scale.fewer, scale.jobs)


def editions(scale: Scale) -> Iterator[Row]:
    """The other books."""
    for edition in (ARGENTINA, ITALIA, FRANCE):
        pairing = Pairing("greedy", "greedy", 0, edition=edition.text)
        yield pairing.row(scale.rounds, scale.jobs)


def gold(scale: Scale) -> Iterator[Row]:
    """Whole games of six, two seats of each level, that change places from game to game."""
    found = each(partial(_gold, scale.fewer_playouts), scale.games, scale.jobs)
    for name in LEVELS:
        won = sum(nuggets[name] for nuggets in found)
        yield name, scale.games, f"{won / scale.games / 2:.2f}"


def _gold(playouts: int, number: int) -> Counter[str]:
    """The nuggets that each level won in one game."""
    names = [*LEVELS] * 2
    first = number % len(names)
    names = [*names[first:], *names[:first]]
    won: Counter[str] = Counter()
    seats = [Player(name, Playouts(playouts)) for name in names]
    for name, nuggets in zip(names, play_game(number, seats), strict=True):
        won[name] += nuggets
    return won


WHEN: Final = ("a quarter of the way", "half-way", "at the end")


def doubts(scale: Scale) -> Iterator[Row]:
    """Whom `search` miners suspect most, and what all think of the saboteurs, who may hide."""
    for name in ("greedy", "wary", "search"):
        pairing = Pairing("search", name, scale.fewer_playouts)
        count: Counter[str] = Counter()
        for one in each(partial(_doubts, pairing), scale.fewer, scale.jobs):
            count += one
        asked, hidden = count["asked"], max(count["saboteurs"], 1)
        yield name, "by chance", asked, f"{count['chance'] / asked:.1f} %", ""
        for when in WHEN:
            eyes = f"{count[f'eyes {when}'] / hidden:.0f} %"
            yield name, when, asked, percent(count[when], asked), eyes


def _doubts(pairing: Pairing, number: int) -> Counter[str]:
    """Of one round: miners asked, how often they were right; shares are in hundredths."""
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
        for when, state in zip(WHEN, _moments(before), strict=True):
            if role is Role.MINER:
                count[when] += roles[most_suspected(state, seat)] is Role.SABOTEUR
            else:
                public = in_public(state.view(None))
                count[f"eyes {when}"] += round(100 * public.of[seat])
    return count


def _moments(states: list[Game]) -> tuple[Game, ...]:
    """A quarter of the way through a round, half-way, and before its last move."""
    return states[len(states) // 4], states[len(states) // 2], states[-1]


def most_suspected(game: Game, seat: int) -> int:
    """The other seat that a miner has most reason to suspect."""
    of = suspicion(game.view(seat)).of
    return max((other for other in range(len(of)) if other != seat), key=lambda other: of[other])


def deeds(scale: Scale) -> Iterator[Row]:
    """How often each side does what, a hundred moves: what suspicion rests on."""
    counts: Counter[tuple[Role, str]] = Counter()
    for name in ("greedy", "wary"):
        for one in each(partial(_deeds, name), scale.rounds, scale.jobs):
            counts += one
    moves = {role: sum(counts[key] for key in counts if key[0] is role) for role in Role}
    for text in sorted({text for _, text in counts}):
        shares = (100 * counts[role, text] / moves[role] for role in Role)
        yield text, *(f"{share:.1f}" for share in shares)


def _deeds(name: str, number: int) -> Counter[tuple[Role, str]]:
    """What either side did in one round, how often."""
    game = Pairing(name, name, 0).play(number)[0][-2]
    roles, treasure = game.round.roles, game.round.goals.index(Goal.TREASURE)
    counts: Counter[tuple[Role, str]] = Counter()
    for one in done(game.view(None)):
        to = f" of a {roles[one.target].name.lower()}" if one.target != one.seat else ""
        counts[roles[one.seat], one.deeds[treasure] + to] += 1
    return counts
