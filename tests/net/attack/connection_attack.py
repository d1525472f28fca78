"""What the attacks share: a game that must not notice them, and connections from many addresses."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from net.discovery.advert import OURS
from net.protocol.lobby import Settings
from net.protocol.messages import Closing
from net.secure.code import RoomCode
from net.secure.connection import Connection, StreamProtocol, authenticate
from net.secure.handshake import ClientHandshake
from net.secure.keys import SeatKey, client_context, fingerprint_of
from tests.net.server.served_table import CODE, HERE, SMALL, Hosted, hosting

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@asynccontextmanager
async def a_game(where: Path, settings: Settings = SMALL, but: str = "") -> AsyncIterator[Hosted]:
    """Ann, Ben and Cleo in their game, who play on in the attack and do not feel it.

    One of them may be the attacker.
    """
    async with hosting(where, settings) as hosted:
        everybody = await hosted.begin()
        people = [guest for guest in everybody if guest.state.name != but]
        connections = [guest.connection for guest in people]
        yield hosted
        await hosted.go_on()
        assert [guest.connection for guest in people] == connections
        assert not any(isinstance(message, Closing) for guest in people for message in guest.got)


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
