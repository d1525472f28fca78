"""The hall and the stage as text in files, to be read in a diff.

`python -m tests.sabtui.club.pictures` redraws all of them.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from msgspec import structs
from textual.app import App
from textual.pilot import Pilot

from engine.board import NO_PEEKS
from net.client.credentials import Credentials
from net.client.session import ConnectionState, Status
from net.client.trail import GameState
from net.protocol.board import HallBoard, HallTable, Night, NightRound, NightTable
from net.protocol.chat import ChatLine
from net.protocol.doors import DoorKind, DoorNow
from net.protocol.fields import NOBODY
from net.protocol.lobby import Lobby, Person, Presence
from net.secure.address import Address
from net.secure.code import RoomCode
from sabtui.app.requests import TableHandle
from sabtui.club.screens import HallScreen
from sabtui.club.stage import Director, StageHallScreen, StageOrder, StagePlace, StageTableScreen
from sabtui.tui.theme import ASCII, BOX, Glyphs
from tests.sabtui.tui import scenes
from tests.sabtui.tui.pictures import FOLDER, command, text_of
from tests.sabtui.tui.run_app import IdleSession, TableApp

SIZES = ((80, 24), (120, 40), (200, 60))
WATCHER = 9
"""Zoe, who watches."""
COMPUTER = Address("192.168.1.20", 7341)
AMBER = RoomCode("amber", "tiger")
DOORS = DoorNow(DoorKind.SSH, 7422), DoorNow(DoorKind.WEB, 7361)
PLACE = Credentials("Stage", (COMPUTER,), title="Gold Rush", code=AMBER, watch=True)

HALL = structs.replace(
    Lobby.without_chairs("The Nugget"),
    people=(Person(2, "Gil", Presence.THERE),),
    hall=HallBoard(
        tables=(
            HallTable(
                "1" * 16,
                "Gold Rush",
                "playing",
                "international",
                5,
                5,
                ("Ana", "Bruno", "Chiara", "Dede"),
            ),
            HallTable("2" * 16, "Deep Mine", "lobby", "italia", 2, 6, ("Eva", "Fabio")),
        )
    ),
)


def in_hall(hall: Lobby = HALL, talk: tuple[ChatLine, ...] = (), member: int = 2) -> Status:
    """What a member sees of a hall, by default Gil."""
    state = GameState(incarnation=1, step=1, lobby=hall, view=None, talk=talk)
    return Status(ConnectionState.CONNECTED, member=member, game_state=state)


class StillSession(IdleSession):
    """A session at which nothing happens."""

    async def run(self) -> None:
        """Do nothing."""


def watching(status: Status | None = None) -> Status:
    """The same moment for Zoe, who has no seat."""
    status = scenes.now() if status is None else status
    held, view = status.game_state, status.view
    assert held is not None
    assert view is not None
    seen = view._replace(seat=None, hand=(), role=None, gold=(), peeks=NO_PEEKS)
    return replace(status, member=WATCHER, game_state=replace(held, view=seen))


class StillClub(StagePlace):
    """A club in which nothing happens."""

    @property
    def handle(self) -> TableHandle:
        return TableHandle(lambda _on_update: StillSession(replace(in_hall(), doors=DOORS)))


def order() -> StageOrder:
    """The order to a stage that looks for nothing."""

    async def find() -> StagePlace:
        raise NotImplementedError

    return StageOrder(find, StillClub(PLACE))


@asynccontextmanager
async def show_table(
    status: Status, size: tuple[int, int] = (120, 40), glyphs: Glyphs = BOX
) -> AsyncIterator[tuple[App[None], Pilot[None], StageTableScreen]]:
    """A table on the stage, and nothing else."""
    app = TableApp(glyphs)
    async with app.run_test(size=size) as pilot:
        screen = StageTableScreen(IdleSession(status), status, Director(order()))
        await app.push_screen(screen)
        await pilot.pause()
        yield app, pilot, screen


NIGHT = Night(
    3,
    "Table",
    "international",
    3,
    ("Ana", "Bruno", "Chiara", "Gil"),
    (NightRound(bytes(32), (NightTable("1" * 16, (3, 0, 1, 2)),)),),
)
GIL = 2
TALK = (ChatLine("Eva", NOBODY, "one seat is free here"),)
GUEST = in_hall(HALL, TALK, GIL)
LED = structs.replace(HALL, hall=structs.replace(HALL.board, organisers=(GIL,), night=NIGHT))
ORGANISER = replace(
    in_hall(LED, (*TALK, ChatLine("Gil", NOBODY, "the bar is open")), GIL), code="amber-tiger"
)

PLAYED = structs.replace(
    NIGHT,
    planned=1,
    rounds=(
        NightRound(
            bytes(32), (NightTable("1" * 16, (3, 0, 1, 2), is_over=True, gold=(4, 6, 3, 1)),)
        ),
    ),
)
OVER = in_hall(structs.replace(LED, hall=structs.replace(LED.board, night=PLAYED)), TALK, GIL)


class HallApp(TableApp):
    """An app whose boxes are drawn with its signs, as those of ours are."""

    def on_mount(self) -> None:
        """Draw boxes in ASCII where all else is."""
        self.set_class(self.glyphs is ASCII, "-ascii")


@dataclass(frozen=True, slots=True)
class ClubPicture:
    """A scene of a hall or a stage, and the terminal it is seen on."""

    name: str
    size: tuple[int, int]
    glyphs: Glyphs = BOX

    @property
    def file(self) -> Path:
        columns, rows = self.size
        return FOLDER / f"{self.name}_{columns}x{rows}_{self.glyphs.name}.txt"


HALLS = {"hall_over": OVER, "hall_organiser": ORGANISER, "hall_guest": GUEST}


async def draw_picture(picture: ClubPicture) -> str:
    if picture.name.startswith("stage_") and picture.name != "stage_hall":
        status = watching() if picture.name == "stage_table" else watching(scenes.finished_status())
        async with show_table(status, picture.size, picture.glyphs) as (shown, _pilot, _screen):
            return text_of(shown)
    hall = HALLS.get(picture.name)
    app = TableApp(picture.glyphs) if hall is None else HallApp(picture.glyphs)
    async with app.run_test(size=picture.size) as pilot:
        screen = StageHallScreen(order()) if hall is None else HallScreen(IdleSession(hall), hall)
        await app.push_screen(screen)
        await pilot.pause()
        return text_of(app)


def pictures() -> list[ClubPicture]:
    return [
        *(ClubPicture("stage_table", size) for size in (*SIZES, (240, 67))),
        ClubPicture("stage_table", (120, 40), ASCII),
        ClubPicture("stage_over", (120, 40)),
        *(ClubPicture("stage_hall", size) for size in SIZES),
        ClubPicture("stage_hall", (120, 40), ASCII),
        ClubPicture("hall_over", (200, 60)),
        *(ClubPicture("hall_organiser", size) for size in SIZES[:2]),
        *(ClubPicture("hall_guest", size) for size in SIZES[:2]),
        ClubPicture("hall_guest", (60, 18), ASCII),
    ]


async def draw_all() -> dict[str, str]:
    return {picture.file.name: await draw_picture(picture) for picture in pictures()}


if __name__ == "__main__":
    command(draw_all, FOLDER, "stage_*.txt", "hall_*.txt")
