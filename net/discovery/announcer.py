"""A host's side of discovery: announces its table by mDNS and answers probes until it is closed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from socket import socket
from typing import TYPE_CHECKING, Final, Self

from net.discovery.advert import Advert, read_question, write_answer
from net.discovery.mdns import MdnsService
from net.discovery.networks import UdpSockets
from net.secure.address import Address
from net.secure.limits import Limit, Limiter
from net.tasks import end_tasks

if TYPE_CHECKING:
    from net.discovery.joined_mdns import JoinedMdns

ADDRESS_ANSWERS: Final = Limit(rate=50, burst=100)
"""Answers to one source. Ten players on one machine, each with a list open, ask 20 a second."""

ANSWERS: Final = Limit(rate=500, burst=1000)
"""Answers to all sources together: sources can be forged, and this is the table's own time."""


class Announcer:
    """Announces a table while it is open.

    Use it as `async with Announcer(advert, port, claim.udp) as announcer`. `on_trouble` is called
    with the error that keeps mDNS from working when it begins, and with `None` when it has passed:
    the table can still be found by broadcast questions, or reached by a typed address.
    """

    def __init__(
        self,
        advert: Advert,
        port: int,
        sockets: Iterable[socket],
        on_trouble: Callable[[OSError | None], None] = lambda _: None,
    ) -> None:
        self.advert = advert
        self._port = port
        self._sockets = tuple(sockets)
        self._mdns = MdnsService(self._advertise, on_trouble)
        self._limiter = Limiter()
        self._udp = UdpSockets()
        self._is_closing = False
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        await self._udp.open(self._sockets, self._answer)
        self._tasks.append(asyncio.create_task(self._mdns.run()))
        return self

    async def __aexit__(self, *_: object) -> None:
        self._udp.close()
        self._is_closing = True
        await end_tasks(*self._tasks)

    def update(self, advert: Advert) -> None:
        """Announce a change: to probes at once, by mDNS when it begins anew."""
        self.advert = advert

    def _answer(self, packet: bytes, source: Address) -> bytes | None:
        """Return the answer to a packet, `None` if it is no question or there are too many."""
        nonce, now = read_question(packet), asyncio.get_running_loop().time()
        take = self._limiter.take
        if nonce is None or not (take(ADDRESS_ANSWERS, now, source.host) and take(ANSWERS, now)):
            return None
        return write_answer(nonce, self.advert)

    async def _advertise(self, joined: JoinedMdns) -> None:
        try:
            await joined.announce(self.advert, self._port)
        finally:
            if not self._is_closing:
                joined.say_no_goodbye()
