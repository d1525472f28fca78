"""What a terminal is written: updates in few bytes, its title and its cursor."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.color import ColorSystem
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.geometry import Region
from textual.strip import Strip

from engine.cards import Path
from sabtui.app.terminal import Colours
from sabtui.art.catalogue import Drawing, find_ground
from sabtui.art.colours import Tint
from sabtui.art.glyphs import BlockSet
from sabtui.art.kitty import Placed, draw_placeholders, number_picture
from sabtui.art.placeholders import FIRST_SIGN, PLACEHOLDER
from sabtui.art.sixel import START as SIXEL
from sabtui.art.sixel import Area, draw_area
from sabtui.tui.mine.tiles import TileSize
from sabtui.tui.output import (
    HIDE_CURSOR,
    SHOW_CURSOR,
    USUAL_CURSOR,
    Display,
    PictureCells,
    PlacedStrip,
    ShortUpdate,
    ShownCells,
    find_patches,
    find_pen,
    shorten,
    use_colours,
    use_sixel,
    write_change,
)
from sabtui.tui.theme import DARK, DRAWN
from tests import samples
from tests.sabtui.tui import scenes
from tests.sabtui.tui.run_app import IdleSession, TableApp

COLUMNS = 12
TRUE = ColorSystem.TRUECOLOR
CONSOLE = Console(color_system="truecolor", force_terminal=True, legacy_windows=False)
LOOKS = [
    Style.parse(look)
    for look in (
        "#d2aa68 on #403730",
        "bold #d2aa68 on #403730",
        "dim #a49f95 on #171512",
        "bold reverse #dcd6c8 on #171512",
        "underline red on default",
        "italic bold",
        "none",
    )
]


class Cell(NamedTuple):
    """What a terminal shows in a cell; the colour of a blank is not seen."""

    letter: str
    pen: tuple[str, ...]


def terminal_cells(cells: dict[tuple[int, int], Cell], written: str) -> dict[tuple[int, int], Cell]:
    """What a terminal shows once it has been sent this, by row and column."""
    cells, row, column, on, colour, ground = dict(cells), 0, 0, set[str](), "39", "49"
    off = {"22": "12", "23": "3", "24": "4", "25": "5", "27": "7"}
    for codes, place, letter in re.findall(r"\x1b\[([\d;]*)m|\x1b\[([\d;]+)H|([^\x1b])", written):
        if place:
            row, column = (int(number) - 1 for number in place.split(";"))
        elif letter in "\r\n" and letter:
            row, column = row + 1, 0
        elif letter:
            seen = letter.strip() or on & {"4", "7"}
            cells[row, column] = Cell(letter, (*sorted(on), colour, ground) if seen else (ground,))
            column += 1
        else:
            for code in re.findall(r"[34]8;2;\d+;\d+;\d+|\d+", codes) or ["0"]:
                if code == "0":
                    on, colour, ground = set(), "39", "49"
                elif code in off:
                    on -= {*off[code]}
                elif len(code) == 1:
                    on.add(code)
                elif code.startswith("3"):
                    colour = code
                else:
                    ground = code
    return cells


def bytes_sent(update: CompositorUpdate) -> str:
    """What a terminal is sent."""
    return update.render_segments(CONSOLE)


def layout(*rows: Strip, at: tuple[int, int] = (0, 0)) -> LayoutUpdate:
    """An update of a whole widget with these rows, from a column and row on."""
    size = max(row.cell_length for row in rows), len(rows)
    return LayoutUpdate([[row] for row in rows], Region(*at, *size))


def strip(cells: Sequence[tuple[str, Style]]) -> Strip:
    """A strip of these cells."""
    return Strip([Segment(letter, style) for letter, style in cells], len(cells))


def chops(lines: Sequence[Strip], spans: list[tuple[int, int, int]], cut: int) -> ChopsUpdate:
    """An update of these columns of lines, which are those of two widgets side by side."""
    ends = [cut, COLUMNS]
    parts = [dict(zip((0, cut), line.divide(ends), strict=True)) for line in lines]
    return ChopsUpdate(parts, spans, [ends for _ in lines])


cells = st.tuples(st.sampled_from("ab  █"), st.sampled_from(LOOKS))
line = st.lists(cells, min_size=COLUMNS, max_size=COLUMNS)


@st.composite
def changes(draw: st.DrawFn) -> tuple[list[Strip], list[Strip], list[tuple[int, int, int]]]:
    """Lines, the same lines after a change, and the columns that changed."""
    before, after, spans = [], [], []
    for y in range(draw(st.integers(1, 3))):
        old, new = draw(line), draw(line)
        bounds = sorted(draw(st.sets(st.integers(0, COLUMNS), min_size=2, max_size=4)))
        pairs = list(zip(bounds[::2], bounds[1::2], strict=False))
        kept = list(old)
        for first, end in pairs:
            kept[first:end] = new[first:end]
        before.append(strip(old))
        after.append(strip(kept))
        spans += [(y, first, end) for first, end in pairs]
    return before, after, spans


@given(changes(), st.integers(1, COLUMNS - 1))
def test_an_update_shows_the_same_as_textuals(
    lines: tuple[list[Strip], list[Strip], list[tuple[int, int, int]]], cut: int
) -> None:
    before, after, spans = lines
    whole = layout(*before)
    at_first = terminal_cells({}, bytes_sent(shorten(whole)))
    assert at_first == terminal_cells({}, bytes_sent(whole))
    update = chops(after, spans, cut)
    assert terminal_cells(at_first, bytes_sent(shorten(update))) == terminal_cells(
        at_first, bytes_sent(update)
    )


def test_only_the_changed_columns_are_written() -> None:
    row = strip([(letter, Style.parse("none")) for letter in "abcdefghijkl"])
    assert bytes_sent(shorten(chops([row], [(0, 4, 6)], 9))) == "\x1b[1;5Hef"
    across = bytes_sent(shorten(chops([row], [(0, 8, 10)], 9)))
    assert across == "\x1b[1;9Hi\x1b[1;10Hj", "each widget begins at its own place"


def test_only_codes_that_change_are_written() -> None:
    bold, thin = (find_pen(LOOKS[at], TRUE) for at in (1, 0))
    assert write_change(thin, bold) == "\x1b[1m"
    assert write_change(bold, thin) == "\x1b[22m"
    row = strip([("a", LOOKS[0]), (" ", LOOKS[2]), ("b", LOOKS[1])])
    rock, dark = "48;2;64;55;48", "48;2;23;21;18"
    assert bytes_sent(shorten(layout(row))) == (
        f"\x1b[1;1H\x1b[38;2;210;170;104;{rock}ma\x1b[{dark}m \x1b[1;{rock}mb\x1b[m"
    )


NUMBER = r"38;2;(\d+);(\d+);(\d+)"


def draw_strip(*pictures: Placed, tint: Tint = Tint.PLAIN, row: int = 0) -> Strip:
    """A row of pictures beside each other, neighbours of one style in one piece, as panels do."""
    cells = [
        cell
        for picture in pictures
        for cell in draw_placeholders(picture.drawing, picture.cells, tint)[row]
    ]
    pieces = groupby(cells, key=lambda cell: (cell.front, cell.ground))
    return Strip(
        Segment("".join(cell.glyph for cell in same), Style(color=front, bgcolor=ground))
        for (front, ground), same in pieces
    )


def list_areas(pieces: Iterable[PlacedStrip]) -> list[tuple[int, ...]]:
    """The areas of pictures in these strips: place on the screen, place in the picture, size."""
    return [patch[:6] for patch in find_patches(pieces)]


GOAL = Placed(Drawing("goal"), (5, 3))


def test_what_lies_over_a_picture_is_left_out_of_its_areas() -> None:
    above, middle, below = (draw_strip(GOAL, row=row) for row in range(3))
    corner = Strip([Segment("x", Style.parse("red"))])
    framed = Strip.join([corner, above.crop(1, 4), corner])
    rows = [PlacedStrip(0, 0, framed), PlacedStrip(0, 1, middle), PlacedStrip(0, 2, below)]
    assert list_areas(rows) == [(1, 0, 1, 0, 3, 1), (0, 1, 0, 1, 5, 2)]
    assert list_areas([PlacedStrip(4, 0, above.crop(4)), PlacedStrip(9, 0, corner)]) == [
        (4, 0, 4, 0, 1, 1)
    ]


def test_by_sixel_cells_are_blanks_over_which_each_area_is_drawn_after_the_text() -> None:
    cell = (8, 16)
    wide = Strip([Segment("\u4f60")])  # takes two columns
    rows = (Strip.join([wide, draw_strip(GOAL, tint=Tint.NEW, row=row)]) for row in range(3))
    update = shorten(layout(*rows, at=(3, 1)), use_sixel(cell))
    assert update.pictures == [number_picture(GOAL._replace(is_glass=True))]
    text, sixel = bytes_sent(update).split("\x1b[2;6H", 1)
    assert sixel == draw_area(GOAL, Area(0, 0, (5, 3)), cell, Tint.NEW)
    assert not [letter for letter in text if letter >= FIRST_SIGN or letter == PLACEHOLDER]
    assert text.count(" " * 5) == 3
    assert "48;2;116;86;20" in text, "what is not covered has the tint's colour"


def test_cells_by_sixel_that_are_shown_already_are_not_drawn_again() -> None:
    shown, cell = ShownCells(), (8, 16)

    def write(*lines: list[Strip]) -> str:
        rows = map(Strip.join, lines)
        return bytes_sent(shorten(layout(*rows), use_sixel(cell, shown)))

    def area(left: int, top: int, size: tuple[int, int]) -> str:
        return draw_area(GOAL, Area(left, top, size), cell)

    whole = [[draw_strip(GOAL, row=row), Strip([Segment("ab")])] for row in range(3)]
    assert write(*whole).count(SIXEL) == 1
    assert write(*whole) == "\x1b[1;6Hab\x1b[2;6Hab\x1b[3;6Hab", "texts are written, nothing else"
    covered = [draw_strip(GOAL).crop(0, 2), Strip([Segment("\u4f60")]), draw_strip(GOAL).crop(4, 5)]
    assert write(covered, *whole[1:]).count(SIXEL) == 0
    assert write(*whole).endswith(f"\x1b[1;3H{area(2, 0, (2, 1))}")
    tinted = [[draw_strip(GOAL, tint=Tint.NEW, row=row)] for row in range(3)]
    assert draw_area(GOAL, Area(0, 0, (5, 3)), cell, Tint.NEW) in write(*tinted)
    moved = [[Strip([Segment(" ")]), draw_strip(GOAL, row=row)] for row in range(3)]
    assert write(*moved).endswith(f"\x1b[1;2H{area(0, 0, (5, 3))}")
    shown.forget()
    assert write(*moved).endswith(f"\x1b[1;2H{area(0, 0, (5, 3))}")


@pytest.mark.parametrize("cells", [use_sixel((8, 16)), use_colours(Colours.ALL)])
def test_a_terminal_that_is_known_to_has_all_colours_for_its_text_too(cells: PictureCells) -> None:
    few = Console(color_system="256", force_terminal=True, legacy_windows=False)
    update = layout(Strip([Segment("a", LOOKS[0])]))
    by_name, as_known = shorten(update), shorten(update, cells)
    assert "38;5;" in by_name.render_segments(few)
    assert as_known.render_segments(few) == by_name.render_segments(CONSOLE)


def test_letters_that_only_look_like_a_picture_s_cells_are_blanks_by_sixel() -> None:
    row = Strip([Segment(FIRST_SIGN, Style(color="#123456"))])
    assert bytes_sent(shorten(layout(row), use_sixel((8, 16)))) == "\x1b[1;1H "


@pytest.mark.parametrize("size", [size.value for size in TileSize if size is not TileSize.SMALL])
def test_a_card_whose_picture_kitty_has_costs_at_most_two_thousand_bytes(
    size: tuple[int, int],
) -> None:
    laid = Placed(find_ground(Path.read("NES"), is_lit=True), size)
    for tint in Tint:
        rows = (draw_strip(laid, tint=tint, row=row) for row in range(size[1]))
        assert len(bytes_sent(shorten(layout(*rows, at=(10, 10)))).encode()) <= 2000


def test_cells_of_pictures_are_written_as_placeholders_and_their_pictures_are_told() -> None:
    pictures = [Placed(Drawing(name), (3, 2)) for name in ("goal", "goal-stone")]
    update = shorten(layout(*(draw_strip(*pictures, row=row).crop(1, 5) for row in range(2))))
    assert update.pictures == sorted(number_picture(picture) for picture in pictures)
    written = bytes_sent(update)
    assert written.count(PLACEHOLDER) == 8
    assert FIRST_SIGN not in written
    marks = re.findall(f"{PLACEHOLDER}(.)(.)", written)
    assert [row for row, _column in marks] == [marks[0][0]] * 4 + [marks[4][0]] * 4
    assert [column for _row, column in marks[:4]] == [column for _row, column in marks[4:]]
    assert [int.from_bytes(map(int, colour)) for colour in re.findall(NUMBER, written)] == [
        number_picture(picture) for _row in range(2) for picture in pictures
    ]
    assert shorten(layout(Strip([Segment("goal")]))).pictures == []


WIDE_MINE = (
    "EW@1/NEW@2/ES@2n1/ESW@3n1/w@4n1/NESW@3/EW@4/NES@3s1/NEW@5/ESW@6/nesw@5s1/ESW@4s1/NE@6s1/NS@6n2"
    "/NE@1s1/nes@4s2 ?/(NW)/(NESW)"
)


@pytest.mark.parametrize("blocks", samples.first(1, BlockSet, thorough=len(BlockSet)))
@pytest.mark.parametrize(("size", "most"), [((80, 24), 48_000), ((200, 60), 128_000)])
async def test_a_table_of_drawn_cards_is_first_shown_in_few_bytes(
    size: tuple[int, int], most: int, blocks: BlockSet
) -> None:
    app = TableApp(replace(DRAWN, blocks=blocks))
    async with app.run_test(size=size) as pilot:
        app.register_theme(DARK)
        app.theme = DARK.name
        await app.show(IdleSession(scenes.now(scenes.view(WIDE_MINE))))
        await pilot.pause()
        lines = app.screen._compositor.render_strips()
    update = ShortUpdate(PlacedStrip(0, row, line) for row, line in enumerate(lines))
    assert len(bytes_sent(update).encode()) < most


def test_pictures_are_sent_once_and_deleted_when_the_terminal_is_given_back() -> None:
    written = list[str]()
    display = Display(written.append)
    assert display.restore_sequences() == USUAL_CURSOR
    number = number_picture(Placed(Drawing("goal"), (9, 4)))
    for _time in range(2):
        display.send_pictures([number, number], (8, 16))
        assert "".join(written).count("a=T,U=1") == 1
        written.clear()
        assert f"a=d,d=I,i={number}," in display.restore_sequences()
    assert display.restore_sequences() == USUAL_CURSOR
    sixel = PlacedStrip(0, 0, Strip([Segment(FIRST_SIGN, Style(color="#808080"))]))
    for _time in range(2):
        assert list(display.shown.update([sixel]))
        assert not list(display.shown.update([sixel]))
        display.restore_sequences()


def test_while_pictures_are_drawn_the_cursor_is_hidden() -> None:
    written = list[str]()
    display = Display(written.append)
    with display.without_cursor(when=True):
        written.append("drawn")
    assert written == ["drawn"], "it is not shown at all"
    display.show_cursor(shown=True)
    for when in (False, True):
        with display.without_cursor(when=when):
            written.append("drawn")
    assert written[1:] == [SHOW_CURSOR, "drawn", HIDE_CURSOR, "drawn", SHOW_CURSOR]
