"""A flood of requests of every kind at an SSH door, as fast as the link takes them.

`python -m tests.sabtui.doors.ssh_flood PORT SECONDS` prints how many bytes went out, on how many
connections. Each `STAGE` is flooded at once: before the login, after it, and with a screen, by
clients that read the answers or do not, one kind of packet after the other. A client that is cut
off comes again with the next kind.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import count, cycle
from typing import Final

import asyncssh
from asyncssh.constants import (
    MSG_CHANNEL_DATA,
    MSG_CHANNEL_OPEN,
    MSG_CHANNEL_REQUEST,
    MSG_CHANNEL_WINDOW_ADJUST,
    MSG_DEBUG,
    MSG_GLOBAL_REQUEST,
    MSG_IGNORE,
    MSG_USERAUTH_REQUEST,
)
from asyncssh.packet import Boolean, String, UInt32

from tests.sabtui.doors.ssh_table import connect

MSG_USERAUTH_INFO_RESPONSE = 61

CODE = "lantern tiger"

TURN_S: Final = 1.0
"""Seconds that a client sends one kind, if it is not cut off before."""

BURST: Final = 64
"""Packets between two looks at how much waits in the client."""

MOST_WAITING_BYTES: Final = 1 << 20

MUCH: Final = bytes(200_000)
SIZE: Final = UInt32(80) + UInt32(24) + UInt32(0) + UInt32(0)

_numbers: Final = count()

TRUE, FALSE = (Boolean(value) for value in (True, False))

Packet = tuple[int, bytes]


def ask(name: str, rest: bytes = b"", *, reply: bool = True) -> Packet:
    """A request on the first channel."""
    return MSG_CHANNEL_REQUEST, UInt32(0) + String(name) + Boolean(reply) + rest


def ask_globally(name: str, rest: bytes = b"") -> Packet:
    return MSG_GLOBAL_REQUEST, String(name) + TRUE + rest


def variable(value: bytes) -> Packet:
    return ask("env", String(f"V{next(_numbers)}") + String(value), reply=False)


def log_in_by(method: str, rest: bytes = b"") -> Packet:
    name = String(f"mal{next(_numbers)}")
    return MSG_USERAUTH_REQUEST, name + String("ssh-connection") + String(method) + rest


SESSION: Final = (
    MSG_CHANNEL_OPEN,
    String("session") + UInt32(0) + UInt32(1 << 31) + UInt32(1 << 15),
)
PTY: Final = ask("pty-req", String("xterm") + SIZE + String(b"\0"))

ANYWHERE: Final[Sequence[Callable[[], Packet]]] = [
    lambda: (MSG_IGNORE, String(MUCH)),
    lambda: (MSG_DEBUG, TRUE + String(MUCH[:8000]) + String("")),
    lambda: (99, UInt32(7) + b"nobody knows this type"),
]

INSIDE: Final[Sequence[Callable[[], Packet]]] = [
    lambda: variable(MUCH),
    lambda: variable(b"x"),
    lambda: PTY,
    lambda: ask("pty-req", String(b"x" * 8000) + SIZE + String(MUCH)),
    lambda: ask("window-change", SIZE),
    lambda: ask("shell"),
    lambda: ask("exec", String(b"x" * 30_000)),
    lambda: ask("subsystem", String(b"x" * 30_000)),
    lambda: ask("x11-req", FALSE + String("MIT") + String("ab" * 8000) + UInt32(0)),
    lambda: ask("x11-req", FALSE + String("M") + String("ab") + UInt32(0)),
    lambda: ask("auth-agent-req@openssh.com"),
    lambda: ask("signal", String("INT")),
    lambda: ask("break", UInt32(10)),
    lambda: ask("keepalive@openssh.com"),
    lambda: ask("y" * 8000),
    lambda: ask_globally("tcpip-forward", String("") + UInt32(0)),
    lambda: ask_globally("streamlocal-forward@openssh.com", String("x" * 8000)),
    lambda: ask_globally("keepalive@openssh.com"),
    lambda: ask_globally("z" * 8000),
    lambda: (MSG_CHANNEL_OPEN, String("session") + UInt32(9) + UInt32(1 << 30) + UInt32(1 << 15)),
    lambda: (MSG_CHANNEL_OPEN, String("direct-tcpip") + UInt32(9) + UInt32(1) + UInt32(1)),
    lambda: (MSG_CHANNEL_WINDOW_ADJUST, UInt32(0) + UInt32(1)),
    lambda: (MSG_CHANNEL_DATA, UInt32(0) + String(b"x")),
    lambda: (MSG_CHANNEL_DATA, UInt32(0) + String(b"\x1b[200~" + MUCH[:30_000])),
    lambda: log_in_by("none"),
    *ANYWHERE,
]

BEFORE_LOGIN: Final[Sequence[Callable[[], Packet]]] = [
    lambda: (MSG_USERAUTH_INFO_RESPONSE, UInt32(1) + String("tiger lantern")),
    lambda: (MSG_USERAUTH_INFO_RESPONSE, UInt32(1) + String(MUCH)),
    lambda: log_in_by("password", FALSE + String("tiger lantern")),
    lambda: log_in_by("keyboard-interactive", String("") + String("")),
    lambda: log_in_by("none"),
    lambda: log_in_by("publickey", FALSE + String("ssh-ed25519") + String(MUCH)),
    *ANYWHERE,
]


class Sink(asyncio.Protocol):
    """Protocol that throws the door's answers away."""


class Waiting(asyncssh.SSHClient):
    """A client that is asked for the code, and types none."""

    def __init__(self, asked: asyncio.Future[asyncssh.SSHClientConnection]) -> None:
        self._asked = asked

    def connection_made(self, conn: asyncssh.SSHClientConnection) -> None:
        self._connection = conn

    def kbdint_auth_requested(self) -> str:
        return ""

    async def kbdint_challenge_received(self, *_asked: object) -> list[str]:
        self._asked.set_result(self._connection)
        await asyncio.Event().wait()
        return []


class Flood:
    """Bytes that were sent, and connections."""

    def __init__(self, port: int, seconds: float) -> None:
        self._port = port
        self._until = time.monotonic() + seconds
        self.sent = self.links = 0

    async def run(self) -> None:
        """Flood each stage until the time is over."""
        await asyncio.gather(
            self._flood("mal0", BEFORE_LOGIN),
            self._flood("mal1", INSIDE),
            self._flood("mal2", INSIDE, reads=False),
            self._flood("mal3", INSIDE, has_screen=True),
            self._flood("mal4", INSIDE, reads=False, has_screen=True),
            self._flood("mal5", INSIDE, has_screen=True, rekeys=True),
        )

    async def _flood(
        self,
        name: str,
        kinds: Sequence[Callable[[], Packet]],
        *,
        reads: bool = True,
        has_screen: bool = False,
        rekeys: bool = False,
    ) -> None:
        for kind in cycle(kinds):
            if time.monotonic() > self._until:
                return
            with suppress(OSError, asyncssh.Error, TimeoutError):
                async with asyncio.timeout(max(self._until - time.monotonic(), 0)):
                    connection = await self._come(name, logs_in=kinds is INSIDE)
                self.links += 1
                transport = connection._transport
                assert isinstance(transport, asyncio.Transport)
                transport.set_protocol(Sink())
                if kinds is INSIDE:
                    connection.send_packet(*SESSION)
                if has_screen:
                    connection.send_packet(*PTY)
                    connection.send_packet(*ask("shell"))
                    await asyncio.sleep(0.2)
                connection._auth_complete = True  # so that all is sent that is to be sent
                if not reads:
                    transport.pause_reading()
                if rekeys:
                    connection._send_kexinit()
                    connection._kex_complete = True  # or its requests would wait for the end
                await self._pour(connection, transport, kind)
                transport.abort()

    async def _come(self, name: str, *, logs_in: bool) -> asyncssh.SSHClientConnection:
        """Log in, or go as far as to be asked for the code."""
        asked = asyncio.get_running_loop().create_future()
        how: dict[str, object] = {"preferred_auth": "password"}
        if not logs_in:
            how = {
                "preferred_auth": "keyboard-interactive",
                "client_factory": partial(Waiting, asked),
            }

        async def log_in() -> asyncssh.SSHClientConnection:
            connection = connect(self._port, name, CODE if logs_in else None, **how)
            return await connection.__aenter__()  # it stays open

        coming = asyncio.create_task(log_in())
        await asyncio.wait([coming, asked], return_when=asyncio.FIRST_COMPLETED)
        return asked.result() if asked.done() else await coming

    async def _pour(
        self,
        connection: asyncssh.SSHClientConnection,
        transport: asyncio.Transport,
        kind: Callable[[], Packet],
    ) -> None:
        """Send one kind of packet until it is cut off, or its turn is over."""
        over = min(time.monotonic() + TURN_S, self._until)
        poured = 0
        while time.monotonic() < over and not transport.is_closing():
            if transport.get_write_buffer_size() < MOST_WAITING_BYTES:
                for number, payload in [kind() for _ in range(BURST)]:
                    connection.send_packet(number, payload)
                    poured += len(payload)
            await asyncio.sleep(0)
        self.sent += max(poured - transport.get_write_buffer_size(), 0)


async def main() -> None:
    """Flood the door, and print what went out."""
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)  # it tells of each link that is cut
    flood = Flood(int(sys.argv[1]), float(sys.argv[2]))
    await flood.run()
    print(flood.sent, flood.links)  # noqa: T201 - for who has started it


if __name__ == "__main__":
    asyncio.run(main())
