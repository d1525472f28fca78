"""Standings over finished games: gold and games won, of every person.

A person is known by the name that they played under, whatever its case. A bot is known by its name,
as records do not tell who was one.
"""

from __future__ import annotations

from collections.abc import Iterable

from net.protocol.lobby import BOT_NAMES
from sabtui.after.library import KeptGame
from sabtui.text.evening import PersonStanding, standings_table


def standings(games: Iterable[KeptGame]) -> tuple[PersonStanding, ...]:
    """Return the standing of every person in these games, most gold first."""
    found: dict[str, PersonStanding] = {}
    for game in games:
        for seat, player in enumerate(game.players):
            if seat != game.my_seat and player.name.partition(" ")[0] in BOT_NAMES:
                continue
            before = found.get(player.name.casefold(), PersonStanding(player.name))
            found[player.name.casefold()] = PersonStanding(
                before.name,
                before.gold + (player.gold or 0),
                before.won + (seat in game.first),
                before.games + 1,
            )
    return tuple(sorted(found.values(), key=lambda one: (-one.gold, -one.won, one.name.casefold())))


def standings_lines(games: Iterable[KeptGame]) -> list[str]:
    """Return the standings over games as a table, and how many of them count."""
    counted = [game for game in games if game.is_over]
    return standings_table(len(counted), standings(counted))
