"""Wire protocol: frames, typed messages, and the one codec for the engine's values.

`framing` packs and unpacks frames, `fields` bounds the field types; `events` (and moves) and
`views` translate engine values to the wire and back; `messages` lists the messages of both sides;
`state_hash` hashes a state; `text` cleans text from others; `plausibility` checks a host's events
against the rules. The package does no I/O. The sizes of what it writes follow from public facts
alone (RULES K); see `net.protocol.fields`.
"""

from net.protocol.events import (
    EventWire,
    MoveWire,
    PlayedWire,
    read_event,
    read_move,
    write_event,
    write_move,
)
from net.protocol.views import Events, OwnWire, PublicWire, read_view, write_own, write_public

__all__ = [
    "EventWire",
    "Events",
    "MoveWire",
    "OwnWire",
    "PlayedWire",
    "PublicWire",
    "read_event",
    "read_move",
    "read_view",
    "write_event",
    "write_move",
    "write_own",
    "write_public",
]
