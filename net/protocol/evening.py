"""An evening: several games in a row at one table, with a target, and everybody's gold in them.

Seats are drawn for each game, from the seed of the last round of the game before: all programs drew
it together, and everybody can read it in that game's record. A player who leaves keeps the gold in
the table of the evening. People are known by their names, since no two at a table have the same.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Sequence
from enum import IntEnum
from typing import Annotated, Final

from msgspec import Meta
from msgspec.structs import replace

from net.protocol.fields import PlayerName, Small, Wire

MAX_TARGET: Final = 99  # most games, or most gold, that an evening can be played to

MAX_ROWS: Final = 40
"""Most people and bots in the table of an evening: as many as there can be at a table."""

GOLD_SUFFIX: Final = "gold"  # letters after a target that is counted in gold


class TargetUnit(IntEnum):
    """The unit of an evening's target."""

    GAMES = 0
    GOLD = 1


class EveningPlan(Wire, frozen=True):
    """Setting of a table: play an evening to a number of games, or to an amount of gold."""

    unit: TargetUnit
    target: Annotated[int, Meta(ge=1, le=MAX_TARGET)]

    @property
    def text(self) -> str:
        """The target as it is typed: `5` for games, `50gold` for gold."""
        return f"{self.target}{GOLD_SUFFIX if self.unit is TargetUnit.GOLD else ''}"


def read_plan(text: str) -> EveningPlan | None:
    """Return the plan with a typed target, `None` if there can be none."""
    number, gold = text.removesuffix(GOLD_SUFFIX), text.endswith(GOLD_SUFFIX)
    if not re.fullmatch("[1-9][0-9]?", number):
        return None
    return EveningPlan(TargetUnit.GOLD if gold else TargetUnit.GAMES, int(number))


class EveningRow(Wire, frozen=True):
    """A person's games and gold in an evening; `won` are games in which nobody had more gold."""

    name: PlayerName
    games: Small = 0
    won: Small = 0
    gold: Annotated[int, Meta(ge=0, le=9999)] = 0


class Evening(Wire, frozen=True):
    """The table of an evening: how many games are over, and a row for each who played."""

    games: Small = 0
    rows: Annotated[tuple[EveningRow, ...], Meta(max_length=MAX_ROWS)] = ()

    def after(self, names: Sequence[str], nuggets: Sequence[int]) -> Evening:
        """Return this evening after a game in which the players of these names had so much gold.

        If there are too many rows, those with the least gold go who have not played this game.
        """
        found = {row.name.casefold(): row for row in self.rows}
        most = max(nuggets)
        for name, gold in zip(names, nuggets, strict=True):
            row = found.get(name.casefold(), EveningRow(name))
            found[name.casefold()] = replace(
                row,
                games=min(row.games + 1, MAX_GAMES),
                won=min(row.won + (gold == most), MAX_GAMES),
                gold=row.gold + gold,
            )
        played = {name.casefold() for name in names}
        ranked = sorted(
            found.values(), key=lambda row: (row.name.casefold() not in played, *_rank(row))
        )
        rows = sorted(ranked[:MAX_ROWS], key=_rank)
        return Evening(min(self.games + 1, MAX_GAMES), tuple(rows))

    def is_over(self, plan: EveningPlan) -> bool:
        """Return True if the target is reached."""
        return self.measure_progress(plan) >= plan.target

    def measure_progress(self, plan: EveningPlan) -> int:
        """Return the number of games that are over, or the gold of the first player."""
        if plan.unit is TargetUnit.GAMES:
            return self.games
        return max((row.gold for row in self.rows), default=0)

    @property
    def first(self) -> tuple[EveningRow, ...]:
        """The rows of those who lead: with the most gold, and of those with the most games won."""
        return tuple(row for row in self.rows if _rank(row)[:2] == _rank(self.rows[0])[:2])


MAX_GAMES: Final = 127  # most games that are counted


def _rank(row: EveningRow) -> tuple[int, int, str]:
    """Return the key by which rows are sorted: most gold, then most games won, then by name."""
    return -row.gold, -row.won, row.name.casefold()


def draw_seats(seed: bytes, game: int, players: int) -> tuple[int, ...]:
    """Return an order of the numbers below `players`, drawn from a seed after this many games.

    Number i is put before those whose HMAC-SHA256 under the seed, of `sabtui seats`, the number of
    games and i as bytes, is higher.
    """
    return tuple(
        sorted(
            range(players),
            key=lambda at: hmac.digest(seed, b"sabtui seats" + bytes((game, at)), "sha256"),
        )
    )
