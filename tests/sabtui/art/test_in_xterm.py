"""Three cards as a real xterm shows them by sixel, compared with what was baked, point by point."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from sabtui.art.catalogue import Drawing
from sabtui.art.colours import Colour, list_shades
from sabtui.art.sixel import draw_sixel
from sabtui.art.store import read_sprite

TOOLS: Final = ("Xvfb", "xterm", "import")
MISSING: Final = [tool for tool in TOOLS if shutil.which(tool) is None]

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(bool(MISSING), reason=f"{', '.join(MISSING)} missing here"),
]

CARDS: Final = ("lit-path-7-0", "cold-dead-15-0", "goal-treasure")
SIZE: Final = (72, 64)
CELL: Final = (6, 13)
"""Pixels of a cell in the font `6x13`, which every X server has."""

COLUMNS: Final = (1, 15, 29)
"""Columns of the cards, from 1."""

NEAR: Final = 3
"""Most by which a colour may differ: sixel tells its parts in percent."""

PATIENCE_S: Final = 60

XTERM: Final = (
    *("xterm", "-ti", "vt340", "-fn", "6x13", "-geometry", "60x12+0+0", "-b", "0", "+sb"),
    *("-bw", "0", "-bg", "black", "-fg", "white", "-xrm", "*numColorRegisters: 256"),
)


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
    command = ("Xvfb", "-displayfd", str(writes), "-screen", "0", "400x200x24", "-nolisten", "tcp")
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


def find_wrong(screen: list[list[Colour]], name: str, column: int) -> int:
    """Count the points of a card that have another colour than was baked."""
    left, shades = (column - 1) * CELL[0], list_shades()
    return sum(
        any(
            abs(a - b) > NEAR
            for a, b in zip(screen[y][left + x], shades[number].colour, strict=True)
        )
        for y, row in enumerate(read_sprite(Drawing(name), SIZE).rows)
        for x, number in enumerate(row)
    )


def test_cards_in_xterm_are_those_that_were_baked(tmp_path: Path) -> None:
    shown = tmp_path / "cards"
    cards = zip(CARDS, COLUMNS, strict=True)
    sixels = (f"\x1b[1;{column}H{draw_sixel(Drawing(name), SIZE)}" for name, column in cards)
    shown.write_text("\x1b[?25l\x1b[2J" + "".join(sixels))
    child = 'cat "$1"; sleep "$2"'
    command = (*XTERM, "-e", "sh", "-c", child, "sh", str(shown), str(PATIENCE_S))
    wrong = [-1]
    with x_server() as environ, running(*command, environ=environ):
        late = time.monotonic() + PATIENCE_S
        while any(wrong) and time.monotonic() < late:
            screen = read_screen(environ)
            wrong = [
                find_wrong(screen, name, column)
                for name, column in zip(CARDS, COLUMNS, strict=True)
            ]
    assert wrong == [0, 0, 0]
