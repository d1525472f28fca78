"""A handshake over a link: the thin shell around net.security, one function for each side.

The slow steps go to a thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import assert_never

from net.protocol.framing import MAX_CLIENT_FRAME_BYTES, MAX_HOST_FRAME_BYTES, BadFrame, decode
from net.security.client import ClientHandshake, ClientStep, Rejected, Trusted
from net.security.guess_limiter import WrongCodes
from net.security.handshake import (
    HANDSHAKE_CLIENT_KINDS,
    HANDSHAKE_HOST_KINDS,
    Compute,
    HandshakeFromClient,
    HandshakeFromHost,
    HandshakeRefused,
    RejectReason,
    SendMessage,
)
from net.security.server import Accept, HostHandshake, HostStep, Reject
from net.transport.connection import Connection, ConnectionFailed, ConnectionFault
from net.transport.rate_limit import GUEST_QUOTA, HOST_QUOTA


class AuthenticationFailed(Exception):
    """The client has no trusted link to this host. `rejected` tells why."""

    def __init__(self, rejected: Rejected) -> None:
        super().__init__(rejected)
        self.rejected = rejected

    def __str__(self) -> str:
        return self.rejected.why.value


async def accept_peer(
    connection: Connection, handshake: HostHandshake, tell_host: Callable[[WrongCodes], None]
) -> Accept:
    """Do the host's side, and trust the link.

    Raises:
        LinkError: there is no trust. The guest has been told and the link closed.
    """
    left = connection.quota.deadline - connection.clock()
    try:
        async with asyncio.timeout(left):
            return await _accept_peer(connection, handshake, tell_host)
    except TimeoutError:
        connection.abort()
        raise ConnectionFailed(ConnectionFault.OVERDUE) from None


async def _accept_peer(
    connection: Connection, handshake: HostHandshake, tell_host: Callable[[WrongCodes], None]
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
                if step.alarm is not None:
                    tell_host(step.alarm)
                raise ConnectionFailed(ConnectionFault.REFUSED)
            case _:
                assert_never(step)


async def authenticate(connection: Connection, handshake: ClientHandshake) -> Trusted:
    """Do the client's side, and trust the link.

    Raises:
        NotTrusted: the link is closed.
        LinkError: the link was lost, or its certificate is not the one the handshake is for.
    """
    if connection.fingerprint != handshake.fingerprint:
        connection.abort()
        raise ConnectionFailed(ConnectionFault.OTHER_TABLE)
    left = connection.quota.deadline - connection.clock()
    try:
        async with asyncio.timeout(left):
            return await _authenticate(connection, handshake)
    except TimeoutError:
        connection.abort()
        raise ConnectionFailed(ConnectionFault.NO_ANSWER) from None


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
