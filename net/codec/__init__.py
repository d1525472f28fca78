"""The one codec between the engine's values and what travels: events, moves and views.

Knows engine and shapes; must not know who is told what, nor any socket. The sizes of what it
writes follow from public facts alone (RULES K): see `net.codec.fields`.
"""

from net.codec.events import EventWire, PlayedWire
from net.codec.moves import MoveWire, read_move, write_move
from net.codec.tell import read_event, write_event
from net.codec.views import Events, OwnWire, PublicWire, read_view, write_own, write_public

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
