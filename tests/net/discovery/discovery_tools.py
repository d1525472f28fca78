"""What tests of the shells have in common: tables, lists, and an ear on mDNS."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterable
from typing import Self

from zeroconf import ServiceInfo
from zeroconf.asyncio import AsyncZeroconf

from net.discovery.advert import OURS, Advert, AdvertStage, new_id
from net.discovery.games import DiscoveredGame
from net.discovery.joined_mdns import JoinedMdns
from net.discovery.service import Browser
from net.secure.address import Address
from net.tasks import end_tasks
from tests.lan import forge

PATIENCE = 20.0
"""Seconds to wait for anything; how soon things happen is measured in tests/lan."""

RESPONSE = 0x8400
"""The DNS flags of an answer from who knows best."""


def advert(name: str) -> Advert:
    return Advert(new_id(), name, OURS, AdvertStage.LOBBY, 1, 5)


async def until(
    browser: Browser, wanted: tuple[str, ...], players: int = 1
) -> tuple[DiscoveredGame, ...]:
    """Wait for a list of these names, with this many players each."""
    if not wanted and not browser.games:
        return ()
    async with asyncio.timeout(PATIENCE):
        async for games in browser:
            if tuple(game.advert.name for game in games) == wanted and all(
                game.advert.players == players for game in games
            ):
                return games
    raise AssertionError


async def happens(what: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not what():  # noqa: ASYNC110 - there is no event to wait for
            await asyncio.sleep(0.01)


def shout(packets: Iterable[bytes]) -> None:
    """Multicast packets on the loopback interface as they are."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as wire:
        loopback = socket.inet_aton("127.0.0.1")
        wire.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, loopback)
        for each in packets:
            wire.sendto(each, forge.GROUP)


def record(advert: Advert, txt: dict[str, str]) -> ServiceInfo:
    return ServiceInfo(
        forge.SERVICE,
        f"{advert.label}.{forge.SERVICE}",
        port=7341,
        properties=txt,
        server=f"test-{advert.id}.local.",
        parsed_addresses=["127.0.0.1"],
    )


class BrowserRecorder:
    """What somebody hears who listens by mDNS, and a zeroconf beside them that tells."""

    async def __aenter__(self) -> Self:
        self.teller, self._hearer = AsyncZeroconf(["127.0.0.1"]), JoinedMdns(["127.0.0.1"])
        await self.teller.zeroconf.async_wait_for_start()
        await self._hearer.zeroconf.async_wait_for_start()
        self.hints: asyncio.Queue[Advert] = asyncio.Queue()
        self.addresses: list[Address] = []
        self.goodbyes: asyncio.Queue[str] = asyncio.Queue()
        listening = self._hearer.listen(self._hint, self.goodbyes.put_nowait)
        self._listening = asyncio.create_task(listening)
        return self

    def reading(self) -> list[asyncio.Task[object]]:
        """List the tasks that read a table's records."""
        return [
            task
            for task in asyncio.all_tasks()
            if getattr(task.get_coro(), "__name__", "") == "_read"
        ]

    def _hint(self, advert: Advert, addresses: list[Address]) -> None:
        self.hints.put_nowait(advert)
        self.addresses = addresses

    async def __aexit__(self, *_: object) -> None:
        await end_tasks(self._listening)
        await self._hearer.async_close()
        await self.teller.async_close()
