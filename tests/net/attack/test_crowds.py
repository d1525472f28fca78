"""Crowds at the door: connections that say nothing, little, or nothing that is understood here."""

import asyncio
import contextlib
import logging
import ssl
import subprocess
import sys
from pathlib import Path

import pytest

from net.protocol.framing import MAX_CLIENT_FRAME_BYTES, pack
from net.protocol.lobby import Settings
from net.protocol.messages import CloseReason, Closing, Ping
from net.room import sessions
from net.secure import connection, listener
from net.secure.keys import client_context
from net.secure.limits import MAX_PENDING, MAX_PENDING_PER_ADDRESS
from net.server import live_table as host_module
from tests.net.attack.connection_attack import (
    Stream,
    a_game,
    addresses,
    allow_files,
    is_ended,
    plain,
    put_away,
)
from tests.net.server.journal_tools import HOUSE
from tests.net.server.served_table import HERE, Guest, Hosted, hosting, until
from tests.samples import first

pytestmark = pytest.mark.level("broad")


# `secure/test_listener` has a few, `secure/test_limits` whose turn it is
@pytest.mark.level("thorough")
@pytest.mark.parametrize("sources", first(1, [50, 1]))
async def test_hundreds_of_idle_links_keep_nobody_out(where: Path, sources: int) -> None:
    allow_files(3000)
    from_where = [HERE] if sources == 1 else addresses(sources)
    async with a_game(where) as hosted:
        idle: list[Stream] = []
        for number in range(400):
            idle.append(await plain(hosted.port, from_where[number % sources]))
            if number % 100 == 99:
                await hosted.next_move()
        friend = await Guest("Dede", hosted.port).join()
        still = [link for link in idle if not link[0].at_eof()]
        assert len(still) <= (MAX_PENDING_PER_ADDRESS if sources == 1 else MAX_PENDING)
        await friend.leave()
        put_away(idle)
        await until(lambda: all_gone(hosted))


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
        monkeypatch.setattr(connection, "JOIN_TIMEOUT_S", 0.3)
        secured = await asyncio.open_connection(
            HERE, hosted.port, ssl=client_context(), server_hostname=""
        )
        monkeypatch.setattr(listener, "TLS_TIMEOUT_S", 0.3)
        tls = await plain(hosted.port)
        hello = bytes.fromhex("16030101000100")
        monkeypatch.setattr(sessions, "GONE_AFTER_S", 0.5)
        before = wim.connection
        wim.connection = None  # his client beats no more
        drops = [
            asyncio.create_task(drip(tls, hello * 20, 0.02)),
            asyncio.create_task(drip(secured, pack(Ping(0), MAX_CLIENT_FRAME_BYTES), 0.02)),
        ]
        for byte in pack(Ping(0), MAX_CLIENT_FRAME_BYTES)[:100]:
            if wim.farewell is not None:
                break
            before._transport.write(bytes([byte]))
            await asyncio.sleep(0.01)
        assert await is_ended(tls)
        assert await is_ended(secured)
        await until(lambda: isinstance(wim.got[-1], Closing))
        assert wim.farewell is CloseReason.TOO_SLOW
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


async def test_who_speaks_another_tls_or_http_over_ours_gets_no_word_and_all_is_quiet(
    where: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "net.secure.listener")
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
