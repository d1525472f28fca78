"""The stage: a club or a table that a room full of people sees, from a projector.

It watches and is nobody there, with keys of its own and never with those of a player: what it has
entered with before is kept apart from the seats of the person who runs it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from net.client.credentials import Credentials, CredentialStore
from net.client.dialer import lets_in
from net.client.remote import RemoteSession
from net.client.session import OnUpdate
from net.discovery.advert import NO_DOORS, DoorPorts
from net.discovery.mdns import own_addresses
from net.discovery.sockets import LOOPBACK_HOSTS
from net.secure.address import is_tunnel
from net.secure.code import BadCode, RoomCode
from sabtui.app.joining import SeveralTables, credentials_for, find, recent_credentials
from sabtui.app.launcher import credential_store, state_folder
from sabtui.app.requests import Invitation, JoinRequest, TableHandle, reachable
from sabtui.cli.requests import ask_code
from sabtui.club.visit import ClubVisit
from sabtui.plain.console import Console

STAGE: Final = "Stage"  # the name of what is kept of a stage; nobody else learns it


@dataclass(frozen=True, slots=True)
class StagePlace:
    """Place that a stage shows: credentials to watch it with, and the doors for guests."""

    credentials: Credentials
    doors: DoorPorts = NO_DOORS

    @property
    def handle(self) -> TableHandle:
        """The handle of the table, or of the club."""
        return ClubVisit(self.credentials, stage_store(), watch_table).hall()

    async def find_code(self, wrong: set[RoomCode]) -> RoomCode | None:
        """Return the code that lets people in now, `None` if this computer knows none that does.

        It may be one that the stage was given, that a club on this computer has saved, or that the
        program of a player on it has kept, who may be an organiser. Those that are found to be
        `wrong` are added there, and not tried again.

        Raises DialFailed: nobody says whether a code is right.
        """
        for code in _known_codes(self.credentials):
            if code not in wrong:
                if await lets_in(replace(self.credentials, code=code)):
                    return code
                wrong.add(code)
        return None

    def invitation(self, code: RoomCode | None) -> Invitation:
        """Return the invitation for people in the room: addresses, and a code if it is shown."""
        known = self.credentials.addresses
        there = [at for at in known if at.host not in LOOPBACK_HOSTS and not is_tunnel(at.host)]
        here = [at for at in known if at.host in LOOPBACK_HOSTS]
        if here:
            there = reachable(tuple(own_addresses()), here[0].port)
        shown = tuple(dict.fromkeys(map(str, there)))
        return Invitation(self.credentials.title, "" if code is None else str(code), shown)


def _known_codes(credentials: Credentials) -> Iterator[RoomCode]:
    """Yield the codes for a club or table that this computer knows, the likeliest first."""
    with suppress(OSError, BadCode, UnicodeDecodeError):
        yield RoomCode.parse(club_code_file(credentials.table).read_text())
    kept = [one.credentials for one in credential_store().list_stored()]
    for one in (credentials, *kept):
        if one.table == credentials.table and one.code is not None:
            yield one.code


def club_code_file(club: str) -> Path:
    """Return the file with the room code of a club that runs on this computer, by its id."""
    return state_folder() / "clubs" / f"{club}.code"


def stage_store() -> CredentialStore:
    """Return the store of what this user's stages have entered with."""
    return CredentialStore(state_folder() / "stages")


def watch_table(
    credentials: Credentials, on_update: OnUpdate, store: CredentialStore
) -> RemoteSession:
    """Return the session of a stage, which keeps no reports."""
    return RemoteSession(credentials, on_update, store, keeps_reports=False, is_stage=True)


async def find_stage_place(where: str = "", code: RoomCode | None = None) -> StagePlace:
    """Find the club or table that a stage is to show; what was shown before counts among several.

    `where` is its name or address as typed, empty for the only one there is.

    Raises:
        SeveralTables: more than one fits the request.
        UserError: there is none, or it cannot be joined.
    """
    store = stage_store()
    watcher = JoinRequest(STAGE, where, code, watch=True)
    before = [credentials.table for credentials in recent_credentials(watcher, store)]
    try:
        place = await find(where, before)
    except SeveralTables as several:
        several.command = "sabtui stage NAME"
        raise
    credentials = credentials_for(place, watcher, store)
    if code is not None:
        credentials = replace(credentials, code=code)
    return StagePlace(credentials, place.doors)


def ask_for_stage(where: str, code: RoomCode | None) -> tuple[StagePlace, RoomCode | None]:
    """Return what a stage is to show, and the code to find it again; ask for one that is missing.

    Raises:
        SeveralTables: more than one club or table fits.
        UserError: none can be joined, or input ended before the code was given.
    """
    place = asyncio.run(find_stage_place(where, code))
    credentials = place.credentials
    if credentials.pin is None and credentials.code is None:
        code = ask_code(credentials, Console())
        place = replace(place, credentials=replace(credentials, code=code))
    return place, code
