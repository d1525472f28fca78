"""Room for each part of the table, in a terminal of any size, and the panels of the parts.

A replay has the same panels.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widget import Widget

from engine.dealing import HAND_SIZES
from sabtui.tui.command_screen import CommandScreen
from sabtui.tui.mine.tiles import AXIS_ROWS, ROW_NAME_COLUMNS, TileSize
from sabtui.tui.theme import Glyphs
from sabtui.tui.widgets.footer import status_lines
from sabtui.tui.widgets.panel import Look, Panel, Row, StyledSpan

MIN_COLUMNS, MIN_ROWS = 60, 18  # columns and rows of the smallest terminal that can be played on

FOOTER_ROWS: Final = 2
HEADER_ROWS: Final = 1

FIELD_CELLS: Final = 9  # cells side by side from the start to the goals, both included (S6)
FIELD_ROWS: Final = 5  # cells one below the other from the northern goal to the southern one

RULE_GAP_COLUMNS, RULE_COLUMNS = 1, 2
"""Blank columns between the mine and the rule beside it; columns of the rule, a blank included."""

MIN_SIDE_COLUMNS, ROOMY_SIDE_COLUMNS, MAX_SIDE_COLUMNS = 29, 34, 56

TALL_ROWS: Final = 20  # minimum rows for both the known facts and the log
LOW_ROWS: Final = 22  # terminal rows below which the hand takes 2 rows instead of 5

DRAWN_CARD_SIZES: Final = ((9, 5), (12, 8), (18, 12))
"""Columns and rows of drawn hand cards, where there is room for more than three rows."""

GROWN_HAND_ROWS: Final = 5  # rows that the hand gains for cards of eight rows in place of three

USUAL_BODY_ROWS: Final = 16
"""Rows of the mine and the side in a terminal of 80x24: where there are fewer, no card grows."""

MAX_HAND_CARDS: Final = max(HAND_SIZES.values())  # maximum number of cards in a hand (S2, S7)
HAND_TITLE_ROWS: Final = 2  # rows above the cards of the hand: its title, and their names
BOARD_ROWS: Final = 2  # rows of a player's board
MIN_BOARD_COLUMNS: Final = 27  # minimum columns of a player for a board
MIN_BOARDS_PANE_ROWS: Final = 15  # fewest rows that the boards leave to the pane
MIN_PAIRED_PLAYERS: Final = 7  # minimum number of players that are listed in two columns
ICON_SIZE: Final = (3, 2)  # columns and rows of a tool or a pile of gold


@dataclass(frozen=True, slots=True)
class Layout:
    """Columns and rows of the terminal and of its parts.

    `mine` and `text` are the columns of the mine, and of text on the side. `body` and `hand` are
    the rows of the middle part, and of the hand with its title.
    """

    columns: int
    rows: int
    mine: int
    text: int
    body: int
    hand: int

    @staticmethod
    def of(columns: int, rows: int, *, is_drawn: bool = False) -> Layout:
        """Return the layout for a terminal; `is_drawn` if its cards are drawn.

        The tiles are the largest for which the way to the goals fits beside the side, which gets
        the columns that remain. Drawn hand cards are the largest for which the mine keeps its
        tiles, and up to `LARGE` ones a row of cells more; larger tiles leave room for such cards.
        """
        hand = 2 if rows < LOW_ROWS else 5
        body = max(rows - HEADER_ROWS - hand - FOOTER_ROWS, 1)
        side, high = MIN_SIDE_COLUMNS, TileSize.SMALL.rows
        for size in TileSize:
            left = columns - ROW_NAME_COLUMNS - FIELD_CELLS * size.columns - RULE_GAP_COLUMNS
            is_large = size.columns > TileSize.WIDE.columns
            kept = GROWN_HAND_ROWS if is_drawn and size.rows > TileSize.LARGE.rows else 0
            is_low = is_large and body - kept < AXIS_ROWS + FIELD_ROWS * size.rows
            if left >= (ROOMY_SIDE_COLUMNS if is_large else MIN_SIDE_COLUMNS) and not is_low:
                side, high = left, size.rows
        spare = high <= TileSize.LARGE.rows
        field = max(AXIS_ROWS + (FIELD_ROWS + spare) * high, USUAL_BODY_ROWS)
        for across, down in DRAWN_CARD_SIZES if is_drawn else ():
            more = HAND_TITLE_ROWS + down - hand
            if body - more >= field and MAX_HAND_CARDS * (across + 1) <= columns:
                hand, body = hand + more, body - more
        side = min(side, MAX_SIDE_COLUMNS)
        return Layout(columns, rows, columns - side, side - RULE_COLUMNS, body, hand)

    @property
    def is_too_small(self) -> bool:
        return self.columns < MIN_COLUMNS or self.rows < MIN_ROWS

    def seats(self, players: int, *, titled: bool = False, is_drawn: bool = False) -> Seats:
        is_paired = players >= MIN_PAIRED_PLAYERS
        seats = Seats(self, players, has_title=titled, is_paired=is_paired)
        boards = replace(seats, has_boards=True)
        has_room = seats.columns >= MIN_BOARD_COLUMNS and boards.pane >= MIN_BOARDS_PANE_ROWS
        return boards if is_drawn and has_room else seats


@dataclass(frozen=True, slots=True)
class Seats:
    """Part of a layout for the players: an optional title, their rows or boards, a rule below."""

    layout: Layout
    players: int
    has_title: bool
    is_paired: bool
    has_boards: bool = False

    @property
    def lines(self) -> int:
        return (self.players + 1) // 2 if self.is_paired else self.players * self.seat_rows

    @property
    def seat_rows(self) -> int:
        return BOARD_ROWS if self.has_boards else 1

    @property
    def rows(self) -> int:
        return self.has_title + self.lines + 1

    @property
    def pane(self) -> int:
        """Rows below the players."""
        return self.layout.body - self.rows

    @property
    def has_room_for_log(self) -> bool:
        """True if known facts and log are both visible, one above the other."""
        return self.pane >= TALL_ROWS

    @property
    def columns(self) -> int:
        return (self.layout.text - 1) // 2 if self.is_paired else self.layout.text

    def at(self, column: int, row: int) -> int | None:
        """Return the seat at a column and row of this part, or `None`."""
        line = row - self.has_title
        right = self.is_paired and column > self.columns
        seat = line // self.seat_rows + self.lines * right
        return seat if 0 <= line < self.lines and seat < self.players else None

    def corner_of(self, seat: int) -> tuple[int, int]:
        """Return the text column and row where a seat begins."""
        column, line = divmod(seat * self.seat_rows, self.lines)  # first one column, then the other
        return column * (self.columns + 1), self.has_title + line


def rows_taken(sentence: str, columns: int) -> int:
    """Return the rows that a status sentence of several lines takes from the parts above."""
    return len(status_lines(sentence, columns)) + 1 - FOOTER_ROWS


def rule_rows(layout: Layout, glyphs: Glyphs) -> list[Row]:
    """Return the rule between the mine and the side."""
    return [(StyledSpan(f"{glyphs.along} ", Look.RULE),)] * layout.body


class TablePanelsScreen(CommandScreen, inherit_bindings=False):
    """Screen with the panels of a table."""

    def __init__(self) -> None:
        self.header: Final = Panel("header")
        self.mine: Final = Panel("mine")
        self.rule: Final = Panel("rule")
        self.side: Final = Vertical(id="side")
        self.players: Final = Panel("players")
        self.pane: Final = Panel("log")
        self.hand: Final = Panel("hand")
        super().__init__()
        self.add_class("-panels")

    def panels(self, *below_pane: Widget) -> ComposeResult:
        """Yield the panels, with other widgets below the pane."""
        yield self.header
        with Horizontal(id="middle"):
            yield self.mine
            yield self.rule
            with self.side:
                yield self.players
                yield self.pane
                yield from below_pane
        yield self.hand

    def size_panels(self, layout: Layout, players_rows: int) -> None:
        """Size the side, the players and the hand; show only the header if there is no room."""
        self.set_class(layout.is_too_small, "-too-small")
        self.side.styles.width = layout.text
        self.players.styles.height = players_rows
        self.hand.styles.height = layout.hand
