"""Going on with a table of another host at this computer, in a process of its own."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Final

from net.client.following import LOOK_INTERVAL_S, MoveOrder, OpenedHere
from net.discovery.advert import OURS
from net.discovery.browser import Browser
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
        opened = start_table(ReopenRequest(str(path)))
    except (JournalError, UserError) as error:
        _log.warning("the table cannot go on here: %s", error)
        return None
    return OpenedHere(pin, tuple(Address(at, opened.port) for at in LOOPBACK_HOSTS))


LOOK_FIRST_S: Final = 3.0
"""Seconds in which a table that is brought back is looked for elsewhere first."""


async def is_elsewhere(journal: Path) -> bool:
    """Return True if a table of ours goes on at another computer. Raises JournalError: no table."""
    table, term = id_and_term(journal)
    loop = asyncio.get_running_loop()
    until = loop.time() + LOOK_FIRST_S
    async with Browser(OURS) as browser:
        while loop.time() < until:
            await asyncio.sleep(LOOK_INTERVAL_S)
            hosts = [standing for _address, standing in browser.hosts(table)]
            if any(people or later > term for _plays, people, later in hosts):
                return True
    return False
