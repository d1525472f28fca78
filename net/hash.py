"""What a person at a table holds, hashed, so that host and client notice when they disagree.

The hash is BLAKE2b, 8 bytes, of the msgpack of the lobby and, in a game, of the public half of the
view and the person's own half, without its history (`net.codec.views`): each is written one way
only. It is of nothing but what its receiver knows. It finds accidents; it is no proof.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

import msgspec

from engine.view import View
from net.codec import PublicWire, write_own, write_public
from net.lobby.values import Lobby
from net.messages import HASH_BYTES

_ENCODER: Final = msgspec.msgpack.Encoder()


def shared_bytes(lobby: Lobby, public: PublicWire | None) -> bytes:
    """The part of the hash that is the same for all."""
    return _ENCODER.encode((lobby, public))


def hash_of(shared: bytes, view: View | None) -> bytes:
    """The hash of the shared part and a person's own."""
    own = b"" if view is None else _ENCODER.encode(write_own(view))
    return blake2b(shared + own, digest_size=HASH_BYTES).digest()


def hash_of_all(lobby: Lobby, view: View | None) -> bytes:
    """The hash of what somebody with this view holds."""
    public = None if view is None else write_public(view.table, view.score)
    return hash_of(shared_bytes(lobby, public), view)
