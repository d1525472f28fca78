"""Versions of the protocol: those that a side speaks, and the one that two sides agree on.

Lists of games ask for no more of the handshake than this, and start without the rest of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Outdated(StrEnum):
    """The side that is too old for the other."""

    CLIENT = "client"
    HOST = "host"


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions that a side speaks: all from `low` to `high`, both included."""

    low: int
    high: int


def agree(client: Versions, host: Versions) -> int | Outdated:
    """Return the newest version that both sides speak, or the side that needs an update.

    The proofs show later that both saw the same two ranges: they are part of the transcript.
    """
    version = min(client.high, host.high)
    if version >= max(client.low, host.low):
        return version
    return Outdated.CLIENT if client.high < host.low else Outdated.HOST
