"""The doors to real tables: opening one, joining one, coming back to one.

Knows the wallet, the journals and how a table's process is started. Knows no screen and no line.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from net.client.client import Client
from net.client.ticket import Ticket
from net.discovery.address import Address, Typed
from net.discovery.mdns import own_addresses
from net.discovery.ports import LOOPBACK
from net.journal import Found, Unreadable, tables
from net.lobby import Settings
from sabtui.finding import Place, find_at
from sabtui.hosting import Opened, Opening, give_up, hosts_ticket, open_beside, state_folder, wallet
from sabtui.joining import Wish, ticket_for
from sabtui.options import login
from sabtui.screen.doors import Comeback, Facts, Hosting, Joining, Practising, Way
from sabtui.screen.practising import practise
from sabtui.trouble import Trouble
from sabtui.words.journals import unopened
from sabtui.words.tongue import _


class Porter:
    """Opens doors for the player who runs this program."""

    def practise(self, wish: Practising) -> Way:
        """The way to a game against bots."""
        return practise(wish)

    async def host(self, wish: Hosting) -> Way:
        """Open a table in a process of its own, and the way to it."""
        opening = Opening(wish.title, wish.name, wish.settings, wish.bots, wish.level)
        return await open_table(opening)

    async def join(self, wish: Joining) -> Way:
        """The way to somebody's table."""
        place = await find_at(wish.at) if isinstance(wish.at, Typed) else Place.of(wish.at)
        return way(ticket_for(place, Wish("", wish.name, wish.code), wallet()))

    def comebacks(self) -> tuple[Comeback, ...]:
        """The tables one may come back to, last played first."""
        kept = _kept().values()
        found = [Comeback(one.id, one.title, one.when, one.is_host) for one in kept]
        found += _unreadable()
        return tuple(sorted(found, key=lambda comeback: comeback.when, reverse=True))

    async def come_back(self, to: Comeback) -> Way:
        """The way back to a table; one's own is opened again where it is not open."""
        if to.problem:
            raise Trouble(to.problem)
        kept = _kept().get(to.id)
        if kept is None:
            raise Trouble(_("That table is no more."))
        if kept.journal is not None and not kept.journal.busy:
            return await open_table(reopening(str(kept.journal.path)))
        assert kept.ticket is not None
        return way(kept.ticket)


@dataclass(frozen=True, slots=True)
class _Kept:
    """A table that somebody may come back to: as its host, or by a ticket, or both."""

    id: str
    title: str
    when: float
    journal: Found | None
    ticket: Ticket | None

    @property
    def is_host(self) -> bool:
        return self.journal is not None


def _kept() -> dict[str, _Kept]:
    """All tables one may come back to, by a name of our own."""
    journals = _own_tables()
    kept: dict[str, _Kept] = {
        table: _Kept(table, found.name, found.changed, found, None)
        for table, found in journals.items()
    }
    for one in reversed(wallet().tickets()):
        ticket, journal = one.ticket, journals.get(one.ticket.table)
        mine = journal is not None and _is_here(ticket)
        name = ticket.table if mine else ticket.key.public.hex()
        kept[name] = _Kept(name, ticket.title, one.changed, journal if mine else None, ticket)
    return {
        name: one for name, one in kept.items() if one.ticket is not None or one.journal is not None
    }


def _own_tables() -> dict[str, Found]:
    """The journals of the tables that were opened here and not closed, by the tables' ids."""
    return {
        found.table: found
        for found in tables(state_folder() / "tables")
        if isinstance(found, Found) and not found.finished
    }


def _unreadable() -> list[Comeback]:
    """List the journals here that cannot be read, each with what is wrong."""
    return [
        Comeback(
            str(one.path), one.path.name, one.changed, is_host=True, problem=unopened(one.error)
        )
        for one in tables(state_folder() / "tables")
        if isinstance(one, Unreadable)
    ]


def _is_here(ticket: Ticket) -> bool:
    """Whether a ticket leads to this computer."""
    return any(address.host in LOOPBACK for address in ticket.addresses)


def reopening(journal: str) -> Opening:
    """A table that was open before, by its journal."""
    return Opening("", login(), Settings(), resume=journal)


def way(ticket: Ticket) -> Way:
    """The way to a table by a ticket; with what its host tells, if it was opened here."""
    kept, mine = wallet(), ticket.table in _own_tables() and _is_here(ticket)
    return Way(lambda hear: Client(ticket, hear, kept), _facts_of(ticket) if mine else None)


async def open_table(opening: Opening) -> Way:
    """Open a table in a process of its own, and its host player's way to it."""
    try:
        opened = await asyncio.to_thread(open_beside, opening)
    except asyncio.CancelledError:
        give_up()  # or who quits would wait for it
        raise
    ticket, kept = hosts_ticket(opened), wallet()
    return Way(lambda hear: Client(ticket, hear, kept), facts(opened))


def facts(opened: Opened) -> Facts:
    """What a host tells those who want to come."""
    addresses = reachable(opened.hosts, opened.port)
    line = ssh_line(login(), addresses[0].host, opened.port) if addresses else ""
    return Facts(opened.title, opened.code, tuple(map(str, addresses)), line)


def reachable(hosts: tuple[str, ...], port: int) -> list[Address]:
    """What can be typed to reach a table: not what means something on its own link alone."""
    kept = [at for at in hosts if not at.startswith("fe80:")] or hosts
    return [Address(at, port) for at in kept]


def ssh_line(user: str, host: str, port: int) -> str:
    """Return the line for a friend far away who may log in here.

    It names no room code, which `sabtui join` asks for: a command line is there for all to read.
    """
    return f"ssh -C -t {user}@{host} sabtui join localhost:{port}"


def _facts_of(ticket: Ticket) -> Facts:
    """What the host tells of a table that was opened before."""
    port = ticket.addresses[0].port
    code = "" if ticket.code is None else str(ticket.code)
    opened = Opened(title=ticket.title, port=port, code=code, hosts=tuple(own_addresses()))
    return facts(opened)
