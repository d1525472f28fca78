"""The screens before a table on the smallest terminal, as text in files to be read in a diff.

`python -m tests.sabtui.screen.front_pictures` draws all of them anew. Those of 80x24 are kept with
each language (`tour`), the table's beside these (`pictures`).
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from net.discovery.address import Address
from net.discovery.advert import OURS, Advert, Stage
from net.discovery.game import Game, Status, titled
from net.messages import Say, SetReady
from sabtui.screen import records
from sabtui.screen.doors import Comeback
from sabtui.screen.glyphs import ASCII, BOX, Glyphs
from sabtui.screen.join import Join
from sabtui.screen.lobby import Lobby
from tests.sabtui.screen.anew import command
from tests.sabtui.screen.front import Front, Porter, opened
from tests.sabtui.screen.inn import Inn
from tests.sabtui.screen.pictures import FOLDER

SMALLEST = (60, 18)
RECORD = FOLDER.parent / "records" / "whole.sab"

GAMES = (
    Game(
        "Gold Rush",
        Advert("1" * 16, "Gold Rush", OURS, Stage.LOBBY, 2, 5),
        Status.JOINABLE,
        (Address("192.168.1.20", 7341),),
    ),
    Game(
        "The Old Mine of Norri",
        Advert("2" * 16, "The Old Mine of Norri", OURS, Stage.PLAYING, 10, 10),
        Status.UNREACHABLE,
        (Address("192.168.1.21", 7341),),
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


async def _welcome(_front: Front) -> None:
    """Where one is."""


def _by(*keys: str) -> Callable[[Front], Awaitable[None]]:
    async def go(front: Front) -> None:
        for key in keys:
            await front.press(key)

    return go


async def _join(front: Front) -> None:
    await front.press("j")
    await front.is_on(Join)
    join = front.screen
    assert isinstance(join, Join)
    join.workers.cancel_all()
    join.list_games(titled(GAMES))
    await front.press("down")


async def _host(front: Front) -> None:
    await front.press("h", "enter")
    await front.is_on(Lobby)
    bruno = front.porter.inn.guest("Bruno")
    front.porter.inn.guest("Chiara", watch=True)
    bruno.want(SetReady(ready=True))
    bruno.want(Say("I am ready, are you?"))
    await front.press("end", "up", "b")
    await front.sees("bot,")
    await front.sees("All are ready")


async def _guest(front: Front) -> None:
    front.porter.inn.seat("Hanna", lambda _update: None, is_host=True).come()
    await front.press("j", "a", *"box", "enter", "enter")
    await front.is_on(Lobby)
    await front.sees("Press r")


def front_pictures() -> list[FrontPicture]:
    """All that are kept."""
    screens: list[tuple[str, Callable[[Front], Awaitable[None]]]] = [
        ("welcome", _welcome),
        ("help", _by("question_mark")),
        ("palette", _by("ctrl+p", *"re")),
        ("join", _join),
        ("enter", _by("j", "a", *"box.local", "enter")),
        ("host", _by("h", "down", "down")),
        ("resume", _by("r")),
        ("records", _by("c")),
        ("record", _by("c", "enter")),
        ("rules", _by("u", "right", "right")),
        ("settings", _by("s", "down")),
        ("lobby_host", _host),
        ("lobby_guest", _guest),
    ]
    boxed = [FrontPicture(name, go, BOX) for name, go in screens if name in {"welcome", "rules"}]
    return [*(FrontPicture(name, go) for name, go in screens), *boxed]


async def drawn(picture: FrontPicture) -> str:
    """Draw a picture."""
    porter = Porter(Inn())
    porter.tables = (
        Comeback("1", "Gold Rush", time.time() - 7300, is_host=True),
        Comeback("2", "Club night", time.time() - 200_000, is_host=False),
    )
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        folder = Path(name)
        shutil.copy(RECORD, folder / "2026-11-21-Gold-Rush.sab")
        patch.setattr(records, "folder", lambda: folder)
        ascii_only = picture.glyphs is ASCII
        async with opened(folder, SMALLEST, porter, ascii_only=ascii_only) as front:
            await picture.go(front)
            await front.pilot.pause()
            return "".join(f"{line}\n" for line in front.lines)


async def drawn_all() -> dict[str, str]:
    """All that are kept, as files."""
    return {picture.file.name: await drawn(picture) for picture in front_pictures()}


if __name__ == "__main__":
    command(drawn_all, FOLDER, "front_*.txt")
