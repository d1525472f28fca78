"""Codes guessed from many addresses at once, and a friend who knows the code."""

import asyncio
import contextlib
from pathlib import Path

import pytest

from net.client.dialling import Dialler
from net.client.ticket import Ticket
from net.discovery.address import Address
from net.greeting import NotTrusted
from net.link import LinkError
from net.messages import Alarm
from net.secure import guesses
from net.secure.client import Rejection
from net.secure.seatkey import SeatKey
from tests.net.attack.siege import a_game, addresses, join_from
from tests.net.host.guest import CODE, HERE, OTHER_CODE, until

pytestmark = pytest.mark.broad

SWIFT = 0.1
"""Seconds of a guess in these tests."""


@pytest.fixture(autouse=True)
def swift(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guesses, "PACE", SWIFT)
    monkeypatch.setattr(guesses, "GRACE", 4 * SWIFT)
    monkeypatch.setattr(guesses, "HANDICAP", 10 * SWIFT)


async def guess(source: str, port: int, why: list[Rejection]) -> None:
    """Guess wrong without end, and never wait as long as one is told."""
    while True:
        with contextlib.suppress(LinkError, OSError):
            try:
                await join_from(source, port, OTHER_CODE)
            except NotTrusted as refused:
                why.append(refused.rejected.why)
        await asyncio.sleep(0.05)


async def test_a_friend_gets_in_while_many_addresses_guess_as_fast_as_they_may(
    where: Path,
) -> None:
    sources = addresses(6)
    async with a_game(where) as hosted:
        why: list[Rejection] = []
        attack = [asyncio.create_task(guess(one, hosted.port, why)) for one in sources]
        await until(lambda: why.count(Rejection.WRONG_CODE) > 2 * len(sources))
        await hosted.next_move()
        ticket = Ticket(table="", name="Dede", key=SeatKey.new(), code=CODE, pin=None, addresses=())
        async with asyncio.timeout(10):
            link = await Dialler(lambda: (Address(HERE, hosted.port),), None).dial(ticket)
        assert all(not one.done() for one in attack)
        link.abort()
        for one in attack:
            one.cancel()
        await asyncio.gather(*attack, return_exceptions=True)
        assert set(why) == {Rejection.WRONG_CODE, Rejection.SLOW_DOWN}
        ann, ben, cleo = hosted.guests
        assert any(isinstance(one, Alarm) for one in ann.got), "the host is told"
        assert not any(isinstance(one, Alarm) for one in (*ben.got, *cleo.got))
