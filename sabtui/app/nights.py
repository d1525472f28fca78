"""The standings of a club's night, and who has won it."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from net.files import private_folder, replace
from net.protocol.night import Night, NightTable
from sabtui.app.files import defuse_formula
from sabtui.text.i18n import _, join_words, ngettext, pgettext
from sabtui.text.layout import align_columns


class NightStanding(NamedTuple):
    """A person's results in a night; `par` is the gold of equal shares of the same games."""

    name: str
    games: int = 0
    won: int = 0
    gold: int = 0
    par: float = 0.0


def night_games(night: Night) -> list[NightTable]:
    """Return the tables of a night whose games are finished."""
    return [table for one in night.rounds for table in one.tables if table.gold]


def night_standings(night: Night) -> tuple[NightStanding, ...]:
    """Return the standing of every person of a night, most gold first, without the bots."""
    found = {name: NightStanding(name) for name in night.people}
    for table in night_games(night):
        share, most = sum(table.gold) / len(table.gold), max(table.gold)
        for name, gold in zip(night.names_at(table), table.gold, strict=False):  # then bots sit
            one = found[name]
            found[name] = NightStanding(
                name, one.games + 1, one.won + (gold == most), one.gold + gold, one.par + share
            )
    played = (one for one in found.values() if one.games)
    return tuple(sorted(played, key=lambda one: (-one.gold, -one.won, one.name.casefold())))


def night_table(night: Night) -> list[str]:
    """Return the standings of a night as the lines of a table."""
    games, found = len(night_games(night)), night_standings(night)
    text = ngettext("{count} finished game.", "{count} finished games.", games)
    lines = [text.format(count=games)]
    if not found:
        return lines
    header = (
        pgettext("standings", "name"),
        _("gold"),
        pgettext("standings", "won"),
        pgettext("standings", "games"),
    )
    rows = [(one.name, str(one.gold), str(one.won), str(one.games)) for one in found]
    return [*lines, "", *align_columns([header, *rows])]


def night_winners(night: Night) -> list[str]:
    """Return the names of those who lead a night: with the most gold, and most games won."""
    found = night_standings(night)
    return [one.name for one in found if (one.gold, one.won) == (found[0].gold, found[0].won)]


def night_end(night: Night) -> list[str]:
    """Return who has won a night, and its standings; nothing before its end."""
    if not night.is_over or not (names := night_winners(night)):
        return []
    text = ngettext("{names} has won the night.", "{names} have won the night.", len(names))
    return [text.format(names=join_words(names)), *night_table(night)]


def save_night(night: Night, stem: Path) -> None:
    """Write the results of a night beside each other, as CSV and as JSON.

    In JSON `par` is the gold of equal shares, and a table has its people's gold if its game ended;
    where there is more gold than there are names, it is that of bots.

    Raises OSError: they cannot be written.
    """
    found = night_standings(night)
    results = [{**one._asdict(), "par": round(one.par, 3)} for one in found]
    tables = [
        {"round": number, "table": at, "people": night.names_at(table), "gold": table.gold}
        for number, one in enumerate(night.rounds, 1)
        for at, table in enumerate(one.tables, 1)
    ]
    whole = msgspec.json.encode({"rounds": night.planned, "people": results, "tables": tables})
    private_folder(stem.parent)
    for ending, data in {
        ".csv": _csv(found).encode(),
        ".json": msgspec.json.format(whole),
    }.items():
        replace(stem.with_name(f"{stem.name}{ending}"), data)


def _csv(found: Sequence[NightStanding]) -> str:
    """Return standings as CSV; its header is not translated."""
    sheet = io.StringIO()
    rows = csv.writer(sheet, lineterminator="\n")
    rows.writerow(NightStanding._fields)
    rows.writerows(
        (defuse_formula(one.name), one.games, one.won, one.gold, f"{one.par:.3f}") for one in found
    )
    return sheet.getvalue()
