"""Whom a program takes for its table: among hosts that answer in its name, and where it goes on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from net.client import dialer
from net.client.credentials import Credentials
from net.protocol.lobby import Settings
from net.secure.address import Address
from net.secure.code import RoomCode
from net.secure.handshake import Rejection
from net.secure.keys import SeatKey
from net.server.tables import create
from tests.net.server.served_table import CODE, HERE, OTHER_CODE, SMALL, Hosted, hosting, run


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
async def test_somebody_who_is_refused_by_a_stranger_is_let_in_by_the_host_at_once(
    theirs: RoomCode | None, where: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialer, "OTHER_HOSTS_S", 1e9)  # nobody waits for it
    async with hosting(where) as host, stranger(where, theirs) as other:
        assert await dial(newcomer(CODE, other, host)) == host.table.certificate.fingerprint


async def test_a_stranger_without_a_code_is_not_taken_for_the_table(where: Path) -> None:
    async with hosting(where) as host, stranger(where, None) as other:
        assert await dialer.asks_for_code(newcomer(None, other, host))
        assert not await dialer.asks_for_code(newcomer(None, other))
        assert host.host.entrance.guesses.wrong_codes == 0


async def test_where_all_refuse_whatever_the_code_nobody_says_whether_one_is_needed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def refuse(_newcomer: Credentials) -> None:
        raise dialer.DialFailed(Rejection.NOT_UNDERSTOOD)

    monkeypatch.setattr(dialer, "try_code", refuse)
    with pytest.raises(dialer.DialFailed):
        await dialer.asks_for_code(Credentials(name="Ben", addresses=(Address(HERE, 9),)))


@pytest.mark.parametrize("theirs", [RoomCode("amber", "tulip"), None])
async def test_somebody_who_has_a_wrong_code_is_told_so_whatever_a_stranger_says(
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
