"""Rows of styled text: pure functions build them and panels show them.

Text is never markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import cache
from itertools import zip_longest
from typing import Final, NamedTuple, TypeAlias

from rich.cells import cell_len, set_cell_size
from rich.color import Color

MAX_GAP_COLUMNS: Final = 8
"""Most equal columns between two changes that are written again: to skip them costs as much."""


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
    LADDER = "look--ladder"
    INK = "look--ink"
    BACK = "look--back"
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
    GLOW = "look--glow"


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
    """Text of one look, or in the colours of a drawn card, which may leave its ground in sight."""

    text: str
    look: Look | Paint = Look.PLAIN
    ground: Ground | None = None


Row: TypeAlias = tuple[StyledSpan, ...]


def plain(row: Row) -> str:
    """Return the text of a row."""
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
    kept: list[StyledSpan] = []
    left = columns
    for span in row:
        wide = cell_len(span.text)
        if wide > left:
            kept.append(span._replace(text=set_cell_size(span.text, left)))
            left = 0
            break
        kept.append(span)
        left -= wide
    if left:
        kept.append(StyledSpan(" " * left, ground=ground))
    return tuple(kept)


def overlaid(row: Row, column: int, *over: StyledSpan) -> Row:
    """Return a row with pieces of text in place of what was there from a column on."""
    if not width(over):
        return row
    return (*fill_row(row, column), *over, *row_from(row, column + width(over)))


def narrow_row(row: Row, columns: int, sevenths: int) -> Row:
    """Return a row of so many columns as if it were turned, seen in sevenths of its width.

    Its ends are kept, in the middle of blanks.
    """
    kept = max(columns * sevenths // 7, 1)
    kept += (columns - kept) % 2
    blank = StyledSpan(" " * ((columns - kept) // 2))
    left, right = fill_row(row, (kept + 1) // 2), row_from(row, columns - kept // 2)
    return merge_pieces((blank, *left, *right, blank))


_ROCKS: Final = frozenset(ground for ground in Ground if ground.value.endswith("rock"))


def dim_row(row: Row) -> Row:
    """Return a row of the mine in the dark."""
    return tuple(map(_dim, row))


def _dim(span: StyledSpan) -> StyledSpan:
    if isinstance(span.look, Paint):
        return span._replace(look=Paint(*map(darken, span.look)))
    if span.ground in _ROCKS or span.ground in {Ground.SAND, Ground.GOLD, Ground.STONE}:
        return span._replace(look=Look.BURIED, ground=Ground.BURIED_ROCK)
    ground = None if span.ground is None else Ground.CARD
    return span._replace(look=Look.EMPTY, ground=ground)


@cache
def darken(colour: str) -> str:
    """Return a colour at half its light, both as Rich names them; "default" does not change."""
    if colour == "default":
        return colour
    red, green, blue = Color.parse(colour).get_truecolor()
    return f"#{red // 2:02x}{green // 2:02x}{blue // 2:02x}"


def row_from(row: Row, column: int) -> Row:
    """Return a row without its first cells; half of a wide letter becomes a blank."""
    kept: list[StyledSpan] = []
    for span in row:
        wide = cell_len(span.text)
        if column <= 0:
            kept.append(span)
        elif column < wide:
            kept.append(span._replace(text=_text_from(span.text, column)))
        column -= wide
    return tuple(kept)


def _text_from(text: str, column: int) -> str:
    """Return a text without its first cells; half of a wide letter becomes a blank.

    The combining marks of a letter go with it.
    """
    for at, letter in enumerate(text):
        if column <= 0 and cell_len(letter):
            return " " * -column + text[at:]
        column -= cell_len(letter)
    return " " * -column


def join_rows(rows: Iterable[Row]) -> Row:
    """Return rows joined end to end."""
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


def differences(old: Row, new: Row) -> list[range]:
    """Return the columns in which two rows differ, with gaps too small to be skipped.

    Terminals do not agree on the cells that wide letters take, so that a row with such a letter is
    taken to differ as a whole: what follows the letter may stand anywhere.
    """
    if old == new:
        return []
    if not (_is_narrow(old) and _is_narrow(new)):
        return [range(max(width(old), width(new)))]
    found: list[range] = []
    for column, (before, now) in enumerate(zip_longest(_cells(old), _cells(new))):
        if before == now:
            continue
        if found and column - found[-1].stop <= MAX_GAP_COLUMNS:
            found[-1] = range(found[-1].start, column + 1)
        else:
            found.append(range(column, column + 1))
    return found


def _is_narrow(row: Row) -> bool:
    return all(cell_len(letter) == 1 for span in row for letter in span.text)


def _cells(row: Row) -> Iterator[StyledSpan]:
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
