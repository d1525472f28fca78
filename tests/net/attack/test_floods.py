"""Crowds at the door, idle ones and those who begin TLS without end; floods of guests."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from engine import Discard, KeepGold, Move, View
from net.discovery.advert import OURS
from net.protocol import messages
from net.protocol.framing import MAX_CLIENT_FRAME_BYTES, pack
from net.protocol.game_wire import write_move
from net.protocol.lobby import Settings
from net.protocol.requests import Chat, MakeMove
from net.room import sessions
from net.secure import connection
from net.secure.code import RoomCode
from net.secure.connection import (
    Connection,
    ConnectionFault,
    StreamProtocol,
    authenticate,
)
from net.secure.handshake import ClientHandshake
from net.secure.keys import SeatKey, client_context, fingerprint_of
from net.secure.limits import (
    GUEST_QUOTA,
)
from net.server import live_table as host_module
from tests.net.cable import cable
from tests.net.server.journal_tools import HOUSE
from tests.net.server.served_table import CODE, HERE, Guest, Hosted, hosting, until
from tests.samples import first

pytestmark = pytest.mark.level("broad")

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@asynccontextmanager
async def a_game(where: Path, but: str = "") -> AsyncIterator[Hosted]:
    """Ann, Ben and Cleo in their game, who play on in the attack and do not feel it.

    One of them may be the attacker.
    """
    async with hosting(where) as hosted:
        everybody = await hosted.begin()
        people = [guest for guest in everybody if guest.state.name != but]
        connections = [guest.connection for guest in people]
        yield hosted
        await hosted.go_on()
        assert [guest.connection for guest in people] == connections
        assert not any(
            isinstance(message, messages.Closing) for guest in people for message in guest.got
        )


def addresses(count: int) -> list[str]:
    with socket.socket() as trying:
        try:
            trying.bind(("127.0.0.2", 0))
        except OSError:
            pytest.skip("this system has one address for itself")
    return [f"127.0.{number // 250}.{number % 250 + 2}" for number in range(count)]


async def plain(port: int, source: str = HERE) -> Stream:
    return await asyncio.open_connection(HERE, port, local_addr=(source, 0))


async def connect_from(source: str, port: int) -> Connection:
    wire = StreamProtocol()
    transport, _ = await asyncio.get_running_loop().create_connection(
        lambda: wire, HERE, port, ssl=client_context(), server_hostname="", local_addr=(source, 0)
    )
    fingerprint = fingerprint_of(transport.get_extra_info("ssl_object"))
    assert fingerprint is not None
    return Connection(wire, transport, fingerprint)


async def join_from(source: str, port: int, code: RoomCode | None = CODE) -> Connection:
    connection = await connect_from(source, port)
    await authenticate(
        connection, ClientHandshake.join(connection.fingerprint, OURS, SeatKey.new(), code)
    )
    return connection


async def is_ended(stream: Stream) -> bool:
    reader, writer = stream
    with suppress(OSError):
        async with asyncio.timeout(10):
            while await reader.read(65_536):
                pass
    writer.close()
    return True


def allow_files(count: int) -> None:
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - no other system has it

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard != resource.RLIM_INFINITY and hard < count:
            pytest.skip(f"this system gives us {hard} files")
        if soft < count:
            resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))


def all_gone(hosted: Hosted) -> bool:
    return len(hosted.host._connections) == 3 and len(tasks_of_guests()) == 3


def tasks_of_guests() -> list[str]:
    return [name for task in asyncio.all_tasks() if "_admit" in (name := repr(task.get_coro()))]


async def drip(stream: Stream, data: bytes, pause: float) -> None:
    with contextlib.suppress(OSError):
        for byte in data:
            stream[1].write(bytes([byte]))
            await stream[1].drain()
            await asyncio.sleep(pause)


async def test_slow_drops_of_a_handshake_or_a_frame_end_in_time(
    where: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host_module, "TICK_S", 0.05)
    async with a_game(where) as hosted:
        wim = await Guest("Wim", hosted.port).join()
        assert wim.connection is not None
        monkeypatch.setattr(connection, "TRUST_TIMEOUT_S", 0.3)
        secured = await asyncio.open_connection(
            HERE, hosted.port, ssl=client_context(), server_hostname=""
        )
        monkeypatch.setattr(connection, "TLS_TIMEOUT_S", 0.3)
        tls = await plain(hosted.port)
        hello = bytes.fromhex("16030101000100")
        monkeypatch.setattr(sessions, "GONE_AFTER_S", 0.5)
        before = wim.connection
        wim.connection = None  # his client beats no more
        drops = [
            asyncio.create_task(drip(tls, hello * 20, 0.02)),
            asyncio.create_task(
                drip(secured, pack(messages.Ping(0), MAX_CLIENT_FRAME_BYTES), 0.02)
            ),
        ]
        for byte in pack(messages.Ping(0), MAX_CLIENT_FRAME_BYTES)[:100]:
            if wim.farewell is not None:
                break
            before._transport.write(bytes([byte]))
            await asyncio.sleep(0.01)
        assert await is_ended(tls)
        assert await is_ended(secured)
        await until(lambda: isinstance(wim.got[-1], messages.Closing))
        assert wim.farewell is messages.CloseReason.TOO_SLOW
        await asyncio.gather(*drops)
        await wim.leave()


HTTP = b"GET / HTTP/1.1\r\nHost: table\r\nUser-Agent: scanner\r\n\r\n"
SSH = b"SSH-2.0-scanner\r\n"


def old_tls() -> ssl.SSLContext:
    context = client_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    return context


def web() -> ssl.SSLContext:
    context = client_context()
    context.set_alpn_protocols(["h2", "http/1.1"])
    return context


def no_alpn() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


async def test_somebody_who_speaks_another_tls_or_http_over_ours_gets_no_word_and_all_is_quiet(
    where: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "net.secure.connection")
    contexts = (old_tls(), web(), no_alpn(), client_context())
    async with a_game(where) as hosted:
        for context in contexts:
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection(
                    HERE, hosted.port, ssl=context, server_hostname=""
                )
                writer.write(HTTP)
                async with asyncio.timeout(10):
                    assert await reader.read() == b""
                writer.close()
        await until(lambda: all_gone(hosted))
    reasons = [message.partition(" is gone: ") for message in caplog.messages]
    assert [who for who, _, _ in reasons] == [f"a connection from {HERE}"] * len(contexts)
    assert all(why for _, _, why in reasons)


@pytest.mark.level("soak")
@pytest.mark.skipif(sys.platform != "linux", reason="an attacker has many addresses on Linux")
async def test_a_storm_of_all_attacks_is_weathered_again_and_again(where: Path) -> None:
    async with hosting(where, Settings(seats=4, rounds=3)) as hosted:
        people = await hosted.come("Ann", "Ben", "Cleo", "Eve")
        connections = [guest.connection for guest in people[:3]]
        eve = hosted.guests.pop()
        for guest in people[:3]:
            guest.plays = True
            guest.move()
        for _ in range(5):
            await eve.leave()
            storm = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tests.net.attack.flood", str(hosted.port), "20"),
                cwd=HOUSE,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            await storm.communicate(eve.key.secret + eve.pin)
            assert [guest.connection for guest in people[:3]] == connections
            await eve.come_back()
        await until(lambda: len(hosted.host._connections) == 4, 30)


# Those who were let in, and send too much, take nothing, or ask for what is not theirs.


FLOODS: list[tuple[messages.ClientMessage, int]] = [
    (messages.Ping(0), 500),
    (messages.ClientCommand(10**6, MakeMove(0, write_move(KeepGold(1)))), 500),
    (messages.ClientCommand(10**6, Chat("buy gold")), 500),
    (messages.Resync(), 40),  # no more frames than a link may send: the room itself ends it
    (messages.Resync(), 500),
]
"""Messages, and how many of each are sent at once."""

SNAPSHOTS, SNAPSHOTS_A_SECOND = 6, 0.5
"""How often a table answers a member with all there is: a few times at once, then every 2 s."""


@pytest.mark.parametrize("attacker", first(1, ["Ben", "Eve"], thorough=2))
async def test_a_flood_ends_the_link_it_came_on_and_nothing_else(
    where: Path, attacker: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "net.server.live_table")
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
            whole = sum(isinstance(message, messages.Snapshot) for message in eve.got[heard:])
            assert whole <= SNAPSHOTS + SNAPSHOTS_A_SECOND * (time.monotonic() - begun)
            farewells[flood, many] = eve.farewell
            await eve.leave()
            await until(lambda: len(hosted.host._connections) == (2 if eve in hosted.guests else 3))
            await eve.come_back()
        await hosted.next_move()
        if eve not in hosted.guests:
            await eve.leave()
    reasons = [message.partition(": ")[2] for message in caplog.messages if "is gone" in message]
    assert farewells[FLOODS[-2]] is messages.CloseReason.TOO_MUCH
    assert reasons.count(ConnectionFault.OVER_BUDGET) >= 3


def whose_turn(hosted: Hosted) -> tuple[Guest, Guest]:
    game = hosted.state.game
    assert game is not None
    mover = next(guest for guest in hosted.guests if guest.state.status.seat == game.to_act)
    return mover, next(guest for guest in hosted.guests if guest is not mover)


def a_move(view: View | None) -> Move:
    assert view is not None
    return Discard(view.hand[0])


async def test_a_move_from_a_link_that_was_replaced_is_not_made(where: Path) -> None:
    async with a_game(where, but="Ann") as hosted, cable(hosted.port) as line:
        ann = hosted.guests[0]
        await ann.leave()
        ann.port = line.port
        await ann.come_back()
        while whose_turn(hosted)[0] is not ann:
            await hosted.next_move()
        step = hosted.state.number
        play = MakeMove(ann.step, write_move(a_move(ann.state.status.view)))
        line.freeze()
        ann.say(*ann.state.request(play))
        newer = Guest("Ann", hosted.port, ann.key)
        newer.pin = ann.pin
        hosted.guests[0] = newer
        await newer.come_back()
        line.thaw()
        await until(lambda: ann.connection is None)
        assert ann.farewell is messages.CloseReason.REPLACED
        assert await newer.wants(MakeMove(0, play.move)) is messages.Refusal.STALE
        assert hosted.state.number == step
        await ann.leave()
