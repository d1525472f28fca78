"""The hall of a club as text in files, to be read in a diff: a guest's, and an organiser's.

`python -m tests.sabtui.club.hall_pictures` redraws all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from msgspec import structs

from net.protocol.board import Night, NightRound, NightTable
from net.protocol.chat import ChatLine
from net.protocol.fields import NOBODY
from sabtui.club.screens import HallScreen
from sabtui.tui.theme import ASCII, BOX, Glyphs
from tests.sabtui.club.stage.stage_pictures import HALL, in_hall
from tests.sabtui.tui.pictures import FOLDER, command, text_of
from tests.sabtui.tui.run_app import IdleSession, TableApp

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
class HallPicture:
    """A hall, and the terminal it is seen on."""

    name: str
    size: tuple[int, int]
    glyphs: Glyphs = BOX

    @property
    def file(self) -> Path:
        """Where it is kept."""
        columns, rows = self.size
        return FOLDER / f"hall_{self.name}_{columns}x{rows}_{self.glyphs.name}.txt"


async def draw_picture(picture: HallPicture) -> str:
    """Draw a picture."""
    status = {"over": OVER, "organiser": ORGANISER, "guest": GUEST}[picture.name]
    app = HallApp(picture.glyphs)
    async with app.run_test(size=picture.size) as pilot:
        await app.push_screen(HallScreen(IdleSession(status), status))
        await pilot.pause()
        return text_of(app)


def pictures() -> list[HallPicture]:
    """All that are kept."""
    sizes = ((80, 24), (120, 40))
    return [
        HallPicture("over", (200, 60)),
        *(HallPicture("organiser", size) for size in sizes),
        *(HallPicture("guest", size) for size in sizes),
        HallPicture("guest", (60, 18), ASCII),
    ]


async def draw_all() -> dict[str, str]:
    """All that are kept, as files."""
    return {picture.file.name: await draw_picture(picture) for picture in pictures()}


if __name__ == "__main__":
    command(draw_all, FOLDER, "hall_*.txt")
