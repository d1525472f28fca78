"""The draw of a round's seed at a table: its order, and what follows from its parts.

    step            host: DrawBegan, with its commitment
    CommitShare     each program: its commitment
    step            host: SharesCommitted, once all have come
    ShowShare       each program: its share
    step            host: SharesShown, once all have come, and the deal
    record          the host's share, once the game is over

Nobody can choose the seed. The host has committed before it hears of any share. A guest does not
know the host's share, and one in league with the host has committed before they hear of the others'
shares. A player whose program stays silent for `DRAW_TIMEOUT_S` is left out by name, and another
draw begins, with new shares of all others. So withholding a share only exchanges one unseen deal
for another, and everybody is told who did it. `engine.shares` has the arithmetic.
"""

from __future__ import annotations

from typing import Final

from engine.shares import Draw, SeedShare, commitment
from net.protocol.lobby import Lobby, SeedDraw

DRAW_TIMEOUT_S: Final = 3.0
"""Seconds that the programs have to commit, and again to show their shares."""


def has_committed_to(draw: SeedDraw, member: int, share: bytes) -> bool:
    """Return True if a member has committed to this share."""
    opened = [commitment(draw.id, person.name, share) for person in draw.people]
    pairs = zip(draw.people, draw.commitments, opened, strict=False)
    return any(person.member == member and due == ours for person, due, ours in pairs)


def finish_draw(draw: SeedDraw, host_share: bytes) -> Draw:
    """Return a draw that is over, with the host's share."""
    shown = [
        SeedShare(person.name, share)
        for person, share in zip(draw.people, draw.shares, strict=True)
    ]
    absent = [SeedShare(person.name) for person in draw.absent]
    return Draw(draw.id, SeedShare(draw.host_name, host_share), (*shown, *absent))


def host_name(lobby: Lobby) -> str:
    """Return the name of the host, empty before they come."""
    host = lobby.person(lobby.host)
    return "" if host is None else host.name
