"""Announcing a table and listening for others by mDNS, with zeroconf.

No module but this and `limited_zeroconf` uses zeroconf.

Traps of zeroconf that shape this module:
- Unicast answers (the default for a first question) reach only one of several programs on a
  machine that share port 5353. All questions here ask for multicast.
- An update is sent three times, 225 ms apart, from the info it was given: a newer update in
  between would be followed by the older one again. So `ServiceAdvertiser.update` first cancels
  what is still to be sent.
- An exception from a handler stops zeroconf halfway: it then neither listens nor cleans up.
- Changing the records of an info does not change its cached form: an update is a new info.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from net.discovery.advert import SERVICE, Advert, read_advert
from net.discovery.networks import own_networks
from net.secure.address import PORTS, Address, may_be_asked
from net.tasks import cancel_and_wait, finish, wait_for_event

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, ServiceStateChange, Zeroconf
    from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

RECORD_TTL_S: Final = 120
"""Seconds that others may cache the records of a table that has fallen silent; zeroconf raises it
to 1125 for the pointer record that browsers go by."""

RESOLVE_TIMEOUT_S: Final = 3.0
"""Seconds to wait for the records of a table of which only the name was received."""

NAME_TIMEOUT_S: Final = 2.0  # seconds to wait for the addresses of a computer by its name

MAX_ADVERTISED_ADDRESSES: Final = 16
"""Most addresses that are announced, and that are read of one table."""

MAX_RESOLVING: Final = 64  # most tables whose records are asked for at once
MAX_NAMED: Final = 1024  # most tables whose ids are kept, to match their goodbyes

MAX_RECORDS: Final = 16384
"""Most records in zeroconf's cache, about 10 MB. Zeroconf itself sets no limit: it keeps whatever
anybody multicasts, for as long as the record says."""

REBUILD_INTERVAL_S: Final = 15.0
"""Seconds after which mDNS is restarted: a laptop that slept or moved may receive nothing any
more."""

FLOOD_CHECK_INTERVAL_S: Final = 0.5  # seconds between two checks for a flood
_log = logging.getLogger(__name__)


async def open_zeroconf() -> AsyncZeroconf:
    """Join mDNS on all interfaces, over IPv4, and over IPv6 if the system has it.

    Raises OSError: there is no interface, or another program keeps port 5353 to itself.
    """
    # Heavy, so loaded beside the event loop, and not before it is needed.
    await asyncio.to_thread(importlib.import_module, "net.discovery.limited_zeroconf")
    from zeroconf import InterfaceChoice, IPVersion  # noqa: PLC0415 - heavy, see above
    from zeroconf.asyncio import AsyncZeroconf  # noqa: PLC0415 - heavy, see above

    from net.discovery.limited_zeroconf import LimitedZeroconf  # noqa: PLC0415 - heavy, see above

    networks = own_networks()
    try:
        try:
            limited = LimitedZeroconf(InterfaceChoice.All, networks, IPVersion.All)
        except OSError:  # a system without IPv6
            limited = LimitedZeroconf(InterfaceChoice.All, networks, IPVersion.V4Only)
    except RuntimeError as error:  # no interface has any address
        raise OSError(str(error)) from error
    return AsyncZeroconf(zc=limited)


async def ask_mdns(name: str) -> list[str]:
    """Return the addresses of the computer with this name, none if mDNS finds none.

    Those of IPv4 alone, if there are any: not every system can use a link-local one of IPv6.
    Anybody can answer, so none leads to more than one computer.
    """
    try:
        joined = await open_zeroconf()
    except OSError:
        return []
    import zeroconf  # noqa: PLC0415 - heavy, see above

    try:
        # It is public, though left out of what the package says that it exports.
        wanted: ServiceInfo = vars(zeroconf)["AddressResolver"](f"{name.rstrip('.')}.")
        seconds = NAME_TIMEOUT_S * 1000
        await wanted.async_request(joined.zeroconf, seconds, zeroconf.DNSQuestionType.QM)
        hosts = wanted.parsed_scoped_addresses(zeroconf.IPVersion.V4Only)
        hosts = hosts or wanted.parsed_scoped_addresses(zeroconf.IPVersion.V6Only)
        named = [host for host in hosts if may_be_asked(Address(host, PORTS[0]))]
        return named[:MAX_ADVERTISED_ADDRESSES]
    except zeroconf.Error:  # a part of the name is too long
        return []
    finally:
        await finish(joined.async_close())


def own_addresses() -> list[str]:
    """Return this machine's addresses to announce; loopback ones only if there are no others.

    Raises OSError: the system cannot list its interfaces now.
    """
    found = {Address(network.host, 0) for network in own_networks()}
    ordered = sorted(found, key=lambda address: address.rank)
    others = [address.host for address in ordered if address.rank[0] < 3]
    return others[:MAX_ADVERTISED_ADDRESSES] or [address.host for address in ordered]


def _is_crowded(zeroconf: AsyncZeroconf) -> bool:
    """Return True if zeroconf's cache holds more than any honest network needs.

    The caller then starts afresh with a new zeroconf.
    """
    return sum(map(len, zeroconf.zeroconf.cache.cache.values())) > MAX_RECORDS


class ServiceAdvertiser:
    """One table, announced until `end` or `drop`."""

    def __init__(self, zeroconf: AsyncZeroconf, port: int) -> None:
        self._zeroconf = zeroconf
        self._port = port
        self._rest: asyncio.Future[object] | None = None  # repeats still to be sent

    async def begin(self, advert: Advert) -> None:
        """Announce the table. Its label is unique, so the check that it is free is skipped."""
        registered = await self._zeroconf.async_register_service(
            self._info(advert), cooperating_responders=True
        )
        self._rest = asyncio.ensure_future(registered)

    async def update(self, advert: Advert) -> None:
        """Announce a change."""
        self._stop_rest()
        updated = await self._zeroconf.async_update_service(self._info(advert))
        self._rest = asyncio.ensure_future(updated)

    async def end(self) -> None:
        """Send a goodbye and close zeroconf."""
        self._stop_rest()  # a repeat after the goodbye would undo it
        await self._zeroconf.async_close()

    async def drop(self) -> None:
        """Close zeroconf without a goodbye: a new advertiser goes on announcing the table."""
        self._stop_rest()
        registry = self._zeroconf.zeroconf.registry
        registry.async_remove(registry.async_get_service_infos())
        await self._zeroconf.async_close()

    @property
    def is_crowded(self) -> bool:
        """True if somebody floods mDNS."""
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
            server=f"sabtui-{advert.id}{f'-{advert.term}' if advert.term else ''}.local.",
            parsed_addresses=own_addresses(),
            host_ttl=RECORD_TTL_S,
            other_ttl=RECORD_TTL_S,
        )


class ServiceBrowser:
    """All tables that mDNS names, until `end`.

    `hint` is called with a table's advert and addresses each time there is news of it, `goodbye`
    with its id and term when it is withdrawn.
    """

    def __init__(
        self,
        zeroconf: AsyncZeroconf,
        hint: Callable[[Advert, list[Address]], None],
        goodbye: Callable[[str, int], None],
    ) -> None:
        from zeroconf import DNSQuestionType  # noqa: PLC0415 - heavy
        from zeroconf.asyncio import AsyncServiceBrowser  # noqa: PLC0415 - heavy

        self._hint = hint
        self._goodbye = goodbye
        self._zeroconf = zeroconf
        self._ids: dict[str, tuple[str, int]] = {}
        self._resolving: dict[str, asyncio.Task[None]] = {}
        self._browser = AsyncServiceBrowser(
            zeroconf.zeroconf,
            SERVICE,
            handlers=[self._on_change],
            question_type=DNSQuestionType.QM,
        )

    @property
    def is_crowded(self) -> bool:
        """True if somebody floods mDNS."""
        return _is_crowded(self._zeroconf)

    async def end(self) -> None:
        """Stop listening and close zeroconf."""
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
                self._goodbye(*known)
            return
        try:
            info = AsyncServiceInfo(service_type, name)
        except BadTypeInNameException:
            return  # a forged name: raising here would stop zeroconf for good
        if info.load_from_cache(zeroconf):
            self._report(info)
        elif name not in self._resolving and len(self._resolving) < MAX_RESOLVING:
            task = asyncio.create_task(self._resolve(info))
            self._resolving[name] = task
            task.add_done_callback(lambda _: self._resolving.pop(name, None))

    async def _resolve(self, info: AsyncServiceInfo) -> None:
        from zeroconf import DNSQuestionType  # noqa: PLC0415 - heavy

        asked = info.async_request(
            self._zeroconf.zeroconf, RESOLVE_TIMEOUT_S * 1000, question_type=DNSQuestionType.QM
        )
        if await asked:
            self._report(info)

    def _report(self, info: AsyncServiceInfo) -> None:
        advert = read_advert(info.name.removesuffix(f".{SERVICE}"), info.properties)
        if advert is not None and info.port is not None:
            if info.name in self._ids or len(self._ids) < MAX_NAMED:
                self._ids[info.name] = advert.id, advert.term
            addresses = info.parsed_scoped_addresses()[:MAX_ADVERTISED_ADDRESSES]
            self._hint(advert, [Address(host, info.port) for host in addresses])


class MdnsListener:
    """Listens for tables by mDNS. `trouble` is the error that prevents it now, or `None`.

    `hint` and `goodbye` are passed on to `ServiceBrowser`.
    """

    def __init__(
        self,
        hint: Callable[[Advert, list[Address]], None],
        goodbye: Callable[[str, int], None],
    ) -> None:
        self.trouble: OSError | None = None
        self._hint = hint
        self._goodbye = goodbye
        self._again = asyncio.Event()

    def begin_anew(self) -> None:
        """Restart, since the networks have changed."""
        self._again.set()

    async def listen(self) -> None:
        """Listen until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            self._again.clear()
            until = loop.time() + REBUILD_INTERVAL_S
            service_browser = await self._open()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(until):
                    if service_browser is not None:
                        await self._listen_with(service_browser)
                    await self._again.wait()

    async def _open(self) -> ServiceBrowser | None:
        try:
            service_browser = ServiceBrowser(await open_zeroconf(), self._hint, self._goodbye)
        except OSError as error:
            if self.trouble is None:
                _log.warning("mDNS cannot be used: %s", error)
            self.trouble = error
            return None
        self.trouble = None
        return service_browser

    async def _listen_with(self, service_browser: ServiceBrowser) -> None:
        """Listen until a restart is due or somebody floods mDNS, then close the browser.

        After a flood, listening resumes only with the next restart.
        """
        try:
            while not (self._again.is_set() or service_browser.is_crowded):
                await wait_for_event(self._again, FLOOD_CHECK_INTERVAL_S)
        finally:
            await finish(service_browser.end())
