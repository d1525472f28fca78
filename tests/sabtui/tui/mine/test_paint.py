"""Painted tiles: their blocks as text, and their colours as letters below."""

from __future__ import annotations

import itertools

import pytest

from engine.board import CardState
from engine.cards import PATHS, Path
from sabtui.tui.mine.cards import paint_tile
from sabtui.tui.mine.tiles import (
    CellMark,
    EmptyCell,
    FaceDown,
    Ghost,
    LaidCard,
    Sign,
    Tile,
    TileSize,
)
from sabtui.tui.theme import PAINTED
from sabtui.tui.widgets.panel import Ground, Look, Row, plain

LETTERS = {
    None: " ",
    Ground.ROCK: "r",
    Ground.ODD_ROCK: "R",
    Ground.BURIED_ROCK: "b",
    Ground.NEW_ROCK: "n",
    Ground.LIT_ROCK: "l",
    Ground.LIT: "L",
    Ground.CURSOR_ROCK: "c",
    Ground.CURSOR: "C",
    Ground.SMALL_CURSOR: "C",
    Ground.SAND: "s",
    Ground.GOLD: "g",
    Ground.STONE: "o",
    Ground.BACK: "k",
}
THROUGH = LaidCard(Path.read("NESW"))
SHEET = [
    Tile(LaidCard(Path.read("ESW"))),
    Tile(LaidCard(Path.read("nes"), CardState.DEAD), odd=True),
    Tile(LaidCard(Path.read("NES"), CardState.CUT_OFF)),
    Tile(LaidCard(Path.read("new"), CardState.CUT_OFF)),
    Tile(LaidCard(Path.read("NESW"), sign=Sign.START)),
    Tile(LaidCard(Path.read("NESW"), sign=Sign.TREASURE)),
    Tile(LaidCard(Path.read("NW"), sign=Sign.STONE)),
    Tile(FaceDown(Sign.UNKNOWN)),
    Tile(Ghost(Path.read("ES"), fits=True), CellMark.FITS, cursor=True),
    Tile(EmptyCell(), CellMark.FITS),
]

SHEETS = {
    TileSize.SMALL: """\
━┳━  X┝  ├─ ┤┸├ ━S━
rrr RRR bbb bbb rsr
━$━ ━o  [?]  ┏━  +
rgr ror kkk CCC LLL
""",
    TileSize.COMPACT: """\
▄▄▄▄  ▀x▄  ▐▙▄ ▄▝x▄ ▄S ▄
▀██▀  ▄▄▀  ▐▌       ▀  ▀
rrrr RRRR bbbb bbbb rssr
rrrr RRRR bbbb bbbb rssr
▄$ ▄ ▄o   ┌─?┐ ┌▄▄┐ [+]
▀  ▀ ▀    └──┘ └██┘
rggr roor kkkk CCCC LLLL
rggr roor kkkk CCCC LLLL
""",
    TileSize.NORMAL: """\
       ▐█▌    █     █    ▐█▌
█████  ▒x▒█   █▀▀ ▀▀x▀▀ █ S █
 ▐█▌   ▐█▌    █          ▐█▌
rrrrr RRRRR bbbbb bbbbb rrrrr
rrrrr RRRRR bbbbb bbbbb rsssr
rrrrr RRRRR bbbbb bbbbb rrrrr
 ▐█▌   ▐█▌  ┌───┐ ┌   ┐
█ $ █ █ o   │ ? │  ▐███  [+]
 ▐█▌        └───┘ └▐█▌┘
rrrrr rrrrr kkkkk CCCCC LLLLL
rgggr rooor kkkkk CCCCC LLLLL
rrrrr rrrrr kkkkk CCCCC LLLLL
""",
    TileSize.LARGE: """\
            ▐███▌      ▐█▌       ▐█▌      ▐███▌
█████████   ▒▒x▒▒██    ▐█▙▄▄▄ ▄▄▄▝x▘▄▄▄ ██  S  ██
█████████   ▒▒▒▒▒██    ▐█▛▀▀▀ ▀▀▀▒▒▒▀▀▀ ██     ██
  ▐███▌     ▐███▌      ▐█▌                ▐███▌
rrrrrrrrr RRRRRRRRR bbbbbbbbb bbbbbbbbb rrrrrrrrr
rrrrrrrrr RRRRRRRRR bbbbbbbbb bbbbbbbbb rrsssssrr
rrrrrrrrr RRRRRRRRR bbbbbbbbb bbbbbbbbb rrsssssrr
rrrrrrrrr RRRRRRRRR bbbbbbbbb bbbbbbbbb rrrrrrrrr
  ▐███▌     ▐███▌   ┌───────┐ ┌       ┐
██  $  ██ ██  o     │   ?   │   ▐██████    [+]
██     ██ ██        │       │   ▐██████
  ▐███▌             └───────┘ └ ▐███▌ ┘
rrrrrrrrr rrrrrrrrr kkkkkkkkk CCCCCCCCC LLLLLLLLL
rrgggggrr rrooooorr kkkkkkkkk CCCCCCCCC LLLLLLLLL
rrgggggrr rrooooorr kkkkkkkkk CCCCCCCCC LLLLLLLLL
rrrrrrrrr rrrrrrrrr kkkkkkkkk CCCCCCCCC LLLLLLLLL
""",
}


def text(tile: Tile, size: TileSize) -> str:
    return "\n".join(plain(row) for row in paint_tile(tile, size, PAINTED))


def colours(row: Row) -> str:
    return "".join(LETTERS[span.ground] * len(span.text) for span in row)


def sheet(size: TileSize) -> str:
    """Tiles side by side, and below them the letters of what they are painted on."""
    shown: list[str] = []
    for some in (SHEET[:5], SHEET[5:]):
        lines = list(zip(*(paint_tile(tile, size, PAINTED) for tile in some), strict=True))
        shown += [" ".join(plain(row) for row in line) for line in lines]
        shown += [" ".join(colours(row) for row in line) for line in lines]
    return "".join(f"{line.rstrip()}\n" for line in shown)


@pytest.mark.parametrize("size", SHEETS)
def test_sand_lies_in_rock_and_rubble_in_dead_ends(size: TileSize) -> None:
    assert sheet(size) == SHEETS[size]


@pytest.mark.parametrize("size", TileSize)
def test_no_two_cards_look_alike_without_colour(size: TileSize) -> None:
    seen: dict[str, str] = {}
    for path in PATHS:
        for state in (CardState.REACHED, CardState.CUT_OFF):
            # In one row, an arm of a dead end may be too short to tell if it is cut off.
            told = path.text if size is TileSize.SMALL else f"{path.text} {state.value}"
            assert seen.setdefault(text(Tile(LaidCard(path, state)), size), told) == told


@pytest.mark.parametrize("size", TileSize)
def test_the_cursor_marks_and_goals_are_told_without_colour(size: TileSize) -> None:
    for lying in (FaceDown(Sign.UNKNOWN), Ghost(Path.read("ES"), fits=True), EmptyCell()):
        if size is not TileSize.SMALL:  # where the cursor reverses the tile
            assert text(Tile(lying), size) != text(Tile(lying, cursor=True), size)
    for sign in Sign:
        assert sign.value in text(Tile(FaceDown(sign)), size)
        if sign is not Sign.UNKNOWN:
            assert sign.value in text(Tile(LaidCard(Path.read("NESW"), sign=sign)), size)
    if size is not TileSize.SMALL:
        assert "*" in text(Tile(THROUGH, CellMark.HERE), size)
        assert text(Tile(Ghost(Path.read("ES"), fits=False), cursor=True), size).count("x") == 4


def test_in_two_rows_the_cursor_and_a_mark_hide_no_tunnel() -> None:
    seen: dict[str, str] = {}
    for path, (mark, cursor) in itertools.product(PATHS, ((CellMark.HERE, False), ("", True))):
        tile = Tile(LaidCard(path), CellMark(mark), cursor=cursor)
        told = f"{path.text} {cursor}"
        assert seen.setdefault(text(tile, TileSize.COMPACT), told) == told


@pytest.mark.parametrize("size", [size for size in TileSize if size is not TileSize.SMALL])
def test_a_card_is_painted_in_another_colour_where_it_would_not_fit(size: TileSize) -> None:
    for fits, look in ((True, Look.FITS), (False, Look.WRONG)):
        spans = [
            span
            for row in paint_tile(Tile(Ghost(Path.read("NESW"), fits)), size, PAINTED)
            for span in row
            if span.text.strip()
        ]
        assert {span.look for span in spans} == {look}
