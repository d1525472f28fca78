"""Whom a program takes for its table: among hosts that answer in its name, and where it goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Self

import pytest

from net.client import dialer
from net.client.credentials import Credentials
from net.client.dialer import Dialer, DialFailed, asks_for_code, follow, look_elsewhere
from net.client.session import Status
from net.discovery.advert import Standing
from net.protocol.lobby import Settings
from net.secure.address import Address
from net.secure.code import RoomCode
from net.secure.handshake import AuthenticationFailed, HostClaim, Rejection, host_statement
from net.secure.keys import SeatKey
from net.server.tables import create
from tests.net.secure.test_connection import Table
from tests.net.server.served_table import CODE, HERE, OTHER_CODE, SMALL, Hosted, hosting, run

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
    connection = await Dialer(credentials, credentials.patience).dial()
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
        assert await asks_for_code(newcomer(None, other, host))
        assert not await asks_for_code(newcomer(None, other))
        assert host.host.entrance.guesses.wrong_codes == 0


@pytest.mark.parametrize("theirs", [RoomCode("amber", "tulip"), None])
async def test_who_has_a_wrong_code_is_told_so_whatever_a_stranger_says(
    theirs: RoomCode | None, where: Path
) -> None:
    async with hosting(where) as host, stranger(where, theirs) as other:
        with pytest.raises(DialFailed) as caught:
            await dial(newcomer(OTHER_CODE, other, host))
        assert caught.value.reason is Rejection.WRONG_CODE


async def test_a_host_of_many_addresses_is_given_a_wrong_code_once(where: Path) -> None:
    async with hosting(where) as host:
        guest = newcomer(OTHER_CODE, host)
        here = [replace(guest.addresses[0], host=name) for name in (HERE, "localhost")]
        with pytest.raises(DialFailed) as caught:
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


async def test_a_person_who_has_a_seat_is_followed() -> None:
    host = moved_table(ANN, 19)
    async with host.open() as port:
        found = await follow(BENS, Address(HERE, port))
        assert found.host == ANN.public
        assert found.credentials.pin == host.fingerprint
        found.connection.abort()
    assert [welcomed.key for welcomed in host.welcomed] == [BEN.public]


async def test_of_two_who_went_on_at_once_either_is_followed_once_the_other_has_given_way() -> None:
    later, earlier = moved_table(ANN, 19), moved_table(CLEO, 17)
    async with later.open() as there, earlier.open() as port:
        gone = await follow(BENS, Address(HERE, there))
        gone.connection.abort()
        found = await follow(gone.credentials, Address(HERE, port))
        assert found is not None
        found.connection.abort()
    assert found.host == CLEO.public
    assert found.credentials.former == (later.fingerprint,)


@pytest.mark.parametrize(
    ("signer", "term", "table"),
    [(WIM, 19, ID), (SeatKey.new(), 19, ID), (ANN, 19, "f" * 16), (None, 0, ID)],
    ids=["a watcher", "a stranger", "another table", "no claim"],
)
async def test_nobody_else_is_told_a_seat(signer: SeatKey | None, term: int, table: str) -> None:
    host = moved_table(signer, term, table)
    async with host.open() as port:
        with pytest.raises(AuthenticationFailed) as refused:
            await follow(BENS, Address(HERE, port))
    assert refused.value.why is Rejection.NOT_OUR_HOST
    assert host.welcomed == []


async def test_our_own_table_at_another_address_is_not_elsewhere() -> None:
    host = moved_table(BEN, 18)
    async with host.open() as port:
        with pytest.raises(AuthenticationFailed):
            await follow(replace(BENS, pin=host.fingerprint), Address(HERE, port))
    assert host.welcomed == []


async def test_a_person_who_gave_up_the_seat_is_followed_no_more() -> None:
    host = moved_table(ANN, 19)
    async with host.open() as port:
        with pytest.raises(AuthenticationFailed):
            await follow(replace(BENS, seats=(BEN.public,)), Address(HERE, port))
    assert host.welcomed == []


async def test_a_former_host_is_known_by_its_certificate() -> None:
    host = moved_table(None, 0)
    async with host.open() as port:
        found = await follow(replace(BENS, former=(host.fingerprint,)), Address(HERE, port))
        assert found.credentials.pin == host.fingerprint
        found.connection.abort()


class Seeing:
    """A browser that sees one table."""

    def __init__(self, at: Address, there: Standing) -> None:
        self.row = (at, there)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    def hosts(self, _table: str) -> list[tuple[Address, Standing]]:
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
        found = await look_elsewhere(lambda: BENS, lambda: next(ours), Status)
        assert found is not None
        found.connection.abort()
    assert found.host == ANN.public
    assert len(host.welcomed) == 2
    assert not list(ours)
