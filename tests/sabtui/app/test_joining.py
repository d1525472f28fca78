"""The way to a table: what is typed, credentials, invitations, and where it goes on."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Container
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import pytest

from net.client.credentials import Credentials, CredentialStore
from net.client.moving import MoveOrder
from net.client.trail import GameState
from net.discovery import networks, service
from net.discovery.advert import NO_DOORS, OURS, Advert, AdvertStage, DoorPorts
from net.discovery.games import DiscoveredGame, GameStatus, make_titles
from net.discovery.networks import LOOPBACK_HOSTS, claim_port
from net.discovery.service import Announcer
from net.protocol.doors import DoorKind
from net.protocol.fields import RUNNING_HASH_BYTES
from net.protocol.lobby import Lobby, Settings
from net.protocol.messages import Mark
from net.room.steps import PublicState
from net.secure import address
from net.secure.address import Address, parse_typed
from net.secure.code import RoomCode
from net.secure.keys import SeatKey
from net.server.bots import BotPace
from net.server.journal import Journal, path_of
from net.server.journal_format import Finish
from sabtui.app import Speed, joining, launcher, tables
from sabtui.app.errors import UserError
from sabtui.app.joining import (
    RECENT_S,
    FoundTable,
    credentials_for,
    find,
    games_named,
    is_free_seat,
    recent_credentials,
)
from sabtui.app.launcher import TableOpened
from sabtui.app.requests import (
    MIN_PAUSE_S,
    PACES_S,
    SLACK_S,
    HostRequest,
    Invitation,
    JoinRequest,
    ReopenRequest,
    ResumableTable,
    invitation_lines,
    pace_among_people,
    typable_addresses,
)
from sabtui.text.network import bad_address
from tests.net.client.test_dialer import stranger
from tests.net.discovery import conftest
from tests.net.server.journal_tools import create
from tests.net.server.served_table import CODE, OTHER_CODE, hosting

loopback_mdns = conftest.loopback_mdns
no_mdns = conftest.no_mdns
no_networks = conftest.no_networks
own_service = conftest.own_service

HERE = "127.0.0.1"
THERE = Address("192.0.2.1", 7341)
MOVED = Address("192.0.2.9", 7341)
RUSH = FoundTable("Gold Rush", "0123456789abcdef", (THERE,))
ANN = JoinRequest("ann", "")
AMBER = RoomCode("amber", "tulip")


@asynccontextmanager
async def table(name: str, doors: DoorPorts = NO_DOORS) -> AsyncIterator[int]:
    """A table of this name on this machine, which can be found; its port."""
    claimed = claim_port(ports=[0], hosts=LOOPBACK_HOSTS)
    advert = Advert(f"{len(name):016x}", name, OURS, AdvertStage.LOBBY, 1, 5, doors)
    async with Announcer(advert, claimed.port, claimed.udp):
        yield claimed.port
    claimed.close()


@dataclass(frozen=True, slots=True)
class Hearing:
    """A browser that hears of these games, one after another, and then of no more."""

    games: tuple[DiscoveredGame, ...]
    trouble: OSError | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        return

    async def __aiter__(self) -> AsyncIterator[tuple[DiscoveredGame, ...]]:
        for number in range(len(self.games)):
            yield make_titles(self.games[: number + 1])


def advertise(
    patch: pytest.MonkeyPatch,
    *names: str,
    status: GameStatus = GameStatus.JOINABLE,
    over: Container[str] = (),
) -> None:
    """Have these games heard of on this network."""
    games = list[DiscoveredGame]()
    for number, name in enumerate(names):
        stage = AdvertStage.OVER if name in over else AdvertStage.LOBBY
        advert = Advert(f"{number:016x}", name, OURS, stage, 1, 5)
        games.append(DiscoveredGame(name, advert, status, (Address(HERE, 7341 + number),)))
    patch.setattr(joining, "Browser", lambda _ours: Hearing(tuple(games)))


async def sentence(wanted: str) -> str:
    """Why there is no way to what was typed."""
    with pytest.raises(UserError) as caught:
        await find(wanted)
    return str(caught.value)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Look for a shorter while: there is one table, or nothing."""
    monkeypatch.setattr(joining, "OTHERS_TIMEOUT_S", 0.01)
    monkeypatch.setattr(service, "EXTRA_ANSWERS_S", 0.01)
    if "nothing" in request.node.name:
        monkeypatch.setattr(joining, "FIND_TIMEOUT_S", 0.05)


@pytest.mark.usefixtures("loopback_mdns")
async def test_the_only_table_is_found_without_a_word() -> None:
    async with table("Rush") as port:
        assert await find("") == FoundTable("Rush", f"{4:016x}", (Address(HERE, port),))


async def test_of_several_tables_a_name_or_where_one_was_last_chooses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gone, rush, nugget = "f" * 16, f"{0:016x}", f"{1:016x}"
    advertise(monkeypatch, "Rush", "Nugget")
    assert (await find("nugget")).addresses == (Address(HERE, 7342),), "in capitals or not"
    assert (await find("", [gone, nugget, rush])).title == "Nugget"
    assert await sentence("") == (
        "Several games are open here: Nugget, Rush. Choose one: sabtui join NAME"
    )
    for names, found in ((("Rush", "Nugget"), "Rush"), (("Nugget",), "Nugget")):
        advertise(monkeypatch, *names, over={"Nugget"})
        assert (await find("")).title == found, "one that is over only if there is no other"


async def test_of_several_tables_of_a_name_a_code_finds_the_one_that_proves_it(
    tmp_path: Path,
) -> None:
    silent = claim_port(ports=[0], hosts=LOOPBACK_HOSTS)
    async with stranger(tmp_path, OTHER_CODE) as other, hosting(tmp_path / "ours") as ours:
        found_at = silent.port, other.port, ours.port
        ports = {f"{number:016x}": at for number, at in enumerate(found_at)}
        found = tuple(
            DiscoveredGame(
                f"Rush ({number})",
                Advert(table, "Rush", OURS, AdvertStage.LOBBY, 1, 5),
                GameStatus.JOINABLE,
                (Address(HERE, at),),
            )
            for number, (table, at) in enumerate(ports.items())
        )
        request = JoinRequest("Eva", "Rush", code=CODE)
        place = await tables.find_by_code(joining.SeveralTables(found), request)
        assert place.addresses == (Address(HERE, ours.port),)
        assert place.table == f"{2:016x}", "it can be followed when it moves"
        with pytest.raises(joining.SeveralTables):
            await tables.find_by_code(joining.SeveralTables(found[1:2]), request)
        with pytest.raises(joining.SeveralTables):
            await tables.find_by_code(joining.SeveralTables(found), replace(request, code=None))
    silent.close()


async def test_what_is_no_way_to_a_table_says_what_to_do_and_nothing_is_an_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    advertise(monkeypatch, "Rush", status=GameStatus.OTHER_VERSION)
    other = f"has protocol {OURS.high} and this program {OURS.high}: update the older Sabtui."
    assert await sentence("Rush") == f"Rush: its host {other}"
    advertise(monkeypatch)
    for wanted in ("box.local:99999", "box.local:x"):
        assert await sentence(wanted) == bad_address()


@pytest.mark.usefixtures("no_mdns")
async def test_an_address_or_a_login_needs_no_multicast() -> None:
    async with table("Rush") as port:
        place = await find(f"{HERE}:{port}")
        assert (place.title, place.addresses) == ("Rush", (Address(HERE, port),))
    assert (await find("ssh ana@box")).addresses == (Address("ssh://ana@box", 7341),)


@pytest.mark.usefixtures("no_mdns")
@pytest.mark.parametrize("typed", ["{}:7352", "ssh -p 7352 NAME@{}", "http://{}:7362/#amber-tulip"])
async def test_the_port_of_a_door_leads_to_the_table_that_it_is_of(
    typed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with table("Nugget") as other, table("Rush", doors=DoorPorts(7352, 7362)) as port:
        monkeypatch.setattr(address, "PORTS", (other, port))  # other programs have the usual ones
        place = await find(typed.format(HERE))
    assert (place.title, place.addresses) == ("Rush", (Address(HERE, port),))
    assert place.code == (RoomCode("amber", "tulip") if "#" in typed else None)


@pytest.mark.usefixtures("no_mdns")
async def test_where_nothing_answers_a_port_is_tried_and_else_it_is_told_what_to_type() -> None:
    assert await find(f"{HERE}:9") == FoundTable(f"{HERE}:9", "", (Address(HERE, 9),))
    unknown = "No computer named nobody-at-all.local was found. Try its address"
    assert unknown in await sentence("nobody-at-all.local")
    for wanted in ("ssh -p", "sabtui join"):
        assert "not an address: type one such as 192.168.1.20" in await sentence(wanted)
    assert "join by address: sabtui join ADDRESS" in await sentence("")


@pytest.fixture(autouse=True)
def opened_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let there be a journal of a table that was opened here."""
    monkeypatch.setattr(launcher, "state_folder", lambda: tmp_path)
    (tmp_path / "tables").mkdir()
    create(path_of(RUSH.table, tmp_path / "tables")).close()


@pytest.fixture
def store() -> CredentialStore:
    """The store of a player's credentials."""
    return launcher.credential_store()


def keep_credentials(store: CredentialStore, name: str, table: str = RUSH.table) -> Credentials:
    credentials = Credentials(
        name, (THERE,), table=table, title="Gold Rush", pin=bytes(32), may_differ=False
    )
    store.store(credentials)
    return credentials


def test_a_newcomer_has_credentials_with_a_new_key(store: CredentialStore) -> None:
    keep_credentials(store, "ann", table="fedcba9876543210")
    first = credentials_for(replace(RUSH, code=AMBER), ANN, store)
    second = credentials_for(RUSH, ANN, store)
    assert first.pin is None
    assert first.key != second.key
    assert (first.name, first.may_differ) == ("ann", True)
    assert (first.code, second.code) == (AMBER, None), "of a link"
    asked_for = JoinRequest("Ann", "", claims_name=True)
    assert not credentials_for(RUSH, asked_for, store).may_differ


def test_somebody_who_was_there_comes_back_unless_another_window_has_the_seat(
    store: CredentialStore,
) -> None:
    mine = keep_credentials(store, "ann")
    assert credentials_for(RUSH, ANN, store) == mine
    moved = replace(RUSH, addresses=(MOVED,))
    assert credentials_for(moved, ANN, store) == replace(mine, addresses=(MOVED, THERE))
    watching = credentials_for(RUSH, replace(ANN, watch=True), store)
    assert watching == replace(mine, watch=True)
    assert credentials_for(replace(RUSH, table=""), ANN, store) == mine, "by the address"
    assert credentials_for(FoundTable("", "", (MOVED,)), ANN, store).pin is None
    keep_credentials(store, "ben")
    begun = replace(RUSH, has_begun=True)
    with ExitStack() as used:
        for kept in store.list_stored():
            used.enter_context(store.using(kept.credentials))
        second = credentials_for(RUSH, ANN, store)
        assert second.key != mine.key
        assert second.pin is None
        for place in (RUSH, begun):
            assert credentials_for(place, JoinRequest("ANN", "", claims_name=True), store) == mine
        assert credentials_for(begun, ANN, store).pin, "a window may have died there"
        assert credentials_for(begun, replace(ANN, watch=True), store).pin is None
        assert credentials_for(begun, JoinRequest("cy", "", claims_name=True), store).pin is None


def test_a_host_who_has_yet_to_come_sits_under_any_name(store: CredentialStore) -> None:
    mine = keep_credentials(store, "root")
    hosty = JoinRequest("Hosty", "", claims_name=True)
    assert credentials_for(RUSH, hosty, store) == replace(mine, name="Hosty")
    by_code = replace(hosty, code=RoomCode("amber", "tiger"))
    assert credentials_for(RUSH, by_code, store).key != mine.key
    store.store(replace(mine, seen=Mark(7, bytes(RUNNING_HASH_BYTES))))
    assert credentials_for(RUSH, hosty, store).key != mine.key, "the host has come"


def test_a_removed_player_comes_with_a_new_key_with_a_new_code(store: CredentialStore) -> None:
    old, new = RoomCode("amber", "tiger"), AMBER
    mine = replace(keep_credentials(store, "ann"), code=old, was_removed=True)
    store.store(mine)
    for code in (None, old):
        again = credentials_for(RUSH, replace(ANN, code=code), store)
        assert again.key == mine.key, "by it the host knows whom to tell that they were removed"
    assert credentials_for(RUSH, replace(ANN, code=new), store).key != mine.key
    assert recent_credentials(ANN, store) == []
    (kept,) = store.list_stored()
    assert not is_free_seat(kept, RUSH)


def test_without_a_word_one_means_the_table_of_this_evening(store: CredentialStore) -> None:
    assert recent_credentials(ANN, store) == []
    mine = keep_credentials(store, "ann")
    assert recent_credentials(ANN, store) == [mine]
    with store.using(mine):
        assert recent_credentials(ANN, store) == []
    (path,) = [stored.path for stored in store.list_stored()]
    old = path.stat().st_mtime - RECENT_S - 60
    os.utime(path, (old, old))
    assert recent_credentials(ANN, store) == []


NAMED = (("a", "Ana"), ("b", "Bruno"), ("c", "ana"))
"""Ids of games, by one letter, and names."""


def test_a_typed_name_means_the_game_of_that_title_or_all_of_that_name() -> None:
    adverts = [Advert(number * 16, name, OURS, AdvertStage.LOBBY, 1, 5) for number, name in NAMED]
    games = make_titles(DiscoveredGame(a.name, a, GameStatus.JOINABLE, ()) for a in adverts)
    for typed, titles in (
        (" ANA ", ["Ana (aaaa)", "ana (cccc)"]),
        ("ana (CCCC)", ["ana (cccc)"]),
        ("Chiara", []),
    ):
        assert [game.title for game in games_named(games, typed)] == titles


async def test_where_no_table_is_found_one_goes_to_the_last_seat_or_that_of_the_name(
    store: CredentialStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(networks, "own_networks", lambda: (HOME,))

    async def find_nothing(wanted: str, _known: list[str]) -> None:
        raise joining.NoTableFound(wanted or "none at all")

    monkeypatch.setattr(joining, "find", find_nothing)
    join = tables.credentials_to_join
    with pytest.raises(UserError, match="none at all"):
        await join(JoinRequest("Ann", ""))
    rush = keep_credentials(store, "ann")
    assert await join(JoinRequest("Ann", "")) == rush
    vein = replace(rush, title="Rich Vein", key=SeatKey.new(), table="f" * 16)
    store.store(vein)
    assert await join(JoinRequest("Ann", "gold rush")) == rush
    assert await join(JoinRequest("Ann", "Rich Vein")) == vein
    with pytest.raises(UserError, match="Claim"):
        await join(JoinRequest("Ann", "Claim"))


HOME = networks.Network("192.0.2.7", 32)


async def test_in_no_network_only_a_table_of_ones_own_is_waited_for(
    store: CredentialStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(joining, "FIND_TIMEOUT_S", 0.1)
    join = tables.credentials_to_join
    keep_credentials(store, "ann")
    for wanted in ("", "Gold Rush", parse_typed("192.168.1.20")):
        with pytest.raises(UserError, match=r"not connected to a network\. Join the Wi-Fi first"):
            await join(JoinRequest("Ann", wanted))
    own = keep_credentials(store, "ann", table="e" * 16)
    own = replace(own, addresses=(Address(HERE, 7341),), key=SeatKey.new())
    store.store(own)
    assert await join(JoinRequest("Ann", "")) == own
    monkeypatch.setattr(tables, "reaches_itself", lambda: False)
    with pytest.raises(UserError, match="not connected to a network"):
        await join(JoinRequest("Ann", ""))
    with pytest.raises(UserError, match="cannot reach itself"):
        await tables.open_table(HostRequest("Ann", "Rush", Settings()))


@pytest.mark.usefixtures("no_mdns")
async def test_an_address_near_by_that_keeps_silent_is_told_from_one_without_a_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def seek(*_where: object) -> tuple[DiscoveredGame, ...]:
        return ()

    here = networks.Network(HERE, 8)
    monkeypatch.setattr(joining, "seek", seek)
    monkeypatch.setattr(networks, "own_networks", lambda: (HOME,))
    monkeypatch.setattr(joining, "own_networks", lambda: (here,))
    assert "No game answered at 127.0.0.9. If it uses another port" in await sentence("127.0.0.9")

    async def no_question(*_at: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(asyncio, "open_connection", no_question)
    told = await sentence("127.0.0.9")
    assert told.startswith("Nothing answers at 127.0.0.9. Guest Wi-Fi may keep computers apart")


def test_the_code_is_shown_again_to_who_opened_a_table_and_to_no_guest() -> None:
    at = Address(HERE, 7341)
    mine = Credentials("ann", (THERE, at), table=RUSH.table, title="Rush", code=AMBER)
    shown = tables.table_handle(mine).invitation
    assert shown is not None
    assert (shown.title, shown.code) == ("Rush", "amber-tulip")
    assert tables.table_handle(replace(mine, addresses=(THERE,))).invitation is None
    assert tables.table_handle(replace(mine, table="f" * 16)).invitation is None


def test_tables_to_come_back_to_are_those_where_a_seat_is_kept_the_last_one_first(
    store: CredentialStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = tables.TableService()
    advert = Advert(RUSH.table, "Rush", OURS, AdvertStage.LOBBY, 2, 5)
    game = DiscoveredGame("Rush", advert, GameStatus.JOINABLE, (THERE,))
    other = replace(game, advert=replace(advert, id="f" * 16))
    assert not service.find_kept_seats([game])
    kept = keep_credentials(store, "ann")
    assert service.find_kept_seats([game, other]) == {RUSH.table}
    with store.using(kept):
        assert not service.find_kept_seats([game])
    assert [table.is_host for table in service.resumable()] == [False, True]
    store.store(replace(kept, was_removed=True))
    assert [table.is_host for table in service.resumable()] == [True]
    with Journal.open(path_of(RUSH.table, tmp_path / "tables")) as journal:
        journal.commit([Finish()])
    assert not service.resumable()
    with pytest.raises(UserError, match="no table to bring back"):
        tables.find_table_to_reopen("")
    found = {
        name: (ResumableTable(name, name, when, is_host=False), None, kept)
        for name, when in (("old", 1.0), ("new", 3.0), ("middle", 2.0))
    }
    monkeypatch.setattr(tables, "_resumable_tables", lambda: found)
    assert [table.title for table in service.resumable()] == ["new", "middle", "old"]


async def test_a_table_that_runs_already_is_joined_and_not_opened_once_more(
    store: CredentialStore, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened: list[object] = []

    async def open_table(request: object) -> None:
        opened.append(request)

    monkeypatch.setattr(tables, "open_table", open_table)
    store.store(replace(keep_credentials(store, "ann"), addresses=(Address(HERE, 7341),)))
    service = tables.TableService()
    (table,) = service.resumable()
    with Journal.open(path_of(RUSH.table, tmp_path / "tables")):
        handle = await service.resume(table)
        assert handle.invitation is not None
        assert opened == []
    await service.resume(table)
    assert len(opened) == 1


# Where others are invited to, and how fast bots among them are.


@pytest.mark.parametrize("speed", Speed)
def test_among_people_a_bots_pause_is_longer_than_it_thinks(speed: Speed) -> None:
    pace = pace_among_people(speed)
    assert pace.thought.seconds + SLACK_S <= pace.pace[0] + 1e-9
    assert pace.thought.seconds > 0
    assert pace.pace == tuple(max(pause, MIN_PAUSE_S) for pause in PACES_S[speed])
    assert (pace == BotPace()) is (speed is Speed.NORMAL), "as the server has them"


def test_an_address_that_needs_a_zone_of_the_guests_own_is_told_to_nobody() -> None:
    assert list(map(str, typable_addresses(("192.168.1.5", "fe80::1"), 7341))) == [
        "192.168.1.5:7341"
    ]
    told = Invitation("Rush", "amber-tulip", tuple(map(str, typable_addresses(("fe80::1",), 7341))))
    assert not told.addresses
    assert not told.is_alone
    assert invitation_lines(told)[-1] == "On this network: sabtui join --code amber-tulip"


# The table of a host who is gone.


async def test_a_table_goes_on_here_with_the_doors_that_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started = list[HostRequest | ReopenRequest]()

    def start(request: HostRequest | ReopenRequest) -> TableOpened:
        started.append(request)
        return TableOpened(port=7341)

    monkeypatch.setattr(launcher, "start_table", start)
    lobby, mark = Lobby.empty("Rush", Settings()), Mark(3, bytes(16))
    seat = Credentials(
        "Ben", (Address("10.77.0.1", 7341),), key=SeatKey.new(), table="0" * 16, title="Rush"
    )
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
