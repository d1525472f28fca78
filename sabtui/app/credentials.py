"""Choice of the credentials with which a player joins a table or comes back to it."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Final

from net.client.credentials import Credentials, CredentialStore, StoredCredentials
from net.protocol.text import clean_name
from net.security.code import RoomCode
from sabtui.app.locate import FoundTable

RECENT_S: Final = 12 * 3600.0
"""Age in seconds up to which a stored seat counts as recent: 12 hours, so one evening's game."""


@dataclass(frozen=True, slots=True)
class JoinOptions:
    """Options of a player who wants to join. Without a `name`, `otherwise` is the name to use.

    A `name` given explicitly takes back the seat stored under that name, even if another process
    may be using it. Without one, only a seat that no process uses is taken back, unless the game
    has begun: a second player could then only watch, so a seat in use is taken back, too.
    """

    name: str
    otherwise: str
    code: RoomCode | None = None
    watch: bool = False


def credentials_for(place: FoundTable, options: JoinOptions, store: CredentialStore) -> Credentials:
    """Return the credentials to join with: the stored ones for this table, or new ones."""
    here = [found for found in store.stored() if _is_of(found.credentials, place)]
    mine = [kept for kept in here if _may_take(kept, options)]
    if not mine and place.has_begun and not options.watch and not options.name:
        mine = here  # no other seat is left, and the process that holds it may hang
    if not mine:
        return new_credentials(place, options)
    credentials = mine[0].credentials
    known = tuple(dict.fromkeys((*place.addresses, *credentials.addresses)))
    return replace(credentials, addresses=known)


def recent_credentials(options: JoinOptions, store: CredentialStore) -> list[Credentials]:
    """Return the credentials of tables visited recently (see `RECENT_S`), the latest first."""
    return [
        found.credentials
        for found in store.stored()
        if time.time() - found.changed < RECENT_S and _may_take(found, options)
    ]


def new_credentials(place: FoundTable, options: JoinOptions) -> Credentials:
    """Return new credentials for a player who was never at this table."""
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
    """Return True if the credentials are for a table, by its id or, if unknown, by an address."""
    if place.table:
        return credentials.table == place.table
    return any(address in credentials.addresses for address in place.addresses)


def _may_take(stored: StoredCredentials, options: JoinOptions) -> bool:
    """Return True if stored credentials may be used: the name asked for, else not in use."""
    if options.name:
        return stored.credentials.name.casefold() == clean_name(options.name).casefold()
    return not stored.in_use
