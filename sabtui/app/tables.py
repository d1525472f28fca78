"""Opening, joining and resuming real tables, and taking over another host's table."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from contextlib import aclosing, suppress
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias, assert_never

from engine.events import Private
from net.client.credentials import Credentials, CredentialStore
from net.client.dialer import DialFailed, asks_for_code, try_code
from net.client.moving import MoveOrder, OpenedHere, follow
from net.client.remote import RemoteSession
from net.client.session import OnUpdate
from net.discovery.games import DiscoveredGame
from net.discovery.networks import (
    LOOPBACK_HOSTS,
    is_in_network,
    own_addresses,
    reaches_itself,
)
from net.discovery.search import search
from net.protocol import CopyRank
from net.protocol.messages import Mark
from net.secure.address import Address, TypedAddress
from net.secure.handshake import Rejection
from net.server.journal import JournalInfo, UnreadableJournal, list_journals, path_of
from net.server.journal_format import JournalError
from net.server.tables import id_and_term, move_here, recall
from net.tasks import cancel_and_wait
from sabtui.app import Speed, joining, launcher, practice, requests
from sabtui.app.errors import UserError, complain
from sabtui.text import audit, connection, errors, network

_log = logging.getLogger(__name__)


async def move_table(order: MoveOrder) -> OpenedHere | None:
    """Take over another host's table on this computer; return `None` if that fails."""
    return await asyncio.to_thread(_open, order)


def _open(order: MoveOrder) -> OpenedHere | None:
    """Write the journal of the table taken over here, and start its process."""
    credentials = order.credentials
    try:
        path, pin = move_here(
            launcher.state_folder() / "tables",
            credentials.table,
            term=order.term,
            key=credentials.key,
            states=order.states,
            talk=order.held.talk,
            code=order.code,
            is_handed_over=order.is_handed_over,
        )
        order_to_open = requests.ReopenRequest(str(path), order.doors)
        opened = launcher.start_table(order_to_open)
    except (JournalError, UserError) as error:
        _log.warning("the table cannot go on here: %s", error)
        return None
    here = tuple(Address(at, opened.port) for at in LOOPBACK_HOSTS)
    return OpenedHere(pin, here, outside_of(opened))


def open_session(
    credentials: Credentials,
    on_update: OnUpdate,
    store: CredentialStore,
    *,
    outside: tuple[Address, ...] = (),
    is_lost: bool = False,
) -> RemoteSession:
    """Return a session that can take over its table here, and keeps what it knew before."""

    def recall_own(mark: Mark) -> tuple[Private, ...] | None:
        path = path_of(credentials.table, launcher.state_folder() / "tables")
        try:
            return recall(path, credentials.key.public, mark)
        except JournalError:
            return None  # no table ran here, or its journal does not say

    return RemoteSession(
        credentials,
        on_update,
        store,
        dwarf=requests.own_dwarf(),
        opener=move_table,
        outside=outside,
        recall=recall_own,
        is_lost=is_lost,
    )


LOOK_FIRST_S: Final = 3.0
"""Seconds to look elsewhere for a table before it is resumed here."""


async def find_elsewhere(journal: Path) -> Address | None:
    """Return where our table has moved to, if somebody with a seat proves it.

    Raises `UserError`: there is no table.
    """
    table, term = _read_journal(journal)
    kept, ours = _kept_seat(table), CopyRank(term=term)
    if kept is None:
        return None
    with suppress(TimeoutError):  # nobody answered: the table is still ours to open
        async with asyncio.timeout(LOOK_FIRST_S):
            found = search(table, lambda there: there > ours, partial(follow, kept))
            async with aclosing(found) as copies:
                async for copy in copies:
                    if copy is not None and copy.rank > ours:
                        return copy.address
    return None


def _kept_seat(table: str) -> Credentials | None:
    """Return the credentials of the seat that was last used at a table, `None` if there is none."""
    stored = launcher.credential_store().list_stored()
    return next((kept.credentials for kept in stored if kept.credentials.table == table), None)


def _read_journal(journal: Path) -> tuple[str, int]:
    """Return the id and the term of the table in a journal. Raises `UserError`."""
    try:
        return id_and_term(journal)
    except JournalError as error:
        raise UserError(audit.why_no_journal(error)) from error


class TableService:
    """Opens tables for the player of this program. A `UserError` says what to do."""

    def practise(self, request: requests.PracticeRequest) -> requests.TableHandle:
        """Return the handle of a new game against bots."""
        speed = request.speed or Speed.NORMAL
        return requests.practise(request, keep=lambda left: practice.keep_practice(left, speed))

    async def host(self, request: requests.HostRequest) -> requests.TableHandle:
        """Open a table in a process of its own, and return its handle."""
        return await open_table(request)

    async def join(self, request: requests.JoinRequest) -> requests.TableHandle:
        """Return the handle of another host's table.

        A newcomer without a code is not led to a stranger's open table of the same name.
        """
        credentials = await credentials_to_join(request)
        if credentials.pin is None and credentials.code is None:
            with suppress(DialFailed):  # the session says why
                if await asks_for_code(credentials):
                    raise UserError(connection.why_ended(Rejection.CODE_NEEDED))
        return table_handle(credentials)

    def find_kept_seats(self, games: Iterable[DiscoveredGame]) -> frozenset[str]:
        """Return the ids of the tables at which a seat is kept here and free: they need no code."""
        stored = launcher.credential_store().list_stored()
        return frozenset(
            game.advert.id
            for game in games
            if any(joining.is_free_seat(kept, joining.FoundTable.of(game)) for kept in stored)
        )

    def resumable(self) -> tuple[requests.ResumableTable, ...]:
        found = [table for table, _journal, _credentials in _resumable_tables().values()]
        if (left := practice.find_practice()) is not None:
            found.append(left)
        for journal in list_journals(launcher.state_folder() / "tables"):
            if isinstance(journal, UnreadableJournal):
                path, why = journal.path, audit.why_no_journal(journal.error)
                table = requests.ResumableTable(
                    str(path), path.name, journal.changed, is_host=True, problem=why
                )
                found.append(table)
        for seat in launcher.credential_store().list_unreadable():
            why, title = errors.seat_lost(seat.title or seat.path), seat.title or seat.path.name
            table = requests.ResumableTable(
                str(seat.path), title, seat.changed, is_host=False, problem=why
            )
            found.append(table)
        return tuple(sorted(found, key=lambda table: table.when, reverse=True))

    async def resume(self, to: requests.ResumableTable) -> requests.TableHandle:
        """Return the handle of a table to resume; start the player's own if it is not running."""
        if to.problem:
            raise UserError(to.problem)
        if to.is_practice:
            try:
                return practice.resume_practice()
            except JournalError as error:
                raise UserError(audit.why_no_journal(error)) from error
        found = _resumable_tables().get(to.id)
        if found is None:
            raise UserError(audit.no_table())
        _table, journal, credentials = found
        if journal is not None and not journal.busy:
            return await open_table(requests.ReopenRequest(str(journal.path)))
        assert credentials is not None
        return table_handle(credentials)


_Resumable: TypeAlias = tuple[requests.ResumableTable, JournalInfo | None, Credentials | None]
"""A table that can be resumed, with the host's journal, stored credentials, or both."""


def _resumable_tables() -> dict[str, _Resumable]:
    """Return all tables that can be resumed, by private ids: the table's own or the seat's key."""
    journals = _own_tables()
    kept: dict[str, _Resumable] = {
        table: (
            requests.ResumableTable(table, found.name, found.changed, is_host=True),
            found,
            None,
        )
        for table, found in journals.items()
    }
    # The oldest first, so that later credentials for the same table replace earlier ones.
    for stored in reversed(launcher.credential_store().list_stored()):
        if stored.credentials.club or stored.credentials.was_removed:
            continue  # the way back is through the hall, or there is none
        credentials, journal = stored.credentials, journals.get(stored.credentials.table)
        mine = journal is not None and _is_here(credentials)
        name = credentials.table if mine else credentials.key.public.hex()
        table = requests.ResumableTable(name, credentials.title, stored.changed, is_host=mine)
        kept[name] = table, journal if mine else None, credentials
    return kept


def _own_tables() -> dict[str, JournalInfo]:
    """Return the unfinished journals of tables opened by this user, by table id."""
    return {
        found.table: found
        for found in list_journals(launcher.state_folder() / "tables")
        if isinstance(found, JournalInfo) and not found.finished
    }


def _is_here(credentials: Credentials) -> bool:
    """Return True if the credentials have an address on this computer."""
    return any(address.host in LOOPBACK_HOSTS for address in credentials.addresses)


def find_table_to_reopen(title: str) -> requests.ReopenRequest:
    """Return the request to reopen the newest unfinished table, of this title if it is not empty.

    Raises `UserError`: no such table can be resumed.
    """
    listed = list_journals(launcher.state_folder() / "tables")
    for journal in listed:
        if isinstance(journal, UnreadableJournal):  # reported, but others can be resumed
            complain(f"sabtui: {audit.why_no_journal(journal.error)}")
    there = [found for found in listed if isinstance(found, JournalInfo)]
    if title:
        there = [journal for journal in there if journal.name.casefold() == title.casefold()]
    open_ones = [journal for journal in there if not journal.finished]
    if open_ones:
        return requests.ReopenRequest(str(open_ones[0].path))
    raise UserError(audit.no_table())


async def credentials_to_join(request: requests.JoinRequest) -> Credentials:
    """Find the requested table, and return the credentials to join it with.

    A recently visited one is preferred. If none is found, the last visited one of that name, if any
    is requested, is tried at its stored address: the network may block discovery, or the host may
    be about to return. Raises `SeveralTables`, or `UserError`: none can be joined.
    """
    store = launcher.credential_store()
    match request.at:
        case TypedAddress():
            place = await joining.find_at(request.at)
        case DiscoveredGame():
            place = joining.FoundTable.of(request.at)
        case str():
            recent = joining.recent_credentials(request, store)
            try:
                place = await joining.find(
                    request.at, [credentials.table for credentials in recent]
                )
            except joining.NoTableFound:
                wanted = request.at.casefold()
                there = [stored for stored in recent if wanted in ("", stored.title.casefold())]
                if not is_in_network():  # then only a table of our own can be resumed
                    there = [*filter(_is_here, there)] if reaches_itself() else []
                if not there:
                    raise
                return there[0]
            except joining.SeveralTables as several:
                place = await find_by_code(several, request)
        case _:
            assert_never(request.at)
    return joining.credentials_for(place, request, store)


async def find_by_code(
    several: joining.SeveralTables, request: requests.JoinRequest
) -> joining.FoundTable:
    """Return the one of several tables of one name that proves the room code, or raise `several`.

    All are asked at once. The others do not learn the code.
    """
    places = [joining.FoundTable.of(game) for game in several.games]
    if request.code is None or len({game.advert.name.casefold() for game in several.games}) > 1:
        raise several
    asked = {
        asyncio.create_task(try_code(joining.new_credentials(place, request))): place
        for place in places
    }
    try:
        for answer in asyncio.as_completed(asked):
            with suppress(DialFailed):  # the code may be that of another table
                await answer
                break
        proven = [place for task, place in asked.items() if task.done() and not task.exception()]
    finally:
        await cancel_and_wait(*asked)
    if not proven:
        raise several
    return proven[0]


def lost_seats() -> list[str]:
    """Return a sentence for each seat that is kept here but cannot be read."""
    unreadable = launcher.credential_store().list_unreadable()
    return [errors.seat_lost(seat.title or seat.path) for seat in unreadable]


def table_handle(credentials: Credentials) -> requests.TableHandle:
    """Return the handle of a table, or a club, with the invitation of one that was opened here."""
    from sabtui.club.visit import ClubVisit  # noqa: PLC0415 - a feature

    store = launcher.credential_store()
    if credentials.table not in _own_tables() or not _is_here(credentials):
        return ClubVisit(credentials, store, open_session).hall()
    code = "" if credentials.code is None else str(credentials.code)
    port, hosts = credentials.addresses[0].port, tuple(own_addresses())
    opened = launcher.TableOpened(title=credentials.title, port=port, code=code, hosts=hosts)
    make = partial(open_session, outside=outside_of(opened))
    return ClubVisit(credentials, store, make).hall(invitation_of(opened))


async def open_table(
    request: requests.HostRequest | requests.ReopenRequest, *, looks_elsewhere: bool = True
) -> requests.TableHandle:
    """Open a table in a process of its own, and return its host player's handle.

    Raises `GoesOnElsewhere`, or `UserError`: it cannot be opened, or not with these doors.
    """
    launcher.check_doors(request.doors)
    if not reaches_itself():
        raise UserError(network.no_loopback())
    if isinstance(request, requests.ReopenRequest) and looks_elsewhere:
        await _look_elsewhere(request)
    try:
        opened = await asyncio.to_thread(launcher.start_table, request)
    except asyncio.CancelledError:
        launcher.give_up()  # the program cannot exit while the thread waits
        raise
    credentials, store = launcher.host_credentials(opened), launcher.credential_store()
    return requests.TableHandle(
        lambda on_update: open_session(credentials, on_update, store, outside=outside_of(opened)),
        invitation_of(opened),
    )


async def _look_elsewhere(request: requests.ReopenRequest) -> None:
    """Raise `GoesOnElsewhere` if the table continues elsewhere, `UserError` if our seat is lost."""
    path = Path(request.journal)
    at = await find_elsewhere(path)
    if at is None:
        return
    credentials, store = _kept_seat(_read_journal(path)[0]), launcher.credential_store()
    assert credentials is not None, "without them nothing was searched for"
    there = requests.TableHandle(
        lambda on_update: open_session(credentials, on_update, store, is_lost=True)
    )
    raise requests.GoesOnElsewhere(at, there, lambda: open_table(request, looks_elsewhere=False))


def invitation_of(opened: launcher.TableOpened) -> requests.Invitation:
    typable = tuple(map(str, outside_of(opened)))
    return requests.Invitation(opened.title, opened.code, typable, opened.warnings)


def outside_of(opened: launcher.TableOpened) -> tuple[Address, ...]:
    """Return the addresses at which others reach the table, the likeliest first."""
    return tuple(requests.typable_addresses(opened.hosts, opened.port))
