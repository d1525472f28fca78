"""Where programs listen for each other: whom they serve, and what nobody can do to them there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from net.client.credentials import StandbyPlace
from net.client.log_copy import LogCopy
from net.client.pledge import Pledge
from net.client.session import Comparison, OpenedHere
from net.discovery.advert import OURS
from net.discovery.sockets import PortClaim, claim_port
from net.protocol.election import Elected, Elector
from net.protocol.framing import decode
from net.protocol.lobby import Lobby, Person, Presence, Settings
from net.protocol.messages import LogPart, LogWanted
from net.room.succession import ALARM_AFTER_S
from net.secure.address import pack_hosts
from net.secure.authenticate import AuthenticationFailed, authenticate
from net.secure.client import ClientHandshake, Rejection
from net.secure.code import RoomCode
from net.secure.connection import Connection, ConnectionFailed, ConnectionFault, connect
from net.secure.guess_limiter import ADDRESS_TRIES, FREE_GUESSES
from net.secure.handshake import (
    HANDSHAKE_HOST_KINDS,
    HandshakeFromHost,
    HandshakeRefused,
    RejectReason,
    SendMessage,
)
from net.secure.keys import SeatKey, TableCertificate
from net.secure.limits import MAX_PENDING
from net.takeover.comparing import Comparing
from net.takeover.election import Election
from net.takeover.election_acts import TakeOver
from net.takeover.standby import HostSilence, StandbyLinks
from net.takeover.standby_listener import StandbyListener
from net.tasks import cancel_and_wait
from tests.net.attack.connection_attack import connect_from
from tests.net.server.served_table import HERE, until
from tests.net.server.test_hostile import ATTACKS, record_host_bytes
from tests.net.takeover.electors import (
    ANN,
    BEN,
    CLEO,
    ELECTORS,
    FOUNDING,
    TABLE,
    copy_of,
    elect_host,
    key_of,
    mandate_of,
    rally,
)

WIM = 7
"""A watcher of whom Ben's program does not know."""

LONG_LOG = 30_000
"""Steps of a log that takes more parts than a guest may send frames at once."""


class Unasked:
    """The rest of a program whose host is well: it opens nothing, and is told of nothing."""

    def has_opened(self, table: str, term: int) -> bool:
        """Nothing was opened."""
        del table, term
        return False

    async def open(self, order: TakeOver, certificate: TableCertificate) -> OpenedHere | None:
        """Fail."""
        del order, certificate
        return None

    def silence(self) -> HostSilence:
        """There is none."""
        return HostSilence(0.0)

    def keep_pledge(self, pledge: Pledge) -> bool:
        """Promise nothing."""
        del pledge
        return True

    def follow(self, elected: Elected, *, was_ours: bool) -> None:
        """Go nowhere."""

    def end_table(self, elected: Elected, term: int) -> None:
        """End nothing."""

    def keep_place(self, place: StandbyPlace) -> None:
        """Keep nothing."""

    def note_tick(self) -> None:
        """Tell nobody."""

    def note_comparison(self, comparison: Comparison) -> None:
        """Tell nobody."""


class Program:
    """Ben's program, which listens."""

    running: asyncio.Task[None]

    def __init__(self, steps: int = 5) -> None:
        self.election = Election(key_of(BEN), copy_of(steps), BEN, TABLE, 0, host=ANN)
        self.election.set_electors(ELECTORS)
        self.comparing = Comparing(lambda _incarnation, _step: None)
        self.links = StandbyLinks(Unasked(), Unasked(), self.election, self.comparing, Unasked())

    async def end(self) -> None:
        """End it."""
        self.running.cancel()
        with suppress(asyncio.CancelledError):
            await self.running

    @property
    def listener(self) -> StandbyListener:
        """Where it listens."""
        assert self.links.listener is not None
        return self.links.listener

    @property
    def port(self) -> int:
        """On which port."""
        return self.listener.claim.port

    async def come(self, member: int, port: int = 0) -> Connection:
        """Connect to it as another elector's program does."""
        pin = self.election.fingerprint
        connection = await connect(HERE, port or self.port, pin=pin)
        await authenticate(connection, ClientHandshake.come_back(pin, OURS, key_of(member)))
        return connection

    async def hears(self, connection: Connection, member: int = CLEO) -> None:
        """See that it takes in what is said on a connection."""
        self.election.rallies.pop(member, None)
        connection.send(rally())
        await until(lambda: member in self.election.rallies)


@asynccontextmanager
async def listening(program: Program) -> AsyncIterator[Program]:
    """Let a program stand by."""
    program.running = asyncio.create_task(program.links.run())
    try:
        assert await program.links.stand_by() is not None
        yield program
    finally:
        await program.end()


@pytest.fixture
async def ben(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Program]:
    """Ben's program, on a free port of this computer."""

    def here(first: object, ports: object) -> PortClaim:
        del first, ports
        return claim_port(ports=[0], hosts=[HERE])

    monkeypatch.setattr("net.takeover.standby.claim_port", here)
    monkeypatch.setattr("net.takeover.standby.own_addresses", lambda: [HERE])
    async with listening(Program()) as program:
        yield program


async def is_over(connection: Connection) -> ConnectionFault:
    """Read until a connection is over, and say why it is."""
    async with asyncio.timeout(20):
        while True:
            try:
                await connection.recv()
            except ConnectionFailed as over:
                return over.why


async def test_an_elector_who_connects_again_has_one_connection_the_newest(ben: Program) -> None:
    first = await ben.come(CLEO)
    await ben.hears(first)
    second = await ben.come(CLEO)
    await ben.hears(second)
    assert await is_over(first) is ConnectionFault.LOST
    await ben.hears(second)
    assert list(ben.listener.connections) == [CLEO]


async def test_whoever_has_left_the_table_is_not_listened_to(ben: Program) -> None:
    cleo, ann = await ben.come(CLEO), await ben.come(ANN)
    await ben.hears(cleo)
    people = tuple(Person(one, name, Presence.THERE) for one, name in ((ANN, "Ann"), (BEN, "Ben")))
    ben.election.note_list(
        Lobby("Rush", Settings(seats=3), (), people, ANN, electors=(ANN, BEN), changes=4)
    )
    assert await is_over(cleo) is ConnectionFault.LOST
    assert CLEO not in ben.election.rallies
    await ben.hears(ann, ANN)
    with pytest.raises(AuthenticationFailed):
        await ben.come(CLEO)


async def test_nobody_else_gets_in_not_by_a_key_nor_by_a_code(ben: Program) -> None:
    pin = ben.election.fingerprint
    stranger = await connect(HERE, ben.port, pin=pin)
    with pytest.raises(AuthenticationFailed) as refused:
        await authenticate(stranger, ClientHandshake.come_back(pin, OURS, SeatKey.new()))
    assert refused.value.rejected.why is Rejection.NOT_SEATED
    for code, why in ((None, Rejection.CODE_NEEDED), (RoomCode.new(), Rejection.WRONG_CODE)):
        stranger = await connect(HERE, ben.port, pin=pin)
        with pytest.raises(AuthenticationFailed) as refused:
            await authenticate(stranger, ClientHandshake.join(pin, OURS, SeatKey.new(), code))
        assert refused.value.rejected.why is why
    assert not ben.listener.connections


class Opening(Unasked):
    """A computer at which tables are open, or are known not to open, only once that is told."""

    def __init__(self) -> None:
        self.opened: dict[int, asyncio.Future[OpenedHere | None]] = {}

    async def open(self, order: TakeOver, certificate: TableCertificate) -> OpenedHere | None:
        """Wait until that is told."""
        del certificate
        self.opened[order.mandate.term] = asyncio.get_running_loop().create_future()
        return await self.opened[order.mandate.term]


def elect_twice(ben: Program) -> Opening:
    """Ben's program is elected again while the table of its first election still opens."""
    successor = Opening()
    ben.links._successor = successor
    ben.election.pledge = Pledge(3, BEN, bound=3, opening=3)
    mandates = (mandate_of(term, BEN, BEN, CLEO) for term in (1, 3))
    ben.links._do(TakeOver(TABLE, mandate, FOUNDING, ()) for mandate in mandates)
    return successor


async def test_a_table_that_does_not_open_gives_up_its_own_election_and_no_later_one(
    ben: Program,
) -> None:
    successor = elect_twice(ben)
    await until(lambda: len(successor.opened) == 2)
    successor.opened[1].set_result(None)
    successor.opened[3].set_result(OpenedHere(7341, (HERE,)))
    await until(lambda: not ben.election.is_bound)
    assert ben.election.term == 3


async def test_nothing_is_opened_any_more_once_the_session_has_ended(ben: Program) -> None:
    successor = elect_twice(ben)
    await until(lambda: len(successor.opened) == 2)
    await ben.end()
    assert all(opened.cancelled() for opened in successor.opened.values())


async def test_who_came_in_the_hosts_last_instant_is_shown_who_was_elected_and_nothing_else(
    ben: Program,
) -> None:
    ben.election.receive(CLEO, elect_host(1, BEN, BEN, CLEO), 0.0)
    followed: asyncio.Queue[Elected] = asyncio.Queue()
    wim = Election(key_of(WIM), LogCopy(), WIM, TABLE, 0, host=ANN)
    place = ben.election.fingerprint, ben.port, pack_hosts([HERE])
    wim.set_electors((ELECTORS[0], Elector(BEN, key_of(BEN).public, *place), ELECTORS[2]))

    class Looking(Unasked):
        def silence(self) -> HostSilence:
            return HostSilence(ALARM_AFTER_S)

        def follow(self, elected: Elected, *, was_ours: bool) -> None:
            assert not was_ours
            followed.put_nowait(elected)

    comparing = Comparing(lambda _incarnation, _step: None)
    links = StandbyLinks(Looking(), Looking(), wim, comparing, None)
    looking = asyncio.create_task(links.run())
    try:
        async with asyncio.timeout(20):
            assert await followed.get() == elect_host(1, BEN, BEN, CLEO)
    finally:
        await cancel_and_wait(looking)
    stranger = await ben.come(WIM)
    assert decode(await stranger.recv(), Elected) == elect_host(1, BEN, BEN, CLEO)
    assert await is_over(stranger) is ConnectionFault.LOST
    assert not ben.listener.connections


async def test_guesses_are_counted_over_all_connections(ben: Program) -> None:
    pin = ben.election.fingerprint
    answers = list[Rejection]()
    for _ in range(ADDRESS_TRIES + FREE_GUESSES + 2):
        stranger = await connect(HERE, ben.port, pin=pin)
        guess = ClientHandshake.join(pin, OURS, SeatKey.new(), RoomCode.new())
        with pytest.raises(AuthenticationFailed) as refused:
            await authenticate(stranger, guess)
        answers.append(refused.value.rejected.why)
    assert answers[0] is Rejection.WRONG_CODE
    assert answers[-1] is Rejection.SLOW_DOWN


async def test_a_greeting_that_was_recorded_is_worth_nothing_when_it_is_said_again(
    ben: Program,
) -> None:
    said = bytearray()
    async with record_host_bytes(ben.port, said) as tap:
        cleo = await ben.come(CLEO, tap)
        await ben.hears(cleo)
        cleo.abort()
    await until(lambda: not ben.listener.connections)
    reader, writer = await asyncio.open_connection(HERE, ben.port)
    writer.write(said)
    with suppress(ConnectionError):
        async with asyncio.timeout(10):
            assert len(await reader.read()) < 2000, "a handshake, and no more"
    writer.close()
    assert not ben.listener.connections


async def test_the_words_of_a_greeting_said_again_on_ones_own_connection_are_refused(
    ben: Program,
) -> None:
    pin = ben.election.fingerprint
    greeting = ClientHandshake.come_back(pin, OURS, key_of(CLEO))

    async def greet() -> tuple[Connection, HandshakeFromHost]:
        connection = await connect(HERE, ben.port, pin=pin)
        connection.send(greeting.start().message)
        return connection, decode(await connection.recv(), *HANDSHAKE_HOST_KINDS)

    first, offer = await greet()
    claim = greeting.receive(offer)
    assert isinstance(claim, SendMessage)
    first.abort()
    second, _ = await greet()
    second.send(claim.message)
    refused = decode(await second.recv(), *HANDSHAKE_HOST_KINDS)
    assert refused == HandshakeRefused(RejectReason.NOT_SEATED)
    assert not ben.listener.connections


@pytest.mark.broad
@pytest.mark.parametrize("name", ATTACKS)
async def test_whatever_an_electors_program_sends_ends_that_connection_and_nothing_else(
    ben: Program, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    ann, cleo = await ben.come(ANN), await ben.come(CLEO)
    await ben.hears(ann, ANN)
    cleo._transport.write(ATTACKS[name] * (1 + 9 * (name == "a flood")))
    if name == "truncated":
        cleo.close()
    await until(lambda: list(ben.listener.connections) == [ANN])
    await ben.hears(ann, ANN)
    await ben.hears(await ben.come(CLEO))
    assert caplog.messages == []


@pytest.mark.broad
async def test_connections_that_say_nothing_keep_no_elector_out(ben: Program) -> None:
    idle = [
        await asyncio.open_connection(HERE, ben.port, local_addr=(f"127.0.0.{2 + n % 9}", 0))
        for n in range(3 * MAX_PENDING)
    ]
    assert len(ben.listener._admission) <= MAX_PENDING
    await ben.hears(await ben.come(CLEO))
    for _, writer in idle:
        writer.close()


@pytest.mark.broad
async def test_an_elector_gets_in_while_a_stranger_connects_without_end(ben: Program) -> None:
    async def storm() -> None:
        while True:
            with suppress(OSError, ConnectionFailed, TimeoutError):
                (await connect_from("127.0.0.9", ben.port)).abort()

    strangers = [asyncio.create_task(storm()) for _ in range(8)]
    try:
        for _ in range(3):
            await ben.hears(await ben.come(CLEO))
        assert not any(stranger.done() for stranger in strangers)
    finally:
        for stranger in strangers:
            stranger.cancel()
        await asyncio.gather(*strangers, return_exceptions=True)


async def test_a_long_copy_comes_on_one_connection(ben: Program) -> None:
    ben.election.copy = copy_of(LONG_LOG)
    cleo, got = await ben.come(CLEO), LogCopy()
    while (after := got.lacks_after) is not None:
        cleo.send(LogWanted(after))
        got.take(decode(await cleo.recv(), LogPart), LONG_LOG)
    assert got.steps == ben.election.copy.steps
