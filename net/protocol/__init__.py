"""Wire protocol: frames, typed messages, and the values that all at a table share.

    board          the board of a club's hall: tables, organisers, night
    chat           the last lines of chat
    evening        the games of an evening
    events         game events and moves on the wire
    fields         bounded fields, codecs, and rows of them
    framing        packs and unpacks frames
    hall           news of that board, what is asked of a club, and the way to its tables
    lobby          people, chairs, settings and claims
    lobby_changes  what the events of the lobby are made of
    lobby_events   the events of the lobby, and what each changes
    messages       the messages of both sides
    moving         what a seat tells to a table that goes on elsewhere
    night          a night at a club: its rounds, and everybody's gold
    plausibility   a host's events, checked against the rules
    requests       what players may ask
    state_hash     hashes of a state
    text           text from others, cleaned
    views          a seat's view on the wire

The package does no I/O. The sizes of what it writes follow from public facts alone (RULES K);
see `net.protocol.fields`.

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
