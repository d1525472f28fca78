"""The door for guests with a browser: the address, and a code that a phone can scan."""

from __future__ import annotations

from dataclasses import replace

import pytest
import segno

from net.client.session import Status, Update
from net.protocol.doors import DoorKind, DoorNow
from net.protocol.requests import SwitchDoor
from sabtui.app.requests import Invitation, invitation_lines
from sabtui.text.doors import QUIET_MODULES, door_lines, door_sentence, qr_rows
from sabtui.text.network import web_address
from sabtui.tui.lobby.commands import draw_code, invitation
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.table.log import TableLog
from sabtui.tui.theme import BOX
from tests.sabtui.tui import scenes
from tests.sabtui.tui.pictures import text_of
from tests.sabtui.tui.run_app import IdleSession, TableApp
from tests.samples import first, pairs

OPEN = DoorNow(DoorKind.WEB, 7361)
INVITATION = Invitation("Gold Rush", "lantern-tiger", ("192.168.100.200:7341",))
ADDRESS = "http://192.168.100.200:7361/"


def host_beside(*doors: DoorNow) -> Status:
    """A host in the lobby, beside these doors."""
    lobby = scenes.lobby()
    return replace(scenes.now(at=lobby), doors=doors)


def test_the_code_is_that_of_the_address_with_the_room_code_behind_the_hash() -> None:
    address = web_address(7361, "192.168.100.200", "lantern-tiger")
    assert address == f"{ADDRESS}#lantern-tiger"
    modules = [list(row) for row in segno.make(address, error="l", micro=False).matrix]
    rows = qr_rows(address)
    for y, row in enumerate(modules):
        for x, is_dark in enumerate(row):
            character = rows[(y + QUIET_MODULES) // 2][x + QUIET_MODULES]
            half = "▄█" if (y + QUIET_MODULES) % 2 else "▀█"
            assert (character in half) is bool(is_dark)


def test_an_address_of_ipv6_stands_in_brackets() -> None:
    assert web_address(7361, "fd00::2") == "http://[fd00::2]:7361/"


@pytest.mark.parametrize("address", ["127.0.0.1:7341", "[::1]:7341"])
def test_a_computer_without_a_network_shows_no_code_and_no_address(address: str) -> None:
    alone = replace(INVITATION, addresses=(address,))
    told = "This computer is in no network: join the Wi-Fi first."
    assert draw_code(host_beside(OPEN), alone, BOX) == []
    shown = [line.plain for line in invitation(alone, 80, 10, BOX, [OPEN])]
    assert told in shown
    assert not any("7341" in line or "7361" in line for line in shown)
    *lines, last = invitation_lines(alone)
    assert last == told
    assert not any("7341" in line for line in lines)


async def test_p_opens_the_door_and_a_page_shows_its_code() -> None:
    app = TableApp(BOX)
    async with app.run_test(size=(45, 28)) as pilot:
        seat = IdleSession(replace(host_beside(), member=scenes.now().member))
        screen = LobbyScreen(seat, seat.status, INVITATION)
        await app.push_screen(screen)
        await pilot.pause()
        await pilot.press("p")
        assert seat.requests == [SwitchDoor(DoorKind.WEB, open=True)]
        screen.show_update(Update(host_beside(OPEN)))
        await pilot.press("a", "pagedown", "pagedown")
        await pilot.pause()
        assert text_of(app).count("█▀▀▀▀▀█") == 3, "all of it is in sight"
        await pilot.press("escape", "p")
        await pilot.pause()
        assert seat.requests[1:] == [SwitchDoor(DoorKind.WEB, open=False)]


@pytest.mark.parametrize(
    ("size", "is_shown"), [((80, 24), True), ((76, 24), False), ((80, 21), False)]
)
async def test_a_usual_lobby_shows_the_code_beside_the_seats_where_there_is_room(
    size: tuple[int, int], *, is_shown: bool
) -> None:
    app = TableApp(BOX)
    async with app.run_test(size=size) as pilot:
        seat = IdleSession(host_beside(OPEN))
        screen = LobbyScreen(seat, seat.status, INVITATION)
        await app.push_screen(screen)
        await pilot.pause()
        lines = text_of(app).splitlines()
        assert any("█▀▀▀▀▀█" in line for line in lines) is is_shown
        assert "█▀▀▀▀▀█" not in "".join(lines[:1] + lines[-2:]), "title and keys have all columns"
        for text in ("Ana", "Bruno", "192.168.100.200:7341", "Talk"):
            assert any(text in line for line in lines)
        screen.show_update(Update(host_beside()))
        await pilot.pause()
        assert "█▀▀▀▀▀█" not in text_of(app), "the door was closed"


@pytest.mark.parametrize(
    ("size", "begins_open"), first(2, pairs([(120, 40), (200, 60)], [True, False]), thorough=4)
)
async def test_the_address_of_a_door_stands_once_in_the_lobby_beside_its_code(
    size: tuple[int, int], *, begins_open: bool
) -> None:
    app = TableApp(BOX)
    async with app.run_test(size=size) as pilot:
        seat = IdleSession(host_beside(*([OPEN] if begins_open else [])))
        screen = LobbyScreen(seat, seat.status, INVITATION)
        await app.push_screen(screen)
        screen.show_update(Update(host_beside(OPEN)))
        await pilot.pause()
        assert text_of(app).count(":7361") == 1
        assert "█▀▀▀▀▀█" in text_of(app)
        screen.show_update(Update(host_beside(DoorNow(DoorKind.WEB))))
        await pilot.pause()
        assert ":7361" not in text_of(app)
        assert "Browser door: closed" in text_of(app)


def test_a_door_that_was_open_before_the_game_is_no_news_in_it() -> None:
    assert TableLog.of(host_beside(OPEN)).lines == TableLog.of(host_beside()).lines
    later = TableLog().after(Update(host_beside(OPEN)), host_beside())
    assert [line.text for line in later.lines] == [door_sentence(OPEN)]


def test_each_open_door_has_its_line() -> None:
    addresses = INVITATION.addresses
    told = [("In a browser: {line}", ADDRESS)]
    assert door_lines([OPEN], addresses) == door_lines([OPEN], addresses, is_short=True) == told
    assert "http://ADDRESS:7361/" in door_sentence(OPEN)
