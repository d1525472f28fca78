"""Joining a table, or coming back to it: which ticket a player goes with."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Final

from net.client.credentials import Credentials, CredentialStore, StoredCredentials
from net.protocol.text import clean_name
from net.security.code import RoomCode
from sabtui.app.locate import FoundTable

RECENT_S: Final = 12 * 3600.0
"""Seconds for which one is taken to mean the table where one was last: an evening's."""


@dataclass(frozen=True, slots=True)
class JoinOptions:
    """Who wants to come, and how. An empty `name` leaves it to `otherwise`, what one is called.

    A name asked for in so many words takes the seat that one has by that name, though another
    window may be using it; else only a seat that nobody uses is taken again, unless the game has
    begun and all that is left to a second player is to watch.
    """

    name: str
    otherwise: str
    code: RoomCode | None = None
    watch: bool = False


def credentials_for(place: FoundTable, options: JoinOptions, store: CredentialStore) -> Credentials:
    """The ticket to go with: one that was kept for this table, or a new one."""
    here = [found for found in store.stored() if _is_of(found.credentials, place)]
    mine = [kept for kept in here if _may_take(kept, options)]
    if not mine and place.has_begun and not options.watch and not options.name:
        mine = here  # there is no other seat to be had: the window that holds it may be dead
    if not mine:
        return new_credentials(place, options)
    credentials = mine[0].credentials
    known = tuple(dict.fromkeys((*place.addresses, *credentials.addresses)))
    return replace(credentials, addresses=known)


def recent_credentials(options: JoinOptions, store: CredentialStore) -> list[Credentials]:
    """The tickets of the tables where one was not long ago, the last one first."""
    return [
        found.credentials
        for found in store.stored()
        if time.time() - found.changed < RECENT_S and _may_take(found, options)
    ]


def new_credentials(place: FoundTable, options: JoinOptions) -> Credentials:
    """A ticket for somebody who was never there."""
    return Credentials(
        name=options.name or options.otherwise,
        addresses=place.addresses,
        table=place.table,
        title=place.title,
        code=options.code,
        watch=options.watch,
        may_differ=not options.name,
    )


def _is_of(credentials: Credentials, place: FoundTable) -> bool:
    """Whether a ticket is for a table: by its id, or where that is not known by an address."""
    if place.table:
        return credentials.table == place.table
    return any(address in credentials.addresses for address in place.addresses)


def _may_take(stored: StoredCredentials, options: JoinOptions) -> bool:
    if options.name:
        return stored.credentials.name.casefold() == clean_name(options.name).casefold()
    return not stored.in_use
