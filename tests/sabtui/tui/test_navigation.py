"""A seat's updates reach the screen that shows it: all, once, in order, as screens change."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain, repeat
from pathlib import Path

import pytest
from textual.app import App
from textual.widget import Widget

from net.client.session import ConnectionState, Received, Update
from net.protocol.lobby_events import RecordPublished
from net.protocol.messages import CloseReason
from sabtui.app.requests import TableHandle
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.screens.bases import SessionScreen
from sabtui.tui.screens.podium import EveningScreen
from sabtui.tui.screens.welcome import WelcomeScreen
from sabtui.tui.table.screen import TableScreen
from tests.engine.notation.games import RECORDS
from tests.sabtui.tui import scenes
from tests.sabtui.tui.app_fixture import ScriptedSession, open_app

COUNT = 35
RECORD = (RECORDS / "whole.sab").read_text(encoding="utf-8")


class Breaker(ScriptedSession):
    """A seat with a bug."""

    async def run(self) -> None:
        raise ZeroDivisionError


@pytest.fixture
def updates_heard(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the updates that screens were given."""
    numbers: list[int] = []
    hear = SessionScreen.show_update

    def listen(screen: SessionScreen, update: Update) -> None:
        numbers.append(update.status.unanswered)
        hear(screen, update)

    monkeypatch.setattr(SessionScreen, "show_update", listen)
    return numbers


async def test_none_is_lost_or_twice_while_lobby_and_table_change_places(
    tmp_path: Path, updates_heard: list[int]
) -> None:
    table = scenes.now()
    assert table.game_state is not None
    lobby = replace(table, game_state=replace(table.game_state, view=None))
    stages = [table if number // 7 % 2 else lobby for number in range(COUNT)]
    told = [replace(status, unanswered=number) for number, status in enumerate(stages)]
    async with open_app(tmp_path) as front:
        front.sit(*told)
        await front.until(lambda: bool(updates_heard) and updates_heard[-1] == COUNT - 1)
        assert updates_heard == list(range(updates_heard[0], COUNT))
        await front.is_on(TableScreen if told[-1].view is not None else LobbyScreen)
        screen = await front.is_on(SessionScreen)
        assert screen.status == told[-1]
        assert sum(isinstance(screen, SessionScreen) for screen in front.app.screen_stack) == 1


@contextmanager
def young_objects() -> Iterator[None]:
    """Keep all that is made of the youngest generation, so that no older one has to be searched."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


async def test_nothing_that_a_screen_drew_is_kept_once_another_has_taken_its_place(
    tmp_path: Path,
) -> None:
    table = scenes.now()
    assert table.game_state is not None
    lobby = replace(table, game_state=replace(table.game_state, view=None))
    with young_objects():
        async with open_app(tmp_path) as front:
            seats = front.sit(lobby)
            await front.is_on(LobbyScreen)
            await front.sees("Ana")
            drawn = [
                weakref.ref(widget._styles_cache) for widget in front.screen.walk_children(Widget)
            ]
            seats[0].hear(Update(table))
            await front.is_on(TableScreen)
            await front.pilot.pause()
            assert len(drawn) > 3
            generations = chain([0], repeat(2))  # what is not young is looked for only if need be

            def is_let_go() -> bool:
                gc.collect(next(generations))
                return all(reference() is None for reference in drawn)

            await front.until(is_let_go)


async def test_a_seat_that_breaks_says_so_and_the_app_goes_on(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        front.app.sit(TableHandle(lambda on_update: Breaker([], on_update)))
        await front.is_on(WelcomeScreen)
        await front.until(lambda: "ZeroDivisionError" in front.said)


async def test_a_game_that_ends_is_kept_and_one_that_cannot_be_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, folders = scenes.finished_status(), [tmp_path / "records", tmp_path / "file" / "no"]
    (tmp_path / "file").write_text("")
    assert status.game_state is not None
    over = replace(status, game_state=replace(status.game_state, record=RECORD))
    monkeypatch.setattr("sabtui.app.records.records_folder", lambda: folders[0])
    async with open_app(tmp_path) as front:
        for done in (lambda: any(folders[0].glob("*.sab")), lambda: "Cannot write " in front.said):
            front.sit(Update(over, Received((RecordPublished(RECORD),))))
            await front.is_on(TableScreen)
            await front.until(done)
            folders.reverse()


async def test_an_app_that_has_ended_takes_no_more_updates_and_says_no_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_told: object, **_named: object) -> bool:
        raise RuntimeError("Event loop is closed")

    async with open_app(tmp_path) as front:
        with monkeypatch.context() as ended:
            ended.setattr(App, "call_later", refuse)
            assert not front.app.call_later(print)


async def test_a_table_that_closes_after_several_games_leaves_its_podium(tmp_path: Path) -> None:
    lobby, _news = scenes.between_games()
    closed = replace(lobby, connection=ConnectionState.ENDED, ending=CloseReason.CLOSED)
    async with open_app(tmp_path) as front:
        front.sit(lobby, closed)
        await front.is_on(EveningScreen)
        for text in ("The end of the evening", "Ana has won the evening.", "Dede    1     0    1"):
            await front.sees(text)
        await front.press("escape")
        await front.is_on(WelcomeScreen)
