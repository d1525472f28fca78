"""Hosting, joining and practising in plain-text mode, from a request to the exit code.

A room code that is needed and was not given is asked for in a line, even before the screens begin.
What happens at the table is up to `sabtui.plain.driver`.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

from net.client.credentials import Credentials
from net.client.dialer import DialFailed, asks_for_code
from net.discovery.mdns import own_addresses
from net.protocol.messages import DoorNow
from net.security.code import BadCode, RoomCode
from sabtui.app import Speed, requests, tables
from sabtui.app.errors import UserError
from sabtui.app.launcher import LaunchOptions, TableOpened
from sabtui.app.lesson import learn
from sabtui.app.requests import (
    HostRequest,
    JoinRequest,
    PracticeRequest,
    ReopenRequest,
    TableHandle,
    invitation_lines,
    reachable,
)
from sabtui.app.table_process import serve
from sabtui.plain.console import Console
from sabtui.plain.driver import at_table
from sabtui.text.connection import ended
from sabtui.text.doors import door_lines, door_sentence
from sabtui.text.editions import edition_name
from sabtui.text.i18n import _, current_language, listed
from sabtui.text.network import bad_code, code_asked


def host(request: HostRequest | ReopenRequest, console: Console, *, flying: bool) -> int:
    """Open a table and join it as its host; return the exit code."""
    handle = asyncio.run(tables.open_table(request))
    assert handle.invitation is not None
    return _play(handle, console, invitation_lines(handle.invitation), flying=flying)


def join(request: JoinRequest, console: Console, *, flying: bool) -> int:
    """Join a table, or come back to it; return the exit code."""
    credentials = credentials_to_join(request, console)
    handle = tables.table_handle(credentials)
    greeting = [_("Joining {table}.").format(table=credentials.title)]
    if handle.invitation is not None:
        greeting += invitation_lines(handle.invitation)
    return _play(handle, console, greeting, flying=flying)


def practise(request: PracticeRequest, console: Console) -> int:
    """Play against bots until the player leaves or the input ends; return the exit code."""
    text = _("A practice game with {bots}, edition {edition}. Type ? for help.").format(
        edition=edition_name(request.edition.text), bots=listed(request.opponents)
    )
    handle = requests.practise(request, usual=Speed.INSTANT, polite=not console.is_eager)
    return at_table(handle.make, console, greeting=[text], from_deal=True)


def take_lesson(name: str, console: Console) -> int:
    """Take the lesson until the player leaves or the input ends; return the exit code."""
    text = _("The lesson: two short rounds. Type ? for help.")
    return at_table(learn(name, pace_s=0.0).make, console, greeting=[text], from_deal=True)


def headless(request: HostRequest | ReopenRequest, idle_minutes: int) -> int:
    """Run a table in this terminal, without a player, until it ends; return the exit code."""

    def say(opened: TableOpened) -> None:
        lines = [
            *invitation_lines(tables.invitation_of(opened)),
            _("Ctrl+C stops the table; sabtui host --resume brings it back."),
        ]
        print(*lines, sep="\n", flush=True)  # noqa: T201 - this is the command's output

    def say_door(door: DoorNow) -> None:
        addresses = [str(one) for one in reachable(tuple(own_addresses()), 0)]
        lines = [text.format(line=line) for text, line in door_lines([door], addresses)]
        print(*(lines or [door_sentence(door)]), sep="\n", flush=True)  # noqa: T201 - as above

    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    asyncio.run(serve(LaunchOptions(request, idle_minutes, current_language()), say, say_door))
    return 0


def credentials_to_join(request: JoinRequest, console: Console) -> Credentials:
    """Return the credentials for joining a table, with the room code asked for if it is needed.

    Raises:
        UserError: no table can be joined, or input ended before the code was given.
    """
    found = asyncio.run(tables.credentials_to_join(request))
    if found.pin is None and found.code is None:
        return replace(found, code=_code(found, console))
    return found


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
    while True:
        typed = console.ask(code_asked(credentials.title))
        if typed is None:
            raise UserError(_("This table needs a code: sabtui join --code two-words"))
        try:
            return RoomCode.parse(typed)
        except BadCode as bad:
            console.say([f"{bad_code(bad)}."])


def _play(handle: TableHandle, console: Console, greeting: list[str], *, flying: bool) -> int:
    return at_table(
        handle.make,
        console,
        greeting=greeting,
        back=_("Your seat is kept: {command} brings you back.").format(command="sabtui join"),
        flying=flying,
    )
