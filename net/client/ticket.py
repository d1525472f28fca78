"""How one comes to a table, and back to it. Values alone."""

from __future__ import annotations

from dataclasses import dataclass, field

from net.discovery.address import Address
from net.messages import NOTHING_SEEN, Mark
from net.secure.code import RoomCode
from net.secure.seatkey import SeatKey


@dataclass(frozen=True, slots=True)
class Ticket:
    """All that a player needs to come to one table as one person.

    `addresses` are where the table may be, the likeliest first, and `table` is its id, by which
    it is found where it has moved to; empty if unknown. With a `pin`, the fingerprint of the
    table's certificate, one comes back; without one, one joins, by the `code` if the table is
    not open. `seen` marks the last step that was seen there. `title` is what the table was
    called. A `name` that somebody has already gets a number where it `may_differ`.
    """

    name: str
    addresses: tuple[Address, ...]
    key: SeatKey = field(default_factory=SeatKey.new)
    table: str = ""
    title: str = ""
    pin: bytes | None = None
    code: RoomCode | None = None
    watch: bool = False
    seen: Mark = NOTHING_SEEN
    may_differ: bool = True
