"""The one place that knows zeroconf: telling of a table, and hearing of others', by multicast.

Knows service records. Must not know what the list makes of them. zeroconf is imported when mDNS
is first opened, in a thread, since that takes a tenth of a second.

Traps of zeroconf that this module is shaped by:
- Unicast answers (the default of a first question) reach only one of several programs on a
  machine that share port 5353. All questions here ask for multicast.
- An update is sent three times, 225 ms apart, from the info it was given: a newer update in
  between would be followed by the older one again. So `tell` stops what is still to be sent.
- What a handler raises stops zeroconf in the middle: it hears and cleans up no more.
- Changing the records of an info does not change what is in its caches: an update is a new info.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from net.discovery.address import Address
from net.discovery.advert import SERVICE, Advert, read_advert
from net.discovery.networks import own_networks
from net.tasks import cancel_and_wait

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, ServiceStateChange, Zeroconf
    from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

TTL: Final = 120
"""Seconds that others may remember a table that they hear no more of; zeroconf makes it 1125 for
the pointer that browsers go by."""

RESOLVE: Final = 3.0
"""Seconds to wait for the records of a table that was only named."""

MOST_TOLD: Final = 16
"""The most addresses that are told of, and that are read of one table."""

MOST_RESOLVING: Final = 64

MOST_NAMED: Final = 1024
"""The most tables whose goodbyes are known."""

MOST_RECORDS: Final = 16384
"""Zeroconf keeps whatever anybody multicasts, for as long as that says: about 10 MB are enough."""


async def open_zeroconf() -> AsyncZeroconf:
    """Join mDNS on all interfaces, IPv4 and IPv6 as far as there are.

    Raises:
        OSError: there is no interface, or another program keeps port 5353 to itself.
    """
    await asyncio.to_thread(importlib.import_module, "zeroconf.asyncio")
    from zeroconf import InterfaceChoice, IPVersion  # noqa: PLC0415 - heavy, see above
    from zeroconf.asyncio import AsyncZeroconf  # noqa: PLC0415 - heavy, see above

    try:
        try:
            return AsyncZeroconf(InterfaceChoice.All, ip_version=IPVersion.All)
        except OSError:  # a system without IPv6
            return AsyncZeroconf(InterfaceChoice.All, ip_version=IPVersion.V4Only)
    except RuntimeError as error:  # no interface has any address
        raise OSError(str(error)) from error


def own_addresses() -> list[str]:
    """List the addresses to tell of; the loopback ones only where there is nothing else.

    Raises:
        OSError: the system does not tell now.
    """
    found = {Address(network.host, 0) for network in own_networks()}
    ordered = sorted(found, key=lambda address: address.rank)
    others = [address.host for address in ordered if address.rank[0] < 3]
    return others[:MOST_TOLD] or [address.host for address in ordered]


def _is_crowded(zeroconf: AsyncZeroconf) -> bool:
    """Whether more is kept than any honest network needs: better to begin anew."""
    return sum(map(len, zeroconf.zeroconf.cache.cache.values())) > MOST_RECORDS


class Telling:
    """One table, told of until `end`."""

    __slots__ = ("_port", "_rest", "_zeroconf")

    def __init__(self, zeroconf: AsyncZeroconf, port: int) -> None:
        self._zeroconf = zeroconf
        self._port = port
        self._rest: asyncio.Future[object] | None = None  # what of the last news is still to send

    async def begin(self, advert: Advert) -> None:
        """Announce the table. Its label is its own, so nobody is asked whether it is free."""
        registered = await self._zeroconf.async_register_service(
            self._info(advert), cooperating_responders=True
        )
        self._rest = asyncio.ensure_future(registered)

    async def tell(self, advert: Advert) -> None:
        """Tell what has changed."""
        self._stop_rest()
        updated = await self._zeroconf.async_update_service(self._info(advert))
        self._rest = asyncio.ensure_future(updated)

    async def end(self) -> None:
        """Say goodbye, and leave."""
        self._stop_rest()  # after the goodbye it would undo it
        await self._zeroconf.async_close()

    async def drop(self) -> None:
        """Leave without goodbye, as somebody else goes on telling of the table."""
        self._stop_rest()
        registry = self._zeroconf.zeroconf.registry
        registry.async_remove(registry.async_get_service_infos())
        await self._zeroconf.async_close()

    @property
    def is_crowded(self) -> bool:
        """Whether somebody floods us."""
        return _is_crowded(self._zeroconf)

    def _stop_rest(self) -> None:
        if self._rest is not None:
            self._rest.cancel()

    def _info(self, advert: Advert) -> ServiceInfo:
        from zeroconf import ServiceInfo  # noqa: PLC0415 - heavy

        return ServiceInfo(
            SERVICE,
            f"{advert.label}.{SERVICE}",
            port=self._port,
            properties=advert.txt,
            server=f"sabtui-{advert.id}.local.",
            parsed_addresses=own_addresses(),
            host_ttl=TTL,
            other_ttl=TTL,
        )


class Hearing:
    """All tables that mDNS names, until `end`.

    `hint` is called with what is told of one, each time there is news, and `goodbye` with its id
    when it is taken back.
    """

    __slots__ = ("_browser", "_goodbye", "_hint", "_ids", "_resolving", "_zeroconf")

    def __init__(
        self,
        zeroconf: AsyncZeroconf,
        hint: Callable[[Advert, list[Address]], None],
        goodbye: Callable[[str], None],
    ) -> None:
        from zeroconf import DNSQuestionType  # noqa: PLC0415 - heavy
        from zeroconf.asyncio import AsyncServiceBrowser  # noqa: PLC0415 - heavy

        self._hint = hint
        self._goodbye = goodbye
        self._zeroconf = zeroconf
        self._ids: dict[str, str] = {}
        self._resolving: dict[str, asyncio.Task[None]] = {}
        self._browser = AsyncServiceBrowser(
            zeroconf.zeroconf,
            SERVICE,
            handlers=[self._on_change],
            question_type=DNSQuestionType.QM,
        )

    @property
    def is_crowded(self) -> bool:
        """Whether somebody floods us."""
        return _is_crowded(self._zeroconf)

    async def end(self) -> None:
        """Leave."""
        await self._browser.async_cancel()
        await cancel_and_wait(*self._resolving.values())
        await self._zeroconf.async_close()

    def _on_change(
        self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        from zeroconf import BadTypeInNameException, ServiceStateChange  # noqa: PLC0415 - heavy
        from zeroconf.asyncio import AsyncServiceInfo  # noqa: PLC0415 - heavy

        if state_change is ServiceStateChange.Removed:
            if known := self._ids.pop(name, None):
                self._goodbye(known)
            return
        try:
            info = AsyncServiceInfo(service_type, name)
        except BadTypeInNameException:
            return  # a forged name: raised, it would make zeroconf deaf for good
        if info.load_from_cache(zeroconf):
            self._tell(info)
        elif name not in self._resolving and len(self._resolving) < MOST_RESOLVING:
            task = asyncio.create_task(self._resolve(info))
            self._resolving[name] = task
            task.add_done_callback(lambda _: self._resolving.pop(name, None))

    async def _resolve(self, info: AsyncServiceInfo) -> None:
        from zeroconf import DNSQuestionType  # noqa: PLC0415 - heavy

        asked = info.async_request(
            self._zeroconf.zeroconf, RESOLVE * 1000, question_type=DNSQuestionType.QM
        )
        if await asked:
            self._tell(info)

    def _tell(self, info: AsyncServiceInfo) -> None:
        advert = read_advert(info.name.removesuffix(f".{SERVICE}"), info.properties)
        if advert is not None and info.port is not None:
            if info.name in self._ids or len(self._ids) < MOST_NAMED:
                self._ids[info.name] = advert.id
            addresses = info.parsed_scoped_addresses()[:MOST_TOLD]
            self._hint(advert, [Address(host, info.port) for host in addresses])
