"""A stage before a test: in the real app, at a table in this process or in a real club."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from net.client.credentials import Credentials
from net.client.session import OnUpdate
from net.protocol.requests import PutBot, Start
from net.secure.address import Address
from net.secure.code import RoomCode
from sabtui.app.errors import UserError
from sabtui.app.requests import TableHandle
from sabtui.club.stage import Director, StageHallScreen, StageOrder, StagePlace, StageTableScreen
from tests.sabtui.tui.app_fixture import Front, open_app
from tests.sabtui.tui.table_server import InnSeat, RoomInProcess

SECONDS = 60.0
CODE = RoomCode("amber", "tiger")
PLACE = Credentials(
    "Stage",
    (Address("192.168.1.20", 7341),),
    title="Gold Rush",
    code=CODE,
    watch=True,
)


@dataclass(frozen=True, slots=True)
class PlaceAtInn(StagePlace):
    """A table in this process; `seats` are those that the stage has had there.

    The last of the `codes` is the one that lets people in.
    """

    inn: RoomInProcess = field(default_factory=RoomInProcess)
    seats: list[InnSeat] = field(default_factory=list)
    codes: list[RoomCode] = field(default_factory=lambda: [CODE])

    @property
    def handle(self) -> TableHandle:

        def make(on_update: OnUpdate) -> InnSeat:
            name = f"Stage {len(self.seats)}"
            self.seats.append(self.inn.seat(name, on_update, is_stage=True))
            return self.seats[-1]

        return TableHandle(make)

    async def lets_in(self, code: RoomCode) -> bool:
        """Whether a code is the one that the test has put there."""
        return code == self.codes[-1]


class OpenStage:
    """A stage, with a clock that the test turns, and what is found when it looks again."""

    def __init__(self, place: StagePlace) -> None:
        self.now = 0.0
        self.searches = 0
        self.found: StagePlace | None = None
        self.order = StageOrder(self.find, place, SECONDS)
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


def begin_game(host: InnSeat, bots: int = 2) -> None:
    """Begin a game with bots that do not play: nobody moves by itself in a test's room."""
    for seat in range(1, bots + 1):
        host.request(PutBot(seat, f"Bot {seat}", "easy"))
    host.request(Start())
