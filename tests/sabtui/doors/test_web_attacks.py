"""What strangers and guests can send to the browser door: it harms nobody but themselves."""

from __future__ import annotations

import asyncio
import json
import string
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from net.secure.handshake import CodeExchange, PakeSide
from sabtui.doors import web_door
from sabtui.doors.guest_screen import GuestScreen
from sabtui.doors.guests import Guest
from sabtui.doors.web_door import WEB_PLACES
from sabtui.doors.web_login import (
    BINDING,
    PAGE_VERSION,
    Arrival,
    BadMessage,
    Channel,
    Greeting,
    parse,
    parse_frame,
)
from tests.net.server.served_table import HERE, until
from tests.sabtui.doors.open_doors import idle_links
from tests.sabtui.doors.web_guest import (
    WORDS,
    EchoScreen,
    Gate,
    OpenDoor,
    WebGuest,
    begin_channel,
    open_door,
)
from tests.samples import first

UPGRADE = (
    "GET /table HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    "Sec-WebSocket-Version: 13\r\n\r\n"
)
PING = b"\x89\xfd" + bytes(4) + b"x" * 125
FLOOD_BYTES = 1 << 26


@asynccontextmanager
async def raw(door: OpenDoor) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection(HERE, door.port)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


@asynccontextmanager
async def stranger(door: OpenDoor) -> AsyncIterator[ClientConnection]:
    """A page's websocket on which nothing was said yet."""
    address = f"{HERE}:{door.port}"
    async with connect(f"ws://{address}/table", origin=Origin(f"http://{address}")) as link:
        yield link


async def check_door_works(door: OpenDoor) -> None:
    """Somebody comes in, types and sees; no screen was started for anybody else."""
    before = len(door.screens)
    anna = await WebGuest.enter(door.port)
    await anna.type(b"still here")
    await anna.sees(b"STILL HERE")
    assert len(door.screens) == before + 1
    await anna.link.close()


async def test_somebody_who_asks_without_reading_is_cut_off_before_the_answers_fill_the_memory(
    tmp_path: Path,
) -> None:
    async with open_door(tmp_path, Gate()) as door, raw(door) as (reader, writer):
        writer.write(UPGRADE.format(host=f"{HERE}:{door.port}").encode())
        await reader.readuntil(b"\r\n\r\n")
        assert isinstance(writer.transport, asyncio.Transport)
        writer.transport.pause_reading()
        many = PING * 1000
        sent = 0
        with suppress(OSError):
            while sent < FLOOD_BYTES:
                writer.write(many)
                await writer.drain()
                sent += len(many)
        assert sent < FLOOD_BYTES
        assert len(door.door._strangers) == 0
        await check_door_works(door)


async def test_no_more_screens_are_started_than_fit_however_many_come_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = 4
    monkeypatch.setattr(web_door, "MAX_SCREENS", most)
    started = list[EchoScreen]()

    async def start(_guest: Guest, _arrival: Arrival) -> GuestScreen:
        await asyncio.sleep(0)
        started.append(EchoScreen())
        return started[-1]

    async with open_door(tmp_path, Gate()) as door:
        monkeypatch.setattr(door.door, "_open_screen", start)
        names = [f"guest {number}" for number in range(2 * most)]
        guests = await asyncio.gather(*(WebGuest.enter(door.port, name) for name in names))
        said = await asyncio.gather(*(guest.read() for guest in guests))
        assert len(started) == most
        assert said.count(b"") == most
        assert {guest.refused for guest in guests if guest.refused} == {"full"}


HEAD = "GET /table HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
REQUESTS = {
    "nothing": "\r\n\r\n",
    "another method": "POST /table HTTP/1.1\r\nHost: {host}\r\nContent-Length: 9\r\n\r\nlantern",
    "an old version": "GET / HTTP/0.9\r\n\r\n",
    "no version": "GET /\r\n\r\n",
    "a path too long": "GET /" + "a" * 100_000 + " HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "a header too long": HEAD + "X: " + "a" * 100_000 + "\r\n\r\n",
    "headers without end": HEAD + "X: y\r\n" * 1000 + "\r\n",
    "a body": HEAD + "Content-Length: 5\r\n\r\nhello",
    "a body in chunks": HEAD + "Transfer-Encoding: chunked\r\n\r\nffffffff\r\n",
    "no colon": HEAD + "nonsense\r\n\r\n",
    "a header of several lines": HEAD + "X: y\r\n z\r\n\r\n",
    "a byte that is no text": HEAD + "X: \x00\xff\r\n\r\n",
    "two hosts": HEAD + "Host: {host}\r\n\r\n",
    "no key": HEAD + "Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    "a path outside": "GET /../../etc/passwd HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "a path in percent": "GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "an absolute path": "GET http://example.net/ HTTP/1.1\r\nHost: example.net\r\n\r\n",
    "another origin": UPGRADE.replace("http://{host}", "http://evil.example"),
    "no origin": UPGRADE.replace("Origin: http://{host}\r\n", ""),
    "the origin null": UPGRADE.replace("http://{host}", "null"),
    "another port": UPGRADE.replace("http://{host}", "http://{host}1"),
    "a name that leads here": UPGRADE.replace("{host}", "evil.example"),
}


async def test_each_request_that_no_page_makes_is_refused_and_its_connection_ended(
    tmp_path: Path,
) -> None:
    async with open_door(tmp_path, Gate()) as door:
        for kind, text in REQUESTS.items():
            async with raw(door) as (reader, writer):
                writer.write(text.format(host=f"{HERE}:{door.port}").encode("latin-1"))
                writer.write_eof()
                said = b""
                with suppress(OSError):
                    async with asyncio.timeout(20):
                        said = await reader.read()
                assert not said.startswith((b"HTTP/1.1 101", b"HTTP/1.1 200")), (kind, said[:200])
                assert b"root:" not in said, kind
        await check_door_works(door)


FRAMES = {
    "a text that is no text": b"\x81\x82\0\0\0\0\xff\xfe",
    "bytes in place of text": b"\x82\x82\0\0\0\0{}",
    "a frame that is not masked": b"\x81\x02{}",
    "a frame that goes on without a beginning": b"\x80\x82\0\0\0\0{}",
    "a frame said to be compressed": b"\xc1\x82\0\0\0\0{}",
    "a frame of no kind": b"\x83\x80\0\0\0\0",
    "a length beyond all bounds": b"\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0",
    "a message in parts without end": b"\x01\x80\0\0\0\0" + b"\x00\x81\0\0\0\0x" * 9000,
    "a ping too long": b"\x89\xfe\x00\xff\0\0\0\0" + bytes(255),
    "a close of one byte": b"\x88\x81\0\0\0\0x",
    "something else than websocket": b"GET / HTTP/1.1\r\n\r\n",
}


async def test_each_frame_that_no_page_sends_ends_its_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_door, "WEBSOCKET_CLOSE_TIMEOUT_S", 0.05)
    async with open_door(tmp_path, Gate()) as door:
        for kind, sent in FRAMES.items():
            async with raw(door) as (reader, writer):
                writer.write(UPGRADE.format(host=f"{HERE}:{door.port}").encode())
                begun = await reader.readuntil(b"\r\n\r\n")
                assert begun.startswith(b"HTTP/1.1 101"), kind
                writer.write(sent)
                with suppress(OSError):
                    async with asyncio.timeout(20):
                        await reader.read()
        await check_door_works(door)


SHARE = CodeExchange(PakeSide.CLIENT, WORDS, BINDING).share().hex()
GREETINGS = {
    "no JSON": "lantern-tiger",
    "nothing": "",
    "a list": "[]",
    "no share": json.dumps({"version": PAGE_VERSION}),
    "a share of another type": json.dumps({"version": PAGE_VERSION, "share": 5}),
    "a share too short": json.dumps({"version": PAGE_VERSION, "share": SHARE[2:]}),
    "a share of no number": json.dumps({"version": PAGE_VERSION, "share": "zz" * 33}),
    "a point that is none": json.dumps({"version": PAGE_VERSION, "share": "43" + "ff" * 32}),
    "a point of small order": json.dumps({"version": PAGE_VERSION, "share": "41" + "00" * 32}),
    "the identity": json.dumps({"version": PAGE_VERSION, "share": "4101" + "00" * 31}),
    "a version of another type": json.dumps({"version": "1", "share": SHARE}),
    "a version without end": f'{{"version": 1{"0" * 400}, "share": "{SHARE[:60]}"}}',
    "another version": json.dumps({"version": 99, "share": SHARE}),
    "a seat that is no number": json.dumps(
        {"version": PAGE_VERSION, "share": SHARE, "seat": "../.."}
    ),
    "lists in lists": "[" * 500,
    "an object twice": f'{{"share": "{SHARE}", "version": {PAGE_VERSION}, "version": 99}}',
    "a text without end": "x" * 8000,
    "halves of a letter": f'{{"share": "\\ud800", "version": {PAGE_VERSION}}}',
}


async def test_each_greeting_of_odd_shape_is_refused_and_is_no_guess_that_was_right(
    tmp_path: Path,
) -> None:
    gate = Gate()
    async with open_door(tmp_path, gate) as door:
        for kind, greeting in GREETINGS.items():
            async with stranger(door) as link:
                await link.send(greeting)
                await check_refused(link)
            assert gate.settled == [], kind
            assert door.screens == [], kind
        await check_door_works(door)


async def check_refused(link: ClientConnection) -> None:
    """Nothing but a refusal comes on a connection before it ends."""
    with suppress(ConnectionClosed):
        async with asyncio.timeout(20):
            while True:
                assert "refused" in json.loads(await link.recv())


ARRIVAL = {"name": "Anna", "language": "en"}
ARRIVALS = {
    "no JSON": b"\xff\xfe",
    "a list": b"[]",
    "lists in lists": b"[" * 8000,
    "lists in lists in what nobody asks for": b'{"x": ' + b"[" * 8000,
    "no name": json.dumps({**ARRIVAL, "name": ""}).encode(),
    "a name of nothing": json.dumps({**ARRIVAL, "name": "\u202e\u200b\x1b"}).encode(),
    "a name too long": json.dumps({**ARRIVAL, "name": "a" * 81}).encode(),
    "half a stage": json.dumps({**ARRIVAL, "stage": 0.5}).encode(),
}


async def test_no_arrival_of_odd_shape_starts_anything_though_its_code_was_right(
    tmp_path: Path,
) -> None:
    gate = Gate()
    async with open_door(tmp_path, gate) as door:
        for kind, arrival in ARRIVALS.items():
            async with stranger(door) as link:
                channel = await begin_channel(link)
                await link.send(channel.seal(arrival))
                await check_refused(link)
            assert door.screens == [], kind
        assert gate.settled == [True] * len(ARRIVALS)
        await check_door_works(door)


ALTERED = ("a bit", "twice", "out of order", "sent back", "an end", "a beginning", "in the clear")


@pytest.mark.parametrize("how", first(2, ALTERED, thorough=len(ALTERED)))
async def test_a_sealed_message_that_was_altered_ends_the_connection_and_nothing_of_it_is_typed(
    how: str, tmp_path: Path
) -> None:
    async with open_door(tmp_path, Gate()) as door:
        anna = await WebGuest.enter(door.port)
        before, own = anna._channel.seal(b"lbefore"), anna._channel
        await anna.link.send(before)
        await anna.sees(b"BEFORE")
        of_door = Channel(own._opening, own._sealing, own._sent).seal(b"levil")
        one, another = (anna._channel.seal(b"l" + text) for text in (b"evil", b"evil"))
        bit = Random(how).randrange(8 * len(one))
        altered = bytearray(one)
        altered[bit // 8] ^= 1 << bit % 8
        sent = {
            "a bit": [bytes(altered)],
            "an end": [one[:-1]],
            "a beginning": [one[1:]],
            "out of order": [another, one],
            "in the clear": [b"levil"],
            "twice": [before],
            "sent back": [of_door],
        }[how]
        for message in sent:
            with suppress(ConnectionClosed):
                await anna.link.send(message)
        await anna.wait_for_close()
        assert b"EVIL" not in anna.shown
        assert not door.screens[0].is_closed, "the seat waits for its page"
        again = await anna.back(door.port)
        await again.type(b"here")
        await again.sees(b"HERE")


@pytest.mark.parametrize("seed", first(1, range(3), thorough=3))
async def test_random_bytes_at_any_moment_end_their_own_connection_alone(
    seed: int, tmp_path: Path
) -> None:
    chance = Random(seed)
    async with open_door(tmp_path, Gate()) as door:
        for _ in range(10):
            async with raw(door) as (reader, writer):
                some = chance.randbytes(chance.choice([1, 20, 3000]))
                if chance.random() < 0.7:
                    upgrade = UPGRADE.format(host=f"{HERE}:{door.port}").encode()
                    cut = chance.choice([len(upgrade), chance.randrange(len(upgrade))])
                    some = upgrade[:cut] + some
                writer.write(some)
                writer.write_eof()
                with suppress(OSError):
                    async with asyncio.timeout(20):
                        await reader.read()
        await check_door_works(door)


async def test_strangers_take_no_more_than_their_places_and_leave_them(tmp_path: Path) -> None:
    async with open_door(tmp_path, Gate()) as door:

        async def fill() -> None:
            async with idle_links(door.port, WEB_PLACES) as ended:
                await until(lambda: sum(map(asyncio.Task.done, ended)) >= WEB_PLACES // 2)
                await check_door_works(door)

        for _ in range(3):
            await fill()
        await until(lambda: not len(door.door._strangers))


ANY_HEX = st.binary(max_size=4).map(bytes.hex) | st.text("0f\n", max_size=4)
ANY_SHARES = st.binary(min_size=33, max_size=33).map(bytes.hex)
ANY_GREETINGS = st.fixed_dictionaries(
    {"share": ANY_SHARES | ANY_HEX}, optional={"version": st.integers(-1, 3), "seat": ANY_HEX}
).map(json.dumps)


@given(st.text(string.printable) | ANY_GREETINGS)
def test_any_text_is_a_greeting_of_hexadecimal_digits_or_refused(text: str) -> None:
    with suppress(BadMessage):
        greeting = parse(text, Greeting)
        assert json.loads(text)["share"] == greeting.share
        assert bytes.fromhex(greeting.share + greeting.seat).hex() == greeting.share + greeting.seat


@given(st.binary(max_size=16) | st.binary(max_size=8).map(b"l".__add__))
def test_any_frame_is_lines_or_refused(plain: bytes) -> None:
    try:
        assert plain.rstrip(b"\0") == b"l" + parse_frame(plain)
    except BadMessage:
        assert plain[:1] != b"l"
