"""Standings over finished games: gold, wins on each side, and what the seats' luck would give.

A person is known by the name that they played under, whatever its case. A round counts as expected
wins for each seat: the share of rounds that its side won, among all rounds of as many players in
these games, one win and one loss added to either side so that few rounds say little.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import count, pairwise
from math import sqrt
from typing import Final

from engine.bots.estimates import STANDARD_ERRORS, Estimate
from engine.cards import Role
from net.protocol.lobby import BOT_NAMES
from net.protocol.text import suffixed_name
from sabtui.after.library import IndexedGame, IndexedPlayer

MINER, SABOTEUR = str(Role.MINER), str(Role.SABOTEUR)


@dataclass(frozen=True, slots=True)
class SideRecord:
    """Rounds that somebody played on a side, and how many of them it won.

    `expected` are the wins that the luck of the seats would give, and `variance` is theirs.
    """

    rounds: int = 0
    wins: int = 0
    expected: float = 0.0
    variance: float = 0.0

    def after(self, *, won: bool, chance: float) -> SideRecord:
        """Return this record after one more round, which its side wins with this probability."""
        return SideRecord(
            self.rounds + 1,
            self.wins + won,
            self.expected + chance,
            self.variance + chance * (1 - chance),
        )

    @property
    def share(self) -> Estimate | None:
        """The share of rounds won, with its interval; `None` without a round."""
        return Estimate.share(self.wins, self.rounds) if self.rounds else None

    @property
    def beyond_luck(self) -> int:
        """1 or -1 if it won surely more or fewer rounds than luck would give, else 0."""
        surplus = self.wins - self.expected
        if abs(surplus) <= STANDARD_ERRORS * sqrt(self.variance) or not self.variance:
            return 0
        return 1 if surplus > 0 else -1


@dataclass(frozen=True, slots=True)
class PersonStanding:
    """A person's results in a number of games.

    `won` are games with the most gold; `streak` of them were won in a row up to now, `best_streak`
    ever.
    """

    name: str
    games: int = 0
    won: int = 0
    gold: int = 0
    miner: SideRecord = SideRecord()
    saboteur: SideRecord = SideRecord()
    streak: int = 0
    best_streak: int = 0

    def after(self, game: IndexedGame, seat: int, chances: Mapping[int, float]) -> PersonStanding:
        """Return this standing after one more game."""
        player, players = game.players[seat], len(game.players)
        won = seat in game.first
        streak = self.streak + 1 if won else 0
        sides = {MINER: self.miner, SABOTEUR: self.saboteur}
        for role, winner in zip(player.roles, game.winners, strict=False):
            chance = chances[players] if role == MINER else 1 - chances[players]
            sides[role] = sides[role].after(won=role == winner, chance=chance)
        return replace(
            self,
            games=self.games + 1,
            won=self.won + won,
            gold=self.gold + (player.gold or 0),
            miner=sides[MINER],
            saboteur=sides[SABOTEUR],
            streak=streak,
            best_streak=max(self.best_streak, streak),
        )


def select_finished(games: Iterable[IndexedGame]) -> list[IndexedGame]:
    """Return the games that are over, the oldest first."""
    return sorted((game for game in games if game.is_over), key=lambda game: (game.date, game.id))


def miners_chances(games: Iterable[IndexedGame]) -> dict[int, float]:
    """Return how likely the miners are to win a round, by the number of players."""
    rounds: Counter[int] = Counter()
    wins: Counter[int] = Counter()
    for game in games:
        rounds[len(game.players)] += len(game.winners)
        wins[len(game.players)] += game.winners.count(MINER)
    return {players: (wins[players] + 1) / (count + 2) for players, count in rounds.items()}


def standings(
    games: Iterable[IndexedGame], me: str = "", *, with_bots: bool = False
) -> tuple[PersonStanding, ...]:
    """Return the standing of every person in these games, most gold first; of bots, too, if wanted.

    `me` is the name of this library's user. A bot is known by its name, as records do not tell who
    was one.
    """
    played = select_finished(games)
    chances = miners_chances(played)
    found: dict[str, PersonStanding] = {}
    for game in played:
        for seat, player in enumerate(game.players):
            name = known_name(game, seat, player, me)
            is_bot = seat != game.my_seat and name.partition(" ")[0] in BOT_NAMES
            if is_bot and not with_bots:
                continue
            standing = found.get(name.casefold(), PersonStanding(name))
            found[name.casefold()] = standing.after(game, seat, chances)
    return tuple(sorted(found.values(), key=lambda one: (-one.gold, -one.won, one.name.casefold())))


def known_name(game: IndexedGame, seat: int, player: IndexedPlayer, me: str) -> str:
    """Return the name that the player of a seat is known by: the one that they played under.

    Where somebody else had the user's name, it was the user who got a number at the table. The user
    is known without it, and the other one, who is another person, with a number.
    """
    if not _is_numbered(game, me):
        return player.name
    if seat == game.my_seat:
        return me
    if player.name.casefold() != me.casefold():
        return player.name
    there = {one.name.casefold() for at, one in enumerate(game.players) if at != game.my_seat}
    numbered = (suffixed_name(me, number) for number in count(2))
    return next(name for name in numbered if name.casefold() not in there)


def _is_numbered(game: IndexedGame, me: str) -> bool:
    """Return True if the user played under their name with a number, as it was taken."""
    if game.my_seat is None or not me:
        return False
    mine = game.players[game.my_seat].name.casefold()
    return any(mine == suffixed_name(me, number).casefold() for number in range(2, MAX_NUMBER + 1))


MAX_NUMBER: Final = 9  # largest number that a table adds to a name

EVENING_GAP_S: Final = 6 * 3600
"""Time without a game, in seconds, after which another evening begins."""


def last_evening(games: Iterable[IndexedGame]) -> list[IndexedGame]:
    """Return the last of these games, and those before it without a long pause between them."""
    ordered = sorted(games, key=lambda game: game.date, reverse=True)
    evening = ordered[:1]
    for later, game in pairwise(ordered):
        if later.date - game.date > EVENING_GAP_S:
            break
        evening.append(game)
    return evening


@dataclass(frozen=True, slots=True)
class GameChoice:
    """Choice of games: since a day, with all of these people.

    Of those, all, or the games of the last evening alone. Games that this user's programs did not
    see are left out.
    """

    since: date | None = None
    people: tuple[str, ...] = ()
    last_evening: bool = False

    def select(self, games: Iterable[IndexedGame], me: str = "") -> list[IndexedGame]:
        """Return the games that are looked at."""
        wanted = set(map(str.casefold, self.people))
        found = [
            game
            for game in games
            if game.is_checked
            and self._is_time(game.date)
            and wanted
            <= {
                known_name(game, seat, player, me).casefold()
                for seat, player in enumerate(game.players)
            }
        ]
        return last_evening(found) if self.last_evening else found

    def _is_time(self, seconds: float) -> bool:
        try:
            day = datetime.fromtimestamp(seconds).date()  # noqa: DTZ006 - the user's own days
        except (ValueError, OverflowError, OSError):
            return self.since is None
        return self.since is None or day >= self.since
