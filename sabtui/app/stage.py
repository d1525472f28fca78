"""The stage: a club or a table that a room full of people sees, from a projector.

It enters as a watcher, with keys of its own and never with those of a player, whose hand it would
show: what it has entered with before is kept apart from the seats of the person who runs it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from net.client.credentials import Credentials, CredentialStore
from net.client.session import OnUpdate
from net.discovery.advert import NO_DOORS, DoorPorts
from net.discovery.mdns import own_addresses
from net.discovery.sockets import LOOPBACK_HOSTS
from net.secure.code import RoomCode
from net.secure.tunnel import is_tunnel
from net.takeover.remote import RemoteSession
from sabtui.app.club_visit import ClubVisit
from sabtui.app.joining import SeveralTables, credentials_for, find, recent_credentials
from sabtui.app.launcher import state_folder
from sabtui.app.requests import Invitation, JoinRequest, TableHandle, reachable
from sabtui.text.i18n import _


@dataclass(frozen=True, slots=True)
class StageRequest:
    """A club or a table to show: a name or an address as typed, empty for the only one there is."""

    where: str = ""
    code: RoomCode | None = None


@dataclass(frozen=True, slots=True)
class StagePlace:
    """Place that a stage shows: credentials to watch it with, and the doors for guests."""

    credentials: Credentials
    doors: DoorPorts = NO_DOORS

    @property
    def handle(self) -> TableHandle:
        """The handle of the table, or of the club that answers in its place."""
        credentials, store = self.credentials, stage_store()
        return TableHandle(
            lambda on_update: watch_table(credentials, on_update, store),
            club=ClubVisit(credentials, store, watch_table),
        )

    @property
    def invitation(self) -> Invitation:
        """The invitation for people in the room: addresses, and the code if it is known here."""
        known, code = self.credentials.addresses, self.credentials.code
        there = [at for at in known if at.host not in LOOPBACK_HOSTS and not is_tunnel(at.host)]
        here = [at for at in known if at.host in LOOPBACK_HOSTS]
        if here:
            there = reachable(tuple(own_addresses()), here[0].port)
        shown = tuple(dict.fromkeys(map(str, there)))
        return Invitation(self.credentials.title, "" if code is None else str(code), shown)


def stage_store() -> CredentialStore:
    """Return the store of what this user's stages have entered with."""
    return CredentialStore(state_folder() / "stages")


def watch_table(
    credentials: Credentials, on_update: OnUpdate, store: CredentialStore
) -> RemoteSession:
    """Return the session of a watcher whose program never goes on with the table."""
    return RemoteSession(credentials, on_update, store, keeps_reports=False)


async def find_stage_place(request: StageRequest) -> StagePlace:
    """Find the club or table that is asked for; what was shown before counts among several.

    Raises:
        SeveralTables: more than one fits the request.
        UserError: there is none, or it cannot be joined.
    """
    store = stage_store()
    # Translators: the name of a projector's screen that watches the tables, such as: Stage.
    watcher = JoinRequest(_("Stage"), request.where, request.code, watch=True)
    before = [credentials.table for credentials in recent_credentials(watcher, store)]
    try:
        place = await find(request.where, before)
    except SeveralTables as several:
        several.command = "sabtui stage NAME"
        raise
    credentials = replace(credentials_for(place, watcher, store), watch=True)
    if request.code is not None:
        credentials = replace(credentials, code=request.code)
    return StagePlace(credentials, place.doors)
