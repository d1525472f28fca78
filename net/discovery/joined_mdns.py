"""mDNS once it is joined: announcing a table, and listening for others.

No other module uses zeroconf, and only `service` loads this one.

Traps of zeroconf that shape this module:
- Unicast answers (the default for a first question) reach only one of several programs on a
  machine that share port 5353. All questions here ask for multicast.
- It answers questions from any address, however often, with up to six times their bytes, to the
  address that they seem to come from. `LimitedZeroconf` cannot be abused to flood others.
- An exception from a handler stops zeroconf halfway: it then neither listens nor cleans up.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import time
from collections.abc import Callable, Iterable
from itertools import count
from typing import TYPE_CHECKING, Final, Self

from zeroconf import (
    BadTypeInNameException,
    DNSQuestionType,
    InterfaceChoice,
    IPVersion,
    ServiceInfo,
    ServiceStateChange,
    Zeroconf,
)
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from net.discovery.advert import SERVICE, Advert, read_advert
from net.discovery.networks import MAX_ADVERTISED_ADDRESSES, Network, is_near, own_addresses
from net.secure.address import Address
from net.secure.limits import Limit, Limiter
from net.tasks import cancel_and_wait, finish

if TYPE_CHECKING:
    from zeroconf._protocol.outgoing import DNSOutgoing
    from zeroconf._transport import _WrappedTransport

MDNS_PORT: Final = 5353

ADDRESS_UNICAST_ANSWERS: Final = Limit(rate=2, burst=8)
"""Unicast answers to one address; one that looks for tables asks a few times a minute."""

UNICAST_ANSWERS: Final = Limit(rate=20, burst=80)  # unicast answers to all addresses together

# It warns, with a traceback, about each interface without multicast, usually that of ::1. What
# keeps mDNS from working at all raises an exception.
logging.getLogger("zeroconf").setLevel(logging.ERROR)


class LimitedZeroconf(Zeroconf):
    """Sends unicast answers only to hosts of our own networks, without additions, and not often.

    RFC 6762 (5.5) asks to ignore those who are not on the link. The additional records, which save
    an honest asker a question, make up most of an answer's bytes. Multicast is unchanged: zeroconf
    itself sends no record twice within a second.
    """

    def __init__(
        self,
        interfaces: InterfaceChoice | list[str],
        networks: Iterable[Network],
        ip_version: IPVersion | None = None,
    ) -> None:
        self._networks = tuple(networks)
        self._limiter = Limiter()
        super().__init__(interfaces, ip_version=ip_version)

    def async_send(
        self,
        out: DNSOutgoing,
        addr: str | None = None,
        port: int = MDNS_PORT,
        v6_flow_scope: tuple[()] | tuple[int, int] = (),
        transport: _WrappedTransport | None = None,
    ) -> None:
        """Send a packet: by multicast, or to `addr` if that may be answered now."""
        if addr is not None:
            source = addr.removeprefix("::ffff:")  # IPv4 on a socket of both families
            if not is_near(source, self._networks):
                return
            now, take = time.monotonic(), self._limiter.take
            if not (take(ADDRESS_UNICAST_ANSWERS, now, source) and take(UNICAST_ANSWERS, now)):
                return
            out.additionals.clear()
        super().async_send(out, addr, port, v6_flow_scope, transport)


RECORD_TTL_S: Final = 120
"""Seconds that others may cache the records of a table that has fallen silent; zeroconf raises it
to 1125 for the pointer record that browsers go by."""

RESOLVE_TIMEOUT_S: Final = 3.0
"""Seconds to wait for the records of a table of which only the name was received."""

MAX_READ_AT_ONCE: Final = 64  # maximum number of tables whose records are read at once

MAX_NEWS: Final = 4096
"""Maximum changes of tables between two starts of mDNS: more must be forged."""


class JoinedMdns(AsyncZeroconf):
    """A zeroconf that announces one table, or listens, until it is closed."""

    @classmethod
    def on(cls, networks: Iterable[Network]) -> Self:
        """Join on all interfaces; unicast answers go only to these networks. Raises OSError."""
        networks = tuple(networks)
        try:
            try:
                limited = LimitedZeroconf(InterfaceChoice.All, networks, IPVersion.All)
            except OSError:  # a system without IPv6
                limited = LimitedZeroconf(InterfaceChoice.All, networks, IPVersion.V4Only)
        except RuntimeError as error:  # no interface has any address
            raise OSError(errno.ENETDOWN, str(error)) from error
        return cls(zc=limited)

    async def announce(self, advert: Advert, port: int) -> None:
        """Announce a table in its present state, until cancelled. Closing says goodbye.

        Its label is unique, so the check that it is free is skipped.
        """
        info = ServiceInfo(
            SERVICE,
            f"{advert.label}.{SERVICE}",
            port=port,
            properties=advert.txt,
            server=f"sabtui-{advert.id}{f'-{advert.term}' if advert.term else ''}.local.",
            parsed_addresses=own_addresses(),
            host_ttl=RECORD_TTL_S,
            other_ttl=RECORD_TTL_S,
        )
        await (await self.async_register_service(info, cooperating_responders=True))
        await asyncio.Event().wait()

    def skip_goodbye(self) -> None:
        """Close without a goodbye: the table continues, and is announced again."""
        registry = self.zeroconf.registry
        registry.async_remove(registry.async_get_service_infos())

    async def listen(
        self, hint: Callable[[Advert, list[Address]], None], goodbye: Callable[[str], None]
    ) -> None:
        """Report every table that mDNS names, until cancelled or until there are `MAX_NEWS`.

        `hint` is called with a table's advert and addresses each time there is news of it,
        `goodbye` with its label when it is withdrawn.
        """
        reading: dict[str, asyncio.Task[None]] = {}
        news, is_flooded = count(1), asyncio.Event()

        def note(name: str, state_change: ServiceStateChange, **_: object) -> None:
            if next(news) > MAX_NEWS:
                is_flooded.set()
            elif state_change is ServiceStateChange.Removed:
                goodbye(_label_of(name))
            elif name not in reading and len(reading) < MAX_READ_AT_ONCE:
                reading[name] = asyncio.create_task(self._read(name, hint))
                reading[name].add_done_callback(lambda _: reading.pop(name, None))

        browser = AsyncServiceBrowser(
            self.zeroconf, SERVICE, handlers=[note], question_type=DNSQuestionType.QM
        )
        try:
            await is_flooded.wait()
        finally:
            await finish(browser.async_cancel())
            await cancel_and_wait(*reading.values())

    async def _read(self, name: str, hint: Callable[[Advert, list[Address]], None]) -> None:
        try:
            info = AsyncServiceInfo(SERVICE, name)
        except BadTypeInNameException:
            return  # a forged name
        asked = info.async_request(
            self.zeroconf, RESOLVE_TIMEOUT_S * 1000, question_type=DNSQuestionType.QM
        )
        advert = read_advert(_label_of(name), info.properties) if await asked else None
        if advert is not None and info.port is not None:
            addresses = info.parsed_scoped_addresses()[:MAX_ADVERTISED_ADDRESSES]
            hint(advert, [Address(host, info.port) for host in addresses])


def _label_of(name: str) -> str:
    return name.removesuffix(f".{SERVICE}")
