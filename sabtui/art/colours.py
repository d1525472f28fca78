"""Colours of the baked pictures: lit in several ways, for dark and light themes, true or few.

The pictures hold numbers of colours. A `Tint` says how a card is lit; a palette is what the numbers
then mean.
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
    IDLE = "idle"  # a card that cannot be played now


class Shade(NamedTuple):
    """A colour that a terminal has, and its name there."""

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
"""The share of a colour that each tint mixes in, and that colour."""

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
    """Return the shade of each of the 256 numbers of colours in the pictures, `CLEAR` the last."""
    known = (Colour(*bytes.fromhex(text.removeprefix("#"))) for text in read_index().palette)
    found = [_find_shade(_light(colour, tint, is_dark=is_dark), depth) for colour in known]
    return (*found, *[_CLEAR_SHADE] * (CLEAR + 1 - len(found)))


def _light(colour: Colour, tint: Tint, *, is_dark: bool) -> Colour:
    part, towards = _TINTS[tint]
    if part:
        light = _weigh(colour) / 255
        lit = _change_parts(towards, lambda value: value * (0.3 + 0.9 * light))
        colour = Colour(*(round(a + (b - a) * part) for a, b in zip(colour, lit, strict=True)))
    if is_dark:
        return colour
    # On a light screen dark colours are lifted, and light ones stay.
    return _change_parts(colour, lambda value: 255 * (0.16 + 0.84 * (value / 255) ** 0.74))


def name_colour(colour: Colour, depth: Depth) -> str:
    """Return the name of the colour nearest to this one that a terminal has."""
    return _find_shade(colour, depth).name


def _find_shade(colour: Colour, depth: Depth) -> Shade:
    match depth:
        case Depth.TRUE:
            return Shade(colour, colour.hex)
        case Depth.MANY:
            # Treat it as less grey than it is: otherwise the nearest of these colours to a brown is
            # a grey.
            grey = _weigh(colour)
            strong = _change_parts(colour, lambda value: grey + (value - grey) * 1.6)
            at = min(range(len(_MANY)), key=lambda number: _compare(strong, _MANY[number]))
            return Shade(_MANY[at], f"color({at + 16})")


def _weigh(colour: Colour) -> float:
    """Return the lightness of a colour to the eye, from 0 to 255."""
    return 0.299 * colour.red + 0.587 * colour.green + 0.114 * colour.blue


def _change_parts(colour: Colour, change: Callable[[float], float]) -> Colour:
    """Return a colour whose red, green and blue were each changed, and kept between 0 and 255."""
    return Colour(*(min(255, max(0, round(change(value)))) for value in colour))


def _compare(colour: Colour, other: Colour) -> float:
    """Return the difference of two colours to the eye, which sees green best (the "redmean")."""
    red = (colour.red + other.red) / 512
    return (
        (2 + red) * (colour.red - other.red) ** 2
        + 4 * (colour.green - other.green) ** 2
        + (3 - red) * (colour.blue - other.blue) ** 2
    )
