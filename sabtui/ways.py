"""From what was asked for in a shell to the way to a table, for screens and lines alike.

Knows options. What is not told there and has to be known, the room code, it asks for in a line.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from net.client.dialling import Dialled, asks_for_code
from net.client.ticket import Ticket
from net.lobby import Absence, Settings
from net.secure.code import BadCode, RoomCode
from net.text import clean_name
from sabtui.finding import NothingSeen, find
from sabtui.hosting import Opening, resumable, wallet
from sabtui.joining import Wish, lately, ticket_for
from sabtui.options import Options
from sabtui.plain.console import Console
from sabtui.porter import open_table, way
from sabtui.practise import Setup
from sabtui.preferences import Store, called, usual_path
from sabtui.screen.doors import Way
from sabtui.screen.practising import way_of
from sabtui.trouble import Trouble
from sabtui.words.codes import bad_code
from sabtui.words.endings import ended
from sabtui.words.tongue import _


def way_to(asked: Options) -> Way:
    """The way to the table that was asked for.

    Raises:
        Trouble: there is none.
    """
    match asked.command:
        case "host":
            return asyncio.run(open_table(opening(asked)))
        case "join":
            return way(ticket(asked, Console()))
        case _:
            return way_of(replace(setup(asked), hasty=False))


def setup(asked: Options) -> Setup:
    """The practice game that was asked for."""
    return Setup(name(asked), asked.bots, asked.edition, asked.rounds, asked.seed, asked.level)


def opening(asked: Options) -> Opening:
    """The table that was asked for.

    Raises:
        Trouble: its bots would take all of its seats.
    """
    seats = asked.players or max(Settings().seats, asked.bots + 1)
    if asked.bots >= seats:
        told = _("Bots would take all seats: ask for --players {count}, or fewer --bots.")
        raise Trouble(told.format(count=asked.bots + 1))
    host = name(asked)
    return Opening(
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


def ticket(asked: Options, console: Console) -> Ticket:
    """The ticket to go to a table with; its code is asked for where it is needed.

    Who has just been at a table goes back there where several are seen, and where none is: it may
    be a network that eats what tables are found by, or a host that is about to come back.
    """
    wish = Wish(asked.name, name(asked), asked.code, asked.watch)
    kept = lately(wish, wallet())
    try:
        place = asyncio.run(find(asked.where, [ticket.table for ticket in kept]))
    except NothingSeen:
        if not kept or asked.where:
            raise
        return kept[0]
    found = ticket_for(place, wish, wallet())
    if found.pin is None and found.code is None:
        return replace(found, code=_code(found, console))
    return found


def name(asked: Options) -> str:
    """What the player is called: as asked for now, or as ever."""
    return asked.name or called(Store(usual_path()).read()[0])


def _code(ticket: Ticket, console: Console) -> RoomCode | None:
    """The code that a table asks for, `None` where it asks for none."""
    try:
        if not asyncio.run(asks_for_code(ticket)):
            return None
    except Dialled as error:
        raise Trouble(ended(error.why)) from error
    asked = _("Room code, two words")
    if ticket.title:
        asked = _("Room code of {table}, two words").format(table=ticket.title)
    while True:
        typed = console.ask(asked)
        if typed is None:
            raise Trouble(_("This table asks for a code: sabtui join --code two-words"))
        try:
            return RoomCode.parse(typed)
        except BadCode as bad:
            console.say([f"{bad_code(bad)}."])
