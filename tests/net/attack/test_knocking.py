"""Strangers who begin TLS again and again, as fast as they can: only so many are attended to."""

import asyncio
import contextlib
import itertools
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from net.lobby.model import Settings
from net.server.tables import resume
from net.transport import admission
from net.transport.connection import ConnectionFailed
from tests.net.attack.connection_attack import a_game, addresses, connect_from
from tests.net.server.served_table import HERE, Guest, hosting, run, until
from tests.samples import first

pytestmark = pytest.mark.broad

AT_ONCE = 3.0


class Knocking:
    """Who knocks, and how many of them the host has opened to."""

    def __init__(self) -> None:
        self.opened = 0
        self.since = time.monotonic()

    @property
    def most(self) -> float:
        """How many it may have opened to by now."""
        return admission.TLS_START_BURST + admission.TLS_STARTS_PER_S * (
            time.monotonic() - self.since
        )

    async def knock(self, source: str, port: int) -> None:
        """Begin TLS without end."""
        while True:
            with contextlib.suppress(OSError, ConnectionFailed):
                connection = await connect_from(source, port)
                self.opened += 1
                connection.abort()
            await asyncio.sleep(0.005)


@contextlib.asynccontextmanager
async def knocking(port: int, sources: list[str], number: int = 48) -> AsyncIterator[Knocking]:
    """So many knock at a port meanwhile."""
    knocking = Knocking()
    tasks = [
        asyncio.create_task(knocking.knock(source, port))
        for source in itertools.islice(itertools.cycle(sources), number)
    ]
    try:
        yield knocking
        assert not any(task.done() for task in tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@pytest.mark.parametrize("sources", first(1, [40, 1]))
async def test_a_flood_of_tls_is_bounded_and_a_friend_gets_in_at_once(
    where: Path, sources: int
) -> None:
    async with a_game(where) as hosted, knocking(hosted.port, addresses(sources)) as crowd:
        while crowd.opened < admission.TLS_START_BURST:  # what may be saved up is spent
            await hosted.next_move()
        begun = time.monotonic()
        for name in ("Dede", "Emil"):
            friend = await Guest(name, hosted.port).join()
            await friend.leave()
        assert time.monotonic() - begun < AT_ONCE
        assert crowd.opened <= crowd.most


@pytest.mark.parametrize("strangers", [0, 1])
async def test_ten_friends_of_one_address_are_back_at_once_when_their_host_is(
    where: Path, strangers: int
) -> None:
    async with hosting(where, Settings(seats=10)) as hosted:
        friends = await hosted.come(*(f"Friend {number}" for number in range(9)))
        hosted.guests.clear()
        friends.append(await hosted.guest("Ann").join())
        hosted.guests.extend(friends[:-1])
    async with run(resume(hosted.table.journal.path), hosted.host_key) as again:
        assert again.port == hosted.port
        again.guests.extend(friends)
        sources = addresses(strangers) or [HERE]
        async with knocking(again.port, sources, 48 * strangers) as crowd:
            await until(lambda: crowd.opened >= admission.TLS_START_BURST * strangers)
            begun = time.monotonic()
            await asyncio.gather(*(friend.come_back() for friend in friends))
            assert time.monotonic() - begun < AT_ONCE
