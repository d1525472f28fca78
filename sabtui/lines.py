"""Hosting, joining and practising in lines. What happens at the table is `plain.table`'s."""

from __future__ import annotations

import asyncio

from sabtui import practise as practice
from sabtui.options import Options
from sabtui.plain.console import Console
from sabtui.plain.table import at_table
from sabtui.porter import open_table, way
from sabtui.screen.doors import Facts, Way
from sabtui.ways import opening, setup, ticket
from sabtui.words.tongue import _


def host(asked: Options) -> int:
    """Open a table and sit down at it; return the exit code."""
    to_it = asyncio.run(open_table(opening(asked)))
    assert to_it.facts is not None
    return _sit(to_it, Console(), asked, told(to_it.facts))


def join(asked: Options) -> int:
    """Join a table, or come back to it; return the exit code."""
    console = Console()
    goes = ticket(asked, console)
    to_it = way(goes)
    greeting = [_("Joining {table}.").format(table=goes.title)]
    if to_it.facts is not None:
        greeting += told(to_it.facts)
    return _sit(to_it, console, asked, greeting)


def practise(asked: Options) -> int:
    """Play against bots; return the exit code."""
    return practice.practise(setup(asked), Console())


def told(facts: Facts) -> list[str]:
    """Where a table is, for those who want to come."""
    lines = [_("{table} is open.").format(table=facts.title)]
    if facts.code:
        lines.append(_("Room code: {code}").format(code=facts.code))
    else:
        lines.append(_("It asks for no code: whoever is on the network may come in."))
    near = "sabtui join" + (f" --code {facts.code}" if facts.code else "")
    lines.append(_("On this network: {command}").format(command=near))
    by_address = _("By address: sabtui join {address}")
    return lines + [by_address.format(address=address) for address in facts.addresses]


def _sit(to_it: Way, console: Console, asked: Options, greeting: list[str]) -> int:
    return at_table(
        to_it.make,
        console,
        greeting=greeting,
        back=_("Your seat is kept: {command} brings you back.").format(command="sabtui join"),
        flying=asked.autopilot,
    )
