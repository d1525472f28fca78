"""A zeroconf whose unicast answers cannot be turned against others.

Zeroconf answers a question from any address and as often as it comes, with up to six times its
bytes, to the address that it seems to come from.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from zeroconf import InterfaceChoice, IPVersion, Zeroconf

from net.discovery.networks import Network, is_near
from net.secure.limits import Limit, Limiter

if TYPE_CHECKING:
    from zeroconf._protocol.outgoing import DNSOutgoing
    from zeroconf._transport import _WrappedTransport

MDNS_PORT: Final = 5353

ADDRESS_UNICAST_ANSWERS: Final = Limit(rate=2, burst=8)
"""Unicast answers to one address; one that looks for tables asks a few times a minute."""

UNICAST_ANSWERS: Final = Limit(rate=20, burst=80)  # unicast answers to all addresses together

# It warns, with a traceback, of each interface that takes no multicast: as a rule of ::1's. What
# keeps mDNS from working at all is an exception.
logging.getLogger("zeroconf").setLevel(logging.ERROR)


class LimitedZeroconf(Zeroconf):
    """Sends unicast answers only to hosts of our own networks, without additions, and not often.

    RFC 6762 (5.5) asks to ignore those who are not on the link. The additional records, which save
    an honest asker a question, are most of the bytes of an answer. Multicast is as it was: zeroconf
    itself sends no record twice a second.
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
