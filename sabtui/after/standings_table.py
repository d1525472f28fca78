"""Standings as text, CSV and HTML, and the user's own statistics with small plots.

Names come from strangers: in CSV none is taken for a formula, in HTML none for markup.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from sabtui.after.standings import OwnStatistics, PersonStanding, SideRecord
from sabtui.after.text import bar, curve, estimate_words
from sabtui.app.files import defuse_formula
from sabtui.text.cards import players_counted
from sabtui.text.i18n import _, capitalise, current_language, ngettext, pgettext
from sabtui.text.layout import LINE_COLUMNS, align_columns, wrap_lines
from sabtui.text.settings import edition_name

PLAIN: Final = (0, 4, 2, 1)  # columns that players care for: name, gold, games won, games
SIDES: Final = slice(6, 8)  # columns of the two sides
BAR_COLUMNS: Final = 12  # width of a bar beside a share
CURVE_COLUMNS, CURVE_ROWS = 60, 6  # size of the curve of gold, in characters


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


def unchecked_sentence(games: int, how: str) -> str:
    """Return the sentence that games are left out, and `how` they are counted: a key or option."""
    text = ngettext(
        "{count} game that your own program did not see is left out; {how} counts it.",
        "{count} games that your own program did not see are left out; {how} counts them.",
        games,
    )
    return text.format(count=games, how=how)


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


def standings_csv(standings: Sequence[PersonStanding]) -> str:
    """Return standings as CSV, a column for each figure; its header is not translated."""
    sheet = io.StringIO()
    rows = csv.writer(sheet, lineterminator="\n")
    sides = [
        f"{side}_{figure}"
        for side in ("miner", "saboteur")
        for figure in ("rounds", "wins", "low", "high", "expected")
    ]
    rows.writerow(["name", "games", "won", "streak", "best_streak", "gold", *sides])
    for one in standings:
        figures = [one.games, one.won, one.streak, one.best_streak, one.gold]
        rows.writerow(
            [defuse_formula(one.name), *figures, *_figures(one.miner), *_figures(one.saboteur)]
        )
    return sheet.getvalue()


def _figures(side: SideRecord) -> Iterator[str]:
    yield from (str(side.rounds), str(side.wins))
    share = side.share
    yield from ("", "") if share is None else (f"{share.low:.3f}", f"{share.high:.3f}")
    yield f"{side.expected:.3f}"


STYLE: Final = (
    ":root{color-scheme:dark light}body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;"
    "max-width:70rem;padding:0 1rem}table{border-collapse:collapse;width:100%}"
    "th,td{text-align:start;padding:.3rem .7rem .3rem 0;border-bottom:1px solid #8886}"
    "td{font-variant-numeric:tabular-nums}"
)


def standings_html(
    standings: Sequence[PersonStanding], games: int, *, numbers: bool = False
) -> str:
    """Return standings as a page that asks for nothing from anywhere."""
    titles, *rows = table_rows(standings, numbers=numbers)
    head = "".join(f'<th scope="col">{escape(title)}</th>' for title in titles)
    body = "".join(map(_html_row, rows))
    notes = f"<p>{escape(figures_note())}</p>" if numbers else ""
    title = escape(capitalise(_("standings")))
    return (
        f'<!DOCTYPE html>\n<html lang="{escape(current_language().replace("_", "-"))}"><head>'
        '<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head>\n<body><h1>{title}</h1>"
        f"<p>{escape(count_games(games))}</p>\n<table><thead><tr>{head}</tr></thead>\n"
        f"<tbody>{body}</tbody></table>\n{notes}</body></html>\n"
    )


def _html_row(cells: Sequence[str]) -> str:
    name, *figures = map(escape, cells)
    return f'<tr><th scope="row">{name}</th>{"".join(f"<td>{one}</td>" for one in figures)}</tr>\n'


TABLE_FORMATS: Final = (".txt", ".csv", ".html")
"""The suffixes of files with standings."""


def format_table(
    suffix: str, standings: Sequence[PersonStanding], games: int, *, numbers: bool
) -> str:
    """Return standings over so many games in one of `TABLE_FORMATS`, with `numbers` all figures."""
    match suffix:
        case ".csv":
            return standings_csv(standings)
        case ".html":
            return standings_html(standings, games, numbers=numbers)
        case _:
            return standings_text(standings, games, numbers=numbers)


def own_text(own: OwnStatistics, *, ascii_only: bool = False, numbers: bool = False) -> str:
    """Return the user's own statistics as text, with bars and a curve.

    What would say the same again is left out: groups if there is one, a curve that is level.
    """
    if not own.whole.games:
        return _("None of your games is over yet.") + "\n"

    def plot(one: PersonStanding) -> list[str]:
        return person_lines(one, ascii_only=ascii_only, numbers=numbers)

    lines = [count_games(own.whole.games), *plot(own.whole)]
    if own.hidden:
        text = _("As a saboteur: found out in {found} of {rounds} rounds of reviewed games.")
        lines.append(text.format(found=own.found_out, rounds=own.hidden))
    for one in own.by_edition[len(own.by_edition) == 1 :]:
        name = edition_name(one.name)
        lines += ["", capitalise(_("edition {edition}")).format(edition=name), *plot(one)]
    for one in own.by_players[len(own.by_players) == 1 :]:
        lines += ["", players_counted(int(one.name)), *plot(one)]
    if len(set(own.shares)) > 1:
        text = _("Your share of each game's gold, from none at the bottom to all at the top:")
        lines += ["", text, *curve(own.shares, CURVE_COLUMNS, CURVE_ROWS, ascii_only=ascii_only)]
    return "".join(f"{line.rstrip()}\n" for line in lines)


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
