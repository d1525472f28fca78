"""The way to a table by credentials, going on with one here, and looking where one of ours is."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from net.client.credentials import Credentials, CredentialStore
from net.client.dialer import MoveOrder
from net.client.trail import GameState
from net.discovery.advert import OURS, Advert, AdvertStage, Standing
from net.discovery.games import DiscoveredGame, GameStatus
from net.protocol.doors import DoorKind
from net.protocol.lobby import Lobby, Settings
from net.protocol.messages import Mark
from net.room.state import PublicState
from net.secure.address import Address
from net.secure.code import RoomCode
from net.secure.keys import SeatKey
from net.server.journal import Journal, path_of
from net.server.journal_format import Finish
from sabtui.app import joining, launcher, tables
from sabtui.app.errors import UserError
from sabtui.app.joining import NoTableFound
from sabtui.app.launcher import TableOpened
from sabtui.app.requests import HostRequest, JoinRequest, ReopenRequest, ResumableTable
from tests.net.server.journal_tools import create

TABLE = "0123456789abcdef"
HERE = Address("127.0.0.1", 7341)
AFAR = Address("192.0.2.1", 7341)


@pytest.fixture(autouse=True)
def journal_opened_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let there be a journal of a table that was opened here."""
    monkeypatch.setattr(launcher, "state_folder", lambda: tmp_path)
    (tmp_path / "tables").mkdir()
    create(path_of(TABLE, tmp_path / "tables")).close()


def credentials_for(table: str, *addresses: Address) -> Credentials:
    code = RoomCode.parse("amber-tulip")
    return Credentials(name="Ann", addresses=addresses, table=table, title="Rush", code=code)


def test_who_comes_back_to_their_own_table_sees_its_code_again() -> None:
    shown_invitation = tables.table_handle(credentials_for(TABLE, AFAR, HERE)).invitation
    assert shown_invitation is not None
    assert (shown_invitation.title, shown_invitation.code) == ("Rush", "amber-tulip")


def test_a_guest_is_told_nothing_to_tell() -> None:
    assert tables.table_handle(credentials_for(TABLE, AFAR)).invitation is None
    assert tables.table_handle(credentials_for("f" * 16, AFAR, HERE)).invitation is None


@pytest.fixture
def seats_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CredentialStore:
    """Let no table be found, and return the store of a player's credentials."""

    async def find(wanted: str, _known: list[str]) -> None:
        raise NoTableFound(wanted or "none at all")

    store = CredentialStore(tmp_path / "seats")
    monkeypatch.setattr(joining, "find", find)
    monkeypatch.setattr(launcher, "credential_store", lambda: store)
    return store


async def test_who_finds_no_table_goes_where_they_were_last(seats_kept: CredentialStore) -> None:
    with pytest.raises(UserError, match="none at all"):
        await tables.credentials_to_join(JoinRequest("Ann", ""))
    last = replace(credentials_for(TABLE, AFAR), pin=bytes(32), may_differ=False)
    seats_kept.store(last)
    assert await tables.credentials_to_join(JoinRequest("Ann", "")) == last


async def test_who_names_a_silent_table_goes_to_their_seat_there(
    seats_kept: CredentialStore,
) -> None:
    rush, vein = (
        replace(credentials_for(TABLE, AFAR), pin=bytes(32), may_differ=False, title=title, key=key)
        for title, key in (("Rush", SeatKey(bytes(32))), ("Rich Vein", SeatKey(bytes(31) + b"1")))
    )
    for table in (rush, vein):
        seats_kept.store(table)
    assert await tables.credentials_to_join(JoinRequest("Ann", "rush")) == rush
    assert await tables.credentials_to_join(JoinRequest("Ann", "Rich Vein")) == vein
    with pytest.raises(UserError, match="Claim"):
        await tables.credentials_to_join(JoinRequest("Ann", "Claim"))


def test_a_seat_is_kept_while_no_program_plays_there(seats_kept: CredentialStore) -> None:
    advert = Advert(TABLE, "Rush", OURS, AdvertStage.LOBBY, 2, 5)
    game = DiscoveredGame("Rush", advert, GameStatus.JOINABLE, (AFAR,))
    service = tables.TableService()
    assert not service.find_kept_seats([game])
    kept = replace(credentials_for(TABLE, AFAR), pin=bytes(32))
    seats_kept.store(kept)
    other = replace(game, advert=replace(advert, id="f" * 16))
    assert service.find_kept_seats([game, other]) == {TABLE}
    with seats_kept.using(kept):
        assert not service.find_kept_seats([game])


async def test_who_names_a_table_goes_to_no_other(seats_kept: CredentialStore) -> None:
    seats_kept.store(replace(credentials_for(TABLE, AFAR), pin=bytes(32)))
    with pytest.raises(UserError, match="Gold"):
        await tables.credentials_to_join(JoinRequest("Ann", "Gold"))


@pytest.mark.usefixtures("seats_kept")
def test_a_table_that_was_closed_for_good_is_not_brought_back(tmp_path: Path) -> None:
    with Journal.open(path_of(TABLE, tmp_path / "tables")) as journal:
        journal.commit([Finish()])
    with pytest.raises(UserError, match="no table to bring back"):
        tables.reopening("")


def test_who_was_removed_is_offered_no_table(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    store = CredentialStore(tmp_path / "seats")
    monkeypatch.setattr(launcher, "credential_store", lambda: store)
    kept = replace(credentials_for(TABLE, AFAR), pin=bytes(32))
    store.store(kept)
    assert [table.is_host for table in tables.TableService().resumable()] == [False, True]
    store.store(replace(kept, was_removed=True))
    assert [table.is_host for table in tables.TableService().resumable()] == [True]


async def test_a_table_that_runs_already_is_joined_and_not_opened_once_more(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened: list[object] = []

    async def open_table(request: object) -> None:
        opened.append(request)

    monkeypatch.setattr(tables, "open_table", open_table)
    store = CredentialStore(tmp_path / "seats")
    store.store(replace(credentials_for(TABLE, HERE), pin=bytes(32)))
    monkeypatch.setattr(launcher, "credential_store", lambda: store)
    service = tables.TableService()
    (table,) = service.resumable()
    journal = Journal.open(path_of(TABLE, tmp_path / "tables"))
    try:
        handle = await service.resume(table)
        assert handle.invitation is not None
        assert opened == []
    finally:
        journal.close()
    await service.resume(table)
    assert len(opened) == 1


def test_the_table_that_was_played_last_is_listed_first(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {
        name: (ResumableTable(name, name, when, is_host=False), None, credentials_for(name, AFAR))
        for name, when in (("old", 1.0), ("new", 3.0), ("middle", 2.0))
    }
    monkeypatch.setattr(tables, "_resumable_tables", lambda: found)
    assert [table.title for table in tables.TableService().resumable()] == ["new", "middle", "old"]


# The table of a host who is gone.


BEN, CLEO = Address("10.77.0.2", 7341), Address("10.77.0.3", 7341)
OWN = Address("10.77.0.1", 7341)
OWN_HOSTS = {"127.0.0.1", OWN.host}


def test_a_table_to_bring_back_stands_elsewhere_where_people_are_or_the_term_is_later() -> None:
    waits = partial(Standing, False)  # noqa: FBT003 - a row
    plays = Standing(plays=True, people=2, term=3)
    empty, people, later = waits(0, 7), waits(2, 7), waits(0, 18)
    assert tables.choose_host([], 7, OWN_HOSTS) is None
    assert tables.choose_host([(BEN, empty)], 7, OWN_HOSTS) is None
    assert tables.choose_host([(BEN, later)], 7, OWN_HOSTS) == BEN
    assert tables.choose_host([(BEN, later), (CLEO, people)], 7, OWN_HOSTS) == CLEO
    assert tables.choose_host([(BEN, people), (CLEO, plays)], 7, OWN_HOSTS) == CLEO, "it plays"
    assert tables.choose_host([(OWN, people)], 7, OWN_HOSTS) is None, "it runs here"


async def test_a_table_goes_on_here_with_the_doors_that_are_asked_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started = list[HostRequest | ReopenRequest]()

    def start(request: HostRequest | ReopenRequest) -> TableOpened:
        started.append(request)
        return TableOpened(port=7341)

    monkeypatch.setattr(launcher, "start_table", start)
    monkeypatch.setattr(launcher, "state_folder", lambda: tmp_path)
    lobby, mark = Lobby.empty("Rush", Settings()), Mark(3, bytes(16))
    seat = Credentials("Ben", (OWN,), key=SeatKey.new(), table="0" * 16, title="Rush")
    order = MoveOrder(
        seat,
        18,
        (PublicState(mark, lobby),),
        GameState(1, 3, lobby, None),
        RoomCode("coral", "otter"),
        doors=(DoorKind.SSH,),
    )
    assert await tables.move_table(order) is not None
    (request,) = started
    assert isinstance(request, ReopenRequest)
    assert request.doors == (DoorKind.SSH,)
