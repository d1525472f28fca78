"""The program of a table's process: `python -m sabtui.app.table_process`.

It opens the table, reports its address, and runs it until it is closed, stopped, or idle for too
long. `sabtui host --headless` runs the same in a terminal.
"""

from __future__ import annotations

import asyncio
import logging
import math
import signal
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final, assert_never

import msgspec

from net.client.credentials import MAX_FORMER, Credentials, CredentialStore
from net.discovery.networks import LOOPBACK_HOSTS, NoPortFree, PortClaim, claim_port, own_addresses
from net.protocol.lobby import BotChair, bot_names
from net.secure.address import Address
from net.secure.code import RoomCode
from net.secure.keys import SeatKey
from net.server.journal import remove_finished, remove_journal
from net.server.journal_format import JournalError
from net.server.live_table import TableServer
from net.server.process import collect_rarely, hide_memory
from net.server.tables import HostedTable, ServerOptions, create, keep_start, resume
from sabtui.app import launcher
from sabtui.app.errors import UserError
from sabtui.app.log import log_on_stderr
from sabtui.app.requests import HostRequest, ReopenRequest, pace_among_people
from sabtui.text import audit, errors, network
from sabtui.text.i18n import load_locale, set_language

FAREWELL_S: Final = 5.0
"""Seconds without anybody after which a table ends, if its game began automatically and is over."""

FINISHED_KEPT_S: Final = 30 * 24 * 3600.0
"""Seconds (30 days) that the journal of a closed table is kept; it can no longer be resumed."""

SIGNALS: Final = ("SIGINT", "SIGTERM", "SIGHUP")
"""Signals that stop a table; it can be resumed from its journal. Not every system has all."""


async def serve(
    options: launcher.LaunchOptions,
    say: Callable[[launcher.TableOpened], None],
    server_options: ServerOptions,
) -> None:
    """Open a table, report it with `say`, and run it until it ends.

    Only the calls among the `server_options` are used.

    Raises `UserError`: the table could not be opened.
    """
    hide_memory()
    store = launcher.credential_store()
    _clear_away()
    table, claimed = _open(options.request, store, options.start_with)
    idle = options.idle_minutes * 60 or math.inf
    server_options = replace(
        server_options,
        idle_seconds=idle,
        doors=launcher.serve_doors(),
        pace=pace_among_people(options.request.speed),
    )
    if table.starts_with:
        server_options = replace(server_options, over_seconds=FAREWELL_S)
    host = TableServer(table, claimed, server_options)
    heed_signals(host.stop)
    lobby = table.room.lobby
    say(
        launcher.TableOpened(
            table=table.id,
            title=lobby.name,
            port=claimed.port,
            code="" if lobby.settings.is_open else str(table.code),
            seat=table.host_key,
            hosts=tuple(own_addresses()),
            starts_with=table.starts_with,
            warnings=tuple(audit.journal_warnings(table.journal)),
        )
    )
    collect_rarely()
    await host.run()


def heed_signals(stop: Callable[[], None]) -> None:
    """Call `stop` in the running event loop when a signal asks the program to end."""
    loop = asyncio.get_running_loop()
    for name in SIGNALS:
        number = getattr(signal, name, None)
        # A signal that was ignored at the start, as by nohup, stays ignored.
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            with suppress(NotImplementedError):  # Windows event loops lack it
                loop.add_signal_handler(number, stop)


def _clear_away() -> None:
    """Remove journals of tables closed long ago; a failure is logged, and retried next time."""
    try:
        remove_finished(launcher.state_folder() / "tables", time.time() - FINISHED_KEPT_S)
    except JournalError as error:
        logging.getLogger(__name__).warning("a finished journal cannot be removed: %s", error)


def _open(
    request: HostRequest | ReopenRequest, store: CredentialStore, start_with: int = 0
) -> tuple[HostedTable, PortClaim]:
    """Create or resume a table, and claim a port for it. If that fails, neither stays open."""
    with ExitStack() as undone:
        try:
            match request:
                case ReopenRequest(journal, doors, port):
                    table = resume(Path(journal))
                    undone.callback(table.journal.close)
                    table = replace(table, doors=tuple(dict.fromkeys((*table.doors, *doors))))
                    claimed = claim_table_port(port, table.port)
                    _lead_host_here(table, store, claimed.port)
                case HostRequest():
                    claimed = undone.enter_context(closing(claim_table_port(request.port)))
                    table = _create(request, claimed.port, store)
                case _:
                    assert_never(request)
            if start_with:
                table = keep_start(table, start_with)
        except JournalError as error:
            raise UserError(audit.why_no_journal(error)) from error
        undone.pop_all()
    return table, claimed


def _lead_host_here(table: HostedTable, store: CredentialStore, port: int) -> None:
    """Store the host's credentials for the table here; stored ones may lead elsewhere."""
    for kept in store.list_stored():
        credentials, pin = kept.credentials, table.certificate.fingerprint
        if credentials.key.public == table.host_key and credentials.pin != pin:
            at = tuple(Address(host, port) for host in LOOPBACK_HOSTS)
            former = tuple(filter(None, (credentials.pin, *credentials.former)))
            store.store(replace(credentials, pin=pin, addresses=at, former=former[:MAX_FORMER]))


def claim_table_port(asked: int, before: int = 0) -> PortClaim:
    """Claim the port `asked` for; or for 0 the port `before`, else our first free one.

    Raises `UserError`: none of these is free.
    """
    try:
        return claim_port(ports=[asked]) if asked else claim_port(first=before or None)
    except NoPortFree as error:
        if asked:
            raise UserError(network.no_port(asked, asked)) from error
        raise UserError(network.no_port(error.ports[0], error.ports[-1])) from error
    except OSError as error:
        raise UserError(errors.not_opened(errors.system_words(error))) from error


def _create(request: HostRequest, port: int, store: CredentialStore) -> HostedTable:
    key = SeatKey.new()
    table = create(
        launcher.state_folder() / "tables",
        name=request.title,
        host_key=key.public,
        signed_by=key,
        settings=request.settings,
        port=port,
        code=RoomCode.parse(request.code) if request.code else None,
        bots=tuple(
            BotChair(name, request.level)
            for name in bot_names(request.bots, {request.name.casefold()})
        ),
        doors=request.doors,
    )
    credentials = Credentials(
        name=request.name,
        addresses=tuple(Address(at, port) for at in LOOPBACK_HOSTS),
        key=key,
        table=table.id,
        title=table.room.lobby.name,
        pin=table.certificate.fingerprint,
        code=None if request.settings.is_open else table.code,
    )
    try:
        store.write(credentials)
    except OSError as error:
        table.journal.close()
        remove_journal(table.journal.path)
        raise UserError(errors.not_written(store.folder, error)) from error
    return table


def main() -> None:
    """Run the table that `LaunchOptions` on standard input describe; report a `TableOpened`."""

    def say(opened: launcher.TableOpened) -> None:
        with suppress(BrokenPipeError):  # the program that opened it is gone; the table stays open
            sys.stdout.buffer.write(msgspec.json.encode(opened) + b"\n")
            sys.stdout.buffer.close()

    log_on_stderr("%(asctime)s %(message)s")
    options = msgspec.json.decode(sys.stdin.buffer.readline(), type=launcher.LaunchOptions)
    set_language(load_locale(options.language))
    try:
        asyncio.run(serve(options, say, ServerOptions()))
    except UserError as trouble:
        say(launcher.TableOpened(trouble=str(trouble)))


if __name__ == "__main__":
    main()
