"""Command-line options to the requests of `sabtui.app.requests`, which serve both interfaces."""

from __future__ import annotations

import asyncio

from msgspec import structs

from net.lobby.evening import read_plan
from net.lobby.model import Absence, Settings
from net.protocol.requests import DoorKind
from net.protocol.text import clean_name
from sabtui.app import Speed
from sabtui.app.doors import check_doors
from sabtui.app.errors import UserError
from sabtui.app.lesson import learn
from sabtui.app.preferences import PreferencesStore, player_name, usual_path
from sabtui.app.requests import (
    HostRequest,
    JoinRequest,
    PracticeRequest,
    ReopenRequest,
    TableHandle,
    practise,
)
from sabtui.app.tables import open_table, reopening, table_handle
from sabtui.cli.args import Arguments
from sabtui.plain import visits
from sabtui.plain.console import Console
from sabtui.text.i18n import _


def practice_request(asked: Arguments) -> PracticeRequest:
    """Return the request for a practice game."""
    return PracticeRequest(
        _name(asked),
        asked.bots,
        asked.level,
        asked.edition,
        asked.rounds,
        asked.seed,
        None if asked.speed is None else Speed(asked.speed),
    )


def host_request(asked: Arguments) -> HostRequest | ReopenRequest:
    """Return the request to open a table, or to bring one back.

    Raises:
        UserError: its bots would take all of its seats, or there is no such table to bring back.
    """
    doors = (DoorKind.SSH,) * asked.ssh + (DoorKind.WEB,) * asked.web
    if asked.resume is not None:
        return structs.replace(reopening(asked.resume), doors=doors)
    seats = asked.players or max(Settings().seats, asked.bots + 1)
    if asked.bots >= seats:
        text = _("Bots would take all the seats: use --players {count}, or fewer --bots.")
        raise UserError(text.format(count=asked.bots + 1))
    name = _name(asked)
    settings = Settings(
        edition=asked.edition.text,
        rounds=asked.rounds,
        seats=seats,
        is_open=asked.is_open,
        absent=Absence.WAIT if asked.absent == "wait" else Absence.BOT,
        turn_seconds=asked.turn,
        stand_in=asked.level,
        hints=asked.hints,
        evening=read_plan(asked.target or "", asked.evening_name or ""),
    )
    return HostRequest(
        name=name,
        title=clean_name(asked.title) or _("{name}'s table").format(name=name),
        settings=settings,
        bots=asked.bots,
        level=asked.level,
        code="" if asked.code is None else str(asked.code),
        port=asked.port or 0,
        doors=doors,
    )


def join_request(asked: Arguments) -> JoinRequest:
    """Return the request to join a table."""
    return JoinRequest(
        _name(asked), asked.where, asked.code, asked.watch, claims_name=bool(asked.name)
    )


def _name(asked: Arguments) -> str:
    """Return the player's name: from `--name`, else from the preferences."""
    return asked.name or player_name(PreferencesStore(usual_path()).read()[0])


def handle_for(asked: Arguments) -> TableHandle:
    """Return the handle of the requested table, for the screens.

    A room code that is needed and was not given is asked for in a line.

    Raises:
        UserError: the table cannot be opened, found or joined.
    """
    match asked.command:
        case "host":
            return asyncio.run(open_table(host_request(asked)))
        case "join":
            return table_handle(visits.credentials_to_join(join_request(asked), Console()))
        case "learn":
            return learn(_name(asked))
        case _:
            return practise(practice_request(asked))


def play_in_lines(asked: Arguments) -> int:
    """Host, join or practise in plain-text mode; return the exit code."""
    match asked.command:
        case "host":
            return visits.host(host_request(asked), Console(), flying=asked.autopilot)
        case "join":
            return visits.join(join_request(asked), Console(), flying=asked.autopilot)
        case "learn":
            return visits.take_lesson(_name(asked), Console())
        case _:
            return visits.practise(practice_request(asked), Console())


def headless(asked: Arguments) -> int:
    """Run a table in this terminal, without a player, until it ends; return the exit code."""
    request = host_request(asked)
    check_doors(request.doors)
    return visits.headless(request, asked.idle)
