"""Updates of the screen in few bytes, and the terminal's title and cursor.

Textual writes each changed line from the left edge of its widget on, and all codes of a style for
each piece of text. Over a slow line that is most of what a game sends: opening the palette at 80x24
takes 27 kB in that way, and 13 kB here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from rich.color import ColorSystem
from rich.console import COLOR_SYSTEMS, Console, ConsoleOptions, RenderResult
from rich.segment import Segment
from rich.style import Style
from textual.app import App
from textual.strip import Strip

from net.protocol.cleaning import sanitise
from sabtui.app.terminal import Colours
from sabtui.art.placeholders import FIRST_SIGN, blank_signs, place_of_sign, spell_signs
from sabtui.tui.private import ChopsUpdate, CompositorUpdate, LayoutUpdate

if TYPE_CHECKING:
    from sabtui.art.kitty import Sent
    from sabtui.art.store import Size

_ATTRIBUTES: Final = {
    "bold": ("1", "22"),
    "dim": ("2", "22"),
    "italic": ("3", "23"),
    "underline": ("4", "24"),
    "reverse": ("7", "27"),
    "strike": ("9", "29"),
}
"""Codes that turn attributes on and off (SGR, ECMA-48): those of Rich's that style sheets use."""

_OFF: Final = dict(_ATTRIBUTES.values())
"""Codes that turn attributes off, by those that turn them on."""

_ON_BLANKS: Final = frozenset(("4", "7", "9"))
"""Attributes that are seen on blanks, too."""


class Pen(NamedTuple):
    """Attributes and colours with which a terminal writes, as codes of SGR."""

    attributes: frozenset[str] = frozenset()
    colour: str = "39"
    ground: str = "49"


class PictureCells(NamedTuple):
    """The way to send a terminal colours, and the cells of pictures."""

    spell: Callable[[str], str]  # returns what to write for the signs of a picture's cells
    cell: Size | None = None  # pixels of a cell, if sixel pictures are then drawn over the cells
    shown: ShownCells | None = None  # cells that sixel has drawn already
    system: ColorSystem | None = None
    """Colours that the terminal has; `None` to let Rich find out."""


BY_KITTY: Final = PictureCells(spell_signs)  # for kitty, or for a terminal without pictures

_SYSTEMS: Final = {Colours.ALL: ColorSystem.TRUECOLOR, Colours.MANY: ColorSystem.EIGHT_BIT}


def use_sixel(cell: Size, shown: ShownCells | None = None) -> PictureCells:
    """Return how to send cells of this many pixels with sixel, without those already `shown`."""
    return PictureCells(blank_signs, cell, shown, ColorSystem.TRUECOLOR)


def use_colours(colours: Colours) -> PictureCells:
    """Return how cells are sent to kitty, or without pictures, in this many colours."""
    return BY_KITTY._replace(system=_SYSTEMS.get(colours, ColorSystem.STANDARD))


class PlacedStrip(NamedTuple):
    """Text that is written from a column and row on."""

    column: int
    row: int
    strip: Strip


class ShownCells:
    """The cells of pictures that a terminal shows with sixel.

    When a sentence takes one more row, Textual writes the whole screen again, but only pictures
    that have moved need to be drawn.
    """

    def __init__(self) -> None:
        self._rows: dict[int, dict[int, tuple[str, Style]]] = {}
        """Sign and style of each shown cell, by row and column."""

    def forget(self) -> None:
        """Forget all cells, so that they are drawn again."""
        self._rows.clear()

    def update(self, pieces: Iterable[PlacedStrip]) -> Iterator[PlacedStrip]:
        """Yield the parts of these strips to write, and note them as shown.

        These are all texts, and the cells of pictures that differ from those shown.
        """
        for column, row, strip in pieces:
            shown, begin, kept = self._rows.setdefault(row, {}), column, list[Segment]()
            x = column
            for text, style, control in strip:
                if text < FIRST_SIGN or style is None:
                    segment = Segment(text, style, control)
                    kept.append(segment)
                    for at in range(x, x + segment.cell_length):
                        shown.pop(at, None)
                    x += segment.cell_length
                    continue
                for sign in text:
                    if shown.get(x) == (sign, style):
                        if kept:
                            yield PlacedStrip(begin, row, Strip(kept).simplify())
                        begin, kept = x + 1, []
                    else:
                        shown[x] = sign, style
                        kept.append(Segment(sign, style))
                    x += 1
            if kept:
                yield PlacedStrip(begin, row, Strip(kept).simplify())


_AT_FIRST: Final = Pen()  # pen of a terminal with default attributes and colours


class Patch(NamedTuple):
    """A rectangle of a picture's cells."""

    column: int  # where it begins on the screen
    row: int
    left: int  # column and row where it begins in the picture
    top: int
    columns: int
    rows: int
    style: Style


class ShortUpdate(CompositorUpdate):
    """An update of the screen that is written in few bytes, with `cells` of pictures."""

    def __init__(self, pieces: Iterable[PlacedStrip], cells: PictureCells = BY_KITTY) -> None:
        self.pieces = tuple(pieces)
        self._cells = cells

    @property
    def pictures(self) -> list[int]:
        """Numbers of the pictures whose cells are written."""
        return sorted(
            {
                find_number(style)
                for piece in self.pieces
                for text, style, _control in piece.strip
                if text >= FIRST_SIGN and style is not None
            }
        )

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield what is written, as every update of Textual's does."""
        yield Segment(self.render_segments(console))

    def render_segments(self, console: Console) -> str:
        """Return the escape sequences and texts that a terminal is sent."""
        cells, pieces = self._cells, self.pieces
        if cells.shown is not None:
            pieces = tuple(cells.shown.update(pieces))
        system = cells.system or COLOR_SYSTEMS[console.color_system or "truecolor"]
        drawn = () if cells.cell is None else _draw(pieces, cells.cell)
        return "".join((*_write(pieces, system, cells.spell), *drawn))


def find_number(style: Style) -> int:
    """Return the number of the picture that cells of this style are part of."""
    colour = None if style.color is None else style.color.triplet
    return 0 if colour is None else int.from_bytes(colour)


def shorten(update: ChopsUpdate | LayoutUpdate, pictures: PictureCells = BY_KITTY) -> ShortUpdate:
    """Return an update that shows the same in fewer bytes, with these pictures."""
    match update:
        case ChopsUpdate():
            return ShortUpdate(_cut_changed(update), pictures)
        case LayoutUpdate(strips=lines, region=region):
            strips = enumerate((Strip.join(line) for line in lines), region.y)
            return ShortUpdate((PlacedStrip(region.x, y, strip) for y, strip in strips), pictures)


def _cut_changed(update: ChopsUpdate) -> Iterator[PlacedStrip]:
    for y, first, end in update.spans:
        for stop, (x, strip) in zip(update.chop_ends[y], update.chops[y].items(), strict=False):
            begin = max(first, x)
            if strip is not None and begin < min(end, stop):
                yield PlacedStrip(begin, y, strip.crop(begin - x, min(end, stop) - x))


def find_patches(pieces: Iterable[PlacedStrip]) -> list[Patch]:
    """Return the pictures' cells in these strips, in rectangles as tall as they can be."""
    found: list[Patch] = []
    below: dict[Patch, int] = {}  # index in `found`, by the row that would continue the rectangle
    for run in _list_runs(pieces):
        at = below.get(run, len(found))
        if at == len(found):
            found.append(run)
        else:
            found[at] = found[at]._replace(rows=found[at].rows + 1)
        below[run._replace(row=run.row + 1, top=run.top + 1)] = at
    return found


def _list_runs(pieces: Iterable[PlacedStrip]) -> Iterator[Patch]:
    """Yield the pictures' cells in these strips, row by row."""
    for column, row, strip in pieces:
        x = column
        for segment in strip:
            text, style, _control = segment
            if text >= FIRST_SIGN and style is not None:
                ends = [at for at in range(1, len(text)) if ord(text[at]) != ord(text[at - 1]) + 1]
                for start, end in pairwise((0, *ends, len(text))):
                    top, left = place_of_sign(text[start])
                    yield Patch(x + start, row, left, top, end - start, 1, style)
            x += segment.cell_length


def _draw(pieces: Iterable[PlacedStrip], cell: Size) -> Iterator[str]:
    """Yield what draws the pictures in these strips with sixel."""
    from sabtui.art.sixel import Area, draw_patch  # noqa: PLC0415 - for few terminals

    for column, row, left, top, columns, rows, style in find_patches(pieces):
        area, colour = Area(left, top, (columns, rows)), style.bgcolor and style.bgcolor.triplet
        if drawn := draw_patch(find_number(style), area, cell, colour.hex if colour else ""):
            yield _move(column, row) + drawn


def _move(column: int, row: int) -> str:
    """Return the sequence that moves the cursor to a place, counted from 0."""
    return f"\x1b[{row + 1};{column + 1}H"


def _write(
    pieces: Iterable[PlacedStrip], system: ColorSystem, spell: Callable[[str], str]
) -> Iterator[str]:
    pen = _AT_FIRST
    for column, row, strip in pieces:
        yield _move(column, row)
        for text, style, control in strip:
            if control or not text:
                continue
            shown = spell(text) if text >= FIRST_SIGN else text
            wanted = _AT_FIRST if style is None else find_pen(style, system)
            if shown.isspace() and not (pen.attributes | wanted.attributes) & _ON_BLANKS:
                wanted = pen._replace(ground=wanted.ground)
            if wanted != pen:
                yield write_change(pen, wanted)
            yield shown
            pen = wanted
    if pen != _AT_FIRST:
        yield "\x1b[m"


@lru_cache(maxsize=1 << 10)
def find_pen(style: Style, system: ColorSystem) -> Pen:
    codes = (on for name, (on, _off) in _ATTRIBUTES.items() if getattr(style, name))
    colour, ground = style.color, style.bgcolor
    return Pen(
        frozenset(codes),
        _AT_FIRST.colour if colour is None else ";".join(colour.downgrade(system).get_ansi_codes()),
        _AT_FIRST.ground
        if ground is None
        else ";".join(ground.downgrade(system).get_ansi_codes(foreground=False)),
    )


@lru_cache(maxsize=1 << 12)
def write_change(before: Pen, after: Pen) -> str:
    """Return the escape sequence with the fewest codes that turns one pen into another."""
    off = {_OFF[code] for code in before.attributes - after.attributes}
    kept = {code for code in before.attributes if _OFF[code] not in off}
    codes = [*sorted(off), *sorted(after.attributes - kept)]
    codes += [after.colour] if after.colour != before.colour else []
    codes += [after.ground] if after.ground != before.ground else []
    return f"\x1b[{';'.join(codes)}m"


SHOW_CURSOR, HIDE_CURSOR = "\x1b[4 q\x1b[?25h", "\x1b[?25l"
USUAL_CURSOR: Final = "\x1b[0 q"
"""Escape sequences: a steady underline cursor, shown or hidden; the terminal's default cursor."""

PUSH_TITLE, POP_TITLE = "\x1b[22;2t", "\x1b[23;2t"
"""Escape sequences that save and restore the terminal's title. Some terminals ignore them."""


class OutputDriver(Protocol):
    """The part of `QuietDriver` that the app uses; that driver exists only on POSIX."""

    @property
    def is_behind(self) -> bool:
        """True while the terminal does not take what is written."""

    @property
    def cell(self) -> Size | None:
        """Pixels of a cell, where they are known."""

    def ask(self, questions: str) -> None:
        """Write questions to the terminal; its answers arrive as `Answered`."""


class Display:
    """Title, cursor and pictures of the terminal, to which `write` sends escape sequences."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._cursor_shown = False
        self._sent: Sent | None = None
        self.shown: Final = ShownCells()

    def follow_suspension(self, app: App[None]) -> None:
        """Restore the cursor while the app is suspended; Textual hides it again on resume."""
        app.app_suspend_signal.subscribe(
            app, lambda _app: self._write(self.restore_sequences()), immediate=True
        )
        app.app_resume_signal.subscribe(app, lambda _app: self._draw_cursor())

    def set_title(self, text: str) -> None:
        self._write(f"\x1b]2;{sanitise(text)}\x07")

    def show_cursor(self, *, shown: bool) -> None:
        if shown is not self._cursor_shown:
            self._cursor_shown = shown
            self._draw_cursor()

    def send_pictures(self, numbers: Iterable[int], cell: Size | None) -> None:
        for number in numbers:
            if self._sent is None:
                from sabtui.art.kitty import Sent  # noqa: PLC0415 - for few terminals

                self._sent = Sent()
            self._write(self._sent.send(number, cell))

    @contextmanager
    def without_cursor(self, *, when: bool) -> Iterator[None]:
        """Hide the cursor while sixel pictures are drawn: xterm leaves a blank where it was."""
        if when and self._cursor_shown:
            self._write(HIDE_CURSOR)
        yield
        if when and self._cursor_shown:
            self._draw_cursor()

    def restore_sequences(self) -> str:
        """Return the sequences that restore the terminal's default cursor and delete pictures."""
        self.shown.forget()
        return USUAL_CURSOR + (self._sent.delete_all() if self._sent is not None else "")

    def _draw_cursor(self) -> None:
        self._write(SHOW_CURSOR if self._cursor_shown else HIDE_CURSOR)
