"""The program of a guest's screen at a door, and of the nursery that forks it.

    python -m sabtui.doors.guest_program screens SOCKET    (or `lines`, for pages)

The program confines itself with what an unprivileged process may do to itself. Everywhere on POSIX:
limits on memory, files and their size. On Linux also: no program gains new rights, and Landlock
allows only the files of Python and Sabtui, none of which can be written or run, and those in the
guest's own folder. Without Landlock (before Linux 5.13, or where it is turned off) files are out of
reach only as far as the screens do not ask for them; before 6.2 a file that the account may write
could still be emptied.

Processes are not limited, since that limit counts all processes of the user, nor are connections.

A screen's order is a `GuestOrder`. The program joins that table as that person, on screens or, for
a page, in lines of JSON, and ends when the guest leaves it. It writes only its own settings and
seat, in the folder that is its home, and can read none of the host's files.
"""

from __future__ import annotations

import ctypes
import os
import signal
import struct
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from net.client.credentials import Credentials, CredentialStore
from net.client.remote import RemoteSession
from net.client.session import OnUpdate
from net.discovery.networks import LOOPBACK_HOSTS
from net.protocol.cleaning import clean_name, sanitise
from net.secure.address import Address
from net.secure.keys import SeatKey
from net.server.process import hide_memory
from sabtui.app.errors import complain
from sabtui.app.launcher import credential_store
from sabtui.app.log import keep_off_terminal
from sabtui.app.preferences import PreferencesStore, usual_path
from sabtui.app.requests import own_dwarf
from sabtui.app.terminal import prepare_streams, why_no_screen
from sabtui.club.lines import visit_in_lines
from sabtui.club.visit import ClubVisit, stage_store, watch_table
from sabtui.doors.guest_screen import GuestOrder
from sabtui.plain.json_table import JsonConsole
from sabtui.text.i18n import choose_language, load_locale, set_language
from sabtui.text.seats import guest_seat_kept

if TYPE_CHECKING:
    from sabtui.app.tables import TableService

if sys.platform != "win32":
    import fcntl
    import resource
    import termios

    from sabtui.doors.forking import serve_births

LOADED: Final = {
    "screens": (
        "net.secure.curves",
        "sabtui.after",
        "sabtui.club.screens",
        "sabtui.kit",
        "sabtui.tui.app",
        "sabtui.tui.lobby.screen",
        "sabtui.tui.navigation",
        "sabtui.tui.palette",
        "sabtui.tui.screens.rules",
        "sabtui.tui.table.screen",
        "textual.drivers.headless_driver",
        "textual.layouts.factory",
        "textual.layouts.horizontal",
        "textual.layouts.stream",
        "textual.pilot",
    ),
    "lines": ("net.secure.curves", "sabtui.after", "sabtui.club.lines", "sabtui.kit"),
}
"""Modules that each kind of nursery loads: all that its screens would load later, each for itself.

For a terminal that is 22 MB of a screen's own memory in place of 47, for a page 12 in place of 29.
"""

MAX_DATA_BYTES: Final = 1 << 29
"""Maximum memory that a guest's screen may use (512 MiB); it needs about 60 MiB."""

MAX_WRITTEN_BYTES: Final = 1 << 20  # largest file in bytes (1 MiB) that it can write
MAX_OPEN_FILES: Final = 128
NICENESS: Final = 5  # so that the table's process comes first, whatever a guest types or pastes

SYSTEM_FOLDERS: Final = ("/usr", "/lib", "/lib64", "/etc", "/nix/store", "/gnu/store")
"""System folders in which Python may look for what it has not loaded yet."""

_PR_SET_NO_NEW_PRIVS: Final = 38  # from `<linux/prctl.h>`

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
"""Numbers of Landlock's system calls, the same on all processors."""

_WRITE_FILE, _READ_FILE, _READ_FOLDER = 1 << 1, 1 << 2, 1 << 3
_EXECUTE: Final = 1 << 0
_PATH_BENEATH: Final = 1  # kind of a rule about a file, or a folder and all that is in it
_RIGHTS: Final = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1}
"""All rights to files that Landlock knows, by its version; later versions add none."""


def confine(home: Path) -> None:
    """Give up for good what a guest's screen does not need; `home` is the guest's own folder."""
    if sys.platform != "win32":
        for limit, most in (
            (resource.RLIMIT_DATA, MAX_DATA_BYTES),
            (resource.RLIMIT_FSIZE, MAX_WRITTEN_BYTES),
            (resource.RLIMIT_NOFILE, MAX_OPEN_FILES),
        ):
            with suppress(OSError, ValueError):  # the system's own limit is lower
                resource.setrlimit(limit, (most, most))
        os.nice(NICENESS)
        hide_memory()
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # a C library or system without it
            _enter_landlock(home)


def _list_readable(home: Path) -> list[Path]:
    """Return the files and folders that a guest's screen may read."""
    ours = (Path(part) for part in (*sys.path, sys.prefix, sys.base_prefix) if part)
    system = (Path(folder) for folder in SYSTEM_FOLDERS)
    return [path for path in (*ours, *system, Path("/dev/urandom"), home) if path.exists()]


def _enter_landlock(home: Path) -> None:
    """Give up all files but those of `_list_readable`, which may be read, and the guest's folder.

    Raises OSError: the system has no Landlock, and all files stay in reach.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    version = _call(libc, _CREATE_RULESET, None, 0, 1)
    rights = _RIGHTS[min(version, max(_RIGHTS))]
    ruleset = _call(libc, _CREATE_RULESET, struct.pack("=Q", rights), 8, 0)
    try:
        _allow(libc, ruleset, _list_readable(home), _READ_FILE | _READ_FOLDER)
        _allow(libc, ruleset, [home], rights & ~_EXECUTE)
        _allow(libc, ruleset, [Path(os.devnull)], _READ_FILE | _WRITE_FILE)
        _call(libc, _RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow(libc: ctypes.CDLL, ruleset: int, paths: Iterable[Path], rights: int) -> None:
    """Allow these rights to files, and to everything in folders, in a Landlock ruleset."""
    for path in paths:
        # Landlock refuses to give a file the rights that only folders have.
        fitting = rights if path.is_dir() else rights & (_READ_FILE | _WRITE_FILE)
        with suppress(OSError):  # gone, or not ours to open
            opened = os.open(path, getattr(os, "O_PATH", 0))
            try:
                rule = struct.pack("=Qi", fitting, opened)
                _call(libc, _ADD_RULE, ruleset, _PATH_BENEATH, rule, 0)
            finally:
                os.close(opened)


def _call(libc: ctypes.CDLL, number: int, *arguments: int | bytes | None) -> int:
    """Make the system call with this number, and return its result; raises OSError."""
    result = int(libc.syscall(number, *arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def run_screen(sent: bytes) -> int:
    """Run the screen of the guest whose order was sent; return the exit code."""
    order = msgspec.json.decode(sent, type=GuestOrder)
    if not order.lines and sys.platform != "win32":
        with suppress(OSError):
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # so that we end with the terminal
    confine(Path.home())
    keep_off_terminal()
    preferences = PreferencesStore(usual_path())
    set_language(load_locale(choose_language(preferences.read()[0].language, os.environ)))
    if order.lines:
        return _visit_in_lines(order)
    if why := why_no_screen(os.environ):
        complain(why)
        return 1
    from sabtui.tui.app import SabtuiApp, run  # noqa: PLC0415 - a page needs no screens

    app = SabtuiApp(_no_tables, preferences, handle=_begin_visit(order).hall(), is_guest=True)
    code = run(app)
    farewell = app.farewell or guest_seat_kept()
    sys.stdout.write(f"{sanitise(farewell)}\n")
    return code


def _visit_in_lines(order: GuestOrder) -> int:
    """Play in lines of JSON, or watch as a stage, until the guest leaves; return the exit code."""
    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit())  # with a goodbye to the table
    if order.stage:
        store = stage_store()
        visit = ClubVisit(find_credentials(order, store), store, watch_table)
    else:
        visit = _begin_visit(order)
    console = JsonConsole()
    console.keeps_files = False
    return visit_in_lines(visit.hall(), console, (), is_on_autopilot=False)


def _begin_visit(order: GuestOrder) -> ClubVisit:
    store = credential_store()
    outside = (Address(order.host, order.port),) if order.host else ()

    def make(kept: Credentials, on_update: OnUpdate, store: CredentialStore) -> RemoteSession:
        return RemoteSession(kept, on_update, store, outside=outside, dwarf=own_dwarf())

    return ClubVisit(find_credentials(order, store), store, make)


def find_credentials(order: GuestOrder, store: CredentialStore) -> Credentials:
    """Return the credentials stored with the order's seat key, else new ones, to join with."""
    addresses = (Address(LOOPBACK_HOSTS[0], order.port),)
    for stored in store.list_stored():
        if stored.credentials.key.secret == order.key and not stored.credentials.club:
            return replace(stored.credentials, addresses=addresses, at_door=True)
    return Credentials(
        name=clean_name(order.name),
        addresses=addresses,
        key=SeatKey(order.key),
        table=order.table,
        title=order.title,
        pin=order.pin,
        at_door=True,
    )


def _no_tables() -> TableService:
    """Refuse: a guest is at one table, and none of their screens asks for others."""
    raise AssertionError("a guest's screen asks for tables")


if __name__ == "__main__" and sys.platform != "win32":
    kind, control = sys.argv[1:]
    prepare_streams()
    for module in LOADED[kind]:
        import_module(module)
    sys.exit(serve_births(run_screen, int(control)))
