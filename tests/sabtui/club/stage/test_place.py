"""The credentials of a stage, and its invitation for the room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from net.client.credentials import Credentials, CredentialStore
from net.discovery.advert import OURS, Advert, AdvertStage, DoorPorts
from net.discovery.games import DiscoveredGame, GameStatus
from net.secure.address import Address, parse_tunnel
from net.secure.code import RoomCode
from sabtui.app.joining import FoundTable, SeveralTables
from sabtui.app.launcher import credential_store
from sabtui.app.requests import Invitation
from sabtui.cli.main import main
from sabtui.club.stage import (
    StageHallScreen,
    StagePlace,
    ask_for_stage,
    find_stage_place,
    stage_store,
)
from sabtui.tui.app import SabtuiApp

CODE = RoomCode("amber", "tiger")
BOX = Address("192.168.1.20", 7341)
GAME = DiscoveredGame(
    "Gold Rush",
    Advert("1" * 16, "Gold Rush", OURS, AdvertStage.PLAYING, 5, 5, DoorPorts(7422, 7361)),
    GameStatus.JOINABLE,
    (BOX,),
)
PIN = bytes(32)
PLACE = "sabtui.club.stage"


@pytest.fixture(autouse=True)
def _own_state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    async def find(wanted: str, _known: Sequence[str] = ()) -> FoundTable:
        if wanted == "many":
            raise SeveralTables([GAME, replace(GAME, title="Deep Mine")])
        return FoundTable.of(GAME)

    monkeypatch.setattr(f"{PLACE}.find", find)


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
    monkeypatch.setattr(f"{PLACE}.own_addresses", lambda: ["192.168.1.5", "fe80::1"])
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


def find_nobody(monkeypatch: pytest.MonkeyPatch, *, pin: bytes | None = None) -> None:
    """Have a table found that nobody answers at."""

    async def find(where: str, code: RoomCode | None) -> StagePlace:
        return StagePlace(Credentials(where, (), code=code, pin=pin, watch=True))

    monkeypatch.setattr(f"{PLACE}.find_stage_place", find)
    monkeypatch.setattr(f"{PLACE}.ask_code", lambda _found, _console: RoomCode("coral", "otter"))


def test_a_stage_asks_for_a_code_only_where_one_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    find_nobody(monkeypatch)
    for typed, known in ((None, "coral-otter"), (CODE, "amber-tiger")):
        place, code = ask_for_stage("Rush", typed)
        assert str(place.credentials.code) == str(code) == known, "the room is told it"
        assert place.credentials.name == "Rush"
    find_nobody(monkeypatch, pin=bytes(32))
    place, code = ask_for_stage("", None)
    assert place.credentials.code is code is None


def test_a_stage_is_shown_as_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = list[object]()

    def show(app: SabtuiApp) -> int:
        assert app._first is not None
        opened.append(app._first())
        return 0

    find_nobody(monkeypatch)
    monkeypatch.setattr("sabtui.tui.app.run", show)
    monkeypatch.setattr("sabtui.app.terminal.why_no_screen", lambda _environ: "")
    assert main(["stage"]) == main(["stage", "--hide-code"]) == 0
    told = []
    for screen in opened:
        assert isinstance(screen, StageHallScreen)
        told.append(screen.director.shows_code)
    assert told == [True, False]


def test_a_stage_needs_a_terminal_that_can_show_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stage"]) == 1
    assert "sabtui: " in capsys.readouterr().err
