"""Rows and requests of the lobby as pure functions, and what keys do on them, without a room."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from msgspec import structs
from textual.pilot import Pilot

from net.client.session import ConnectionState, Received, Update
from net.protocol.lobby import Free, Lobby, Stage
from net.protocol.lobby_events import Entered, SatDown, StoodUp, apply_all
from net.protocol.messages import CloseReason
from net.protocol.requests import ChangeSettings, Chat, Kick, PutBot
from sabtui.app.requests import Invitation
from sabtui.table.deeds import BOT, YOUNGEST, Aim, aim_at
from sabtui.tui.lobby.commands import renew_code
from sabtui.tui.lobby.rows import lobby_rows, log_lines, text_of_row, waiting_for
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.theme import BOX
from tests.sabtui.tui import scenes
from tests.sabtui.tui.pictures import text_of
from tests.sabtui.tui.run_app import IdleSession, TableApp


def waiting() -> Lobby:
    """Return a table before its game, with two free seats at its end."""
    lobby = scenes.lobby()
    chairs = (*lobby.chairs[:3], Free(), Free())
    return structs.replace(lobby, chairs=chairs, stage=Stage.LOBBY)


@asynccontextmanager
async def show_lobby(
    lobby: Lobby | None = None,
) -> AsyncIterator[tuple[Pilot[None], IdleSession, LobbyScreen]]:
    """Show that table, or another, to its host."""
    status = scenes.in_lobby(lobby or waiting())
    seat, app = IdleSession(status), TableApp(BOX)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = LobbyScreen(seat, status)
        await app.push_screen(screen)
        await pilot.pause()
        yield pilot, seat, screen


def test_a_code_that_was_replaced_is_no_longer_in_the_invitation() -> None:
    given = Invitation("Rush", "amber-tiger")
    assert renew_code(given, "fender-vitamin").code == "fender-vitamin"
    assert renew_code(given, "") == given
    opened = Invitation("Rush", "")
    assert renew_code(opened, "fender-vitamin") == opened


def test_who_comes_and_sits_down_in_one_step_is_told_once() -> None:
    lobby = waiting()
    came = (Entered(10, "Fay", is_host=False), SatDown(4, 10))
    assert [*log_lines(Received(news=came), lobby, 1)] == ["Fay has joined."]
    there = apply_all(lobby, came)
    again = (StoodUp(4), SatDown(3, 10))
    assert [*log_lines(Received(news=again), there, 1)][-1].startswith("Fay took seat 4")


def test_nobody_is_told_that_the_host_is_not_ready() -> None:
    lobby = structs.replace(waiting(), host=2)
    status = scenes.in_lobby(lobby)
    host, guest = (text_of_row(lobby_rows(lobby)[seat], lobby, status).plain for seat in (1, 0))
    assert "host" in host
    assert "ready" not in host
    assert "not ready" in guest


@pytest.mark.parametrize(("row", "seat"), [(4, 4), (3, 3), (1, 3)])
def test_a_bot_takes_the_free_seat_under_the_cursor_else_the_next(row: int, seat: int) -> None:
    lobby = waiting()
    wanted = BOT.request(Aim(scenes.in_lobby(lobby), row, lobby_rows(lobby)[row].member))
    assert isinstance(wanted, PutBot)
    assert wanted.seat == seat


async def test_a_watcher_is_sent_away_once_that_is_sure() -> None:
    async with show_lobby() as (pilot, seat, screen):
        await pilot.press("end", "x")
        assert screen.footer.text.startswith("Remove Zoe for good?")
        assert seat.requests == []
        await pilot.press("y")
        assert seat.requests == [Kick(9)]


async def test_what_was_said_leaves_the_line_empty_for_more() -> None:
    async with show_lobby() as (pilot, seat, screen):
        await pilot.press("t", *"hello", "enter")
        assert seat.requests == [Chat("hello")]
        assert screen.line.value == ""
        assert screen.is_typing


async def test_a_lobby_that_was_loaded_again_tells_its_talk_once() -> None:
    async with show_lobby() as (pilot, seat, screen):
        screen.show_update(Update(seat.status, Received(renewed=True)))
        await pilot.pause()
        assert text_of(pilot.app).count("good luck to all of you!") == 1


async def test_whoever_is_in_the_lobby_of_a_closed_table_leaves_it_and_is_told_why() -> None:
    async with show_lobby() as (pilot, seat, screen):
        closed = replace(
            seat.status, connection=ConnectionState.ENDED, ending=CloseReason.CLOSED, member=2
        )
        screen.show_update(Update(closed))
        assert isinstance(pilot.app, TableApp)
        assert pilot.app.stood == ["The host has closed the table."]


def test_a_guest_is_asked_to_be_ready_until_they_are() -> None:
    lobby = waiting()
    guest = replace(scenes.in_lobby(lobby), member=2)
    assert waiting_for(lobby, guest) == "Press r when you are ready."
    chairs = (lobby.chairs[0], structs.replace(lobby.chairs[1], ready=True), *lobby.chairs[2:])
    ready = structs.replace(lobby, chairs=chairs)
    guest = replace(scenes.in_lobby(ready), member=2)
    assert "Press r" not in waiting_for(ready, guest)


def test_whoever_is_marked_as_the_youngest_is_unmarked_the_same_way() -> None:
    lobby = waiting()
    marked = YOUNGEST.request(aim_at(scenes.in_lobby(lobby), 1))
    assert isinstance(marked, ChangeSettings)
    assert marked.settings.youngest == 1
    lobby = structs.replace(lobby, settings=marked.settings)
    again = YOUNGEST.request(aim_at(scenes.in_lobby(lobby), 1))
    assert again == ChangeSettings(waiting().settings)
