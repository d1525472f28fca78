"""All attacks at once, in a process of their own: `python -m tests.net.attack.flood PORT SECONDS`.

It reads the seat key of a player, the certificate's fingerprint and, at a club's door, the table's
id: one of the attackers has a seat. They attack at the pace of bored guests with a script each, not
of this machine.
"""

from __future__ import annotations

import asyncio
import ssl
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from itertools import count, cycle
from random import Random
from typing import Final

from engine import KeepGold
from net.protocol.framing import MAX_CLIENT_FRAME_BYTES, BadFrame, pack
from net.protocol.game_wire import write_move
from net.protocol.hall import OpenTable, Visit
from net.protocol.lobby import Settings
from net.protocol.messages import (
    NOTHING_SEEN,
    ClientCommand,
    ClientMessage,
    EnterTable,
    Ping,
    Resync,
)
from net.protocol.requests import Chat, MakeMove, TableRequest
from net.secure.connection import ConnectionFailed
from net.secure.handshake import AuthenticationFailed
from net.secure.keys import SeatKey, client_context
from tests.net.attack.messages import malformed_messages, well_formed
from tests.net.attack.test_floods import allow_files, connect_from, join_from, plain
from tests.net.server.served_table import HERE, OTHER_CODE, Guest
from tests.sabtui.club.server.served_club import Sitter

SOURCES: Final = [f"127.0.0.{number}" for number in range(2, 52)]
IDLE: Final = 1000
HTTP: Final = b"GET / HTTP/1.1\r\nHost: table\r\n\r\n"
NASTY: Final = "\x1b[2J\x1b]0;owned\x07\u202e[bold red]E\u0301\u0301\u0301\n"

TROUBLE: Final = (OSError, ConnectionFailed, AuthenticationFailed, BadFrame, TimeoutError, EOFError)


class Storm:
    """Everybody who attacks one table, or a club by its hall and the seat at one `table`."""

    def __init__(self, port: int, key: SeatKey, pin: bytes, table: str = "") -> None:
        self.port = port
        self.table = table
        self.key = key
        self.pin = pin
        self.done: dict[str, int] = {}
        self._chance = Random(7341)
        self._malformed = malformed_messages(1)
        self._requests = [
            message.request for message in well_formed(1) if isinstance(message, ClientCommand)
        ]

    async def blow(self, seconds: float) -> None:
        attackers = [
            self.idle(),
            *(self.again(self.drip, 0.5) for _ in range(5)),
            *(self.again(self.begin_tls, 0.005) for _ in range(8)),
            self.again(self.scan, 0.1),
            self.again(self.other_tls, 0.2),
            self.again(self.guess, 0.1),
            self.again(self.lurk, 1.0),
            self.again(self.crowd_hall if self.table else self.watch, 1.0),
            self.again(self.deaf, 1.0),
            self.again(self.babble, 0.5),
            self.again(self.play_and_flood, 0.5),
        ]
        tasks = [asyncio.create_task(attack) for attack in attackers]
        await asyncio.sleep(seconds)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def again(self, attack: Callable[[str], Awaitable[None]], pause: float) -> None:
        for source in cycle(SOURCES):
            with suppress(*TROUBLE):
                await attack(source)
            name = attack.__name__
            self.done[name] = self.done.get(name, 0) + 1
            await asyncio.sleep(pause)

    # Strangers.

    async def idle(self) -> None:
        held: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
        try:
            for number in count():
                if len(held) >= IDLE:
                    _, writer = held.pop(0)
                    writer.transport.abort()
                    await asyncio.sleep(0.02)
                with suppress(OSError):
                    held.append(await plain(self.port, SOURCES[number % len(SOURCES)]))
                self.done["idle"] = number
                await asyncio.sleep(0.002)
        finally:
            for _, writer in held:
                writer.transport.abort()

    async def drip(self, source: str) -> None:
        connection = await connect_from(source, self.port)
        for byte in pack({"is": "hello"}, MAX_CLIENT_FRAME_BYTES):
            connection._transport.write(bytes([byte]))
            await asyncio.sleep(0.1)

    async def begin_tls(self, source: str) -> None:
        connection = await connect_from(source, self.port)
        connection.abort()

    async def scan(self, source: str) -> None:
        _, writer = await plain(self.port, source)
        writer.write(self._chance.choice((HTTP, b"SSH-2.0-x\r\n", self._chance.randbytes(5000))))
        await asyncio.sleep(0.05)
        writer.transport.abort()

    async def other_tls(self, source: str) -> None:
        context = client_context()
        if self._chance.random() < 0.5:
            context.maximum_version = context.minimum_version = ssl.TLSVersion.TLSv1_2
        else:
            context.set_alpn_protocols(["h2"])
        _, writer = await asyncio.open_connection(
            HERE, self.port, ssl=context, server_hostname="", local_addr=(source, 0)
        )
        writer.transport.abort()

    async def guess(self, source: str) -> None:
        connection = await join_from(source, self.port, OTHER_CODE)
        connection.abort()

    # Those who know the code.

    async def lurk(self, source: str) -> None:
        connection = await join_from(source, self.port)
        with suppress(ConnectionFailed):
            for _ in range(10):
                connection.send(Ping(0))
                await asyncio.sleep(0.2)
        connection.abort()

    async def watch(self, source: str) -> None:
        """Enter under a nasty name, say nasty things as fast as may be, then faster."""
        await self._crowd(source, [Chat(NASTY)] * 19, Resync())

    async def crowd_hall(self, source: str) -> None:
        """Enter a club's hall under a nasty name, talk and open tables as fast as may be."""
        await self._crowd(source, [Chat(NASTY), OpenTable(NASTY, Settings())] * 20, Visit("0" * 16))

    async def _crowd(
        self, source: str, requests: Sequence[TableRequest], last: ClientMessage | Visit
    ) -> None:
        """Enter, ask all this at once, and say a last thing much too often."""
        connection = await join_from(source, self.port)
        name = f"{NASTY}{self._chance.random()}"
        connection.send(EnterTable(name, watch=True, incarnation=0, seen=NOTHING_SEEN))
        for number, request in enumerate(requests, 1):
            connection.send(ClientCommand(number, request))
        await asyncio.sleep(1)
        connection._transport.write(pack(last, MAX_CLIENT_FRAME_BYTES) * 200)
        await asyncio.sleep(0.5)
        connection.abort()

    async def deaf(self, source: str) -> None:
        connection = await join_from(source, self.port)
        name = f"Deaf {self._chance.random()}"
        connection.send(EnterTable(name, watch=True, incarnation=0, seen=NOTHING_SEEN))
        connection._transport.pause_reading()
        for number in range(100):
            connection.send(Ping(number))
            await asyncio.sleep(0.1)
        connection.abort()

    async def babble(self, source: str) -> None:
        connection = await join_from(source, self.port)
        connection.send(self._chance.choice(self._malformed))
        await asyncio.sleep(0.1)
        connection.abort()

    async def play_and_flood(self, _source: str) -> None:
        eve = Guest("Eve", self.port, self.key)
        if self.table:
            eve = Sitter("Eve", self.port, self.key, self.table, self.pin)
        eve.pin, eve.plays = self.pin, True
        await eve.come_back()
        with suppress(TimeoutError):
            async with asyncio.timeout(3):
                while eve.connection is not None:
                    eve.say(*eve.state.request(self._chance.choice(self._requests)))
                    await asyncio.sleep(0.12)
        if eve.connection is not None:
            far = MakeMove(0, write_move(KeepGold(1)))
            eve.connection._transport.write(
                pack(ClientCommand(2**31 - 1, far), MAX_CLIENT_FRAME_BYTES) * 500
            )
            await asyncio.sleep(0.2)
        await eve.leave()


async def main(port: str, seconds: str) -> None:
    allow_files(2 * IDLE)
    said = sys.stdin.buffer.read(80)
    storm = Storm(int(port), SeatKey(said[:32]), said[32:64], said[64:].decode())
    await storm.blow(float(seconds))
    print(storm.done, flush=True)  # noqa: T201 - for whoever started us


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
