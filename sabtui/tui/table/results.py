"""Results: the end of a round in place of the hand, the end of a game in place of the mine.

The dwarves of a finished round are unveiled one by one (R4).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from rich.cells import cell_len

from engine.cards import Role
from engine.view import View
from sabtui.text.cards import nuggets_counted
from sabtui.text.events import round_won, unveiled, winners
from sabtui.text.i18n import _
from sabtui.text.layout import confined
from sabtui.text.names import PlayerNames
from sabtui.tui.theme import Glyphs
from sabtui.tui.widgets.rows import Look, Row, StyledSpan, cut, filled, fitted

MOST_INNER: Final = 56
"""Most columns inside the box."""

MOST_NAME: Final = 26
"""Most columns of a name in the box."""


def round_rows(
    view: View, names: PlayerNames, columns: int, rows: int, so_far: int | None = None
) -> list[Row]:
    """Return who won the round, the dwarves, and what the goals hid.

    With `so_far`, only the winner and that many dwarves.
    """
    end = view.table.end
    if end is None:
        return []
    lines = [round_won(end.winner), *unveiled(end, names)]
    if so_far is not None:
        dwarves = [_dwarf(seat, end.roles[seat], names) for seat in range(so_far)]
        lines = [lines[0], " ".join(dwarves)] if rows > 1 else dwarves[-1:] or lines[:1]
    broken = confined(lines, columns - 2, 0)
    return [
        (StyledSpan(f" {line}", Look.STRONG if at == 0 else Look.PLAIN),)
        for at, line in enumerate(broken[:rows])
    ]


def _dwarf(seat: int, role: Role, names: PlayerNames) -> str:
    """Return a sentence on somebody's dwarf."""
    match role:
        case Role.MINER:
            return names.say(seat, _("You were a miner."), _("{name} was a miner."))
        case Role.SABOTEUR:
            return names.say(seat, _("You were a SABOTEUR!"), _("{name} was a SABOTEUR!"))
        case _:
            assert_never(role)


def final_rows(
    view: View, names: PlayerNames, columns: int, rows: int, glyphs: Glyphs
) -> list[Row]:
    """Return everybody's gold, most first, and the winners, in a box in the middle.

    If rows are scarce, the blank lines go first, then the title, then the box.
    """
    inner = min(columns - 8, MOST_INNER)
    title = _line(cut(_("The game is over"), inner), inner, Look.STRONG)
    ranks, won = _ranks(view, names, inner), _won(view, names, inner)
    for lines in ([title, (), *ranks, (), *won], [title, *ranks, *won], [*ranks, *won]):
        if len(lines) + 2 <= rows:
            return _in_the_middle(_boxed(lines, inner, glyphs), inner + 4, columns, rows)
    inner = columns - 2
    bare = [*_ranks(view, names, inner), *_won(view, names, inner)]
    return _in_the_middle(bare[:rows], inner, columns, rows)


def _won(view: View, names: PlayerNames, columns: int) -> list[Row]:
    """Return the rows that name the winners."""
    assert view.score.winners is not None
    text = winners(view.score.winners, names)
    return [_line(line, columns, Look.GOLD) for line in confined([text], columns, 0)]


def _line(text: str, columns: int, look: Look) -> Row:
    """Return a text centred in `columns` cells; wide letters take two."""
    # str.center counts letters, not cells.
    return (StyledSpan(text.center(columns - cell_len(text) + len(text)), look),)


def _ranks(view: View, names: PlayerNames, columns: int) -> list[Row]:
    """Return everybody's nuggets, most first, as a number and drawn as signs if all fit.

    If columns are scarce, only numbers are shown and names are shortened.
    """
    score = view.score
    assert score.nuggets is not None
    assert score.winners is not None
    ranks = sorted(enumerate(score.nuggets), key=lambda seat: -seat[1])
    counted = [nuggets_counted(nuggets) for _seat, nuggets in ranks]
    named = min(max(cell_len(names.name(seat)) for seat, _nuggets in ranks) + 1, MOST_NAME)
    told = max(map(cell_len, counted))
    left = columns - told - 2 - max(score.nuggets)
    drawn = named <= left
    if drawn:
        named = min(left, MOST_NAME)
    if named + told > columns:
        counted = [f"${nuggets}" for _seat, nuggets in ranks]
        told = max(map(cell_len, counted))
        named = columns - told
    rows: list[Row] = []
    for (seat, nuggets), text in zip(ranks, counted, strict=True):
        look = Look.GOLD if seat in score.winners else Look.PLAIN
        name = fitted(cut(names.name(seat), named - 1), named if drawn else columns - told)
        right = " " * (told - cell_len(text)) + text
        signs = f"  {'$' * nuggets}" if drawn else ""
        rows.append(
            (StyledSpan(name, look), StyledSpan(right, Look.STRONG), StyledSpan(signs, Look.GOLD))
        )
    return rows


def _boxed(lines: Sequence[Row], inner: int, glyphs: Glyphs) -> list[Row]:
    """Return lines in a frame."""
    frame = glyphs.face_down
    upper_left, upper_right, lower_left, lower_right = tuple(frame.corners)
    across = frame.across * (inner + 2)
    side, other = StyledSpan(f"{frame.along} ", Look.RULE), StyledSpan(f" {frame.along}", Look.RULE)
    return [
        (StyledSpan(upper_left + across + upper_right, Look.RULE),),
        *((side, *filled(line, inner), other) for line in lines),
        (StyledSpan(lower_left + across + lower_right, Look.RULE),),
    ]


def _in_the_middle(lines: Sequence[Row], wide: int, columns: int, rows: int) -> list[Row]:
    """Return lines centred in `columns` and `rows`."""
    left = StyledSpan(" " * max((columns - wide) // 2, 0))
    above = max((rows - len(lines)) // 2, 0)
    shown: list[Row] = [()] * above + [(left, *line) for line in lines]
    return [filled(row, columns) for row in (shown + [()] * rows)[:rows]]
