"""The lobby's screen: the host's, and guests'."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs
from textual.events import Paste

from net.client.session import ConnectionState, Received, Update
from net.protocol.lobby import BotChair, ChatRule, Dwarf, Free, Settings, TablePhase, Taken
from net.protocol.messages import CloseReason, DiskStatus, Notice, Refusal
from net.protocol.requests import ChangeSettings, Chat, Kick, Leave, SetReady
from net.secure.address import TypedAddress
from sabtui.app.preferences import PreferencesStore
from sabtui.app.requests import HostRequest, JoinRequest
from sabtui.text.reasons import refusal_sentence
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.screens.welcome import WelcomeScreen
from sabtui.tui.table.screen import TableScreen
from tests.sabtui.tui.app_fixture import Front, PreparedTables, open_app
from tests.sabtui.tui.table_server import RoomInProcess
from tests.samples import first


@asynccontextmanager
async def hosting(folder: Path, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Front]:
    """A table just opened, its host in the lobby."""
    async with open_app(folder, size) as front:
        front.app.enter_table(await front.service.host(HostRequest("Ana", "Ana's table")))
        await front.is_on(LobbyScreen)
        await front.sees("you, host")
        yield front


@asynccontextmanager
async def visiting(folder: Path, inn: RoomInProcess) -> AsyncIterator[Front]:
    """A guest's lobby at somebody else's table."""
    inn.seat("Hanna", lambda _update: None, is_host=True).come()
    async with open_app(folder, service=PreparedTables(inn)) as front:
        front.app.enter_table(
            await front.service.join(JoinRequest("Ana", TypedAddress("box", None)))
        )
        await front.is_on(LobbyScreen)
        await front.sees("Hanna")
        yield front


def chairs(front: Front) -> list[str]:
    """Who sits where."""
    lobby = front.service.inn.room.lobby
    return [lobby.name_at(seat) for seat in range(len(lobby.chairs))]


async def test_bots_come_get_better_and_go_and_the_youngest_begins_until_said_again(
    tmp_path: Path,
) -> None:
    async with hosting(tmp_path) as front:
        await front.press("plus")
        assert front.said == "No bot sits there."
        await front.press("b")
        await front.sees("medium bot")
        await front.press("home", "down")

        async def press(key: str, then: object) -> None:
            await front.press(key)
            await front.until(lambda: front.service.inn.room.lobby.chairs[1] == then)

        for key, level in (("plus", "hard"), ("minus", "medium"), ("minus", "easy")):
            await press(key, BotChair("Borin", level))
        await press("x", Free())
        await front.press("home", "y")
        await front.sees("youngest, goes first")
        await front.press("y")
        await front.until(lambda: "youngest, goes first" not in front.text)


async def test_each_press_adds_a_bot_however_fast_and_wherever_the_cursor_is(
    tmp_path: Path,
) -> None:
    async with hosting(tmp_path) as front:
        for _press in range(3):
            front.screen.action_command("bot")  # at once: the host has answered none of them
        await front.until(lambda: len(front.service.inn.room.lobby.free_seats) == 1)
        chairs = front.service.inn.room.lobby.chairs[1:4]
        assert {chair.level for chair in chairs if isinstance(chair, BotChair)} == {"medium"}
        await front.press("home", "b")
        await front.until(lambda: not front.service.inn.room.lobby.free_seats)
        await front.press("home", "b")
        assert front.said == "No seat is free for a bot: press e to add seats."


async def test_the_host_starts_once_three_are_ready_and_is_told_why_not_before(
    tmp_path: Path,
) -> None:
    async with hosting(tmp_path) as front:
        await front.press("enter")
        assert "2 more players needed" in front.said
        guest = front.service.inn.guest("Bruno")
        await front.press("end", "b")
        await front.sees("Enter starts the game.")
        guest.request(SetReady(ready=False))
        await front.sees("Waiting for Bruno to be ready.")
        guest.request(SetReady(ready=True))
        await front.sees("Enter starts the game.")
        await front.press("t")
        await front.sees("The game can start.")
        await front.press("h", "i", "enter")
        assert not [line for line in front.lines if "Enter starts the game." in line]
        await front.press("escape")
        await front.sees("Enter starts the game.")
        await front.press("escape")  # asks whether to close the table
        await front.sees("The game can start.")
        await front.press("n")
        await front.sees("Enter starts the game.")
        await front.press("enter")
        await front.is_on(TableScreen)


async def test_the_host_sits_elsewhere_by_a_key_or_a_click_and_enter_is_for_the_start(
    tmp_path: Path,
) -> None:
    async with hosting(tmp_path) as front:
        await front.press("end", "s")
        await front.until(lambda: chairs(front)[-1] == "Ana")
        menu = front.screen.query_one("Menu")
        await front.click(menu, 5, 2)
        await front.click(menu, 5, 2)
        await front.until(lambda: chairs(front)[2] == "Ana")
        await front.press("enter")
        assert "2 more players needed" in front.said
        assert "sit here" not in front.text, "they sit"
        await front.press("u")
        await front.sees("You are watching: s takes a seat.")


async def test_a_seat_is_given_to_the_one_who_watches_and_of_several_one_is_picked(
    tmp_path: Path,
) -> None:
    async with hosting(tmp_path) as front:
        front.service.inn.guest("Bruno")
        front.service.inn.guest("Carla", watch=True)
        await front.sees("watching")
        await front.press("g")
        assert front.said.startswith("Give Bruno's seat 2 to Carla?")
        await front.press("n")
        front.service.inn.guest("Dora", watch=True)
        await front.sees("Dora")
        await front.press("g")
        await front.sees("Who gets seat 2, with its cards and gold?")
        await front.press("down", "enter")
        await front.is_on(LobbyScreen)
        assert front.said.startswith("Give Bruno's seat 2 to Dora?")
        await front.press("y")
        await front.until(lambda: chairs(front)[1] == "Dora")


async def test_the_cursor_stays_on_its_watcher_who_is_sent_away_once_that_is_sure(
    tmp_path: Path,
) -> None:
    async with hosting(tmp_path) as front:
        front.service.inn.guest("Bruno")
        carla, *_others = [
            front.service.inn.guest(name, watch=True) for name in ("Carla", "Dora", "Eli")
        ]
        await front.sees("Eli")
        screen = await front.is_on(LobbyScreen)
        await front.press("end", "up")
        dora = screen.row
        carla.request(Leave())
        await front.sees("Carla has left")
        assert screen.row == dora
        await front.press("x")
        assert front.said.startswith("Remove Dora for good?")
        await front.press("y")
        await front.sees("The host has removed Dora.")
        await front.press("home", "down", "x", "n")
        assert chairs(front)[1] == "Bruno"
        await front.press("x", "y")
        await front.until(lambda: chairs(front)[1] == "")


async def test_terms_are_changed_in_a_form_and_told_to_all(tmp_path: Path) -> None:
    async with hosting(tmp_path) as front:
        await front.press("e")
        await front.sees("Table settings: Left and Right change values")
        assert "Direction" not in front.text, "rarely changed rules are folded away"
        await front.press("right", "down", "left", "down", "down", "right", *["down"] * 5, "left")
        await front.press("enter")
        await front.is_on(LobbyScreen)
        await front.until(lambda: front.service.inn.room.lobby.settings.edition == "france")
        assert front.service.inn.room.lobby.settings.rounds == 1
        await front.sees("1 round")


async def test_the_lobby_shows_how_a_projector_shows_the_table(tmp_path: Path) -> None:
    async with hosting(tmp_path) as front:
        await front.press("v")
        await front.sees("Show the table on a projector")
        await front.sees("sabtui stage 192.168.1.20:7341 --code amber-tiger")
        await front.sees("In a browser, too, once the browser door is open.")
        await front.press("escape")
        await front.is_on(LobbyScreen)
        assert "turn time: no limit, 3 rounds" in front.text, "the clock is in plain sight"


async def test_what_a_host_has_to_know_stays_in_sight_when_something_else_is_said(
    tmp_path: Path,
) -> None:
    async with hosting(tmp_path) as front:
        lobby = await front.is_on(LobbyScreen)
        status, notice = lobby.status, Notice("Olga", "hello, all")
        for update, told in (
            (Update(status, Received(alarm=5)), "5 wrong codes were tried at your table: give "),
            (Update(status, Received(notice=notice)), 'Olga (organiser) says: "hello, all"'),
            (Update(replace(status, announced=False)), "This table cannot announce itself here."),
        ):
            lobby.show_update(update)
            assert front.said.startswith(told)
            for said in (front.said, ""):
                lobby.say(said)
                await front.pilot.pause()
                assert front.text.count(told) == 1, "nothing twice"


async def test_that_the_host_is_gone_is_said_for_as_long_as_it_is(tmp_path: Path) -> None:
    async with visiting(tmp_path, RoomInProcess()) as front:
        lobby = await front.is_on(LobbyScreen)
        linked = lobby.status
        lobby.show_update(Update(replace(linked, connection=ConnectionState.LOST)))
        told = "Lost connection to the host; trying again. Your seat is kept."
        assert front.said == told
        await front.press("question_mark", "escape")
        await front.is_on(LobbyScreen)
        assert front.said == told
        lobby.show_update(Update(linked))
        assert front.said == ""


async def test_a_talk_line_takes_what_fits_and_closes_when_the_host_forbids_talk(
    tmp_path: Path,
) -> None:
    async with hosting(tmp_path) as front:
        await front.press("t")
        front.app.post_message(Paste("gold " * 40))
        await front.sees("That was too long: the rest was cut off.")
        screen = await front.is_on(LobbyScreen)
        assert screen.lobby is not None
        silent = structs.replace(screen.lobby.settings, chat=ChatRule.CLAIMS)
        screen.session.request(ChangeSettings(silent))
        await front.sees("quick claims only")
        assert front.app.focused is screen.menu
        assert not screen.line.can_focus


async def test_a_host_who_leaves_closes_the_table_but_not_by_enter_which_starts_a_game(
    tmp_path: Path,
) -> None:
    async with hosting(tmp_path) as front:
        for key in ("enter", "y"):
            await front.press("escape")
            assert front.said.startswith("Close the table for everybody?")
            assert isinstance(front.screen, LobbyScreen)
            await front.press(key)
            assert "Close" not in front.said
        await front.is_on(WelcomeScreen)
        await front.until(lambda: front.service.inn.room.lobby.stage is TablePhase.CLOSED)


@pytest.mark.parametrize(("columns", "talk_at"), first(1, [(200, 120), (120, 80)], thorough=2))
async def test_a_wide_lobby_has_people_settings_and_talk_side_by_side(
    columns: int, talk_at: int, tmp_path: Path
) -> None:
    async with hosting(tmp_path, (columns, 40)) as front:
        front.service.inn.guest("Bruno").request(Chat("hello all"))
        await front.sees("Bruno: hello all")
        lines = front.lines
        places = [
            next(line.index(text) for line in lines if text in line)
            for text in ("1 Ana", "Table settings", "hints: on", "Bruno: hello all")
        ]
        assert places == [4, 83, 82, talk_at + 3]
        front.service.inn.seats[1].request(ChangeSettings(Settings(rounds=2)))
        await front.sees("│ 2 rounds")


async def test_a_guest_is_told_what_only_the_host_does(
    tmp_path: Path,
) -> None:
    async with visiting(tmp_path, RoomInProcess()) as front:
        offered = {command.name for command in front.screen.offered}
        assert offered.isdisjoint({"terms", "browser door", "bot", "lock"})
        assert {"talk", "ways"} <= offered
        for key in "bxyegs":
            await front.press(key)
            assert front.said == refusal_sentence(Refusal.HOST_ONLY), key


async def test_what_the_table_would_refuse_is_explained_before_it_is_asked(tmp_path: Path) -> None:
    async with hosting(tmp_path) as front:
        room, host = front.service.inn.room, front.service.inn.seats[1]
        host.request(ChangeSettings(structs.replace(room.lobby.settings, is_open=True)))
        await front.until(lambda: room.lobby.settings.is_open)
        lobby = await front.is_on(LobbyScreen)
        await front.until(lambda: lobby.status.lobby == room.lobby)
        reasons = {command.name: command.why_not() for command in lobby.commands()}
        assert reasons["new code"] is None, "the table asks for a code again"
        assert reasons["unsaved"] == "Nothing has changed."
        assert reasons["lock"] is reasons["terms"] is None
        lobby.show_update(Update(replace(lobby.status, disk=DiskStatus.FULL)))
        await front.press("e")
        assert front.said == refusal_sentence(Refusal.DISK_FULL)
        reasons = {command.name: command.why_not() for command in lobby.commands()}
        assert reasons["unsaved"] is None
        assert reasons["start"] == reasons["stand"] == refusal_sentence(Refusal.DISK_FULL)


async def test_a_seated_player_is_ready_may_take_it_back_and_sit_elsewhere(tmp_path: Path) -> None:
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
        menu = front.screen.query_one("Menu")
        await front.click(menu, 5, 4)
        assert chairs(front)[3] == "Ana"
        await front.click(menu, 5, 4)
        await front.until(lambda: chairs(front)[4] == "Ana")


async def test_talk_goes_to_all_and_no_key_of_its_text_is_offered_for_a_seat(
    tmp_path: Path,
) -> None:
    inn = RoomInProcess()
    async with visiting(tmp_path, inn) as front:
        await front.press("t")
        await front.type_in("hello all")
        assert front.lines[-1].split("  ") == [" F1 help", "Enter send", "Ctrl+P all", "Esc back"]
        await front.press("enter")
        await front.sees("Ana: hello all")
        assert isinstance(front.screen, LobbyScreen)
        assert (front.screen.line.value, front.screen.is_typing) == ("", True)
        await front.press("escape")
        assert front.screen.menu.has_focus
        assert front.lines[-1].endswith("Esc leave")
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
        await front.sees("Your seat is kept. Resume brings you back.")
        assert inn.room.lobby.seat_of(2) == 1


@pytest.mark.parametrize(
    ("why", "told"),
    first(
        1,
        [
            (CloseReason.CLOSED, "The host has closed the table."),
            (CloseReason.KICKED, "The host removed you: ask whether you may come back."),
        ],
        thorough=2,
    ),
)
async def test_a_guest_whose_table_ends_reads_why_on_the_welcome_screen(
    tmp_path: Path, why: CloseReason, told: str
) -> None:
    inn = RoomInProcess()
    async with visiting(tmp_path, inn) as front:
        if why is CloseReason.KICKED:
            inn.seats[1].request(Kick(2))
        inn.seats[2].over(why)
        await front.is_on(WelcomeScreen)
        await front.sees(told)


async def test_a_dwarf_is_picked_by_a_key_and_a_digit_and_kept_for_next_time(
    tmp_path: Path,
) -> None:
    async with hosting(tmp_path) as front:
        room = front.service.inn.room
        for key, digit, dwarf in (("k", "3", Dwarf(2)), ("c", "9", Dwarf(2, 8))):
            await front.press(key)
            await front.sees("Pick your dwarf's")
            await front.press(digit)
            await front.until(lambda: room.lobby.people[0].dwarf == dwarf)  # noqa: B023 - at once
        await front.sees("Your dwarf: blue, horns, braided beard.")
    assert PreferencesStore(tmp_path / "settings").read()[0].face == 3
    assert PreferencesStore(tmp_path / "settings").read()[0].colour == 9


async def test_a_dwarf_that_cannot_be_kept_says_so(tmp_path: Path) -> None:
    async with hosting(tmp_path) as front:
        (tmp_path / "settings").unlink(missing_ok=True)
        (tmp_path / "settings").mkdir()
        await front.press("k")
        await front.sees("Pick your dwarf's")
        await front.press("3")
        await front.sees("Cannot write")
