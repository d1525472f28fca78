"""The stage as text in files, to be read in a diff: a table, and the hall.

`python -m tests.sabtui.club.stage.stage_pictures` redraws all of them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace
from textual.app import App
from textual.pilot import Pilot

from engine.board import NO_PEEKS
from net.client.session import ConnectionState, OnUpdate, Status
from net.client.trail import GameState
from net.discovery.advert import DoorPorts
from net.protocol.board import HallBoard, HallTable
from net.protocol.chat import ChatLine
from net.protocol.lobby import Lobby, Person, Presence
from sabtui.app.requests import TableHandle
from sabtui.club.stage import Director, StageHallScreen, StageOrder, StagePlace, StageTableScreen
from sabtui.tui.theme import ASCII, BOX, Glyphs
from tests.sabtui.club.stage.stage_fixture import PLACE, SECONDS
from tests.sabtui.tui import scenes
from tests.sabtui.tui.pictures import FOLDER, text_of
from tests.sabtui.tui.redraw import command
from tests.sabtui.tui.run_app import IdleSession, TableApp

SIZES = ((80, 24), (120, 40), (200, 60))
WATCHER = 9
"""Zoe, who watches."""

HALL = replace(
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
    return dataclasses.replace(
        status, member=WATCHER, game_state=dataclasses.replace(held, view=seen)
    )


def in_play() -> Status:
    """A moment in a round."""
    return watching()


class StillClub(StagePlace):
    """A club in which nothing happens."""

    @property
    def handle(self) -> TableHandle:
        """Its hall."""
        return handle_of(in_hall())


def order() -> StageOrder:
    """The order to a stage that looks for nothing."""

    async def find() -> StagePlace:
        raise NotImplementedError

    return StageOrder(find, StillClub(PLACE, DoorPorts(7422, 7361)), SECONDS)


def handle_of(status: Status) -> TableHandle:
    """The handle of a session that is at a moment."""

    def make(_on_update: OnUpdate) -> StillSession:
        return StillSession(status)

    return TableHandle(make)


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


@dataclass(frozen=True, slots=True)
class StagePicture:
    """A scene of a stage, and the terminal it is seen on."""

    name: str
    size: tuple[int, int]
    glyphs: Glyphs = BOX

    @property
    def file(self) -> Path:
        """Where it is kept."""
        columns, rows = self.size
        return FOLDER / f"stage_{self.name}_{columns}x{rows}_{self.glyphs.name}.txt"


async def draw_picture(picture: StagePicture) -> str:
    """Draw a picture."""
    if picture.name == "hall":
        app = TableApp(picture.glyphs)
        async with app.run_test(size=picture.size) as pilot:
            await app.push_screen(StageHallScreen(order()))
            await pilot.pause()
            return text_of(app)
    status = in_play() if picture.name == "table" else watching(scenes.finished_status())
    async with show_table(status, picture.size, picture.glyphs) as (shown, _pilot, _screen):
        return text_of(shown)


def pictures() -> list[StagePicture]:
    """All that are kept."""
    return [
        *(StagePicture("table", size) for size in SIZES),
        StagePicture("table", (120, 40), ASCII),
        StagePicture("table", (240, 67)),
        StagePicture("over", (120, 40)),
        *(StagePicture("hall", size) for size in SIZES),
        StagePicture("hall", (120, 40), ASCII),
    ]


async def draw_all() -> dict[str, str]:
    """All that are kept, as files."""
    return {picture.file.name: await draw_picture(picture) for picture in pictures()}


if __name__ == "__main__":
    command(draw_all, FOLDER, "stage_*.txt")
