"""A host's shell: its table told of by mDNS and answered for by UDP, until it leaves.

Knows when to say what. Must not know rooms: whoever runs the table passes in what has changed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from dataclasses import replace
from socket import socket
from types import TracebackType
from typing import Final, Self

from net.discovery.address import Address
from net.discovery.advert import Advert, Stage
from net.discovery.doorman import Doorman
from net.discovery.mdns import Telling, open_zeroconf
from net.discovery.udp import Udp, end

TOGETHER: Final = 0.1
"""Seconds in which changes are told of together by mDNS. Who asks hears of each at once."""

_log = logging.getLogger(__name__)


class Announcer:
    """Tells of a table while it is open: `async with Announcer(advert, port, claim.udp) as told`.

    `trouble` is why mDNS does not work here, if it does not: the table can still be reached by a
    typed address, and the host should be told. Nothing else raises.
    """

    def __init__(self, advert: Advert, port: int, sockets: Iterable[socket]) -> None:
        self.advert = advert
        self.trouble: OSError | None = None
        self._port = port
        self._doorman = Doorman()
        self._sockets = tuple(sockets)
        self._udp = Udp()
        self._changed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        await self._udp.open(self._sockets, self._answer)
        self._tasks.append(asyncio.create_task(self._tell()))
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # First no more answers, then goodbye: an answer after it would undo it.
        self._udp.close()
        await end(*self._tasks)

    def update(self, *, stage: Stage, players: int, seats: int) -> None:
        """Tell what has changed: to who asks at once, and by mDNS as soon as may be."""
        advert = replace(self.advert, stage=stage, players=players, seats=seats)
        if advert != self.advert:
            self.advert = advert
            self._changed.set()

    def _answer(self, packet: bytes, source: Address) -> bytes | None:
        now = asyncio.get_running_loop().time()
        return self._doorman.answer(packet, source.host, now, self.advert)

    async def _tell(self) -> None:
        try:
            telling = Telling(await open_zeroconf(), self._port)
        except OSError as error:
            _log.warning("mDNS cannot be used: %s", error)
            self.trouble = error
            return
        try:
            await telling.begin(self.advert)
            while await self._changed.wait():
                self._changed.clear()
                await telling.tell(self.advert)
                await asyncio.sleep(TOGETHER)
        finally:
            await telling.end()
