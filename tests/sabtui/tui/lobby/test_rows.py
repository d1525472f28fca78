"""What the lobby shows: seats, dwarves, the invitation, and the code for phones."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
import segno
from msgspec import structs
from rich.cells import cell_len
from textual.pilot import Pilot

from net.client.session import Received, Status, Update
from net.protocol.doors import DoorKind, DoorNow
from net.protocol.fields import MAX_SEATS
from net.protocol.lobby import BotChair, Evening, Free, Lobby, Settings, TablePhase
from net.protocol.lobby_events import Entered, SatDown, StoodUp, apply_all
from net.protocol.requests import PutBot, SwitchDoor
from net.secure.address import Address
from sabtui.app.requests import Invitation, invitation_lines
from sabtui.art.catalogue import find_dwarf
from sabtui.table.commands import BOT, Target
from sabtui.table.ways import find_ways
from sabtui.text.connection import own_news
from sabtui.text.door_words import QUIET_MODULES, qr_rows
from sabtui.text.network import ssh_guest_line, web_address
from sabtui.tui.lobby.invitation import (
    draw_all_ways,
    draw_invitation,
    draw_qr_code,
)
from sabtui.tui.lobby.rows import (
    draw_dwarves,
    draw_row,
    list_log_lines,
    list_rows,
)
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.mine.card_tiles import draw_picture
from sabtui.tui.table.log import TableLog
from sabtui.tui.table.screen import TableScreen
from sabtui.tui.theme import BOX, DRAWN, PICTURED, Glyphs
from sabtui.tui.widgets.panel import plain, width
from tests.sabtui.tui import scenes
from tests.sabtui.tui.lobby.test_screen import hosting, visiting
from tests.sabtui.tui.pictures import resize_to, text_of
from tests.sabtui.tui.run_app import IdleSession, TableApp
from tests.sabtui.tui.table_server import RoomInProcess
from tests.samples import first, pairs


def waiting() -> Lobby:
    """Return a table before its game, with two free seats at its end."""
    lobby = scenes.lobby()
    chairs = (*lobby.chairs[:3], Free(), Free())
    return structs.replace(lobby, chairs=chairs, stage=TablePhase.LOBBY)


@asynccontextmanager
async def show_lobby(
    status: Status | None = None,
    size: tuple[int, int] = (80, 24),
    invitation: Invitation | None = None,
    glyphs: Glyphs = BOX,
) -> AsyncIterator[tuple[Pilot[None], IdleSession, LobbyScreen]]:
    """Show that table, or another, to its host."""
    seat, app = IdleSession(status or scenes.in_lobby(waiting())), TableApp(glyphs)
    async with app.run_test(size=size) as pilot:
        screen = LobbyScreen(seat, seat.status, invitation)
        await app.push_screen(screen)
        await pilot.pause()
        yield pilot, seat, screen


async def show_status(pilot: Pilot[None], screen: LobbyScreen, status: Status) -> str:
    """Return what is seen after an update."""
    screen.show_update(Update(status))
    await pilot.pause()
    return text_of(pilot.app)


def test_somebody_who_comes_and_sits_down_in_one_step_is_told_once() -> None:
    lobby = waiting()
    came = (Entered(10, "Fay", is_host=False), SatDown(4, 10))
    assert [*list_log_lines(Received(news=came), lobby, 1)] == ["Fay has joined."]
    there = apply_all(lobby, came)
    again = (StoodUp(4), SatDown(3, 10))
    assert [*list_log_lines(Received(news=again), there, 1)][-1].startswith("Fay took seat 4")


def test_nobody_is_told_that_the_host_is_not_ready() -> None:
    lobby = structs.replace(waiting(), host=2)
    status = scenes.in_lobby(lobby)
    host, guest = (draw_row(list_rows(lobby)[seat], lobby, status, 80).plain for seat in (1, 0))
    assert "host" in host
    assert "ready" not in host
    assert "not ready" in guest


@pytest.mark.parametrize(("row", "seat"), [(4, 4), (3, 3), (1, 3)])
def test_a_bot_takes_the_free_seat_under_the_cursor_else_the_next(row: int, seat: int) -> None:
    lobby = waiting()
    wanted = BOT.request(Target(scenes.in_lobby(lobby), row, list_rows(lobby)[row].member))
    assert isinstance(wanted, PutBot)
    assert wanted.seat == seat


async def test_a_lobby_that_was_loaded_again_tells_its_talk_once() -> None:
    async with show_lobby() as (pilot, seat, screen):
        screen.show_update(Update(seat.status, Received(renewed=True)))
        await pilot.pause()
        assert text_of(pilot.app).count("good luck to all of you!") == 1


@pytest.mark.parametrize("glyphs", [DRAWN, PICTURED])
def test_everybody_who_sits_has_the_dwarf_of_their_colour_above_their_name(glyphs: Glyphs) -> None:
    lobby = scenes.lobby()
    rows = draw_dwarves(lobby, (80, 7), glyphs)
    assert {width(row) for row in rows} == {80}
    names = [lobby.name_at(seat) for seat in range(5)]
    assert plain(rows[-1]).split() == names
    for at, dwarf in enumerate(lobby.dwarves):
        picture = find_dwarf(dwarf.face, dwarf.colour)
        face = [plain(row) for row in draw_picture(picture, (12, 6), glyphs)]
        assert [plain(row)[1 + 13 * at : 13 + 13 * at] for row in rows[:-1]] == face


def test_a_reaction_stands_below_the_dwarf_and_beside_the_name() -> None:
    lobby = scenes.lobby()
    said = draw_dwarves(lobby, (80, 7), DRAWN, {2: "oh!"})[-1]
    assert plain(said).split() == ["Ana", "oh!", *plain(said).split()[2:]]
    row = draw_row(list_rows(lobby)[1], lobby, scenes.in_lobby(lobby), 80, {2: "oh!"}).plain
    assert re.match(r" 2 Bruno +oh!", row)


def test_where_there_is_room_for_several_lines_of_dwarves_they_are_larger() -> None:
    lobby = scenes.lobby()
    names = [lobby.name_at(seat) for seat in range(5)]
    rows = [*map(plain, draw_dwarves(lobby, (80, 26), DRAWN))]
    assert [rows[at].split() for at in (12, 25)] == [names[:3], names[3:]]
    assert {cell_len(row) for row in rows} == {80}
    assert not draw_dwarves(Lobby.without_chairs("Hall"), (80, 26), DRAWN)


@pytest.mark.parametrize(
    ("columns", "facts"),
    [
        (56, "you, host, 1 of 2 won, 12 nuggets"),
        (55, "you, host, 1 of 2 won"),
        (44, "you, host, 1 of 2 won"),
        (43, "you, host"),
    ],
)
def test_a_fact_that_has_no_room_in_its_row_is_left_out_whole(columns: int, facts: str) -> None:
    lobby = scenes.lobby()
    evening = Evening().after(("Ana", "Bruno"), (7, 3)).after(("Ana", "Bruno"), (5, 6))
    lobby = structs.replace(lobby, evening=evening)
    row = draw_row(list_rows(lobby)[0], lobby, scenes.in_lobby(lobby), columns).plain
    assert row == f" 1 Ana{' ' * 17}{facts}"


@pytest.mark.parametrize("columns", [80, 120])
def test_the_largest_table_has_room_for_all_its_dwarves(columns: int) -> None:
    names = "ABCDEFGHIJ"
    assert len(names) == MAX_SEATS
    table = Lobby("Gold Rush", Settings(), tuple(BotChair(name, "easy") for name in names))
    rows = draw_dwarves(table, (columns, 7), DRAWN)
    assert plain(rows[-1]).split() == [*names]
    assert max(map(width, rows)) == columns


async def test_dwarves_stand_in_a_usual_lobby_where_talk_leaves_room_for_them() -> None:
    async with show_lobby(scenes.now(at=scenes.lobby()), glyphs=DRAWN) as (pilot, _seat, screen):
        assert screen.company.size.height == len(screen.company.rows) > 1
        assert screen.log_lines.size.height >= 4
        await resize_to(pilot, (60, 18))
        assert not screen.company.display


async def test_the_host_sees_how_others_come_and_is_told_a_new_code(tmp_path: Path) -> None:
    async with hosting(tmp_path) as front:
        assert "█" in front.text  # the code, in large letters
        assert "192.168.1.20:7341 (a: more)" in front.text
        assert "Ana's table" in front.lines[0]
        lobby = await front.is_on(LobbyScreen)
        await front.press("a")
        await front.sees("Ways in")
        await front.press("escape")
        status = replace(lobby.status, code="fender-vitamin")
        lobby.show_update(Update(status, Received(code="fender-vitamin")))
        assert front.said == "Room code: fender-vitamin"
        assert lobby.invitation is not None
        assert lobby.invitation.code == "fender-vitamin"
        lobby.say("")
        await front.pilot.pause()
        assert front.text.count("Room code: fender-vitamin") == 1, "it stays in the log"


@pytest.mark.parametrize("columns", [24, 40, 58, 118])
@pytest.mark.parametrize("host", ["192.168.1.20", "2001:db8:1234:5678:9abc:def0:1234:5678"])
def test_the_line_for_a_friend_far_away_can_be_copied_into_a_shell(host: str, columns: int) -> None:
    status = replace(scenes.now(at=scenes.lobby()), doors=(DoorNow(DoorKind.SSH, 7351),))
    ways = find_ways(replace(status, outside=(Address(host, 7341),)))
    assert ways is not None
    shown = [line.plain for line in draw_all_ways(ways, columns, BOX)]
    assert all(len(line) <= columns for line in shown)
    copied = [line.strip() for line in shown[at_line("ssh -p", shown) :]]
    assert ssh_guest_line(7351, host) in "\n".join(copied).replace("\\\n", "")


def at_line(text: str, lines: list[str]) -> int:
    return next(at for at, line in enumerate(lines) if text in line)


async def test_every_player_shows_all_ways_in_by_one_key_and_by_every_word_tried() -> None:
    doors = (DoorNow(DoorKind.SSH, 7351, "SHA256:x"), DoorNow(DoorKind.WEB, 7363))
    found = Address("192.0.2.2", 29010), Address("fd00::2", 29010)
    table = replace(scenes.now(), doors=doors, code="diorama-gear", outside=found)
    words = ("code", "invite", "join", "ssh", "address", "browser", "link", "QR")
    for member, typed in ((1, ("", "code")), (2, ("", *words))):
        status = replace(table, member=member)
        seat, app = IdleSession(status), TableApp(BOX)
        async with app.run_test(size=(80, 24)) as pilot:
            screen = TableScreen(seat, status)
            await app.push_screen(screen)
            for word in typed:
                await pilot.press("ctrl+p" if word else "o")
                await pilot.pause()
                await pilot.press(*word, *(["enter"] if word else []))
                await pilot.pause()
                text = text_of(app)
                for told in (
                    "D I O R A M A - G E A R",
                    "ssh -p 7351 NAME@192.0.2.2",
                    "http://192.0.2.2:7363/",
                    "[fd00::2]:29010",
                ):
                    assert told in text, word
                assert sum("▀" in line or "█" in line for line in text.splitlines()) > 12
                await pilot.press("x")
                assert screen.palette is None
            assert seat.requests == []


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (scenes.now(), "ask a player: watchers do not know it"),
        (replace(scenes.now(), code="diorama-gear"), "diorama-gear"),
    ],
)
def test_somebody_who_is_told_no_code_reads_whom_to_ask(status: Status, told: str) -> None:
    ways = find_ways(status)
    assert ways is not None
    assert ways.code == told
    assert find_ways(replace(status, in_club=True)) is None
    assert find_ways(Status()) is None


async def test_the_host_of_a_table_that_moved_here_invites_with_its_code_and_the_former_does_not(
    tmp_path: Path,
) -> None:
    there = (Address("192.168.1.23", 7341),)
    async with visiting(tmp_path, RoomInProcess()) as front:
        lobby = await front.is_on(LobbyScreen)
        status, before = lobby.status, lobby.status.game_state
        assert before is not None
        here = msgspec.structs.replace(before.lobby, host=status.member, term=1)
        state = replace(before, lobby=here)
        moved = replace(status, game_state=state, code="amber-tiger", outside=there)
        assert "Room code: amber-tiger" in own_news(moved, status)
        lobby.show_update(Update(moved))
        await front.sees("192.168.1.23:7341 (a: more)")
        await front.press("a")
        await front.sees("A M B E R - T I G E R")
        await front.press("escape")
        lobby.show_update(Update(replace(moved, game_state=before)))
        assert lobby.invitation is None


async def test_the_host_opens_the_ssh_door_by_d_and_sees_the_line_and_the_key_then() -> None:
    status = scenes.now(at=scenes.lobby())
    status = replace(status, outside=(Address("192.168.1.20", 7341),))
    shown = Invitation("Rush", "amber-tiger", ("192.168.1.20:7341",))
    opened = DoorNow(DoorKind.SSH, 7351, "SHA256:16xFdUggOZ5qrsD4ayHENzgPR0qYTkpfDh26Z11TYDI")
    async with show_lobby(status, invitation=shown) as (pilot, seat, screen):
        await pilot.press("d")
        assert seat.requests == [SwitchDoor(DoorKind.SSH, open=True)]
        assert "ssh -p" not in text_of(pilot.app)
        text = await show_status(pilot, screen, replace(status, doors=(opened,)))
        assert "In any terminal: ssh -p 7351 NAME@192.168.1.20" in text
        assert opened.fingerprint not in text
        await pilot.press("a")
        await pilot.pause()
        assert "  ssh -p 7351 NAME@192.168.1.20" in text_of(pilot.app)
        assert opened.fingerprint in text_of(pilot.app).replace("│\n", "").replace("  ", "")
        await pilot.press("escape")
        await pilot.pause()
        await pilot.press("d")
        await pilot.pause()
        assert seat.requests[1:] == [SwitchDoor(DoorKind.SSH, open=False)]


OPEN = DoorNow(DoorKind.WEB, 7361)
INVITATION = Invitation("Gold Rush", "lantern-tiger", ("192.168.100.200:7341",))


def host_beside(*doors: DoorNow) -> Status:
    """A host in the lobby, beside these doors."""
    lobby = scenes.lobby()
    return replace(scenes.now(at=lobby), doors=doors)


def test_the_code_is_that_of_the_address_with_the_room_code_behind_the_hash() -> None:
    address = web_address(7361, "192.168.100.200", "lantern-tiger")
    assert address == "http://192.168.100.200:7361/#lantern-tiger"
    assert web_address(7361, "fd00::2") == "http://[fd00::2]:7361/"
    modules = [list(row) for row in segno.make(address, error="l", micro=False).matrix]
    rows = qr_rows(address)
    for y, row in enumerate(modules):
        for x, is_dark in enumerate(row):
            character = rows[(y + QUIET_MODULES) // 2][x + QUIET_MODULES]
            half = "▄█" if (y + QUIET_MODULES) % 2 else "▀█"
            assert (character in half) is bool(is_dark)


@pytest.mark.parametrize("address", ["127.0.0.1:7341", "[::1]:7341"])
def test_a_computer_without_a_network_shows_no_code_and_no_address(address: str) -> None:
    alone = replace(INVITATION, addresses=(address,))
    told = "This computer is not connected to a network. Join the Wi-Fi first."
    assert draw_qr_code([OPEN], alone, BOX) == []
    shown = [line.plain for line in draw_invitation(alone, (80, 10), BOX, [OPEN])]
    assert told in shown
    assert not any("7341" in line or "7361" in line for line in shown)
    *lines, last = invitation_lines(alone)
    assert last == told
    assert not any("7341" in line for line in lines)


async def test_p_opens_the_door_and_a_page_shows_its_code() -> None:
    found = (Address("192.168.100.200", 7341),)
    async with show_lobby(host_beside(), (45, 28), INVITATION) as (pilot, seat, screen):
        await pilot.press("p")
        assert seat.requests == [SwitchDoor(DoorKind.WEB, open=True)]
        await show_status(pilot, screen, replace(host_beside(OPEN), outside=found))
        await pilot.press("a")
        await pilot.pause()
        await pilot.press(*["down"] * 4)
        await pilot.pause()
        assert text_of(pilot.app).count("█▀▀▀▀▀█") == 3, "all of it is in sight"
        await pilot.press("escape", "p")
        await pilot.pause()
        assert seat.requests[1:] == [SwitchDoor(DoorKind.WEB, open=False)]


@pytest.mark.parametrize(
    ("size", "is_shown"), [((80, 24), True), ((76, 24), False), ((80, 21), False)]
)
async def test_a_usual_lobby_shows_the_code_beside_the_seats_where_there_is_room(
    size: tuple[int, int], *, is_shown: bool
) -> None:
    async with show_lobby(host_beside(OPEN), size, INVITATION) as (pilot, _seat, screen):
        lines = text_of(pilot.app).splitlines()
        assert any("█▀▀▀▀▀█" in line for line in lines) is is_shown
        assert "█▀▀▀▀▀█" not in "".join(lines[:1] + lines[-2:]), "title and keys have all columns"
        for text in ("Ana", "Bruno", "192.168.100.200:7341", "Chat"):
            assert any(text in line for line in lines)
        assert "█▀▀▀▀▀█" not in await show_status(pilot, screen, host_beside()), (
            "the door was closed"
        )


@pytest.mark.parametrize(
    ("size", "begins_open"), first(2, pairs([(120, 40), (200, 60)], [True, False]), thorough=4)
)
async def test_the_address_of_a_door_stands_once_in_the_lobby_beside_its_code(
    size: tuple[int, int], *, begins_open: bool
) -> None:
    status = host_beside(*([OPEN] if begins_open else []))
    async with show_lobby(status, size, INVITATION) as (pilot, _seat, screen):
        text = await show_status(pilot, screen, host_beside(OPEN))
        assert text.count(":7361") == 1
        assert "█▀▀▀▀▀█" in text
        text = await show_status(pilot, screen, host_beside(DoorNow(DoorKind.WEB)))
        assert ":7361" not in text
        assert "Browser door: closed" in text


def test_a_door_that_was_open_before_the_game_is_no_news_in_it() -> None:
    assert TableLog.of(host_beside(OPEN)).lines == TableLog.of(host_beside()).lines
    now = replace(host_beside(OPEN), outside=(Address("192.168.1.20", 7341),))
    later = TableLog().after(Update(now), host_beside())
    assert [line.text for line in later.lines] == [
        "In a browser or on a phone: http://192.168.1.20:7361/"
    ]
