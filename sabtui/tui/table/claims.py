"""Quick claims: what can be said with two keys, `c` and the one beside it in the list.

Of all players, the list is about one, whom the arrows change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len

from engine.board import GOAL_CELLS
from engine.cards import Tool
from engine.view import View
from net.lobby import TableClaim, Topic
from sabtui.text.chat import claim_words, quick_claims
from sabtui.text.i18n import _
from sabtui.text.layout import confined
from sabtui.text.names import PlayerNames
from sabtui.tui.keyboard import key_name
from sabtui.tui.widgets.rows import Look, Row, StyledSpan, cut

CLAIM_KEYS: Final = "1234567890efg"
"""The keys of the list, in its order."""

_OF_GOALS: Final = (Topic.GOLD_AT, Topic.STONE_AT)
_OF_PLAYERS: Final = (Topic.DIGS_AGAINST_US, Topic.DIGS_FOR_US, Topic.BLUFF)


def claims(view: View, about: int | None) -> tuple[TableClaim, ...]:
    """What can be claimed now; of the players, about one."""
    every = quick_claims(view.table.players, view.seat)
    return tuple(claim for claim in every if _makes_sense(claim, view, about))[: len(CLAIM_KEYS)]


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


def first_about(view: View, cursor: int | None) -> int:
    """Whom the list is about: the player under the cursor, or who played last, or a neighbour."""
    last = view.table.last_card
    for seat in (cursor, last):
        if seat is not None and seat != view.seat:
            return seat
    return next_about(view, view.seat or 0, 1)


def next_about(view: View, about: int, step: int) -> int:
    """The next player whom something can be claimed of."""
    players = view.table.players
    seat = (about + step) % players
    return (seat + step) % players if seat == view.seat else seat


@dataclass(frozen=True, slots=True)
class ClaimList:
    """The list on the screen, in pages where it has more rows than there is room for.

    Each page is a row of title and the rows of its claims; `pages` has, for each row of a page,
    the place of its claim in the list, and what is written there.
    """

    columns: int
    pages: tuple[tuple[tuple[int, Row], ...], ...]

    @staticmethod
    def of(listed: Sequence[TableClaim], names: PlayerNames, columns: int, rows: int) -> ClaimList:
        """The list with its keys, in pages of so many rows with the title."""
        pages: list[list[tuple[int, Row]]] = [[]]
        for at, (key, claim) in enumerate(zip(CLAIM_KEYS, listed, strict=False)):
            first, *more = confined([claim_words(claim, names.names)], columns - 2, 0)
            lines: list[Row] = [(StyledSpan(f"{key} ", Look.KEY), StyledSpan(first))]
            lines += [(StyledSpan(f"  {line}"),) for line in more]
            if pages[-1] and len(pages[-1]) + len(lines) > rows - 1:
                pages.append([])
            pages[-1] += [(at, row) for row in lines]
        return ClaimList(columns, tuple(tuple(page) for page in pages))

    def page(self, wanted: int) -> int:
        """Return the page to show: the one that is wanted, or the last."""
        return min(wanted, len(self.pages) - 1)

    def shown(self, wanted: int) -> list[Row]:
        """Return the rows of a page, below a title that tells of the others."""
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
        """Return which claim of the list is in a row of a page."""
        page = self.pages[self.page(wanted)]
        return page[row - 1][0] if 1 <= row <= len(page) else None
