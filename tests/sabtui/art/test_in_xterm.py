"""Three cards of a game as a real xterm shows them by sixel, compared with what was baked."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path as Folder
from typing import Final

import pytest

from engine.cards import Path
from sabtui.art.catalogue import Drawing, find_ground
from sabtui.art.colours import Colour, list_shades
from sabtui.art.sixel import find_cheap_sprite

TOOLS: Final = ("Xvfb", "xterm", "import")
MISSING: Final = [tool for tool in TOOLS if shutil.which(tool) is None]

pytestmark = [
    pytest.mark.level("thorough"),
    pytest.mark.skipif(bool(MISSING), reason=f"{', '.join(MISSING)} missing here"),
]

CARDS: Final = tuple(find_ground(Path.read(path), is_lit=True) for path in ("EW", "NE", "NEW"))
"""The first three cards of the lesson's hand, which is the same each time."""
CELLS: Final = (7, 3)
"""Columns and rows of a card in the hand at 80x24."""
CELL: Final = (6, 13)
"""Pixels of a cell in the font `6x13`, which every X server has."""

NEAR: Final = 3
"""Most by which a colour may differ: sixel tells its parts in percent."""

PATIENCE_S: Final = 60

XTERM: Final = (
    *("xterm", "-ti", "vt340", "-fn", "6x13", "-geometry", "80x24+0+0", "-b", "0", "+sb"),
    *("-bw", "0", "-bg", "black", "-fg", "white", "-tn", "xterm-256color", "-e"),
)
GAME: Final = (sys.executable, "-m", "sabtui", "learn", "--name", "Ana", "--art", "pictures")


@contextmanager
def running(*command: str, environ: dict[str, str]) -> Iterator[None]:
    """Run a program, and end it."""
    with subprocess.Popen(command, env=environ, stderr=subprocess.DEVNULL) as process:  # noqa: S603 - found above
        try:
            yield
        finally:
            process.kill()


@contextmanager
def x_server() -> Iterator[dict[str, str]]:
    """An X server with a screen that nobody sees; the environment of programs on it."""
    reads, writes = os.pipe()
    command = ("Xvfb", "-displayfd", str(writes), "-screen", "0", "480x312x24", "-nolisten", "tcp")
    with subprocess.Popen(  # noqa: S603 - a program of this name
        command, pass_fds=[writes], stderr=subprocess.DEVNULL
    ) as server:
        os.close(writes)
        try:
            with os.fdopen(reads) as told:
                yield {**os.environ, "DISPLAY": f":{told.readline().strip()}", "LC_ALL": "C.UTF-8"}
        finally:
            server.terminate()


def read_screen(environ: dict[str, str]) -> list[list[Colour]]:
    """The points of the X server's screen."""
    taken = subprocess.run(
        ("import", "-window", "root", "-depth", "8", "ppm:-"),  # noqa: S607 - wherever it is
        env=environ,
        capture_output=True,
        check=True,
    ).stdout
    kind, size, most, points = taken.split(b"\n", 3)
    assert (kind, most) == (b"P6", b"255")
    width = int(size.split()[0])
    lines = (points[at : at + 3 * width] for at in range(0, len(points), 3 * width))
    return [[Colour(*line[at : at + 3]) for at in range(0, len(line), 3)] for line in lines]


def is_shown(screen: list[list[Colour]], drawing: Drawing, column: int, row: int) -> bool:
    """True if all points of a card that begins in a cell have the colours that were baked."""
    (width, height), (columns, rows) = CELL, CELLS
    sprite = find_cheap_sprite(drawing, (columns * width, rows * height))
    lines = screen[row * height : (row + rows) * height]
    shades = list_shades()
    return all(
        abs(a - b) <= NEAR
        for line, numbers in zip(lines, sprite.rows, strict=True)
        for colour, number in zip(line[column * width :], numbers, strict=False)
        for a, b in zip(colour, shades[number].colour, strict=True)
    )


def find_card(screen: list[list[Colour]], drawing: Drawing) -> list[tuple[int, int]]:
    """The columns and rows from which on a card is shown point by point."""
    return [
        (column, row)
        for column in range(80 - CELLS[0] + 1)
        for row in range(24 - CELLS[1] + 1)
        if is_shown(screen, drawing, column, row)
    ]


def test_cards_of_the_game_in_xterm_are_those_that_were_baked(tmp_path: Folder) -> None:
    folders = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"))
    homes = {name: str(tmp_path) for name in folders}
    seen: list[list[tuple[int, int]]] = []
    with x_server() as environ, running(*XTERM, *GAME, environ=environ | homes):
        late = time.monotonic() + PATIENCE_S
        while [len(places) for places in seen] != [1, 1, 1] and time.monotonic() < late:
            screen = read_screen(environ)
            seen = [find_card(screen, drawing) for drawing in CARDS]
    assert [len(places) for places in seen] == [1, 1, 1]
    (first, second, third) = (places[0] for places in seen)
    assert first[1] == second[1] == third[1]
    assert first[0] < second[0] < third[0]
