"""Looking around: the cursor, the window onto the mine, the panes.

Knows the table screen, and changes nothing but what its player looks at.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.board import START
from sabtui.screen.table import drawing
from sabtui.screen.table.choice import Place
from sabtui.screen.table.known import known
from sabtui.screen.table.last import last_card
from sabtui.screen.table.seen import Pane
from sabtui.words.tongue import _

if TYPE_CHECKING:
    from sabtui.screen.table.screen import TableScreen


class Looking:
    """What a player looks at."""

    def __init__(self, table: TableScreen) -> None:
        self._table = table

    def move(self, east: int, south: int) -> None:
        """Move the cursor."""
        table = self._table
        if table.now.view is not None:
            players = table.now.view.table.players
            table.seen = table.seen.with_desk(table.desk.moved(east, south, players))

    def go(self, place: Place) -> None:
        """Move the cursor to a place."""
        table = self._table
        table.seen = table.seen.at(place)

    def to_players(self) -> None:
        """Go to the players, or back to the mine; not while a card is played on players."""
        table = self._table
        view = table.now.view
        if view is None:
            return
        choice = table.desk.choice(view)
        if table.desk.seat is None:
            self.go(view.seat or 0)
        elif choice is not None and choice.on_seats:
            table.say(_("Up and Down go from player to player; Esc takes the card back."))
        else:
            self.go(table.desk.cell)

    def to_newest(self) -> None:
        """Go to the newest card in the mine."""
        view = self._table.now.view
        last = None if view is None else last_card(view)
        self.go(START if last is None or last.cell is None else last.cell)

    def to_start(self) -> None:
        """Go to the start."""
        self.go(START)
        self._table.seen = self._table.seen.settled()

    def to_goals(self) -> None:
        """Go to the next goal."""
        self.go(self._table.seen.next_goal())

    def pan(self, east: int, south: int) -> None:
        """Move the mine and not the cursor."""
        table = self._table
        table.seen = table.seen.panned(east, south)

    def zoom(self, steps: int) -> None:
        """Draw larger or smaller tiles."""
        table = self._table
        table.seen = table.seen.zoomed(steps)

    def change_pane(self) -> None:
        """Show what is known, or talk and news."""
        table = self._table
        other = Pane.LOG if table.seen.pane is Pane.KNOWN else Pane.KNOWN
        table.seen = replace(table.seen, pane=other, back=0)

    def scroll(self, lines: int) -> None:
        """Go a page back in the log, or forward; in what is known, up or down."""
        table = self._table
        seen, view = table.seen, table.now.view
        rows, columns = table.pane.size.height, seen.layout.text
        if view is not None and seen.about is not None:
            rows = drawing.seats_part(view, seen).rows + table.pane_rows(view)
            pages = drawing.claim_list(view, table.cast, seen, rows)
            table.seen = replace(seen, claims_page=pages.page(max(seen.claims_page - lines, 0)))
        elif seen.pane is Pane.KNOWN and view is not None:
            height = len(known(view, columns, veiled=seen.veiled))
            back = seen.back - lines * max(rows - 1, 1)
            table.seen = replace(seen, back=min(max(back, 0), max(height - rows, 0)))
        else:
            room = rows if view is None else drawing.log_rows(view, seen, rows)
            table.seen = replace(seen, back=table.story.turned(columns, room, seen.back, lines))

    def veil(self) -> None:
        """Hide the dwarf, or show it."""
        table = self._table
        table.seen = replace(table.seen, veiled=not table.seen.veiled)
