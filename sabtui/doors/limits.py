"""Limits that both doors keep: screens at once, strangers at once, and their time to get in.

A stranger is a connection on which nobody has been let in yet. The places of strangers are limited,
and one address, or one /64 of IPv6, gets no more than half of them (`net.secure.limits`).
"""

from __future__ import annotations

import ipaddress
import sys
from collections.abc import Callable
from typing import Final

from net.secure.guess_limiter import home_of
from net.secure.limits import AdmissionControl

MAX_SCREENS: Final = 40 if sys.platform == "linux" else 16
"""Screens of one door at once: a gigabyte at some 25 MB each where they are forked, else 65 MB."""

SSH_LOGIN_TIMEOUT_S: Final = 90.0
"""Seconds to log in by SSH: time to ask for two words and to type them, and to wait for a turn."""

WEB_LOGIN_TIMEOUT_S: Final = 20.0
"""Seconds that a page has from its request until it is let in: it has asked for the code before."""

WEB_PLACES: Final = 96
"""Places of strangers at the browser door: a browser loads a page on several connections."""


REQUEST_TIMEOUT_S: Final = 10.0
"""Seconds that a connection to the browser door has to ask for something, and to be answered."""

DOWNLOAD_PLACES: Final = 16
"""Guests who fetch the host's file of Sabtui at once; one address has a quarter of the places."""

DOWNLOAD_TIMEOUT_S: Final = 900.0
"""Seconds that fetching it may take: 20 MB at 23 kB/s."""


class Strangers:
    """The connections at a door on which nobody has been let in yet; each is known by an entry."""

    def __init__(self, control: AdmissionControl) -> None:
        self.control: Final = control
        self._ends: Final[dict[int, Callable[[], object]]] = {}

    def __len__(self) -> int:
        return len(self._ends)

    def enter(self, host: str, end: Callable[[], object]) -> int:
        """Give a connection from a host a place, if need be that of another, which is ended.

        `end` ends the connection at once; it is called if this one has to give way.
        """
        admitted = self.control.enter(household(host))
        self._ends[admitted.entry] = end
        if admitted.evicted is not None:
            self._ends.pop(admitted.evicted)()
        return admitted.entry

    def trust(self, entry: int) -> None:
        """Free the place of a connection on which somebody was let in."""
        if self._ends.pop(entry, None) is not None:
            self.control.trust(entry)

    def leave(self, entry: int) -> None:
        """Free the place of a connection that is gone, if it still has one."""
        if self._ends.pop(entry, None) is not None:
            self.control.leave(entry)


def household(host: str) -> str:
    """Return what connections from an address are counted by: the address, or its /64 of IPv6."""
    return home_of(plain_address(host))


def plain_address(host: str) -> str:
    """Return an address as the table sees it: no zone, and IPv4 as such."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)
