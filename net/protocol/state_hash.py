"""Hashes of the state at a table, by which host and client notice that they disagree.

The state hash is BLAKE2b, 8 bytes, of the msgpack of the lobby and, in a game, of the public half
of the view and the receiver's own half without its history (`net.protocol.views`). Equal values
have equal bytes. It covers only what its receiver knows. It detects accidents; it is no proof.

The running hash is BLAKE2b, 16 bytes, of the hash before the step and the public part of the step:
its number, its lobby events and its public game events. It is the same for all seats; two tables
with the same running hash have the same past. The record published at the end of a game is left
out, as it follows from the rest.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Final

import msgspec
from msgspec import Raw

from engine.events import Event, visible_to
from engine.view import View
from net.protocol.events import write_event
from net.protocol.fields import RUNNING_HASH_BYTES
from net.protocol.lobby import Lobby
from net.protocol.lobby_events import HostSharesShown, LobbyEvent, RecordPublished
from net.protocol.messages import HASH_BYTES
from net.protocol.views import PublicWire, write_own, write_public

_ENCODER: Final = msgspec.msgpack.Encoder()


def running_hash(
    before: bytes, number: int, news: Iterable[LobbyEvent], events: Iterable[Event]
) -> bytes:
    """Return the running hash after step `number`; secret events are left out.

    So is what comes with the end of a game and follows from it.
    """
    told = [one for one in news if not isinstance(one, RecordPublished | HostSharesShown)]
    public = _ENCODER.encode((number, told, list(map(write_event, visible_to(events, None)))))
    return blake2b(before + public, digest_size=RUNNING_HASH_BYTES).digest()


def shared_hash(lobby: Lobby, public: PublicWire | None) -> blake2b:
    """Return the hash of the part of the hashed bytes that is the same for everybody."""
    return blake2b(_ENCODER.encode((Raw(lobby.packed), public)), digest_size=HASH_BYTES)


def own_bytes(view: View | None) -> bytes:
    """Return the part of the hashed bytes that is of a seat's own half of its view."""
    return b"" if view is None else _ENCODER.encode(write_own(view))


def hash_of(shared: blake2b, own: bytes) -> bytes:
    """Return the state hash of both parts of the hashed bytes; `shared` stays as it is."""
    both = shared.copy()
    both.update(own)
    return both.digest()


def hash_of_all(lobby: Lobby, view: View | None) -> bytes:
    """Return the state hash of a lobby and a view."""
    public = None if view is None else write_public(view.table, view.score)
    return hash_of(shared_hash(lobby, public), own_bytes(view))
