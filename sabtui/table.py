"""A table's own process: `python -m sabtui.table`, or `sabtui host --headless` in a terminal.

Opens the table, says where it is, and runs it until it is closed, stopped, or left alone for long.
Knows how a host's parts are put together; what they do is `net.host`'s.
"""

from __future__ import annotations

import asyncio
import logging
import math
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from net.client.ticket import Ticket
from net.client.wallet import Wallet
from net.discovery.address import Address
from net.discovery.mdns import own_addresses
from net.discovery.ports import LOOPBACK, Claim, NoPortFree, claim
from net.host.host import Host, Options
from net.host.table import HostedTable, create, resume
from net.journal import JournalError, remove_finished
from net.lobby import BotChair
from net.lobby.dwarves import dwarves
from net.secure.code import RoomCode
from net.secure.seatkey import SeatKey
from sabtui import options
from sabtui.hosting import Opened, Opening, state_folder, wallet
from sabtui.trouble import Trouble
from sabtui.words.journals import unopened
from sabtui.words.languages import tongue
from sabtui.words.system import system_words
from sabtui.words.tongue import _, speak

FINISHED_KEPT_S: Final = 30 * 24 * 3600.0
"""How long the journal of a table that was closed is kept: none is ever brought back."""

SIGNALS: Final = ("SIGINT", "SIGTERM", "SIGHUP")
"""What stops a table; its journal brings it back. Not every system has each of them."""


def headless(asked: options.Options) -> int:
    """Run a table in this terminal until it ends; return the exit code."""
    from sabtui.lines import told  # noqa: PLC0415 - they know this module's process
    from sabtui.porter import facts  # noqa: PLC0415 - the same
    from sabtui.ways import opening  # noqa: PLC0415 - the same

    def say(opened: Opened) -> None:
        lines = [
            *told(facts(opened)),
            _("Ctrl+C stops the table; sabtui host --resume brings it back."),
        ]
        print(*lines, sep="\n", flush=True)  # noqa: T201 - this is the command's output

    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    wanted = replace(opening(asked), idle_minutes=asked.idle)
    asyncio.run(serve(wanted, say))
    return options.FINE


async def serve(opening: Opening, say: Callable[[Opened], None]) -> None:
    """Open a table, say where it is, and run it until it ends.

    Raises:
        Trouble: there is no table.
    """
    kept = wallet()
    _clear_away()
    table, claimed = _open(opening, kept)
    idle = opening.idle_minutes * 60 or math.inf
    host = Host(table, claimed, Options(idle_seconds=idle))
    loop = asyncio.get_running_loop()
    for name in SIGNALS:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            with suppress(NotImplementedError):  # Windows has no handlers in a loop
                loop.add_signal_handler(number, host.stop)
    say(_opened(table, claimed))
    await host.run()


def _clear_away() -> None:
    """Remove journals of tables closed long ago; what cannot be removed is left for next time."""
    try:
        remove_finished(state_folder() / "tables", time.time() - FINISHED_KEPT_S)
    except JournalError as error:
        logging.getLogger(__name__).warning("a finished journal cannot be removed: %s", error)


def _open(opening: Opening, kept: Wallet) -> tuple[HostedTable, Claim]:
    """Make a table, or take one up, and a port for it."""
    claimed: Claim | None = None
    try:
        if opening.resume:
            table = resume(Path(opening.resume))
            claimed = _claim(table.port)
        else:
            claimed = _claim(opening.port or None)
            table = _create(opening, claimed.port, kept)
    except BaseException as error:
        if claimed is not None:
            claimed.close()
        if isinstance(error, JournalError):
            raise Trouble(unopened(error)) from error
        raise
    return table, claimed


def _claim(first: int | None) -> Claim:
    try:
        return claim(first=first)
    except NoPortFree as error:
        told = _("The ports {first} to {last} are all taken here: close a table, or give --port.")
        raise Trouble(told.format(first=error.ports[0], last=error.ports[-1])) from error
    except OSError as error:
        told = _("This computer lets no table listen: {problem}.")
        raise Trouble(told.format(problem=system_words(error))) from error


def _create(opening: Opening, port: int, kept: Wallet) -> HostedTable:
    """Make a table, and put its host's ticket into the wallet."""
    key = SeatKey.new()
    table = create(
        state_folder() / "tables",
        name=opening.title,
        host_key=key.public,
        settings=opening.settings,
        port=port,
        code=RoomCode.parse(opening.code) if opening.code else None,
        bots=tuple(
            BotChair(name, opening.level)
            for name in dwarves(opening.bots, {opening.host.casefold()})
        ),
    )
    ticket = Ticket(
        name=opening.host,
        addresses=tuple(Address(at, port) for at in LOOPBACK),
        key=key,
        table=table.id,
        title=table.room.lobby.name,
        pin=table.certificate.fingerprint,
        code=None if opening.settings.is_open else table.code,
    )
    kept.keep(ticket)
    return table


def _opened(table: HostedTable, claimed: Claim) -> Opened:
    lobby = table.room.lobby
    return Opened(
        table=table.id,
        title=lobby.name,
        port=claimed.port,
        code="" if lobby.settings.is_open else str(table.code),
        seat=table.host_key,
        hosts=tuple(own_addresses()),
    )


def main() -> None:
    """Read what to open from standard input, and say on standard output where it is."""

    def say(opened: Opened) -> None:
        with suppress(BrokenPipeError):
            sys.stdout.buffer.write(msgspec.json.encode(opened) + b"\n")
            sys.stdout.buffer.close()

    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    opening = msgspec.json.decode(sys.stdin.buffer.readline(), type=Opening)
    speak(tongue(opening.language))
    try:
        asyncio.run(serve(opening, say))
    except Trouble as trouble:
        say(Opened(trouble=str(trouble)))


if __name__ == "__main__":
    main()
