"""The stage: its place, a table on it, what fits between games, and all pictures."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from engine import cards
from engine.actions import Broke
from engine.events import Event, Laid, Passed
from net.client.credentials import Credentials, CredentialStore
from net.client.session import ConnectionState, Status, Update
from net.discovery.advert import OURS, Advert, AdvertStage
from net.discovery.games import DiscoveredGame, GameStatus
from net.protocol.board import HallBoard, HallTable, Night
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
    draw_between_games,
    draw_headline,
    find_headline,
    find_stage_place,
)
from sabtui.club.text import night_end
from sabtui.club.visit import stage_store
from sabtui.table.sight import Sight
from sabtui.text.connection import state_words
from sabtui.tui.app import SabtuiApp
from sabtui.tui.table.log import TableLog
from sabtui.tui.theme import ASCII, BOX, draw_large
from sabtui.tui.widgets.panel import plain
from tests.sabtui.club.pictures import (
    AMBER,
    COMPUTER,
    HALL,
    ClubPicture,
    draw_picture,
    in_hall,
    order,
    pictures,
    show_table,
    watching,
)
from tests.sabtui.club.test_text import NIGHT
from tests.sabtui.tui.pictures import FOLDER, text_of
from tests.sabtui.tui.run_app import TableApp
from tests.samples import first

GAME = DiscoveredGame(
    "Gold Rush",
    Advert("1" * 16, "Gold Rush", OURS, AdvertStage.PLAYING, 5, 5),
    GameStatus.JOINABLE,
    (COMPUTER,),
)
PIN = bytes(32)
MODULE = "sabtui.club.stage"


@pytest.fixture(autouse=True)
def _own_state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    async def find(wanted: str, _known: Sequence[str] = ()) -> FoundTable:
        if wanted == "many":
            raise SeveralTables([GAME, replace(GAME, title="Deep Mine")])
        return FoundTable.of(GAME)

    monkeypatch.setattr(f"{MODULE}.find", find)


def keep(store: CredentialStore, *, watch: bool) -> Credentials:
    """Credentials of this table that are kept and free."""
    kept = Credentials("Ana", (COMPUTER,), table="1" * 16, title="Gold Rush", pin=PIN, watch=watch)
    assert store.store(kept)
    return kept


async def test_a_stage_never_enters_as_the_player_who_runs_it() -> None:
    player = keep(credential_store(), watch=False)
    place = await find_stage_place(code=AMBER)
    assert place.credentials.key != player.key
    assert place.credentials.watch
    assert place.credentials.name == "Projector"
    assert place.credentials.code == AMBER


async def test_a_stage_that_comes_back_is_known_and_still_watches() -> None:
    kept = keep(stage_store(), watch=False)
    place = await find_stage_place(code=AMBER)
    assert (place.credentials.key, place.credentials.pin) == (kept.key, PIN)
    assert place.credentials.code == AMBER, "for the room"
    assert place.credentials.watch


async def test_of_several_tables_the_advice_is_how_to_name_one_for_the_stage() -> None:
    with pytest.raises(SeveralTables, match="sabtui stage NAME"):
        await find_stage_place("many")


def test_the_room_is_told_addresses_that_it_can_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{MODULE}.own_addresses", lambda: ["192.168.1.5", "fe80::1"])
    tunnel = parse_tunnel("ssh://ana@box.local")
    told = {
        (COMPUTER,): ("192.168.1.20:7341",),
        (Address("127.0.0.1", 7342), COMPUTER): ("192.168.1.5:7342",),
        (tunnel,): (),
    }
    for known, shown in told.items():
        place = StagePlace(Credentials("Stage", known, title="Gold Rush", code=AMBER, watch=True))
        assert place.invitation(AMBER) == Invitation("Gold Rush", str(AMBER), shown)
        assert not place.invitation(None).code


def find_nobody(monkeypatch: pytest.MonkeyPatch, *, pin: bytes | None = None) -> None:
    """Have a table found that nobody answers at."""

    async def find(where: str, code: RoomCode | None) -> StagePlace:
        return StagePlace(Credentials(where, (), code=code, pin=pin, watch=True))

    monkeypatch.setattr(f"{MODULE}.find_stage_place", find)
    monkeypatch.setattr(f"{MODULE}.ask_code", lambda _found, _console: RoomCode("coral", "otter"))


def test_a_stage_asks_for_a_code_only_where_one_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    find_nobody(monkeypatch)
    for typed, known in ((None, "coral-otter"), (AMBER, "amber-tiger")):
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


TOLD = "Dede laid a bend at 4 east, 1 north."
BRIEF = "Dede: bend"


def test_the_headline_is_the_last_thing_that_happened_and_no_talk() -> None:
    status = watching()
    sight = Sight.of(status)
    assert sight is not None
    log = TableLog.of(status)
    events: tuple[Event, ...] = (
        Laid(3, cards.Path.read("SW"), (4, -1)),
        Broke(3, cards.Tool.PICK, 1),
        Passed(2),
    )
    told = ((TOLD, BRIEF), ("Dede broke Bruno's pick.", ""), ("Chiara passed.", ""))
    for event, words in zip(events, told, strict=True):
        log = log.with_past([event], sight)
        log = log.with_chat(sight.said[0], sight.names)
        assert find_headline(log, sight) == words
    assert find_headline(TableLog(), sight) == ("", "")


def test_of_a_card_that_is_laid_where_is_written_below_who_laid_what_if_not_all_fits() -> None:
    drawn = [plain(row).strip() for row in draw_headline(TOLD, 120, 4, BOX, BRIEF)]
    assert drawn == [*(row.strip() for row in draw_large("dede: bend", BOX)), TOLD]
    for columns, rows in ((120, 3), (40, 4)):
        written = [plain(row).strip() for row in draw_headline(TOLD, columns, rows, BOX, BRIEF)]
        assert [line for line in written if line] == [TOLD]
    whole = draw_headline(TOLD, 200, 4, BOX, BRIEF)
    assert whole == draw_headline(TOLD, 200, 4, BOX)


async def test_a_key_hides_and_shows_the_code_in_whose_place_a_lost_link_stands() -> None:
    async with show_table(watching()) as (app, pilot, screen):
        assert "amber-tiger" in text_of(app)
        await pilot.press("c")
        await pilot.pause()
        assert "amber-tiger" not in text_of(app)
        await pilot.press("c")
        await pilot.pause()
        assert "amber-tiger" in text_of(app)
        before = screen.model.selection
        await pilot.click(screen.players, offset=(3, 1))
        await pilot.click(screen.mine, offset=(30, 6))
        await pilot.press("escape", "enter", "1")
        await pilot.pause()
        assert screen.model.selection == before, "nothing else does anything"
        lost = replace(watching(), connection=ConnectionState.LOST)
        screen.show_update(Update(lost))
        await pilot.pause()
        assert screen.footer.text == state_words(lost)


async def test_a_player_who_thinks_long_is_named_in_large_letters_with_the_time() -> None:
    letters = [row.strip() for row in draw_large("turn: ana 0:20", BOX)]
    sight = Sight.of(watching())
    assert sight is not None
    async with show_table(watching()) as (_app, _pilot, screen):
        for waited, is_told in ((10, False), (20, True)):
            shown = screen.bottom(sight, replace(screen.model, waited=waited))
            assert ([plain(row).strip() for row in shown[1:]] == letters) is is_told


MANY = structs.replace(
    HALL,
    hall=HallBoard(
        tables=tuple(
            HallTable(
                f"{number:016x}",
                f"Table {number}",
                "lobby",
                "international",
                2,
                6,
                (f"Player {number - 1}",),
            )
            for number in range(1, 61)
        )
    ),
    people=(),
)


def with_night(night: Night) -> Status:
    return in_hall(structs.replace(HALL, hall=structs.replace(HALL.board, night=night)))


def test_the_standings_of_a_night_stand_below_the_people_once_a_game_is_over() -> None:
    *_others, last = draw_between_games(with_night(NIGHT), 60, BOX)
    assert [line.plain for line in last] == night_end(NIGHT)
    begun = with_night(structs.replace(NIGHT, rounds=()))
    assert draw_between_games(begun, 60, BOX) == draw_between_games(in_hall(), 60, BOX)


@asynccontextmanager
async def show_hall(status: Status, size: tuple[int, int] = (120, 40)) -> AsyncIterator[str]:
    """What is seen on a stage in a hall."""
    app = TableApp()
    async with app.run_test(size=size) as pilot:
        screen = StageHallScreen(order())
        await app.push_screen(screen)
        assert screen.director._main is not None
        screen.director._main.status = status
        screen.redraw()
        await pilot.pause()
        yield text_of(app)


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (120, 40), (240, 67)])
async def test_of_sixty_tables_those_that_fit_are_shown_and_how_to_join_always(
    size: tuple[int, int],
) -> None:
    async with show_hall(in_hall(MANY), size=size) as text:
        lines = text.splitlines()
        assert any("By address: sabtui join 192.168.1.20:7341" in line for line in lines)
        seen = sum("Table " in line for line in lines)
        people = sum("   Player " in line for line in lines)
        (counted,) = [int(line.split()[0]) for line in lines if line.strip().startswith("+")]
        assert seen + people + counted == 2 * len(MANY.board.tables) + 1, (
            "a blank line is counted, too"
        )
        assert seen >= 2


KEPT = pictures()


@pytest.mark.parametrize(
    "picture",
    first(12, KEPT[::2] + KEPT[1::2], thorough=len(KEPT)),
    ids=lambda picture: picture.file.stem,
)
async def test_hall_and_stage_are_as_they_were(picture: ClubPicture) -> None:
    text = await draw_picture(picture)
    assert text == picture.file.read_text(encoding="utf-8")
    assert text.isascii() or picture.glyphs is not ASCII
    assert max(map(len, text.splitlines())) <= picture.size[0]


def test_no_picture_is_left_over() -> None:
    kept = {path.name for kind in ("stage", "hall") for path in FOLDER.glob(f"{kind}_*.txt")}
    assert kept == {picture.file.name for picture in KEPT}
