"""Panel: rows of styled text drawn with Textual's Line API; a change repaints only what changed.

Text is never markup.

Without colours, bold, dim, underline and reverse remain; no meaning depends on any of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import ClassVar, Final, NamedTuple, TypeAlias

from rich.cells import cell_len, set_cell_size
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual import events, on
from textual.content import Content
from textual.css.styles import RenderStyles
from textual.dom import DOMNode
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from net.protocol.cleaning import sanitise

MAX_GAP_COLUMNS: Final = 8
"""Maximum equal columns between two changes that are rewritten: skipping them costs as much."""


class Look(StrEnum):
    """Look of a piece of text: the name of a component class of `Panel`."""

    PLAIN = "look--plain"
    STRONG = "look--strong"
    DIM = "look--dim"
    RULE = "look--rule"
    KEY = "look--key"
    GOOD = "look--good"
    BAD = "look--bad"
    TURN = "look--turn"
    TALK = "look--talk"
    GOLD = "look--gold"
    REACHED = "look--reached"
    DEAD = "look--dead"
    CUT_OFF = "look--cut-off"
    START = "look--start"
    UNKNOWN = "look--unknown"
    STONE = "look--stone"
    FITS = "look--fits"
    WRONG = "look--wrong"
    EMPTY = "look--empty"
    SAND = "look--sand"
    BURIED = "look--buried"
    RUBBLE = "look--rubble"
    INK = "look--ink"
    MARK = "look--mark"
    PLAYER_1 = "look--player-1"
    PLAYER_2 = "look--player-2"
    PLAYER_3 = "look--player-3"
    PLAYER_4 = "look--player-4"
    PLAYER_5 = "look--player-5"
    PLAYER_6 = "look--player-6"
    PLAYER_7 = "look--player-7"
    PLAYER_8 = "look--player-8"
    PLAYER_9 = "look--player-9"
    PLAYER_10 = "look--player-10"


def player_look(colour: int) -> Look:
    """Return the look of a player's name in the colour with this number, from 0."""
    return Look(f"look--player-{colour + 1}")


class Ground(StrEnum):
    """Background of a piece of text: the name of a component class of `Panel`."""

    CARD = "ground--card"
    ODD_CARD = "ground--odd-card"
    NEW = "ground--new"
    LIT = "ground--lit"
    CURSOR = "ground--cursor"
    SMALL_CURSOR = "ground--small-cursor"
    SMALL_LIT = "ground--small-lit"
    TITLE = "ground--title"
    TURN = "ground--turn"
    ROCK = "ground--rock"
    ODD_ROCK = "ground--odd-rock"
    BURIED_ROCK = "ground--buried-rock"
    NEW_ROCK = "ground--new-rock"
    LIT_ROCK = "ground--lit-rock"
    CURSOR_ROCK = "ground--cursor-rock"
    SAND = "ground--sand"
    GOLD = "ground--gold"
    STONE = "ground--stone"
    BACK = "ground--back"


class Paint(NamedTuple):
    """Colours of a drawn card: of the text, and of its ground, as Rich names them."""

    front: str
    ground: str


class StyledSpan(NamedTuple):
    """Text of one look, or in the colours of a drawn card."""

    text: str
    look: Look | Paint = Look.PLAIN
    ground: Ground | None = None


Row: TypeAlias = tuple[StyledSpan, ...]


def plain(row: Row) -> str:
    return "".join(span.text for span in row)


def width(row: Row) -> int:
    """Return the terminal cells that a row takes."""
    return sum(cell_len(span.text) for span in row)


def fit_text(text: str, columns: int) -> str:
    """Return a text in exactly `columns` cells, cut or padded with blanks."""
    return set_cell_size(text, max(columns, 0))


def cut(text: str, columns: int) -> str:
    """Return a text in at most `columns` cells; a full stop marks a cut."""
    if cell_len(text) <= columns:
        return text
    return set_cell_size(text, columns - 1).rstrip() + "." if columns > 0 else ""


def align_right(text: str, columns: int) -> str:
    """Return a text in exactly `columns` cells, at their right end."""
    text = cut(text, columns)
    return " " * (columns - cell_len(text)) + text


def centre_text(text: str, columns: int) -> str:
    """Return a text in exactly `columns` cells, in their middle."""
    text = cut(text, columns)
    return fit_text(" " * ((columns - cell_len(text)) // 2) + text, columns)


def fill_row(row: Row, columns: int, ground: Ground | None = None) -> Row:
    """Return a row in exactly `columns` cells, cut or padded with blanks."""
    kept, left = list[StyledSpan](), columns
    for span in row:
        if left <= 0:
            break
        wide = cell_len(span.text)
        kept.append(span if wide <= left else span._replace(text=set_cell_size(span.text, left)))
        left -= wide
    if left > 0:
        kept.append(StyledSpan(" " * left, ground=ground))
    return tuple(kept)


def overlaid(row: Row, column: int, *over: StyledSpan) -> Row:
    """Return a row with pieces of text in place of what was there from a column on."""
    if not width(over):
        return row
    return (*fill_row(row, column), *over, *crop_row(row, column + width(over)))


def narrow_row(row: Row, columns: int, sevenths: int) -> Row:
    """Return a row of this many columns as if it were turned over: its ends, between blanks."""
    kept = max(columns * sevenths // 7, 1)
    kept += (columns - kept) % 2
    blank = StyledSpan(" " * ((columns - kept) // 2))
    left, right = fill_row(row, (kept + 1) // 2), crop_row(row, columns - kept // 2)
    return merge_pieces((blank, *left, *right, blank))


def dim_row(row: Row) -> Row:
    """Return a row of the mine in the dark."""
    return tuple(
        span._replace(look=Paint(*map(darken, span.look)))
        if isinstance(span.look, Paint)
        else span._replace(look=Look.EMPTY, ground=span.ground and Ground.CARD)
        for span in row
    )


@cache
def darken(colour: str) -> str:
    """Return a colour at half its light, both as Rich names them; "default" does not change."""
    if colour == "default":
        return colour
    red, green, blue = Color.parse(colour).get_truecolor()
    return f"#{red // 2:02x}{green // 2:02x}{blue // 2:02x}"


def crop_row(row: Row, column: int) -> Row:
    """Return a row without its first cells; half of a wide letter becomes a blank."""
    kept: list[StyledSpan] = []
    for span in row:
        wide = cell_len(span.text)
        if column <= 0:
            kept.append(span)
        elif column < wide:
            kept.append(span._replace(text=_crop_text(span.text, column)))
        column -= wide
    return tuple(kept)


def _crop_text(text: str, column: int) -> str:
    """Return a text without its first cells; half of a wide letter becomes a blank."""
    for at, letter in enumerate(text):
        if column <= 0 and cell_len(letter):
            return " " * -column + text[at:]
        column -= cell_len(letter)
    return " " * -column


def join_rows(rows: Iterable[Row]) -> Row:
    return tuple(span for row in rows for span in row)


def merge_pieces(row: Row) -> Row:
    """Return a row with adjacent pieces of one look merged, which costs fewer bytes."""
    kept: list[StyledSpan] = []
    for span in row:
        if not span.text:
            continue
        if kept and kept[-1][1:] == span[1:]:
            kept[-1] = kept[-1]._replace(text=kept[-1].text + span.text)
        else:
            kept.append(span)
    return tuple(kept)


def find_differences(old: Row, new: Row) -> list[range]:
    """Return the columns in which two rows differ, with gaps too small to be skipped.

    Terminals do not agree on the cells that wide letters take, so a row with such a letter counts
    as different as a whole: what follows the letter may be anywhere.
    """
    if old == new:
        return []
    if not (_is_narrow(old) and _is_narrow(new)):
        return [range(max(width(old), width(new)))]
    found: list[range] = []
    for column, (before, now) in enumerate(zip_longest(_list_cells(old), _list_cells(new))):
        if before == now:
            continue
        if found and column - found[-1].stop <= MAX_GAP_COLUMNS:
            found[-1] = range(found[-1].start, column + 1)
        else:
            found.append(range(column, column + 1))
    return found


def _is_narrow(row: Row) -> bool:
    return all(cell_len(letter) == 1 for span in row for letter in span.text)


def _list_cells(row: Row) -> Iterator[StyledSpan]:
    """Yield a row's cells; a blank without a ground is the same in every look."""
    for text, look, ground in row:
        has_ground = ground is not None or (isinstance(look, Paint) and look.ground != "default")
        for letter in text:
            seen = Look.PLAIN if letter == " " and not has_ground else look
            yield StyledSpan(letter, seen, ground)


def draw_rule(title: str, columns: int, across: str, at: int | None = None, joint: str = "") -> Row:
    """Return a rule with a title in it, and a joint where another rule meets it."""
    text = f" {cut(title, columns - 4)} " if title else ""
    line = across * columns
    if at is not None and 0 <= at < columns:
        line = line[:at] + joint + line[at + 1 :]
    begin, end = line[:2], line[2 + cell_len(text) :]
    return StyledSpan(begin, Look.RULE), StyledSpan(text, Look.STRONG), StyledSpan(end, Look.RULE)


class Panel(Widget):
    """Rows of text in a fixed area."""

    ALLOW_SELECT = False
    COMPONENTS: ClassVar[frozenset[str]] = frozenset(
        (*(look.value for look in Look), *(ground.value for ground in Ground))
    )
    """Component classes. They are not COMPONENT_CLASSES, whose styles Textual works out each time
    it styles a widget: half of the time that it took to open a table."""

    DEFAULT_CSS = Path(__file__).with_name("panel.tcss").read_text(encoding="utf-8")

    @dataclass
    class Pressed(Message):
        """Message: the panel was clicked at a column and row."""

        panel: Panel
        column: int
        row: int
        button: int

    @dataclass
    class Wheeled(Message):
        """Message: the wheel was turned over the panel, by steps to the right and down."""

        panel: Panel
        right: int
        down: int
        is_zoom: bool

    def __init__(self, id: str) -> None:  # noqa: A002 - Textual's name for it
        super().__init__(id=id)
        self.rows: tuple[Row, ...] = ()

    def show(self, rows: Sequence[Row]) -> None:
        """Show these rows, and repaint only what differs from the last ones."""
        old, new = self.rows, tuple(merge_pieces(sanitise_row(row)) for row in rows)
        self.rows = new
        if len(old) != len(new):
            self.refresh()
            return
        changed = [
            Region(columns.start, y, len(columns), 1)
            for y, (before, now) in enumerate(zip(old, new, strict=True))
            for columns in find_differences(before, now)
        ]
        if changed:
            self.refresh(*changed)

    def render_line(self, y: int) -> Strip:
        columns = self.size.width
        row = fill_row(self.rows[y] if y < len(self.rows) else (), columns)
        return Strip([Segment(span.text, self._style(span)) for span in row], columns)

    def _style(self, span: StyledSpan) -> Style:
        look = Look.PLAIN if isinstance(span.look, Paint) else span.look
        style = self.get_component_rich_style(look.value)
        if span.ground is not None:
            style += self.get_component_rich_style(span.ground.value, partial=True)
        return style + _make_paint_style(span.look) if isinstance(span.look, Paint) else style

    def get_component_styles(self, *names: str) -> RenderStyles:
        """Return the styles of components; each is worked out when it is first asked for."""
        for name in self.COMPONENTS.intersection(names).difference(self._component_styles):
            self._component_styles[name] = self._component_style(name)
        return super().get_component_styles(*names)

    def notify_style_update(self) -> None:
        """Forget the styles of components: Textual calls this with each change of style."""
        self._component_styles.clear()
        super().notify_style_update()

    def _component_style(self, name: str) -> RenderStyles:
        """Return a component's styles, from a node that is in no tree, as Textual does.

        The theme is a class of it, for themes that are more than Textual's colours.
        """
        component = DOMNode(classes=f"{name} {self.app.theme}")
        component._attach(self)  # noqa: SLF001 - to a component its widget is the parent
        self.app.stylesheet.apply(component)
        return component.styles

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.post_message(self.Pressed(self, event.x, event.y, event.button))

    @on(events.MouseScrollDown)
    @on(events.MouseScrollUp)
    def wheel(self, event: events.MouseEvent) -> None:
        """Post `Wheeled` for a step up or down, or with Shift to the right or left."""
        event.stop()
        event.prevent_default()
        step = 1 if isinstance(event, events.MouseScrollDown) else -1
        right, down = (step, 0) if event.shift else (0, step)
        self.post_message(self.Wheeled(self, right, down, is_zoom=event.ctrl))


def assemble(row: Row) -> Content:
    """Return a row of drawn cards or portraits as a line."""
    return Content.assemble(*((span.text, _spell_style(span)) for span in row))


def _spell_style(span: StyledSpan) -> str:
    """Return the style of a piece of a row; what is written beside a picture is bold."""
    if isinstance(span.look, Paint):
        style, has_ground = _spell_paint(span.look), span.look.ground != "default"
    else:
        style, has_ground = "" if span.text.isspace() else "bold", False
    on_card = span.ground is Ground.CARD and not has_ground
    return f"{style} on $panel".lstrip() if on_card else style


@cache
def _spell_paint(paint: Paint) -> str:
    front, ground = (
        "" if name == "default" else Color.parse(name).get_truecolor().hex for name in paint
    )
    return f"{front} on {ground}" if ground else front


@cache
def _make_paint_style(paint: Paint) -> Style:
    """Return the colours of a drawn card, on what is behind it where the ground is `default`."""
    ground = None if paint.ground == "default" else paint.ground
    return Style(color=paint.front, bgcolor=ground)


def sanitise_row(row: Row) -> Row:
    """Return a row with its text sanitised: names and chat come from the host, but no card."""
    return tuple(
        span if isinstance(span.look, Paint) else span._replace(text=sanitise(span.text))
        for span in row
    )
