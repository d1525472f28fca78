"""Starting a table in a process of its own, so that closing the host's terminal cannot stop it.

The program that runs there is `sabtui.app.table_process`. It reads an `OpenTable` from standard
input and answers with a `TableOpened`.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

import msgspec
from msgspec.structs import replace
from platformdirs import user_state_path

from net.client.credentials import Credentials, CredentialStore
from net.journal import JournalInfo, UnreadableJournal, list_journals
from net.lobby import Settings
from net.server.bot_process import environment, python
from sabtui.app.errors import UserError, complain
from sabtui.app.names import ANY_TABLE, DEFAULT_BOT_LEVEL
from sabtui.text.errors import system_words
from sabtui.text.i18n import ENGLISH, _, current_language
from sabtui.text.journals import unopened

MAX_IDLE_MINUTES: Final = 60
"""Minutes that a table opened from an interface waits for absent players before it ends."""

TABLE_START_TIMEOUT_S: Final = 30.0
"""Seconds that a table's process may take to report that the table is open."""

_started: Final[list[subprocess.Popen[bytes]]] = []
"""Processes started here: referenced, so that Python does not warn about unreaped children."""

_opening: Final[set[subprocess.Popen[bytes]]] = set()
"""Processes that have not reported yet that their table is open."""


class OpenTable(msgspec.Struct, frozen=True):
    """Options for opening a table.

    `host` is the host player's name. Without a `code` a random one is chosen, unless the settings
    make the table open. `port` 0 means any port of our range. `resume` is the path of a journal; if
    set, all other fields are ignored, except `idle_minutes` and `language`, which is the language
    of error messages.
    """

    title: str
    host: str
    settings: Settings = Settings()
    bots: int = 0
    level: str = DEFAULT_BOT_LEVEL
    code: str = ""
    port: int = 0
    resume: str = ""
    idle_minutes: int = MAX_IDLE_MINUTES
    language: str = ENGLISH


class TableOpened(msgspec.Struct, frozen=True):
    """Report of a table's process: the address of the open table, or `trouble`.

    `code` is empty for an open table. `seat` is the public key of the host player's credentials in
    the credential store. `trouble` is the reason for a failure; if it is set, ignore all other
    fields.
    """

    table: str = ""
    title: str = ""
    port: int = 0
    code: str = ""
    seat: bytes = b""
    hosts: tuple[str, ...] = ()
    trouble: str = ""


def state_folder() -> Path:
    """Return the folder that holds this user's tables and seats."""
    return user_state_path("sabtui", appauthor=False)


def credential_store() -> CredentialStore:
    """Return this user's credential store."""
    return CredentialStore(state_folder() / "seats")


def resumable(wanted: str) -> str:
    """Return the path of the newest unfinished journal of a table, "" if none is asked for.

    `wanted` is the table's name, or `ANY_TABLE` for the newest of all.

    Raises:
        UserError: no such table can be resumed.
    """
    if not wanted:
        return ""
    listed = list_journals(state_folder() / "tables")
    for one in listed:
        if isinstance(one, UnreadableJournal):  # reported, but others can be resumed
            complain(f"sabtui: {unopened(one.error)}")
    there = [found for found in listed if isinstance(found, JournalInfo)]
    if wanted != ANY_TABLE:
        there = [one for one in there if one.name.casefold() == wanted.casefold()]
    open_ones = [one for one in there if not one.finished]
    if open_ones:
        return str(open_ones[0].path)
    if there:
        text = _("{table} was closed for good, and is not brought back.")
        raise UserError(text.format(table=there[0].name))
    raise UserError(_("There is no table to bring back: sabtui host opens one."))


def start_table(to_open: OpenTable) -> TableOpened:
    """Start a table's process, which outlives this one, and wait until the table is open.

    Raises:
        UserError: the table could not be opened.
    """
    folder = state_folder()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        log = (folder / "last-table.log").open("wb")
    except OSError as error:
        text = _("{folder} cannot be written ({problem}): make room there.")
        raise UserError(text.format(folder=folder, problem=system_words(error))) from error
    with log:
        process = _start(log)
    line = _told_by(process, msgspec.json.encode(replace(to_open, language=current_language())))
    try:
        opened = msgspec.json.decode(line, type=TableOpened)
    except msgspec.DecodeError:
        text = _("The table could not be opened; {log} tells why.")
        raise UserError(text.format(log=folder / "last-table.log")) from None
    if opened.trouble:
        raise UserError(opened.trouble)
    return opened


def give_up() -> None:
    """Kill the table processes that are still starting: nobody waits for them any more."""
    for process in tuple(_opening):
        process.kill()


def host_credentials(opened: TableOpened) -> Credentials:
    """Return the credentials with which the host player joins the table.

    Raises:
        UserError: they are not in the credential store, because the disk did not take them.
    """
    for kept in credential_store().stored():
        if kept.credentials.key.public == opened.seat:
            return kept.credentials
    text = _("{folder} cannot be written: make room there, then sabtui host --resume.")
    raise UserError(text.format(folder=state_folder()))


def _told_by(process: subprocess.Popen[bytes], opening: bytes) -> bytes:
    """Send the options to a table's process; return its reply line, b"" if it ends or times out."""
    # The options contain the room code: a pipe is private, a command line is not.
    assert process.stdin is not None
    assert process.stdout is not None
    patience = threading.Timer(TABLE_START_TIMEOUT_S, process.kill)
    patience.start()
    _opening.add(process)
    try:
        with process.stdout:
            with suppress(BrokenPipeError), process.stdin:
                process.stdin.write(opening + b"\n")
            return process.stdout.readline()
    except KeyboardInterrupt:
        process.kill()
        raise
    finally:
        patience.cancel()
        _opening.discard(process)


def _start(log: IO[bytes]) -> subprocess.Popen[bytes]:
    """Start a table's process in its own session, out of reach of our hang-up signal and Ctrl+C."""
    command = python("-m", "sabtui.app.table_process")
    pipe, env = subprocess.PIPE, environment()
    process: subprocess.Popen[bytes]
    if sys.platform == "win32":
        apart = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
        process = subprocess.Popen(  # noqa: S603 - ourselves
            command, stdin=pipe, stdout=pipe, stderr=log, env=env, creationflags=apart
        )
    else:
        process = subprocess.Popen(  # noqa: S603 - ourselves
            command, stdin=pipe, stdout=pipe, stderr=log, env=env, start_new_session=True
        )
    _started.append(process)
    return process
