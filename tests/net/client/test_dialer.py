"""Whom a program takes for its table: among hosts that answer in its name, and where it goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Self

import pytest

from net.client import dialer, remote
from net.client.credentials import Credentials, CredentialStore
from net.client.remote import RemoteSession
from net.client.session import Opening, Status
from net.discovery.advert import NO_TABLE, Standing
from net.protocol.doors import DoorKind, DoorNow
from net.protocol.lobby import Settings
from net.protocol.messages import Gathering
from net.protocol.requests import GoOnHere, SetReady, Start
from net.room import room
from net.secure.address import Address
from net.secure.code import RoomCode
from net.secure.connection import connect
from net.secure.handshake import AuthenticationFailed, HostClaim, Rejection, host_statement
from net.secure.keys import SeatKey
from net.server.tables import create, move_here, resume
from tests.net.client.test_remote import credentials
from tests.net.room.room_fixture import playing
from tests.net.secure.test_connection import Table
from tests.net.server.served_table import CODE, HERE, OTHER_CODE, SMALL, Hosted, hosting, run, until

SOON = 2.0
"""Seconds in which the next address is tried: less than a newcomer's patience."""


@asynccontextmanager
async def stranger(where: Path, code: RoomCode | None) -> AsyncIterator[Hosted]:
    key = SeatKey.new()
    settings = Settings(seats=SMALL.seats, rounds=SMALL.rounds, is_open=code is None)
    table = create(
        where / "stranger",
        name="Gold Rush",
        host_key=key.public,
        settings=settings,
        port=0,
        code=code,
    )
    async with run(table, key) as hosted:
        yield hosted


def newcomer(code: RoomCode | None, *tables: Hosted) -> Credentials:
    addresses = tuple(Address(HERE, table.port) for table in tables)
    return Credentials(name="Ben", addresses=addresses, code=code)


async def dial(credentials: Credentials) -> bytes:
    connection = await dialer.Dialer(credentials, credentials.patience).dial()
    connection.abort()
    return connection.fingerprint


@pytest.mark.parametrize("theirs", [OTHER_CODE, None])
async def test_who_is_refused_by_a_stranger_is_let_in_by_the_host_at_once(
    theirs: RoomCode | None, where: Path
) -> None:
    async with hosting(where) as host, stranger(where, theirs) as other, asyncio.timeout(SOON):
        assert await dial(newcomer(CODE, other, host)) == host.table.certificate.fingerprint


async def test_a_stranger_without_a_code_is_not_taken_for_the_table(where: Path) -> None:
    async with hosting(where) as host, stranger(where, None) as other:
        assert await dialer.asks_for_code(newcomer(None, other, host))
        assert not await dialer.asks_for_code(newcomer(None, other))
        assert host.host.entrance.guesses.wrong_codes == 0


@pytest.mark.parametrize("theirs", [RoomCode("amber", "tulip"), None])
async def test_who_has_a_wrong_code_is_told_so_whatever_a_stranger_says(
    theirs: RoomCode | None, where: Path
) -> None:
    async with hosting(where) as host, stranger(where, theirs) as other:
        with pytest.raises(dialer.DialFailed) as caught:
            await dial(newcomer(OTHER_CODE, other, host))
        assert caught.value.reason is Rejection.WRONG_CODE


async def test_a_host_of_many_addresses_is_given_a_wrong_code_once(where: Path) -> None:
    async with hosting(where) as host:
        guest = newcomer(OTHER_CODE, host)
        here = [replace(guest.addresses[0], host=name) for name in (HERE, "localhost")]
        with pytest.raises(dialer.DialFailed) as caught:
            await dial(replace(guest, addresses=tuple(here)))
        assert caught.value.reason is Rejection.WRONG_CODE
        assert host.host.entrance.guesses.wrong_codes == 1


# Following a table to another computer: to whom there a program tells what its seat knows.


ID = "0123456789abcdef"
ANN, BEN, CLEO, WIM = (SeatKey(bytes([number]) * 32) for number in range(1, 5))
BENS = Credentials("Ben", (), BEN, table=ID, seats=(ANN.public, BEN.public, CLEO.public))
"""What Ben's program knows: Ann, he and Cleo have seats; Wim watches, and knows the code."""


def moved_table(signer: SeatKey | None, term: int, table: str = ID) -> Table:
    host = Table()
    host.seats.add(BEN.public)
    if signer is not None:
        statement = host_statement(table, term, host.fingerprint)
        claim = HostClaim(term, signer.public, signer.sign(statement))
        host.trust = replace(host.trust, claim=claim)
    return host


@pytest.mark.parametrize("signer", [ANN, None], ids=["has a seat", "was host before"])
async def test_a_person_who_is_known_is_followed(signer: SeatKey | None) -> None:
    host = moved_table(signer, 19)
    known = BENS if signer else replace(BENS, former=(host.fingerprint,))
    async with host.open() as port:
        found = await dialer.follow(known, Address(HERE, port))
        assert found.host == (signer.public if signer else b"")
        assert found.credentials.pin == host.fingerprint
        found.connection.abort()
        with pytest.raises(AuthenticationFailed):  # our own table, at another address
            await dialer.follow(replace(BENS, pin=host.fingerprint), Address(HERE, port))
    assert [welcomed.key for welcomed in host.welcomed] == [BEN.public]


async def test_of_two_who_went_on_at_once_either_is_followed_once_the_other_has_given_way() -> None:
    later, earlier = moved_table(ANN, 19), moved_table(CLEO, 17)
    async with later.open() as there, earlier.open() as port:
        gone = await dialer.follow(BENS, Address(HERE, there))
        gone.connection.abort()
        found = await dialer.follow(gone.credentials, Address(HERE, port))
        assert found is not None
        found.connection.abort()
    assert found.host == CLEO.public
    assert found.credentials.former == (later.fingerprint,)


@pytest.mark.parametrize(
    ("signer", "table", "seats"),
    [
        (WIM, ID, BENS.seats),
        (SeatKey.new(), ID, BENS.seats),
        (ANN, "f" * 16, BENS.seats),
        (None, ID, BENS.seats),
        (ANN, ID, (BEN.public,)),
    ],
    ids=["a watcher", "a stranger", "another table", "no claim", "whose seat was given up"],
)
async def test_nobody_else_is_told_a_seat(
    signer: SeatKey | None, table: str, seats: tuple[bytes, ...]
) -> None:
    host = moved_table(signer, 19, table)
    async with host.open() as port:
        with pytest.raises(AuthenticationFailed) as refused:
            await dialer.follow(replace(BENS, seats=seats), Address(HERE, port))
    assert refused.value.why is Rejection.NOT_OUR_HOST
    assert host.welcomed == []


class Seeing:
    """A browser that sees one table."""

    def __init__(self, at: Address, there: Standing) -> None:
        self.row = (at, there)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    def find_hosts(self, _table: str) -> list[tuple[Address, Standing]]:
        return [self.row]


async def test_two_tables_do_not_swap_places_as_people_come_to_ours_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    host = moved_table(ANN, 19)
    alone, with_cleo = Standing(False, 1, 18), Standing(False, 2, 18)  # noqa: FBT003 - rows
    ours = iter([alone, with_cleo, with_cleo, alone, alone])
    monkeypatch.setattr(dialer, "LOOK_INTERVAL_S", 0.0)
    monkeypatch.setattr(dialer, "TRY_AGAIN_S", 0.0)
    async with host.open() as port:
        sees = Seeing(Address(HERE, port), Standing(False, 1, 19))  # noqa: FBT003 - a row
        monkeypatch.setattr(dialer, "Browser", lambda _: sees)
        found = await dialer.look_elsewhere(lambda: BENS, lambda: next(ours), Status)
        assert found is not None
        found.connection.abort()
    assert found.host == ANN.public
    assert len(host.welcomed) == 2
    assert not list(ours)


# Going on with a table at one's own computer, and giving it up.


class Opener:
    """Opens tables in this process."""

    def __init__(self, folder: Path, stack: AsyncExitStack) -> None:
        self.folder = folder
        self.stack = stack
        self.opened: list[Hosted] = []
        self.doors: tuple[DoorKind, ...] = ()

    async def open(self, order: dialer.MoveOrder) -> dialer.OpenedHere:
        self.doors = order.doors
        key = order.credentials.key
        path, pin = move_here(
            self.folder,
            order.credentials.table,
            term=order.term,
            key=key,
            states=order.states,
            talk=order.held.talk,
            code=order.code,
        )
        self.opened.append(await self.stack.enter_async_context(run(resume(path), key)))
        return dialer.OpenedHere(pin, (Address(HERE, self.opened[0].port),))


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as stack:
        yield stack


async def test_who_goes_over_to_a_table_elsewhere_ends_the_own_one_that_still_gathers(
    tmp_path: Path, stack: AsyncExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "GATHER_S", 1.0)
    monkeypatch.setattr(remote, "WATCH_INTERVAL_S", 0.02)
    opener = Opener(tmp_path / "here", stack)
    other = await stack.enter_async_context(hosting(tmp_path / "elsewhere"))
    async with hosting(tmp_path / "ann") as hosted:
        ann, cleo = await hosted.come("Ann", "Cleo")
        known = replace(credentials(hosted.port), table="0123456789abcdef")
        ben = RemoteSession(
            known, lambda _update: None, CredentialStore(tmp_path / "seats"), opener=opener.open
        )
        running = asyncio.create_task(ben.run())
        await until(lambda: ben.status.seat is not None)
        ben.request(SetReady(ready=True))
        await until(lambda: hosted.state.lobby.is_ready(ben.status.member))
        assert await cleo.wants(SetReady(ready=True)) is None
        assert await ann.wants(Start()) is None
        await until(lambda: ben.status.view is not None)
        await hosted.stop()
        had_door = replace(ben.status, doors=(DoorNow(DoorKind.WEB, 7361),))
        ben.publisher.set_status(had_door)
        ben._heard = -inf
        await until(lambda: ben.status.may_go_on)
        ben.request(GoOnHere())
        ben.request(GoOnHere())
        await until(lambda: ben.status.gathering == Gathering(("Cleo",), 1))
        assert len(opener.opened) == 1, "asked for twice, it goes on once"
        assert opener.doors == (DoorKind.WEB,), "the same as the table had"
        assert ben.status.code == str(known.code), "its new host invites by it"
        found = dialer.FoundElsewhere(await connect(HERE, other.port), ben._credentials)
        ben._go_over(found)
        await opener.opened[0].wait_for_end()
        ben.leave()
        await running


@pytest.mark.parametrize("is_ours", [True, False])
def test_a_player_at_a_table_that_lacks_its_people_looks_for_one_that_stands_before_it(
    is_ours: bool,  # noqa: FBT001 - a parameter
) -> None:
    table = playing()
    ann = table.people["Ann"].client
    assert dialer.own_standing(ann.status, is_ours=is_ours) is None
    table.wait(12, "Ben", "Cleo")
    assert dialer.own_standing(ann.status, is_ours=is_ours) == Standing(
        plays=False, people=1, term=0
    )
    silent = replace(ann.status, silent=True)
    assert dialer.own_standing(silent, is_ours=is_ours) == NO_TABLE


def test_a_table_of_ours_that_gathers_gives_way_to_more_people_or_a_later_term_alone() -> None:
    ours = Status(opening=Opening.UNDER_WAY, gathering=Gathering(("Ann",), 2))
    standing = dialer.own_standing(ours, is_ours=True, term=18)
    assert standing == Standing(plays=False, people=2, term=18)
    assert standing < Standing(plays=False, people=2, term=19)
    assert standing < Standing(plays=False, people=3, term=17)
    assert not standing < Standing(plays=False, people=2, term=17)


def test_who_waits_at_a_table_that_its_host_has_left_goes_to_any_with_as_many_people() -> None:
    at_cleos = Status(found="Cleo", gathering=Gathering(("Ben",), 1))
    assert dialer.own_standing(at_cleos, is_ours=False) is None
    left = replace(at_cleos, gathering=Gathering(("Ben", "Cleo"), 1))
    standing = dialer.own_standing(left, is_ours=False)
    assert standing is not None
    assert standing < Standing(plays=False, people=1, term=0)
    assert not standing < Standing(plays=False, people=0, term=19)
