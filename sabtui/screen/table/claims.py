"""Quick claims: what can be said with two keys, `c` and the one beside it in the list.

Knows who sits there and what lies open: of goals that are turned up and tools that are whole there
is nothing to claim. Of all players, the list is about one, whom the arrows change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len

from engine.board import GOAL_CELLS
from engine.cards import Tool
from engine.view import View
from net.lobby import Claim, Topic
from sabtui.plain.wrap import confined
from sabtui.screen.keys import key_name
from sabtui.screen.rows import Look, Row, Span, cut
from sabtui.words.cast import Cast
from sabtui.words.talk import claim_words, quick_claims
from sabtui.words.tongue import _

KEYS: Final = "1234567890efg"
"""The keys of the list, in its order."""

_OF_GOALS: Final = (Topic.GOLD_AT, Topic.STONE_AT)
_OF_PLAYERS: Final = (Topic.DIGS_AGAINST_US, Topic.DIGS_FOR_US, Topic.BLUFF)


def claims(view: View, about: int | None) -> tuple[Claim, ...]:
    """What can be claimed now; of the players, about one."""
    every = quick_claims(view.table.players, view.seat)
    return tuple(claim for claim in every if _makes_sense(claim, view, about))[: len(KEYS)]


def _makes_sense(claim: Claim, view: View, about: int | None) -> bool:
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
    def of(listed: Sequence[Claim], cast: Cast, columns: int, rows: int) -> ClaimList:
        """The list with its keys, in pages of so many rows with the title."""
        pages: list[list[tuple[int, Row]]] = [[]]
        for at, (key, claim) in enumerate(zip(KEYS, listed, strict=False)):
            first, *more = confined([claim_words(claim, cast.names)], columns - 2, 0)
            told: list[Row] = [(Span(f"{key} ", Look.KEY), Span(first))]
            told += [(Span(f"  {line}"),) for line in more]
            if pages[-1] and len(pages[-1]) + len(told) > rows - 1:
                pages.append([])
            pages[-1] += [(at, row) for row in told]
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
            (Span(cut(title, self.columns), Look.STRONG),),
            *(row for _at, row in self.pages[at]),
        ]

    def at(self, row: int, wanted: int) -> int | None:
        """Return which claim of the list is in a row of a page."""
        page = self.pages[self.page(wanted)]
        return page[row - 1][0] if 1 <= row <= len(page) else None
