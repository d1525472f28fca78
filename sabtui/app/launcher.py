"""Opening a table, which is its own process: so no terminal of its host can stop it.

The process itself is `sabtui.app.table_process`.
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
"""How long a table that was opened from a face waits for people to come back before it ends."""

TABLE_START_TIMEOUT_S: Final = 30.0
"""Seconds that a table's process may take until it tells where the table is."""

_started: Final[list[subprocess.Popen[bytes]]] = []
"""Kept, or Python would complain that nobody waits for them."""

_opening: Final[set[subprocess.Popen[bytes]]] = set()
"""Those that have not told yet where their table is."""


class OpenTable(msgspec.Struct, frozen=True):
    """What a table is opened with.

    `host` is what the host player is called. Without a `code` one is drawn, unless the settings
    say that the table is open. `port` 0 is any of ours. With `resume`, the path of a journal, the
    rest but `idle_minutes` and `language`, in which it tells what is wrong, counts for nothing.
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
    """Where a table is: what its process tells once it is open. `code` is empty at an open table.

    `seat` is the public key of the host player's ticket in the wallet. `trouble` tells why there
    is no table, and then nothing else counts.
    """

    table: str = ""
    title: str = ""
    port: int = 0
    code: str = ""
    seat: bytes = b""
    hosts: tuple[str, ...] = ()
    trouble: str = ""


def state_folder() -> Path:
    """Where this user's tables and seats are kept."""
    return user_state_path("sabtui", appauthor=False)


def credential_store() -> CredentialStore:
    """This user's tickets."""
    return CredentialStore(state_folder() / "seats")


def resumable(wanted: str) -> str:
    """The journal of the table that was asked for, the newest of that name, empty where none was.

    Raises:
        Trouble: there is no such table that could go on.
    """
    if not wanted:
        return ""
    listed = list_journals(state_folder() / "tables")
    for one in listed:
        if isinstance(one, UnreadableJournal):  # told, and no hindrance for the others
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
        Trouble: there is no table.
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
    """End what is being opened: nobody waits for it any more."""
    for process in tuple(_opening):
        process.kill()


def host_credentials(opened: TableOpened) -> Credentials:
    """The ticket with which the host player comes to the table.

    Raises:
        Trouble: it is not in the wallet, as the disk did not take it.
    """
    for kept in credential_store().stored():
        if kept.credentials.key.public == opened.seat:
            return kept.credentials
    text = _("{folder} cannot be written: make room there, then sabtui host --resume.")
    raise UserError(text.format(folder=state_folder()))


def _told_by(process: subprocess.Popen[bytes], opening: bytes) -> bytes:
    """The line that a table's process answers; none where it ends, or has to be ended, before."""
    # What it is opened with goes through a pipe: a command line is there for everybody to read.
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
    """Start a table's process, in a session of its own: no hang-up or Ctrl+C of ours reaches it."""
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
