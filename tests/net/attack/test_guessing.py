"""Codes guessed from many addresses at once, and a friend who knows the code."""

import asyncio
import contextlib

import pytest

from net.secure import limits
from net.secure.connection import ConnectionFailed
from net.secure.handshake import AuthenticationFailed, Rejection
from net.secure.limits import Limit
from tests.net.attack.connection_attack import join_from
from tests.net.server.served_table import OTHER_CODE

pytestmark = pytest.mark.level("broad")

SWIFT = 0.1
"""Seconds of a guess in these tests."""


@pytest.fixture(autouse=True)
def swift(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("ADDRESS_LATER_TRIES", "LATER_TRIES"):
        monkeypatch.setattr(limits, limit, Limit(1 / SWIFT, 3))


async def guess(source: str, port: int, why: list[Rejection]) -> None:
    """Guess wrong without end, and never wait as long as one is told."""
    while True:
        with contextlib.suppress(ConnectionFailed, OSError):
            try:
                await join_from(source, port, OTHER_CODE)
            except AuthenticationFailed as refused:
                why.append(refused.why)
        await asyncio.sleep(0.05)
