"""The living picture of the welcome screen: a mine that digs itself, in a round that bots played.

`BoardPanel` shows any mine in the same way, as beside a past game. Imported once the first frame
is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Final

from textual.timer import Timer

from engine.board import EMPTY, GOAL_CELLS, NO_PEEKS, Board
from engine.cards import Goal, Path
from engine.tokens import parse_cell
from sabtui.tui.mine.picture import draw_cell, find_lying
from sabtui.tui.mine.tiles import (
    AXIS_ROWS,
    HOME,
    ROW_NAME_COLUMNS,
    EmptyCell,
    Tile,
    Viewport,
)
from sabtui.tui.theme import Glyphs
from sabtui.tui.widgets.panel import Ground, Look, Panel, Row, StyledSpan, overlaid

if TYPE_CHECKING:
    from sabtui.tui.context import Context

CARD_S: Final = 2.0  # seconds from card to card
MIN_ROWS: Final = 5  # minimum rows at which there is a mine: its goals lie so far apart

RECORD: Final = """\
NESW@1 nesw@2 NESW@1n1 SW@2n1 ES@1n2 NSW@1s1 R@2n1 NEW@2n2 NESW@3n2 R@2 NS@3n1 NES@3 esw@4n2
R@4n2 EW@4 NEW@5 NSW@6 NESW@6s1 NW@7s1 e@5s1 NE@6s2 ESW@7s2 NW@8s2 NS@8s1 NESW@8
"""
"""Round that bots played: cards and their cells, goals turned over among them; R is a rockfall."""


def replay_round() -> Iterator[Board]:
    """Yield the mine after each card of the round."""
    board = EMPTY
    for text in RECORD.split():
        path, _at, place = text.partition("@")
        cell = parse_cell(place)
        board = board.without_card(cell) if path == "R" else board.with_card(cell, Path.read(path))
        yield board


def draw_mine(
    board: Board, columns: int, rows: int, glyphs: Glyphs, goals: Sequence[Goal | None] = NO_PEEKS
) -> list[Row]:
    """Return the mine in the middle of rock, in tiles as large as there is room for.

    `goals` are the faces of goals that still lie face down, as far as they are known.
    """
    window = Viewport.over({*HOME, *board.cards}, columns + ROW_NAME_COLUMNS, rows + AXIS_ROWS)
    size = window.size
    left, top = (columns - window.across * size.columns) // 2, (rows - window.down * size.rows) // 2
    drawn = [_draw_rock(columns, row, glyphs) for row in range(rows)]
    known = dict(zip(GOAL_CELLS, goals, strict=True))
    for (down, y), (across, x) in product(enumerate(window.ys), enumerate(window.xs)):
        lying = find_lying((x, y), board, known.get((x, y)))
        if not isinstance(lying, EmptyCell):
            lines = draw_cell(Tile(lying, is_odd=bool((x + y) % 2)), (x, y), size, glyphs)
            for row, line in enumerate(lines, top + down * size.rows):
                drawn[row] = overlaid(drawn[row], left + across * size.columns, *line)
    return drawn


def _draw_rock(columns: int, row: int, glyphs: Glyphs) -> Row:
    """Return a row of rock: dark ground where tiles are painted, and a speck now and then."""
    # Factors of a hash, so that specks stay where they are, and show no pattern.
    text = "".join(
        "." if (column * 0x9E37_79B1 ^ row * 0x85EB_CA6B) >> 7 & SPECK_MASK == 0 else " "
        for column in range(columns)
    )
    return (StyledSpan(text, Look.EMPTY, Ground.BURIED_ROCK if glyphs.is_painted else None),)


SPECK_MASK: Final = 31  # there is a speck where these bits of a place's hash are zero


class BoardPanel(Panel):
    """A mine as large as fits; blank until `lay` gives it one."""

    DEFAULT_CSS = "BoardPanel { height: 1fr; width: 1fr; }"

    def __init__(self, context: Context) -> None:
        super().__init__(id="living")
        self._app_context: Final = context
        self._board: Board | None = None
        self._goals: Sequence[Goal | None] = NO_PEEKS

    def lay(self, board: Board | None, goals: Sequence[Goal | None] = NO_PEEKS) -> None:
        """Show this mine, with these faces of goals that lie face down; nothing for `None`."""
        self._board, self._goals = board, goals
        self.redraw()

    def on_resize(self) -> None:
        self.redraw()

    def on_glyphs_changed(self) -> None:
        self.redraw()

    def redraw(self) -> None:
        columns, rows = self.size
        drawn: list[Row] = []
        if self._board is not None and rows >= MIN_ROWS:
            drawn = draw_mine(self._board, columns, rows, self._app_context.glyphs, self._goals)
        self.show(drawn)


class LivingMine(BoardPanel):
    """A mine that digs itself while it is seen, and then rests; or one that is dug already."""

    def __init__(self, context: Context, *, is_still: bool) -> None:
        super().__init__(context)
        self._coming: Final = replay_round()
        self._board = list(replay_round())[-1] if is_still else EMPTY
        self._is_still = is_still
        self._timer: Timer | None = None

    def on_mount(self) -> None:
        if not self._is_still:
            self._timer = self.set_interval(CARD_S, self.dig)

    def resume(self) -> None:
        """Go on after a rest."""
        if self._timer is not None:
            self._timer.resume()

    def dig(self) -> None:
        """Show the mine one card on; rest if it is not seen, at the end, on a slow terminal."""
        is_seen = self.app.screen is self.screen and not self._app_context.is_terminal_behind
        board = next(self._coming, None) if is_seen else None
        if board is None and self._timer is not None:
            self._timer.pause()
        elif board not in (None, self._board):
            self.lay(board)
