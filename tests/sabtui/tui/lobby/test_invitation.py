"""What a host passes on to friends: code, addresses, and the lines for those at a door."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from net.client.session import Received, Update
from net.protocol.doors import DoorKind, DoorNow
from net.protocol.requests import SwitchDoor
from net.secure.address import Address
from sabtui.app.requests import Invitation
from sabtui.text.connection import own_news
from sabtui.text.network import ssh_guest_line
from sabtui.tui.lobby.commands import InvitationScreen, all_ways
from sabtui.tui.lobby.rows import talk_so_far
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.theme import BOX
from tests.sabtui.tui import scenes
from tests.sabtui.tui.lobby.test_screen import hosting, visiting
from tests.sabtui.tui.pictures import text_of
from tests.sabtui.tui.run_app import IdleSession, TableApp
from tests.sabtui.tui.table_server import RoomInProcess


async def test_the_host_sees_how_others_come(tmp_path: Path) -> None:
    async with hosting(tmp_path) as front:
        assert "█" in front.text  # the code, in large letters
        assert "192.168.1.20:7341 (a: more)" in front.text
        assert "Ana's table" in front.lines[0]
        await front.press("a")
        await front.is_on(InvitationScreen)
        assert "By address: sabtui join 192.168.1.20:7341" in front.text
        await front.press("escape")
        await front.is_on(LobbyScreen)


async def test_a_guest_has_nothing_to_pass_on_and_no_command_for_it(tmp_path: Path) -> None:
    async with visiting(tmp_path, RoomInProcess()) as front:
        offered = {command.name: command for command in front.screen.offered}
        assert offered.keys().isdisjoint({"ways", "terms", "browser door", "bot", "lock"})
        assert "talk" in offered


@pytest.mark.parametrize("columns", [24, 40, 58, 118])
@pytest.mark.parametrize("host", ["192.168.1.20", "2001:db8:1234:5678:9abc:def0:1234:5678"])
def test_the_line_for_a_friend_far_away_can_be_copied_into_a_shell(host: str, columns: int) -> None:
    given = Invitation("Rush", "", (str(Address(host, 7341)),))
    shown = [one.plain for one in all_ways(given, (DoorNow(DoorKind.SSH, 7351),), columns)]
    assert all(len(one) <= columns for one in shown)
    copied = shown[next(at for at, one in enumerate(shown) if "ssh -p" in one) :]
    assert ssh_guest_line(7351, host) in "\n".join(copied).replace("\\\n", "")


async def test_a_new_code_is_told_to_the_host_at_once_and_again_in_the_next_lobby(
    tmp_path: Path,
) -> None:
    async with hosting(tmp_path) as front:
        lobby = front.screen
        assert isinstance(lobby, LobbyScreen)
        status = replace(lobby.status, code="fender-vitamin")
        lobby.show_update(Update(status, Received(code="fender-vitamin")))
        assert front.said == "Room code: fender-vitamin"
        lobby.say("")
        await front.pilot.pause()
        assert front.text.count("Room code: fender-vitamin") == 1, "it stays in the log"
        assert [*talk_so_far(status)] == ["Room code: fender-vitamin"]


async def test_the_host_of_a_table_that_moved_here_invites_with_its_code_and_the_former_does_not(
    tmp_path: Path,
) -> None:
    there = (Address("192.168.1.23", 7341),)
    async with visiting(tmp_path, RoomInProcess()) as front:
        lobby = front.screen
        assert isinstance(lobby, LobbyScreen)
        status, before = lobby.status, lobby.status.game_state
        assert before is not None
        here = msgspec.structs.replace(before.lobby, host=status.member, term=1)
        state = replace(before, lobby=here)
        moved = replace(status, game_state=state, code="amber-tiger", outside=there)
        assert "Room code: amber-tiger" in own_news(moved, status)
        lobby.show_update(Update(moved))
        await front.sees("192.168.1.23:7341 (a: more)")
        await front.press("a")
        await front.is_on(InvitationScreen)
        assert "sabtui join --code amber-tiger" in front.text
        await front.press("escape")
        lobby.show_update(Update(replace(moved, game_state=before)))
        assert lobby.invitation is None


async def test_the_host_opens_the_ssh_door_by_d_and_sees_the_line_and_the_key_then() -> None:
    status = replace(scenes.now(at=scenes.lobby()), member=scenes.now().member)
    seat, app = IdleSession(status), TableApp(BOX)
    shown = Invitation("Rush", "amber-tiger", ("192.168.1.20:7341",))
    opened = DoorNow(DoorKind.SSH, 7351, "SHA256:16xFdUggOZ5qrsD4ayHENzgPR0qYTkpfDh26Z11TYDI")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = LobbyScreen(seat, status, shown)
        await app.push_screen(screen)
        await pilot.press("d")
        await pilot.pause()
        assert seat.requests == [SwitchDoor(DoorKind.SSH, open=True)]
        assert "ssh -p" not in text_of(app)
        screen.show_update(Update(replace(status, doors=(opened,))))
        await pilot.pause()
        assert "Friends without Sabtui: ssh -p 7351 NAME@192.168.1.20" in text_of(app)
        assert opened.fingerprint not in text_of(app)
        await pilot.press("a")
        await pilot.pause()
        assert f"SSH key fingerprint: {opened.fingerprint}" in text_of(app)
        await pilot.press("escape")
        await pilot.pause()
        await pilot.press("d")
        await pilot.pause()
        assert seat.requests[1:] == [SwitchDoor(DoorKind.SSH, open=False)]
