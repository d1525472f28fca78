"""The screens before a table on the smallest terminal, as text in files to be read in a diff.

`python -m tests.sabtui.tui.front_pictures` redraws all of them. Those of 80x24 are kept with
each language (`tour`), the table's beside these (`pictures`).
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest

from net.discovery.advert import AdvertStage
from net.discovery.games import GameStatus
from net.protocol.requests import Chat, SetReady
from net.secure.address import Address
from sabtui.after import records_screen
from sabtui.after.records_screen import RecordsScreen
from sabtui.after.replay_screen import ReplayScreen
from sabtui.app.requests import Invitation, ResumableTable
from sabtui.art import Art
from sabtui.tui.lobby.screen import LobbyScreen
from sabtui.tui.screens.host import PractiseScreen
from sabtui.tui.table.screen import TableScreen
from sabtui.tui.theme import ASCII, BOX, Glyphs
from tests.sabtui.tui.app_fixture import Front, PreparedTables, found_game, open_app
from tests.sabtui.tui.pictures import FOLDER, SETS, SIZES, command, file_name, resize_to
from tests.sabtui.tui.table_server import RoomInProcess
from tests.sabtui.tui.tour import keep_record

SMALLEST = (60, 18)
PLAYED = time.mktime((2026, 11, 21, 20, 15, 0, 0, 0, -1))

GAMES = (
    found_game(0),
    found_game(
        1,
        "The Old Mine of Norri",
        GameStatus.UNREACHABLE,
        AdvertStage.PLAYING,
        (10, 10),
        Address("192.168.1.21", 7341),
    ),
)


@dataclass(frozen=True, slots=True)
class FrontPicture:
    """A screen, how one gets there, and what it is drawn with."""

    name: str
    go: Callable[[Front], Awaitable[None]]
    glyphs: Glyphs = ASCII

    @property
    def file(self) -> Path:
        """Where it is kept."""
        columns, rows = SMALLEST
        return FOLDER / f"front_{self.name}_{columns}x{rows}_{self.glyphs.name}.txt"


def _by(*keys: str) -> Callable[[Front], Awaitable[None]]:
    async def go(front: Front) -> None:
        for key in keys:
            await front.press(key)

    return go


async def _join(front: Front) -> None:
    await front.list_games(*GAMES)
    await front.press("down")


async def _lesson(front: Front) -> None:
    await front.go(TableScreen, "l")
    await front.until(lambda: "Press 1" in front.said)
    await front.press("1")


async def _records(front: Front) -> None:
    screen = await front.go(RecordsScreen, "c")
    await front.until(lambda: bool(screen.every))


async def _replay(front: Front) -> None:
    await _records(front)
    await front.go(ReplayScreen, "enter")
    await front.press("pagedown", *["down"] * 9)


async def _guest(front: Front) -> None:
    front.service.inn.seat("Hanna", lambda _update: None, is_host=True).come()
    await front.go(LobbyScreen, "j", "a", *"box", "enter", "enter")
    await front.sees("Waiting for")


def front_pictures() -> list[FrontPicture]:
    """All that are kept."""
    screens: list[tuple[str, Callable[[Front], Awaitable[None]]]] = [
        ("help", _by("question_mark")),
        ("palette", _by("ctrl+p", *"re")),
        ("join", _join),
        ("enter", _by("j", "a", *"box.local", "enter")),
        ("host", _by("h", "down", "down")),
        ("resume", _by("r")),
        ("records", _records),
        ("replay", _replay),
        ("lesson", _lesson),
        ("rules", _by("u", "right", "right")),
        ("settings", _by("s", "down")),
        ("lobby_guest", _guest),
    ]
    boxed = [FrontPicture(name, go, BOX) for name, go in screens if name in {"lesson", "rules"}]
    return [*(FrontPicture(name, go) for name, go in screens), *boxed]


async def draw_picture(picture: FrontPicture) -> str:
    """Draw a picture."""
    service = PreparedTables(RoomInProcess())
    service.tables = (
        ResumableTable("1", "Gold Rush", time.time() - 7300, is_host=True),
        ResumableTable("2", "Club night", time.time() - 200_000, is_host=False),
    )
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        folder = Path(name)
        keep_record(folder / "2026-11-21-Gold-Rush.sab", PLAYED)
        patch.setattr(records_screen, "records_folder", lambda: folder)
        art = Art.ASCII if picture.glyphs is ASCII else None
        async with open_app(folder, SMALLEST, service, art=art) as front:
            await picture.go(front)
            await front.pilot.pause()
            return "".join(f"{line}\n" for line in front.lines)


async def _welcome(front: Front) -> None:
    await front.sees("quit Sabtui")


async def _practise(front: Front) -> None:
    await front.go(PractiseScreen, "p")
    await front.sees("At most 2 of you are saboteurs.")


async def _lobby(front: Front) -> None:
    await front.go(LobbyScreen, "h", "enter")
    await front.sees("you, host")
    bruno = front.service.inn.guest("Bruno")
    await front.sees("2 Bruno")
    bruno.request(SetReady(ready=True))
    bruno.request(Chat("I am ready, are you?"))
    await front.sees("am ready, are")
    await front.press("end", "b")
    await front.sees("medium bot")


FRONTS: Final[Mapping[str, Callable[[Front], Awaitable[None]]]] = {
    "welcome": _welcome,
    "practise": _practise,
    "lobby": _lobby,
}
"""Screens before a table, and the way there."""


def prepare_tables() -> PreparedTables:
    """Tables whose host can tell others where they are."""
    service = PreparedTables()
    service.facts = Invitation("Gold Rush", "amber-tulip", ("192.168.1.20:7341",))
    return service


async def before_table(scene: str, glyphs: Glyphs) -> dict[str, str]:
    """Return a screen before a table at each size, by file."""
    texts = dict[str, str]()
    with TemporaryDirectory() as folder:
        async with open_app(
            Path(folder), SIZES[0], prepare_tables(), art=Art.ASCII if glyphs is ASCII else None
        ) as front:
            await FRONTS[scene](front)
            for size in SIZES:
                texts[file_name("front", scene, size, glyphs)] = await resize_to(front.pilot, size)
    return texts


async def draw_all() -> dict[str, str]:
    """All that are kept, those at every size too, as files."""
    texts = {picture.file.name: await draw_picture(picture) for picture in front_pictures()}
    for scene, glyphs in product(FRONTS, SETS):
        texts |= await before_table(scene, glyphs)
    return texts


if __name__ == "__main__":
    command(draw_all, FOLDER, "front_*.txt")
