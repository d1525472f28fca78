"""A host's side of discovery: announces its table by mDNS and answers probes until it is closed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from socket import socket
from typing import Final, Self

from net.discovery.advert import Advert, ProbeResponder
from net.discovery.mdns import ServiceAdvertiser, open_zeroconf
from net.discovery.networks import NetworkMonitor, UdpSockets
from net.secure.address import Address
from net.tasks import end_tasks, finish, wait_for_event

COALESCE_S: Final = 0.1
"""Seconds between two mDNS updates; changes in between go out together. Probes see each at once."""

ANNOUNCER_NETWORK_CHECK_S: Final = 1.5  # seconds between two checks of this machine's networks
MDNS_RETRY_CHECKS: Final = 10  # number of network checks after which a failed mDNS is tried again
_log = logging.getLogger(__name__)


class Announcer:
    """Announces a table while it is open.

    Use it as `async with Announcer(advert, port, claim.udp) as announcer`. When this machine's
    addresses change, the new ones are announced. `trouble` is the error that keeps mDNS from
    working now, or `None`: the table can still be found by broadcast questions, or reached by a
    typed address. `on_trouble` is called with the error when it begins, and with `None` when it has
    passed. This error is never raised.
    """

    def __init__(
        self,
        advert: Advert,
        port: int,
        sockets: Iterable[socket],
        on_trouble: Callable[[OSError | None], None] = lambda _: None,
    ) -> None:
        self.advert = advert
        self.trouble: OSError | None = None
        self._on_trouble = on_trouble
        self._port = port
        self._responder = ProbeResponder()
        self._sockets = tuple(sockets)
        self._udp = UdpSockets()
        self._changed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        await self._udp.open(self._sockets, self._answer)
        self._tasks.append(asyncio.create_task(self._advertise()))
        return self

    async def __aexit__(self, *_: object) -> None:
        self._udp.close()
        await end_tasks(*self._tasks)

    def update(self, advert: Advert) -> None:
        """Announce a change: to probes at once, by mDNS as soon as possible."""
        if advert != self.advert:
            self.advert = advert
            self._changed.set()

    def _answer(self, packet: bytes, source: Address) -> bytes | None:
        now = asyncio.get_running_loop().time()
        return self._responder.answer(packet, source, now, self.advert)

    async def _advertise(self) -> None:
        """Announce by mDNS, starting afresh each time the networks have changed."""
        monitor = NetworkMonitor()
        while True:
            try:
                await self._tell_until_moved(monitor)
            except OSError as error:
                if self.trouble is None:
                    _log.warning("mDNS cannot be used: %s", error)
                # Without the traceback, whose frames would keep open what was open then.
                self._note_trouble(error.with_traceback(None))
                for _ in range(MDNS_RETRY_CHECKS):
                    await asyncio.sleep(ANNOUNCER_NETWORK_CHECK_S)
                    if monitor.detect_change():
                        break

    async def _tell_until_moved(self, monitor: NetworkMonitor) -> None:
        """Announce until there is a reason to start afresh.

        Raises OSError: mDNS cannot be used.
        """
        advertiser = ServiceAdvertiser(await open_zeroconf(), self._port)
        leave = advertiser.end
        try:
            await advertiser.begin(self.advert)
            self._note_trouble(None)
            await self._advertise_changes(advertiser, monitor)
            leave = advertiser.drop
        finally:
            await finish(leave())

    def _note_trouble(self, error: OSError | None) -> None:
        before, self.trouble = self.trouble, error
        if (before is None) is not (error is None):
            self._on_trouble(error)

    async def _advertise_changes(
        self, advertiser: ServiceAdvertiser, monitor: NetworkMonitor
    ) -> None:
        """Announce each change until the networks change or somebody floods mDNS."""
        while not (monitor.detect_change() or advertiser.is_crowded):
            if await wait_for_event(self._changed, ANNOUNCER_NETWORK_CHECK_S):
                self._changed.clear()
                await advertiser.update(self.advert)
                await asyncio.sleep(COALESCE_S)
