"""A club's table whose club is gone: it goes on at a player's computer, as any other does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from net.client.credentials import CredentialStore
from net.client.hall import at_table
from net.client.session import ConnectionState
from net.protocol.requests import SetReady, Start
from net.takeover.remote import RemoteSession
from tests.net.server.served_club import Member, ServedClub, serve_folder
from tests.net.server.served_table import until
from tests.net.takeover.test_succession import (
    BRISK,
    Seat,
    TablesHere,
    are_on,
    is_prepared,
    miss_host,
    newest,
    quick,
)

__all__ = ["quick"]  # a fixture for every test


class ClubSeat(Seat):
    """A session at a table of a club, of somebody who has been in its hall."""

    def __init__(self, member: Member, table: str, folder: Path) -> None:
        self.name = member.session.credentials.name
        self.updates = []
        self.tables = TablesHere(folder / self.name)
        credentials = at_table(member.session.credentials, table, "Gold Rush", watch=False)
        store = CredentialStore(folder / self.name / "seats")
        self.session = RemoteSession(
            credentials, self.updates.append, store, BRISK, successor=self.tables
        )
        self.task = asyncio.create_task(self.session.run())


@pytest.fixture
async def seats(tmp_path: Path) -> AsyncIterator[tuple[ServedClub, str, list[Seat]]]:
    """Three people in a game at a club, whose programs know where the others listen."""
    async with serve_folder(tmp_path) as served:
        members = await served.come("Ann", "Ben", "Cleo")
        table = await members[0].open_table("Gold Rush")
        people = list[Seat]()
        for member in members:
            await member.leave()
            people.append(ClubSeat(member, table, tmp_path))
            await until(lambda: people[-1].term == 0)
        for one in people:
            one.session.request(SetReady(ready=True))
        await until(lambda: all(chair.ready for chair, _ in served.state(table).lobby.sitting))
        people[0].session.request(Start())
        await until(lambda: all(is_prepared(one) for one in people))
        try:
            yield served, table, people
        finally:
            for one in people:
                await one.leave()


async def test_a_table_whose_club_stops_goes_on_at_a_players_computer_where_all_find_it(
    seats: tuple[ServedClub, str, list[Seat]],
) -> None:
    served, table, people = seats
    before = served.state(table)
    assert all(one.session.status.in_club for one in people)
    await served.stop()
    miss_host(people)
    await until(lambda: are_on(people))
    moved = newest(people)
    assert moved.id == table
    assert moved.room.state.game == before.game
    assert [one.session.status.is_host for one in people].count(True) == 1
    guest = next(one for one in people if not one.tables.opened)
    await guest.die()
    store = guest.session._store
    (kept,) = store.list_stored()
    assert not kept.credentials.is_at_club
    guest.begin_anew()
    await until(lambda: guest.session.status.connection is ConnectionState.CONNECTED)
    await until(lambda: are_on(people))
