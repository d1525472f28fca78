"""`python -m engine.bots.arena [TABLE...] [--write]`: how well the bots play, measured.

Each round and game is its own deal, from a seed that is told, and all pairings of a table play the
same deals. A run of the same version gives the same figures, but for the times. `--write` puts
the tables into docs/bots.md, each between its own marks.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from math import sqrt
from pathlib import Path
from random import Random
from time import thread_time
from typing import Final

from engine.bots import BOTS, LEVELS, Playouts
from engine.bots.deeds import done
from engine.bots.oracle import oracle
from engine.bots.suspicion import suspicion
from engine.cards import Goal, Role
from engine.deals import deal
from engine.edition import ARGENTINA, FRANCE, INTERNATIONAL, ITALIA, Edition
from engine.game import Game
from engine.moves import Move
from engine.table import Phase

SEED: Final = 7341
PAGE: Final = Path("docs") / "bots.md"
ORACLE: Final = "oracle"


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is measured: rounds a side, rounds of the lesser tables, games, table sizes.

    `playouts` is what `search` thinks for a move, `fewer_playouts` in the lesser tables.
    """

    rounds: int = 400
    fewer: int = 100
    games: int = 30
    playouts: int = 400
    fewer_playouts: int = 150
    players: tuple[int, ...] = (3, 5, 7, 10)


@dataclass(slots=True)
class Player:
    """A bot by its name, or the oracle, and the processor time that it has spent."""

    name: str
    budget: Playouts
    spent: float = 0.0
    moves: int = 0

    def move(self, game: Game, rng: Random) -> Move:
        """What it does in a game in which it is to act."""
        start = thread_time()
        if self.name == ORACLE and game.phase is Phase.PLAY:
            move: Move = oracle(game.round)
        else:
            move = BOTS.get(self.name, BOTS["greedy"])(game.view(game.to_act), rng, self.budget)
        self.spent += thread_time() - start
        self.moves += 1
        return move

    @property
    def pace(self) -> str:
        """Milliseconds of processor time a move."""
        return f"{1000 * self.spent / max(self.moves, 1):.1f}"


def seed_of(number: int) -> bytes:
    """The seed of one deal; the bots' chance comes from it too."""
    return sha256(f"sabtui arena {SEED} {number}".encode()).digest()


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


def play_round(
    number: int, players: int, edition: Edition, sides: Mapping[Role, Player]
) -> list[Game]:
    """Every state of one round; the last is its end."""
    seed = seed_of(number)
    rng = Random(seed)
    game, _ = Game.begin(deal(seed, 1, players), edition, rounds=1)
    states = [game]
    while game.round.table.end is None:
        side = game.round.roles[game.round.table.turn or 0]
        game, _ = game.apply(sides[side].move(game, rng))
        states.append(game)
    return states


def play_game(number: int, seats: Sequence[Player]) -> tuple[int, ...]:
    """The nuggets that each seat won in a whole game."""
    seed = seed_of(number)
    rng = Random(seed)
    game, _ = Game.begin(deal(seed, 1, len(seats)))
    while game.phase is not Phase.OVER:
        if game.phase is Phase.DEAL:
            dealt = deal(seed, game.score.number + 1, len(seats), game.purse.pile)
            game, _ = game.deal(dealt)
        else:
            game, _ = game.apply(seats[game.to_act or 0].move(game, rng))
    return game.score.nuggets


def won_by_miners(states: Sequence[Game]) -> bool:
    """Whether a round ended with the treasure."""
    end = states[-1].round.table.end
    return end is not None and end.winner is Role.MINER


Row = tuple[object, ...]


def pairings(
    rounds: int,
    playouts: int,
    of: Iterable[tuple[str, str]],
    players: int = 5,
    edition: Edition = INTERNATIONAL,
) -> Iterator[Row]:
    """How often the miners of each pairing win, all over the same deals."""
    for miners, saboteurs in of:
        budget = Playouts(playouts)
        sides = {Role.MINER: Player(miners, budget), Role.SABOTEUR: Player(saboteurs, budget)}
        won = sum(
            won_by_miners(play_round(number, players, edition, sides)) for number in range(rounds)
        )
        yield (
            players,
            edition.text,
            miners,
            saboteurs,
            playouts,
            rounds,
            percent(won, rounds),
            sides[Role.MINER].pace,
            sides[Role.SABOTEUR].pace,
        )


PAIRING: Final = (
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


def sides(scale: Scale) -> Iterator[Row]:
    """Five players, the same deals for every pairing."""
    against = ("greedy", "wary", "search")
    of = [(name, "greedy") for name in against] + [("greedy", name) for name in against[1:]]
    yield from pairings(scale.rounds, scale.playouts, of)


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
        yield from pairings(scale.fewer, scale.fewer_playouts, of, players)


def editions(scale: Scale) -> Iterator[Row]:
    """The other books."""
    for edition in (ARGENTINA, ITALIA, FRANCE):
        yield from pairings(scale.rounds, 0, [("greedy", "greedy")], 5, edition)


def gold(scale: Scale) -> Iterator[Row]:
    """Whole games of six, two seats of each level, that change places from game to game."""
    names = [*LEVELS] * 2
    won: Counter[str] = Counter()
    for number in range(scale.games):
        seats = [Player(name, Playouts(scale.fewer_playouts)) for name in names]
        nuggets = play_game(number, seats)
        for name, found in zip(names, nuggets, strict=True):
            won[name] += found
        names = [*names[1:], names[0]]
    for name in LEVELS:
        yield name, scale.games, f"{won[name] / scale.games / 2:.2f}"


def doubts(scale: Scale) -> Iterator[Row]:
    """Whom `search` miners suspect most, of saboteurs that `search` too."""
    budget = Playouts(scale.fewer_playouts)
    both = {role: Player("search", budget) for role in Role}
    right: Counter[str] = Counter()
    asked = 0
    chance = 0.0
    for number in range(scale.fewer):
        states = play_round(number, 5, INTERNATIONAL, both)[:-1]
        roles = states[-1].round.roles
        for seat, role in enumerate(roles):
            if role is Role.MINER:
                asked += 1
                chance += roles.count(Role.SABOTEUR) / (len(roles) - 1)
                for when, state in (("half", states[len(states) // 2]), ("end", states[-1])):
                    right[when] += roles[most_suspected(state, seat)] is Role.SABOTEUR
    yield "by chance", asked, f"{100 * chance / asked:.1f} %"
    yield "half-way", asked, percent(right["half"], asked)
    yield "at the end", asked, percent(right["end"], asked)


def most_suspected(game: Game, seat: int) -> int:
    """The other seat that a miner has most reason to suspect."""
    of = suspicion(game.view(seat)).of
    return max((other for other in range(len(of)) if other != seat), key=lambda other: of[other])


def deeds(scale: Scale) -> Iterator[Row]:
    """How often each side does what, a hundred moves: what suspicion rests on."""
    counts: Counter[tuple[Role, str]] = Counter()
    moves: Counter[Role] = Counter()
    for name in ("greedy", "wary"):
        both = {role: Player(name, Playouts(0)) for role in Role}
        for number in range(scale.rounds):
            game = play_round(number, 5, INTERNATIONAL, both)[-2]
            roles, treasure = game.round.roles, game.round.goals.index(Goal.TREASURE)
            for deed, seat, target in done(game.view(None)):
                to = f" of a {roles[target].name.lower()}" if target != seat else ""
                counts[roles[seat], deed[treasure] + to] += 1
                moves[roles[seat]] += 1
    for text in sorted({text for _, text in counts}):
        shares = (100 * counts[role, text] / moves[role] for role in Role)
        yield text, *(f"{share:.1f}" for share in shares)


@dataclass(frozen=True, slots=True)
class Table:
    """A table of figures: its head, and what measures its rows."""

    head: tuple[str, ...]
    rows: Callable[[Scale], Iterable[Row]]


TABLES: Final[Mapping[str, Table]] = {
    "sides": Table(PAIRING, sides),
    "sizes": Table(PAIRING, sizes),
    "editions": Table(PAIRING, editions),
    "gold": Table(("level", "games", "nuggets a seat and game"), gold),
    "doubts": Table(("when", "miners asked", "a saboteur was the most suspected"), doubts),
    "deeds": Table(("deed", "miners, %", "saboteurs, %"), deeds),
}


def measured(name: str, scale: Scale) -> str:
    """A table in Markdown, with what repeats it."""
    table = TABLES[name]
    rows = [table.head, ("---",) * len(table.head), *table.rows(scale)]
    lines = [f"| {' | '.join(str(cell) for cell in row)} |" for row in rows]
    python = ".".join(str(part) for part in sys.version_info[:3])
    lines += [
        "",
        f"Sabtui {version('sabtui')}, Python {python}, seed {SEED}.",
    ]
    return "\n".join(lines)


def written(page: str, name: str, text: str) -> str:
    """A page with a table put between its marks. Raises `ValueError` where they are missing."""
    begin, end = f"<!-- arena {name} -->\n", f"<!-- end {name} -->"
    before, found, rest = page.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"the page has no marks for the table {name}")
    return f"{before}{begin}{text}\n{end}{after}"


def main(words: Sequence[str], scale: Scale, page: Path = PAGE) -> None:
    """Measure the tables named, or all of them, and print them; `--write` keeps them too."""
    names = [word for word in words if word != "--write"] or [*TABLES]
    if unknown := set(names).difference(TABLES):
        raise SystemExit(f"no such table: {', '.join(sorted(unknown))}; {', '.join(TABLES)}")
    for name in names:
        text = measured(name, scale)
        sys.stdout.write(f"{name}\n\n{text}\n\n")
        if "--write" in words:
            page.write_text(written(page.read_text(encoding="utf-8"), name, text), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:], Scale())
