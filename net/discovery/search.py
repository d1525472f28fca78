"""Searching the network for copies of a table, whose hosts are asked who they are.

The rank in a copy's advert is a hint that its host is worth asking. What counts is the rank that
the host states in the handshake, if we know its certificate from before, or if it has signed, with
the seat key of somebody who has a seat, that the table is there. The room code proves nothing:
watchers know it, too.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from typing import Final

from net.discovery.advert import OURS
from net.discovery.service import Browser
from net.protocol import CopyRank
from net.secure.address import Address
from net.secure.connection import ConnectionFailed, authenticate, connect
from net.secure.handshake import AuthenticationFailed, ClientHandshake, Offer
from net.secure.keys import SeatKey
from net.tasks import cancel_and_wait

LOOK_INTERVAL_S: Final = 0.3  # seconds between checks of what was found
ASK_TIMEOUT_S: Final = 2.0  # seconds that a host has to answer
ASK_AGAIN_S: Final = 3.0  # seconds until a host is asked again

MAX_ASKED: Final = 32
"""Maximum number of hosts that are asked at once, first those that have waited longest. So silent
strangers delay nobody."""


@dataclass(frozen=True, slots=True)
class FoundCopy:
    """A copy of our table at another computer, whose host has proven to be one."""

    address: Address
    pin: bytes
    rank: CopyRank
    host: bytes  # public key of the person there, empty for a former host who signs nothing


async def search(
    table: str,
    is_wanted: Callable[[CopyRank], bool],
    ask: Callable[[Address], Awaitable[FoundCopy]],
) -> AsyncGenerator[FoundCopy | None]:
    """Yield each copy of a table that is wanted and answers to `ask`, and `None` in between.

    All hosts are asked at once, and again after a while. Leave it by `aclosing`.
    """
    loop = asyncio.get_running_loop()
    asked: dict[Address, float] = {}
    asking: set[asyncio.Task[FoundCopy | None]] = set()
    async with Browser(OURS) as browser:
        try:
            while True:
                by_then = loop.time() - ASK_AGAIN_S
                hosts = [at for at, there in browser.find_hosts(table) if is_wanted(there)]
                due = [at for at in hosts if asked.get(at, -inf) <= by_then]
                due.sort(key=lambda at: asked.get(at, -inf))
                for at in due[: MAX_ASKED - len(asking)]:
                    asked[at] = loop.time()
                    asking.add(loop.create_task(_ask_in_time(ask(at))))
                pause = loop.create_task(asyncio.sleep(LOOK_INTERVAL_S))
                await asyncio.wait((pause, *asking), return_when=asyncio.FIRST_COMPLETED)
                pause.cancel()
                answers = [task.result() for task in asking if task.done()]
                asking = {task for task in asking if not task.done()}
                copies = [copy for copy in answers if copy is not None]
                for copy in sorted(copies, key=lambda copy: copy.rank, reverse=True):
                    yield copy
                yield None
        finally:
            await cancel_and_wait(*asking)


async def _ask_in_time(answer: Awaitable[FoundCopy]) -> FoundCopy | None:
    # Anybody can answer in the table's name: a bad host must not end the search.
    with suppress(ConnectionFailed, AuthenticationFailed, TimeoutError):
        async with asyncio.timeout(ASK_TIMEOUT_S):
            return await answer
    return None


async def ask_host(  # noqa: PLR0913 - all that decides whether a host is trusted
    address: Address,
    table: str,
    pin: bytes | None,
    *,
    seats: tuple[bytes, ...],
    former: tuple[bytes, ...] = (),
    key: SeatKey | None = None,
) -> FoundCopy:
    """Ask for a copy of a table at an address; our own copy, of certificate `pin`, does not count.

    Its host is believed if one of the keys of the `seats` has signed that it is there, or if its
    certificate is a `former` one. Only then does it learn our `key`, if that is given.

    Raises ConnectionFailed, AuthenticationFailed: it is not believed, or does not know us.
    """
    connection = await connect(address.host, address.port)
    shown, copies = connection.fingerprint, list[FoundCopy]()

    def trusts(offer: Offer) -> bool:
        claim = offer.host
        is_known = claim is not None and claim.key in seats and claim.is_signed(table, shown)
        # Our own table answers at other addresses, too.
        if shown != pin and (is_known or shown in former):
            host = claim.key if claim is not None and is_known else b""
            copies.append(FoundCopy(address, shown, offer.rank, host))
        return bool(copies) and key is not None

    try:
        await authenticate(
            connection, ClientHandshake.follow(shown, OURS, key or SeatKey.new(), trusts)
        )
    except AuthenticationFailed:
        # A table without a player has no key, and hangs up once the host is believed.
        if key is not None or not copies:
            raise
    finally:
        connection.abort()
    return copies[0]
