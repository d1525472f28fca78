"""Win rates, Wilson intervals, counted tables.

How often one side wins against the other, over the same deals for every pairing.

What is counted over many rounds, as the rows of each table.

What is held through a deed, and what is thrown away in a pass: what `holdings` rests on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import log, sqrt
from typing import Final

from engine.bots import LEVELS, Playouts
from engine.bots.actions import ActionKind, Observation, classify
from engine.bots.arena.matches import ORACLE, Player, each, play_game, play_round, won_by_miners
from engine.bots.beliefs import infer_beliefs, public_beliefs
from engine.bots.hand_model import CardUse, Situation, digging, uses
from engine.cards import Card, Goal, Role
from engine.edition import ARGENTINA, EDITIONS, FRANCE, INTERNATIONAL, ITALIA
from engine.game import Game

ReportRow = tuple[object, ...]


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

    def row(self, rounds: int, jobs: int) -> ReportRow:
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


def _pace(players: Iterable[Player]) -> str:
    """Milliseconds of processor time a move."""
    spent, moves = 0.0, 0
    for player in players:
        spent += player.spent
        moves += player.moves
    return f"{1000 * spent / max(moves, 1):.1f}"


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


def sides(scale: Scale) -> Iterator[ReportRow]:
    """Five players, the same deals for every pairing."""
    against = ("greedy", "wary", "search")
    of = [(name, "greedy") for name in against] + [("greedy", name) for name in against[1:]]
    for miners, saboteurs in of:
        yield Pairing(miners, saboteurs, scale.playouts).row(scale.rounds, scale.jobs)


def sizes(scale: Scale) -> Iterator[ReportRow]:
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


def editions(scale: Scale) -> Iterator[ReportRow]:
    """The other books."""
    for edition in (ARGENTINA, ITALIA, FRANCE):
        pairing = Pairing("greedy", "greedy", 0, edition=edition.text)
        yield pairing.row(scale.rounds, scale.jobs)


def gold(scale: Scale) -> Iterator[ReportRow]:
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


MOMENTS: Final = ("a quarter of the way", "half-way", "at the end")


def doubts(scale: Scale) -> Iterator[ReportRow]:
    """Whom `search` miners suspect most, and what all think of the saboteurs, who may hide."""
    for name in ("greedy", "wary", "search"):
        pairing = Pairing("search", name, scale.fewer_playouts)
        count: Counter[str] = Counter()
        for one in each(partial(_doubts, pairing), scale.fewer, scale.jobs):
            count += one
        asked, hidden = count["asked"], max(count["saboteurs"], 1)
        yield name, "by chance", asked, f"{count['chance'] / asked:.1f} %", ""
        for when in MOMENTS:
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
        for when, state in zip(MOMENTS, _moments(before), strict=True):
            if role is Role.MINER:
                count[when] += roles[most_suspected(state, seat)] is Role.SABOTEUR
            else:
                public = public_beliefs(state.view(None))
                count[f"eyes {when}"] += round(100 * public.of[seat])
    return count


def _moments(states: list[Game]) -> tuple[Game, ...]:
    """A quarter of the way through a round, half-way, and before its last move."""
    return states[len(states) // 4], states[len(states) // 2], states[-1]


def most_suspected(game: Game, seat: int) -> int:
    """The other seat that a miner has most reason to suspect."""
    of = infer_beliefs(game.view(seat)).of
    return max((other for other in range(len(of)) if other != seat), key=lambda other: of[other])


def deeds(scale: Scale) -> Iterator[ReportRow]:
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
    for one in classify(game.view(None)):
        to = f" of a {roles[one.target].name.lower()}" if one.target != one.seat else ""
        counts[roles[one.seat], one.kinds[treasure] + to] += 1
    return counts


PASSING_KINDS: Final = (ActionKind.IDLED, ActionKind.WAITED)
THROWN_AWAY: Final = "thrown away"
SMOOTHING_CARDS: Final = 20
"""So many cards as a lift of 0 would have are added to each count, as few tell little."""

LIFT_COLUMNS: Final = ("role", "tools", "deed", "times", *(use.name.lower() for use in CardUse))

LiftKey = tuple[Situation, str]


@dataclass(slots=True)
class Count:
    """Deeds by situation, and cards by their use: held before any deed, and kept through each.

    Of passes apart: what was in the hand, and what was thrown away.
    """

    deeds: Counter[LiftKey] = field(default_factory=Counter)
    held: Counter[tuple[Situation, CardUse]] = field(default_factory=Counter)
    kept: Counter[tuple[LiftKey, CardUse]] = field(default_factory=Counter)
    passed: Counter[tuple[Situation, CardUse]] = field(default_factory=Counter)

    def add(self, other: Count) -> None:
        """Count what the other has, too."""
        self.deeds += other.deeds
        self.held += other.held
        self.kept += other.kept
        self.passed += other.passed


def lifts(scale: Scale) -> Iterator[ReportRow]:
    """How much likelier a card of each use is to be held through each deed, as a logarithm."""
    count = Count()
    for miners in ("search", "wary"):
        for saboteurs in ("greedy", miners):
            pairing = Pairing(miners, saboteurs, scale.fewer_playouts)
            for one in each(partial(_count, pairing), scale.fewer, scale.jobs):
                count.add(one)
    for key in sorted(count.deeds, key=lambda key: (*key[0], key[1])):
        (role, broken), deed = key
        tools = "broken" if broken else "sound"
        lifted = (_lift(count, key, use) for use in CardUse)
        yield role.name.lower(), tools, deed, count.deeds[key], *lifted


def _lift(count: Count, key: LiftKey, use: CardUse) -> str:
    """A lift, for what there is to be counted."""
    situation, deed = key
    if deed == THROWN_AWAY:
        hands = sum(count.passed[situation, use] for use in CardUse)
        usual = count.passed[situation, use] * count.deeds[key] / hands
    else:
        moves = sum(
            times
            for (of, what), times in count.deeds.items()
            if of == situation and what != THROWN_AWAY
        )
        usual = count.held[situation, use] * count.deeds[key] / moves
    lift = log((count.kept[key, use] + SMOOTHING_CARDS) / (usual + SMOOTHING_CARDS))
    return f"{round(lift, 1) + 0:.1f}"


def _count(pairing: Pairing, number: int) -> Count:
    """One round."""
    states = pairing.play(number)[0]
    count = Count()
    for at, deed in enumerate(classify(states[-2].view(None))):
        before, now = states[at], states[at + 1]
        situation = before.round.roles[deed.seat], bool(deed.broken[deed.seat])
        could = uses(deed, digging(deed.board))
        key, thrown = (situation, str(deed.kinds[0])), (situation, THROWN_AWAY)
        hand = before.round.hands[deed.seat]
        played = _played(before, now, deed)
        is_pass = deed.kinds[0] in PASSING_KINDS
        count.deeds[key] += 1
        count.deeds[thrown] += is_pass
        count.kept[thrown, could[played.index]] += is_pass
        for card in hand:
            count.held[situation, could[card.index]] += 1
            count.kept[key, could[card.index]] += 1
            count.passed[situation, could[card.index]] += is_pass
        count.kept[key, could[played.index]] -= 1
    return count


def _played(before: Game, now: Game, deed: Observation) -> Card:
    """The card that a seat played or threw away."""
    drawn: Sequence[Card] = before.round.pile[:1] if deed.drew else ()
    hands = (state.round.hands[deed.seat] for state in (before, now))
    was, left = map(Counter, hands)
    (played,) = (was + Counter(drawn) - left).elements()
    return played
