"""Dwarves as they stand at the end, where cards are drawn: on a podium, and as cards turned over.

The players' colours are not needed to tell them apart: each has a name below it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

from rich.cells import cell_len

from engine.events import RoundEnded
from sabtui.art.catalogue import Drawing, find_dwarf, find_pile, find_role
from sabtui.art.store import Size, list_sizes
from sabtui.table.sight import Sight
from sabtui.tui.mine.cards import draw_picture
from sabtui.tui.table.faces import FaceStyle, draw_largest
from sabtui.tui.table.result_columns import role_look, role_shown
from sabtui.tui.theme import Glyphs
from sabtui.tui.widgets.rows import (
    Ground,
    Look,
    Row,
    StyledSpan,
    centre_text,
    fill_row,
    join_rows,
    merge_pieces,
    player_look,
    width,
)

MOST_STEPS: Final = 3
"""Heights of the podium's steps: all but the first ranks stand on the last one."""

PILE: Final = (6, 3)
"""Columns and rows of a pile of gold."""

PILED_ROWS: Final = 6
"""Rows of dwarves from which on there are piles of gold on the steps."""


class Winner(NamedTuple):
    """Somebody on a podium: the number of their colour, their gold, and how many have more."""

    name: str
    colour: int
    gold: int
    rank: int
    is_first: bool


def rank_players(sight: Sight) -> list[Winner]:
    """Return the players of a game by their gold, nobody before its end."""
    score, names = sight.view.score, sight.names
    return [
        Winner(
            names.names[seat],
            names.colour(seat),
            gold,
            sum(more > gold for more in score.nuggets or ()),
            seat in (score.winners or ()),
        )
        for seat, gold in sorted(enumerate(score.nuggets or ()), key=lambda each: -each[1])
    ]


def draw_podiums(
    ranked: Sequence[Winner], columns: int, glyphs: Glyphs, places: int | None = None
) -> Iterator[list[Row]]:
    """Yield a podium as large as there are columns for, then smaller ones.

    Those who come first stand in the middle. With `places`, only so many of the last have come up
    yet.
    """
    if glyphs.cards is None or not ranked:
        return
    below = 0 if places is None else len(ranked) - places
    drawn_up = [(one, at >= below) for at, one in enumerate(ranked)]
    across = [*drawn_up[1::2][::-1], *drawn_up[::2]]
    for size in list_sizes(find_dwarf(0).name)[::-1]:
        if (size[0] + 1) * len(ranked) - 1 <= columns:
            drawn = [_draw_place(one, size, glyphs, is_up=is_up) for one, is_up in across]
            yield _join(drawn, columns)


def _draw_place(one: Winner, size: Size, glyphs: Glyphs, *, is_up: bool) -> list[Row]:
    """Return a dwarf on its step, or the step alone."""
    wide = size[0]
    is_piled = size[1] >= PILED_ROWS
    least = 2 + PILE[1] * is_piled
    high = least + max(MOST_STEPS - 1 - one.rank, 0)
    dwarf: Sequence[Row] = ()
    lines: list[Row] = []
    if is_up:
        dwarf = draw_picture(find_dwarf(one.colour), size, glyphs)
        lines = [_write(one.name, Look.GOLD if one.is_first else Look.STRONG, wide)]
        pile = find_pile(one.gold) if is_piled else None
        if pile is not None:
            lines += draw_largest(pile, (wide, PILE[1]), glyphs, FaceStyle(Ground.CARD))
        lines.append(_write(f"${one.gold}", Look.GOLD, wide))
    lines += [fill_row((), wide, Ground.CARD)] * (high - len(lines))
    above = size[1] - len(dwarf) + least + MOST_STEPS - 1 - high
    return [*[fill_row((), wide)] * above, *dwarf, *lines]


def _write(text: str, look: Look, columns: int) -> Row:
    """Return a text in the middle of a step."""
    return (StyledSpan(centre_text(text, columns), look, Ground.CARD),)


def draw_masks(
    end: RoundEnded, unmasked: Collection[int], sight: Sight, room: Size, glyphs: Glyphs
) -> list[Row]:
    """Return everybody's role card, those of the `unmasked` turned up, and names below them.

    They stand in one line or two. There are no rows where cards are not drawn or have no room.
    """
    seats, (columns, rows) = sight.seats, room
    if glyphs.cards is None:
        return []
    found = [
        (size, across)
        for size in list_sizes("back")
        for across in (len(seats), -(-len(seats) // 2))
        if (size[0] + 1) * across - 1 <= columns
        and (size[1] + 2) * -(-len(seats) // across) <= rows
    ]
    if not found:
        return []
    size, across = max(found, key=lambda one: one[0])
    names = sight.names
    cards = [
        _draw_mask(
            find_role(role) if seat in unmasked else Drawing("back"),
            StyledSpan(names.names[seat], player_look(names.colour(seat))),
            StyledSpan(role_shown(role), role_look(role)) if seat in unmasked else StyledSpan(""),
            size,
            glyphs,
        )
        for seat, role in enumerate(end.roles)
    ]
    wide = (size[0] + 1) * across - 1
    lines = (cards[first : first + across] for first in range(0, len(seats), across))
    return [row for line in lines for row in _join(line, wide)]


def _draw_mask(
    drawing: Drawing, name: StyledSpan, worn: StyledSpan, size: Size, glyphs: Glyphs
) -> list[Row]:
    """Return a card, and below it a player's name and the role's, if that has room."""
    wide = size[0]
    word = "" if cell_len(worn.text) > wide else worn.text
    return [
        *draw_picture(drawing, size, glyphs),
        (name._replace(text=centre_text(name.text, wide)),),
        (worn._replace(text=centre_text(word, wide)),),
    ]


def _join(places: Sequence[Sequence[Row]], columns: int) -> list[Row]:
    """Return rows of equal heights side by side, in the middle of so many columns."""
    gap = StyledSpan(" ")
    joined = (join_rows((gap, *row) for row in line)[1:] for line in zip(*places, strict=True))
    return [
        merge_pieces(fill_row((StyledSpan(" " * ((columns - width(row)) // 2)), *row), columns))
        for row in joined
    ]
