"""A session's watch over its host: it takes part in the election of another, and tells the player.

At the end of a round it compares what the programs of the others have seen, too.
`net.takeover.election` and `net.takeover.comparing` decide, `net.takeover.standby` has the
connections. A session asks here if it may connect to its host, and is told when the table has gone
on elsewhere.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Coroutine, Iterable
from dataclasses import replace
from typing import Final, Protocol

from net.client.credentials import StandbyPlace
from net.client.pledge import Pledge, Standing
from net.client.publisher import StatusPublisher
from net.client.session import Comparison, HostAlarm, Received
from net.protocol.election import Electors, HandingOver
from net.protocol.messages import ClientMessage, Mark
from net.room.copies import keeps_copy
from net.room.succession import (
    ALARM_AFTER_S,
    MIN_OTHERS,
    WARN_AFTER_S,
    is_outnumbered,
    patience_for,
)
from net.secure.code import words_to_compare
from net.secure.keys import SeatKey
from net.takeover.comparing import Comparing
from net.takeover.election import Election
from net.takeover.standby import HostSilence, LinkedSession, StandbyLinks, Successor

ALARMS_SPREAD_S: Final = 3.0
"""Seconds in which all miss a host that is gone: they heard it last up to a heartbeat (2 s) apart,
and take a second to tell each other."""


def are_too_few(silence: HostSilence, *, has_majority: bool) -> bool:
    """Return True if too few miss the host to go on without it, and no more are to be expected."""
    is_due = silence.outnumbered or silence.seconds >= ALARM_AFTER_S + ALARMS_SPREAD_S
    return is_due and not has_majority


class WatchedSession(LinkedSession, Protocol):
    """The session of a watch."""

    publisher: StatusPublisher

    def keep_standing(self) -> bool:
        """Write down what outlives the program; return False if that fails."""
        ...

    def send(self, messages: Iterable[ClientMessage]) -> None:
        """Send messages to the present host."""
        ...


class SuccessionWatch:
    """One session's part in what becomes of its table.

    `place` is where an earlier run of the program listened. Call `receive` with what comes of each
    message of the host. The session may ask the `links` to the other programs where a table is.
    """

    def __init__(
        self,
        session: WatchedSession,
        key: SeatKey,
        successor: Successor | None,
        place: StandbyPlace | None = None,
    ) -> None:
        self._session = session
        self._publisher = session.publisher
        self._successor = successor
        self.election = Election(key, self._publisher.state.copy)
        comparing = Comparing(self._hash_at)
        self.links = StandbyLinks(self, session, self.election, comparing, successor, place=place)
        self._last_heard = time.monotonic()
        self._is_linked = False
        self._sealed_since: float | None = None
        self._stands_by = False
        self._asides: set[asyncio.Task[None]] = set()

    def restore(self, standing: Standing) -> None:
        """Begin with what an earlier run of the program knew of the others.

        The host may be elsewhere by now, so they are asked at once. It counts as gone if it does
        not answer soon.
        """
        has_opened = self._successor is not None and self._successor.has_opened(
            standing.table, standing.pledge.opening
        )
        self.election.restore(standing, has_opened=has_opened)
        self._publisher.state.bound = self.election.pledge.bound
        self._last_heard = time.monotonic() - WARN_AFTER_S

    async def run(self) -> None:
        """Watch until cancelled."""
        if self.election.copy.last:  # of an earlier run: others may want to connect
            _ = self.aside(self._stand_by())
        try:
            await self.links.run()
        finally:
            for task in self._asides:
                task.cancel()

    @property
    def has_company(self) -> bool:
        """True if the programs of others can be reached, with whom the table may go on."""
        return bool(self.election.dialled or self.election.rallies)

    # Told by the session.

    def note_connection(self) -> None:
        """Note a new connection to the host."""
        self._last_heard, self._is_linked, self._stands_by = time.monotonic(), True, False
        self._publisher.set_status(replace(self._publisher.status, alarm=None))

    def note_disconnection(self) -> None:
        """Note that the connection to the host is gone."""
        self._is_linked = False

    def note_move(self) -> None:
        """Note that the session goes to a new host: that one gets its time to answer."""
        self._last_heard = time.monotonic()

    def receive(self, received: Received) -> None:
        """Note a message of the host: who could go on with the table, and that it is there."""
        self._last_heard = time.monotonic()
        match received.for_electors:
            case Electors(table, electors, watchers):
                self.election.table = table
                self.election.set_electors(electors, watchers)
                self._session.keep_standing()
            case HandingOver(member):
                self.election.call(member, time.monotonic())
            case None:
                pass
        lobby, member = self._publisher.status.lobby, self._publisher.status.member
        if lobby is None or not self._publisher.state.entered:
            return
        if self.election.note_list(lobby):
            self._session.keep_standing()
        self.election.member = member
        self.election.follow(lobby.term, lobby.host)
        if received.round_end is not None:
            self._compare(received.round_end)
        if not self._stands_by and keeps_copy(lobby, member):
            self._stands_by = True
            _ = self.aside(self._stand_by())

    def _compare(self, mark: Mark) -> None:
        """Compare the end of a round with the programs that were ever electors' and are there.

        With fewer than two beside the host there is nobody to ask but what runs at its computer,
        and that shows what the host likes.
        """
        held = self._publisher.status.game_state
        assert held is not None, "a round of it has ended"
        known = [one.member for one in self.election.known]
        sitting = [person for _, person in held.lobby.sitting if person.member in known]
        if len([one for one in sitting if one.member != held.lobby.host]) < MIN_OTHERS:
            return
        names = {one.member: one.name for one in sitting if not one.presence.is_gone}
        if names.pop(self.election.member, None) is not None and names:
            self.links.compare(held.incarnation, mark, names)

    def aside(self, work: Coroutine[object, None, None]) -> asyncio.Task[None]:
        """Do something beside all else, until the session ends."""
        task = asyncio.create_task(work)
        self._asides.add(task)
        task.add_done_callback(self._asides.discard)
        return task

    # Asked by the links.

    def _hash_at(self, incarnation: int, step: int) -> bytes | None:
        return self._publisher.state.trail.hash_at(incarnation, step)

    def silence(self) -> HostSilence:
        """Return how things stand with the host."""
        lobby = self._publisher.status.lobby
        few = lobby is not None and is_outnumbered(lobby)
        silent = time.monotonic() - self._last_heard
        if lobby is not None:
            silent = max(0.0, silent - patience_for(lobby))
        return HostSilence(silent, outnumbered=few, sealed=self._seconds_sealed())

    def _seconds_sealed(self) -> float | None:
        """Return the seconds for which the table has been sealed, `None` if it is not."""
        if self._publisher.status.sealed is None:
            self._sealed_since = None
            return None
        if self._sealed_since is None:
            self._sealed_since = time.monotonic()
        return time.monotonic() - self._sealed_since

    async def _stand_by(self) -> None:
        standby = await self.links.stand_by()
        if standby is not None and self._publisher.state.entered:
            self._session.send((standby,))

    def keep_pledge(self, pledge: Pledge) -> bool:
        """Write down what binds this program; steps of an earlier host count no longer."""
        self._publisher.state.bound = pledge.bound
        return self._session.keep_standing()

    # Told to the player.

    def note_comparison(self, comparison: Comparison) -> None:
        """Tell what came of a comparison, with words for those who compare them aloud."""
        _ = self.aside(self._tell_comparison(comparison))

    async def _tell_comparison(self, comparison: Comparison) -> None:
        words = await asyncio.to_thread(words_to_compare, self.links.comparing.mark.hash)
        self._publisher.tell_comparison(replace(comparison, words=words))

    def note_tick(self) -> None:
        """Tell the player of an alarm, and of who could not host."""
        unasked = {self.election.member} if self._successor is None else set[int]()
        self._publisher.set_status(
            replace(
                self._publisher.status,
                alarm=self._alarm(),
                opened_here=self.links.opened_here,
                cannot_host=self.election.cannot_host - unasked,
            )
        )

    def _alarm(self) -> HostAlarm | None:
        silence, election = self.silence(), self.election
        members = [one.member for one in election.electors]
        if not election.is_possible() or election.member not in members:
            return None
        if self._publisher.status.sealed is not None:
            return None  # it says itself whom it waits for
        is_well = silence.seconds < WARN_AFTER_S and self._is_linked and not silence.outnumbered
        if is_well and not election.is_bound:
            return None
        lobby, first = self._publisher.status.lobby, next(iter(election.successors), None)
        person = None if lobby is None or first is None else lobby.person(first.member)
        name = None if first is None else "" if person is None else person.name
        left = 0 if silence.outnumbered else max(0, math.ceil(ALARM_AFTER_S - silence.seconds))
        too_few = are_too_few(silence, has_majority=election.has_majority)
        return HostAlarm(left, name, too_few=too_few)
