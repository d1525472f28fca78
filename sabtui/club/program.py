"""The program of a club, which `sabtui club` runs in its terminal until it is stopped.

`run_club` says in lines what the club's owner is to know.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import Final

from net.discovery.networks import own_addresses
from net.protocol.board import Night
from net.protocol.doors import DoorKind, DoorNow, DoorTrouble
from net.protocol.text import clean_name
from net.secure.code import RoomCode
from net.server.journal_format import JournalError
from net.server.process import allow_files, collect_rarely, hide_memory
from net.server.tables import ServerOptions
from sabtui.app import Speed, errors, launcher, requests, table_process, tables
from sabtui.app.terminal import find_size, is_terminal, why_unable
from sabtui.cli.args import Arguments
from sabtui.cli.requests import (
    how_to_stop,
    log_little,
    own_command,
    print_door_news,
    read_doors,
    read_speed,
)
from sabtui.club.folder import open_club
from sabtui.club.server import ClubServer
from sabtui.club.text import save_night
from sabtui.text import audit, connection, network
from sabtui.text.doors import door_reopens, qr_rows
from sabtui.text.i18n import _

_log = logging.getLogger(__name__)

IDLE_TABLE_S: Final = 600.0
"""Seconds without anybody after which a club's table is closed, unless its game has begun."""

MAX_FILES: Final = 8192
"""Files that a club may have open: three for each table, one for each connection."""


@dataclass(frozen=True, slots=True)
class ClubRequest:
    """A club to open: a new one, or the one of that name, with its code unless one is given."""

    name: str
    code: RoomCode | None = None
    port: int = 0
    doors: tuple[DoorKind, ...] = ()
    speed: Speed = Speed.NORMAL


async def serve_club(
    request: ClubRequest,
    say: Callable[[launcher.TableOpened, str, Path], None],
    on_door: Callable[[DoorNow], None],
    on_code: Callable[[RoomCode], None],
) -> None:
    """Open a club, report it and its organiser's word with `say`, and run it until it is stopped.

    The results of each night are saved in the folder that `say` is told last. A room code that an
    organiser has renewed is reported with `on_code`.

    Raises UserError: it could not be opened.
    """
    hide_memory()
    allow_files(MAX_FILES)
    with ExitStack() as undone:
        try:
            club = open_club(launcher.state_folder() / "clubs", request.name, request.code)
            undone.callback(club.journal.close)
        except JournalError as error:
            raise errors.UserError(audit.why_no_journal(error)) from error
        claim = table_process.claim_one(request.port, club.port)
        undone.pop_all()

    nights = club.tables / "nights"
    options = ServerOptions(
        idle_seconds=IDLE_TABLE_S,
        doors=launcher.serve_doors(),
        on_door=on_door,
        pace=requests.pace_among_people(request.speed),
    )
    server = ClubServer(
        club,
        claim,
        options,
        request.doors,
        on_night=partial(_save_night, nights),
        on_code=on_code,
    )
    table_process.heed_signals(server.stop)
    say(
        launcher.TableOpened(
            table=club.id,
            title=club.name,
            port=claim.port,
            code=str(club.code),
            hosts=tuple(own_addresses()),
        ),
        club.word,
        nights,
    )
    collect_rarely()
    await server.run()


def _save_night(folder: Path, night: Night) -> None:
    """Save the results of a night under the date on which that is done first."""
    if not night.rounds:
        return
    mark = night.rounds[0].seed.hex()[:6]
    kept = [file.stem for file in folder.glob(f"*-{mark}.csv")]
    name = kept[0] if kept else f"{date.today().isoformat()}-{mark}"  # noqa: DTZ011 - the local day
    try:
        save_night(night, folder / name)
    except OSError as error:
        _log.warning("the results of the night cannot be saved: %s", error)


def run_club(asked: Arguments) -> int:
    """Run a club in this terminal until it is stopped; return the exit code.

    Raises UserError: it cannot be opened, or a door cannot that is asked for.
    """
    name = clean_name(asked.title) or "Sabtui"
    request = ClubRequest(name, asked.code, asked.port or 0, read_doors(asked), read_speed(asked))
    launcher.check_doors(request.doors)
    log_little()
    code, browser_door = "", DoorNow(DoorKind.WEB)

    def say(opened: launcher.TableOpened, word: str, nights: Path) -> None:
        nonlocal code
        code = opened.code
        lines = [
            *requests.invitation_lines(tables.invitation_of(opened)),
            _("Organiser's word, for you alone (o in the hall): {word}").format(word=word),
            _("The results of its nights are saved in {folder}").format(folder=nights),
            how_to_stop(own_command("club", opened.title)),
        ]
        print(*lines, sep="\n", flush=True)  # noqa: T201 - this is the command's output

    def say_door(door: DoorNow) -> None:
        nonlocal browser_door
        if door.trouble is DoorTrouble.ENDED:
            print(door_reopens(door.kind), flush=True)  # noqa: T201 - as above
        else:
            print_door_news(door)
        if door.kind is DoorKind.WEB:
            browser_door = door
        if way := _qr_lines(door, code):  # it may have moved the code above out of sight
            print(*way, connection.code_sentence(code), sep="\n", flush=True)  # noqa: T201 - as above

    def say_code(renewed: RoomCode) -> None:
        nonlocal code
        code = str(renewed)
        way = _qr_lines(browser_door, code)
        print(*way, connection.code_sentence(code), sep="\n", flush=True)  # noqa: T201 - as above

    asyncio.run(serve_club(request, say, say_door, say_code))
    return 0


def _qr_lines(door: DoorNow, code: str) -> list[str]:
    """Return the QR code of the browser door, dark on light, where this terminal can show it."""
    hosts = [one.host for one in requests.reachable(tuple(own_addresses()), 0)]
    is_shown = door.kind is DoorKind.WEB and door.port and hosts and is_terminal(sys.stdout)
    if not is_shown or why_unable(os.environ):
        return []
    rows = qr_rows(network.web_address(door.port, hosts[0], code))
    columns, lines = find_size(os.environ)
    fits = rows and len(rows[0]) <= columns and len(rows) < lines
    return [f"\x1b[30;107m{row}\x1b[m" for row in rows] if fits else []
