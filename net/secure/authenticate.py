"""Runs the handshake of `net.secure` on a connection: one function for each side.

The slow steps run in a thread, so that the event loop goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import assert_never

from net.protocol.framing import (
    MAX_CLIENT_FRAME_BYTES,
    MAX_HOST_FRAME_BYTES,
    BadFrame,
    decode,
)
from net.secure.client import ClientHandshake, ClientStep, Rejected, Trusted
from net.secure.connection import Connection, ConnectionFailed, ConnectionFault
from net.secure.handshake import (
    HANDSHAKE_CLIENT_KINDS,
    HANDSHAKE_HOST_KINDS,
    Compute,
    HandshakeFromClient,
    HandshakeFromHost,
    HandshakeRefused,
    RejectReason,
    SendMessage,
)
from net.secure.limits import GUEST_QUOTA, HOST_QUOTA
from net.secure.server import Accept, HostHandshake, HostStep, Reject


class AuthenticationFailed(Exception):
    """Raised for a client that gets no trusted connection. `rejected` has the reason."""

    def __init__(self, rejected: Rejected) -> None:
        super().__init__(rejected)
        self.rejected = rejected

    def __str__(self) -> str:
        return self.rejected.why.value


@asynccontextmanager
async def _in_time(connection: Connection, late: ConnectionFault) -> AsyncIterator[None]:
    """Abort the connection at its deadline, and raise ConnectionFailed with the fault `late`."""
    try:
        async with asyncio.timeout(connection.quota.deadline - connection.clock()):
            yield
    except TimeoutError:
        connection.abort()
        raise ConnectionFailed(late) from None


async def accept_peer(
    connection: Connection, handshake: HostHandshake, tell_host: Callable[[int], None]
) -> Accept:
    """Run the host's side of a handshake; return once the connection is trusted.

    Args:
        connection: a connection that is not trusted yet.
        handshake: the host's side of its handshake.
        tell_host: called with the number of wrong codes when many were tried.

    Raises ConnectionFailed: there is no trust. A client that was refused has been sent the reason,
    and the connection is closed or aborted.
    """
    async with _in_time(connection, ConnectionFault.OVERDUE):
        return await _accept_peer(connection, handshake, tell_host)


async def _accept_peer(
    connection: Connection, handshake: HostHandshake, tell_host: Callable[[int], None]
) -> Accept:
    while True:
        value = await connection.recv()
        step: HostStep
        try:
            message: HandshakeFromClient = decode(value, *HANDSHAKE_CLIENT_KINDS)
            step = handshake.receive(message, connection.clock())
        except BadFrame:
            step = Reject(HandshakeRefused(RejectReason.NOT_UNDERSTOOD))
        if isinstance(step, Compute):
            step = await asyncio.to_thread(step.run)
        match step:
            case SendMessage():
                connection.send(step.message)
            case Accept():
                connection.send(step.message)
                connection.trust(
                    receive=MAX_CLIENT_FRAME_BYTES, send=MAX_HOST_FRAME_BYTES, allowance=GUEST_QUOTA
                )
                return step
            case Reject():
                connection.send(step.message)
                connection.close()
                if step.wrong_codes:
                    tell_host(step.wrong_codes)
                raise ConnectionFailed(ConnectionFault.REFUSED)
            case _:
                assert_never(step)


async def authenticate(connection: Connection, handshake: ClientHandshake) -> Trusted:
    """Run the client's side of a handshake; return once the connection is trusted.

    Raises:
        AuthenticationFailed: one side refused the other; the connection is closed.
        ConnectionFailed: the connection was lost, took too long, broke the protocol, or shows
            another certificate than the one that the handshake is for.
    """
    if connection.fingerprint != handshake.fingerprint:
        connection.abort()
        raise ConnectionFailed(ConnectionFault.OTHER_TABLE)
    async with _in_time(connection, ConnectionFault.NO_ANSWER):
        return await _authenticate(connection, handshake)


async def _authenticate(connection: Connection, handshake: ClientHandshake) -> Trusted:
    step: ClientStep = handshake.start()
    while True:
        if isinstance(step, Compute):
            step = await asyncio.to_thread(step.run)
        match step:
            case SendMessage():
                connection.send(step.message)
            case Trusted():
                connection.trust(
                    receive=MAX_HOST_FRAME_BYTES, send=MAX_CLIENT_FRAME_BYTES, allowance=HOST_QUOTA
                )
                return step
            case Rejected():
                connection.close()
                raise AuthenticationFailed(step)
            case _:
                assert_never(step)
        try:
            message: HandshakeFromHost = decode(await connection.recv(), *HANDSHAKE_HOST_KINDS)
        except BadFrame as bad:
            connection.abort()
            raise ConnectionFailed(ConnectionFault.BAD_FRAME) from bad
        step = handshake.receive(message)
