"""Strangers who begin TLS again and again, as fast as they can: only this many are attended to."""

import asyncio
import contextlib
import itertools
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from net.secure.connection import ConnectionFailed
from net.secure.limits import TLS_STARTS, AdmissionControl
from tests.net.attack.connection_attack import a_game, addresses, connect_from
from tests.net.server.served_table import HERE, Guest
from tests.samples import first

pytestmark = pytest.mark.level("broad")

STRANGERS = 48


class Turns(AdmissionControl):
    """The host's own admission, which also keeps who began TLS while somebody waited to.

    `ahead` has, for each connection by its entry, the addresses that began between its arrival and
    its own turn; `held_back` counts how often somebody waited, but nobody might begin.
    """

    def __init__(self) -> None:
        super().__init__()
        self.address_of: dict[int, str] = {}
        self.ahead: dict[int, list[str]] = {}
        self.held_back = 0

    def enter(self, address: str) -> tuple[int, int | None]:
        entry, evicted = super().enter(address)
        self.address_of[entry] = address
        self.ahead[entry] = []
        return entry, evicted

    def turn(self, now: float) -> int | None:
        entry = super().turn(now)
        if entry is None:
            self.held_back += self.crowded
            return None
        for waiting in self._waiting:
            self.ahead[waiting].append(self.address_of[entry])
        return entry

    def ahead_of_friends(self) -> list[list[str]]:
        return [ahead for entry, ahead in self.ahead.items() if self.address_of[entry] == HERE]


@pytest.fixture
def admissions(monkeypatch: pytest.MonkeyPatch) -> list[Turns]:
    made: list[Turns] = []

    def admission() -> Turns:
        made.append(Turns())
        return made[-1]

    monkeypatch.setattr("net.secure.listener.AdmissionControl", admission)
    return made


class Flood:
    """Strangers who begin TLS, and how often the host has let them."""

    def __init__(self) -> None:
        self.opened = 0
        self.since = time.monotonic()

    @property
    def most(self) -> float:
        return TLS_STARTS.burst + TLS_STARTS.rate * (time.monotonic() - self.since)

    async def connect_again_and_again(self, source: str, port: int) -> None:
        while True:
            with contextlib.suppress(OSError, ConnectionFailed):
                connection = await connect_from(source, port)
                self.opened += 1
                connection.abort()
            await asyncio.sleep(0.005)


@contextlib.asynccontextmanager
async def flood_of(strangers: int, port: int, sources: list[str]) -> AsyncIterator[Flood]:
    flood = Flood()
    tasks = [
        asyncio.create_task(flood.connect_again_and_again(source, port))
        for source in itertools.islice(itertools.cycle(sources), strangers)
    ]
    try:
        yield flood
        assert not any(task.done() for task in tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@pytest.mark.level("thorough")  # `secure/test_limits` has the turns
@pytest.mark.parametrize("sources", first(1, [40, 1]))
async def test_a_flood_of_tls_is_bounded_and_a_friend_waits_for_one_stranger_at_most(
    where: Path, sources: int, admissions: list[Turns]
) -> None:
    async with (
        a_game(where) as hosted,
        flood_of(STRANGERS, hosted.port, addresses(sources)) as flood,
    ):
        while flood.opened < TLS_STARTS.burst:  # what may be saved up is spent
            await hosted.next_move()
        [admission] = admissions
        before = len(admission.ahead_of_friends())
        for name in ("Dede", "Emil"):
            friend = await Guest(name, hosted.port).join()
            await friend.leave()
        # Their address is known since Ann, Ben and Cleo came, so it takes every other turn.
        ahead = admission.ahead_of_friends()[before:]
        assert [len(strangers) <= 1 for strangers in ahead] == [True, True]
        assert flood.opened <= flood.most
