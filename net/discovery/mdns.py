"""Announcing a table and listening for others by mDNS, with zeroconf.

No module but this and `limited_zeroconf` uses zeroconf.

Traps of zeroconf that shape this module:
- Unicast answers (the default for a first question) reach only one of several programs on a
  machine that share port 5353. All questions here ask for multicast.
- An exception from a handler stops zeroconf halfway: it then neither listens nor cleans up.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Final

from net.discovery.advert import SERVICE, Advert, read_advert
from net.discovery.networks import look_again, own_networks
from net.secure.address import PORTS, Address, may_be_asked
from net.tasks import cancel_and_wait, end_tasks, finish

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, ServiceStateChange, Zeroconf
    from zeroconf.asyncio import AsyncZeroconf

RECORD_TTL_S: Final = 120
"""Seconds that others may cache the records of a table that has fallen silent; zeroconf raises it
to 1125 for the pointer record that browsers go by."""

RESOLVE_TIMEOUT_S: Final = 3.0
"""Seconds to wait for the records of a table of which only the name was received."""

NAME_TIMEOUT_S: Final = 2.0  # seconds to wait for the addresses of a computer by its name

MAX_ADVERTISED_ADDRESSES: Final = 16
"""Most addresses that are announced, and that are read of one table."""

MAX_READ_AT_ONCE: Final = 64  # most tables whose records are read at once

MAX_NEWS: Final = 4096
"""Most news of tables from one start of mDNS to the next: a flood of them is forged."""

NETWORK_CHECK_S: Final = 1.0  # seconds between two checks of this machine's networks

REBUILD_INTERVAL_S: Final = 15.0
"""Seconds after which mDNS is restarted: a laptop that slept or moved may receive nothing any more,
and zeroconf keeps whatever anybody multicasts, without a limit."""

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


class MdnsService:
    """Work by mDNS, `serve`, which is given an open zeroconf and goes on until it is cancelled.

    `trouble` is the error that keeps mDNS from working now, or `None`. `on_trouble` is called with
    it when it begins, and with `None` when it has passed.
    """

    def __init__(
        self,
        serve: Callable[[AsyncZeroconf], Coroutine[object, object, None]],
        on_trouble: Callable[[OSError | None], None] = lambda _: None,
    ) -> None:
        self.trouble: OSError | None = None
        self._serve = serve
        self._on_trouble = on_trouble

    async def run(self) -> None:
        """Run until cancelled, with a new zeroconf once this machine's networks have changed.

        So it is each `REBUILD_INTERVAL_S`, too.
        """
        loop, networks = asyncio.get_running_loop(), look_again(())
        while True:
            before, until = networks, loop.time() + REBUILD_INTERVAL_S
            serving = asyncio.create_task(self._run_once())
            try:
                while networks == before and loop.time() < until:
                    await asyncio.sleep(NETWORK_CHECK_S)
                    networks = look_again(networks)
            finally:
                await end_tasks(serving)

    async def _run_once(self) -> None:
        try:
            zeroconf = await open_zeroconf()
            try:
                self._note(None)
                await self._serve(zeroconf)
            finally:
                await finish(zeroconf.async_close())
        except OSError as error:
            # Without the traceback, whose frames would keep open what was open then.
            self._note(error.with_traceback(None))

    def _note(self, trouble: OSError | None) -> None:
        before, self.trouble = self.trouble, trouble
        if (before is None) is not (trouble is None):
            if trouble is not None:
                _log.warning("mDNS cannot be used: %s", trouble)
            self._on_trouble(trouble)


async def announce(zeroconf: AsyncZeroconf, advert: Advert, port: int) -> None:
    """Announce a table as it is now, until cancelled. As zeroconf closes, it says goodbye.

    Its label is unique, so the check that it is free is skipped.
    """
    from zeroconf import ServiceInfo  # noqa: PLC0415 - heavy

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
    await (await zeroconf.async_register_service(info, cooperating_responders=True))
    await asyncio.Event().wait()


def say_no_goodbye(zeroconf: AsyncZeroconf) -> None:
    """Have zeroconf close without a goodbye: the table goes on, and is announced anew."""
    registry = zeroconf.zeroconf.registry
    registry.async_remove(registry.async_get_service_infos())


class MdnsListener:
    """All tables that mDNS names.

    `hint` is called with a table's advert and addresses each time there is news of it, `goodbye`
    with its label when it is withdrawn.
    """

    def __init__(
        self,
        hint: Callable[[Advert, list[Address]], None],
        goodbye: Callable[[str], None],
    ) -> None:
        self._hint = hint
        self._goodbye = goodbye
        self._reading: dict[str, asyncio.Task[None]] = {}
        self._news = 0
        self._is_flooded = asyncio.Event()

    async def listen(self, zeroconf: AsyncZeroconf) -> None:
        """Listen until cancelled, or until there are `MAX_NEWS`."""
        from zeroconf import DNSQuestionType  # noqa: PLC0415 - heavy
        from zeroconf.asyncio import AsyncServiceBrowser  # noqa: PLC0415 - heavy

        browser = AsyncServiceBrowser(
            zeroconf.zeroconf,
            SERVICE,
            handlers=[self._on_change],
            question_type=DNSQuestionType.QM,
        )
        self._news = 0
        self._is_flooded.clear()
        try:
            await self._is_flooded.wait()
        finally:
            await finish(browser.async_cancel())
            await cancel_and_wait(*self._reading.values())

    def _on_change(
        self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        from zeroconf import ServiceStateChange  # noqa: PLC0415 - heavy

        del service_type
        self._news += 1
        if self._news > MAX_NEWS:
            self._is_flooded.set()
        elif state_change is ServiceStateChange.Removed:
            self._goodbye(_label_of(name))
        elif name not in self._reading and len(self._reading) < MAX_READ_AT_ONCE:
            task = asyncio.create_task(self._read(zeroconf, name))
            self._reading[name] = task
            task.add_done_callback(lambda _: self._reading.pop(name, None))

    async def _read(self, zeroconf: Zeroconf, name: str) -> None:
        """Read a table's records, which are asked for if they have not come with its name."""
        from zeroconf import BadTypeInNameException, DNSQuestionType  # noqa: PLC0415 - heavy
        from zeroconf.asyncio import AsyncServiceInfo  # noqa: PLC0415 - heavy

        try:
            info = AsyncServiceInfo(SERVICE, name)
        except BadTypeInNameException:
            return  # a forged name
        asked = info.async_request(
            zeroconf, RESOLVE_TIMEOUT_S * 1000, question_type=DNSQuestionType.QM
        )
        advert = read_advert(_label_of(name), info.properties) if await asked else None
        if advert is not None and info.port is not None:
            addresses = info.parsed_scoped_addresses()[:MAX_ADVERTISED_ADDRESSES]
            self._hint(advert, [Address(host, info.port) for host in addresses])


def _label_of(name: str) -> str:
    return name.removesuffix(f".{SERVICE}")
