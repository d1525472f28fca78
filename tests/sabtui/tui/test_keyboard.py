"""Keys that come in a handful, as over a slow line, do what they do one by one."""

from __future__ import annotations

from pathlib import Path

from textual import events

from sabtui.tui.commands import HelpScreen
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.screens.rules import RulesScreen
from sabtui.tui.screens.welcome import WelcomeScreen
from sabtui.tui.table.screen import TableScreen
from tests.sabtui.tui.app_fixture import open_app
from tests.sabtui.tui.player_app import PlayerApp


async def test_what_is_typed_for_the_next_screen_gets_there(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        PlayerApp(front.app, "Ana").press("ctrl+p", *"page by", "enter", "right", "question_mark")
        await front.is_on(HelpScreen)
        await front.press("escape")
        await front.is_on(RulesScreen)
        await front.sees("2/16 Your turn")


async def test_what_is_said_is_no_command(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        laptop = PlayerApp(front.app, "Ana")
        laptop.press("h", "enter")
        await front.is_on(LobbyScreen)
        laptop.press("t", *"subtext", "enter", "escape", "w")
        await front.is_on(WelcomeScreen)
        assert [line.text for line in front.service.inn.room.state.talk] == ["subtext"]


async def test_a_question_is_answered_by_the_next_key_however_fast(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        laptop = PlayerApp(front.app, "Ana")
        laptop.press("p", "enter")
        await front.is_on(TableScreen)
        laptop.press("q", "n", "q", "y", "u")
        await front.is_on(RulesScreen)


async def test_a_paste_goes_where_the_keys_before_it_led(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        laptop = PlayerApp(front.app, "Ana")
        laptop.press("j", "a")
        front.app.post_message(events.Paste("box.local"))
        laptop.press(*":7342")
        await front.sees("box.local:7342")
