"""Connections, acks, replay ring.

The links that a room has now: who is behind each, when each was heard, and what it was sent.

What a crash forgets. Pure bookkeeping; times are seconds of a clock that the shell owns.

What goes out on which link, and the bookkeeping of links that come, are replaced and end.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final

from net.lobby import Presence
from net.protocol.messages import (
    Announcing,
    CloseReason,
    Closing,
    CommandRefused,
    GuessAlarm,
    HostMessage,
    NumberedFrame,
    Pong,
    Refusal,
    Snapshot,
)
from net.room.effects import CloseConnection, Output, SendFrame
from net.transport.rate_limit import TokenBucket

SHAKY_AFTER_S: Final = 5.0
GONE_AFTER_S: Final = 10.0
"""How long nothing is heard of somebody until the table says so."""

SLOW_AFTER_S: Final = 10.0
"""How long somebody may go without taking in what they are sent."""

ENTER_TIMEOUT_S: Final = 10.0
"""How long a trusted link may wait before it enters the table."""

MAX_UNENTERED: Final = 16
"""How many trusted links may be there that have not entered: a player does so at once."""

PEOPLE_OF_ONE: Final = 20
"""How many people of one address come in: ten players of one SSH box and as many who watch, or a
family behind one router; and never more than half of all whom a table takes."""

REPLAY_FRAMES: Final = 64
"""How many frames are kept for each person who may come back for them."""


def presence_after(silence: float) -> Presence:
    """What the table says of somebody who was silent for so many seconds."""
    if silence < SHAKY_AFTER_S:
        return Presence.THERE
    return Presence.SHAKY if silence < GONE_AFTER_S else Presence.GONE


@dataclass(slots=True)
class Connected:
    """A trusted link from `address`, and the member behind it once they have entered."""

    link: int
    key: bytes
    came: float
    last_heard: float
    address: str = ""
    member: int | None = None
    acked: int = 0
    sent: int = 0
    owed_since: float | None = None

    def was_sent(self, step: int, now: float) -> None:
        """A numbered frame is on its way."""
        self.sent = step
        if self.owed_since is None:
            self.owed_since = now

    def has_seen(self, step: int, now: float) -> None:
        """The other side has taken in all up to a step."""
        if step > self.acked:
            self.acked = step
            self.owed_since = None if step >= self.sent else now

    def is_slow(self, now: float) -> bool:
        """Whether nothing of what it was sent was taken in for long."""
        return self.owed_since is not None and now - self.owed_since >= SLOW_AFTER_S

    def is_silent(self, now: float) -> bool:
        """Whether nothing was heard for long, or nothing of what had to come first."""
        if self.member is None and now - self.came >= ENTER_TIMEOUT_S:
            return True
        return now - self.last_heard >= GONE_AFTER_S


@dataclass(slots=True)
class ReplayBuffer:
    """What a room keeps in mind of a member: their frames, when they were heard, how much they say.

    `ring` is unbroken, and led by a snapshot where the member was given one. `address` is where
    their last link came from, empty where that is not known.
    """

    last_heard: float
    words: TokenBucket
    snapshots: TokenBucket
    ring: deque[NumberedFrame] = field(default_factory=lambda: deque(maxlen=REPLAY_FRAMES))
    address: str = ""

    @staticmethod
    def fresh(now: float) -> ReplayBuffer:
        """Of somebody who was heard just now."""
        return ReplayBuffer(
            now, TokenBucket(rate=2, burst=20, now=now), TokenBucket(rate=0.5, burst=4, now=now)
        )

    def add(self, frame: NumberedFrame) -> None:
        """Keep a frame; a snapshot makes those before it useless."""
        if isinstance(frame, Snapshot):
            self.ring.clear()
        self.ring.append(frame)

    def missed(self, seen: int | None) -> tuple[NumberedFrame, ...] | None:
        """The frames after a step, `None` where they are not all here, or nobody knows which."""
        if seen is None or not self.ring:
            return None
        if not isinstance(self.ring[0], Snapshot) and self.ring[0].step > seen + 1:
            return None
        return tuple(frame for frame in self.ring if frame.step > seen)

    def has_much_after(self, seen: int | None) -> bool:
        """Whether a snapshot has to be sent to who has seen all up to a step."""
        missed = self.missed(seen)
        return missed is None or any(isinstance(frame, Snapshot) for frame in missed)


MAX_CLOCK_STEP_S: Final = 2.0
"""The most seconds that can pass at once. Where a clock leaps further the host was asleep, and
nobody was silent just because it did not listen."""


class Sessions:
    """The links of a room now. `now` is its time, in seconds, and never goes back."""

    def __init__(self, now: float) -> None:
        self.now = now
        self._clock = now
        self.connected: dict[int, Connected] = {}  # by link
        self.links: dict[int, Connected] = {}  # by member
        self.buffers: dict[int, ReplayBuffer] = {}  # by member
        self._do: list[Output] = []

    def advance(self, now: float) -> None:
        """Take the time; a clock that jumps back counts as one that stood still."""
        self.now += min(max(0.0, now - self._clock), MAX_CLOCK_STEP_S)
        self._clock = now

    def arrive(self, link: int, key: bytes, address: str = "") -> None:
        """A link is trusted. Where too many wait to enter, the oldest of those has to go."""
        strangers = [connected for connected in self.connected.values() if connected.member is None]
        if len(strangers) >= MAX_UNENTERED:
            self.end(strangers[0], CloseReason.TOO_SLOW)
        self.connected[link] = Connected(link, key, self.now, self.now, address)

    def remember(self, member: int) -> ReplayBuffer:
        """What is kept in mind of a member, from now on if nothing was."""
        return self.buffers.setdefault(member, ReplayBuffer.fresh(self.now))

    def attach(self, connected: Connected, member: int) -> None:
        """A link is this member's, who was heard just now."""
        connected.member = member
        self.links[member] = connected
        buffer = self.remember(member)
        buffer.last_heard, buffer.address = self.now, connected.address

    def is_crowded(self, address: str) -> bool:
        """Tell whether as many are at the table from an address as may be."""
        here = sum(buffer.address == address for buffer in self.buffers.values())
        return bool(address) and here >= PEOPLE_OF_ONE

    def send(self, connected: Connected, message: HostMessage) -> None:
        """Send what is no step."""
        self._do.append(SendFrame(connected.link, message))

    def send_step(self, connected: Connected, frame: NumberedFrame) -> None:
        """Send a step, or a snapshot, of which the other side has to tell that it has it."""
        connected.was_sent(frame.step, self.now)
        self.send(connected, frame)

    def hand_out(self, frames: dict[int, NumberedFrame]) -> None:
        """A step's frames: kept for who may come back for them, and sent to who is there."""
        for member, frame in frames.items():
            if member in self.buffers:
                self.buffers[member].add(frame)
            if member in self.links:
                self.send_step(self.links[member], frame)

    def end(self, connected: Connected, why: CloseReason) -> None:
        """End a link, and say why."""
        self.send(connected, Closing(why))
        self._do.append(CloseConnection(connected.link))
        self.forget(connected)

    def end_member(self, member: int, why: CloseReason) -> None:
        """End a member's link, if they have one, and forget the member."""
        self.buffers.pop(member, None)
        if member in self.links:
            self.end(self.links[member], why)

    def forget(self, connected: Connected) -> None:
        """A link is gone."""
        del self.connected[connected.link]
        if connected.member is not None:
            del self.links[connected.member]

    def collect(self) -> tuple[Output, ...]:
        """All that is to be done since this was last asked."""
        done, self._do = tuple(self._do), []
        return done


def may_overtake(do: tuple[Output, ...]) -> bool:
    """Whether these tell nothing that a crash could undo: heartbeats and the like alone."""
    return all(isinstance(one, SendFrame) and _is_of_now(one.message) for one in do)


def _is_of_now(message: HostMessage) -> bool:
    match message:
        case (
            Pong()
            | GuessAlarm()
            | Announcing()
            | CommandRefused(reason=Refusal.DISK_FULL | Refusal.HOST_ONLY)
        ):
            return True
        case _:
            return False
