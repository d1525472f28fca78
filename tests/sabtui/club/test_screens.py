"""The hall on a screen, in a real club: tables, people, talk, and the way to a table and back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec import structs

from net.client.credentials import Credentials, CredentialStore
from net.client.remote import RemoteSession
from net.client.session import OnUpdate, Status, Update
from net.protocol.board import HallBoard, HallTable
from net.protocol.lobby import TablePhase
from net.protocol.requests import Chat, Close
from net.secure.address import Address
from sabtui.club import screens
from sabtui.club.screens import PEOPLE_ROWS, HallScreen, NightScreen, fit_people, rank_night
from sabtui.club.visit import ClubVisit
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.screens.welcome import WelcomeScreen
from sabtui.tui.table.screen import TableScreen
from sabtui.tui.widgets.menu import Menu
from tests.net.server.served_table import CODE, HERE, until
from tests.sabtui.club.pictures import HALL, in_hall
from tests.sabtui.club.server.served_club import ServedClub, serve_folder
from tests.sabtui.club.test_text import NIGHT
from tests.sabtui.tui.app_fixture import Front, open_app
from tests.sabtui.tui.pictures import text_of
from tests.sabtui.tui.run_app import IdleSession, TableApp


def session(credentials: Credentials, on_update: OnUpdate, store: CredentialStore) -> RemoteSession:
    return RemoteSession(credentials, on_update, store)


def visit_of(served: ServedClub, folder: Path) -> ClubVisit:
    """The way of somebody new around a club."""
    credentials = Credentials("Ana", (Address(HERE, served.port),), code=CODE)
    return ClubVisit(credentials, CredentialStore(folder / "seats"), session)


@asynccontextmanager
async def in_the_hall(folder: Path) -> AsyncIterator[tuple[Front, ServedClub]]:
    """Ana, in the hall of a club."""
    async with serve_folder(folder) as served, open_app(folder) as front:
        front.app.enter_table(visit_of(served, folder).hall())
        await front.is_on(HallScreen)
        await front.sees("In the hall: Ana")
        yield front, served


async def open_table(front: Front) -> None:
    await front.press("n")
    await front.sees("New table")
    await front.press("enter")
    await front.is_on(LobbyScreen)
    await front.sees("you, host")


async def test_a_table_is_opened_left_by_escape_and_entered_again(tmp_path: Path) -> None:
    async with in_the_hall(tmp_path) as (front, served):
        await open_table(front)
        (table,) = served.server.tables
        assert "Esc back" in front.text
        await front.press("f1")
        assert "to the club's hall; your seat is kept" in front.text
        assert "leave for good" not in front.text
        await front.press("escape")
        await front.is_on(LobbyScreen)
        await front.press("escape")
        await front.is_on(HallScreen)
        await front.sees("Ana's table")
        await front.sees("●○○○○")
        assert [person.name for person in served.state(table).lobby.people] == ["Ana"], (
            "the seat is kept"
        )
        await front.press("enter")
        await front.is_on(LobbyScreen)
        await front.sees("you, host")
        await front.press("escape")
        await front.is_on(HallScreen)
        await front.press("escape")
        await front.is_on(WelcomeScreen)


async def test_tables_people_and_talk_of_others_are_seen_and_answered(tmp_path: Path) -> None:
    async with in_the_hall(tmp_path) as (front, served):
        ben, cleo = await served.come("Ben", "Cleo")
        await front.sees("In the hall: Ana, Ben and Cleo")
        ben.session.request(Chat("who plays?"))
        await front.sees('Ben says: "who plays?"')
        await front.press("t")
        await front.type_in("me")
        await front.press("enter")
        await until(lambda: len(ben.hall.talk) == 2)
        assert (ben.hall.talk[1].name, ben.hall.talk[1].text) == ("Ana", "me")
        await front.press("escape")
        table = await ben.open_table("Gold Rush")
        await ben.go_to(table)
        await front.sees("Gold Rush: Ben")
        await cleo.leave()
        await front.sees("In the hall: Ana")
        await front.press("w")
        await front.is_on(LobbyScreen)
        await front.sees("Gold Rush")
        lobby = served.state(table).lobby
        ana = next(person for person in lobby.people if person.name == "Ana")
        assert lobby.seat_of(ana.member) is None
        await front.press("escape")
        await front.is_on(HallScreen)


async def test_somebody_who_leaves_the_organisers_word_by_a_click_talks_then() -> None:
    status = in_hall()
    seat = IdleSession(status)
    async with TableApp().run_test() as pilot:
        await pilot.app.push_screen(HallScreen(seat, status))
        await pilot.press("o", "x")
        assert "Enter become organiser" in text_of(pilot.app)
        await pilot.click(Menu, offset=(10, 4))
        await pilot.press("t")
        assert "Enter send" in text_of(pilot.app)
        await pilot.press(*"hello", "enter")
        assert seat.requests == [Chat("hello")]


def test_however_many_are_in_the_hall_it_is_seen_who_is_at_the_table_of_the_cursor() -> None:
    crowd = "In the hall: " + ", ".join(f"guest {number}" for number in range(100))
    lines = fit_people([crowd, "Gold Rush: Ben"], 58)
    assert [len(line) <= 58 for line in lines] == [True] * 3
    assert lines[1].endswith("...")
    assert lines[2] == "Gold Rush: Ben"
    assert len(fit_people([crowd], 58)) == PEOPLE_ROWS
    assert fit_people(["In the hall: Ana"], 58) == ["In the hall: Ana"]


async def test_an_organiser_begins_a_night_and_all_are_led_to_their_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screens, "DRAWN_PAUSE_S", 0.2)
    async with in_the_hall(tmp_path) as (front, served):
        ben, cleo = await served.come("Ben", "Cleo")
        await front.press("d")
        assert served.server.night.night is None, "nobody but an organiser draws"
        await front.press("o")
        await front.type_in(served.server.club.password.upper().replace("-", " "))
        await front.press("enter")
        await front.sees("You are an organiser of this club now.")
        await front.sees(f"Room code: {CODE}")
        await front.press("g")
        await front.sees("Begin a night: how many rounds, with new tables for each?")
        await front.press("down", "enter")
        await front.sees("Table settings")
        await front.press("enter")
        await front.sees("Game night, 2 rounds: an organiser assigns the tables.")
        assert not ben.hall.code
        await front.press("d")
        await front.is_on(LobbyScreen)
        await until(lambda: ben.hall.night is not None and bool(ben.hall.night.rounds))
        await front.sees("Table 1")
        await front.press("escape")
        await front.is_on(HallScreen)
        await front.sees("Round 1: you are at Table 1 with ")
        assert cleo.hall.night == ben.hall.night
        await front.press("r")
        await front.sees("Standings")


# escape at a game is in `test_update`, from a lobby to the hall above
@pytest.mark.level("thorough")
async def test_escape_at_a_game_asks_and_goes_back_to_the_hall(tmp_path: Path) -> None:
    async with in_the_hall(tmp_path) as (front, served):
        await open_table(front)
        await front.press("b")
        await front.sees("Borin")
        await front.press("down", "b")
        await front.sees("Dagna")
        (table,) = served.server.tables
        front.screen.action_command("start")
        await until(lambda: served.state(table).lobby.stage is TablePhase.PLAYING)
        await front.is_on(TableScreen)
        for _ in range(9):  # first back from the page with the role, then from the mine
            if front.screen.question is None:
                await front.press("escape")
        assert front.screen.question is not None
        await front.press("y")
        await front.is_on(HallScreen)
        await front.sees("playing")


async def test_a_table_that_is_closed_brings_its_people_back_to_the_hall(tmp_path: Path) -> None:
    async with in_the_hall(tmp_path) as (front, served):
        (ben,) = await served.come("Ben")
        table = await ben.open_table("Gold Rush")
        host = await ben.go_to(table)
        await front.sees("Gold Rush")
        await front.press("enter")
        await front.is_on(LobbyScreen)
        await front.sees("Ana")
        host.say(*host.state.request(Close()))
        await front.is_on(HallScreen)
        await front.sees("closed the table")
        await front.sees("There is no table here yet")


def with_tables(*tables: HallTable) -> Status:
    return in_hall(structs.replace(HALL, hall=HallBoard(tables=tables)))


async def test_the_cursor_stays_on_its_table_when_another_one_comes_or_goes() -> None:
    first, second = (structs.replace(table, people=()) for table in HALL.board.tables)
    third = structs.replace(first, id="3" * 16)
    status = with_tables(first, second)
    screen = HallScreen(IdleSession(status), status)
    async with TableApp().run_test() as pilot:
        await pilot.app.push_screen(screen)
        await pilot.press("down")
        assert screen.table == second
        for tables in ((second, third), (third, second), (first, third, second)):
            screen.show_update(Update(with_tables(*tables)))
            assert screen.table == second
        for fewer in ((first, third), (), (first,)):
            screen.show_update(Update(with_tables(*fewer)))
        assert screen.table == first
        await pilot.press("enter")
        assert pilot.app.screen is screen, "the club is closed: nobody goes anywhere"


def test_a_night_has_its_podium_once_it_is_over() -> None:
    ranked = rank_night(NIGHT)
    assert [(row.name, row.gold) for row in ranked] == [
        ("Ana", 7),
        ("Frida", 6),
        ("Dan", 3),
        ("Cleo", 1),
    ]
    assert NightScreen("Club", NIGHT).below[0] == "Ana has won the evening."
    going_on = structs.replace(NIGHT, planned=3)
    assert rank_night(going_on) == []
    assert "won the evening" not in NightScreen("Club", going_on).below[0]
