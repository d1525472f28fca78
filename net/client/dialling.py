"""Getting a trusted link to one table: attempts that overlap, over all addresses it may have.

Knows how to dial and when to give up. Must not know what is said once a link is trusted. Where a
code has to be proven, attempts do so one after the other: a wrong code is one guess, not many.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import count
from typing import Final, TypeAlias

from net.client.ticket import Ticket
from net.discovery.address import Address
from net.discovery.advert import OURS
from net.greeting import NotTrusted, enter
from net.link import Link, LinkError, LinkFault, connect
from net.secure.client import ClientHandshake, Rejection
from net.tasks import cancel_and_wait

PACE: Final = 0.5
"""Seconds from one attempt to the next, in the first minute."""

SLOWER: Final = 5.0
MINUTE: Final = 60.0
ASKING: Final = 6.0
MOST: Final = 8
"""Attempts that may be under way at once."""

Failure: TypeAlias = Rejection | LinkFault
Whereabouts: TypeAlias = Callable[[], tuple[Address, ...]]
"""Where the table may be by what is known now, the likeliest first."""


class Dialled(Exception):
    """There is no trusted link, and trying again would not help. `why` tells what is wrong."""

    def __init__(self, why: Failure) -> None:
        super().__init__(why)
        self.why = why

    def __str__(self) -> str:
        return self.why.value


async def asks_for_code(ticket: Ticket) -> bool:
    """Whether the table asks newcomers for a code. Nothing is guessed.

    Raises:
        Dialled: there is no such table, or it would not have us with a code either.
    """
    ticket = replace(ticket, pin=None, code=None)
    try:
        link = await Dialler(lambda: ticket.addresses, ASKING).dial(ticket)
    except Dialled as error:
        if error.why is Rejection.CODE_NEEDED:
            return True
        raise
    link.abort()
    return False


class Dialler:
    """Dials one table. `patience` is in seconds, None for as long as it takes."""

    def __init__(self, where: Whereabouts, patience: float | None) -> None:
        self._where = where
        self._patience = patience
        self._guessing = asyncio.Lock()
        self._again = 0.0  # when to guess again, by the loop's clock
        self._failed: LinkFault = LinkFault.NO_ANSWER

    async def dial(self, ticket: Ticket) -> Link:
        """Give the first link that is trusted; all other attempts are ended.

        Raises:
            Dialled: the table will not have us, or nothing answered in time.
        """
        loop = asyncio.get_running_loop()
        begun = loop.time()
        attempts: set[asyncio.Task[Link]] = set()
        link: Link | None = None
        try:
            for number in count():
                passed = loop.time() - begun
                asked_for = loop.time() - max(begun, self._again)
                if self._patience is not None and asked_for > self._patience:
                    raise Dialled(self._failed)
                if len(attempts) < MOST and (where := self._where()):
                    address = where[number % len(where)]
                    attempts.add(loop.create_task(self._attempt(ticket, address)))
                pause = PACE if passed < MINUTE else SLOWER
                link = await self._first(attempts, pause)
                if link is not None:
                    return link
        finally:
            await end_attempts(attempts, link)
        raise AssertionError("it counts for ever")

    async def _first(self, attempts: set[asyncio.Task[Link]], pause: float) -> Link | None:
        """Wait so long for a link. Attempts that have failed are taken out."""
        if not attempts:
            await asyncio.sleep(pause)
            return None
        until = asyncio.get_running_loop().time() + pause
        while attempts and (left := until - asyncio.get_running_loop().time()) > 0:
            done, _ = await asyncio.wait(
                attempts, timeout=left, return_when=asyncio.FIRST_COMPLETED
            )
            for attempt in done:
                attempts.discard(attempt)
                try:
                    return attempt.result()
                except LinkError as error:
                    self._failed = error.why
        if not attempts:
            await asyncio.sleep(max(0.0, until - asyncio.get_running_loop().time()))
        return None

    async def _attempt(self, ticket: Ticket, address: Address) -> Link:
        """Open one link and have it trusted.

        Raises:
            LinkError: it did not work, and may later.
            Dialled: it will not work.
        """
        loop = asyncio.get_running_loop()
        if ticket.pin is None:  # without a link meanwhile: no host would wait for us so long
            await asyncio.sleep(self._again - loop.time())
        link = await connect(address.host, address.port, pin=ticket.pin)
        trusted = False
        try:
            if ticket.pin is None:
                async with self._guessing:
                    if loop.time() < self._again:  # as another attempt was just told
                        raise LinkError(LinkFault.REFUSED)
                    await self._join(link, ticket)
            else:
                handshake = ClientHandshake.come_back(ticket.pin, OURS, ticket.key)
                await self._enter(link, handshake)
            trusted = True
            return link
        finally:
            if not trusted:
                link.abort()

    async def _join(self, link: Link, ticket: Ticket) -> None:
        key, code = ticket.key, ticket.code
        await self._enter(link, ClientHandshake.join(link.fingerprint, OURS, key, code))

    async def _enter(self, link: Link, handshake: ClientHandshake) -> None:
        try:
            await enter(link, handshake)
        except NotTrusted as error:
            rejected = error.rejected
            if rejected.why is not Rejection.SLOW_DOWN:
                raise Dialled(rejected.why) from error
            self._again = asyncio.get_running_loop().time() + rejected.wait
            raise LinkError(LinkFault.REFUSED) from error


async def end_attempts(attempts: Iterable[asyncio.Task[object]], best: Link | None = None) -> None:
    """End attempts; a link that one of them just got is nobody's, but for the `best`.

    That one is aborted too if we are cancelled meanwhile, as nobody is given it then.
    """
    attempts = tuple(attempts)
    try:
        await cancel_and_wait(*attempts)
    except asyncio.CancelledError:
        if best is not None:
            best.abort()
        raise
    finally:
        for attempt in attempts:
            got = None if attempt.cancelled() or attempt.exception() else attempt.result()
            if isinstance(got, Link) and got is not best:
                got.abort()
