"""A player's shell: the list of games, kept true while it is open.

Knows the loop's clock, chance for nonces, and how to wait. What the list makes of it all is
decided in games.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import socket
from collections.abc import AsyncIterator, Iterable
from types import TracebackType
from typing import Final, Self

from net.discovery.address import Address, Typed
from net.discovery.advert import Advert
from net.discovery.game import Game
from net.discovery.games import Games
from net.discovery.mdns import Hearing, open_zeroconf
from net.discovery.probe import NONCE_BYTES
from net.discovery.questions import Questions
from net.discovery.udp import Udp, any_port, end
from net.secure.versions import Versions

PAUSE: Final = 0.02
"""Seconds between two rounds of questions at the least."""

GRACE: Final = 0.3
"""Seconds that other tables at a typed host are given once the first has answered."""

_log = logging.getLogger(__name__)


class Browser:
    """The games on this network: `async with Browser(ours) as browser`, then iterate.

    `async for games in browser` gives the list each time it differs from the one before; a
    reader that is slow sees the latest only. `games` is the list now. With `listen=False` mDNS is
    not used, and only what `seek` was given is asked. `trouble` is why mDNS does not work here, if
    it does not.
    """

    def __init__(self, ours: Versions, *, listen: bool = True) -> None:
        self.games: tuple[Game, ...] = ()
        self.trouble: OSError | None = None
        self._listen = listen
        self._state = Games(ours)
        self._questions = Questions(lambda: secrets.token_bytes(NONCE_BYTES))
        self._udp = Udp()
        self._news = asyncio.Event()
        self._shown = asyncio.Condition()
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        await self._udp.open(any_port(), self._hear)
        self._tasks.append(asyncio.create_task(self._ask()))
        if self._listen:
            self._tasks.append(asyncio.create_task(self._listen_in()))
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._udp.close()
        await end(*self._tasks)

    async def __aiter__(self) -> AsyncIterator[tuple[Game, ...]]:
        """Give each list that differs from the one given before, which at first is empty."""
        given: tuple[Game, ...] = ()
        while True:
            async with self._shown:
                await self._shown.wait_for(lambda: self.games != given)  # noqa: B023 - awaited here
            given = self.games
            yield given

    def seek(self, addresses: Iterable[Address]) -> None:
        """Ask at these addresses too."""
        self._state.seek(addresses)
        self._news.set()

    def _hear(self, packet: bytes, _source: Address) -> None:
        now = self._loop.time()
        if heard := self._questions.hear(packet, now):
            self._state.answer(heard, now)
            self._news.set()

    def _hint(self, advert: Advert, addresses: list[Address]) -> None:
        self._state.hint(advert, addresses, self._loop.time())
        self._news.set()

    def _goodbye(self, table: str) -> None:
        self._state.goodbye(table, self._loop.time())
        self._news.set()

    async def _ask(self) -> None:
        while True:
            self._news.clear()
            now = self._loop.time()
            for address in self._state.due(now):
                self._udp.send(self._questions.ask(address, now), address)
            games = self._state.listing(now)
            if games != self.games:
                async with self._shown:
                    self.games = games
                    self._shown.notify_all()
            wait = max(PAUSE, self._state.wake(now) - now)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), wait)

    async def _listen_in(self) -> None:
        try:
            hearing = Hearing(await open_zeroconf(), self._hint, self._goodbye)
        except OSError as error:
            _log.warning("mDNS cannot be used: %s", error)
            self.trouble = error
            return
        try:
            await asyncio.Event().wait()
        finally:
            await hearing.end()


async def resolve(typed: Typed) -> tuple[Address, ...]:
    """Look up the addresses that a typed one stands for, each with each of its ports.

    Raises:
        OSError: nobody knows a host of that name.
    """
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(typed.host, None, type=socket.SOCK_DGRAM)
    except UnicodeError as error:  # too long once it is spelled in ASCII
        raise OSError(str(error)) from error
    hosts = dict.fromkeys(str(place[0]) for *_, place in found)
    return tuple(Address(host, port) for host in hosts for port in typed.ports)


async def seek(addresses: Iterable[Address], ours: Versions, seconds: float) -> tuple[Game, ...]:
    """Ask at addresses for so long, or until the first table has answered and others had time."""
    async with Browser(ours, listen=False) as browser:
        browser.seek(addresses)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                async for _ in browser:
                    await asyncio.sleep(GRACE)
                    break
        return browser.games
