"""The standings of a club's night: everybody's gold beside an equal share of each game."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from net.files import private_folder, replace
from net.protocol.lobby import bot_names
from net.protocol.night import Night
from sabtui.after.library_index import IndexedGame, IndexedPlayer
from sabtui.after.standings import PersonStanding, standings
from sabtui.after.standings_table import people_lines, standings_csv

WITH_PAR: Final = (0, 4, 5, 2, 1)
"""Columns of the standings: name, gold, par, games won, games."""


def night_games(night: Night) -> list[IndexedGame]:
    """Return the finished games of a night; bots sit after the people."""
    return [
        _index_game(night, f"{number}.{at}", number, table.people, table.gold)
        for number, one in enumerate(night.rounds, 1)
        for at, table in enumerate(one.tables, 1)
        if table.gold
    ]


def _index_game(
    night: Night, game: str, number: int, people: tuple[int, ...], gold: tuple[int, ...]
) -> IndexedGame:
    names = [night.people[one] for one in people]
    names += bot_names(len(gold) - len(names), {name.casefold() for name in night.people})
    return IndexedGame(
        id=game,
        file="",
        date=float(number),
        place="",
        edition=night.edition,
        rounds=night.length,
        winners="",
        is_over=True,
        seen=None,
        my_seat=None,
        players=tuple(
            IndexedPlayer(name, "", nuggets) for name, nuggets in zip(names, gold, strict=True)
        ),
    )


def night_standings(night: Night) -> tuple[PersonStanding, ...]:
    """Return the standing of every person of a night, most gold first, without the bots."""
    people = set(night.people)
    found = standings(night_games(night), with_bots=True)
    return tuple(one for one in found if one.name in people)


def night_table(night: Night) -> list[str]:
    """Return the standings of a night as the lines of a table."""
    return people_lines(night_standings(night), len(night_games(night)), WITH_PAR)


def save_night(night: Night, stem: Path) -> None:
    """Write the results of a night beside each other, as CSV and as JSON.

    In JSON `par` is the gold of equal shares, and a table has its people's gold if its game ended;
    where there is more gold than there are names, it is that of bots.

    Raises OSError: they cannot be written.
    """
    found = night_standings(night)
    results = [
        {
            "name": one.name,
            "games": one.games,
            "won": one.won,
            "gold": one.gold,
            "par": round(one.par, 3),
        }
        for one in found
    ]
    tables = [
        {"round": number, "table": at, "people": night.names_at(table), "gold": table.gold}
        for number, one in enumerate(night.rounds, 1)
        for at, table in enumerate(one.tables, 1)
    ]
    whole = msgspec.json.encode({"rounds": night.planned, "people": results, "tables": tables})
    private_folder(stem.parent)
    for ending, data in {
        ".csv": standings_csv(found).encode(),
        ".json": msgspec.json.format(whole),
    }.items():
        replace(stem.with_name(f"{stem.name}{ending}"), data)
