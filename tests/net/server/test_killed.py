"""A host that is killed in the midst of a game, and brought back from its journal."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from engine import View
from net.protocol.lobby import Settings
from net.room import inputs
from net.secure.connection import ConnectionFailed
from net.secure.handshake import AuthenticationFailed
from net.secure.keys import SeatKey
from net.server.tables import resume
from tests.net.server.child_process import start_child
from tests.net.server.served_table import Guest, new_table, until

pytestmark = pytest.mark.level("broad")


async def find_again(guest: Guest) -> None:
    """Dial until the host is there again."""
    while not guest.is_in or guest.connection is None:
        with suppress(ConnectionFailed, AuthenticationFailed):
            await guest.come_back()
        await asyncio.sleep(0.02)


async def play_until(people: list[Guest], is_done: Callable[[], bool]) -> None:
    """Play on until a condition holds.

    A move that was refused is made again. Playing without a pause can exceed the quota of a client,
    for which the host ends its connection: then the guest returns, as a client would.
    """
    async with asyncio.timeout(20):
        while not is_done():
            for guest in people:
                if guest.connection is None:
                    await find_again(guest)
                guest.move()
            await asyncio.sleep(0.005)


@pytest.mark.level("thorough")  # `test_disk_faults` kills one as it writes
async def test_a_host_killed_in_a_game_comes_back_with_the_same_table_and_nothing_is_lost(
    where: Path,
) -> None:
    key = SeatKey.new()
    table = new_table(where, key, Settings(seats=3, rounds=1))
    table.journal.close()
    path = table.journal.path
    people = [Guest("Ann", 0, key), Guest("Ben", 0), Guest("Cleo", 0)]
    for guest in people:
        guest.digs = False  # a round that ends early has no moves on their way when it is killed
    known: list[list[tuple[int, View | None]]] = []
    port = 0
    for life in range(2):
        async with start_child("host", path) as child:
            now = int(await child.line())
            assert port in {0, now}, "the same port"
            port = now
            for guest in people:
                guest.port, guest.plays, guest.stops_at = port, True, guest.step
                if life == 0:
                    await guest.join()
            await asyncio.gather(*(find_again(guest) for guest in people))
            assert {guest.pin for guest in people} == {table.certificate.fingerprint}
            before = max(guest.step for guest in people)
            for guest in people:  # a few moves past the kill, so that some are on their way
                guest.stops_at = before + 14 if life < 1 else None
                guest.move()
            if life < 1:
                await play_until(people, lambda: max(guest.step for guest in people) > before + 10)  # noqa: B023 - asked at once
                assert await child.kill() == ""
                await until(lambda: all(guest.connection is None for guest in people))
                known.append([(guest.step, guest.state.status.view) for guest in people])
            else:
                await play_until(people, lambda: all(guest.is_over for guest in people))
                assert await child.kill() == ""
    for guest in people:
        await guest.leave()
    resumed = resume(path)
    with resumed.journal as journal:
        assert str(resumed.code) == str(table.code)
        assert resumed.port == port
        kept, steps = journal.kept["founding"], [one.payload for one in journal.steps]
    for held in known:
        for seat, (step, view) in enumerate(held):
            room = inputs.resume(kept, steps[:step], 1, lambda: bytes(32), 0.0)
            assert room.state.view(seat) == view, "what was told has happened"
