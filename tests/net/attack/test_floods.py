"""Those who were let in, and send too much or take nothing."""

import asyncio
import logging
import time
from pathlib import Path

import pytest

from engine import KeepGold
from net.discovery.advert import OURS
from net.protocol.events import write_move
from net.protocol.framing import MAX_CLIENT_FRAME_BYTES, pack
from net.protocol.messages import (
    ClientCommand,
    ClientMessage,
    CloseReason,
    Closing,
    CommandRefused,
    Ping,
    Refusal,
    Resync,
    Snapshot,
)
from net.protocol.requests import Chat, MakeMove
from net.secure import connection
from net.secure.authenticate import authenticate
from net.secure.client import ClientHandshake
from net.secure.connection import Connection, ConnectionFault, connect
from net.secure.limits import GUEST_QUOTA
from net.server import live_table as host_module
from tests.net.attack.connection_attack import a_game
from tests.net.server.served_table import HERE, Guest, until
from tests.net.server.test_slow import tube
from tests.samples import first

pytestmark = pytest.mark.level("broad")

FLOODS: list[tuple[ClientMessage, int]] = [
    (Ping(0), 500),
    (ClientCommand(10**6, MakeMove(0, write_move(KeepGold(1)))), 500),
    (ClientCommand(10**6, Chat("buy gold")), 500),
    (Resync(), 40),  # no more frames than a link may send: the room itself ends it
    (Resync(), 500),
]
"""Messages, and how many of each are sent at once."""

SNAPSHOTS, SNAPSHOTS_A_SECOND = 6, 0.5
"""How often a table answers a member with all there is: a few times at once, then every 2 s."""


@pytest.mark.parametrize("attacker", first(1, ["Ben", "Eve"], thorough=2))
async def test_a_flood_ends_the_link_it_came_on_and_nothing_else(
    where: Path, attacker: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "net.server.output")
    farewells = {}
    async with a_game(where, but=attacker) as hosted:
        people = {guest.state.name: guest for guest in hosted.guests}
        eve = people.get(attacker) or await Guest(attacker, hosted.port).join()
        eve.attacks = True
        begun = time.monotonic()
        for flood, many in FLOODS:
            assert eve.connection is not None
            heard = len(eve.got)
            eve.connection._transport.write(pack(flood, MAX_CLIENT_FRAME_BYTES) * many)
            await until(lambda: eve.connection is None)
            assert len(eve.got) - heard < 2 * GUEST_QUOTA.frames.burst
            whole = sum(isinstance(one, Snapshot) for one in eve.got[heard:])
            assert whole <= SNAPSHOTS + SNAPSHOTS_A_SECOND * (time.monotonic() - begun)
            farewells[flood, many] = eve.farewell
            await eve.leave()
            await until(lambda: len(hosted.host._connections) == (2 if eve in hosted.guests else 3))
            await eve.come_back()
        await hosted.next_move()
        if eve not in hosted.guests:
            await eve.leave()
    reasons = [one.partition(": ")[2] for one in caplog.messages if "is gone" in one]
    assert farewells[FLOODS[-2]] is CloseReason.TOO_MUCH
    assert reasons.count(ConnectionFault.OVER_BUDGET) >= 3


@pytest.mark.level("thorough")  # a flood of talk is above
async def test_who_says_as_much_as_a_link_may_is_refused_and_does_not_drown_the_others(
    where: Path,
) -> None:
    async with a_game(where) as hosted:
        eve = await Guest("Eve", hosted.port).join()
        steps = hosted.state.number
        for number in range(40):
            eve.say(*eve.state.request(Chat(f"buy gold {number}")))
        await until(lambda: not eve.state.commands.pending)
        refused = [one.reason for one in eve.got if isinstance(one, CommandRefused)]
        assert set(refused) == {Refusal.TOO_FAST}
        assert hosted.state.number - steps == 40 - len(refused) <= 25
        await eve.leave()


@pytest.mark.level("thorough")  # `test_slow` has one who asks without end
async def test_who_never_reads_and_says_that_all_is_read_is_cut_off(
    where: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_game(where) as hosted, tube(hosted.port) as line:
        eve = await Guest("Eve", line.port).join()
        line.is_open.clear()
        with monkeypatch.context() as narrow:  # the end of the game is longer than this
            narrow.setattr(connection, "MAX_BACKLOG_BYTES", 4096)
            for _ in range(50):
                eve.say(Ping(hosted.state.number))
            await until(lambda: len(hosted.host._connections) == 3)
        await hosted.next_move()
        line.is_open.set()
        await eve.leave()


@pytest.mark.level("thorough")  # `room/test_sessions` has it
async def test_who_takes_nothing_and_says_now_and_then_that_all_is_read_is_cut_off(
    where: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host_module, "TICK_S", 0.02)
    async with a_game(where) as hosted, tube(hosted.port) as line:
        eve = await Guest("Eve", line.port).join()
        (eves,) = [one for number, one in hosted.host._connections._lines.items() if number == 4]
        line.is_open.clear()
        eve.acks = False
        for _ in range(45):
            eve.say(Ping(hosted.state.number))
        while len(hosted.host._connections) == 4:
            eve.say(Ping(hosted.state.number))
            await asyncio.sleep(0.1)
        assert eves.given < connection.MAX_BACKLOG_BYTES / 4, "long before it is too much"
        assert not any(isinstance(one, Closing) for one in eve.got)
        await hosted.next_move()
        line.is_open.set()
        await eve.leave()


@pytest.mark.level("thorough")  # `room/test_rough_guests` has it
async def test_who_comes_back_for_all_there_is_again_and_again_has_to_wait(where: Path) -> None:
    async with a_game(where) as hosted:
        eve = await Guest("Eve", hosted.port).join()
        came = 0
        while eve.farewell is None:
            await eve.leave()
            key, pin = eve.key, eve.pin
            eve = Guest("Eve", hosted.port, key)
            eve.pin = pin
            eve.begin(await connect_back(eve))
            await until(lambda: eve.is_in or eve.farewell is not None)  # noqa: B023 - awaited here
            came += 1
        assert eve.farewell is CloseReason.TOO_MUCH
        assert 4 <= came <= 8
        await until(lambda: eve.connection is None)
        await eve.leave()


async def connect_back(guest: Guest) -> Connection:
    """A connection that is trusted, by the key of somebody who is known."""
    back = await connect(HERE, guest.port, pin=guest.pin)
    await authenticate(back, ClientHandshake.come_back(guest.pin, OURS, guest.key))
    return back


@pytest.mark.level("thorough")  # `room/test_entry_floods` has it
async def test_who_comes_back_without_end_is_nothing_the_others_notice(where: Path) -> None:
    async with a_game(where) as hosted:
        eve = await Guest("Eve", hosted.port).join()
        steps = hosted.state.number
        for _ in range(6):
            await eve.leave()
            await eve.come_back()
        assert hosted.state.number == steps, "nothing has happened"
        assert not any(isinstance(one, Closing) for guest in hosted.guests for one in guest.got)
        await eve.leave()
