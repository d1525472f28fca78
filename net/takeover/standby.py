"""The connections between the programs of a table's people, by which they go on without the host.

Each program that may become the host listens, with a certificate that the host has passed on to the
others. While a program misses its host it dials them all, and at the end of a round some of them,
to compare what they have seen. `net.takeover.election` and `net.takeover.comparing` decide what
they say.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Protocol, assert_never

from net.client.credentials import StandbyPlace
from net.client.pledge import Pledge
from net.client.session import Comparison, OpenedHere
from net.discovery.advert import OURS
from net.discovery.mdns import own_addresses
from net.discovery.sockets import LOOPBACK_HOSTS, claim_port
from net.protocol.election import MAX_STANDBY_ADDRESSES, Compare, Elected, Elector, Standby
from net.protocol.framing import BadFrame, decode
from net.protocol.messages import Mark
from net.room.succession import ALARM_AFTER_S, WARN_AFTER_S
from net.secure.address import Address, pack_hosts, unpack_addresses
from net.secure.authenticate import AuthenticationFailed, authenticate
from net.secure.client import ClientHandshake
from net.secure.connection import Connection, ConnectionFailed, connect
from net.secure.keys import TableCertificate
from net.takeover.comparing import Comparing
from net.takeover.election import Election
from net.takeover.election_acts import (
    LINK_KINDS,
    Act,
    Follow,
    KeepPledge,
    LinkMessage,
    Say,
    TakeOver,
)
from net.takeover.standby_listener import StandbyListener
from net.tasks import cancel_and_wait

ELECTION_TICK_S: Final = 0.25
"""Seconds between two looks at the host while it is heard."""

WORRIED_TICK_S: Final = 0.1
"""Seconds between two looks at the host, and steps of an election, while it is missed."""

REDIAL_S: Final = 1.0  # seconds between two attempts to reach another program

STANDBY_PORTS: Final = (7350, 7349, 7348, 7347, 7346, 0)
"""Ports to listen on: those that a firewall lets in for tables, the last ones first."""


class Successor(Protocol):
    """Opens tables of other hosts at this computer."""

    def has_opened(self, table: str, term: int) -> bool:
        """Return True if the table was opened here in that term."""
        ...

    async def open(self, order: TakeOver, certificate: TableCertificate) -> OpenedHere | None:
        """Go on with a table, as this certificate; return `None` if that fails."""
        ...


@dataclass(frozen=True, slots=True)
class HostSilence:
    """Seconds since the host was last heard.

    It is `outnumbered` if it is there, and hears too few of us. If it was restarted, `sealed` is
    the number of seconds for which its table has been sealed, else `None`: others may know of
    another host by now.
    """

    seconds: float
    outnumbered: bool = False
    sealed: float | None = None


class LinkedSession(Protocol):
    """The session whose program has the connections."""

    def keep_place(self, place: StandbyPlace) -> None:
        """Keep where the others know this program to listen: a later run is to be found there."""
        ...

    def follow(self, elected: Elected, *, was_ours: bool) -> None:
        """Go to the new host of the table; if the one before `was_ours`, it is to be told."""
        ...

    def end_table(self, elected: Elected, term: int) -> None:
        """End a table that was opened here in vain, as it goes on elsewhere in a later term."""
        ...


class LinksOwner(Protocol):
    """The owner of the connections: told what comes of them, and asked how things stand."""

    def silence(self) -> HostSilence:
        """Return how things stand with the host."""
        ...

    def keep_pledge(self, pledge: Pledge) -> bool:
        """Write down what binds this program, before it is said; return False if that fails."""
        ...

    def note_tick(self) -> None:
        """Note that time has passed for the election."""
        ...

    def note_comparison(self, comparison: Comparison) -> None:
        """Note what came of a comparison."""
        ...


def packed_hosts(hosts: Iterable[str]) -> tuple[bytes, ...]:
    """Return as many of these hosts as fit into a message, as bytes."""
    return pack_hosts(hosts)[:MAX_STANDBY_ADDRESSES]


class StandbyLinks:
    """One program's connections to the others, and what is said on them: elections and comparisons.

    `place` is where an earlier run of it listened.
    """

    def __init__(  # noqa: PLR0913 - this is whom they connect, and for what
        self,
        owner: LinksOwner,
        session: LinkedSession,
        election: Election,
        comparing: Comparing,
        successor: Successor | None,
        *,
        place: StandbyPlace | None = None,
    ) -> None:
        self.election = election
        self.comparing = comparing
        self.listener: StandbyListener | None = None
        self._owner = owner
        self._session = session
        self._successor = successor
        self._place = place
        self.opened_here: OpenedHere | None = None
        self._freed = asyncio.Event()
        self._hosts: tuple[bytes, ...] = ()
        self._beginning = asyncio.Lock()
        self._out: dict[int, Connection] = {}
        self._dialling: dict[int, asyncio.Task[None]] = {}
        self._openings: set[asyncio.Task[None]] = set()  # a late one beside that of a later term
        self._listening: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Watch the host, and take part in elections, until cancelled."""
        try:
            is_worried = False
            while True:
                await asyncio.sleep(WORRIED_TICK_S if is_worried else ELECTION_TICK_S)
                is_worried = self._tick()
        finally:
            listening = () if self._listening is None else (self._listening,)
            await cancel_and_wait(*self._dialling.values(), *self._openings, *listening)
            if self.listener is not None:
                self.listener.close()

    async def wait_until_unbound(self) -> None:
        """Wait until this program is bound by no vote."""
        while self.election.is_bound:
            self._freed.clear()
            await self._freed.wait()

    async def stand_by(self) -> Standby | None:
        """Listen, if a table can be opened here; return what the host is to know of it."""
        if self._successor is None:
            return None
        async with self._beginning:
            if self.listener is None:
                place = self._place
                certificate = (
                    await asyncio.to_thread(TableCertificate.new)
                    if place is None
                    else place.certificate
                )
                try:
                    self._hosts = packed_hosts(await asyncio.to_thread(own_addresses))
                    claim = claim_port(
                        first=None if place is None else place.port, ports=STANDBY_PORTS
                    )
                except OSError:
                    return None
                self._listen(
                    StandbyListener(
                        claim, certificate, self.election, self._read, self._note_departure
                    )
                )
        assert self.listener is not None
        return Standby(self.election.fingerprint, self.listener.claim.port, self._hosts)

    def _listen(self, listener: StandbyListener) -> None:
        self.listener = listener
        self.election.fingerprint = listener.certificate.fingerprint
        self._session.keep_place(StandbyPlace(listener.certificate, listener.claim.port))
        self._listening = asyncio.create_task(listener.run())

    # Time.

    def _tick(self) -> bool:
        """Let time pass, and return True if the host is missed, or another one is to come."""
        silence, election = self._owner.silence(), self.election
        is_worried = (
            silence.seconds >= WARN_AFTER_S
            or silence.outnumbered
            or silence.sealed is not None
            or election.is_bound
            or election.called is not None
        )
        now = time.monotonic()
        wanted = self.comparing.select_peers(election.member, election.known, now)
        if is_worried:
            wanted |= {one.member: one for one in election.successors}
        wanted.pop(election.member, None)
        for member, elector in wanted.items():
            if member not in self._dialling:
                self._dialling[member] = asyncio.create_task(self._call_up(elector))
        for member in [one for one in self._dialling if one not in wanted]:
            self._dialling.pop(member).cancel()
        alarmed = silence.seconds >= ALARM_AFTER_S or silence.outnumbered
        sealed = silence.sealed is not None and silence.sealed >= ALARM_AFTER_S
        self._do(election.tick(now, alarmed=alarmed, sealed=sealed))
        if (comparison := self.comparing.tick(now)) is not None:
            self._owner.note_comparison(comparison)
        if not election.is_bound:
            self._freed.set()
        if self.listener is not None:
            self.listener.keep_members()
        self._owner.note_tick()
        return is_worried

    # Connections.

    async def _call_up(self, elector: Elector) -> None:
        """Keep up a connection to another program, until cancelled."""
        while True:
            for address in unpack_addresses(elector.addresses, elector.port):
                with suppress(ConnectionFailed, AuthenticationFailed, BadFrame, TimeoutError):
                    await self._talk(elector, address)
            await asyncio.sleep(REDIAL_S)

    async def _talk(self, elector: Elector, address: Address) -> None:
        """Talk to another program on one connection."""
        pin, key = elector.fingerprint, self.election.key
        connection = await connect(address.host, address.port, pin=pin, seconds=REDIAL_S)
        try:
            await authenticate(connection, ClientHandshake.come_back(pin, OURS, key))
            self._out[elector.member] = connection
            self._do(
                (
                    *self.election.note_link(elector.member),
                    *self.comparing.note_link(elector.member),
                )
            )
            await self._read(connection, elector.member)
        finally:
            connection.abort()
            if self._out.get(elector.member) is connection:
                del self._out[elector.member]
                self.election.note_unlink(elector.member)
                self.comparing.note_unlink(elector.member)

    async def _read(self, connection: Connection, member: int) -> None:
        while True:
            message: LinkMessage = decode(await connection.recv(), *LINK_KINDS)
            if not isinstance(message, Compare):
                self._do(self.election.receive(member, message, time.monotonic()))
            elif member in self.election.peers:
                self._do(self.comparing.receive(member, message))

    def compare(self, incarnation: int, mark: Mark, names: Mapping[int, str]) -> None:
        """Compare the end of a round with the programs of these members."""
        self._do(self.comparing.begin(incarnation, mark, names, time.monotonic()))

    def _note_departure(self, member: int) -> None:
        """Note that the connection from another program is gone."""
        self.election.note_departure(member)
        self.comparing.note_unlink(member)

    # Acts.

    def _do(self, acts: Iterable[Act]) -> None:
        for act in acts:
            match act:
                case Say(member, message):
                    self._say(member, message)
                case KeepPledge(pledge):
                    if not self._owner.keep_pledge(pledge) and pledge.bound:
                        # Nothing binds us that would be forgotten by a restart.
                        self._do(self.election.give_up())
                        return
                case TakeOver():
                    opening = asyncio.create_task(self._open(act))
                    self._openings.add(opening)
                    opening.add_done_callback(self._openings.discard)
                case Follow(elected, was_ours):
                    self._session.follow(elected, was_ours=was_ours)
                case _:
                    assert_never(act)

    def _say(self, member: int, message: LinkMessage) -> None:
        """Send a message on the connections that there are to a member's program."""
        links = {} if self.listener is None else self.listener.connections
        for connection in {links.get(member), self._out.get(member)} - {None}:
            assert connection is not None
            try:
                connection.send(message)
            except ConnectionFailed:
                connection.abort()

    async def _open(self, order: TakeOver) -> None:
        """Open the table here."""
        assert self._successor is not None
        assert self.listener is not None
        opened = await self._successor.open(order, self.listener.certificate)
        term = order.mandate.term
        if opened is None:
            if self.election.pledge.opening == term:  # not given up already
                self._do(self.election.give_up())
            return
        place = opened.port, packed_hosts(opened.hosts)
        acts = self.election.announce_table(order.mandate, *place)
        if acts:
            self.opened_here = opened
            self._do(acts)
        else:  # it took so long that it was given up meanwhile
            self._session.end_table(Elected(order.mandate, *place), term + 1)

    def where(self, elected: Elected) -> tuple[Address, ...]:
        """Return the addresses of a table that has gone on."""
        if elected.mandate.member == self.election.member:
            return tuple(Address(host, elected.port) for host in LOOPBACK_HOSTS)
        return unpack_addresses(elected.addresses, elected.port)
