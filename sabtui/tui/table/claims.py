"""Quick claims: sentences said with two keys, `c` and a key of the list.

Claims about players concern one player at a time, whom the arrow keys change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len

from engine.board import GOAL_CELLS, Cell
from engine.cards import Tool
from engine.events import Looked, TurnEvent
from engine.view import View
from net.protocol.lobby import TableClaim, Topic
from sabtui.text.i18n import _
from sabtui.text.layout import confine_lines
from sabtui.text.names import PlayerNames
from sabtui.text.talk import claim_words, quick_claims
from sabtui.tui.keyboard import key_name
from sabtui.tui.widgets.rows import Look, Row, StyledSpan, cut

CLAIM_KEYS: Final = "1234567890efg"
"""Keys of the list, in order."""

_OF_GOALS: Final = (Topic.GOLD_AT, Topic.STONE_AT)
_OF_PLAYERS: Final = (Topic.DIGS_AGAINST_US, Topic.DIGS_FOR_US, Topic.BLUFF)


def claims(view: View, about: int | None) -> tuple[TableClaim, ...]:
    """Return the claims that make sense now; claims about players concern `about` alone.

    After a map, those about the goal that the player has looked at come first.
    """
    every = quick_claims(view.table.players, view.seat)
    listed = [claim for claim in every if _makes_sense(claim, view, about)]
    looked = _goal_just_seen(view)
    listed.sort(key=lambda one: one.topic not in _OF_GOALS or GOAL_CELLS[one.about] != looked)
    return tuple(listed[: len(CLAIM_KEYS)])


def _goal_just_seen(view: View) -> Cell | None:
    """Return the goal that the player looked at with their last turn, or `None`."""
    turns = (event for event in reversed(view.history) if isinstance(event, TurnEvent))
    own = next((event for event in turns if event.seat == view.seat), None)
    return own.cell if isinstance(own, Looked) else None


def _makes_sense(claim: TableClaim, view: View, about: int | None) -> bool:
    topic = claim.topic
    if topic in _OF_GOALS:
        return GOAL_CELLS[claim.about] in view.table.board.hidden
    if topic in _OF_PLAYERS:
        return claim.about == about
    if topic is Topic.HELP_ME:
        broken = 0 if view.seat is None else view.table.broken[view.seat]
        return bool(broken & tuple(Tool)[claim.about].bit)
    return True


def first_about(view: View, aimed_at: int | None) -> int:
    """Return the seat to claim about: the one aimed at, else the last to play, else a neighbour."""
    last = view.table.last_card
    for seat in (aimed_at, last):
        if seat is not None and seat != view.seat:
            return seat
    return next_about(view, view.seat or 0, 1)


def next_about(view: View, about: int, step: int) -> int:
    """Return the next seat that claims can be about, skipping one's own."""
    players = view.table.players
    seat = (about + step) % players
    return (seat + step) % players if seat == view.seat else seat


@dataclass(frozen=True, slots=True)
class ClaimList:
    """List of claims on the screen, in pages if it has more rows than fit.

    Each page is a title row and the rows of its claims. For each row of a page, `pages` has the
    index of its claim in the list and the text.
    """

    columns: int
    pages: tuple[tuple[tuple[int, Row], ...], ...]

    @staticmethod
    def of(listed: Sequence[TableClaim], names: PlayerNames, columns: int, rows: int) -> ClaimList:
        """Return the list with its keys, in pages of `rows` rows, title included."""
        pages: list[list[tuple[int, Row]]] = [[]]
        for at, (key, claim) in enumerate(zip(CLAIM_KEYS, listed, strict=False)):
            first, *more = confine_lines([claim_words(claim, names.names)], columns - 2, 0)
            lines: list[Row] = [(StyledSpan(f"{key} ", Look.KEY), StyledSpan(first))]
            lines += [(StyledSpan(f"  {line}"),) for line in more]
            if pages[-1] and len(pages[-1]) + len(lines) > rows - 1:
                pages.append([])
            pages[-1] += [(at, row) for row in lines]
        return ClaimList(columns, tuple(tuple(page) for page in pages))

    def page(self, wanted: int) -> int:
        """Return the index of the page to show: the wanted one, or the last."""
        return min(wanted, len(self.pages) - 1)

    def draw_page(self, wanted: int) -> list[Row]:
        """Return the rows of a page, below a title that names the other pages."""
        at = self.page(wanted)
        title = _("say to all:")
        if len(self.pages) > 1:
            other = "pagedown" if at + 1 < len(self.pages) else "pageup"
            count = f" {at + 1}/{len(self.pages)} {key_name(other)}"
            title = cut(title, self.columns - cell_len(count)) + count
        return [
            (StyledSpan(cut(title, self.columns), Look.STRONG),),
            *(row for _at, row in self.pages[at]),
        ]

    def at(self, row: int, wanted: int) -> int | None:
        """Return the index of the claim in a row of a page, or `None`."""
        page = self.pages[self.page(wanted)]
        return page[row - 1][0] if 1 <= row <= len(page) else None
