"""Joining and coming back: the list as it changes, a typed address, the code, what goes wrong."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from net.client.session import OnUpdate, RunnableSession
from net.discovery.advert import OURS, Advert, AdvertStage
from net.discovery.games import DiscoveredGame, GameStatus, make_titles
from net.protocol.messages import Refusal
from net.protocol.text import clean_name
from net.secure.address import Address, TypedAddress
from net.secure.code import RoomCode, words
from net.secure.handshake import Rejection
from sabtui.app.requests import GoesOnElsewhere, JoinRequest, ResumableTable, TableHandle
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.screens.join import JoinDialog, JoinScreen, ResumeScreen
from tests.sabtui.tui.app_fixture import Front, PreparedTables, open_app
from tests.samples import first


def game(number: int, name: str, status: GameStatus = GameStatus.JOINABLE) -> DiscoveredGame:
    """A game as it is found."""
    advert = Advert(f"{number:016x}", clean_name(name), OURS, AdvertStage.LOBBY, 2, 5)
    return DiscoveredGame(name, advert, status, (Address("192.168.1.20", 7341 + number),))


async def joining(front: Front, *games: DiscoveredGame) -> JoinScreen:
    """The list of these games."""
    await front.press("j")
    return await open_list(front, *games)


async def open_list(front: Front, *games: DiscoveredGame) -> JoinScreen:
    """The list that is open, with these games."""
    join = await front.is_on(JoinScreen)
    join.workers.cancel_all()  # what is on this network is another test's
    join.list_games(make_titles(games))
    await front.pilot.pause()
    return join


async def test_a_game_that_cannot_be_joined_says_what_to_do(tmp_path: Path) -> None:
    async with open_app(tmp_path, (60, 18)) as front:
        join = await joining(front)
        for status, advice in (
            (GameStatus.UNREACHABLE, "firewall blocks port 7342"),
            (GameStatus.UPDATE_OURS, "another version of Sabtui: update the older one"),
            (GameStatus.UPDATE_THEIRS, "has another version of Sabtui: update the older one"),
        ):
            join.list_games((game(1, "Gold Rush", status),))
            await front.pilot.pause()
            assert advice in front.text.replace("\n ", " ")
            await front.press("enter")
            assert advice in front.said
            assert front.screen is join


async def test_a_game_that_is_over_is_listed_last_and_says_what_may_come(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        over = game(1, "Alpha")
        over = replace(over, advert=replace(over.advert, stage=AdvertStage.OVER))
        join = await joining(
            front, over, game(2, "Bravo"), game(3, "Delta", GameStatus.UNREACHABLE)
        )
        assert [game.title for game in join.games] == ["Bravo", "Delta", "Alpha"]
        await front.press("end")
        await front.sees("Alpha at 192.168.1.20:7342: finished.")


async def test_the_foot_offers_to_join_only_what_can_be_joined(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        join = await joining(front)
        assert "Enter join" not in front.lines[-1]
        join.list_games((game(1, "Bravo"), game(2, "Delta", GameStatus.UNREACHABLE)))
        await front.sees("Enter join")
        await front.press("down")
        await front.until(lambda: "Enter join" not in front.lines[-1])
        await front.press("a")
        await front.sees("Enter join")


async def test_the_cursor_stays_on_its_game_when_others_come_and_go(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        join = await joining(front, game(1, "Bravo"), game(2, "Delta"))
        await front.press("down")
        join.list_games(make_titles([game(3, "Alpha"), game(1, "Bravo"), game(2, "Delta")]))
        await front.pilot.pause()
        assert "> Delta" in front.text
        join.list_games(())
        await front.sees("No games on this network yet")


async def test_the_cursor_waits_on_a_game_that_can_be_joined_until_it_is_moved(
    tmp_path: Path,
) -> None:
    async with open_app(tmp_path) as front:
        full = game(1, "Alpha")
        full = replace(full, advert=replace(full.advert, stage=AdvertStage.FULL))
        join = await joining(front, full)
        assert "> Alpha" in front.text
        join.list_games(make_titles([full, game(2, "Bravo"), game(3, "Delta")]))
        await front.sees("> Bravo")
        await front.press("end")
        await front.sees("> Alpha")
        join.list_games(make_titles([full, game(2, "Bravo")]))
        await front.pilot.pause()
        assert "> Alpha" in front.text


async def test_a_code_from_the_command_line_is_not_asked_for_again(tmp_path: Path) -> None:
    code = RoomCode.parse("amber-tulip")
    request = JoinRequest("Ana", "", code, watch=True, claims_name=True)
    async with open_app(tmp_path) as front:
        await front.app.push_screen(JoinScreen(request))
        join = await open_list(front, game(1, "Bravo"))
        await front.press("enter")
        await front.until(lambda: bool(front.service.joined))
        assert front.service.joined == [replace(request, at=join.games[0])]


async def test_the_cursor_is_on_a_table_with_a_seat_to_take_and_one_without_its_host_is_last(
    tmp_path: Path,
) -> None:
    def at(number: int, name: str, stage: AdvertStage) -> DiscoveredGame:
        found = game(number, name)
        return replace(found, advert=replace(found.advert, stage=stage))

    async with open_app(tmp_path) as front:
        await joining(
            front,
            at(1, "Ghost", AdvertStage.AWAY),
            at(2, "Full", AdvertStage.PLAYING),
            at(3, "Club", AdvertStage.CLUB),
        )
        rows = [
            line.strip("│ ").split()
            for line in front.lines
            if "p" in line and ("/5" in line or "peo" in line)
        ]
        assert [row[0] if row[0] != ">" else row[1] for row in rows] == ["Club", "Full", "Ghost"]
        assert rows[0][0] == ">"
        assert rows[2][-2:] == ["host", "away"]


async def test_a_seat_that_is_kept_is_taken_again_without_a_code(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        front.service.kept_seats = {game(1, "Gold Rush").advert.id}
        await joining(front, game(1, "Gold Rush"), game(2, "Silver"))
        await front.sees("Your seat there is kept:")
        await front.press("enter")
        await front.is_on(LobbyScreen)
        assert [request.code for request in front.service.joined] == [None]


async def test_code_and_name_open_the_table(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        await joining(front, game(1, "Gold Rush"))
        await front.press("enter")
        await front.is_on(JoinDialog)
        first, second = words()[0], words()[1]
        await front.type_in(f"{first.upper()} {second}")
        await front.press("down", *(["backspace"] * 3), *"Bea", "enter")
        await front.is_on(LobbyScreen)
        joined = front.service.joined[0]
        assert (joined.name, joined.code) == ("Bea", RoomCode(first, second))
        assert joined.at == game(1, "Gold Rush")
        assert front.app.preferences.name == "Bea"


async def test_a_wrong_word_is_named_and_nothing_is_sent(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        await joining(front, game(1, "Gold Rush"))
        await front.press("enter")
        await front.is_on(JoinDialog)
        await front.type_in("qqqqqq zzzzzz")
        await front.press("enter")
        assert "qqqqqq" in front.said
        assert front.service.joined == []


@pytest.mark.parametrize("why", first(1, [Rejection.WRONG_CODE, Refusal.TABLE_FULL], thorough=2))
async def test_who_is_not_let_in_is_back_at_the_code_and_reads_why(
    tmp_path: Path, why: Rejection | Refusal
) -> None:
    service = PreparedTables()
    service.ending = why
    async with open_app(tmp_path, service=service) as front:
        await joining(front, game(1, "Gold Rush"))
        await front.press("enter")
        await front.is_on(JoinDialog)
        await front.press("enter")
        await front.until(lambda: isinstance(front.screen, JoinDialog) and ":" in front.said)
        service.ending = None
        await front.press("enter")
        await front.is_on(LobbyScreen)


async def test_an_address_is_typed_where_the_list_stays_empty(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        await joining(front)
        await front.press("a")
        await front.type_in("box.local:7350")
        await front.press("enter")
        await front.is_on(JoinDialog)
        await front.press("enter")
        await front.is_on(LobbyScreen)
        assert front.service.joined[0].at == TypedAddress("box.local", 7350)


async def test_what_is_no_address_is_told_so(tmp_path: Path) -> None:
    async with open_app(tmp_path) as front:
        join = await joining(front)
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


async def test_tables_to_come_back_to_are_listed_and_reached(tmp_path: Path) -> None:
    service = PreparedTables()
    now = time.time()
    service.tables = (
        ResumableTable("1", "Gold Rush", now - 7300, is_host=True),
        ResumableTable("2", "[/] club", now - 200_000, is_host=False),
    )
    async with open_app(tmp_path, service=service) as front:
        await front.press("r")
        await front.is_on(ResumeScreen)
        hosted = "Gold Rush  you are the host - last played 2 hours ago"
        for text in (hosted, "[/] club   your seat is kept - left 2 days ago"):
            assert text in front.text
        service.trouble = "The table lost connection."
        await front.press("enter")
        await front.until(lambda: front.said == "The table lost connection.")
        service.trouble = ""
        await front.press("enter")
        await front.is_on(LobbyScreen)


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

        def seat(hear: OnUpdate) -> RunnableSession:
            self.went.append("there")
            return self.inn.seat("Ana", hear, is_host=True)

        raise GoesOnElsewhere(Address("10.77.0.2", 7341), TableHandle(seat), open_here)


@pytest.mark.parametrize(("key", "where"), [("enter", "there"), ("n", "here")])
async def test_who_brings_a_table_back_that_goes_on_elsewhere_is_asked_whether_to_join_it(
    key: str, where: str, tmp_path: Path
) -> None:
    service = ElsewhereTables()
    async with open_app(tmp_path, service=service) as front:
        await front.press("r")
        await front.is_on(ResumeScreen)
        await front.press("enter")
        told = "The table goes on at 10.77.0.2:7341 now. Join it there? If not, it opens here."
        await front.until(lambda: front.said.startswith(told))
        assert service.went == []
        await front.press(key)
        await front.is_on(LobbyScreen)
        assert service.went == [where]


async def test_a_table_that_cannot_be_read_is_listed_and_says_why(tmp_path: Path) -> None:
    service = PreparedTables()
    why = "/x/1.table is damaged; nothing in it was changed. Open one with another name."
    service.tables = (
        ResumableTable("1", "1.table", time.time(), is_host=True, problem=why),
        ResumableTable("2", "Gold Rush", time.time() - 7300, is_host=True),
    )
    async with open_app(tmp_path, service=service) as front:
        await front.press("r")
        await front.is_on(ResumeScreen)
        assert "1.table    cannot be brought back: press Enter to see why" in front.text
        assert "Gold Rush" in front.text


async def test_without_a_table_to_come_back_to_that_is_said_in_lines_that_are_full(
    tmp_path: Path,
) -> None:
    async with open_app(tmp_path, size=(60, 18)) as front:
        await front.press("r", "enter")
        await front.is_on(ResumeScreen)
        assert [line.strip("│ ") for line in front.lines[1:4]] == [
            "No table to come back to. Tables you left for now are",
            "listed here, and tables you hosted and did not close.",
            "",
        ]
