"""Joining and coming back: the list as it changes, a typed address, the code, what goes wrong."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from net.client.session import OnUpdate, RunnableSession
from net.discovery.advert import OURS, AdvertStage
from net.discovery.games import GameStatus
from net.protocol.messages import Refusal
from net.secure.address import Address, TypedAddress
from net.secure.code import RoomCode, words
from net.secure.handshake import Rejection
from sabtui.app.requests import GoesOnElsewhere, JoinRequest, ResumableTable, TableHandle
from sabtui.tui.command_screen import SEARCH
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.screens.join import JoinDialog, JoinScreen, ResumeScreen
from tests.sabtui.tui.app_fixture import PreparedTables, found_game, open_app
from tests.samples import first


async def test_a_game_that_cannot_be_joined_says_what_to_do_and_is_not_offered(
    tmp_path: Path,
) -> None:
    async with open_app(tmp_path, (60, 18)) as front:
        join = await front.list_games()
        assert "Enter join" not in front.lines[-1]
        for status, advice in (
            (GameStatus.UNREACHABLE, "firewall blocks port 7342"),
            (GameStatus.OTHER_VERSION, f"this program {OURS.high}: update the older Sabtui"),
        ):
            await front.list_games(found_game(1, "Gold Rush", status), found_game(2, "Bravo"))
            await front.press("end")
            await front.until(lambda: "Enter join" not in front.lines[-1])
            assert advice in front.text.replace("\n ", " ")
            await front.press("enter")
            assert advice in front.said
            assert front.screen is join
        await front.press("up")
        await front.until(lambda: "Enter join" in front.lines[-1])
        await front.press("down", "a")
        await front.sees("Enter join")


async def test_nothing_is_searched_while_another_screen_lies_over_the_list(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        await front.press("j")
        join = await front.is_on(JoinScreen)

        def is_searching() -> bool:
            return any(worker.group == SEARCH and not worker.is_finished for worker in join.workers)

        await front.until(is_searching)
        await front.press("question_mark", "question_mark")
        await front.until(lambda: front.screen is not join and not is_searching())
        await front.press("escape")
        await front.until(lambda: front.screen is join and is_searching())


async def test_games_are_listed_by_what_can_be_done_with_them(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        join = await front.list_games(
            found_game(1, "Alpha", stage=AdvertStage.OVER),
            found_game(2, "Ghost", stage=AdvertStage.AWAY),
            found_game(3, "Full", stage=AdvertStage.PLAYING),
            found_game(4, "Club", stage=AdvertStage.CLUB),
            found_game(5, "Delta", GameStatus.UNREACHABLE),
        )
        titles = [game.title for game in join.games]
        assert titles == ["Club", "Full", "Delta", "Alpha", "Ghost"]
        assert "> Club" in front.text
        [ghost] = [line for line in front.lines if "Ghost" in line]
        assert ghost.strip("│ ").endswith("host away")
        await front.press("end", "up")
        await front.sees("Alpha at 192.168.1.20:7342: finished.")


async def test_the_cursor_waits_on_a_game_that_can_be_joined_until_it_is_moved(
    tmp_path: Path,
) -> None:
    async with open_app(tmp_path) as front:
        full = found_game(1, "Alpha", stage=AdvertStage.FULL)
        await front.list_games(full)
        assert "> Alpha" in front.text
        await front.list_games(full, found_game(2, "Bravo"), found_game(3, "Delta"))
        await front.sees("> Bravo")
        await front.press("end")
        await front.sees("> Alpha")
        others = (found_game(number, title) for number, title in enumerate(("Bravo", "Echo"), 2))
        await front.list_games(full, *others, found_game(4, "Foxtrot"))
        assert "> Alpha" in front.text
        await front.list_games()
        await front.sees("No games on this network yet")


async def test_a_code_from_the_command_line_is_not_asked_for_again(tmp_path: Path) -> None:
    code = RoomCode.parse("amber-tulip")
    request = JoinRequest("Ana", "", code, watch=True, claims_name=True)
    async with open_app(tmp_path) as front:
        await front.app.push_screen(JoinScreen(request))
        join = await front.list_games(found_game(1, "Bravo"))
        await front.press("enter")
        await front.until(lambda: bool(front.service.joined))
        assert front.service.joined == [replace(request, at=join.games[0])]


async def test_a_seat_that_is_kept_is_taken_again_without_a_code(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        front.service.kept_seats = {found_game(1).advert.id}
        await front.list_games(found_game(1), found_game(2, "Silver"))
        await front.sees("Your seat there is kept:")
        await front.go(LobbyScreen, "enter")
        assert [request.code for request in front.service.joined] == [None]


async def test_code_and_name_open_the_table_unless_a_word_is_wrong(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        await front.list_games(found_game(1))
        await front.go(JoinDialog, "enter")
        await front.type_in("qqqqqq zzzzzz")
        await front.press("enter")
        assert "qqqqqq" in front.said
        assert front.service.joined == []
        one, two = words()[:2]
        await front.press(*["backspace"] * 13)
        await front.type_in(f"{one.upper()} {two}")
        await front.go(LobbyScreen, "down", *(["backspace"] * 3), *"Bea", "enter")
        (joined,) = front.service.joined
        assert (joined.name, joined.code) == ("Bea", RoomCode(one, two))
        assert joined.at == found_game(1)
        assert front.app.preferences.name == "Bea"


@pytest.mark.parametrize("why", first(1, [Rejection.WRONG_CODE, Refusal.TABLE_FULL], thorough=2))
async def test_somebody_who_is_not_let_in_is_back_at_the_code_and_reads_why(
    tmp_path: Path, why: Rejection | Refusal
) -> None:
    service = PreparedTables()
    service.ending = why
    async with open_app(tmp_path, service=service) as front:
        await front.list_games(found_game(1))
        await front.go(JoinDialog, "enter")
        await front.press("enter")
        await front.until(lambda: isinstance(front.screen, JoinDialog) and ":" in front.said)
        service.ending = None
        await front.go(LobbyScreen, "enter")


async def test_an_address_is_typed_where_the_list_stays_empty(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        join = await front.list_games()
        for typed, text in (
            ("", "That is not an address"),
            ("two words", "That is not an address: type one such as"),
            ("box:99999", "That is not an address"),
            ("[fe80::1", "That is not an address: type one such as"),
        ):
            await front.press("a")
            join.address_field.value = typed
            await front.press("enter")
            assert front.said.startswith(text)
            await front.press("escape")
            assert join.menu.has_focus
        join.address_field.value = ""
        await front.press("a")
        await front.type_in("box.local:7350")
        await front.go(JoinDialog, "enter")
        await front.go(LobbyScreen, "enter")
        assert front.service.joined[0].at == TypedAddress("box.local", 7350)


async def test_tables_to_come_back_to_are_listed_and_reached_or_say_why_not(
    tmp_path: Path,
) -> None:
    service = PreparedTables()
    now = time.time()
    why = "/x/1.table is damaged; nothing in it was changed. Open one with another name."
    service.tables = (
        ResumableTable("1", "Gold Rush", now - 7300, is_host=True),
        ResumableTable("2", "[/] club", now - 200_000, is_host=False),
        ResumableTable("3", "1.table", now, is_host=True, problem=why),
    )
    async with open_app(tmp_path, (100, 24), service) as front:
        await front.go(ResumeScreen, "r")
        for text in (
            "Gold Rush  you are the host - last played 2 hours ago",
            "[/] club   your seat is kept - left 2 days ago",
            "1.table    cannot be brought back: press Enter to see why",
        ):
            assert text in front.text
        service.trouble = "The table lost connection."
        await front.press("enter")
        await front.until(lambda: front.said == "The table lost connection.")
        service.trouble = ""
        await front.go(LobbyScreen, "enter")


class ElsewhereTables(PreparedTables):
    """Tables that go on at another computer."""

    def __init__(self) -> None:
        super().__init__()
        self.went = list[str]()
        self.tables = (ResumableTable("1", "Gold Rush", time.time(), is_host=True),)

    async def resume(self, to: ResumableTable) -> TableHandle:
        """It is elsewhere."""

        async def open_here() -> TableHandle:
            self.went.append("here")
            return await super(ElsewhereTables, self).resume(to)

        def seat(on_update: OnUpdate) -> RunnableSession:
            self.went.append("there")
            return self.inn.seat("Ana", on_update, is_host=True)

        raise GoesOnElsewhere(Address("10.77.0.2", 7341), TableHandle(seat), open_here)


@pytest.mark.parametrize(("key", "where"), [("enter", "there"), ("n", "here")])
async def test_somebody_who_brings_a_table_back_that_goes_on_elsewhere_is_asked_whether_to_join_it(
    key: str, where: str, tmp_path: Path
) -> None:
    service = ElsewhereTables()
    async with open_app(tmp_path, service=service) as front:
        await front.go(ResumeScreen, "r", "enter")
        told = "The table is now at 10.77.0.2:7341. Join it there? If not, it opens here."
        await front.until(lambda: front.said.startswith(told))
        assert service.went == []
        await front.go(LobbyScreen, key)
        assert service.went == [where]


async def test_without_a_table_to_come_back_to_that_is_said_in_lines_that_are_full(
    tmp_path: Path,
) -> None:
    async with open_app(tmp_path, size=(60, 18)) as front:
        await front.go(ResumeScreen, "r", "enter")
        assert [line.strip("│ ") for line in front.lines[1:4]] == [
            "Nothing to resume. Tables you left for now, or hosted",
            "and did not close, appear here.",
            "",
        ]
