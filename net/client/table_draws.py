"""A program's part in the draws of a club's tables: its shares, and the check of the outcome."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

from engine.shares import SHARE_BYTES, commitment
from net.protocol.hall import CommitTables, ShowTables, TableDraw
from net.protocol.night import Night, basis_of
from net.room.table_draw import follows


@dataclass(slots=True)
class TableShares:
    """The share that a program has put into the last draw, and what was told before it showed it.

    `is_shown` until the tables are told; `is_replaced` once another draw came in their place.
    """

    draw: bytes = b""
    share: bytes = b""
    commitments: dict[str, bytes] = field(default_factory=dict)
    basis: bytes = b""
    is_shown: bool = False
    is_replaced: bool = False

    def answer(
        self, asked: TableDraw, name: str, *, at_entry: bool = False
    ) -> CommitTables | ShowTables | None:
        """Return the answer of the person of this name to the club, `None` if none is due.

        Who is told of a draw `at_entry` may have missed its beginning.
        """
        if not asked.basis:
            if asked.draw != self.draw or self.basis:
                self._begin(asked.draw)
                self.share = secrets.token_bytes(SHARE_BYTES)
            return CommitTables(self.draw, commitment(self.draw, name, self.share))
        if asked.draw != self.draw and at_entry:
            self._begin(asked.draw)
        told = {one.name: one.commitment for one in asked.commitments}
        is_other = bool(self.basis) and (self.basis, self.commitments) != (asked.basis, told)
        if asked.draw != self.draw or is_other:
            return None
        self.basis, self.commitments = asked.basis, told
        if not self.share or told.get(name) != commitment(self.draw, name, self.share):
            return None
        self.is_shown = True
        return ShowTables(self.draw, self.share)

    def accept(self, night: Night, before: Night | None, name: str) -> bool:
        """Return True if the last round's tables follow from shares that were committed to.

        And from who was there and the rounds before, as was told before shares were shown. `before`
        is the night as it was told last; `None` if we have just come in, and know of no draw: then
        the tables alone are checked. Takes up to about a second.
        """
        last = night.rounds[-1]
        was_shown, self.is_shown = self.is_shown, False
        if self.is_replaced or (before is not None and not _goes_on(night, before)):
            return False
        if last.draw == self.draw:
            return self._is_told(night, name) and follows(night)
        return before is None and not was_shown and follows(night)

    def _begin(self, draw: bytes) -> None:
        self.is_replaced = self.is_replaced or self.is_shown
        self.draw, self.share, self.commitments, self.basis = draw, b"", {}, b""
        self.is_shown = False

    def _is_told(self, night: Night, name: str) -> bool:
        """Return True if nothing but shares has been added to what was told of the draw."""
        *played, last = night.rounds
        if self.basis != basis_of(night.people, last.present, tuple(one.seats for one in played)):
            return False
        shown = {one.name: one.share for one in last.shares}
        own = shown.get(name, self.share if name in last.silent else b"")
        return (
            (own == self.share or not self.share)
            and len(shown) == len(last.shares)
            and all(
                commitment(self.draw, one, share) == self.commitments.get(one)
                for one, share in shown.items()
            )
        )


def _goes_on(night: Night, before: Night) -> bool:
    """Return True if a night is the one before, with one round more at most."""
    known = [one.seats for one in before.rounds]
    return (
        len(night.rounds) <= len(known) + 1
        and [one.seats for one in night.rounds[: len(known)]] == known
        and night.people[: len(before.people)] == before.people
    )
