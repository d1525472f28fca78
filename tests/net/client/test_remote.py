"""A seat on the network, kept up: real hosts and connections, cables that fail, hosts that lie."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from net.client import remote
from net.client.credentials import Credentials, CredentialStore
from net.client.remote import MAX_BAD_CONNECTIONS, RemoteSession
from net.client.session import ConnectionState, Update
from net.protocol.cleaning import MAX_NAME_CELLS, clean_name, suffixed_name
from net.protocol.lobby import Lobby
from net.protocol.lobby_events import Said
from net.protocol.messages import CloseReason, CommandRefused, Ping, Refusal
from net.protocol.requests import Chat, Close, Kick, Leave, SetReady, Start
from net.secure.address import Address
from net.secure.connection import Connection, ConnectionFault, accept_peer
from net.secure.handshake import Rejection
from net.server.tables import resume
from net.tasks import cancel_and_wait
from tests.net.cable import cable
from tests.net.secure.test_connection import Table
from tests.net.server.served_table import CODE, HERE, OTHER_CODE, hosting, run, until


def allow_silence(shaky_s: float, lost_s: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a connection be shaky, then lost, after this much silence."""
    monkeypatch.setattr(remote, "SHAKY_AFTER_S", shaky_s)
    monkeypatch.setattr(remote, "LOST_AFTER_S", lost_s)


@pytest.fixture(autouse=True)
def quick_heartbeats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "HEARTBEAT_INTERVAL_S", 0.02)
    allow_silence(60, 120, monkeypatch)


class Sitter:
    """A client that runs, and all it has told."""

    def __init__(self, credentials: Credentials, store: CredentialStore) -> None:
        self.updates: list[Update] = []
        self.client = RemoteSession(credentials, self.updates.append, store)
        self.task = asyncio.create_task(self.client.run())

    @property
    def standings(self) -> list[ConnectionState]:
        seen = [update.status.connection for update in self.updates]
        return [status for at, status in enumerate(seen) if at == 0 or status is not seen[at - 1]]

    @property
    def lines_heard(self) -> list[str]:
        lobby_events = [
            event for update in self.updates if update.received for event in update.received.news
        ]
        return [event.text for event in lobby_events if isinstance(event, Said)]

    @property
    def lobby(self) -> Lobby:
        assert self.client.status.lobby is not None
        return self.client.status.lobby

    async def is_connected(self) -> Sitter:
        await self.wait_for_state(ConnectionState.CONNECTED)
        await until(lambda: self.client.status.game_state is not None)
        return self

    async def wait_for_state(self, connection_state: ConnectionState) -> None:
        await until(lambda: self.client.status.connection is connection_state)

    async def has_ended(self) -> Sitter:
        async with asyncio.timeout(20):
            await self.task
        return self


def credentials(port: int, name: str = "Ben") -> Credentials:
    return Credentials(name=name, addresses=(Address(HERE, port),), code=CODE)


class NewSitter:
    """Makes sitters, who keep their credentials in one store."""

    def __init__(self, store: CredentialStore) -> None:
        self.store = store
        self.made: list[Sitter] = []

    def __call__(self, at: Credentials) -> Sitter:
        self.made.append(Sitter(at, self.store))
        return self.made[-1]

    def find_kept(self, name: str) -> Credentials:
        kept = [stored.credentials for stored in self.store.list_stored()]
        return next(credentials for credentials in kept if credentials.name == name)


@pytest.fixture
async def sitter(tmp_path: Path) -> AsyncIterator[NewSitter]:
    make = NewSitter(CredentialStore(tmp_path / "seats"))
    yield make
    for session in make.made:
        session.client.leave()
        await session.has_ended()


async def test_a_seat_is_taken_and_left(sitter: NewSitter, where: Path) -> None:
    async with hosting(where) as hosted:
        ben = await sitter(credentials(hosted.port)).is_connected()
        assert [person.name for person in ben.lobby.people] == ["Ben"]
        assert ben.client.status.kept
        ben.client.request(Chat("x" * 161))
        refused = ben.updates[-1].received
        assert refused is not None
        assert refused.refused == CommandRefused(0, Refusal.UNREADABLE)
        ben.client.request(Chat("hello"))
        await until(lambda: ben.lines_heard == ["hello"])
        held = ben.client.status.game_state
        assert held is not None
        await until(lambda: sitter.store.list_stored()[0].credentials.seen == held.mark)
        os.utime(sitter.store.list_stored()[0].path, (1e9, 1e9))
        ben.client.leave()
        await ben.has_ended()
        assert ben.standings == [
            ConnectionState.CONNECTING,
            ConnectionState.CONNECTED,
            ConnectionState.ENDED,
        ], "what no host can read costs no connection"
        assert ben.client.status.ending is None
        assert sitter.store.list_stored()[0].changed > 1e9, "they tell when the table was left"


async def test_a_program_that_is_started_again_knows_where_the_player_left_the_game(
    sitter: NewSitter, where: Path
) -> None:
    async with hosting(where) as hosted:
        ann, cleo = await hosted.come("Ann", "Cleo")
        ben = await sitter(credentials(hosted.port)).is_connected()
        ben.client.request(SetReady(ready=True))
        for guest in (ann, cleo):
            assert await guest.wants(SetReady(ready=True)) is None
        await until(lambda: ann.lobby.is_ready(ben.client.status.member))
        assert await ann.wants(Start()) is None
        await until(lambda: ben.client.status.view is not None)
        ben.client.leave()
        await ben.has_ended()
        left = ben.client.status.place
        assert (left.round, left.seat) == (1, ben.client.status.seat)
        back = await sitter(sitter.find_kept("Ben")).is_connected()
        assert back.client.status.left_at == left


async def test_a_link_that_breaks_is_made_again(sitter: NewSitter, where: Path) -> None:
    async with hosting(where) as hosted, cable(hosted.port) as line:
        ben = await sitter(credentials(line.port)).is_connected()
        line.cut()
        await ben.wait_for_state(ConnectionState.LOST)
        ben.client.request(Chat("said while away"))
        await ben.is_connected()
        await until(lambda: ben.lines_heard == ["said while away"])
        assert len(hosted.state.lobby.people) == 1
        assert line.connections > 1


async def test_a_silent_link_is_shaky_then_lost_and_another_address_is_dialled(
    sitter: NewSitter, where: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "SHORT_LINK_S", 0.0)
    monkeypatch.setattr("net.client.credentials.LOOPBACK_HOSTS", ())
    async with hosting(where) as hosted, cable(hosted.port) as line:
        at = replace(
            credentials(line.port), addresses=(Address(HERE, line.port), Address(HERE, hosted.port))
        )
        allow_silence(0.15, 0.3, monkeypatch)
        ben = await sitter(at).is_connected()
        line.freeze()
        await ben.wait_for_state(ConnectionState.SHAKY)
        await ben.wait_for_state(ConnectionState.LOST)
        await ben.is_connected()  # past the frozen cable
        assert ben.client.status.outside == at.addresses
        assert ConnectionState.ENDED not in ben.standings
        assert len(hosted.state.lobby.people) == 1


@pytest.mark.usefixtures("quick_dials")
async def test_a_host_that_comes_back_has_all_its_guests_again(
    sitter: NewSitter, where: Path
) -> None:
    async with hosting(where) as hosted:
        port = hosted.port
        ann, ben = [await sitter(credentials(port, name)).is_connected() for name in ("Ann", "Ben")]
        journal = hosted.table.journal.path
    await ben.wait_for_state(ConnectionState.LOST)
    ben.client.request(Chat("anybody?"))
    async with run(resume(journal), hosted.host_key) as again:
        assert again.port == port
        await asyncio.gather(ann.is_connected(), ben.is_connected())
        # Whoever comes back after it was said has it in the talk of the table.
        await until(lambda: [talk_of(person) for person in (ann, ben)] == [["anybody?"]] * 2)


def talk_of(sitter: Sitter) -> list[str]:
    held = sitter.client.status.game_state
    return [] if held is None else [line.text for line in held.talk]


async def go_back(sitter: NewSitter, where: Path, *, ended: bool) -> tuple[Sitter, Sitter]:
    """Ann and Ben, back at a table that was taken up from an older copy of its journal.

    Ben's program ended before, where it is to have, and was started again.
    """
    async with hosting(where) as hosted:
        ann = await sitter(credentials(hosted.port, "Ann")).is_connected()
        ben = await sitter(credentials(hosted.port, "Ben")).is_connected()
        journal = hosted.table.journal.path
        copy = journal.read_bytes()
        ann.client.request(Chat("what is lost"))
        await until(lambda: ben.lines_heard == ["what is lost"])
        if ended:
            ben.client.leave()
            await ben.has_ended()
    journal.write_bytes(copy)
    async with run(resume(journal), hosted.host_key):
        if ended:
            ben = sitter(sitter.find_kept("Ben"))
        await until(lambda: all(gone_of(person) for person in (ann, ben)))
        await until(lambda: not ann.client.status.unanswered)
        ann.client.request(Chat("on we go"))
        await until(lambda: ben.lines_heard[-1:] == ["on we go"])
    return ann, ben


def gone_of(sitter: Sitter) -> list[int]:
    heard = [update.received for update in sitter.updates if update.received is not None]
    return [update.lost_steps for update in heard if update.lost_steps]


@pytest.mark.usefixtures("quick_dials")
@pytest.mark.parametrize("ended", [False, True], ids=["it goes on", "it ended, by its credentials"])
async def test_a_program_is_told_once_how_many_steps_a_resumed_table_has_lost(
    sitter: NewSitter, where: Path, *, ended: bool
) -> None:
    ann, ben = await go_back(sitter, where, ended=ended)
    assert len(gone_of(ann)) == len(gone_of(ben)) == 1
    assert ended or gone_of(ann) == gone_of(ben) == [1]


async def test_a_second_terminal_takes_the_seat_and_the_first_lets_go(
    sitter: NewSitter, where: Path
) -> None:
    async with hosting(where) as hosted:
        first = await sitter(credentials(hosted.port)).is_connected()
        (found,) = sitter.store.list_stored()
        assert found.in_use
        second = await sitter(found.credentials).is_connected()
        await first.has_ended()
        assert first.client.status.ending is CloseReason.REPLACED
        assert len(second.lobby.people) == 1
        assert sitter.store.list_stored()


async def test_a_name_that_is_taken_gets_a_number(sitter: NewSitter, where: Path) -> None:
    async with hosting(where) as hosted:
        await sitter(credentials(hosted.port, "Ben")).is_connected()
        other = await sitter(credentials(hosted.port, "BEN")).is_connected()
        assert [person.name for person in other.lobby.people] == ["Ben", "BEN 2"]
        assert {found.credentials.name for found in sitter.store.list_stored()} == {"Ben", "BEN 2"}


@pytest.mark.parametrize("name", ["a", "x" * 24, "ñ" * 24, "雪" * 12, "e\u0301" * 24])
def test_a_numbered_name_is_a_clean_name(name: str) -> None:
    twelfth = suffixed_name(name, 12)
    assert twelfth == clean_name(twelfth)
    assert twelfth.endswith(" 12")
    assert len(twelfth) <= MAX_NAME_CELLS * 2


async def test_a_wrong_code_ends_the_seat_and_is_not_tried_again(
    sitter: NewSitter, where: Path
) -> None:
    async with hosting(where) as hosted:
        ben = await sitter(replace(credentials(hosted.port), code=OTHER_CODE)).has_ended()
        assert ben.client.status.ending is Rejection.WRONG_CODE
        assert hosted.host.entrance.guesses.wrong_codes == 1


@pytest.mark.parametrize("is_there", [True, False], ids=["there", "away"])
async def test_somebody_who_was_removed_reads_so_whenever_they_come_again(
    sitter: NewSitter, where: Path, *, is_there: bool
) -> None:
    async with hosting(where) as hosted:
        host = replace(
            credentials(hosted.port, "Ann"),
            key=hosted.host_key,
            pin=hosted.table.certificate.fingerprint,
        )
        ann = await sitter(host).is_connected()
        ben = await sitter(credentials(hosted.port)).is_connected()
        member = ben.client.status.member
        if not is_there:
            ben.client.leave()
            await ben.has_ended()
        ann.client.request(Kick(member))
        await until(lambda: hosted.table.room.lobby.person(member) is None)
        for _try in range(3):
            if is_there:
                await ben.has_ended()
                assert ben.client.status.ending is CloseReason.KICKED
            kept = sitter.find_kept("Ben")
            assert kept.was_removed is is_there
            ben, is_there = sitter(kept), True
        await ben.has_ended()
        assert ben.client.status.ending is CloseReason.KICKED
        assert len(hosted.table.room.sessions.connected) == 1, "such a connection counts nowhere"


async def test_somebody_who_left_and_whose_table_was_closed_have_no_way_back(
    sitter: NewSitter, where: Path
) -> None:
    async with hosting(where) as hosted:
        pin = hosted.table.certificate.fingerprint
        host = replace(credentials(hosted.port, "Ann"), key=hosted.host_key, pin=pin)
        ann = await sitter(host).is_connected()
        ben = await sitter(credentials(hosted.port)).is_connected()
        cleo = await sitter(credentials(hosted.port, "Cleo")).is_connected()
        assert len(sitter.store.list_stored()) == 3
        ben.client.request(Leave())
        await ben.has_ended()
        assert ben.client.status.ending is CloseReason.LEFT
        assert len(sitter.store.list_stored()) == 2
        ann.client.request(Close())
        await asyncio.gather(ann.has_ended(), cleo.has_ended())
        assert ann.client.status.ending is cleo.client.status.ending is CloseReason.CLOSED
        assert sitter.store.list_stored() == []


@pytest.mark.parametrize("name", ["Ann", "Ben"])
async def test_no_way_back_is_kept_by_who_leaves_for_good_without_waiting_for_the_answer(
    name: str, sitter: NewSitter, where: Path
) -> None:
    async with hosting(where) as hosted:
        at = credentials(hosted.port, name)
        if name == "Ann":
            pin = hosted.table.certificate.fingerprint
            at = replace(at, key=hosted.host_key, pin=pin)
        player = await sitter(at).is_connected()
        player.client.request(Close() if name == "Ann" else Leave())
        player.client.leave()
        await player.has_ended()
        assert sitter.store.list_stored() == []


@pytest.mark.usefixtures("quick_dials")
async def test_somebody_who_leaves_for_good_while_the_link_is_down_says_so_once_it_is_back(
    sitter: NewSitter, where: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "ANSWER_TIMEOUT_S", 60.0)
    async with hosting(where) as hosted:
        ben = await sitter(credentials(hosted.port)).is_connected()
        assert ben.client._connection is not None
        ben.client._connection.abort()
        await until(lambda: ben.client._connection is None)
        ben.client.request(Leave())
        ben.client.leave()
        await ben.has_ended()
        assert ben.client.status.ending is CloseReason.LEFT
        assert sitter.store.list_stored() == []


async def test_a_seat_that_the_host_does_not_know_is_no_seat(
    sitter: NewSitter, where: Path
) -> None:
    async with hosting(where) as hosted:
        at = replace(credentials(hosted.port), pin=hosted.table.certificate.fingerprint)
        sitter.store.store(at)
        ben = await sitter(at).has_ended()
        assert ben.client.status.ending is Rejection.NOT_SEATED
        assert sitter.store.list_stored() == []


@pytest.mark.usefixtures("quick_dials")
async def test_nothing_is_said_to_a_table_with_another_certificate(
    sitter: NewSitter, where: Path
) -> None:
    async with hosting(where) as hosted, cable(hosted.port) as line:
        ben = sitter(replace(credentials(line.port), pin=bytes(32)))
        await until(lambda: line.connections >= 2)
        assert ben.standings == []
        assert hosted.state.lobby.people == ()


# A host that proves the code, and then sends what no host sends.


class BadHost(Table):
    """A host that lets everybody in, counts them, and lies."""

    def __init__(self, lie: Callable[[Connection], None]) -> None:
        super().__init__(CODE)
        self.connections = 0
        self._lie = lie

    async def greet(self, connection: Connection) -> None:
        welcomed = await accept_peer(connection, self.trust, self.alarms.append)
        self.seats.add(welcomed.key)
        self.connections += 1
        self._lie(connection)
        while True:
            await connection.recv()


@asynccontextmanager
async def visit(
    lie: Callable[[Connection], None], folder: Path
) -> AsyncIterator[tuple[BadHost, RemoteSession]]:
    host = BadHost(lie)
    async with host.open() as port:
        client = RemoteSession(credentials(port), lambda _: None, CredentialStore(folder / "seats"))
        running = asyncio.create_task(client.run())
        yield host, client
        await cancel_and_wait(running)


def a_clients_message(connection: Connection) -> None:
    connection.send(Ping(1))


def no_frame(connection: Connection) -> None:
    connection.send_packed(bytes(100))


@pytest.mark.parametrize("lie", [a_clients_message, no_frame])
async def test_a_host_that_goes_on_lying_is_left_for_good(
    lie: Callable[[Connection], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "SHORT_LINK_S", 0.0)
    async with visit(lie, tmp_path) as (host, client):
        await until(lambda: client.status.connection is ConnectionState.ENDED)
        assert client.status.ending is ConnectionFault.BAD_FRAME
        assert host.connections == MAX_BAD_CONNECTIONS


async def test_a_host_that_ends_each_link_at_once_is_not_dialled_without_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "SHORT_LINK_S", 0.1)
    loop = asyncio.get_running_loop()
    came = list[float]()

    def end(connection: Connection) -> None:
        came.append(loop.time())
        connection.abort()

    async with visit(end, tmp_path) as (host, _client):
        await until(lambda: host.connections >= 4)
    assert came[3] - came[0] >= 0.25
