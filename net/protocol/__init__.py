"""Wire protocol: frames, typed messages, and the one codec for the engine's values.

`framing` packs and unpacks frames, `fields` bounds the field types; `events` (and moves) and
`views` translate engine values to the wire and back; `messages` lists the messages of both sides,
`requests` what players may ask, `election` the messages by which programs elect a new host;
`state_hash` hashes a state; `text` cleans text from others; `plausibility` checks a host's events
against the rules. The package does no I/O. The sizes of what it writes follow from public facts
alone (RULES K); see `net.protocol.fields`.

The package itself has the versions of the protocol: those that a side speaks, and the one that two
sides agree on. Lists of games need no more of the protocol than this, and start without the rest.
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
