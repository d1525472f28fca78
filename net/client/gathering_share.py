"""This program's share in the seed that is drawn as a table goes on at another computer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.dealing import commitment
from net.client.draws import new_share
from net.protocol.lobby import Lobby
from net.protocol.messages import CommitShare, KnowledgeWanted, ShowShare
from net.protocol.moving import GoOnDraw


@dataclass(slots=True)
class GatheringShare:
    """Our share in the draw with id `draw`, from `source`, and the commitment to it at our place.

    It is shown once, and only among commitments that have ours.
    """

    source: Callable[[], bytes] = new_share
    draw: bytes = b""
    share: bytes = b""
    place: int = 0
    committed: bytes = b""

    def commit(self, wanted: KnowledgeWanted, lobby: Lobby | None) -> tuple[CommitShare, ...]:
        """Return our commitment, if we are asked for one, among people as we know them."""
        drawers = [one.member for one in wanted.drawers]
        self.draw = self.share = b""
        if wanted.member not in drawers:
            return ()
        known = {} if lobby is None else {one.member: one.name for one in lobby.people}
        if any(known.get(one.member, one.name) != one.name for one in wanted.drawers):
            return ()
        self.place = drawers.index(wanted.member)
        name = wanted.drawers[self.place].name
        self.draw = GoOnDraw(wanted.term, wanted.mark.hash, wanted.nonce, wanted.drawers).id
        self.share = self.source()
        self.committed = commitment(self.draw, name, self.share)
        return (CommitShare(self.draw, self.committed),)

    def show(self, commitments: Sequence[bytes]) -> tuple[ShowShare, ...]:
        """Return our share, once, if our commitment is among these, at our place."""
        share, self.share = self.share, b""
        is_ours = self.place < len(commitments) and commitments[self.place] == self.committed
        return (ShowShare(self.draw, share),) if share and is_ours else ()
