"""The credentials of a stage, and its invitation for the room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from net.client.credentials import Credentials, CredentialStore
from net.discovery.advert import OURS, Advert, AdvertStage, DoorPorts
from net.discovery.browser import DiscoveredGame, GameStatus
from net.secure.address import Address, parse_tunnel
from net.secure.code import RoomCode
from sabtui.app import stage
from sabtui.app.joining import FoundTable, SeveralTables
from sabtui.app.launcher import credential_store
from sabtui.app.requests import Invitation
from sabtui.app.stage import StagePlace, find_stage_place, stage_store

CODE = RoomCode("amber", "tiger")
BOX = Address("192.168.1.20", 7341)
GAME = DiscoveredGame(
    "Gold Rush",
    Advert("1" * 16, "Gold Rush", OURS, AdvertStage.PLAYING, 5, 5, DoorPorts(7422, 7361)),
    GameStatus.JOINABLE,
    (BOX,),
)
PIN = bytes(32)


@pytest.fixture(autouse=True)
def _own_state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    async def find(wanted: str, _known: Sequence[str] = ()) -> FoundTable:
        if wanted == "many":
            raise SeveralTables([GAME, replace(GAME, title="Deep Mine")])
        return FoundTable.of(GAME)

    monkeypatch.setattr(stage, "find", find)


def keep(store: CredentialStore, *, watch: bool) -> Credentials:
    """Credentials of this table that are kept and free."""
    kept = Credentials("Ana", (BOX,), table="1" * 16, title="Gold Rush", pin=PIN, watch=watch)
    assert store.store(kept)
    return kept


async def test_a_stage_never_enters_as_the_player_who_runs_it() -> None:
    player = keep(credential_store(), watch=False)
    place = await find_stage_place(code=CODE)
    assert place.credentials.key != player.key
    assert place.credentials.watch
    assert place.credentials.name == "Stage"
    assert place.credentials.code == CODE
    assert place.doors == DoorPorts(7422, 7361)


async def test_a_stage_that_comes_back_is_known_and_still_watches() -> None:
    kept = keep(stage_store(), watch=False)
    place = await find_stage_place(code=CODE)
    assert (place.credentials.key, place.credentials.pin) == (kept.key, PIN)
    assert place.credentials.code == CODE, "for the room"
    assert place.credentials.watch


async def test_of_several_tables_the_advice_is_how_to_name_one_for_the_stage() -> None:
    with pytest.raises(SeveralTables, match="sabtui stage NAME"):
        await find_stage_place("many")


def test_the_room_is_told_addresses_that_it_can_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stage, "own_addresses", lambda: ["192.168.1.5", "fe80::1"])
    tunnel = parse_tunnel("ssh://ana@box.local")
    told = {
        (BOX,): ("192.168.1.20:7341",),
        (Address("127.0.0.1", 7342), BOX): ("192.168.1.5:7342",),
        (tunnel,): (),
    }
    for known, shown in told.items():
        place = StagePlace(Credentials("Stage", known, title="Gold Rush", code=CODE, watch=True))
        assert place.invitation(CODE) == Invitation("Gold Rush", str(CODE), shown)
        assert not place.invitation(None).code
