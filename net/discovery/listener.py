"""What a player hears by mDNS, for as long as there is anything to hear it with.

Knows when to begin anew. Must not know what the list makes of it, nor zeroconf.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Final

from net.discovery.address import Address
from net.discovery.advert import Advert
from net.discovery.mdns import Hearing, open_zeroconf
from net.tasks import finish

REBUILD: Final = 15.0
"""Seconds after which mDNS begins anew: a laptop that slept or moved may hear nothing any more."""

GLANCE: Final = 0.5
"""Seconds between two looks at whether somebody floods us."""

_log = logging.getLogger(__name__)


class Listener:
    """Hears tables named, and taken back. `trouble` is why that does not work now, if it does not.

    `hint` and `goodbye` are what `mdns.Hearing` calls.
    """

    def __init__(
        self,
        hint: Callable[[Advert, list[Address]], None],
        goodbye: Callable[[str], None],
    ) -> None:
        self.trouble: OSError | None = None
        self._hint = hint
        self._goodbye = goodbye
        self._again = asyncio.Event()

    def begin_anew(self) -> None:
        """The networks are others: hear on those."""
        self._again.set()

    async def listen(self) -> None:
        """Listen until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            self._again.clear()
            until = loop.time() + REBUILD
            hearing = await self._open()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(until):
                    if hearing is not None:
                        await self._hear_out(hearing)
                    await self._again.wait()

    async def _open(self) -> Hearing | None:
        try:
            hearing = Hearing(await open_zeroconf(), self._hint, self._goodbye)
        except OSError as error:
            if self.trouble is None:
                _log.warning("mDNS cannot be used: %s", error)
            self.trouble = error
            return None
        self.trouble = None
        return hearing

    async def _hear_out(self, hearing: Hearing) -> None:
        """Hear mDNS until it is to begin anew, or somebody floods it: that has to wait."""
        try:
            while not (self._again.is_set() or hearing.is_crowded):
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(GLANCE):
                        await self._again.wait()
        finally:
            await finish(hearing.end())
