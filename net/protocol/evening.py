"""An evening: the games of one table so far, and what everybody has won in them.

Every table counts its games. A player who leaves keeps the gold in the table of the evening. People
are known by their names, since no two at a table have the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

from msgspec import Meta
from msgspec.structs import replace

from net.protocol.fields import PlayerName, Small, Wire

MAX_ROWS: Final = 40
"""Most people and bots in the table of an evening: as many as there can be at a table."""


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

    @property
    def first(self) -> tuple[EveningRow, ...]:
        """The rows of those who lead: with the most gold, and of those with the most games won."""
        return tuple(row for row in self.rows if _rank(row)[:2] == _rank(self.rows[0])[:2])


MAX_GAMES: Final = 127  # most games that are counted


def _rank(row: EveningRow) -> tuple[int, int, str]:
    """Return the key by which rows are sorted: most gold, then most games won, then by name."""
    return -row.gold, -row.won, row.name.casefold()
