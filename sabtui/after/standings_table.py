"""Standings as a table of text, and what one person won."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sabtui.after.standings import PersonStanding, SideRecord
from sabtui.after.text import bar, estimate_words
from sabtui.text.i18n import _, capitalise, ngettext, pgettext
from sabtui.text.layout import LINE_COLUMNS, align_columns, wrap_lines

PLAIN: Final = (0, 4, 2, 1)  # columns that players care for: name, gold, games won, games
SIDES: Final = slice(6, 8)  # columns of the two sides
BAR_COLUMNS: Final = 12  # width of a bar beside a share


def standings_text(
    standings: Sequence[PersonStanding], games: int, *, numbers: bool = False
) -> str:
    """Return standings as a table of text; with `numbers` all figures, and what they mean."""
    lines = [count_games(games)]
    if standings:
        lines += ["", *align_columns(table_rows(standings, numbers=numbers))]
    if standings and numbers:
        lines += ["", *wrap_lines([figures_note()], LINE_COLUMNS, 0)]
    return "".join(f"{line}\n" for line in lines)


def table_rows(
    standings: Sequence[PersonStanding], *, numbers: bool = False
) -> list[tuple[str, ...]]:
    """Return the titles and each person's row: gold, games won and games, or all figures."""
    rows = [_header(), *map(_row, standings)]
    return rows if numbers else [tuple(row[at] for at in PLAIN) for row in rows]


def count_games(games: int) -> str:
    """Return the sentence that tells how many games are counted."""
    text = ngettext("{count} finished game.", "{count} finished games.", games)
    return text.format(count=games)


def figures_note() -> str:
    """Return what the figures mean."""
    return _(
        "In brackets: 95% interval, then wins expected by chance; + or - means clearly more or "
        "fewer. In a row: current streak / best streak."
    )


def _header() -> tuple[str, ...]:
    return (
        pgettext("standings", "name"),
        pgettext("standings", "games"),
        pgettext("standings", "won"),
        pgettext("standings", "in a row"),
        _("gold"),
        pgettext("standings", "rounds as miner"),
        pgettext("standings", "as saboteur"),
    )


def _row(one: PersonStanding) -> tuple[str, ...]:
    return (
        one.name,
        str(one.games),
        str(one.won),
        f"{one.streak}/{one.best_streak}",
        str(one.gold),
        _side(one.miner),
        _side(one.saboteur),
    )


def _side(side: SideRecord) -> str:
    """Return the wins on a side: counts, the share with its interval, and what luck would give."""
    if side.share is None:
        return "-"
    mark = {1: " +", 0: "", -1: " -"}[side.beyond_luck]
    return f"{side.wins}/{side.rounds} {estimate_words(side.share)} {side.expected:.1f}{mark}"


def person_lines(one: PersonStanding, *, ascii_only: bool, numbers: bool) -> list[str]:
    """Return what somebody won, and on either side the share of rounds as a bar."""
    text = _("Games {games}, won {won}, gold {gold}.")
    line = text.format(games=one.games, won=one.won, gold=one.gold)
    rows = [
        (
            name,
            bar(side.share.value, BAR_COLUMNS, ascii_only=ascii_only),
            _side(side) if numbers else f"{side.wins}/{side.rounds}",
        )
        for name, side in (
            (_("As miner"), one.miner),
            (capitalise(pgettext("standings", "as saboteur")), one.saboteur),
        )
        if side.share is not None
    ]
    return [line, *(align_columns(rows) if rows else ())]
