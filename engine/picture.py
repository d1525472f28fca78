"""The mine drawn as SVG, card by card: symbols that are defined once and used where they lie.

Nothing depends on colour alone: a dead end has a cross where its arms stop, tunnels that are cut
off are thin and dashed, the treasure has a star, and a stone a disc. `View.picture` is the shortest
way here; programs that show more take the parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from engine.board import GOAL_CELLS, START, Board, CardState, Cell, row_name
from engine.cards import E, Goal, N, Path, S, W
from engine.tokens import format_cell

NameGoal = Callable[[Goal], str]
"""A function that names the face of a goal in somebody's language."""


CARD_WIDTH, CARD_HEIGHT = 44, 56
"""Size of a card, in the picture's units."""

CARD_GAP: Final = 3
"""Units between two cards."""

MARGIN: Final = 26
"""Units around the mine, in which the columns and rows are named."""

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


def symbol_name(path: Path, state: CardState) -> str:
    """Return the id of the symbol of a card that lies face up."""
    return f"card-{path.text}-{state.name.lower().replace('_', '-')}"


def card_symbol(path: Path, state: CardState) -> str:
    """Return the symbol of a card that lies face up."""
    wide = 8 if state is CardState.CUT_OFF else 16
    dashed = ' stroke-dasharray="4 3"' if state is CardState.CUT_OFF else ""
    arms = " ".join(_arm(side, _REACH[path.through]) for side in _ENDS if path.edges & side)
    cross = ""
    if not path.through:
        cross = f'<path class="dead" d="M17 23l10 10m0-10l-10 10" stroke="{RED}" stroke-width="3"/>'
    return (
        f'<symbol id="{symbol_name(path, state)}">{_card(ROCK)}'
        f'<path class="tunnel" d="{arms}" stroke="{SAND}" stroke-width="{wide}" '
        f'stroke-linecap="butt" stroke-linejoin="round"{dashed} fill="none"/>{_joint(path, wide)}'
        f"{cross}</symbol>"
    )


def _card(fill: str) -> str:
    return f'<rect class="card" width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="5" fill="{fill}"/>'


def _arm(side: int, reach: float) -> str:
    """Return an arm as a stroke from the card's edge towards its middle."""
    (x, y), (middle_x, middle_y) = _ENDS[side], _MIDDLE
    return f"M{x} {y}L{x + (middle_x - x) * reach:g} {y + (middle_y - y) * reach:g}"


def _joint(path: Path, wide: int) -> str:
    """Return the middle in which the arms of a through card meet."""
    if not path.through:
        return ""
    x, y = _MIDDLE
    return f'<circle class="joint" cx="{x}" cy="{y}" r="{wide / 2:g}" fill="{SAND}"/>'


def _name_goal(goal: Goal) -> str:
    return "treasure" if goal is Goal.TREASURE else "stone"


def _sign(cell: Cell, path: Path | None, goal: Goal | None, name_goal: NameGoal) -> str:
    """Return what is drawn over the card of the start or of a goal."""
    if cell == START:
        return f'<path class="ladder" d="{_LADDER}" stroke="{INK}" stroke-width="2.5"/>'
    face = Goal.lying(path) if path is not None else goal
    drawn = _card("#2d2620") if path is None else ""
    title = f"<title>{escape(format_cell(cell))}</title>"
    if face is not None:
        title = f"<title>{escape(format_cell(cell))}: {escape(name_goal(face))}</title>"
    pale = ' opacity="0.55"' if path is None else ""
    return f"{title}{drawn}<g{pale}>{_face(face)}</g>"


def _face(face: Goal | None) -> str:
    match face:
        case None:
            middle = 'x="22" y="36" text-anchor="middle" font-size="24"'
            return f'<text class="ink" {middle} fill="{INK}">?</text>'
        case Goal.TREASURE:
            return f'<path class="gold" d="{_STAR}" fill="{GOLD}" stroke="{GROUND}"/>'
        case _:
            disc = 'class="stone" cx="22" cy="28" r="11"'
            return f'<circle {disc} fill="{STONE}" stroke="{GROUND}"/>'


def place(cell: Cell) -> tuple[int, int]:
    """Return where the upper left corner of a cell's card lies; the start's is at (0, 0)."""
    return cell[0] * (CARD_WIDTH + CARD_GAP), cell[1] * (CARD_HEIGHT + CARD_GAP)


def at(cell: Cell) -> str:
    """Return the place of a cell as attributes."""
    x, y = place(cell)
    return f'x="{x}" y="{y}"'


def view_box(cells: Iterable[Cell]) -> tuple[int, int, int, int]:
    """Return the box around these cells, the start and the goals: x, y, width, height."""
    kept = {START, *GOAL_CELLS, *cells}
    left, top = place((min(x for x, _y in kept), min(y for _x, y in kept)))
    right, foot = place((max(x for x, _y in kept) + 1, max(y for _x, y in kept) + 1))
    return left - MARGIN, top - MARGIN, right - left + 2 * MARGIN, foot - top + 2 * MARGIN


def axes(cells: Iterable[Cell]) -> str:
    """Return the names of the columns and rows around these cells, as in the notation."""
    kept = {START, *GOAL_CELLS, *cells}
    left, top, *_size = view_box(kept)
    xs = range(min(x for x, _y in kept), max(x for x, _y in kept) + 1)
    ys = range(min(y for _x, y in kept), max(y for _x, y in kept) + 1)
    columns = "".join(
        f'<text x="{place((x, 0))[0] + CARD_WIDTH // 2}" y="{top + 18}">{x}</text>' for x in xs
    )
    rows = "".join(
        f'<text x="{left + 12}" y="{place((0, y))[1] + CARD_HEIGHT // 2 + 4}">{row_name(y)}</text>'
        for y in ys
    )
    look = f'font-size="12" text-anchor="middle" fill="{INK}" opacity="0.6"'
    return f'<g class="axes" {look}>{columns}{rows}</g>'


def symbols(states: Iterable[tuple[Path, CardState]]) -> str:
    """Return the definitions of these cards, each once."""
    unique = sorted(set(states), key=lambda card: symbol_name(*card))
    return f"<defs>{''.join(card_symbol(*card) for card in unique)}</defs>"


def states(board: Board) -> dict[Cell, tuple[Path, CardState]]:
    """Return each face-up card of a board with its state."""
    return {cell: (path, board.state_of(cell)) for cell, path in board.cards.items()}


def draw_sign(cell: Cell, path: Path | None, goal: Goal | None, name_goal: NameGoal) -> str:
    """Return the sign of the start or of a goal."""
    x, y = place(cell)
    return f'<g transform="translate({x} {y})">{_sign(cell, path, goal, name_goal)}</g>'


LINE_HEIGHT: Final = 18
"""Height of a line of text below a mine, in units."""

MIN_WIDTH: Final = 720
"""Least width of a picture, so that the players fit below the mine."""


@dataclass(frozen=True, slots=True)
class DrawnMine:
    """A mine with a heading above it and lines of text below it.

    `goals` are their faces as far as they are known, from north to south.
    """

    heading: str
    board: Board
    goals: Sequence[Goal | None]
    lines: Sequence[str]


def draw_mine(mine: DrawnMine, title: str, name_goal: NameGoal = _name_goal) -> str:
    """Return a mine as an SVG document. All texts are escaped here."""
    cells = mine.board.cards
    left, upper, wide, high = view_box(cells)
    below = 30 + high + LINE_HEIGHT
    lines = [
        f'<text x="16" y="{below + LINE_HEIGHT * number}" font-size="13" '
        'font-family="monospace" '
        f'xml:space="preserve" fill="{INK}">{escape(line)}</text>'
        for number, line in enumerate(mine.lines)
    ]
    width, height = max(MIN_WIDTH, wide), below + LINE_HEIGHT * (len(mine.lines) + 1)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif" role="img"><title>{escape(title)}</title>'
        f'<rect width="{width}" height="{height}" fill="{GROUND}"/>'
        f"{symbols(states(mine.board).values())}"
        f'<text x="16" y="24" font-size="15" font-weight="bold" fill="{INK}">'
        f"{escape(mine.heading)}</text>"
        f'<svg x="0" y="30" width="{wide}" height="{high}" '
        f'viewBox="{left} {upper} {wide} {high}">{axes(cells)}{_mine(mine, name_goal)}</svg>'
        f"{''.join(lines)}</svg>\n"
    )


def _mine(mine: DrawnMine, name_goal: NameGoal) -> str:
    """Return the cards of a mine, each at its place."""
    board = mine.board
    parts = [
        f'<use href="#{symbol_name(path, state)}" {at(cell)}/>'
        for cell, (path, state) in states(board).items()
    ]
    for cell, goal in ((START, None), *zip(GOAL_CELLS, mine.goals, strict=True)):
        parts.append(draw_sign(cell, board.cards.get(cell), goal, name_goal))
    return "".join(parts)
