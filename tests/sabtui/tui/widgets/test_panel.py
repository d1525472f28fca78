"""Panels: rows of styled text, and their colours."""

from __future__ import annotations

from collections.abc import Iterator
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

from sabtui.tui.mine.cards import paint_tile
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
    cut,
    differences,
    fill_row,
    fit_text,
    harmless,
    merge_pieces,
    overlaid,
    plain,
)
from tests.sabtui.tui.lobby_fixture import Evening, evening
from tests.sabtui.tui.mine.test_tiles import EVERY

Matrix: TypeAlias = tuple[tuple[float, float, float], ...]

DRAWN = {Look.RULE, Look.EMPTY}
"""Looks of what is no text: rules, dots for empty cells."""

OF_PAINT = {Look.SAND, Look.BURIED, Look.RUBBLE, Look.INK, Look.MARK} | {
    ground for ground in Ground if ground.value.endswith(("rock", "sand", "gold", "stone", "back"))
}
"""Looks and grounds of painted tiles, which are seen in some pairs only."""


@cache
def painted_pairs() -> set[tuple[Look, Ground | None]]:
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


async def styles(at: Evening, theme: str) -> list[tuple[Look, Ground | None, Style]]:
    """All that a panel can look like."""
    await change_theme(at, theme)
    return list(_styles(at))


async def change_theme(at: Evening, theme: str) -> None:
    for known in (DARK, LIGHT, BLUE_ORANGE):
        at.app.register_theme(known)
    at.app.theme = theme
    await at.pilot.pause()


def _styles(at: Evening) -> Iterator[tuple[Look, Ground | None, Style]]:
    for look in Look:
        for ground in (None, *Ground):
            if not {look, ground} & OF_PAINT:
                yield look, ground, at.table.mine._style(StyledSpan("x", look, ground))


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


@pytest.mark.parametrize("theme", [DARK.name, LIGHT.name, BLUE_ORANGE.name])
async def test_text_stands_out(theme: str) -> None:
    async with evening() as at:
        weak = [
            (look.value, ground and ground.value, round(contrast(style), 2))
            for look, ground, style in await styles(at, theme)
            if look not in DRAWN and contrast(style) < (4.5 if ground is None else 2.9)
        ]
        assert weak == []


@pytest.mark.level("thorough")  # they do in all colours in each run
async def test_painted_tiles_stand_out_in_256_colours_too() -> None:
    async with evening() as at:
        for theme in (DARK.name, LIGHT.name, BLUE_ORANGE.name):
            await change_theme(at, theme)
            for system in (ColorSystem.TRUECOLOR, ColorSystem.EIGHT_BIT):
                assert weak_pairs(at, system) == [], (theme, system)


@pytest.mark.parametrize("theme", [DARK.name, LIGHT.name, BLUE_ORANGE.name])
async def test_a_goal_that_was_looked_at_takes_as_many_bytes_as_gold_as_as_stone(
    theme: str,
) -> None:
    async with evening() as at:
        await change_theme(at, theme)
        lengths = {
            (size, system, len(painted_bytes(at, FaceDown(sign), size, system)))
            for sign in (Sign.TREASURE, Sign.STONE)
            for size in TileSize
            for system in (ColorSystem.TRUECOLOR, ColorSystem.EIGHT_BIT)
        }
        assert len(lengths) == 2 * len(TileSize)


def painted_bytes(at: Evening, lying: TileContent, size: TileSize, system: ColorSystem) -> bytes:
    """What a terminal is sent for a painted tile."""
    style_of = at.table.mine._style
    pieces = [
        PlacedStrip(0, y, Strip([Segment(span.text, style_of(span)) for span in row]))
        for y, row in enumerate(paint_tile(Tile(lying), size, PAINTED))
    ]
    cells = BY_KITTY._replace(system=system)
    return ShortUpdate(pieces, cells).render_segments(at.app.console).encode()


def weak_pairs(at: Evening, system: ColorSystem) -> list[tuple[str, str | None, float]]:
    """All pairs of painted tiles that hardly differ in this many colours, and how much they do."""
    weak = []
    for look, ground in sorted(painted_pairs(), key=str):
        style = at.table.mine._style(StyledSpan("x", look, ground))
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


async def alike(theme: str) -> list[tuple[str, str]]:
    """The looks of a theme that are opposed, and that eyes without red or green see as one."""
    async with evening() as at:
        found = {look: style for look, ground, style in await styles(at, theme) if ground is None}
        return [
            (one.value, other.value)
            for eyes in (NO_GREEN, NO_RED)
            for one, other in OPPOSED
            if dist(*(see_colour(_colour(found[look]), eyes) for look in (one, other))) < 15
        ]


async def test_blue_and_orange_is_for_eyes_that_cannot_tell_red_from_green() -> None:
    assert await alike(BLUE_ORANGE.name) == []
    assert await alike(DARK.name) != [], "which the usual theme is not"


async def test_where_a_card_may_lie_is_blue_there_too() -> None:
    async with evening() as at:
        await styles(at, BLUE_ORANGE.name)
        for ground in (Ground.LIT, Ground.LIT_ROCK, Ground.SMALL_LIT):
            lit = at.table.mine._style(StyledSpan("x", Look.PLAIN, ground)).bgcolor
            assert lit is not None
            red, green, blue = lit.get_truecolor()
            assert blue > max(red, green), ground


async def test_sixteen_colours_are_never_written_on_themselves() -> None:
    async with evening() as at:
        for look, ground, style in await styles(at, TERMINAL):
            plain = style.bgcolor is None or style.bgcolor.is_default
            assert plain or style.color != style.bgcolor, (look, ground)


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
    assert harmless((StyledSpan("\x1b[2Jname"), octant)) == (StyledSpan("[2Jname"), octant)


ROW: Row = (StyledSpan("ab"), StyledSpan("金"), StyledSpan("cd", Look.DIM))


def test_text_is_cut_and_filled_by_cells() -> None:
    assert fit_text("金金", 3) == "金 "
    assert fit_text("a", -1) == ""
    assert cut("Bruno", 5) == "Bruno"
    assert cut("Bruno", 4) == "Bru."
    assert cut("金金", 3) == "金."
    assert cut("Bruno", 0) == ""


def test_a_row_takes_exactly_its_room() -> None:
    assert plain(fill_row(ROW, 8)) == "ab金cd  "
    assert plain(fill_row(ROW, 3)) == "ab "
    assert plain(fill_row(ROW, 4)) == "ab金"


def test_neighbours_that_look_alike_become_one() -> None:
    assert merge_pieces(
        (StyledSpan("a"), StyledSpan(""), StyledSpan("b"), StyledSpan("c", Look.DIM))
    ) == (StyledSpan("ab"), StyledSpan("c", Look.DIM))


def test_what_differs_is_told_by_columns() -> None:
    row: Row = (StyledSpan("abcd"), StyledSpan("ef", Look.DIM))
    assert differences(row, row) == []
    assert differences(row, (StyledSpan("abcd"), StyledSpan("eg", Look.DIM))) == [range(5, 6)]
    assert differences(row, (StyledSpan("axcdef"),)) == [range(1, 6)]
    assert differences(row, row[:1]) == [range(4, 6)]
    assert differences((), row) == [range(6)]


def test_a_row_with_a_wide_letter_differs_as_a_whole() -> None:
    assert differences(ROW, (*ROW[:2], StyledSpan("ce", Look.DIM))) == [range(6)]
    assert differences((StyledSpan("ab"),), ROW) == [range(6)]


def test_a_piece_laid_over_a_row_leaves_the_rest_in_its_columns() -> None:
    assert plain(overlaid(ROW, 0, StyledSpan("x"))) == "xb金cd"
    assert plain(overlaid(ROW, 1, StyledSpan("xx"))) == "axx cd", "a halved letter is a blank"
    assert plain(overlaid(ROW, 3, StyledSpan("x"))) == "ab xcd"
    assert plain(overlaid(ROW, 8, StyledSpan("x"))) == "ab金cd  x"
    assert overlaid(ROW, 2, StyledSpan("")) is ROW


def test_an_end_that_has_moved_is_different_although_its_text_is_the_same() -> None:
    name, end = StyledSpan("Borin", Look.STRONG), StyledSpan(" passed")
    more = (name, StyledSpan(" and "), StyledSpan("Dagna", Look.STRONG), end)
    assert differences((name, end), more) == [range(6, 22)]
    assert differences(more, (name, end)) == [range(6, 22)]


def test_half_of_a_wide_letter_beside_what_is_laid_over_it_becomes_a_blank() -> None:
    row: Row = (StyledSpan("金bc"),)
    assert plain(overlaid(row, 0, StyledSpan("x"))) == "x bc"
    assert plain(overlaid(row, 1, StyledSpan("x"))) == " xbc"
