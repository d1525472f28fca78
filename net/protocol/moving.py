"""The words of a program on its seat, to a table that goes on at another computer.

All that is told has one length, whatever it is, and even if it is nothing. What was drawn together
there is bound to the step from which the table goes on and to those who draw.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

from engine.dealing import DRAW_ID_BYTES
from engine.events import Private
from net.protocol.events import EventWire, read_event, write_event
from net.protocol.fields import Wire
from net.protocol.framing import BadFrame, FrameFault
from net.protocol.lobby import Drawer

KNOWLEDGE_BYTES: Final = 4000
"""Bytes of what is told: the secrets of a seat take 1,600 at most (`tests/net/protocol`)."""

NONCE_BYTES: Final = 16
_LENGTH_BYTES: Final = 2
_MAX_SECRETS: Final = 300

Told: TypeAlias = Annotated[bytes, Meta(min_length=KNOWLEDGE_BYTES, max_length=KNOWLEDGE_BYTES)]

_ENCODER: Final = msgspec.msgpack.Encoder()
_SECRETS: Final = msgspec.msgpack.Decoder(
    Annotated[tuple[EventWire, ...], Meta(max_length=_MAX_SECRETS)]
)


def write_told(secrets: Iterable[Private] | None) -> bytes:
    """Return the secrets of a seat as `read_told` reads them; `None` if they are not known."""
    body = b"" if secrets is None else _ENCODER.encode(tuple(map(write_event, secrets)))
    written = len(body).to_bytes(_LENGTH_BYTES, "big") + body
    assert len(written) <= KNOWLEDGE_BYTES, len(written)
    return written.ljust(KNOWLEDGE_BYTES, b"\0")


def read_told(told: bytes) -> tuple[Private, ...] | None:
    """Return the secrets that were told, `None` if there are none.

    Raises BadFrame: no honest program tells this.
    """
    length = int.from_bytes(told[:_LENGTH_BYTES], "big")
    if not length:
        return None
    try:
        events = tuple(map(read_event, _SECRETS.decode(told[_LENGTH_BYTES:][:length])))
    except msgspec.DecodeError:
        raise BadFrame(FrameFault.MESSAGE) from None
    secrets = tuple(event for event in events if isinstance(event, Private))
    if len(secrets) < len(events):
        raise BadFrame(FrameFault.MESSAGE)
    return secrets


class GoOnDraw(Wire, frozen=True):
    """All that a draw at a table that goes on is bound to: a step, by its hash, and who draws."""

    term: int
    running: bytes
    nonce: bytes
    drawers: tuple[Drawer, ...]

    @property
    def id(self) -> bytes:
        """The id of the draw."""
        return sha256(b"sabtui go on" + _ENCODER.encode(self)).digest()[:DRAW_ID_BYTES]
