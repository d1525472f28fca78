"""Seeds that the people at a table draw together, so that no one of them can choose a deal.

Each person puts in a share of 32 random bytes: first all commit to theirs, then all show theirs but
the host, who shows it with the record of the game. With `parts` for byte strings joined, each with
its length in front (4 bytes, big-endian), and names in UTF-8,

    commitment = SHA-256(parts("sabtui share 1", id, name, share))
    seed = HMAC-SHA256(key = host's share, parts("sabtui seed 1", id,
        host's name, host's commitment,
        and for each of the others in turn: name, commitment, share))

The `id` is that of one draw alone, and binds it to what is dealt from it:

    id = the first 16 bytes of SHA-256(parts("sabtui draw 1", nonce, basis))

The nonce is 16 random bytes of the host, new for each draw, and the basis a hash of all that the
deal depends on. The commitment and the share of somebody who put in nothing are empty.
`net.room.seeds` has the basis, and the order in which all this is said at a table.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

DRAW_ID_BYTES: Final = 16
NONCE_BYTES: Final = 16
SHARE_BYTES: Final = 32
COMMITMENT_BYTES: Final = 32


def draw_id(nonce: bytes, basis: bytes) -> bytes:
    """Return the id of a draw with this nonce, of a deal with this basis."""
    return sha256(_parts((b"sabtui draw 1", nonce, basis))).digest()[:DRAW_ID_BYTES]


def commitment(draw: bytes, name: str, share: bytes) -> bytes:
    """Return the commitment of a person to a share, which says nothing about the share."""
    return sha256(_parts((b"sabtui share 1", draw, name.encode(), share))).digest()


@dataclass(frozen=True, slots=True)
class SeedShare:
    """A person's part in a draw: 32 bytes, or none if they put in nothing."""

    name: str
    share: bytes = b""


@dataclass(frozen=True, slots=True)
class Draw:
    """A finished draw: its id, the host's share, and those of the others in their order.

    Holds the host's share, and so the deal: only the host may have one until the game is over.
    The constructor raises `ValueError` for an id or a share of another length than a draw has, and
    for a host who put in nothing.
    """

    id: bytes
    host: SeedShare
    others: tuple[SeedShare, ...]

    def __post_init__(self) -> None:
        if len(self.id) != DRAW_ID_BYTES:
            raise ValueError(f"a draw's id has {DRAW_ID_BYTES} bytes, not {len(self.id)}")
        shares = (self.host.share, *(other.share for other in self.others if other.share))
        for share in shares:
            if len(share) != SHARE_BYTES:
                raise ValueError(f"a share has {SHARE_BYTES} bytes, not {len(share)}")

    def commitment(self, share: SeedShare) -> bytes:
        """Return the commitment to a share of this draw, empty if nothing was put in."""
        return commitment(self.id, share.name, share.share) if share.share else b""

    @property
    def seed(self) -> bytes:
        """The 32 bytes that follow from all shares, from which the round is dealt."""
        parts = [b"sabtui seed 1", self.id, self.host.name.encode(), self.commitment(self.host)]
        for other in self.others:
            parts += [other.name.encode(), self.commitment(other), other.share]
        return hmac.digest(self.host.share, _parts(parts), "sha256")

    @property
    def dealers(self) -> tuple[str, ...]:
        """The names of all who put in a share, the host first."""
        return (self.host.name, *(other.name for other in self.others if other.share))

    @property
    def left_out(self) -> tuple[str, ...]:
        """The names of those who put in nothing."""
        return tuple(other.name for other in self.others if not other.share)


def _parts(parts: Iterable[bytes]) -> bytes:
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)
