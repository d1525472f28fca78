"""The program of a club, which `sabtui club` runs in its terminal until it is stopped."""

from __future__ import annotations

import asyncio
import logging
import sys
from contextlib import ExitStack, suppress
from datetime import date
from functools import partial
from pathlib import Path
from typing import Final

from net.discovery.networks import own_addresses
from net.protocol.board import Night
from net.protocol.cleaning import clean_name
from net.protocol.doors import DoorNow, DoorTrouble
from net.secure.code import RoomCode
from net.server.journal_format import JournalBroken, JournalError
from net.server.process import collect_rarely, hide_memory
from net.server.tables import ServerOptions
from sabtui.app import errors, launcher, requests, table_process, tables
from sabtui.cli.args import Arguments
from sabtui.cli.play import (
    how_to_stop,
    log_little,
    own_command,
    print_code,
    print_door_news,
    read_doors,
    read_speed,
)
from sabtui.club.folder import HostedClub, open_club
from sabtui.club.server import ClubServer
from sabtui.club.text import save_night
from sabtui.text import audit
from sabtui.text.door_words import door_reopens
from sabtui.text.i18n import _

if sys.platform != "win32":
    import resource

_log = logging.getLogger(__name__)

IDLE_TABLE_S: Final = 600.0
"""Seconds without anybody after which a club's table is closed, unless its game has begun."""

MAX_FILES: Final = 8192
"""Files that a club may have open: three for each table, one for each connection."""


def allow_files(most: int) -> None:
    """Let this process open this many files, or as many as the system allows.

    The usual limit, 1,024 on Linux and 256 on macOS, is too low for many tables.
    """
    if sys.platform != "win32":
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = most if hard == resource.RLIM_INFINITY else min(most, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            with suppress(OSError, ValueError):  # macOS may refuse even what it says is allowed
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def run_club(asked: Arguments) -> int:
    """Run a club in this terminal until it is stopped; return the exit code.

    It is the existing club of that name, with its own code unless one is given, or a new club.

    Raises UserError: the club cannot be opened, or a door that is asked for.
    """
    launcher.check_doors(read_doors(asked))
    log_little()
    hide_memory()
    allow_files(MAX_FILES)
    asyncio.run(_serve_club(asked))
    return 0


def _open(name: str, asked: Arguments) -> HostedClub:
    """Open a club. Raises `UserError`: it cannot be opened."""
    folder = launcher.state_folder() / "clubs"
    try:
        return open_club(folder, name, asked.code)
    except JournalBroken as error:
        advice = _("Move that file away to open a new club.")
        raise errors.UserError(f"{audit.why_no_journal(error)} {advice}") from error
    except JournalError as error:
        raise errors.UserError(audit.why_no_journal(error)) from error


async def _serve_club(asked: Arguments) -> None:
    with ExitStack() as undone:
        name = clean_name(asked.title) or "Sabtui"
        club = _open(name, asked)
        undone.callback(club.journal.close)
        claim = table_process.claim_table_port(asked.port or 0, club.port)
        undone.pop_all()

    def say(*lines: str) -> None:
        print(*lines, sep="\n", flush=True)  # noqa: T201 - this is the command's output

    def say_door(door: DoorNow, code: RoomCode | None) -> None:
        if door.trouble is DoorTrouble.ENDED:
            say(door_reopens(door.kind))
        else:
            print_door_news(door, code)

    nights = club.tables / "nights"
    options = ServerOptions(
        idle_seconds=IDLE_TABLE_S,
        doors=launcher.serve_doors(),
        on_door=say_door,
        on_code=print_code,
        pace=requests.pace_among_people(read_speed(asked)),
    )
    server = ClubServer(
        club,
        claim,
        options,
        read_doors(asked),
        on_night=partial(_save_night, nights),
    )
    table_process.heed_signals(server.stop)
    opened = launcher.TableOpened(
        table=club.id,
        title=club.name,
        port=claim.port,
        code=str(club.code),
        hosts=tuple(own_addresses()),
    )
    say(
        *audit.journal_warnings(club.journal),
        *requests.invitation_lines(tables.invitation_of(opened)),
        _("Organiser password, for you alone (o in the hall): {password}").format(
            password=club.password
        ),
        _("The results of its nights are saved in {folder}").format(folder=nights),
        how_to_stop(own_command("club", club.name)),
    )
    collect_rarely()
    await server.run()


def _save_night(folder: Path, night: Night) -> None:
    """Save the results of a night, under the date on which its first round was drawn."""
    if not night.rounds:
        return
    mark = night.rounds[0].seed.hex()[:6]
    today = date.today().isoformat()  # noqa: DTZ011 - the local day
    path = next(folder.glob(f"*-{mark}.csv"), folder / f"{today}-{mark}.csv")
    try:
        save_night(night, path)
    except OSError as error:
        _log.warning("the results of the night cannot be saved: %s", error)
