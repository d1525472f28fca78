"""The stage by itself: what it follows, for how long, and how it comes back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from net.client.credentials import Credentials
from net.client.session import OnUpdate
from net.protocol.hall import RenewCode
from net.protocol.lobby import Settings, TablePhase
from net.protocol.messages import CloseReason
from net.protocol.requests import Chat, Close, PutBot, Start, TableRequest
from net.room.sessions import GONE_AFTER_S
from net.secure.address import Address
from net.secure.handshake import Rejection
from sabtui.app.errors import UserError
from sabtui.app.requests import TableHandle
from sabtui.club.stage import (
    RESULT_S,
    RETRY_S,
    TABLE_S,
    Director,
    StageHallScreen,
    StageOrder,
    StagePlace,
    StageTableScreen,
)
from sabtui.club.visit import stage_store
from tests.net.server.served_table import CODE, HERE, until
from tests.sabtui.club.pictures import PLACE
from tests.sabtui.club.server.served_club import Member, ServedClub, Sitter, organise, serve_folder
from tests.sabtui.tui.app_fixture import Front, open_app
from tests.sabtui.tui.table_server import InnSeat, RoomInProcess


@dataclass(frozen=True, slots=True)
class PlaceAtInn(StagePlace):
    """A table in this process; `seats` are those that the stage has had there."""

    inn: RoomInProcess = field(default_factory=RoomInProcess)
    seats: list[InnSeat] = field(default_factory=list)

    @property
    def handle(self) -> TableHandle:

        def make(on_update: OnUpdate) -> InnSeat:
            name = f"Stage {len(self.seats)}"
            self.seats.append(self.inn.seat(name, on_update, is_projector=True))
            return self.seats[-1]

        return TableHandle(make)


class OpenStage:
    """A stage, with a clock that the test turns, and what is found when it looks again."""

    def __init__(self, place: StagePlace) -> None:
        self.now = 0.0
        self.searches = 0
        self.found: StagePlace | None = None
        self.order = StageOrder(self.find, place)
        self.front: Front | None = None

    async def find(self) -> StagePlace:
        """Return the place that the test has put there, if any."""
        self.searches += 1
        if self.found is None:
            raise UserError("No game found here.")
        return self.found

    def has_searched(self, times: int) -> bool:
        return self.searches == times

    @property
    def app(self) -> Front:
        assert self.front is not None
        return self.front

    @property
    def director(self) -> Director:
        (hall,) = (
            screen for screen in self.app.app.screen_stack if isinstance(screen, StageHallScreen)
        )
        return hall.director

    @property
    def is_on_table(self) -> bool:
        return isinstance(self.app.app.screen, StageTableScreen)

    async def pass_time(self, seconds: float) -> None:
        """Let time pass, and let the stage look."""
        self.now += seconds
        self.director.tick()
        await self.app.pilot.pause()

    async def comes_to_hall(self) -> None:
        await self.app.is_on(StageHallScreen)

    async def comes_to_table(self, title: str) -> None:
        await self.app.until(lambda: self.is_on_table and title in self.app.text)


@asynccontextmanager
async def open_stage(
    folder: Path, place: StagePlace, size: tuple[int, int] = (120, 40)
) -> AsyncIterator[OpenStage]:
    """A stage, in the app."""
    stage = OpenStage(place)
    async with open_app(folder, size) as front:
        stage.front = front
        hall = StageHallScreen(stage.order)
        hall.director._clock = lambda: stage.now
        await front.app.push_screen(hall)
        yield stage


def begin_game(host: InnSeat) -> None:
    """Begin a game with bots that do not play: nobody moves by itself in a test's room."""
    for seat in (1, 2):
        host.request(PutBot(seat, f"Bot {seat}", "easy"))
    host.request(Start())


THREE = Settings(seats=3, rounds=1)


def inn(name: str = "Gold Rush") -> PlaceAtInn:
    """A table alone, for three."""
    return PlaceAtInn(PLACE, inn=RoomInProcess(name, THREE))


async def test_a_lobby_gives_way_to_its_game_without_its_secrets_and_is_there_again_after_it(
    tmp_path: Path,
) -> None:
    place = inn()
    host = place.inn.seat("Ana", lambda _update: None, is_host=True)
    host.come()
    async with open_stage(tmp_path, place) as stage:
        await stage.app.sees("1 Ana")
        assert "watching, you, projector" in stage.app.text
        await stage.app.sees("sabtui join 192.168.1.20:7341")
        begin_game(host)
        await stage.comes_to_table("turn: ")
        await stage.app.sees("Room code: amber-tiger")
        view, own = stage.director.status.view, host.status.view
        assert view is not None
        assert (view.seat, view.hand, view.role) == (None, (), None)
        assert own is not None
        assert own.hand, "there was something to hide"
        host.request(Chat("Off we go!"))
        await stage.app.sees("Off we go!")
        place.seats[-1].over(CloseReason.CLOSED)
        await stage.comes_to_hall()
        await stage.app.sees("closed")


async def test_what_has_ended_is_looked_for_again_until_it_is_found(tmp_path: Path) -> None:
    place, other = inn(), inn("New Rush")
    other.inn.guest("Bruno")
    async with open_stage(tmp_path, place) as stage:
        await stage.app.sees("3 free")
        place.seats[0].over(CloseReason.CLOSED)
        await stage.app.until(lambda: bool(stage.director.trouble))
        await stage.pass_time(RETRY_S - 1)
        assert stage.has_searched(0)
        await stage.pass_time(1)
        await stage.app.sees("No game found here.")
        stage.found = other
        await stage.pass_time(RETRY_S)
        await stage.app.sees("1 Bruno")
        assert stage.has_searched(2)
        await stage.app.until(lambda: not stage.director.trouble)


async def test_a_stage_whose_code_is_wrong_does_not_try_it_again(tmp_path: Path) -> None:
    place = inn()
    async with open_stage(tmp_path, place) as stage:
        await stage.app.sees("3 free")
        place.seats[0].over(Rejection.WRONG_CODE)
        await stage.app.until(lambda: bool(stage.director.trouble))
        await stage.pass_time(10 * RETRY_S)
        assert stage.has_searched(0)


# In a club.


def at_club(served: ServedClub) -> StagePlace:
    """The way into a club for a stage that was never there."""
    here, table = (Address(HERE, served.port),), served.server.club.id
    return StagePlace(Credentials("Stage", here, table=table, code=CODE, watch=True))


async def play(served: ServedClub, member: Member, name: str) -> tuple[str, Sitter]:
    """Somebody opens a table and begins a game with bots; its id, and their client."""
    table = await member.open_table(name, THREE)
    sitter = await member.go_to(table)
    wanted: tuple[TableRequest, ...] = (
        PutBot(1, "Borin", "easy"),
        PutBot(2, "Dagna", "easy"),
        Start(),
    )
    for one in wanted:
        sitter.say(*sitter.state.request(one))
    await until(lambda: served.state(table).lobby.stage is TablePhase.PLAYING)
    return table, sitter


async def test_a_clubs_tables_take_turns_and_the_hall_comes_when_nobody_plays(
    tmp_path: Path,
) -> None:
    async with serve_folder(tmp_path) as served, open_stage(tmp_path, at_club(served)) as stage:
        await stage.app.sees("On this network: sabtui join")
        ana, ben = await served.come("Ana", "Ben")
        await stage.app.sees("Ben")
        first, host = await play(served, ana, "Gold Rush")
        await stage.comes_to_table("Gold Rush")
        second, _host = await play(served, ben, "Deep Mine")
        await stage.app.until(lambda: len(stage.director._list_games()) == 2)
        people = [served.state(table).lobby.people for table in (first, second)]
        assert [
            [person.name for person in of_table if not person.projector] for of_table in people
        ] == [["Ana"], ["Ben"]]
        await stage.pass_time(TABLE_S - 1)
        await stage.comes_to_table("Gold Rush")
        await stage.pass_time(1)
        await stage.comes_to_table("Deep Mine")
        await stage.pass_time(TABLE_S)
        await stage.comes_to_table("Gold Rush")
        assert [served.state(table).lobby.people for table in (first, second)] == people
        host.say(*host.state.request(Close()))
        await stage.comes_to_table("Deep Mine")
        await stage.pass_time(TABLE_S)
        await stage.comes_to_table("Deep Mine")
        kept = [stored.credentials for stored in stage_store().list_stored()]
        assert kept
        assert all(stored.watch for stored in kept)


async def test_once_the_code_is_renewed_a_stage_shows_none_and_is_told_no_other(
    tmp_path: Path,
) -> None:
    async with serve_folder(tmp_path) as served, open_stage(tmp_path, at_club(served)) as stage:
        await stage.app.until(lambda: stage.director.hall is not None)
        assert stage.director.invitation.code == str(CODE)
        ana = await served.member("Ana").enter()
        await organise(served, ana)
        ana.session.request(RenewCode())
        await stage.app.until(lambda: not stage.director.invitation.code)
        assert ana.hall.code not in repr(stage.director.status)


async def test_keys_turn_to_the_next_table_and_the_hall_and_back(tmp_path: Path) -> None:
    async with serve_folder(tmp_path) as served, open_stage(tmp_path, at_club(served)) as stage:
        (ana,) = await served.come("Ana")
        await play(served, ana, "Gold Rush")
        await stage.comes_to_table("Gold Rush")
        await stage.app.press("n")
        await stage.comes_to_hall()
        await stage.app.sees("Gold Rush")
        await stage.pass_time(TABLE_S - 1)
        await stage.comes_to_hall()
        await stage.app.press("p")
        await stage.comes_to_table("Gold Rush")
        await stage.app.press("p")
        await stage.comes_to_hall()
        await stage.pass_time(TABLE_S)
        await stage.comes_to_table("Gold Rush")


async def test_a_table_whose_people_have_gone_is_not_kept_alive(tmp_path: Path) -> None:
    async with serve_folder(tmp_path) as served, open_stage(tmp_path, at_club(served)) as stage:
        (ana,) = await served.come("Ana")
        table, host = await play(served, ana, "Gold Rush")
        await stage.comes_to_table("Gold Rush")
        await host.leave()
        sessions = served.server.tables[table].table.room.sessions
        sessions.buffers[host.state.status.member].last_message_at -= GONE_AFTER_S
        await stage.comes_to_hall()
        assert not stage.director._tables


@pytest.mark.level("thorough")  # the pictures of the stage have a result
async def test_a_result_is_seen_for_a_while_and_then_the_hall(tmp_path: Path) -> None:
    async with serve_folder(tmp_path) as served, open_stage(tmp_path, at_club(served)) as stage:
        (ana,) = await served.come("Ana")
        _table, host = await play(served, ana, "Gold Rush")
        await stage.comes_to_table("Gold Rush")
        host.plays = True
        await stage.app.sees("game over")
        await stage.pass_time(RESULT_S - 1)
        await stage.comes_to_table("game over")
        await stage.pass_time(1)
        await stage.comes_to_hall()
        await stage.app.sees("finished")
