"""Wire protocol: frames, typed messages, and the values that all at a table share.

    board         the board of a club's hall: tables, organisers, nights
    chat          the last lines of chat
    events        events, moves and a seat's view on the wire
    doors         kinds of doors beside a table, and their states
    fields        bounded fields, codecs, and rows of them
    framing       packs and unpacks frames
    hall          news of that board, what is asked of a club, and the way to its tables
    lobby         people, chairs, settings, claims, and the games of an evening
    lobby_events  the events of the lobby, what each changes, and how they are folded
    messages      the messages of both sides, and the hash of a state
    requests      what players may ask
    text          text from others, cleaned

The package does no I/O. The sizes of what it writes follow from public facts alone (RULES K);
see `net.protocol.fields`.

The package itself has the versions of the protocol: those that a side speaks, and the one that two
sides agree on. Lists of games need no more of the protocol than this, and start without the rest.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions that a side speaks: all from `low` to `high`, both included."""

    low: int
    high: int


def agree(client: Versions, host: Versions) -> int | None:
    """Return the newest version that both sides speak, `None` if there is none.

    The proofs show later that both saw the same two ranges: they are part of the transcript.
    """
    newest = min(client.high, host.high)
    return newest if newest >= max(client.low, host.low) else None
