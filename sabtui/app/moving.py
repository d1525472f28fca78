"""Going on with a table of another host at this computer, in a process of its own."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Container, Iterable
from pathlib import Path
from typing import Final

from net.client.following import LOOK_INTERVAL_S, MoveOrder, OpenedHere
from net.discovery.advert import OURS, AdvertStanding
from net.discovery.browser import Browser
from net.discovery.mdns import own_addresses
from net.discovery.sockets import LOOPBACK_HOSTS
from net.secure.address import Address
from net.server.journal_errors import JournalError
from net.server.tables import id_and_term, move_here
from sabtui.app.errors import UserError
from sabtui.app.launcher import start_table, state_folder
from sabtui.app.requests import ReopenRequest

_log = logging.getLogger(__name__)


class TableMover:
    """Opens tables of other hosts at this computer."""

    async def open(self, order: MoveOrder) -> OpenedHere | None:
        """Go on with a table; return `None` if that fails."""
        return await asyncio.to_thread(_open, order)


def _open(order: MoveOrder) -> OpenedHere | None:
    credentials = order.credentials
    try:
        path, pin = move_here(
            state_folder() / "tables",
            credentials.table,
            term=order.term,
            key=credentials.key,
            states=order.states,
            talk=order.held.talk,
            code=order.code,
            is_handed_over=order.is_handed_over,
        )
        opened = start_table(ReopenRequest(str(path), order.doors))
    except (JournalError, UserError) as error:
        _log.warning("the table cannot go on here: %s", error)
        return None
    return OpenedHere(pin, tuple(Address(at, opened.port) for at in LOOPBACK_HOSTS))


LOOK_FIRST_S: Final = 3.0
"""Seconds in which a table that is brought back is looked for elsewhere first."""


async def find_elsewhere(journal: Path) -> Address | None:
    """Return where a table of ours goes on at another computer, `None` if it does not.

    Raises JournalError: there is no table in the journal.
    """
    table, term = id_and_term(journal)
    here = {*LOOPBACK_HOSTS, *own_addresses()}
    loop = asyncio.get_running_loop()
    until = loop.time() + LOOK_FIRST_S
    async with Browser(OURS) as browser:
        while loop.time() < until:
            await asyncio.sleep(LOOK_INTERVAL_S)
            at = choose_host(browser.hosts(table), term, here)
            if at is not None:
                return at
    return None


def choose_host(
    hosts: Iterable[tuple[Address, AdvertStanding]], term: int, here: Container[str]
) -> Address | None:
    """Return where the table stands first, of hosts with people or of a later term than ours.

    Those `here` are at our own computer.
    """
    there = [
        (standing, at)
        for at, standing in hosts
        if (standing[1] or standing[2] > term) and at.host not in here
    ]
    return max(there, key=lambda one: one[0])[1] if there else None
