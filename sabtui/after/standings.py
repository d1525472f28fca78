"""Standings over finished games: gold and games won, of every person.

A person is known by the name that they played under, whatever its case. A bot is known by its name,
as records do not tell who was one. Games that this user's programs did not see are left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from net.protocol.lobby import BOT_NAMES
from sabtui.after.library import KeptGame
from sabtui.text.i18n import _, ngettext, pgettext
from sabtui.text.layout import align_columns


class PersonStanding(NamedTuple):
    """A person's results; `won` are games with the most gold."""

    name: str
    gold: int = 0
    won: int = 0
    games: int = 0


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
    counted = [game for game in games if game.is_over and game.is_checked]
    text = ngettext("{count} finished game.", "{count} finished games.", len(counted))
    lines = [text.format(count=len(counted))]
    if not counted:
        return lines
    header = (
        pgettext("standings", "name"),
        _("gold"),
        pgettext("standings", "won"),
        pgettext("standings", "games"),
    )
    rows = [tuple(map(str, one)) for one in standings(counted)]
    return [*lines, "", *align_columns([header, *rows])]
