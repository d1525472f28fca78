"""Starting a table in a process of its own, so that closing the host's terminal does not end it.

The program that runs there is `sabtui.app.table_process`. It reads a `LaunchOptions` from standard
input and answers with a `TableOpened`.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

import msgspec
from platformdirs import user_state_path

from net.client.credentials import Credentials, CredentialStore
from net.files import open_to_append, private_folder
from net.protocol.doors import DoorKind
from net.server.process import environment, python
from sabtui.app.errors import UserError
from sabtui.app.features import DoorProgram, features
from sabtui.app.requests import HostRequest, ReopenRequest
from sabtui.text import door_words, errors
from sabtui.text.i18n import ENGLISH, current_language

if TYPE_CHECKING:
    from net.server.doors import ServeDoor

MAX_IDLE_MINUTES: Final = 2
"""Minutes that a table opened from an interface waits for absent players before it ends."""

LOG_NAME: Final = "tables.log"
"""Log of all tables that are opened from an interface, in the folder of tables and seats."""

MAX_LOG_BYTES: Final = 1 << 22
"""Bytes (4 MiB) of that log beyond which the next table starts a new one."""

TABLE_START_TIMEOUT_S: Final = 30.0
"""Seconds that a table's process may take to report that the table is open."""

_started: Final[list[subprocess.Popen[bytes]]] = []
"""Processes started here: referenced, so that Python does not warn about unreaped children."""

_opening: Final[set[subprocess.Popen[bytes]]] = set()
"""Processes that have not reported yet that their table is open."""


class LaunchOptions(msgspec.Struct, frozen=True):
    """Order to a table's process: what to open, and the language of its error messages."""

    request: HostRequest | ReopenRequest
    idle_minutes: int = MAX_IDLE_MINUTES  # without players until the table ends; 0 means never
    language: str = ENGLISH
    start_with: int = 0  # people with whom it begins automatically; a resumed table keeps its own


class TableOpened(msgspec.Struct, frozen=True):
    """Report of a table's process: the address of the open table, or `trouble`."""

    table: str = ""
    title: str = ""
    port: int = 0
    code: str = ""  # empty for an open table
    seat: bytes = b""  # public key of the host player's credentials in the credential store
    hosts: tuple[str, ...] = ()
    starts_with: int = 0  # people with whom the game starts automatically, 0 for never
    warnings: tuple[str, ...] = ()  # sentences for the host
    trouble: str = ""  # the reason for a failure; if it is set, ignore all other fields


def state_folder() -> Path:
    """Return the folder that holds this user's tables and seats."""
    return user_state_path("sabtui", appauthor=False)


def credential_store() -> CredentialStore:
    return CredentialStore(state_folder() / "seats")


def start_table(request: HostRequest | ReopenRequest) -> TableOpened:
    """Start a table's process, which outlives this one, and wait until the table is open.

    Raises `UserError`: it could not be opened.
    """
    folder = state_folder()
    try:
        private_folder(folder)
        log = open_to_append(folder / LOG_NAME)
        if log.tell() > MAX_LOG_BYTES:
            log.truncate(0)
    except OSError as error:
        raise UserError(errors.not_written(folder, error)) from error
    try:
        with log:
            process = _start(log)
    except OSError as error:  # no processes are left
        raise UserError(errors.not_opened(errors.system_words(error))) from error
    options = LaunchOptions(request, language=current_language())
    line = _reply_of(process, msgspec.json.encode(options))
    try:
        opened = msgspec.json.decode(line, type=TableOpened)
    except msgspec.DecodeError:
        raise UserError(errors.not_opened(folder / LOG_NAME)) from None
    if opened.trouble:
        raise UserError(opened.trouble)
    return opened


def give_up() -> None:
    """Kill the table processes that are still starting: nobody waits for them now."""
    for process in tuple(_opening):
        process.kill()


def host_credentials(opened: TableOpened) -> Credentials:
    """Return the host player's credentials. Raises `UserError`: they cannot be read."""
    for kept in credential_store().list_stored():
        if kept.credentials.key.public == opened.seat:
            return kept.credentials
    raise UserError(errors.seat_lost(opened.title))


def _reply_of(process: subprocess.Popen[bytes], options: bytes) -> bytes:
    """Send the options to a table's process; return its reply line, b"" if it ends or times out."""
    # The options contain the room code: a pipe is private, a command line is not.
    assert process.stdin is not None
    assert process.stdout is not None
    timeout = threading.Timer(TABLE_START_TIMEOUT_S, process.kill)
    timeout.start()
    _opening.add(process)
    try:
        with process.stdout:
            # If the process has died, the empty reply says so.
            with suppress(BrokenPipeError), process.stdin:
                process.stdin.write(options + b"\n")
            return process.stdout.readline()
    except KeyboardInterrupt:
        process.kill()
        raise
    finally:
        timeout.cancel()
        _opening.discard(process)


def _start(log: IO[bytes]) -> subprocess.Popen[bytes]:
    """Start a table's process in its own session, out of reach of our hang-up signal and Ctrl+C."""
    flags = 0
    if sys.platform == "win32":  # which has no sessions
        flags = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
    process = subprocess.Popen(  # noqa: S603 - ourselves
        python("-m", "sabtui.app.table_process"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        env=environment(),
        creationflags=flags,
        start_new_session=True,
    )
    _started[:] = [*(running for running in _started if running.poll() is None), process]
    return process


HAS_TERMINALS: Final = sys.platform != "win32"
"""True if a program can be given a terminal of its own, as each guest's screen is."""


def find_doors() -> dict[DoorKind, DoorProgram]:
    """Return the program of each kind of door. A kind has the name of the extra that it needs."""
    return {DoorKind(door.kind): door for feature in features() for door in feature.doors}


def serve_doors() -> dict[DoorKind, ServeDoor]:
    """Return what serves each kind of door, in the present language."""
    folder, language = state_folder() / "doors", current_language()
    return {
        kind: door.serve_by(door.arguments, folder, language) for kind, door in find_doors().items()
    }


def why_no_door(kind: DoorKind) -> str | None:
    """Explain why a door cannot be opened here; `None` if it can."""
    if not HAS_TERMINALS:
        return door_words.no_doors_here()
    return None if find_spec(find_doors()[kind].library) else door_words.extra_missing(kind)


def check_doors(kinds: Iterable[DoorKind]) -> None:
    """Raise `UserError`, which says what to do, if one of these doors cannot be opened here."""
    for trouble in filter(None, map(why_no_door, kinds)):
        raise UserError(trouble)
