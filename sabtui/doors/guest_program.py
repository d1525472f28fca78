"""The program of a guest's screen at a door: `python -m sabtui.doors.guest_program FILE`.

FILE is the number of an open file that holds a `GuestOrder`. The program joins that table as that
person, on screens or, for a page, in lines of JSON, and ends when the guest leaves it. It writes no
files but its own settings and seat, in the folder that is its home, and can read none of the host's
(`sabtui.doors.confinement`).
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from net.client.credentials import Credentials, CredentialStore
from net.client.remote import RemoteSession
from net.client.session import OnUpdate
from net.protocol.text import clean_name, sanitise
from net.secure.address import Address
from net.secure.code import BadCode, RoomCode
from net.secure.keys import SeatKey
from sabtui.app.errors import complain
from sabtui.app.launcher import credential_store
from sabtui.app.log_file import keep_off_terminal
from sabtui.app.preferences import PreferencesStore, usual_path
from sabtui.app.rooms import rooms
from sabtui.app.terminal import no_screen, prepare_streams, why_no_screen
from sabtui.doors.confinement import confine
from sabtui.doors.guest_screen import GuestOrder
from sabtui.plain.json_table import JsonConsole
from sabtui.text.i18n import _, choose_language, load_locale, set_language
from sabtui.tui.app import SabtuiApp, run

if TYPE_CHECKING:
    from sabtui.app.requests import HallVisit
    from sabtui.app.tables import TableService

if sys.platform != "win32":
    import fcntl
    import termios


def main(file: int) -> int:
    """Run the screen of the guest whose order an open file holds; return the exit code."""
    order = _order(file)
    if order.lines:
        _take_socket()
    else:
        _take_terminal()
    confine(Path.home())
    keep_off_terminal()
    preferences = PreferencesStore(usual_path())
    set_language(load_locale(choose_language(preferences.read()[0].language, os.environ)))
    if order.lines:
        return _visit_in_lines(order)
    why = why_no_screen(os.environ)
    if why is not None:
        complain(no_screen(why, os.environ.get("TERM", "")))
        return 1
    app = _screens(order, preferences)
    code = run(app)
    farewell = app.farewell or _("Your seat is kept: come back the same way.")
    sys.stdout.write(f"{sanitise(farewell)}\n")
    return code


def _screens(order: GuestOrder, preferences: PreferencesStore) -> SabtuiApp:
    """Return the app of a guest who is at the table, or on the way there."""
    return SabtuiApp(_no_tables, preferences, handle=_visit(order).hall(), is_guest=True)


def _visit_in_lines(order: GuestOrder) -> int:
    """Play, or watch as a stage does, for a page until the guest leaves; return the exit code."""
    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit())  # and says goodbye
    if order.stage:
        visit_as_stage = next(room.visit_as_stage for room in rooms() if room.visit_as_stage)
        visit = visit_as_stage(partial(credentials_of, order))
    else:
        visit = _visit(order)
    console = JsonConsole()
    console.keeps_files = False
    visit_in_lines = next(room.visit_in_lines for room in rooms() if room.visit_in_lines)
    return visit_in_lines(visit.hall(), console, (), False)  # noqa: FBT003 - on no autopilot


def _visit(order: GuestOrder) -> HallVisit:
    """Begin the visit of the order's place, which may have a hall."""
    store = credential_store()
    visit = next(room.visit for room in rooms() if room.visit)
    return visit(credentials_of(order, store), store, _session)


def _session(
    credentials: Credentials, on_update: OnUpdate, store: CredentialStore
) -> RemoteSession:
    return RemoteSession(credentials, on_update, store, keeps_reports=False)


def credentials_of(order: GuestOrder, store: CredentialStore) -> Credentials:
    """Return the credentials to join with: those stored under the order's key, else new ones."""
    address = Address(order.host, order.port)
    code = None
    with suppress(BadCode):  # as somebody has typed it
        code = RoomCode.parse(order.code)
    for stored in store.list_stored():
        if stored.credentials.key.secret == order.key and not stored.credentials.club:
            return replace(
                stored.credentials,
                addresses=(address,),
                code=code or stored.credentials.code,
                at_door=True,
            )
    return Credentials(
        name=clean_name(order.name),
        addresses=(address,),
        key=SeatKey(order.key),
        table=order.table,
        title=order.title,
        pin=order.pin or None,
        code=code,
        at_door=True,
    )


def _order(file: int) -> GuestOrder:
    """Read the order from an open file, and close it."""
    with open(file, "rb") as pipe:
        return msgspec.json.decode(pipe.read(), type=GuestOrder)


def _no_tables() -> TableService:
    """Refuse: a guest is at one table, and no screen of theirs asks for others."""
    raise AssertionError("a guest's screen asks for tables")


def _take_socket() -> None:
    """Write to the socket that is our standard output: when forked, we were loaded with another."""
    sys.stdout = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # what is said there is no line of JSON


def _take_terminal() -> None:
    """Take the terminal as our own: its end then ends us."""
    if sys.platform != "win32":
        with suppress(OSError):
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)


if __name__ == "__main__":
    prepare_streams()
    sys.exit(main(int(sys.argv[1])))
