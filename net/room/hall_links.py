"""`HallLinks`: the trusted connections to a club's hall, and what is sent on them."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

from net.protocol.hall import FromHall
from net.protocol.messages import CloseReason, Closing
from net.room.effects import CloseConnection, SendFrame
from net.room.sessions import ENTER_TIMEOUT_S, GONE_AFTER_S

MAX_STRANGERS: Final = 128
"""Most trusted connections that have not said yet where they lead, or whose table is resumed."""

MAX_LINKS: Final = 300  # most people in the hall at once
MAX_LINKS_PER_ADDRESS: Final = 60  # the same from one address: a school behind one router

HallOutput: TypeAlias = SendFrame[FromHall] | CloseConnection


@dataclass(slots=True)
class HallLink:
    """A trusted connection to the hall; `name` is empty until its person has entered.

    `came` and `heard` are when it came and was last heard from, in seconds of the hall's clock.
    """

    number: int
    key: bytes
    address: str
    came: float
    heard: float
    name: str = ""
    watches: bool = False
    tries: int = 0


class HallLinks:
    """The connections to a hall, by number. Times are in seconds of the hall's clock."""

    def __init__(self) -> None:
        self._links: dict[int, HallLink] = {}
        self._do: list[HallOutput] = []

    def __contains__(self, number: object) -> bool:
        """Return True if there is a connection of this number."""
        return number in self._links

    def add(self, number: int, key: bytes, address: str, now: float) -> None:
        """Add a connection. If too many have said nothing yet, end the oldest of them."""
        strangers = [link.number for link in self._links.values() if not link.name]
        if len(strangers) >= MAX_STRANGERS:
            self.end(strangers[0], CloseReason.TOO_SLOW)
        self._links[number] = HallLink(number, key, address, now, now)

    def find(self, number: int) -> HallLink | None:
        """Return the connection of this number, `None` if there is none."""
        return self._links.get(number)

    def forget(self, number: int) -> None:
        """Forget a connection that is gone, if it is known."""
        self._links.pop(number, None)

    def enter(self, entering: HallLink, name: str, *, watches: bool) -> None:
        """Let the person of a connection in; an older connection of theirs ends."""
        for link in self.inside():
            if link.key == entering.key:
                self.end(link.number, CloseReason.REPLACED)
        entering.name, entering.watches = name, watches

    def end(self, number: int, why: CloseReason) -> None:
        """End a connection, giving the reason."""
        self._do += SendFrame((number,), Closing(why)), CloseConnection(number)
        del self._links[number]

    def end_unentered(self, known: Container[bytes]) -> None:
        """End the connections that have not entered, but for those of `known` keys."""
        for link in tuple(self._links.values()):
            if not link.name and link.key not in known:
                self.end(link.number, CloseReason.TOO_SLOW)

    def end_silent(self, now: float) -> None:
        """End connections that have been silent for too long, or have not entered in time."""
        for link in tuple(self._links.values()):
            is_late = not link.name and now - link.came >= ENTER_TIMEOUT_S
            if is_late or now - link.heard >= GONE_AFTER_S:
                self.end(link.number, CloseReason.TOO_SLOW)

    def keys(self) -> Collection[bytes]:
        """Return the seat keys of all connections."""
        return [link.key for link in self._links.values()]

    def inside(self) -> list[HallLink]:
        """Return the connections whose person has entered."""
        return [link for link in self._links.values() if link.name]

    def players(self, since: float) -> dict[bytes, str]:
        """Return the names of those in the hall who play and were heard after a time, by key."""
        inside = [link for link in self.inside() if link.heard > since]
        return {link.key: link.name for link in inside if not link.watches}

    def is_crowded(self, entering: HallLink) -> bool:
        """Return True if there are too many others for one more person, or from their address."""
        others = [one for one in self.inside() if one.key != entering.key]
        near = sum(one.address == entering.address for one in others)
        return len(others) >= MAX_LINKS or near >= MAX_LINKS_PER_ADDRESS

    def tell(self, links: Iterable[HallLink], message: FromHall) -> None:
        """Send a message on some connections, if there are any."""
        numbers = tuple(link.number for link in links)
        if numbers:
            self._do.append(SendFrame(numbers, message))

    def tell_all(self, message: FromHall) -> None:
        """Send a message to all who have entered."""
        self.tell(self.inside(), message)

    def collect(self) -> tuple[HallOutput, ...]:
        """Return everything to be sent or closed since the last call."""
        done, self._do = tuple(self._do), []
        return done
