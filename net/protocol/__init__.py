"""The one codec between the engine's values and what travels: events, moves and views.

The sizes of what it writes follow from public facts alone (RULES K): see `net.protocol.fields`.
"""

from net.protocol.events import EventWire, PlayedWire, read_event, write_event
from net.protocol.moves import MoveWire, read_move, write_move
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
