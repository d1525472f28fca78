"""What a player types for a table, or nothing, where that leads, and with which credentials."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Container, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import pytest

from net.client.credentials import Credentials, CredentialStore
from net.discovery import service
from net.discovery.advert import NO_DOORS, OURS, Advert, AdvertStage, DoorPorts
from net.discovery.games import DiscoveredGame, GameStatus, make_titles
from net.discovery.networks import LOOPBACK_HOSTS, claim_port
from net.discovery.service import Announcer
from net.protocol.fields import RUNNING_HASH_BYTES
from net.protocol.messages import Mark
from net.secure.address import PORTS, Address
from net.secure.code import RoomCode
from sabtui.app import joining
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
from sabtui.app.requests import JoinRequest
from tests.net.discovery import conftest

loopback_mdns = conftest.loopback_mdns
no_mdns = conftest.no_mdns
no_networks = conftest.no_networks
own_service = conftest.own_service

HERE = "127.0.0.1"


@asynccontextmanager
async def table(
    name: str, ports: Sequence[int] = (0,), doors: DoorPorts = NO_DOORS
) -> AsyncIterator[int]:
    """A table of this name on this machine, which can be found; its port."""
    claimed = claim_port(ports=ports, hosts=LOOPBACK_HOSTS)
    advert = Advert(f"{len(name):016x}", name, OURS, AdvertStage.LOBBY, 1, 5, doors)
    async with Announcer(advert, claimed.port, claimed.udp):
        yield claimed.port
    claimed.close()


@dataclass(frozen=True, slots=True)
class Hearing:
    """A browser that hears of these games, one after the other, and then of no more."""

    games: tuple[DiscoveredGame, ...]
    trouble: None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        return

    async def __aiter__(self) -> AsyncIterator[tuple[DiscoveredGame, ...]]:
        for number in range(len(self.games)):
            yield make_titles(self.games[: number + 1])


@dataclass(frozen=True, slots=True)
class Hear:
    """Says which games are heard of on this network."""

    patch: pytest.MonkeyPatch

    def __call__(
        self, *names: str, status: GameStatus = GameStatus.JOINABLE, over: Container[str] = ()
    ) -> None:
        games = list[DiscoveredGame]()
        for number, name in enumerate(names):
            stage = AdvertStage.OVER if name in over else AdvertStage.LOBBY
            advert = Advert(f"{number:016x}", name, OURS, stage, 1, 5)
            games.append(DiscoveredGame(name, advert, status, (Address(HERE, 7341 + number),)))
        self.patch.setattr(joining, "Browser", lambda _ours: Hearing(tuple(games)))


@pytest.fixture
def hear(monkeypatch: pytest.MonkeyPatch) -> Hear:
    return Hear(monkeypatch)


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


async def test_one_of_several_tables_is_found_by_its_name_in_capitals_or_not(hear: Hear) -> None:
    hear("Rush", "Nugget")
    assert (await find("nugget")).addresses == (Address(HERE, 7342),)


async def test_where_there_are_several_one_is_asked_which(hear: Hear) -> None:
    hear("Rush", "Nugget")
    assert await sentence("") == (
        "There are several games here: Nugget, Rush. Say which one: sabtui join NAME"
    )


async def test_of_several_one_goes_back_to_the_table_where_one_was_last(hear: Hear) -> None:
    gone, rush, nugget = "f" * 16, f"{0:016x}", f"{1:016x}"
    hear("Rush", "Nugget", "Hill")
    assert (await find("", [gone, nugget, rush])).title == "Nugget"


async def test_a_table_whose_game_is_over_is_found_where_there_is_no_other(hear: Hear) -> None:
    hear("Rush", "Nugget", over={"Nugget"})
    assert (await find("")).title == "Rush"
    hear("Nugget", over={"Nugget"})
    assert (await find("")).title == "Nugget"


async def test_a_table_of_a_newer_version_is_no_way_and_says_what_to_do(hear: Hear) -> None:
    hear("Rush", status=GameStatus.UPDATE_OURS)
    assert (
        await sentence("Rush")
        == "Rush: its host has another version of Sabtui: update the older one."
    )


@pytest.mark.usefixtures("no_mdns")
async def test_an_address_needs_no_multicast() -> None:
    async with table("Rush") as port:
        place = await find(f"{HERE}:{port}")
        assert (place.title, place.addresses) == ("Rush", (Address(HERE, port),))


@pytest.mark.usefixtures("no_mdns")
async def test_an_address_at_which_nothing_answers_is_tried_all_the_same_if_it_has_a_port() -> None:
    assert await find(f"{HERE}:9") == FoundTable(f"{HERE}:9", "", (Address(HERE, 9),))


@pytest.mark.usefixtures("no_mdns")
@pytest.mark.parametrize("typed", ["{}:7352", "ssh -p 7352 NAME@{}", "http://{}:7362/#amber-tulip"])
async def test_the_port_of_a_door_leads_to_the_table_that_it_is_of(typed: str) -> None:
    doors = DoorPorts(7352, 7362)
    async with table("Nugget", PORTS), table("Rush", PORTS, doors) as port:
        place = await find(typed.format(HERE))
    assert (place.title, place.addresses) == ("Rush", (Address(HERE, port),))
    assert place.code == (RoomCode("amber", "tulip") if "#" in typed else None)


@pytest.mark.usefixtures("no_mdns")
async def test_a_login_at_a_computer_is_taken_as_it_is() -> None:
    place = await find("ssh ana@box")
    assert place.addresses == (Address("ssh://ana@box", 7341),)


@pytest.mark.usefixtures("no_mdns")
@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        (
            "nobody-at-all.local",
            "No computer called nobody-at-all.local is found. Type its address",
        ),
        ("ssh -p", "That is not an address: type one such as ssh://ana@box.local"),
        ("sabtui join", "That is not an address: type one such as 192.168.1.20"),
    ],
)
async def test_what_leads_nowhere_is_answered_with_what_to_type(wanted: str, told: str) -> None:
    assert told in await sentence(wanted)


def test_the_code_in_a_link_is_that_of_a_newcomer(tmp_path: Path) -> None:
    code = RoomCode("amber", "tulip")
    place = FoundTable("Rush", "", (Address(HERE, 7341),), code=code)
    assert credentials_for(place, JoinRequest("ana", ""), CredentialStore(tmp_path)).code == code


@pytest.mark.usefixtures("no_mdns")
async def test_where_nothing_can_be_looked_for_an_address_is_asked_for() -> None:
    assert "join by address: sabtui join ADDRESS" in await sentence("")


async def test_a_port_that_is_none_and_the_name_of_nothing_is_told(hear: Hear) -> None:
    hear()
    for wanted in ("box.local:99999", "box.local:x"):
        assert await sentence(wanted) == (
            "That is not an address: type one such as 192.168.1.20:7341."
        )


THERE = Address("192.0.2.1", 7341)
MOVED = Address("192.0.2.9", 7341)
RUSH = FoundTable("Gold Rush", "0123456789abcdef", (THERE,))
ANN = JoinRequest("ann", "")


@pytest.fixture
def store(tmp_path: Path) -> CredentialStore:
    return CredentialStore(tmp_path)


def keep_credentials(store: CredentialStore, name: str, table: str = RUSH.table) -> Credentials:
    credentials = Credentials(
        name=name, addresses=(THERE,), table=table, pin=bytes(32), may_differ=False
    )
    store.store(credentials)
    return credentials


def test_who_was_never_there_has_credentials_with_a_new_key(store: CredentialStore) -> None:
    first = credentials_for(RUSH, ANN, store)
    second = credentials_for(RUSH, ANN, store)
    assert first.pin is None
    assert first.key != second.key
    assert (first.name, first.may_differ) == ("ann", True)
    asked_for = JoinRequest("Ann", "", claims_name=True)
    assert not credentials_for(RUSH, asked_for, store).may_differ
    keep_credentials(store, "ann", table="fedcba9876543210")
    assert credentials_for(RUSH, ANN, store).pin is None, "those are of another table"


def test_whoever_was_there_comes_back(store: CredentialStore) -> None:
    mine = keep_credentials(store, "ann")
    assert credentials_for(RUSH, ANN, store) == mine


def test_the_table_is_tried_first_where_it_is_seen_now(store: CredentialStore) -> None:
    mine = keep_credentials(store, "ann")
    moved = replace(RUSH, addresses=(MOVED,))
    assert credentials_for(moved, ANN, store) == replace(mine, addresses=(MOVED, THERE))


def test_a_host_who_has_yet_to_come_sits_under_any_name(store: CredentialStore) -> None:
    mine = keep_credentials(store, "root")
    hosty = JoinRequest("Hosty", "", claims_name=True)
    assert credentials_for(RUSH, hosty, store) == replace(mine, name="Hosty")
    by_code = replace(hosty, code=RoomCode("amber", "tiger"))
    assert credentials_for(RUSH, by_code, store).key != mine.key
    store.store(replace(mine, seen=Mark(7, bytes(RUNNING_HASH_BYTES))))
    assert credentials_for(RUSH, hosty, store).key != mine.key, "the host has come"


def test_who_was_removed_comes_with_a_new_key_with_a_new_code(store: CredentialStore) -> None:
    old, new = RoomCode("amber", "tiger"), RoomCode("amber", "tulip")
    mine = replace(keep_credentials(store, "ann"), code=old, was_removed=True)
    store.store(mine)
    for code in (None, old):
        again = credentials_for(RUSH, replace(ANN, code=code), store)
        assert again.key == mine.key, "by it the host knows whom to tell that they were removed"
    assert credentials_for(RUSH, replace(ANN, code=new), store).key != mine.key
    assert recent_credentials(ANN, store) == []
    (kept,) = store.list_stored()
    assert not is_free_seat(kept, RUSH)


def test_a_second_window_is_a_second_player(store: CredentialStore) -> None:
    mine = keep_credentials(store, "ann")
    with store.using(mine):
        second = credentials_for(RUSH, ANN, store)
    assert second.key != mine.key
    assert second.pin is None


def test_a_seat_asked_for_by_its_name_is_taken_from_another_window(store: CredentialStore) -> None:
    mine = keep_credentials(store, "ann")
    keep_credentials(store, "ben")
    with store.using(mine):
        assert credentials_for(RUSH, JoinRequest("ANN", "", claims_name=True), store) == mine


def test_where_a_game_has_begun_a_dead_windows_seat_is_taken_back(store: CredentialStore) -> None:
    mine = keep_credentials(store, "ann")
    begun = replace(RUSH, has_begun=True)
    with store.using(mine):
        assert credentials_for(begun, ANN, store) == mine
        assert credentials_for(begun, replace(ANN, watch=True), store).pin is None
        assert credentials_for(begun, JoinRequest("ben", "", claims_name=True), store).pin is None


def test_who_asks_to_watch_watches_from_a_stored_place_too(store: CredentialStore) -> None:
    mine = keep_credentials(store, "ann")
    watching = credentials_for(RUSH, replace(ANN, watch=True), store)
    assert watching == replace(mine, watch=True)
    assert credentials_for(RUSH, ANN, store) == mine


def test_a_table_without_a_known_id_is_told_by_its_address(store: CredentialStore) -> None:
    mine = keep_credentials(store, "ann")
    assert credentials_for(replace(RUSH, table=""), ANN, store) == mine
    elsewhere = FoundTable("", "", (MOVED,))
    assert credentials_for(elsewhere, ANN, store).pin is None


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
