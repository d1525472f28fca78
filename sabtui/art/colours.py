"""Colours of the baked pictures: lit in several ways, for dark and light themes, true or few.

The pictures hold numbers of colours. A `Tint` says how a card is lit; a palette is what the numbers
then stand for.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import cache
from typing import Final, NamedTuple

from sabtui.art.store import CLEAR, read_index


class Colour(NamedTuple):
    """Red, green and blue, from 0 to 255."""

    red: int
    green: int
    blue: int

    @property
    def hex(self) -> str:
        """The colour as `#rrggbb`."""
        return f"#{self.red:02x}{self.green:02x}{self.blue:02x}"


class Depth(StrEnum):
    """Number of colours that a terminal has."""

    TRUE = "true"
    MANY = "256"


class Tint(StrEnum):
    """Light that falls on a card."""

    PLAIN = "plain"
    NEW = "new"  # the newest card, and one that shines for a moment
    FITS = "fits"  # the chosen card where it may be laid; it also has a mark there
    WRONG = "wrong"  # the chosen card where it may not be laid
    LIT = "lit"  # a card that the chosen one can be played on
    IDLE = "idle"  # a card that can do nothing now


class Shade(NamedTuple):
    """A colour as a tint and a theme show it, and its name for a terminal."""

    colour: Colour
    name: str  # `#rrggbb`, `color(0)` to `color(255)`, or `default` for the screen's own ground


_TINTS: Final[dict[Tint, tuple[float, Colour]]] = {
    Tint.PLAIN: (0.0, Colour(0, 0, 0)),
    Tint.NEW: (0.34, Colour(255, 226, 150)),
    Tint.FITS: (0.52, Colour(96, 214, 96)),
    Tint.WRONG: (0.50, Colour(226, 62, 62)),
    Tint.LIT: (0.34, Colour(110, 190, 255)),
    Tint.IDLE: (0.72, Colour(84, 82, 80)),
}
"""How much of which colour a tint mixes in."""

_CLEAR_SHADE: Final = Shade(Colour(0, 0, 0), "default")

_STEPS: Final = (0, 95, 135, 175, 215, 255)
_MANY: Final = (
    *(Colour(red, green, blue) for red in _STEPS for green in _STEPS for blue in _STEPS),
    *(Colour(level, level, level) for level in range(8, 239, 10)),
)
"""Colours 16 to 255 of terminals that have 256."""


@cache
def list_shades(
    tint: Tint = Tint.PLAIN, depth: Depth = Depth.TRUE, *, is_dark: bool = True
) -> tuple[Shade, ...]:
    """Return what the numbers of colours stand for; `CLEAR` is the last of 256."""
    known = (Colour(*bytes.fromhex(text.removeprefix("#"))) for text in read_index().palette)
    found = [_shade(colour, tint, depth, is_dark) for colour in known]
    return (*found, *[_CLEAR_SHADE] * (CLEAR + 1 - len(found)))


def _shade(colour: Colour, tint: Tint, depth: Depth, is_dark: bool) -> Shade:  # noqa: FBT001 - a key
    part, towards = _TINTS[tint]
    if part:
        light = _lightness(colour) / 255
        lit = _each(lambda value: value * (0.3 + 0.9 * light), towards)
        mixed = (round(a + (b - a) * part) for a, b in zip(colour, lit, strict=True))
        colour = Colour(*mixed)
    if not is_dark:  # what is dark is lifted, what is light stays
        colour = _each(lambda value: 255 * (0.16 + 0.84 * (value / 255) ** 0.74), colour)
    return Shade(*_name(colour, depth))


def name_colour(colour: Colour, depth: Depth) -> str:
    """Return the name of the colour nearest to this one that a terminal has."""
    return _name(colour, depth)[1]


def _name(colour: Colour, depth: Depth) -> tuple[Colour, str]:
    match depth:
        case Depth.TRUE:
            return colour, colour.hex
        case Depth.MANY:
            grey = _lightness(colour)  # further from it: the nearest of these to a brown is a grey
            at = _nearest(_each(lambda value: grey + (value - grey) * 1.6, colour), _MANY)
            return _MANY[at], f"color({at + 16})"


def _lightness(colour: Colour) -> float:
    return 0.299 * colour.red + 0.587 * colour.green + 0.114 * colour.blue


def _each(change: Callable[[float], float], colour: Colour) -> Colour:
    return Colour(*(min(255, max(0, round(change(value)))) for value in colour))


def _nearest(colour: Colour, others: tuple[Colour, ...]) -> int:
    """Return the number of the colour that looks most alike."""

    def away(at: int) -> float:
        other = others[at]
        red = (colour.red + other.red) / 512
        return (
            (2 + red) * (colour.red - other.red) ** 2
            + 4 * (colour.green - other.green) ** 2
            + (3 - red) * (colour.blue - other.blue) ** 2
        )

    return min(range(len(others)), key=away)
