"""Connections of a room: the member behind each, acknowledgements, replay buffers, outgoing frames.

None of this outlives the program. Times are in seconds of a clock that the shell owns.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Container
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from net.protocol import messages
from net.protocol.hall import NextTable
from net.protocol.lobby import Presence
from net.protocol.messages import (
    CloseReason,
    EnterTable,
    HostMessage,
    NumberedFrame,
    Refusal,
    StepFrame,
)
from net.room.effects import CloseConnection, Output, SendFrame
from net.secure.limits import Limit, Limiter

SHAKY_AFTER_S: Final = 5.0
GONE_AFTER_S: Final = 10.0
"""Seconds of silence after which a member counts as gone (SHAKY_AFTER_S: as shaky); more than the
six after which a client connects again."""

SLOW_AFTER_S: Final = 10.0
"""Seconds without an acknowledgement, while one is due, after which a client is too slow."""

ENTER_TIMEOUT_S: Final = 10.0  # seconds that a trusted connection may take to enter the table

OUTINGS: Final = Limit(rate=1 / 10, burst=6)
"""How often everybody is told that a member stepped away or is shaky. Beyond that they learn only
that the member is gone."""


class Limits(NamedTuple):
    """Limits of a room on newcomers and requests; the defaults are a table's."""

    unentered: int = 16
    """Maximum number of trusted connections that have not entered yet; an honest client enters at
    once."""
    per_address: int = 20
    """Maximum number of people from one address: ten players on one SSH server and as many
    watchers, or a family behind one router. Half of `MAX_PEOPLE`, so that one address cannot fill a
    table."""
    of_address: Limit = Limit(rate=1 / 10, burst=20)
    """Newcomers of one address, as a whole club may share one."""
    of_all: Limit = Limit(rate=1 / 2, burst=50)  # newcomers from all addresses together
    requests: Limit = Limit(rate=2, burst=20)  # requests of a member, except moves


TABLE_LIMITS: Final = Limits()

REPLAY_FRAMES: Final = 64
"""Frames kept for each member who may reconnect. A client that has missed more gets a snapshot, and
cannot check what happened before it."""


def presence_after(silence: float) -> Presence:
    """Return the presence of a member after this many seconds of silence."""
    if silence < SHAKY_AFTER_S:
        return Presence.THERE
    return Presence.SHAKY if silence < GONE_AFTER_S else Presence.GONE


@dataclass(slots=True)
class Connected:
    """A trusted connection, and the person behind it. Times are in seconds."""

    connection: int
    key: bytes
    arrived_at: float
    last_message_at: float
    address: str = ""
    at_door: bool = False
    member: int | None = None  # `None` before they have entered
    entering: EnterTable | None = None  # kept while they are asked what their seat knows
    watches: bool = False  # True for a person who does not want to play
    acked: int = 0  # the last step that was acknowledged
    sent: int = 0  # the last step that was sent
    doubted: int = 0  # a step that it has to acknowledge before its member counts as present
    owed_since: float | None = None  # since when an acknowledgement has been due

    def note_sent(self, step: int, now: float) -> None:
        self.sent = step
        if self.owed_since is None:
            self.owed_since = now

    def has_seen(self, step: int, now: float) -> None:
        """Note that the other side has acknowledged all steps up to this one.

        A step that was not sent on this connection does not count: another host's copy, abandoned
        since, may have got further than this one.
        """
        if self.acked < step <= self.sent:
            self.acked = step
            self.owed_since = None if step >= self.sent else now

    def is_slow(self, now: float) -> bool:
        return self.owed_since is not None and now - self.owed_since >= SLOW_AFTER_S

    def is_silent(self, now: float) -> bool:
        if self.member is None and now - self.arrived_at >= ENTER_TIMEOUT_S:
            return True
        return now - self.last_message_at >= GONE_AFTER_S


@dataclass(slots=True)
class ReplayBuffer:
    """A member's recent frames, time of the last message, quotas and address; outlives connections.

    `ring` has no gaps. `address` is where the last connection came from.
    """

    last_message_at: float
    ring: deque[StepFrame] = field(default_factory=lambda: deque(maxlen=REPLAY_FRAMES))
    limiter: Limiter = field(default_factory=Limiter)
    address: str = ""

    def may_announce(self, presence: Presence, now: float) -> bool:
        """Return True if others may be sent this presence now: not after too many `OUTINGS`."""
        is_outing = presence in {Presence.SHAKY, Presence.AWAY}
        return not is_outing or self.limiter.take(OUTINGS, now)

    def find_missed(self, seen: int, newest: int) -> tuple[StepFrame, ...] | None:
        """Return the frames after step `seen` up to step `newest`, `None` if some are gone."""
        kept = tuple(frame for frame in self.ring if frame.step > seen)
        return kept if len(kept) == newest - seen else None


MAX_CLOCK_STEP_S: Final = 2.0
"""Maximum seconds that pass at once. If the clock leaps further, the host was suspended and heard
nobody: members were not silent."""


SUSPENDED_S: Final = SHAKY_AFTER_S
"""Seconds of a leap of the clock after which everybody has to answer before the table plays."""


class Sessions:
    """The connections of a room. `now` is the room's time, in seconds, and never goes back."""

    def __init__(self, now: float, limits: Limits = TABLE_LIMITS) -> None:
        self.limits = limits
        self.now = now
        self._clock = now
        self.connected: dict[int, Connected] = {}  # by connection number
        self.by_member: dict[int, Connected] = {}
        self.buffers: dict[int, ReplayBuffer] = {}  # by member
        self._limiter = Limiter()
        self._do: list[Output] = []

    def advance(self, now: float) -> bool:
        """Advance the room's time by the shell's clock; a step back counts as standing still.

        Return True if the host was suspended for so long that the table may have moved by now.
        """
        leap = max(0.0, now - self._clock)
        self.now += min(leap, MAX_CLOCK_STEP_S)
        self._clock = now
        return leap >= SUSPENDED_S

    def arrive(self, connection: int, key: bytes, address: str = "") -> None:
        """Add a trusted connection. If too many have not entered yet, end the oldest of them."""
        strangers = [connected for connected in self.connected.values() if connected.member is None]
        if len(strangers) >= self.limits.unentered:
            self.end(strangers[0], CloseReason.TOO_SLOW)
        self.connected[connection] = Connected(connection, key, self.now, self.now, address)

    def buffer_of(self, member: int) -> ReplayBuffer:
        return self.buffers.setdefault(member, ReplayBuffer(self.now))

    def attach(self, connected: Connected, member: int, *, watches: bool = False) -> None:
        connected.member, connected.watches = member, watches
        self.by_member[member] = connected
        buffer = self.buffer_of(member)
        buffer.last_message_at, buffer.address = self.now, connected.address

    @property
    def inside(self) -> list[Connected]:
        return [connected for connected in self.connected.values() if connected.member is not None]

    def is_crowded(self, address: str, seated: Container[int] = ()) -> bool:
        """Return True if as many people as one address may have are here already.

        Absent members count if they are `seated`: pages that only looked in do not fill a table.
        """
        buffers = self.buffers.items()
        near = [member for member, buffer in buffers if buffer.address == address]
        here = [member for member in near if member in self.by_member or member in seated]
        return bool(address) and len(here) >= self.limits.per_address

    def count_entry(self, address: str) -> bool:
        """Count a newcomer; return False after too many, from one address or in all."""
        take = self._limiter.take
        of_address = not address or take(self.limits.of_address, self.now, address)
        return of_address and take(self.limits.of_all, self.now)

    def send(self, connected: Connected, message: HostMessage) -> None:
        self._do.append(SendFrame((connected.connection,), message))

    def send_step(self, connected: Connected, frame: NumberedFrame) -> None:
        """Send a step or a snapshot, which the other side has to acknowledge."""
        connected.note_sent(frame.step, self.now)
        self.send(connected, frame)

    def hand_out(self, frame: StepFrame, members: Collection[int]) -> None:
        """Keep a frame for members who may reconnect, and send it to those who are connected."""
        there: list[int] = []
        for member in members:
            if member in self.buffers:
                self.buffers[member].ring.append(frame)
            if member in self.by_member:
                connected = self.by_member[member]
                connected.note_sent(frame.step, self.now)
                there.append(connected.connection)
        if there:
            self._do.append(SendFrame(tuple(there), frame))

    def end(self, connected: Connected, why: CloseReason) -> None:
        self.turn_away(connected.connection, why)
        self.forget(connected)

    def turn_away(self, connection: int, why: CloseReason) -> None:
        self._do += (SendFrame((connection,), messages.Closing(why)), CloseConnection(connection))

    def end_unentered(self, known: Container[bytes]) -> None:
        """End the connections that have not entered, except those of `known` keys."""
        for connected in tuple(self.connected.values()):
            if connected.member is None and connected.key not in known:
                self.end(connected, CloseReason.NEW_CODE)

    def end_all(self, why: CloseReason) -> None:
        for connected in tuple(self.connected.values()):
            self.end(connected, why)

    def end_member(self, member: int, why: CloseReason) -> None:
        """End a member's connection, if they have one, and forget the member."""
        self.buffers.pop(member, None)
        if member in self.by_member:
            self.end(self.by_member[member], why)

    def forget(self, connected: Connected) -> None:
        del self.connected[connected.connection]
        if connected.member is not None:
            del self.by_member[connected.member]

    def collect(self) -> tuple[Output, ...]:
        done, self._do = tuple(self._do), []
        return done


def may_overtake(do: tuple[Output, ...]) -> bool:
    """Return True if these outputs need not wait for steps that are not on disk yet.

    All of them are like heartbeats: they contain nothing that a crash could undo.
    """
    return all(isinstance(effect, SendFrame) and _is_of_now(effect.message) for effect in do)


def _is_of_now(message: HostMessage) -> bool:
    if isinstance(message, messages.CommandRefused):
        return message.reason in {Refusal.DISK_FULL, Refusal.HOST_ONLY}
    is_state = isinstance(message, messages.Pong | messages.Disk | messages.Announcing)
    return is_state or isinstance(message, messages.GuessAlarm | messages.Notice | NextTable)
