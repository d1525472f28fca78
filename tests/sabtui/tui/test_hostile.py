"""Names and talk that mean harm, as a cheating host may send them: text on every screen."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from net.client.session import ConnectionState, OnUpdate, Status, Update
from net.discovery.advert import OURS, Advert, AdvertStage
from net.discovery.games import DiscoveredGame, GameStatus
from net.protocol.chat import ChatLine
from net.protocol.lobby import Settings, Taken
from net.protocol.lobby import Stage as TableStage
from net.protocol.text import clean_name
from net.secure.address import Address
from sabtui.after.screens import records
from sabtui.after.screens.records import RecordsScreen
from sabtui.app.requests import ResumableTable, TableHandle
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.output import Display
from sabtui.tui.screens.join import JoinDialog, JoinScreen, ResumeScreen
from sabtui.tui.table.screen import TableScreen
from tests.sabtui.tui import scenes
from tests.sabtui.tui.app_fixture import Front, PreparedTables, open_app
from tests.sabtui.tui.test_navigation import ScriptedSession
from tests.samples import first

NAMES = (
    "[red]Ana[/] [@click=app.quit]x",
    "\x1b[31m\x1b]0;owned\x07Bruno\x9b2J",
    "\u202eoraihC\u2066\u200f\u200b\ufeff",
    "\u91d1" * 18 + "a" + "\u0301" * 20 + "\n\r\t\v\u2028",
)
LONG = "".join(f"{name} " for name in NAMES) * 90
SIZES = [(60, 18), (80, 24)]


def find_harm(text: str) -> Iterator[str]:
    """What a terminal might obey, or be led astray by."""
    for letter in text:
        if letter != "\n" and unicodedata.category(letter) in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}:
            yield repr(letter)


def is_safe(front: Front, columns: int) -> bool:
    """Whether nothing on the screen does harm, and none of it is wider than the terminal."""
    strips = front.app.screen._compositor.render_strips()
    links = [segment for strip in strips for segment in strip if "click" in str(segment.style)]
    wide = [strip.text for strip in strips if strip.cell_length > columns]
    return [*find_harm(front.text), *links, *wide] == []


def hostile_now(*, in_game: bool) -> Status:
    """What a cheating host makes Ana hold."""
    lobby = structs.replace(scenes.lobby(NAMES), name=LONG[:56])
    talk = tuple(ChatLine(name, seat, LONG, None, scenes.LATELY) for seat, name in enumerate(NAMES))
    if not in_game:
        settings = Settings(edition=NAMES[1])
        chairs = (*(Taken(member, ready=False) for member in range(1, 5)), lobby.chairs[4])
        lobby = structs.replace(lobby, stage=TableStage.LOBBY, settings=settings, chairs=chairs)
    held = scenes.now().game_state
    assert held is not None
    view = held.view if in_game else None
    return Status(ConnectionState.CONNECTED, 1, replace(held, lobby=lobby, view=view, talk=talk))


def game(number: int, name: str) -> DiscoveredGame:
    advert = Advert(f"{number:016x}", clean_name(name), OURS, AdvertStage.LOBBY, 2, 5)
    return DiscoveredGame(name, advert, GameStatus.JOINABLE, (Address("192.168.1.20", 7341),))


@pytest.mark.parametrize("size", first(1, [(size,) for size in SIZES], thorough=2), ids=str)
@pytest.mark.parametrize("in_game", [False, True], ids=["lobby", "table"])
async def test_a_seat_is_shown_whatever_its_host_sends(
    size: tuple[int, int], tmp_path: Path, *, in_game: bool
) -> None:
    status = hostile_now(in_game=in_game)
    held = status.game_state
    assert held is not None
    tellers: list[ScriptedSession] = []

    def teller(on_update: OnUpdate) -> ScriptedSession:
        tellers.append(ScriptedSession([status], on_update))
        return tellers[0]

    async with open_app(tmp_path, size) as front:
        front.app.sit(TableHandle(teller))
        await front.is_on(TableScreen if in_game else LobbyScreen)
        await front.sees("[red]Ana[/]")
        assert is_safe(front, size[0])
        keys = ("c", "p", "tab", "question_mark") if in_game else ("end", "x", "n", "g", "e")
        for key in keys:
            await front.press(key)
            assert is_safe(front, size[0])
        tellers[0].hear(Update(replace(status, game_state=replace(held, step=held.step + 1))))
        await front.pilot.pause()
        assert is_safe(front, size[0])


@pytest.mark.parametrize("size", first(1, [(size,) for size in SIZES], thorough=2), ids=str)
async def test_lists_show_whatever_they_are_told(
    size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = PreparedTables()
    texts = (*NAMES, LONG)
    service.tables = tuple(ResumableTable(text, text, 0.0, is_host=False) for text in texts)
    monkeypatch.setattr(records, "records_folder", lambda: tmp_path)
    for number, name in enumerate(NAMES):
        kept = f"{number}{name}".replace("/", "").replace("\0", "")
        (tmp_path / f"{kept}.sab").write_text(LONG, encoding="utf-8")
    async with open_app(tmp_path, size, service) as front:
        await front.press("j")
        join = await front.is_on(JoinScreen)
        join.workers.cancel_all()
        join.list_games(tuple(game(number, text) for number, text in enumerate(texts)))
        for _ in texts:
            await front.press("down")
            assert is_safe(front, size[0])
        await front.press("enter")
        await front.is_on(JoinDialog)
        assert is_safe(front, size[0])
        await front.press("escape", "escape", "r")
        await front.is_on(ResumeScreen)
        assert is_safe(front, size[0])
        await front.press("escape", "c")
        await front.is_on(RecordsScreen)
        for _ in NAMES:
            await front.press("enter", "down")
            assert is_safe(front, size[0])


def test_a_title_ends_where_it_has_to() -> None:
    written: list[str] = []
    display = Display(written.append)
    display.set_title(NAMES[1])
    display.set_title(LONG)
    assert written[0] == "\x1b]2;[31m]0;ownedBruno2J\x07"
    assert [*find_harm(written[1][4:-1])] == []
