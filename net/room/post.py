"""What goes out on which link, and the bookkeeping of links that come, are replaced and end.

Knows links, members and frames; must not know what a frame is about, nor decide anything.
"""

from __future__ import annotations

from typing import Final

from net.messages import Alarm, Announcing, Farewell, FromHost, Goodbye, No, Numbered, Pong, Refused
from net.room.guests import PEOPLE_OF_ONE, STRANGERS, Guest, Memory
from net.room.outcome import Do, End, Send

LEAP: Final = 2.0
"""The most seconds that can pass at once. Where a clock leaps further the host was asleep, and
nobody was silent just because it did not listen."""


class Post:
    """The links of a room now. `now` is its time, in seconds, and never goes back."""

    def __init__(self, now: float) -> None:
        self.now = now
        self._clock = now
        self.guests: dict[int, Guest] = {}  # by link
        self.links: dict[int, Guest] = {}  # by member
        self.memory: dict[int, Memory] = {}  # by member
        self._do: list[Do] = []

    def advance(self, now: float) -> None:
        """Take the time; a clock that jumps back counts as one that stood still."""
        self.now += min(max(0.0, now - self._clock), LEAP)
        self._clock = now

    def arrive(self, link: int, key: bytes, address: str = "") -> None:
        """A link is trusted. Where too many wait to enter, the oldest of those has to go."""
        strangers = [guest for guest in self.guests.values() if guest.member is None]
        if len(strangers) >= STRANGERS:
            self.end(strangers[0], Farewell.TOO_SLOW)
        self.guests[link] = Guest(link, key, self.now, self.now, address)

    def remember(self, member: int) -> Memory:
        """What is kept in mind of a member, from now on if nothing was."""
        return self.memory.setdefault(member, Memory.fresh(self.now))

    def attach(self, guest: Guest, member: int) -> None:
        """A link is this member's, who was heard just now."""
        guest.member = member
        self.links[member] = guest
        memory = self.remember(member)
        memory.heard, memory.address = self.now, guest.address

    def is_crowded(self, address: str) -> bool:
        """Tell whether as many are at the table from an address as may be."""
        here = sum(memory.address == address for memory in self.memory.values())
        return bool(address) and here >= PEOPLE_OF_ONE

    def send(self, guest: Guest, message: FromHost) -> None:
        """Send what is no step."""
        self._do.append(Send(guest.link, message))

    def send_step(self, guest: Guest, frame: Numbered) -> None:
        """Send a step, or a snapshot, of which the other side has to tell that it has it."""
        guest.was_sent(frame.step, self.now)
        self.send(guest, frame)

    def hand_out(self, frames: dict[int, Numbered]) -> None:
        """A step's frames: kept for who may come back for them, and sent to who is there."""
        for member, frame in frames.items():
            if member in self.memory:
                self.memory[member].add(frame)
            if member in self.links:
                self.send_step(self.links[member], frame)

    def end(self, guest: Guest, why: Farewell) -> None:
        """End a link, and say why."""
        self.send(guest, Goodbye(why))
        self._do.append(End(guest.link))
        self.forget(guest)

    def end_member(self, member: int, why: Farewell) -> None:
        """End a member's link, if they have one, and forget the member."""
        self.memory.pop(member, None)
        if member in self.links:
            self.end(self.links[member], why)

    def forget(self, guest: Guest) -> None:
        """A link is gone."""
        del self.guests[guest.link]
        if guest.member is not None:
            del self.links[guest.member]

    def collect(self) -> tuple[Do, ...]:
        """All that is to be done since this was last asked."""
        done, self._do = tuple(self._do), []
        return done


def may_overtake(do: tuple[Do, ...]) -> bool:
    """Whether these tell nothing that a crash could undo: heartbeats and the like alone."""
    return all(isinstance(one, Send) and _is_of_now(one.message) for one in do)


def _is_of_now(message: FromHost) -> bool:
    match message:
        case Pong() | Alarm() | Announcing() | Refused(why=No.DISK_FULL | No.HOST_ONLY):
            return True
        case _:
            return False
