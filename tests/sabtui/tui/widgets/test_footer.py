"""The foot of a screen: a sentence may be long, and the keys are always there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from net.client.session import ConnectionState
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.screens.pages import HelpScreen
from sabtui.tui.widgets.text import last_lines
from tests.sabtui.tui import scenes
from tests.sabtui.tui.app_fixture import open_app
from tests.sabtui.tui.lobby_fixture import evening

LONG = "This sentence is a good deal longer than the columns of the smallest terminal are."


async def test_a_long_sentence_takes_a_line_from_above_and_gives_it_back(tmp_path: Path) -> None:
    async with open_app(tmp_path, (60, 18)) as front:
        before, keys = front.lines, front.lines[-1]
        front.screen.say(LONG)
        await front.pilot.pause()
        assert front.lines[-3:] == [
            " This sentence is a good deal longer than the columns of",
            " the smallest terminal are.",
            keys,
        ]
        front.screen.say("")
        await front.until(lambda: front.lines == before)


async def test_a_sentence_without_end_leaves_room_for_the_screen(tmp_path: Path) -> None:
    async with open_app(tmp_path, (60, 18)) as front:
        keys = front.lines[-1]
        front.screen.say(LONG * 9)
        await front.pilot.pause()
        assert front.screen.footer.size.height == 4
        assert front.lines[-1] == keys


async def test_a_key_is_clicked_below_a_long_sentence_and_the_sentence_is_not(
    tmp_path: Path,
) -> None:
    async with open_app(tmp_path, (60, 18)) as front:
        welcome = front.screen
        welcome.say(LONG)
        await front.pilot.pause()
        await front.click(welcome.footer, 1, 1)
        assert front.screen is welcome
        await front.click(welcome.footer, 1, 2)
        await front.is_on(HelpScreen)


async def test_another_width_takes_the_lines_it_needs(tmp_path: Path) -> None:
    async with open_app(tmp_path, (120, 24)) as front:
        front.screen.say(LONG)
        await front.pilot.pause()
        assert front.screen.footer.size.height == 2
        await front.pilot.resize_terminal(60, 24)
        await front.until(lambda: front.screen.footer.size.height == 3)


async def test_at_the_table_the_newest_line_the_hand_and_the_keys_stay_in_sight() -> None:
    async with evening(size=(60, 18)) as at:
        await at.hear(replace(scenes.now(), connection=ConnectionState.LOST))
        lines = at.shown.splitlines()
        assert lines[-1] == " ? help  i hint  t talk  c claim  Tab page  q leave"
        assert lines[-2] == " table back."
        assert "╚═ NE" in lines[-5]
        assert lines[-7].endswith("│   you!")
        await at.hear(scenes.now())
        assert at.table.footer.size.height == 2


async def test_in_a_crowded_lobby_the_line_for_talk_stays_in_sight(tmp_path: Path) -> None:
    async with open_app(tmp_path, (60, 18)) as front:
        await front.press("h", *(["down"] * 2), *(["right"] * 5), "enter")
        await front.is_on(LobbyScreen)
        await front.sees("3 free")
        assert " Talk" in front.text
        front.screen.say(LONG)
        await front.pilot.pause()
        assert " Talk" in front.text
        assert "? help" in front.lines[-1]


def test_the_log_of_a_lobby_shows_no_line_from_its_middle_on() -> None:
    lines = ("the first of them is long", "short")
    assert last_lines(lines, 12, 2) == ["short"]
    assert last_lines(lines, 12, 4) == ["the first of", "  them is", "  long", "short"]
    assert last_lines(lines[:1], 12, 2) == ["the first of", "  them is"], "unless none would fit"
    assert last_lines(lines, 12, 0) == []
