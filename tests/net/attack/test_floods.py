"""Crowds at the door, idle ones and those who begin TLS without end; floods of guests."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from engine import Discard, KeepGold, Move, View
from net.discovery.advert import OURS
from net.protocol import messages
from net.protocol.events import write_move
from net.protocol.framing import MAX_CLIENT_FRAME_BYTES, pack
from net.protocol.lobby import Settings
from net.protocol.requests import Chat, MakeMove
from net.room import sessions
from net.secure import connection
from net.secure.code import RoomCode
from net.secure.connection import (
    Connection,
    ConnectionFailed,
    ConnectionFault,
    StreamProtocol,
    authenticate,
)
from net.secure.handshake import ClientHandshake
from net.secure.keys import SeatKey, client_context, fingerprint_of
from net.secure.limits import (
    GUEST_QUOTA,
    MAX_PENDING,
    MAX_PENDING_PER_ADDRESS,
    TLS_STARTS,
    AdmissionControl,
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


def put_away(streams: Iterable[Stream]) -> None:
    for _, writer in streams:
        writer.transport.abort()


def allow_files(count: int) -> None:
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - no other system has it

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard != resource.RLIM_INFINITY and hard < count:
            pytest.skip(f"this system gives us {hard} files")
        if soft < count:
            resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))


# `secure/test_connection` has a few, `secure/test_limits` whose turn it is
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


async def test_who_speaks_another_tls_or_http_over_ours_gets_no_word_and_all_is_quiet(
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


# Strangers who begin TLS again and again: only so many are attended to.


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

    monkeypatch.setattr("net.secure.connection.AdmissionControl", admission)
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
