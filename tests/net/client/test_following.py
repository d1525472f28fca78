"""Whom a program follows to another computer, and going on at its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from math import inf
from pathlib import Path

import pytest

from net.client import remote
from net.client.credentials import Credentials, CredentialStore
from net.client.moving import (
    MoveOrder,
    OpenedHere,
    follow,
    move_credentials,
)
from net.client.remote import RemoteSession
from net.discovery.search import FoundCopy
from net.protocol import CopyRank
from net.protocol.doors import DoorKind, DoorNow
from net.protocol.messages import Gathering
from net.protocol.requests import SetReady, Start, TakeOverHere
from net.room import room
from net.secure.address import Address
from net.secure.handshake import AuthenticationFailed, HostClaim, Rejection, host_statement
from net.secure.keys import SeatKey
from net.server.tables import move_here, resume
from net.tasks import wait_for_event
from tests.net.client.test_remote import credentials
from tests.net.secure.test_connection import Table
from tests.net.server.served_table import HERE, Guest, Hosted, hosting, run, until

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
        found = await follow(known, Address(HERE, port))
        assert found.host == (signer.public if signer else b"")
        assert found.pin == host.fingerprint
        with pytest.raises(AuthenticationFailed):  # our own table, at another address
            await follow(replace(BENS, pin=host.fingerprint), Address(HERE, port))
    assert [welcomed.key for welcomed in host.welcomed] == [BEN.public]


async def test_of_two_who_went_on_at_once_either_is_followed_once_the_other_has_given_way() -> None:
    later, earlier = moved_table(ANN, 19), moved_table(CLEO, 17)
    async with later.open() as there, earlier.open() as port:
        gone = await follow(BENS, Address(HERE, there))
        known = move_credentials(BENS, gone.pin, (gone.address,))
        assert (await follow(known, Address(HERE, port))).host == CLEO.public
    assert move_credentials(known, earlier.fingerprint, ()).former == (later.fingerprint,)


async def test_while_a_table_is_handed_over_nobody_but_the_person_asked_is_followed() -> None:
    thief, former = moved_table(CLEO, 519), moved_table(None, 0)
    known = replace(BENS, former=(former.fingerprint,))
    for host in (thief, former):
        async with host.open() as port:
            assert (await follow(known, Address(HERE, port))).pin == host.fingerprint
            with pytest.raises(AuthenticationFailed):
                await follow(known, Address(HERE, port), only=(ANN.public,))


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
            await follow(replace(BENS, seats=seats), Address(HERE, port))
    assert refused.value.why is Rejection.NOT_OUR_HOST
    assert host.welcomed == []


# Going on with a table at one's own computer, and giving it up.


FOR_OTHERS = Address("192.168.1.20", 7341)


class Opener:
    """Opens tables in this process, which others are told to find at `FOR_OTHERS`."""

    def __init__(self, folder: Path, stack: AsyncExitStack) -> None:
        self.folder = folder
        self.stack = stack
        self.opened: list[Hosted] = []
        self.doors: tuple[DoorKind, ...] = ()

    async def open(self, order: MoveOrder) -> OpenedHere:
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
        return OpenedHere(pin, (Address(HERE, self.opened[0].port),), (FOR_OTHERS,))


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as stack:
        yield stack


async def begin_game(
    hosted: Hosted, ann: Guest, cleo: Guest, ben: RemoteSession
) -> asyncio.Task[None]:
    """Let Ben's session join Ann and Cleo, and begin their game; return the session's task."""
    running = asyncio.create_task(ben.run())
    await until(lambda: ben.status.seat is not None)
    ben.request(SetReady(ready=True))
    await until(lambda: hosted.state.lobby.is_ready(ben.status.member))
    assert await cleo.wants(SetReady(ready=True)) is None
    assert await ann.wants(Start()) is None
    await until(lambda: ben.status.view is not None)
    return running


async def test_a_client_looks_with_each_heartbeat_and_more_often_once_the_host_is_silent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[float] = []

    async def look(event: asyncio.Event, seconds: float) -> bool:
        looks.append(seconds)
        return await wait_for_event(event, 0.01)

    monkeypatch.setattr(remote, "wait_for_event", look)
    monkeypatch.setattr(remote, "_until_next", lambda interval: interval)
    async with hosting(tmp_path / "ann") as hosted:
        ann, cleo = await hosted.come("Ann", "Cleo")
        ben = RemoteSession(
            credentials(hosted.port), lambda _update: None, CredentialStore(tmp_path / "seats")
        )
        running = await begin_game(hosted, ann, cleo, ben)
        looks.clear()
        await until(lambda: len(looks) > 3)
        assert set(looks[1:]) == {remote.HEARTBEAT_INTERVAL_S}
        ben._host_seen_at -= remote.SHAKY_AFTER_S
        await until(lambda: looks[-1] == remote.WATCH_INTERVAL_S)
        ben.leave()
        await running


async def test_somebody_who_goes_over_to_a_table_elsewhere_leaves_the_own_one_that_still_gathers(
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
        running = await begin_game(hosted, ann, cleo, ben)
        await hosted.stop()
        had_door = replace(ben.status, doors=(DoorNow(DoorKind.WEB, 7361),))
        ben.publisher.set_status(had_door)
        ben._host_seen_at = -inf
        await until(lambda: ben.status.may_go_on)
        ben.request(TakeOverHere())
        ben.request(TakeOverHere())
        await until(lambda: ben.status.gathering == Gathering(("Cleo",), 1))
        assert len(opener.opened) == 1, "asked for twice, it goes on once"
        assert opener.doors == (DoorKind.WEB,), "the same as the table had"
        invitation = ben.status.code, ben.status.outside
        assert invitation == (str(known.code), (FOR_OTHERS,)), "its new host invites by it"
        there = other.table.certificate.fingerprint
        ben._switch_host(FoundCopy(Address(HERE, other.port), there, CopyRank(), b""))
        await until(lambda: not opener.opened[0].host.room.sessions.by_member)
        ben.leave()
        await running
