"""mDNS for as long as a program runs: joined, joined anew as networks change, left.

Zeroconf is heavy. It is loaded here alone, beside the event loop, once mDNS is joined; what it then
does is in `joined_mdns`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Final

from net.discovery.networks import look_again, own_networks
from net.tasks import end_tasks, finish

if TYPE_CHECKING:
    from net.discovery.joined_mdns import JoinedMdns

NETWORK_CHECK_S: Final = 1.0  # seconds between two checks of this machine's networks

REBUILD_INTERVAL_S: Final = 15.0
"""Seconds after which mDNS is restarted: a laptop that slept or moved may receive nothing any more,
and zeroconf keeps whatever anybody multicasts, without a limit."""

_log = logging.getLogger(__name__)


async def join_mdns() -> JoinedMdns:
    """Join mDNS on all interfaces, over IPv4, and over IPv6 if the system has it.

    Raises OSError: there is no interface, or another program keeps port 5353 to itself.
    """
    loaded = await asyncio.to_thread(_load_zeroconf)
    return loaded.on(own_networks())


def _load_zeroconf() -> type[JoinedMdns]:
    from net.discovery.joined_mdns import JoinedMdns  # noqa: PLC0415 - heavy, see above

    return JoinedMdns


async def ask_mdns(name: str) -> list[str]:
    """Return the addresses of the computer with this name, none if mDNS finds none."""
    try:
        joined = await join_mdns()
    except OSError:
        return []
    try:
        return await joined.find_hosts(name)
    finally:
        await finish(joined.async_close())


class MdnsService:
    """Work by mDNS, `serve`, which is given mDNS as it is joined and goes on until it is cancelled.

    `trouble` is the error that keeps mDNS from working now, or `None`. `on_trouble` is called with
    it when it begins, and with `None` when it has passed.
    """

    def __init__(
        self,
        serve: Callable[[JoinedMdns], Coroutine[object, object, None]],
        on_trouble: Callable[[OSError | None], None] = lambda _: None,
    ) -> None:
        self.trouble: OSError | None = None
        self._serve = serve
        self._on_trouble = on_trouble

    async def run(self) -> None:
        """Run until cancelled, joining anew once this machine's networks have changed.

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
            joined = await join_mdns()
            try:
                self._note(None)
                await self._serve(joined)
            finally:
                await finish(joined.async_close())
        except OSError as error:
            # Without the traceback, whose frames would keep open what was open then.
            self._note(error.with_traceback(None))

    def _note(self, trouble: OSError | None) -> None:
        before, self.trouble = self.trouble, trouble
        if (before is None) is not (trouble is None):
            if trouble is not None:
                _log.warning("mDNS cannot be used: %s", trouble)
            self._on_trouble(trouble)
