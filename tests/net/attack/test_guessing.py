"""Codes guessed from many addresses at once, and a friend who knows the code."""

import asyncio
import contextlib
from pathlib import Path

import pytest

from net.client.credentials import Credentials
from net.client.dialer import Dialer
from net.protocol.messages import GuessAlarm
from net.secure import limits
from net.secure.address import Address
from net.secure.client import Rejection
from net.secure.connection import AuthenticationFailed, ConnectionFailed
from net.secure.keys import SeatKey
from net.secure.limits import Limit
from tests.net.attack.connection_attack import a_game, addresses, join_from
from tests.net.server.served_table import CODE, HERE, OTHER_CODE, until

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
                why.append(refused.rejected.why)
        await asyncio.sleep(0.05)


@pytest.mark.level("thorough")  # `secure/test_guess_limiter` has it
async def test_a_friend_gets_in_while_many_addresses_guess_as_fast_as_they_may(
    where: Path,
) -> None:
    sources = addresses(6)
    async with a_game(where) as hosted:
        why: list[Rejection] = []
        attack = [asyncio.create_task(guess(one, hosted.port, why)) for one in sources]
        await until(lambda: why.count(Rejection.WRONG_CODE) > 2 * len(sources))
        await hosted.next_move()
        credentials = Credentials(
            table="", name="Dede", key=SeatKey.new(), code=CODE, pin=None, addresses=()
        )
        async with asyncio.timeout(10):
            connection = await Dialer(lambda: (Address(HERE, hosted.port),), None).dial(credentials)
        await until(lambda: Rejection.SLOW_DOWN in why)
        assert all(not one.done() for one in attack)
        connection.abort()
        for one in attack:
            one.cancel()
        await asyncio.gather(*attack, return_exceptions=True)
        assert set(why) == {Rejection.WRONG_CODE, Rejection.SLOW_DOWN}
        ann, ben, cleo = hosted.guests
        assert any(isinstance(one, GuessAlarm) for one in ann.got), "the host is told"
        assert not any(isinstance(one, GuessAlarm) for one in (*ben.got, *cleo.got))
