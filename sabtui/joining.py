"""Joining a table, or coming back to it: which ticket a player goes with.

Knows the player's wallet. Must not know faces, nor how a link is kept up.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Final

from net.client.ticket import Ticket
from net.client.wallet import Kept, Wallet
from net.secure.code import RoomCode
from net.text import clean_name
from sabtui.finding import Place

LATELY: Final = 12 * 3600.0
"""Seconds for which one is taken to mean the table where one was last: an evening's."""


@dataclass(frozen=True, slots=True)
class Wish:
    """Who wants to come, and how. An empty `name` leaves it to `otherwise`, what one is called.

    A name asked for in so many words takes the seat that one has by that name, though another
    window may be using it; else only a seat that nobody uses is taken again, unless the game has
    begun and all that is left to a second player is to watch.
    """

    name: str
    otherwise: str
    code: RoomCode | None = None
    watch: bool = False


def ticket_for(place: Place, wish: Wish, wallet: Wallet) -> Ticket:
    """The ticket to go with: one that was kept for this table, or a new one."""
    here = [kept for kept in wallet.tickets() if _is_of(kept.ticket, place)]
    mine = [kept for kept in here if _may_take(kept, wish)]
    if not mine and place.has_begun and not wish.watch and not wish.name:
        mine = here  # there is no other seat to be had: the window that holds it may be dead
    if not mine:
        return new_ticket(place, wish)
    ticket = mine[0].ticket
    known = tuple(dict.fromkeys((*place.addresses, *ticket.addresses)))
    return replace(ticket, addresses=known)


def lately(wish: Wish, wallet: Wallet) -> list[Ticket]:
    """The tickets of the tables where one was not long ago, the last one first."""
    return [
        kept.ticket
        for kept in wallet.tickets()
        if time.time() - kept.changed < LATELY and _may_take(kept, wish)
    ]


def new_ticket(place: Place, wish: Wish) -> Ticket:
    """A ticket for somebody who was never there."""
    return Ticket(
        name=wish.name or wish.otherwise,
        addresses=place.addresses,
        table=place.table,
        title=place.title,
        code=wish.code,
        watch=wish.watch,
        may_differ=not wish.name,
    )


def _is_of(ticket: Ticket, place: Place) -> bool:
    """Whether a ticket is for a table: by its id, or where that is not known by an address."""
    if place.table:
        return ticket.table == place.table
    return any(address in ticket.addresses for address in place.addresses)


def _may_take(kept: Kept, wish: Wish) -> bool:
    if wish.name:
        return kept.ticket.name.casefold() == clean_name(wish.name).casefold()
    return not kept.in_use
