"""The mine drawn as SVG, card by card: what `View.picture` returns, and notebooks show.

Nothing depends on colour alone: a dead end has a cross where its arms stop, tunnels that are cut
off are thin and dashed, the treasure has a star, and a stone a disc.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from engine.board import GOAL_CELLS, START, Board, CardState, Cell, row_name
from engine.cards import E, Goal, N, Path, S, W
from engine.tokens import format_cell

CARD_WIDTH, CARD_HEIGHT = 44, 56
"""Size of a card, in the picture's units."""

CARD_GAP: Final = 3
"""Units between two cards."""

MARGIN: Final = 26
"""Units around the mine, for the names of columns and rows."""

HEADING_HEIGHT: Final = 30
"""Height of the heading above a mine, in units."""

LINE_HEIGHT: Final = 18
"""Height of a line of text below a mine, in units."""

MIN_WIDTH: Final = 720
"""Minimum width of a picture, so that the players fit below the mine."""

ROCK, SAND, GOLD, STONE, INK, GROUND, RED = (
    "#4a3b2c",
    "#e0bd7c",
    "#f2c14e",
    "#a9a49a",
    "#eae3d3",
    "#1b1714",
    "#e4572e",
)
"""Colours of cards and signs."""

_MIDDLE: Final = (CARD_WIDTH // 2, CARD_HEIGHT // 2)
_ENDS: Final = {
    N: (_MIDDLE[0], 0),
    E: (CARD_WIDTH, _MIDDLE[1]),
    S: (_MIDDLE[0], CARD_HEIGHT),
    W: (0, _MIDDLE[1]),
}
"""The point at which a tunnel leaves a card, by side."""

_REACH: Final = {True: 1.0, False: 0.45}
"""How far an arm of a tunnel, and of a dead end, reaches towards the middle."""

_LADDER: Final = "M16 12v32m12-32v32m-12-26h12m-12 8h12m-12 8h12"
_STAR: Final = "M22 14l4 9 10 1-7 7 2 10-9-5-9 5 2-10-7-7 10-1z"


def draw_mine(
    board: Board, goals: Sequence[Goal | None], heading: str, lines: Sequence[str]
) -> str:
    """Return a mine as an SVG document, with a heading above it and lines of text below it.

    `goals` are their faces as far as they are known, from north to south. The texts are escaped
    here.
    """
    left, upper, wide, high = _measure_box(board.cards)
    below = HEADING_HEIGHT + high + LINE_HEIGHT
    width, height = max(MIN_WIDTH, wide), below + LINE_HEIGHT * (len(lines) + 1)
    cards = [
        draw_card(path, board.state_of(cell), *_find_place(cell))
        for cell, path in board.cards.items()
    ]
    signs = [
        _draw_sign(cell, board.cards.get(cell), goal)
        for cell, goal in ((START, None), *zip(GOAL_CELLS, goals, strict=True))
    ]
    texts = [
        f'<text x="16" y="{below + LINE_HEIGHT * number}" font-size="13" '
        f'font-family="monospace" xml:space="preserve" fill="{INK}">{escape(line)}</text>'
        for number, line in enumerate(lines)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif" role="img"><title>{escape(heading)}</title>'
        f'<rect width="{width}" height="{height}" fill="{GROUND}"/>'
        f'<text x="16" y="24" font-size="15" font-weight="bold" fill="{INK}">'
        f"{escape(heading)}</text>"
        f'<svg x="0" y="{HEADING_HEIGHT}" width="{wide}" height="{high}" '
        f'viewBox="{left} {upper} {wide} {high}">'
        f"{_draw_axes(board.cards)}{''.join(cards)}{''.join(signs)}</svg>"
        f"{''.join(texts)}</svg>\n"
    )


def draw_card(path: Path, state: CardState, x: int, y: int) -> str:
    """Return a card that lies face up, its upper left corner at this point."""
    wide = 8 if state is CardState.CUT_OFF else 16
    dashed = ' stroke-dasharray="4 3"' if state is CardState.CUT_OFF else ""
    arms = " ".join(_draw_arm(side, _REACH[path.through]) for side in _ENDS if path.edges & side)
    if path.through:
        middle_x, middle_y = _MIDDLE
        middle = f'<circle cx="{middle_x}" cy="{middle_y}" r="{wide / 2:g}" fill="{SAND}"/>'
    else:
        cross = "M17 23l10 10m0-10l-10 10"
        middle = f'<path class="dead" d="{cross}" stroke="{RED}" stroke-width="3"/>'
    return (
        f'<g class="{path.text} {state.value}" transform="translate({x} {y})">'
        f'{_draw_blank(ROCK)}<path d="{arms}" stroke="{SAND}" stroke-width="{wide}" '
        f'stroke-linejoin="round"{dashed} fill="none"/>{middle}</g>'
    )


def _draw_blank(fill: str) -> str:
    return f'<rect width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="5" fill="{fill}"/>'


def _draw_arm(side: int, reach: float) -> str:
    """Return an arm as a stroke from the card's edge towards its middle."""
    (x, y), (middle_x, middle_y) = _ENDS[side], _MIDDLE
    return f"M{x} {y}L{x + (middle_x - x) * reach:g} {y + (middle_y - y) * reach:g}"


def _draw_sign(cell: Cell, path: Path | None, goal: Goal | None) -> str:
    """Return what is drawn over the card of the start or of a goal; pale if it lies face down."""
    x, y = _find_place(cell)
    if cell == START:
        sign = f'<path d="{_LADDER}" stroke="{INK}" stroke-width="2.5"/>'
    else:
        face = goal if path is None else Goal.lying(path)
        known = "" if face is None else f": {'treasure' if face is Goal.TREASURE else 'stone'}"
        blank, pale = (_draw_blank("#2d2620"), ' opacity="0.55"') if path is None else ("", "")
        title = f"<title>{format_cell(cell)}{known}</title>"
        sign = f"{title}{blank}<g{pale}>{_draw_face(face)}</g>"
    return f'<g transform="translate({x} {y})">{sign}</g>'


def _draw_face(face: Goal | None) -> str:
    """Return the sign of a goal: a star, a disc, or a question mark for one that is not known."""
    match face:
        case None:
            middle = 'x="22" y="36" text-anchor="middle" font-size="24"'
            return f'<text {middle} fill="{INK}">?</text>'
        case Goal.TREASURE:
            return f'<path class="gold" d="{_STAR}" fill="{GOLD}" stroke="{GROUND}"/>'
        case _:
            disc = 'class="stone" cx="22" cy="28" r="11"'
            return f'<circle {disc} fill="{STONE}" stroke="{GROUND}"/>'


def _find_place(cell: Cell) -> tuple[int, int]:
    """Return where the upper left corner of a cell's card lies; the start's is at (0, 0)."""
    return cell[0] * (CARD_WIDTH + CARD_GAP), cell[1] * (CARD_HEIGHT + CARD_GAP)


def _find_ranges(cells: Iterable[Cell]) -> tuple[range, range]:
    """Return the columns and the rows of these cells, the start and the goals."""
    xs, ys = zip(*(START, *GOAL_CELLS, *cells), strict=True)
    return range(min(xs), max(xs) + 1), range(min(ys), max(ys) + 1)


def _measure_box(cells: Iterable[Cell]) -> tuple[int, int, int, int]:
    """Return the box around these cells, the start and the goals: x, y, width, height."""
    xs, ys = _find_ranges(cells)
    left, top = _find_place((xs.start, ys.start))
    right, foot = _find_place((xs.stop, ys.stop))
    return left - MARGIN, top - MARGIN, right - left + 2 * MARGIN, foot - top + 2 * MARGIN


def _draw_axes(cells: Iterable[Cell]) -> str:
    """Return the names of the columns and rows of these cells, as in the notation."""
    xs, ys = _find_ranges(cells)
    left, top, *_size = _measure_box(cells)
    columns = "".join(
        f'<text x="{_find_place((x, 0))[0] + CARD_WIDTH // 2}" y="{top + 18}">{x}</text>'
        for x in xs
    )
    rows = "".join(
        f'<text x="{left + 12}" y="{_find_place((0, y))[1] + CARD_HEIGHT // 2 + 4}">'
        f"{row_name(y)}</text>"
        for y in ys
    )
    look = f'font-size="12" text-anchor="middle" fill="{INK}" opacity="0.6"'
    return f'<g class="axes" {look}>{columns}{rows}</g>'
