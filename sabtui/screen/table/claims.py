"""Quick claims: what can be said with two keys, `c` and the one beside it in the list.

Knows who sits there and what lies open: of goals that are turned up and tools that are whole there
is nothing to claim. Of all players, the list is about one, whom the arrows change.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.board import GOAL_CELLS
from engine.cards import Tool
from engine.view import View
from net.lobby import Claim, Topic
from sabtui.plain.wrap import confined
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


def claim_rows(listed: Sequence[Claim], cast: Cast, columns: int) -> list[Row]:
    """The list, with its keys."""
    rows: list[Row] = [(Span(cut(_("say to all:"), columns), Look.STRONG),)]
    for key, claim in zip(KEYS, listed, strict=False):
        first, *more = confined([claim_words(claim, cast.names)], columns - 2, 0)
        rows.append((Span(f"{key} ", Look.KEY), Span(first)))
        rows += [(Span(f"  {line}"),) for line in more]
    return rows


def claim_at(row: int, listed: Sequence[Claim], cast: Cast, columns: int) -> int | None:
    """Which claim of the list is under the mouse."""
    below = 1
    for at, claim in enumerate(listed):
        below += len(confined([claim_words(claim, cast.names)], columns - 2, 0))
        if 1 <= row < below:
            return at
    return None
