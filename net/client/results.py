"""Asking a table for the results of its evening, without joining it.

The program that answers at an address is a stranger: its results are accepted if they are signed by
the certificate that it shows, and are those of the table that was asked.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable
from hashlib import sha256
from typing import Final

from net.discovery.address import Address
from net.discovery.advert import OURS
from net.protocol.framing import MAX_HOST_FRAME_BYTES, MAX_UNTRUSTED_FRAME_BYTES, BadFrame, decode
from net.security.handshake import (
    HandshakeRefused,
    Hello,
    OtherVersion,
    Purpose,
    SignedResults,
    SlowDown,
)
from net.security.results import BadResults, ResultsFault, read_results
from net.transport.connection import Connection, ConnectionFailed, ConnectionFault, connect
from net.transport.limits import HOST_QUOTA

ASK_TIMEOUT_S: Final = 6.0
"""Seconds to connect to a table and to be told its results."""

ANSWERS: Final = (SignedResults, HandshakeRefused, OtherVersion, SlowDown)
"""Kinds of messages by which a table answers."""


async def ask_results(addresses: Iterable[Address], table: str) -> SignedResults | None:
    """Return the results of the table with this id, `None` if it tells none.

    The first address at which somebody answers counts.

    Raises:
        ConnectionFailed: nobody answers.
        BadResults: they are forged, damaged, or of another table.
    """
    failed = ConnectionFailed(ConnectionFault.UNREACHABLE)
    for address in addresses:
        try:
            async with asyncio.timeout(ASK_TIMEOUT_S):
                return await _ask(address, table)
        except ConnectionFailed as error:
            failed = error
        except TimeoutError:
            failed = ConnectionFailed(ConnectionFault.NO_ANSWER)
    raise failed


async def _ask(address: Address, table: str) -> SignedResults | None:
    connection = await connect(address.host, address.port)
    try:
        hello = Hello(OURS.low, OURS.high, Purpose.RESULTS, secrets.token_bytes(32))
        connection.send(hello)
        return await _answer(connection, table)
    finally:
        connection.abort()


async def _answer(connection: Connection, table: str) -> SignedResults | None:
    connection.trust(
        receive=MAX_HOST_FRAME_BYTES, send=MAX_UNTRUSTED_FRAME_BYTES, allowance=HOST_QUOTA
    )
    try:
        answer = decode(await connection.recv(), *ANSWERS)
    except BadFrame as bad:
        raise ConnectionFailed(ConnectionFault.BAD_FRAME) from bad
    if not isinstance(answer, SignedResults):
        return None
    if sha256(answer.certificate).digest() != connection.fingerprint:
        raise BadResults(ResultsFault.FORGED)
    if read_results(answer).table != table:
        raise BadResults(ResultsFault.OTHER_TABLE)
    return answer
