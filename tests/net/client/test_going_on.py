"""Going on with a table at one's own computer, and giving it up: real hosts, real connections."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from math import inf
from pathlib import Path

import pytest

from net.client.credentials import CredentialStore
from net.client.dialer import FoundElsewhere, MoveOrder, OpenedHere, own_standing
from net.client.remote import RemoteSession
from net.client.session import Opening, Status
from net.discovery.advert import NO_TABLE, Standing
from net.protocol.doors import DoorKind, DoorNow
from net.protocol.messages import Gathering
from net.protocol.requests import GoOnHere, SetReady, Start
from net.room import room
from net.secure.address import Address
from net.secure.connection import connect
from net.server.tables import move_here, resume
from tests.net.client.test_remote import credentials
from tests.net.room.room_fixture import playing
from tests.net.server.served_table import HERE, Hosted, hosting, run, until


class Opener:
    """Opens tables in this process."""

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
        return OpenedHere(pin, (Address(HERE, self.opened[0].port),))


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as stack:
        yield stack


async def test_who_goes_over_to_a_table_elsewhere_ends_the_own_one_that_still_gathers(
    tmp_path: Path, stack: AsyncExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "GATHER_S", 1.0)
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
        await until(lambda: ben.status.gathering == Gathering(("Cleo",), 1))
        assert opener.doors == (DoorKind.WEB,), "the same as the table had"
        assert ben.status.code == str(known.code), "its new host invites by it"
        found = FoundElsewhere(await connect(HERE, other.port), ben._credentials)
        ben._go_over(found)
        await opener.opened[0].wait_for_end()
        ben.leave()
        await running


@pytest.mark.parametrize("is_ours", [True, False])
def test_whoever_sits_at_a_table_that_lacks_its_people_looks_for_one_that_stands_before_it(
    is_ours: bool,  # noqa: FBT001 - a parameter
) -> None:
    table = playing()
    ann = table.people["Ann"].client
    assert own_standing(ann.status, is_ours=is_ours) is None
    table.wait(12, "Ben", "Cleo")
    assert own_standing(ann.status, is_ours=is_ours) == Standing(plays=False, people=1, term=0)
    silent = replace(ann.status, silent=True)
    assert own_standing(silent, is_ours=is_ours) == NO_TABLE


def test_a_table_of_ours_that_gathers_gives_way_to_more_people_or_a_later_term_alone() -> None:
    ours = Status(opening=Opening.UNDER_WAY, gathering=Gathering(("Ann",), 2))
    standing = own_standing(ours, is_ours=True, term=18)
    assert standing == Standing(plays=False, people=2, term=18)
    assert standing < Standing(plays=False, people=2, term=19)
    assert standing < Standing(plays=False, people=3, term=17)
    assert not standing < Standing(plays=False, people=2, term=17)


def test_who_waits_at_a_table_that_its_host_has_left_goes_to_any_with_as_many_people() -> None:
    at_cleos = Status(found="Cleo", gathering=Gathering(("Ben",), 1))
    assert own_standing(at_cleos, is_ours=False) is None
    left = replace(at_cleos, gathering=Gathering(("Ben", "Cleo"), 1))
    standing = own_standing(left, is_ours=False)
    assert standing is not None
    assert standing < Standing(plays=False, people=1, term=0)
    assert not standing < Standing(plays=False, people=0, term=19)
