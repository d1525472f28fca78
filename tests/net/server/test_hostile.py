"""What hostile clients and men in the middle do, or who reads slowly, and that nobody notices."""

import asyncio
import contextlib
from pathlib import Path

import msgspec
import pytest

from net.protocol.framing import MAX_CLIENT_FRAME_BYTES, pack
from net.protocol.messages import NOTHING_SEEN, CloseReason, EnterTable, Ping, Pong
from net.protocol.requests import Chat, Close
from net.secure import connection as link_module
from net.secure.connection import connect
from net.secure.handshake import Purpose
from tests.net.cable import cable, note_bytes
from tests.net.secure.test_connection import Middle, listening, receive_value
from tests.net.server.served_table import HERE, Guest, hosting, until

pytestmark = pytest.mark.level("broad")


def frame(body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + body.ljust(256, b"\0")


ENTER_AGAIN = EnterTable("", watch=False, incarnation=0, seen=NOTHING_SEEN)
# What is no message in other ways ends a connection as the host's own message does (`test_wire`).
ATTACKS = {
    "garbage": frame(b"\xff" * 256),
    "no frame": b"GET / HTTP/1.1\r\n\r\n",
    "oversized": (2 * MAX_CLIENT_FRAME_BYTES).to_bytes(4, "big")
    + b"\x01" * 2 * MAX_CLIENT_FRAME_BYTES,
    "a length of four billion": b"\xff\xff\xff\xff",
    "truncated": pack(Ping(0), MAX_CLIENT_FRAME_BYTES)[:100],
    "a message of the host's": pack(Pong(1), MAX_CLIENT_FRAME_BYTES),
    "out of order": pack(ENTER_AGAIN, MAX_CLIENT_FRAME_BYTES),
    "a flood": pack(Ping(0), MAX_CLIENT_FRAME_BYTES) * 200,
}


async def test_whatever_a_trusted_link_sends_ends_that_link_and_nothing_else(
    where: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with hosting(where) as hosted:
        people = await hosted.begin()
        connections = [guest.connection for guest in people]
        for name, attack in ATTACKS.items():
            eve = await Guest("Eve" + name, hosted.port).join()
            assert eve.connection is not None
            eve.connection._transport.write(attack)
            if name == "truncated":
                eve.connection.close()
            await until(lambda eve=eve: eve.connection is None)  # type: ignore[misc] # - mypy infers none
            await eve.leave()
            await until(lambda: len(hosted.host._connections) == 3)
        await hosted.go_on()
        assert [guest.connection for guest in people] == connections
    assert caplog.messages == [], "it is nothing to tell anybody of"


async def test_a_join_that_was_recorded_is_worth_nothing_when_played_again(where: Path) -> None:
    async with hosting(where) as hosted:
        said = bytearray()
        async with cable(hosted.port, up=note_bytes(said)) as line:
            dede = await Guest("Dede", line.port).join()
            await dede.leave()
            await until(lambda: not hosted.host._connections)
        people = await hosted.come("Ann", "Ben")
        before = hosted.state.number
        reader, writer = await asyncio.open_connection(HERE, hosted.port)
        writer.write(said)
        with contextlib.suppress(ConnectionError):
            async with asyncio.timeout(10):
                assert len(await reader.read()) < 2000, "a handshake, and no more"
        writer.close()
        assert hosted.state.number == before
        assert len(hosted.host._connections) == 2
        assert all(guest.connection for guest in people)


async def test_the_words_of_a_join_said_again_on_another_link_are_refused(where: Path) -> None:
    async with hosting(where) as hosted:
        middle = Middle(hosted.port)
        middle.certificate = hosted.table.certificate  # as if its key had been stolen
        async with listening(middle.certificate, middle.greet) as tap:
            dede = await Guest("Dede", tap).join()
            await dede.leave()
        before = hosted.state
        words = [
            msgspec.convert(value, dict[str, object])
            for value in middle.received
            if isinstance(value, dict) and value["is"] in {"hello", "share", "proof"}
        ]
        hello, share, _, proof = words
        assert hello["purpose"] == Purpose.JOIN
        connection = await connect(HERE, hosted.port)
        for word in (hello, share, proof):
            connection.send(word)
        answers = [await receive_value(connection) for _ in range(3)]
        assert answers[2] == {"is": "handshake-refused", "why": "wrong code"}
        assert hosted.state == before


async def talk(people: list[Guest]) -> None:
    """Say so much that it does not fit between the host and who does not read."""
    for number in range(17):  # all that one may say in a breath, but for what a test says
        for guest in people:
            assert await guest.wants(Chat(f"{guest.state.name} says {number}")) is None


async def test_somebody_who_reads_slowly_still_hears_the_last_words_of_a_table(
    where: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link_module, "CLOSE_TIMEOUT_S", 20)  # how long they may take to leave
    async with hosting(where) as hosted:
        people = await hosted.begin()
        said = bytearray()
        async with cable(hosted.port, up=note_bytes(said), narrow=True) as line:
            wim = await Guest("Wim", line.port).join()
            line.freeze(only_down=True)
            await talk(people)
            people[0].say(*people[0].state.request(Close()))
            await until(lambda: all(guest.connection is None for guest in people))
            carried = len(said)
            wim.say(wim.state.ping())  # while the last words wait: there is nobody to hear it
            await until(lambda: len(said) > carried)
            line.thaw()
            await hosted.wait_for_end()
            await until(lambda: wim.connection is None)
            assert [guest.farewell for guest in [wim, *people]] == [CloseReason.CLOSED] * 4
            await wim.leave()
