"""Doors of a table, for guests who have no Sabtui: their kinds and states.

A door's own process needs nothing else of the protocol, and loads no rules of the game.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final

from msgspec import Meta

from net.protocol.framing import Message

FINGERPRINT_LENGTH: Final = 64  # maximum characters of a door's fingerprint, as OpenSSH writes them


class DoorKind(StrEnum):
    """A way into the table for guests who have no Sabtui."""

    SSH = "ssh"
    WEB = "web"


class DoorTrouble(StrEnum):
    """Reason why a door that should be open is closed, or why guests may see a warning."""

    NONE = ""
    MISSING = "missing"  # the library that it needs is not installed
    NO_PORT = "no port"
    ENDED = "ended"  # it stopped without being asked to
    NEW_KEY = "new key"  # it is open, with a new key in place of one that was damaged


class DoorNow(Message, frozen=True, tag="door"):
    """State of a door: `port` is 0 while closed, `fingerprint` that of the SSH door's own key."""

    kind: DoorKind
    port: Annotated[int, Meta(ge=0, le=65535)] = 0
    fingerprint: Annotated[
        str, Meta(max_length=FINGERPRINT_LENGTH, extra={"is_clean": str.isprintable})
    ] = ""
    trouble: DoorTrouble = DoorTrouble.NONE
