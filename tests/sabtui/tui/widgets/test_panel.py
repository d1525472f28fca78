"""Panels: rows of styled text, and their colours."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import cache
from itertools import combinations, product
from math import dist
from operator import mul
from typing import ClassVar, TypeAlias

import pytest
from rich.color import ColorSystem
from rich.color_triplet import ColorTriplet
from rich.segment import Segment
from rich.style import Style
from textual.app import App
from textual.css.styles import RenderStyles
from textual.strip import Strip
from textual.widget import Widget

from sabtui.tui.mine.card_tiles import paint_tile
from sabtui.tui.mine.tiles import CellMark, FaceDown, Sign, Tile, TileContent, TileSize
from sabtui.tui.output import BY_KITTY, PlacedStrip, ShortUpdate
from sabtui.tui.theme import BLUE_ORANGE, DARK, LIGHT, PAINTED, TERMINAL
from sabtui.tui.widgets.panel import (
    Ground,
    Look,
    Paint,
    Panel,
    Row,
    StyledSpan,
    assemble,
    cut,
    dim_row,
    fill_row,
    find_differences,
    fit_text,
    merge_pieces,
    narrow_row,
    overlaid,
    plain,
    sanitise_row,
)
from tests.sabtui.tui.lobby_fixture import ShownTable, shown_table
from tests.sabtui.tui.mine.test_tiles import EVERY

Pair: TypeAlias = tuple[Look, Ground | None]
Matrix: TypeAlias = tuple[tuple[float, float, float], ...]

DRAWN = {Look.RULE, Look.EMPTY}
"""Looks of what is no text: rules, dots for empty cells."""

OF_PAINT = {Look.SAND, Look.BURIED, Look.RUBBLE, Look.INK, Look.MARK} | {
    ground for ground in Ground if ground.value.endswith(("rock", "sand", "gold", "stone", "back"))
}
"""Looks and grounds of painted tiles, which are seen in some pairs only."""


@cache
def painted_pairs() -> set[Pair]:
    """All pairs of look and ground that painted tiles have, with one sign on them at a time."""
    alone = ((True, False, False), (False, True, False), (False, False, True))
    tiles = [Tile(lying, mark) for lying, mark in product(EVERY, CellMark)]
    tiles += [Tile(lying, CellMark.NONE, *signs) for lying, signs in product(EVERY, alone)]
    rows = (row for tile in tiles for size in TileSize for row in paint_tile(tile, size, PAINTED))
    pairs = {
        (look, ground)
        for row in rows
        for text, look, ground in row
        if text.strip() and isinstance(look, Look)
    }
    return {pair for pair in pairs if {*pair} & OF_PAINT and pair[0] not in DRAWN}


@asynccontextmanager
async def in_theme(theme: str) -> AsyncIterator[tuple[ShownTable, dict[Pair, Style]]]:
    """A table in a theme, and all that a panel can look like there."""
    async with shown_table() as at:
        for known in (DARK, LIGHT, BLUE_ORANGE):
            at.app.register_theme(known)
        at.app.theme = theme
        await at.pilot.pause()
        pairs = product(Look, (None, *Ground))
        yield at, {pair: style_of(at, *pair) for pair in pairs if not {*pair} & OF_PAINT}


def style_of(at: ShownTable, look: Look, ground: Ground | None) -> Style:
    """How a panel draws a piece of text."""
    return at.table.mine._style(StyledSpan("x", look, ground))


def _linear(part: int) -> float:
    share = part / 255
    return share / 12.92 if share <= 0.03928 else ((share + 0.055) / 1.055) ** 2.4


def _colour(style: Style) -> ColorTriplet:
    assert style.color is not None
    return style.color.get_truecolor()


def light(colour: ColorTriplet) -> float:
    """How light it is, as WCAG has it."""
    red, green, blue = map(_linear, colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(style: Style) -> float:
    """How much what is written differs from what it lies on, from 1 to 21."""
    assert style.color is not None
    assert style.bgcolor is not None
    one, other = (light(each.get_truecolor()) for each in (style.color, style.bgcolor))
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


THEMES = pytest.mark.parametrize("theme", [DARK.name, LIGHT.name, BLUE_ORANGE.name])


@THEMES
async def test_text_stands_out(theme: str) -> None:
    async with in_theme(theme) as (_at, styles):
        assert [
            (look.value, ground and ground.value, round(contrast(style), 2))
            for (look, ground), style in styles.items()
            if look not in DRAWN and contrast(style) < (4.5 if ground is None else 2.9)
        ] == []


@THEMES
@pytest.mark.level("thorough")  # they do in all colours in each run
async def test_painted_tiles_stand_out_in_256_colours_too(theme: str) -> None:
    async with in_theme(theme) as (at, _styles):
        for system in (ColorSystem.TRUECOLOR, ColorSystem.EIGHT_BIT):
            assert weak_pairs(at, system) == [], system


@THEMES
async def test_a_goal_that_was_looked_at_takes_as_many_bytes_as_gold_as_as_stone(
    theme: str,
) -> None:
    async with in_theme(theme) as (at, _styles):
        lengths = {
            (size, system, len(painted_bytes(at, FaceDown(sign), size, system)))
            for sign in (Sign.TREASURE, Sign.STONE)
            for size in TileSize
            for system in (ColorSystem.TRUECOLOR, ColorSystem.EIGHT_BIT)
        }
        assert len(lengths) == 2 * len(TileSize)


def painted_bytes(at: ShownTable, lying: TileContent, size: TileSize, system: ColorSystem) -> bytes:
    """What a terminal is sent for a painted tile."""
    style_of = at.table.mine._style
    pieces = [
        PlacedStrip(0, y, Strip([Segment(span.text, style_of(span)) for span in row]))
        for y, row in enumerate(paint_tile(Tile(lying), size, PAINTED))
    ]
    cells = BY_KITTY._replace(system=system)
    return ShortUpdate(pieces, cells).render_segments(at.app.console).encode()


def weak_pairs(at: ShownTable, system: ColorSystem) -> list[tuple[str, str | None, float]]:
    """All pairs of painted tiles that hardly differ in this many colours, and how much they do."""
    weak = []
    for look, ground in sorted(painted_pairs(), key=str):
        style = style_of(at, look, ground)
        assert style.color is not None
        assert style.bgcolor is not None
        seen = Style(color=style.color.downgrade(system), bgcolor=style.bgcolor.downgrade(system))
        if contrast(seen) < 2.7:
            weak.append((look.value, ground and ground.value, round(contrast(seen), 2)))
    return weak


NO_GREEN = ((0.29275, 0.70725, 0.0), (0.29275, 0.70725, 0.0), (-0.02234, 0.02234, 1.0))
NO_RED = ((0.11238, 0.88762, 0.0), (0.11238, 0.88762, 0.0), (0.00401, -0.00401, 1.0))
"""What eyes without the cones for green, and without those for red, make of red, green and blue,
after Vienot, Brettel and Mollon (1999)."""

WHITE = (0.95047, 1.0, 1.08883)


def see_colour(colour: ColorTriplet, eyes: Matrix) -> tuple[float, float, float]:
    """Lightness and both hues of CIELAB, as such eyes see a colour."""
    parts = [_linear(part) for part in colour]
    red, green, blue = (min(max(sum(map(mul, row, parts)), 0.0), 1.0) for row in eyes)
    x, y, z = (
        (one if one > 0.008856 else 0.0) ** (1 / 3) or 7.787 * one + 16 / 116
        for one in (
            (0.4124 * red + 0.3576 * green + 0.1805 * blue) / WHITE[0],
            0.2126 * red + 0.7152 * green + 0.0722 * blue,
            (0.0193 * red + 0.1192 * green + 0.9505 * blue) / WHITE[2],
        )
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


OPPOSED = [
    (Look.GOOD, Look.BAD),
    (Look.FITS, Look.WRONG),
    (Look.START, Look.DEAD),
    (Look.GOLD, Look.BAD),
    (Look.REACHED, Look.DEAD),
    *combinations([look for look in Look if "player" in look.value], 2),
]
"""Looks that tell different things of the same kind, and those of the players' names."""


async def list_alike(theme: str) -> list[tuple[str, str]]:
    """The looks of a theme that are opposed, and that eyes without red or green see as one."""
    async with in_theme(theme) as (_at, styles):
        return [
            (one.value, other.value)
            for eyes in (NO_GREEN, NO_RED)
            for one, other in OPPOSED
            if dist(*(see_colour(_colour(styles[look, None]), eyes) for look in (one, other))) < 15
        ]


async def test_blue_and_orange_is_for_eyes_that_cannot_tell_red_from_green() -> None:
    assert await list_alike(BLUE_ORANGE.name) == []
    assert await list_alike(DARK.name) != [], "which the usual theme is not"
    async with in_theme(BLUE_ORANGE.name) as (at, _styles):
        for ground in (Ground.LIT, Ground.LIT_ROCK, Ground.SMALL_LIT):
            lit = style_of(at, Look.PLAIN, ground).bgcolor
            assert lit is not None
            red, green, blue = lit.get_truecolor()
            assert blue > max(red, green), "where a card may lie is blue, too"


async def test_sixteen_colours_are_never_written_on_themselves() -> None:
    async with in_theme(TERMINAL) as (_at, styles):
        for pair, style in styles.items():
            is_plain = style.bgcolor is None or style.bgcolor.is_default
            assert is_plain or style.color != style.bgcolor, pair


class EagerPanel(Panel):
    """A panel of whose components Textual works out the styles, all and each time."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {*Panel.COMPONENTS}

    def get_component_styles(self, *names: str) -> RenderStyles:
        return Widget.get_component_styles(self, *names)

    def notify_style_update(self) -> None:
        Widget.notify_style_update(self)


class Panels(App[None]):
    """A panel, and one that leaves its styles to Textual."""

    def compose(self) -> Iterator[Panel]:
        yield Panel("ours")
        yield EagerPanel("textuals")


async def test_styles_are_as_textual_works_them_out_and_change_with_the_theme() -> None:
    app = Panels()
    async with app.run_test() as pilot:
        ours, textuals = app.query(Panel)
        ours.show([(StyledSpan(look.value, look),) for look in Look])
        seen: set[tuple[Style, ...]] = set()
        for known in (DARK, LIGHT):
            app.register_theme(known)
        for theme in (app.theme, DARK.name, LIGHT.name, TERMINAL):
            app.theme = theme
            await pilot.pause()
            every = [StyledSpan("x", look, ground) for look in Look for ground in (None, *Ground)]
            assert [*map(ours._style, every)] == [*map(textuals._style, every)]
            [*strips] = app.screen._compositor.render_strips()
            seen.add(tuple(segment.style or Style() for strip in strips for segment in strip))
        assert len(seen) == 4


def test_what_comes_from_the_host_is_cleaned_and_what_is_drawn_here_is_not() -> None:
    octant = StyledSpan("\U0001cd00", Paint("#ffffff", "#000000"))
    assert sanitise_row((StyledSpan("\x1b[2Jname"), octant)) == (StyledSpan("[2Jname"), octant)


ROW: Row = (StyledSpan("ab"), StyledSpan("金"), StyledSpan("cd", Look.DIM))


@pytest.mark.parametrize(
    ("text", "columns", "fitted", "cut_off"),
    [
        ("金金", 3, "金 ", "金."),
        ("a", -1, "", ""),
        ("Bruno", 5, "Bruno", "Bruno"),
        ("Bruno", 4, "Brun", "Bru."),
        ("Bruno", 0, "", ""),
    ],
)
def test_text_is_cut_and_filled_by_cells(
    text: str, columns: int, fitted: str, cut_off: str
) -> None:
    assert fit_text(text, columns) == fitted
    assert cut(text, columns) == cut_off


@pytest.mark.parametrize(
    ("columns", "filled"), [(8, "ab金cd  "), (6, "ab金cd"), (4, "ab金"), (3, "ab ")]
)
def test_a_row_takes_exactly_its_room(columns: int, filled: str) -> None:
    row = fill_row(ROW, columns)
    assert plain(row) == filled
    assert all(span.text for span in row)


def test_neighbours_that_look_alike_become_one() -> None:
    pieces = (StyledSpan("a"), StyledSpan(""), StyledSpan("b"), StyledSpan("c", Look.DIM))
    assert merge_pieces(pieces) == (StyledSpan("ab"), StyledSpan("c", Look.DIM))


LINE: Row = (StyledSpan("abcd"), StyledSpan("ef", Look.DIM))
NAMED: Row = (StyledSpan("Borin", Look.STRONG), StyledSpan(" passed"))
LONGER: Row = (NAMED[0], StyledSpan(" and "), StyledSpan("Dagna", Look.STRONG), NAMED[1])


@pytest.mark.parametrize(
    ("old", "new", "columns"),
    [
        (LINE, LINE, []),
        (LINE, (StyledSpan("abcd"), StyledSpan("eg", Look.DIM)), [range(5, 6)]),
        (LINE, (StyledSpan("axcdef"),), [range(1, 6)]),
        (LINE, LINE[:1], [range(4, 6)]),
        ((), LINE, [range(6)]),
        (ROW, (*ROW[:2], StyledSpan("ce", Look.DIM)), [range(6)]),  # of a wide letter, all
        ((StyledSpan("ab"),), ROW, [range(6)]),
        (NAMED, LONGER, [range(6, 22)]),  # an end that has moved, though its text is the same
        (LONGER, NAMED, [range(6, 22)]),
    ],
)
def test_what_differs_is_told_by_columns(old: Row, new: Row, columns: list[range]) -> None:
    assert find_differences(old, new) == columns


@pytest.mark.parametrize(
    ("row", "column", "over", "shown"),
    [
        (ROW, 0, "x", "xb金cd"),
        (ROW, 1, "xx", "axx cd"),  # a halved letter is a blank
        (ROW, 3, "x", "ab xcd"),
        (ROW, 8, "x", "ab金cd  x"),
        ((StyledSpan("金bc"),), 0, "x", "x bc"),
        ((StyledSpan("金bc"),), 1, "x", " xbc"),
        (ROW, 2, "", "ab金cd"),
    ],
)
def test_a_piece_laid_over_a_row_leaves_the_rest_in_its_columns(
    row: Row, column: int, over: str, shown: str
) -> None:
    assert plain(overlaid(row, column, StyledSpan(over))) == shown


def test_a_row_that_is_turned_shows_its_ends_amid_blanks_and_one_in_the_dark_half_its_light() -> (
    None
):
    turned = [plain(narrow_row((StyledSpan("abcdefgh"),), 8, sevenths)) for sevenths in (7, 4, 0)]
    assert turned == ["abcdefgh", "  abgh  ", "   ah   "]
    painted = StyledSpan("x", Paint("#f0a064", "default"))
    lit = StyledSpan("y", Look.GOLD, Ground.LIT)
    assert dim_row((painted, lit)) == (
        StyledSpan("x", Paint("#785032", "default")),
        StyledSpan("y", Look.EMPTY, Ground.CARD),
    )
    line = assemble((StyledSpan(" "), StyledSpan("y", Look.GOLD, Ground.CARD), painted))
    assert [span.style for span in line.spans] == ["bold on $panel", "#f0a064"]
    on_card = [painted._replace(ground=Ground.CARD), StyledSpan("z", Paint("#f0f0f0", "#102030"))]
    styles = [span.style for span in assemble((*on_card, painted)).spans]
    assert styles == ["#f0a064 on $panel", "#f0f0f0 on #102030", "#f0a064"]
