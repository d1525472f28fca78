"""Sessions whose host is gone: real connections between them, and a table that opens elsewhere."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from net.client.credentials import Credentials, CredentialStore, StandbyPlace
from net.client.session import (
    ConnectionState,
    HeartbeatPolicy,
    HostAlarm,
    OpenedHere,
    Status,
    Update,
)
from net.discovery.sockets import claim_port
from net.protocol.lobby import THE_TABLE
from net.protocol.lobby_events import HostChanged
from net.protocol.requests import GiveHost, Leave, SetReady, Start
from net.secure.address import Address
from net.secure.keys import SeatKey, TableCertificate
from net.server.server import TableServer
from net.server.tables import HostedTable, resume, succeed
from net.takeover import election as election_module
from net.takeover import election_acts, standby, succession
from net.takeover.election_acts import TakeOver
from net.takeover.remote import RemoteSession
from net.takeover.standby import HostSilence
from tests.net.server.served_table import CODE, HERE, QUICK, Hosted, hosting, until

BRISK = HeartbeatPolicy(beat=0.1, shaky=0.3, lost=0.6)

ALARM_AFTER_S = 1.5


class TablesHere:
    """Opens tables in this process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.opened: list[HostedTable] = []
        self.servers: list[TableServer] = []
        self.tasks: list[asyncio.Task[None]] = []
        self.fails = False
        self.may_open = asyncio.Event()
        self.may_open.set()

    def has_opened(self, table: str, term: int) -> bool:
        """None was opened by an earlier run."""
        del table, term
        return False

    async def open(self, order: TakeOver, certificate: TableCertificate) -> OpenedHere | None:
        """Open a table, unless that is to fail."""
        if self.fails:
            return None
        await self.may_open.wait()
        claim = claim_port(ports=[0], hosts=[HERE])
        journal = succeed(
            self.folder,
            table=order.table,
            founding=order.founding,
            steps=order.steps,
            elected=HostChanged(order.mandate.member, order.mandate.term),
            certificate=certificate,
            code=CODE,
        )
        self.opened.append(resume(journal))
        self.servers.append(TableServer(self.opened[-1], claim, QUICK))
        self.tasks.append(asyncio.create_task(self.servers[-1].run()))
        return OpenedHere(claim.port, (HERE,))

    async def close(self) -> None:
        """Close them all."""
        for server, task in zip(self.servers, self.tasks, strict=True):
            server.stop()
            await task


class Seat:
    """A session, and what it has told."""

    def __init__(self, name: str, hosted: Hosted, folder: Path, *, watch: bool = False) -> None:
        self.name = name
        key = hosted.host_key if name == "Ann" else SeatKey.new()
        where, table = (Address(HERE, hosted.port),), hosted.table.id
        credentials = Credentials(name, where, key, table=table, code=CODE, watch=watch)
        self.updates: list[Update] = []
        self.tables = TablesHere(folder / name)
        store = CredentialStore(folder / name / "seats")
        self.session = RemoteSession(
            credentials, self.updates.append, store, BRISK, successor=self.tables
        )
        self.task = asyncio.create_task(self.session.run())

    @property
    def term(self) -> int:
        """The term of the table at which this session is."""
        lobby, linked = self.session.status.lobby, self.session.status.connection
        return -1 if lobby is None or linked is not ConnectionState.CONNECTED else lobby.term

    @property
    def alarms(self) -> list[HostAlarm]:
        """What was told of a host that is not heard of."""
        return [one.status.alarm for one in self.updates if one.status.alarm is not None]

    @property
    def copy(self) -> Path:
        """The file of this program's copy of the log."""
        return self.session._store.copy_path(self.session._credentials)

    async def die(self) -> None:
        """Kill the program: it says nothing, and what is not on disk is lost."""
        self.task.cancel()
        with suppress(asyncio.CancelledError):
            await self.task

    def begin_anew(self) -> None:
        """Start the program again, with what is on disk."""
        store = self.session._store
        (kept,) = store.list_stored()
        self.session = RemoteSession(
            kept.credentials, self.updates.append, store, BRISK, successor=self.tables
        )
        self.task = asyncio.create_task(self.session.run())

    async def leave(self) -> None:
        """End the session, and the tables that were opened for it."""
        self.session.leave()
        with suppress(asyncio.CancelledError):  # if it was killed
            await self.task
        await self.tables.close()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a host count as gone soon, and who stood in vain stand again soon.

    Nothing but this computer is told of.
    """
    for module in (standby, succession):
        monkeypatch.setattr(module, "ALARM_AFTER_S", ALARM_AFTER_S)
        monkeypatch.setattr(module, "WARN_AFTER_S", ALARM_AFTER_S / 2)
    monkeypatch.setattr(standby, "STANDBY_PORTS", (0,))
    monkeypatch.setattr(standby, "own_addresses", lambda: [HERE])
    monkeypatch.setattr(election_acts, "AGAIN_S", 0.2)
    monkeypatch.setattr(election_acts, "RETRY_SPREAD_S", 0.6)


@pytest.fixture
async def seats(where: Path, tmp_path: Path) -> AsyncIterator[tuple[Hosted, list[Seat]]]:
    """Three people in a game, whose programs know where the others listen."""
    async with hosting(where) as hosted:
        people = list[Seat]()
        for name in ("Ann", "Ben", "Cleo"):
            people.append(Seat(name, hosted, tmp_path))
            await until(lambda: people[-1].term == 0)
        for one in people:
            one.session.request(SetReady(ready=True))
        await until(lambda: all(chair.ready for chair, _ in hosted.state.lobby.sitting))
        people[0].session.request(Start())
        await until(lambda: all(is_prepared(one) for one in people))
        try:
            yield hosted, people
        finally:
            for one in people:
                await one.leave()


def miss_host(people: list[Seat]) -> None:
    """Let people have heard their host, which was stopped, so long ago that it counts as gone."""
    for one in people:
        one.session._watch._last_heard -= ALARM_AFTER_S


async def stop(hosted: Hosted, people: list[Seat]) -> None:
    """Stop a host, and let it be missed at once by those whose programs run."""
    await hosted.stop()
    miss_host(people)


def is_prepared(seat: Seat) -> bool:
    """Whether a program has a copy of the game's log, and knows where the others listen."""
    copy, held = seat.session.publisher.state.copy, seat.session.status.game_state
    ports = [one.port for one in seat.session._watch.election.electors]
    return held is not None and held.view is not None and copy.last == held.step and all(ports)


def are_on(people: list[Seat]) -> bool:
    """Whether all are at a table that went on, by whichever election: time is short in these tests.

    Who is elected if nobody is slow, `test_takeover` has.
    """
    terms = {one.term for one in people}
    return len(terms) == 1 and terms.pop() > 0


def newest(people: list[Seat]) -> HostedTable:
    """The table that was opened last by any of them."""
    opened = [table for one in people for table in one.tables.opened]
    return max(opened, key=lambda table: table.room.state.lobby.term)


async def test_a_table_whose_host_stops_goes_on_with_id_code_and_all_seats(
    seats: tuple[Hosted, list[Seat]],
) -> None:
    hosted, people = seats
    before = hosted.state
    await stop(hosted, people)
    await until(lambda: are_on(people))
    table = newest(people)
    assert (table.id, table.code) == (hosted.table.id, CODE)
    assert table.room.state.game == before.game
    assert all(one.alarms for one in people)
    assert people[0].alarms[0].next_host == "Ben"
    assert [one.session.status.is_host for one in people].count(True) == 1


def test_nobody_is_told_that_too_few_are_left_before_all_can_have_missed_the_host() -> None:
    def is_told(seconds: float, *, outnumbered: bool = False, has_majority: bool = False) -> bool:
        silence = HostSilence(seconds, outnumbered=outnumbered)
        return succession.are_too_few(silence, has_majority=has_majority)

    late = ALARM_AFTER_S + succession.ALARMS_SPREAD_S
    assert not is_told(ALARM_AFTER_S), "the others heard it last a moment later"
    assert is_told(late)
    assert is_told(0.0, outnumbered=True), "the host says so itself"
    assert not is_told(late, has_majority=True)


async def test_at_a_nights_table_nobody_counts_the_first_minute_of_the_clubs_silence(
    seats: tuple[Hosted, list[Seat]], monkeypatch: pytest.MonkeyPatch
) -> None:
    _hosted, (ann, *_others) = seats
    watch, lobby = ann.session._watch, ann.session.status.lobby
    assert lobby is not None
    last = watch._last_heard
    with monkeypatch.context() as patched:
        patched.setattr(watch, "_last_heard", last - 30)
        assert watch.silence().seconds >= 30
        nights = structs.replace(lobby, host=THE_TABLE)
        patched.setattr(Status, "lobby", property(lambda _status: nights))
        assert watch.silence().seconds == 0
        patched.setattr(watch, "_last_heard", last - 90)
        assert watch.silence().seconds >= 30


async def test_a_watcher_follows_when_the_host_is_gone_whenever_they_came(
    seats: tuple[Hosted, list[Seat]], tmp_path: Path
) -> None:
    hosted, people = seats
    wim, xenia = (Seat(name, hosted, tmp_path, watch=True) for name in ("Wim", "Xenia"))
    await until(lambda: wim.term == xenia.term == 0)
    assert wim.tables.opened == []
    xenia.session.leave()
    await xenia.task
    await stop(hosted, [*people, wim])
    await until(lambda: are_on([*people, wim]))
    xenia.begin_anew()
    await until(lambda: xenia.term == wim.term)
    assert not any(one.tables.opened for one in (wim, xenia))
    for one in (wim, xenia):
        assert one.session.status.seat is None
        await one.leave()


@pytest.mark.thorough  # a program that was restarted comes back below, and joins by code elsewhere
async def test_who_knows_of_nobody_joins_the_table_that_went_on_by_the_code_at_their_own_seat(
    seats: tuple[Hosted, list[Seat]],
) -> None:
    hosted, people = seats
    cleo = people[2]
    await stop(hosted, people)
    await until(lambda: are_on(people))
    cleo.session.leave()
    await cleo.task
    (kept,) = cleo.session._store.list_stored()
    forgot = replace(kept.credentials, standing=None, pin=None)
    cleo.session = RemoteSession(forgot, cleo.updates.append, cleo.session._store, BRISK)
    cleo.task = asyncio.create_task(cleo.session.run())
    await until(lambda: are_on(people))
    assert cleo.session.status.seat == 2


async def test_a_host_hands_over_and_its_own_program_ends(
    seats: tuple[Hosted, list[Seat]],
) -> None:
    hosted, people = seats
    people[0].session.request(GiveHost(people[2].session.status.member))
    await until(lambda: are_on(people))
    assert people[2].session.status.is_host
    await hosted.wait_for_end()
    assert hosted.table.room.is_superseded


@pytest.mark.thorough  # below, too, there are tables that cannot be opened
async def test_if_a_table_cannot_be_opened_at_one_computer_it_is_at_the_next(
    seats: tuple[Hosted, list[Seat]],
) -> None:
    hosted, people = seats
    people[1].tables.fails = True
    await stop(hosted, people)
    await until(lambda: are_on(people), seconds=40)
    assert people[2].session.status.is_host


async def test_a_table_that_opens_after_another_was_elected_ends_at_once(
    seats: tuple[Hosted, list[Seat]], monkeypatch: pytest.MonkeyPatch
) -> None:
    hosted, people = seats
    _, ben, cleo = people
    monkeypatch.setattr(election_module, "OPENING_S", 1.0)
    ben.tables.may_open.clear()
    await stop(hosted, people)
    await until(lambda: are_on(people), seconds=40)
    assert cleo.session.status.is_host
    assert not ben.tables.opened
    ben.tables.may_open.set()
    await until(lambda: bool(ben.tables.tasks))
    (running,) = ben.tables.tasks
    await until(running.done)
    assert ben.tables.opened[0].room.is_superseded
    assert ben.session.status.opened_here is None
    assert are_on(people)


@pytest.mark.thorough  # the next ends with it, and others find their table without a host
async def test_a_program_that_was_restarted_finds_the_table_where_it_went_on(
    seats: tuple[Hosted, list[Seat]],
) -> None:
    hosted, people = seats
    ann = people[0]
    ann.session.leave()
    await ann.task
    await stop(hosted, people[1:])
    await until(lambda: are_on(people[1:]))
    ann.begin_anew()
    await until(lambda: are_on(people))
    assert ann.session.status.seat == 0


async def test_programs_that_were_killed_with_the_host_go_on_without_it_once_they_are_started_again(
    seats: tuple[Hosted, list[Seat]],
) -> None:
    hosted, people = seats
    before, listened = hosted.state, people[1].session._watch.election.electors
    await until(lambda: all(one.copy.exists() for one in people))
    hosted.host.stop()
    for one in people:
        await one.die()
        one.updates.clear()
    for one in people[1:]:
        one.begin_anew()
    miss_host(people[1:])
    await until(lambda: are_on(people[1:]))
    table = newest(people)
    assert table.room.state.game == before.game
    places = [one.session._credentials.standby for one in people[1:]]
    assert [one and (one.certificate.fingerprint, one.port) for one in places] == [
        (one.fingerprint, one.port) for one in listened[1:]
    ], "the others find it where it was"
    assert all(alarm.next_host == "" for one in people[1:] for alarm in one.alarms[:1])
    people[0].begin_anew()
    await until(lambda: are_on(people))


async def test_one_who_looks_for_a_table_that_others_look_for_too_does_not_give_up(
    seats: tuple[Hosted, list[Seat]], monkeypatch: pytest.MonkeyPatch
) -> None:
    hosted, people = seats
    await until(lambda: all(one.copy.exists() for one in people))
    hosted.host.stop()
    for one in people:
        await one.die()
    monkeypatch.setattr("net.client.credentials.REJOIN_TIMEOUT_S", 0.5)
    for one in people[1:]:
        one.tables.fails = True
        one.begin_anew()
    miss_host(people[1:])
    ben, cleo = (one.session for one in people[1:])
    election, other = ben._watch.election, cleo._watch.election
    await until(lambda: election.pledge.promised > 1)
    assert ben.status.connection is ConnectionState.CONNECTING
    # A program that has voted waits for its candidate, as long as that takes.
    await until(lambda: not election.is_bound and other._candidacy is None)
    await people[2].die()
    await until(lambda: ben.status.connection is ConnectionState.ENDED)


async def test_a_seat_that_is_left_for_good_leaves_no_copy(
    seats: tuple[Hosted, list[Seat]],
) -> None:
    _, people = seats
    cleo = people[2]
    await until(cleo.copy.exists)
    cleo.session.request(Leave())
    await cleo.task
    assert not cleo.copy.exists()
    assert cleo.session._store.list_stored() == []
    await until(lambda: not people[1].copy.exists())


async def test_a_vote_that_cannot_be_written_down_is_not_given(
    seats: tuple[Hosted, list[Seat]], monkeypatch: pytest.MonkeyPatch
) -> None:
    hosted, people = seats
    ann, _, cleo = people
    await ann.die()
    monkeypatch.setattr(election_module, "VOTING_S", 0.5)
    election = cleo.session._watch.election
    with monkeypatch.context() as full:
        full.setattr(cleo.session._store, "store", lambda *_, **__: False)
        await stop(hosted, people[1:])
        await until(lambda: election.pledge.promised > 0)
    await until(lambda: are_on(people[1:]))
    mandate = election.elected
    assert mandate is not None
    assert mandate.mandate.term > 1, "the first vote was not given"


async def test_where_a_program_listens_is_on_disk_before_the_others_are_told(
    seats: tuple[Hosted, list[Seat]],
) -> None:
    session, place = seats[1][1].session, StandbyPlace(TableCertificate.new(), 7350)
    session.keep_place(place)
    (kept,) = session._store.list_stored()
    assert kept.credentials.standby == place
