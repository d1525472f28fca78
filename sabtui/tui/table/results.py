"""Results: the end of a round in place of the hand, the end of a game in place of the mine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rich.cells import cell_len

from engine.cards import Role
from engine.events import RoundEnded
from sabtui.table.sight import Sight
from sabtui.text.events import round_won, unveil_lines, winners
from sabtui.text.i18n import _
from sabtui.text.layout import confine_lines
from sabtui.text.names import PlayerNames
from sabtui.text.results import award_lines, saboteurs_line
from sabtui.tui.table.podium import draw_podiums, rank_players
from sabtui.tui.table.result_columns import (
    GAP_COLUMNS,
    Column,
    column_sets,
    gold_won,
    played_columns,
    role_look,
    role_shown,
    width_of,
)
from sabtui.tui.theme import Glyphs, drawable, large
from sabtui.tui.widgets.rows import Look, Row, StyledSpan, cut, fill_row, fit_text

MAX_INNER_COLUMNS: Final = 120
"""Most columns inside the box on a screen."""

MIN_NAME_COLUMNS, MAX_NAME_COLUMNS = 12, 26
"""Columns that a name keeps when others are shown beside it, and most columns of a name."""

MIN_SEAT_COLUMNS, MAX_SEAT_COLUMNS = 6, 16
"""Least and most columns of a player in the table of a round."""

MIN_TABLE_ROWS: Final = 4
"""Rows below which a round is told in sentences alone: the winner, names, roles and gold."""


def round_rows(sight: Sight, columns: int, rows: int) -> list[Row]:
    """Return who won the round, the dwarves, their gold, and what they did if there are rows."""
    end, names = sight.view.table.end, sight.names
    if end is None:
        return []
    won, *_others = lines = [round_won(end), *unveil_lines(end, names)]
    checks = [
        (StyledSpan(f" {line}", Look.PLAIN),)
        for line in confine_lines(sight.checks, columns - 2, 0)
    ]
    above = rows - len(checks)
    if above >= MIN_TABLE_ROWS and (table := _round_table(end, sight, columns)):
        text = won if cell_len(won) <= columns - 2 else treasure_sentence(end.winner)
        return [*[(StyledSpan(f" {text}", Look.STRONG),), *table][:above], *checks]
    broken = confine_lines(lines, columns - 2, 0)
    told: list[Row] = [
        (StyledSpan(f" {line}", Look.STRONG if at == 0 else Look.PLAIN),)
        for at, line in enumerate(broken)
    ]
    return [*told[: max(above, 1)], *checks][:rows]


def award_rows(sight: Sight, columns: int, rows: int) -> list[Row]:
    """Return how the evening stands, checks, the saboteurs, and who did most of what."""
    awards = award_lines(sight.tally, sight.record, sight.names)
    saboteurs = saboteurs_line(sight.tally, sight.names)
    lines = [*sight.evening, *sight.checks, *filter(None, [saboteurs]), *awards]
    broken = confine_lines(lines, columns - 2, 2)
    return [(StyledSpan(f" {line}", Look.STRONG),) for line in broken[:rows]]


def _longest_name(sight: Sight) -> int:
    """Return the terminal cells of the longest name."""
    return max(cell_len(sight.names.name(seat)) for seat in sight.seats)


def treasure_sentence(winner: Role) -> str:
    """Return the sentence on the treasure, which does not tell who is who."""
    if winner is Role.MINER:
        return _("The treasure is reached.")
    return _("The treasure stays hidden.")


def _round_table(end: RoundEnded, sight: Sight, columns: int) -> list[Row]:
    """Return a column for each player, no rows if there is no room for that."""
    tally, names, seats = sight.tally, sight.names, range(len(end.roles))
    of_gold, played = _("gold"), played_columns(tally)
    headings = (*([of_gold] if tally.rounds else []), *(line.heading for line in played))
    left = max(map(cell_len, headings)) + 2
    each = min((columns - left - 1) // len(seats), MAX_SEAT_COLUMNS)
    if each < MIN_SEAT_COLUMNS:
        return []
    lines = [Column("", tuple(map(role_shown, end.roles)), tuple(map(role_look, end.roles)))]
    if tally.rounds:
        gold = tuple(gold_won(tally.rounds[-1], seat, each - 1) for seat in seats)
        lines.append(Column(of_gold, gold, (Look.GOLD,) * len(seats)))
    lines += played
    marked = tuple(map(names.name, seats))
    called = marked if _longest_name(sight) < each else names.names
    lines.insert(0, Column("", called, (Look.STRONG,) * len(seats)))
    return [
        (
            StyledSpan(f" {fit_text(line.heading, left)}", Look.DIM),
            *(
                StyledSpan(fit_text(cut(text, each - 1), each), look)
                for text, look in zip(line.cells, line.looks, strict=True)
            ),
        )
        for line in lines
    ]


def final_rows(
    sight: Sight, columns: int, rows: int, glyphs: Glyphs, places: int | None = None
) -> list[Row]:
    """Return the winner in large letters, and everybody's gold, rounds and counts, in the middle.

    If columns are scarce, counts go, then rounds. If rows are scarce, the blank lines go, then the
    box, then the large letters. With `places`, only so many of those with the least gold have come
    up the podium yet, and the winner is not known before all have. Where cards are drawn, so is the
    podium.
    """
    for podium in draw_podiums(rank_players(sight), columns, glyphs, places):
        for lines in _compositions(sight, _choose_columns(sight, columns), columns, glyphs, places):
            for both in ([*podium, (), *lines], [*podium, *lines]):
                if len(both) <= rows:
                    return _in_the_middle(both, columns, columns, rows)
    inner = min(columns - 4, MAX_INNER_COLUMNS)
    boxed, bare = _choose_columns(sight, inner), _choose_columns(sight, columns)
    if len(boxed) == len(bare):
        first, *others = _compositions(sight, boxed, inner, glyphs, places)
        for lines in (first, *others):
            is_airy = len(lines) > sight.view.table.players + 3 and lines[0] == first[0]
            if len(lines) + 2 <= rows and is_airy:
                return _in_the_middle(draw_box(lines, inner, glyphs), inner + 4, columns, rows)
    for lines in _compositions(sight, bare, columns, glyphs, places):
        if len(lines) <= rows:
            break
    return _in_the_middle(lines[:rows], columns, columns, rows)


def _choose_columns(sight: Sight, columns: int) -> tuple[Column, ...]:
    """Return the most columns that leave room for the names."""
    named = min(_longest_name(sight), MIN_NAME_COLUMNS)
    sets = list(column_sets(sight.view, sight.tally))
    return next((one for one in sets if width_of(one) + named <= columns), sets[-1])


def _compositions(
    sight: Sight, chosen: Sequence[Column], columns: int, glyphs: Glyphs, places: int | None
) -> Iterator[list[Row]]:
    """Yield the result as rows, from the airiest to one without a heading."""
    winning, names = sight.view.score.winners, sight.names
    assert winning is not None
    heading, *ranks = _table(sight, chosen, columns)
    letters = _in_large(winning, names, columns, glyphs)
    won = _centre(winners(winning, names), columns, Look.GOLD)
    if places is not None and places < len(ranks):
        letters, won = [()] * len(letters), [()] * len(won)
        ranks[: len(ranks) - places] = [()] * (len(ranks) - places)
    table = [heading, *ranks]
    if letters:
        yield [*letters, (), *won, (), *table]
        yield [*letters, *won, (), *table]
        yield [*letters, *won, *table]
    yield [*won, (), *table]
    yield [*won, *table]
    yield [*won, *ranks]


def _in_large(seats: Sequence[int], names: PlayerNames, columns: int, glyphs: Glyphs) -> list[Row]:
    """Return the winners' names in large letters, nothing if they cannot be drawn or are long."""
    spelt = [drawable(names.names[seat]) for seat in seats]
    if not all(spelt):
        return []
    lines = large(" + ".join(spelt), glyphs)
    wide = max(map(len, lines))
    if wide > columns:
        return []
    return [_line(line.ljust(wide), columns, Look.GOLD) for line in lines]


def _centre(text: str, columns: int, look: Look) -> list[Row]:
    return [_line(line, columns, look) for line in confine_lines([text], columns, 0)]


def _line(text: str, columns: int, look: Look) -> Row:
    """Return a text centred in `columns` cells; wide letters take two."""
    # str.center counts letters, not cells.
    return (StyledSpan(text.center(columns - cell_len(text) + len(text)), look),)


def _table(sight: Sight, chosen: Sequence[Column], columns: int) -> list[Row]:
    """Return the headings, then the players, those with the most gold first."""
    score, names = sight.view.score, sight.names
    assert score.nuggets is not None
    assert score.winners is not None
    wide = width_of(chosen)
    named = min(columns - wide, MAX_NAME_COLUMNS, _longest_name(sight))
    side, gap = " " * ((columns - wide - named) // 2), StyledSpan(" " * GAP_COLUMNS)
    heading: list[StyledSpan] = [StyledSpan(side + " " * named)]
    for column in chosen:
        heading += [gap, StyledSpan(column.align(column.heading), Look.DIM)]
    rows: list[Row] = [tuple(heading)]
    for seat, _nuggets in sorted(enumerate(score.nuggets), key=lambda each: -each[1]):
        look = Look.GOLD if seat in score.winners else Look.PLAIN
        row = [StyledSpan(side + fit_text(cut(names.name(seat), named), named), look)]
        for column in chosen:
            row += [gap, column.cell(seat)]
        rows.append(tuple(row))
    return rows


def draw_box(lines: Sequence[Row], inner: int, glyphs: Glyphs) -> list[Row]:
    """Return lines in a frame."""
    frame = glyphs.face_down
    upper_left, upper_right, lower_left, lower_right = tuple(frame.corners)
    across = frame.across * (inner + 2)
    side, other = StyledSpan(f"{frame.along} ", Look.RULE), StyledSpan(f" {frame.along}", Look.RULE)
    return [
        (StyledSpan(upper_left + across + upper_right, Look.RULE),),
        *((side, *fill_row(line, inner), other) for line in lines),
        (StyledSpan(lower_left + across + lower_right, Look.RULE),),
    ]


def _in_the_middle(lines: Sequence[Row], wide: int, columns: int, rows: int) -> list[Row]:
    """Return lines centred in `columns` and `rows`."""
    left = StyledSpan(" " * max((columns - wide) // 2, 0))
    above = max((rows - len(lines)) // 2, 0)
    shown: list[Row] = [()] * above + [(left, *line) for line in lines]
    return [fill_row(row, columns) for row in (shown + [()] * rows)[:rows]]
