"""A program's part in the draws of a club's tables: its shares, and the check of the outcome."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

from engine.shares import SHARE_BYTES, commitment
from net.protocol.hall import CommitTables, ShowTables, TableDraw
from net.protocol.night import Night
from net.room.table_draw import follows


@dataclass(slots=True)
class TableShares:
    """The share that a program has put into the last draw, and what others had committed to."""

    draw: bytes = b""
    share: bytes = b""
    commitments: dict[str, bytes] = field(default_factory=dict)

    def answer(self, asked: TableDraw, name: str) -> CommitTables | ShowTables | None:
        """Return the answer of the person of this name to the club, `None` if none is due."""
        if not asked.commitments:
            self.draw, self.share, self.commitments = (
                asked.draw,
                secrets.token_bytes(SHARE_BYTES),
                {},
            )
            return CommitTables(self.draw, commitment(self.draw, name, self.share))
        if asked.draw != self.draw or self.commitments:
            return None
        self.commitments = {one.name: one.commitment for one in asked.commitments}
        own = commitment(self.draw, name, self.share)
        return ShowTables(self.draw, self.share) if self.commitments.get(name) == own else None

    def accept(self, night: Night, name: str) -> bool:
        """Return True if the last round's tables follow from shares that were committed to.

        Who was not asked checks the tables alone. Takes up to about a second.
        """
        last = night.rounds[-1]
        if last.draw == self.draw:
            shown = {one.name: one.share for one in last.shares}
            if len(shown) != len(last.shares) or name not in {*shown, *last.silent}:
                return False
            if shown.get(name, self.share) != self.share or not all(
                commitment(self.draw, one, share) == self.commitments.get(one)
                for one, share in shown.items()
            ):
                return False
        return follows(night)
