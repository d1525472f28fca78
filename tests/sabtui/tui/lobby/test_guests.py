"""The lobby as a guest sees it: seats, talk, and every way to leave."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from net.client.session import Update
from net.protocol.lobby import Taken
from net.protocol.messages import CloseReason, DiskStatus, Refusal
from net.protocol.requests import (
    ChangeSettings,
    Chat,
    Kick,
)
from sabtui.text.reasons import refusal_sentence
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.screens.welcome import WelcomeScreen
from tests.sabtui.tui.lobby.test_screen import chairs, hosting, visiting
from tests.sabtui.tui.table_server import RoomInProcess
from tests.samples import first

WATCHER = 9


async def test_a_guest_is_told_what_only_the_host_does(tmp_path: Path) -> None:
    async with visiting(tmp_path, RoomInProcess()) as front:
        for key in "bxyegs":
            await front.press(key)
            assert front.said == refusal_sentence(Refusal.HOST_ONLY), key


async def test_what_the_table_would_refuse_is_explained_before_it_is_asked(tmp_path: Path) -> None:
    async with hosting(tmp_path) as front:
        room, host = front.service.inn.room, front.service.inn.seats[1]
        host.request(ChangeSettings(structs.replace(room.lobby.settings, is_open=True)))
        await front.until(lambda: room.lobby.settings.is_open)
        lobby = front.screen
        assert isinstance(lobby, LobbyScreen)
        await front.until(lambda: lobby.status.lobby == room.lobby)
        reasons = {command.name: command.why_not() for command in lobby.commands()}
        assert reasons["new code"] == refusal_sentence(Refusal.NO_CODE)
        assert reasons["unsaved"] == "Nothing has changed."
        assert reasons["lock"] is reasons["terms"] is None
        lobby.show_update(Update(replace(lobby.status, disk=DiskStatus.FULL)))
        await front.press("e")
        assert front.said == refusal_sentence(Refusal.DISK_FULL)
        reasons = {command.name: command.why_not() for command in lobby.commands()}
        assert reasons["unsaved"] is None
        assert reasons["start"] == reasons["stand"] == refusal_sentence(Refusal.DISK_FULL)


async def test_who_sits_is_ready_may_take_it_back_and_sit_elsewhere(tmp_path: Path) -> None:
    inn = RoomInProcess()
    async with visiting(tmp_path, inn) as front:
        await front.sees("Waiting for 1 more player.")
        assert inn.room.lobby.chairs[1] == Taken(2, ready=True)
        assert "sit here" not in front.lines[-1], "one has a seat, and the cursor is there"
        await front.press("down")
        assert "sit here" in front.lines[-1]
        await front.press("r")
        await front.until(lambda: inn.room.lobby.chairs[1] == Taken(2, ready=False))
        await front.sees("Press r when you are ready.")
        await front.press("r")
        await front.sees("Waiting for 1 more player.")
        assert not any("add a bot" in line for line in front.lines), "that is for the host"
        await front.press("u")
        await front.sees("You are watching: Enter takes a seat.")
        await front.press("home", "down", "down", "down", "enter")
        await front.until(lambda: chairs(front)[3] == "Ana")
        await front.press("home", "enter")
        assert front.said == "That seat is not free: choose another."


async def test_while_one_talks_no_key_of_the_text_is_offered_for_a_seat(tmp_path: Path) -> None:
    async with hosting(tmp_path) as front:
        front.service.inn.guest("Bruno")
        await front.sees("Bruno has joined.")
        await front.press("t")
        assert front.lines[-1].split("  ") == [" F1 help", "Enter say it", "Ctrl+P all", "Esc back"]
        await front.press("escape")
        assert front.lines[-1].endswith("Esc leave")
        await front.press("escape")
        assert front.said.startswith("Close the table for everybody?")


async def test_a_click_on_a_free_seat_twice_sits_down_there(tmp_path: Path) -> None:
    inn = RoomInProcess()
    async with visiting(tmp_path, inn) as front:
        menu = front.screen.query_one("Menu")
        await front.click(menu, 5, 4)
        assert chairs(front)[1] == "Ana"
        await front.click(menu, 5, 4)
        await front.until(lambda: chairs(front)[4] == "Ana")


async def test_talk_goes_to_all_and_stays_when_the_lobby_is_seen_anew(tmp_path: Path) -> None:
    inn = RoomInProcess()
    async with visiting(tmp_path, inn) as front:
        await front.press("t")
        await front.type_in("hello all")
        assert front.lines[-1].startswith(" F1 help  Enter say it")
        await front.press("enter")
        await front.sees("Ana: hello all")
        await front.press("escape")
        assert front.screen.query_one("Menu").has_focus
        inn.seats[1].request(Chat("welcome"))
        await front.sees("Hanna: welcome")


async def test_leaving_asks_and_yes_leaves_for_good(tmp_path: Path) -> None:
    inn = RoomInProcess()
    async with visiting(tmp_path, inn) as front:
        await front.press("escape")
        assert front.said.startswith("Leave this table for good?")
        await front.press("n")
        assert isinstance(front.screen, LobbyScreen)
        await front.press("escape", "y")
        await front.is_on(WelcomeScreen)
        await front.until(lambda: inn.room.lobby.seat_of(2) is None)


async def test_stepping_out_keeps_the_seat_and_is_told_apart_from_leaving(tmp_path: Path) -> None:
    inn = RoomInProcess()
    async with visiting(tmp_path, inn) as front:
        labels = {name: command.label for name, command in front.screen.by_name.items()}
        assert (labels["away"], labels["leave"]) == ("leave for now", "leave")
        await front.sees("Esc leave")
        await front.press("w")
        await front.is_on(WelcomeScreen)
        await front.sees("Your seat is kept: Resume brings you back.")
        assert inn.room.lobby.seat_of(2) == 1


@pytest.mark.parametrize("why", first(1, [CloseReason.KICKED, CloseReason.CLOSED], thorough=2))
async def test_a_guest_whose_table_ends_reads_why_on_the_welcome_screen(
    tmp_path: Path, why: CloseReason
) -> None:
    inn = RoomInProcess()
    async with visiting(tmp_path, inn) as front:
        if why is CloseReason.KICKED:
            inn.seats[1].request(Kick(2))
        inn.seats[2].over(why)
        await front.is_on(WelcomeScreen)
        await front.until(lambda: front.said != "")
        assert "host" in front.said
