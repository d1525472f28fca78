"""Command-line options to requests, and hosting, joining and practising in plain-text mode.

The requests serve the full-screen interface as well. A room code that was not given but is needed
is asked for in a line. What happens at the table is up to `sabtui.plain.driver`.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

from msgspec import structs

from net.client.credentials import Credentials
from net.client.dialer import DialFailed, asks_for_code
from net.lobby import Absence, Settings
from net.protocol.text import clean_name
from net.security.code import BadCode, RoomCode
from sabtui.app.credentials import JoinOptions, credentials_for, recent_credentials
from sabtui.app.errors import UserError
from sabtui.app.launcher import OpenTable, TableOpened, credential_store, resumable
from sabtui.app.locate import NoTableFound, find
from sabtui.app.preferences import PreferencesStore, player_name, usual_path
from sabtui.app.requests import Invitation, PracticeSetup, TableHandle, handle_of
from sabtui.app.table_process import serve
from sabtui.app.tables import open_table, table_handle
from sabtui.cli import args
from sabtui.cli.args import Arguments
from sabtui.plain.console import Console
from sabtui.plain.driver import at_table
from sabtui.text.connection import ended
from sabtui.text.editions import edition_name
from sabtui.text.errors import bad_code
from sabtui.text.i18n import _, listed


def handle_for(asked: Arguments) -> TableHandle:
    """Return the handle of the requested table.

    Raises:
        UserError: the table cannot be opened, found or joined.
    """
    match asked.command:
        case "host":
            return asyncio.run(open_table(table_to_open(asked)))
        case "join":
            return table_handle(credentials_to_join(asked, Console()))
        case _:
            return handle_of(replace(practice_setup(asked), hasty=False))


def practice_setup(asked: Arguments) -> PracticeSetup:
    """Return the options of the requested practice game."""
    return PracticeSetup(
        chosen_name(asked), asked.bots, asked.edition, asked.rounds, asked.seed, asked.level
    )


def table_to_open(asked: Arguments) -> OpenTable:
    """Return the options of the requested table.

    Raises:
        UserError: its bots would take all of its seats, or there is no such table to resume.
    """
    seats = asked.players or max(Settings().seats, asked.bots + 1)
    if asked.bots >= seats:
        text = _("Bots would take all seats: ask for --players {count}, or fewer --bots.")
        raise UserError(text.format(count=asked.bots + 1))
    host = chosen_name(asked)
    return OpenTable(
        title=clean_name(asked.title) or _("{name}'s table").format(name=host),
        host=host,
        settings=Settings(
            edition=asked.edition.text,
            rounds=asked.rounds,
            seats=seats,
            is_open=asked.is_open,
            absent=Absence.WAIT if asked.absent == "wait" else Absence.BOT,
            turn_seconds=asked.turn,
            stand_in=asked.level,
            hints=asked.hints,
        ),
        bots=asked.bots,
        level=asked.level,
        code="" if asked.code is None else str(asked.code),
        port=asked.port or 0,
        resume=resumable(asked.resume),
    )


def credentials_to_join(asked: Arguments, console: Console) -> Credentials:
    """Return the credentials for joining a table, with the room code asked for if it is needed.

    If several tables are found, a recently visited one is preferred. If none is found, the last
    visited one is tried by its stored address: the network may block discovery, or the host may be
    about to come back.

    Raises:
        UserError: no table can be joined, or input ended before the code was given.
    """
    options = JoinOptions(asked.name, chosen_name(asked), asked.code, asked.watch)
    stored = recent_credentials(options, credential_store())
    try:
        place = asyncio.run(find(asked.where, [credentials.table for credentials in stored]))
    except NoTableFound:
        if not stored or asked.where:
            raise
        return stored[0]
    found = credentials_for(place, options, credential_store())
    if found.pin is None and found.code is None:
        return replace(found, code=_code(found, console))
    return found


def chosen_name(asked: Arguments) -> str:
    """Return the player's name: from `--name`, else from the preferences."""
    return asked.name or player_name(PreferencesStore(usual_path()).read()[0])


def _code(credentials: Credentials, console: Console) -> RoomCode | None:
    """Ask for the room code until it is valid; return `None` if the table needs none.

    Raises:
        UserError: the table cannot be reached, or input has ended.
    """
    try:
        if not asyncio.run(asks_for_code(credentials)):
            return None
    except DialFailed as error:
        raise UserError(ended(error.reason)) from error
    asked = _("Room code, two words")
    if credentials.title:
        asked = _("Room code of {table}, two words").format(table=credentials.title)
    while True:
        typed = console.ask(asked)
        if typed is None:
            raise UserError(_("This table asks for a code: sabtui join --code two-words"))
        try:
            return RoomCode.parse(typed)
        except BadCode as bad:
            console.say([f"{bad_code(bad)}."])


def host(asked: Arguments) -> int:
    """Open a table and join it as its host; return the exit code."""
    to_it = asyncio.run(open_table(table_to_open(asked)))
    assert to_it.invitation is not None
    return _sit(to_it, Console(), asked, told(to_it.invitation))


def join(asked: Arguments) -> int:
    """Join a table, or come back to it; return the exit code."""
    console = Console()
    goes = credentials_to_join(asked, console)
    to_it = table_handle(goes)
    greeting = [_("Joining {table}.").format(table=goes.title)]
    if to_it.invitation is not None:
        greeting += told(to_it.invitation)
    return _sit(to_it, console, asked, greeting)


def practise(asked: Arguments) -> int:
    """Play against bots; return the exit code."""
    return run_practice(practice_setup(asked), Console())


def told(invitation: Invitation) -> list[str]:
    """Return the lines that tell other players how to join."""
    lines = [_("{table} is open.").format(table=invitation.title)]
    if invitation.code:
        lines.append(_("Room code: {code}").format(code=invitation.code))
    else:
        lines.append(_("It asks for no code: whoever is on the network may come in."))
    near = "sabtui join" + (f" --code {invitation.code}" if invitation.code else "")
    lines.append(_("On this network: {command}").format(command=near))
    by_address = _("By address: sabtui join {address}")
    return lines + [by_address.format(address=address) for address in invitation.addresses]


def _sit(to_it: TableHandle, console: Console, asked: Arguments, greeting: list[str]) -> int:
    return at_table(
        to_it.make,
        console,
        greeting=greeting,
        back=_("Your seat is kept: {command} brings you back.").format(command="sabtui join"),
        flying=asked.autopilot,
    )


def run_practice(setup: PracticeSetup, console: Console) -> int:
    """Play in plain-text mode until the player leaves or the input ends; return the exit code."""
    text = _("A practice game, {edition}: you and {bots}. Type ? for help.").format(
        edition=edition_name(setup.edition.text), bots=listed(setup.company.names)
    )
    setup = replace(setup, polite=not console.is_eager)
    return at_table(setup.session, console, greeting=[text], from_deal=True)


def headless(asked: args.Arguments) -> int:
    """Run a table in this terminal, without a player, until it ends; return the exit code."""
    from sabtui.app.tables import invitation_of  # noqa: PLC0415 - the same

    def say(opened: TableOpened) -> None:
        lines = [
            *told(invitation_of(opened)),
            _("Ctrl+C stops the table; sabtui host --resume brings it back."),
        ]
        print(*lines, sep="\n", flush=True)  # noqa: T201 - this is the command's output

    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    wanted = structs.replace(table_to_open(asked), idle_minutes=asked.idle)
    asyncio.run(serve(wanted, say))
    return args.EXIT_OK
