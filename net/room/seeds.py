"""The draw of a round's seed at a table: its order, and what follows from its parts.

    step            host: DrawBegan, with its commitment
    CommitShare     each program: its commitment
    step            host: SharesCommitted, once all have arrived
    ShowShare       each program: its share
    step            host: SharesShown, once all have arrived, and the deal
    record          the host's share, once the game is over

Nobody can choose the seed. The host has committed before it learns any share. A guest does not know
the host's share, and one in league with the host has committed before learning the others' shares.
A player whose program stays silent for `DRAW_TIMEOUT_S` is left out by name, and another draw
begins, with new shares of all others. So withholding a share only exchanges one unseen deal for
another, and everybody learns who did it.

Nor can anybody choose what a seed is used for: the id of a draw is made from all that the deal
depends on. Each program makes it from the table that it holds itself, at each step until the deal,
and commits only under that id. `engine.dealing` has the arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from msgspec import msgpack

from engine.dealing import NONCE_BYTES, Draw, SeedShare, commitment, draw_id
from engine.game import Game
from engine.view import View
from net.protocol.fields import NOBODY
from net.protocol.game_wire import write_public
from net.protocol.lobby import Free, Lobby, SeedDraw, TablePhase

DRAW_TIMEOUT_S: Final = 3.0
"""Seconds that the programs have to commit, and again to show their shares; they need no player for
that, and everybody waits."""


def next_round(game: Game | View | None) -> int:
    return 1 if game is None else game.score.number + 1


def deal_facts(lobby: Lobby, view: View | None, members: Sequence[int]) -> tuple[object, ...]:
    """Return everything the next deal depends on, the same for everybody.

    That is the round, the settings that it is dealt by, everybody who plays, the `members` who draw
    with the host, and what is public of the game so far. Free chairs do not count before a game,
    which removes them.
    """
    begins = lobby.stage is TablePhase.LOBBY
    seats = [
        at for at, chair in enumerate(lobby.chairs) if not (begins and isinstance(chair, Free))
    ]
    settings, people = lobby.settings, {seat: member for member, seat in lobby.seats.items()}
    youngest = seats.index(settings.youngest) if settings.youngest in seats else NOBODY
    players = [(people.get(seat, 0), lobby.name_at(seat)) for seat in seats]
    number = next_round(view)
    public = None if view is None or number == 1 else write_public(view.table, view.score)
    return number, settings.edition, settings.rounds, youngest, players, members, public


def deal_basis(lobby: Lobby, view: View | None, members: Sequence[int]) -> bytes:
    """Return the hash of everything the next deal depends on, 32 bytes."""
    return sha256(msgpack.encode(deal_facts(lobby, view, members))).digest()


def make_nonce(share: bytes) -> bytes:
    """Return the nonce of a draw from the host's fresh share, about which it reveals nothing."""
    return sha256(b"sabtui nonce 1" + share).digest()[:NONCE_BYTES]


def is_false(lobby: Lobby, view: View | None) -> bool:
    """Return True if a draw is not for the next deal at this table, as its program holds it.

    Its id or round differs, or it uses shares that nobody has committed to. A draw whose round was
    dealt is over, and never false.
    """
    draw, number = lobby.draw, next_round(view)
    if draw is None or (draw.done and draw.round < number):
        return False
    members = [person.member for person in draw.people]
    opened = [
        commitment(draw.id, person.name, share)
        for person, share in zip(draw.people, draw.shares, strict=False)
    ]
    return (
        draw.round != number
        or draw.id != draw_id(draw.nonce, deal_basis(lobby, view, members))
        or (draw.done and opened != list(draw.commitments))
    )


def has_committed_to(draw: SeedDraw, member: int, share: bytes) -> bool:
    opened = [commitment(draw.id, person.name, share) for person in draw.people]
    pairs = zip(draw.people, draw.commitments, opened, strict=False)
    return any(person.member == member and due == ours for person, due, ours in pairs)


def finish_draw(draw: SeedDraw, host_share: bytes) -> Draw:
    shown = [
        SeedShare(person.name, share)
        for person, share in zip(draw.people, draw.shares, strict=True)
    ]
    absent = [SeedShare(person.name) for person in draw.absent]
    return Draw(draw.id, SeedShare(draw.host_name, host_share), (*shown, *absent))
