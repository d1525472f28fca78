"""Which version of the protocol two sides speak, and who has to update when there is none."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Outdated(StrEnum):
    """Which side is too old for the other."""

    CLIENT = "client"
    HOST = "host"


@dataclass(frozen=True, slots=True)
class Versions:
    """All versions from `low` to `high`, both spoken."""

    low: int
    high: int


def agree(client: Versions, host: Versions) -> int | Outdated:
    """Give the newest version that both speak, or the side that needs an update.

    That both saw the same two ranges is proven later: they are part of the transcript.
    """
    version = min(client.high, host.high)
    if version >= max(client.low, host.low):
        return version
    return Outdated.CLIENT if client.high < host.low else Outdated.HOST
