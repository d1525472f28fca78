"""Cards of the mine: rock, tunnel, light and rubble, composed from parts for any size.

Lengths are in units: the width of a terminal cell, which is half its height. North is at the top.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random
from typing import Final

import numpy as np
from PIL import Image, ImageFilter

from sabtui.art.catalogue import Thing
from tools.art.shapes import (
    Picture,
    Point,
    boulder,
    cobbles,
    document,
    grey,
    place,
    polygon,
    render,
    shrink,
)
from tools.art.shapes import thing as read_thing

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
_WAYS: Final = {NORTH: (0, -1), EAST: (1, 0), SOUTH: (0, 1), WEST: (-1, 0)}

LIT_BORE: Final = 0.30
COLD_BORE: Final = 0.17
"""Width of tunnels, as a part of a card's shorter side."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A card of the mine. Its edges are added up from `NORTH` to `WEST`."""

    edges: int
    is_through: bool
    is_lit: bool
    thing: Thing = Thing.NONE


@dataclass(frozen=True, slots=True)
class Grid:
    """Size in cells and how finely a cell is divided; `pixels` are those of a unit."""

    columns: int
    rows: int
    across: int = 2
    down: int = 4
    pixels: int = 16

    @property
    def width(self) -> float:
        """Width in units."""
        return self.columns

    @property
    def height(self) -> float:
        """Height in units."""
        return 2 * self.rows

    @property
    def is_small(self) -> bool:
        """True where fine lines would be lost: in few rows of glyphs, though not of pixels."""
        return self.rows < 5 and self.down <= 4

    @property
    def is_coarse(self) -> bool:
        """True where a thing has few points, so that its small drawing is the clearer one."""
        return min(self.columns * self.across, self.rows * self.down) < 28

    @property
    def point(self) -> tuple[float, float]:
        """Width and height of a point, in units."""
        return 1 / self.across, 2 / self.down

    @property
    def hints(self) -> tuple[object, ...]:
        """Everything that the division of cells changes about a card of the mine."""
        return (self.bore(LIT_BORE), self.bore(COLD_BORE), self.point, self.is_coarse)

    @property
    def has_thin_lines(self) -> bool:
        """True where a line beside a tunnel does not blur it."""
        return not self.is_small or self.down == 4

    def bore(self, part: float) -> tuple[float, float]:
        """Return the widths of tunnels to north and east: whole points of the grid, centred."""
        wanted = part * min(self.width, self.height)
        return (
            _fit(wanted, self.columns * self.across, self.width),
            _fit(wanted, self.rows * self.down, self.height),
        )


def _fit(wanted: float, points: int, length: float) -> float:
    """Return the length nearest to the wanted one that is whole points and can be centred."""
    point = length / points
    counts = range(2 - points % 2, points, 2)
    return min((count * point for count in counts), key=lambda size: abs(size - wanted))


@dataclass(frozen=True, slots=True)
class _Paints:
    """Colours of rock near and far from the light, of tunnels, their walls, and stones."""

    near: tuple[float, float, float]
    far: tuple[float, float, float]
    floor: tuple[float, float, float]
    rim: tuple[float, float, float]
    wall: tuple[float, float, float]
    stone: tuple[float, float, float]


def _rgb(text: str) -> tuple[float, float, float]:
    return (int(text[1:3], 16) / 255, int(text[3:5], 16) / 255, int(text[5:7], 16) / 255)


LIT: Final = _Paints(
    near=_rgb("#8a5a32"),
    far=_rgb("#33241a"),
    floor=_rgb("#f0c987"),
    rim=_rgb("#bb8445"),
    wall=_rgb("#1d120b"),
    stone=_rgb("#b9aa9a"),
)
COLD: Final = _Paints(
    near=_rgb("#30343f"),
    far=_rgb("#1d2027"),
    floor=_rgb("#858da3"),
    rim=_rgb("#5a6072"),
    wall=_rgb("#121318"),
    stone=_rgb("#868da0"),
)


def draw(card: Ground, grid: Grid, seed: int) -> Picture:
    """Return a card of the mine as pixels of red, green and blue."""
    return _Drawing(card, grid, Random(f"{card}{seed}")).draw()


class _Drawing:
    """One card while it is drawn."""

    def __init__(self, card: Ground, grid: Grid, chance: Random) -> None:
        self.card, self.grid, self.chance = card, grid, chance
        self.width, self.height = grid.width, grid.height
        self.middle = (self.width / 2, self.height / 2)
        self.paints = LIT if card.is_lit else COLD
        self.bore = grid.bore(LIT_BORE if card.is_lit else COLD_BORE)
        self.size = (round(self.width * grid.pixels), round(self.height * grid.pixels))
        self.lamp = self._find_lamp()

    def draw(self) -> Picture:
        """Return the pixels."""
        stone = self._layer(self._rock())
        floor = self._layer(self._floor(0))
        light = self._light(floor)
        paints = self.paints
        near, far = np.array(paints.near), np.array(paints.far)
        picture = (far + (near - far) * light[..., None]) * (0.55 + 0.75 * stone[..., None])
        if self.grid.has_thin_lines:
            wide = self._layer(self._floor(0.32 if self.grid.is_small else 0.5))
            strength = 0.55 if self.grid.is_small else 0.9
            picture = _mix(picture, np.array(paints.wall), wide * strength)
        picture = _mix(picture, self._sand(floor), floor)
        picture = self._over(picture, self._rubble() + self._sign())
        return np.clip(self._seam(picture, floor), 0, 1)

    def _layer(self, body: str, *, is_black: bool = True) -> Picture:
        """Return the brightness of a drawing in greys."""
        ground = f'<rect width="{self.width}" height="{self.height}" fill="#000"/>'
        return render(self._page(ground * is_black + body), *self.size)[..., 0]

    def _page(self, body: str) -> str:
        return document(body, self.width, self.height)

    # Rock

    def _rock(self) -> str:
        """Return the facets of the rock in greys, each lighter where it juts out."""
        size = max(1.5, min(self.width, self.height) / (4.2 if self.grid.is_small else 5.5))
        parts = [f'<rect width="{self.width}" height="{self.height}" fill="{grey(0.22)}"/>']
        for cell in cobbles(self.chance, self.width, self.height, size):
            level = self.chance.uniform(0.36, 0.72)
            parts.append(polygon(shrink(cell, 0.95), fill=grey(level * 0.82)))
            parts.append(polygon(shrink(cell, 0.72), fill=grey(level)))
            if not self.grid.is_small and self.chance.random() < 0.3:
                parts.append(polygon(shrink(cell, 0.3), fill=grey(level * 1.18)))
        return "".join(parts)

    # Tunnel

    def _floor(self, wall: float) -> str:
        """Return the tunnels in white; `wall` units wider on each side."""
        parts = [self._arm(side, wall) for side in _WAYS if self.card.edges & side]
        if self.card.is_through and self.card.is_lit:
            wide, high = self.bore
            x, y = self.middle
            round_ = 0.5 if not self.grid.is_small else 0.32
            parts.append(
                f'<rect x="{x - wide / 2 - wall:g}" y="{y - high / 2 - wall:g}" '
                f'width="{wide + 2 * wall:g}" height="{high + 2 * wall:g}" '
                f'rx="{round_ * wide:g}" ry="{round_ * high:g}" fill="#fff"/>'
            )
        elif self.card.is_through:
            wide, high = self.bore
            x, y = self.middle
            parts.append(
                f'<rect x="{x - wide / 2 - wall:g}" y="{y - high / 2 - wall:g}" '
                f'width="{wide + 2 * wall:g}" height="{high + 2 * wall:g}" fill="#fff"/>'
            )
        return "".join(parts)

    def _arm(self, side: int, wall: float) -> str:
        """Return an arm from its mouth to the middle, with uneven walls between."""
        dx, _dy = _WAYS[side]
        length = self.width / 2 if dx else self.height / 2
        half = (self.bore[1] if dx else self.bore[0]) / 2
        end = 0.0 if self.card.is_through else half * 0.55
        chance = Random(f"{self.card}{side}{self.lamp}")
        uneven = 0.0 if self.grid.is_small else 0.34
        steps = max(3, round(length / 0.8))
        sides: list[list[Point]] = []
        for sign in (-1, 1):
            line = []
            for step in range(steps + 1):
                along = length + 1 - (length + 1 - end) * step / steps
                taper = min(1.0, max(0.0, (length - along) / 1.2), max(0.0, along - half) / 1.0)
                out = half + wall + taper * uneven * chance.uniform(-0.75, 1)
                line.append(self._point(side, along, sign * out))
            sides.append(line)
        if self.card.is_lit:
            return polygon(sides[0] + sides[1][::-1], fill="#fff")
        return "".join(self._dashes(side, length, end, half + wall, wall))

    def _dashes(self, side: int, length: float, end: float, half: float, wall: float) -> list[str]:
        """Return an arm of a stretch cut off: broken into pieces."""
        dx = _WAYS[side][0]
        point = self.grid.point[0 if dx else 1]
        piece = max(round((0.9 if self.grid.is_small else 1.6) / point), 1) * point
        gap = max(round((0.4 if self.grid.is_small else 0.8) / point), 1) * point
        start = max(end, (self.bore[0] if dx else self.bore[1]) / 2)
        parts, high = [], length
        while high > start + point / 2:
            low = max(high - piece, start)
            out = high + wall + (high == length)
            corners = [(low - wall, -half), (out, -half), (out, half), (low - wall, half)]
            parts.append(polygon([self._point(side, *c) for c in corners], fill="#fff"))
            high = low - gap
        return parts

    def _point(self, side: int, along: float, out: float) -> Point:
        """Return the point so far from the middle towards a side, and so far beside that line."""
        dx, dy = _WAYS[side]
        return (self.middle[0] + dx * along - dy * out, self.middle[1] + dy * along + dx * out)

    # Light

    def _find_lamp(self) -> Point | None:
        """Return where a lantern hangs: at a corner of a lit tunnel."""
        if not self.card.is_lit or self.card.thing or not self.card.is_through:
            return None
        if self.grid.is_coarse:
            return None
        sx, sy = self.chance.choice((-1, 1)), self.chance.choice((-1, 1))
        away = 0.75
        straight = self.card.edges in (NORTH | SOUTH, EAST | WEST)
        slide = self.chance.uniform(0.5, 1.1) if straight else 1
        wide, high = self.bore
        if self.card.edges == EAST | WEST:
            return (self.middle[0] + sx * slide * wide, self.middle[1] + sy * (high / 2 + away))
        if self.card.edges == NORTH | SOUTH:
            return (self.middle[0] + sx * (wide / 2 + away), self.middle[1] + sy * slide * high)
        return (self.middle[0] + sx * (wide / 2 + away), self.middle[1] + sy * (high / 2 + away))

    def _light(self, floor: Picture) -> Picture:
        """Return how much light falls on the rock, from 0 to 1."""
        reach = 0.16 * min(self.width, self.height)
        light = 2.1 * self._blur(floor, reach) ** 1.15
        if self.lamp:
            light = light + 0.55 * self._glow(self.lamp, 1.25 * reach)
        if self.card.thing is Thing.TREASURE and self.card.is_lit:
            light = light + 0.9 * self._glow(self.middle, 2.1 * reach)
        return np.clip(light, 0, 1.12)

    def _glow(self, at: Point, reach: float) -> Picture:
        y, x = np.mgrid[0 : self.size[1], 0 : self.size[0]] / self.grid.pixels
        return np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / (2 * reach * reach))

    def _blur(self, layer: Picture, reach: float) -> Picture:
        """Return a layer blurred, as if it went on beyond the card's edges."""
        margin = self.grid.pixels * 3
        wide = np.pad(layer, margin, mode="edge")
        image = Image.fromarray(np.uint8(np.clip(wide, 0, 1) * 255))
        image = image.filter(ImageFilter.GaussianBlur(reach * self.grid.pixels))
        blurred = np.asarray(image, dtype=np.float64) / 255
        return blurred[margin:-margin, margin:-margin]

    def _sand(self, floor: Picture) -> Picture:
        """Return the tunnel's floor: paler in the middle, with trodden flat stones."""
        paints = self.paints
        if self.grid.is_small:
            return np.array(paints.floor) * 0.8 + np.array(paints.rim) * 0.2 + 0 * floor[..., None]
        inner = np.clip(self._blur(floor, 0.10 * min(self.bore) + 0.16) * 2.3 - 1.3, 0, 1)
        sand = (
            np.array(paints.rim)
            + (np.array(paints.floor) - np.array(paints.rim)) * inner[..., None]
        )
        spots = []
        for _ in range(round(self.width * self.height / 7)):
            x, y = self.chance.uniform(0, self.width), self.chance.uniform(0, self.height)
            radius = self.chance.uniform(0.14, 0.42)
            level = self.chance.choice((0.38, 0.42, 0.58))
            spots.append(polygon(boulder(self.chance, x, y, radius, 6), fill=grey(level)))
        ground = f'<rect width="{self.width}" height="{self.height}" fill="{grey(0.5)}"/>'
        return sand * (0.45 + 1.1 * self._layer(ground + "".join(spots)))[..., None]

    # What lies there

    def _rubble(self) -> str:
        """Return the stones that fill the middle of a dead end."""
        if self.card.is_through:
            return ""
        x, y = self.middle
        wide, high = self.grid.bore(LIT_BORE)
        base = np.array(self.paints.stone)
        small = self.grid.is_small
        line = _css(np.array(self.paints.wall))
        hole = boulder(self.chance, x, y, (0.86 if small else 0.94) * (wide + high) / 2, 11)
        parts = [polygon(hole, fill=line)]
        stones = [(0.46, 0.0, 0.0)] if small else [(0.44, 0.06, 0.10)]
        count, ring = (5, 0.62) if small else (8, 0.68)
        first = self.chance.random()
        for at in range(count):
            angle = math.tau * (at + first + self.chance.uniform(-0.16, 0.16)) / count
            away = ring * self.chance.uniform(0.86, 1.16)
            size = (0.40 if small else 0.31) * self.chance.uniform(0.84, 1.16)
            stones.insert(0, (size, away * math.cos(angle), away * math.sin(angle)))
        for radius, dx, dy in stones:
            shade = self.chance.uniform(0.78 if small else 0.62, 1.12)
            px, py = x + dx * wide * 0.9, y + dy * high * 0.9
            size = radius * (wide + high) / 2
            shape = boulder(self.chance, px, py, size, 7)
            parts.append(
                polygon(
                    shape, fill=_css(base * shade), stroke=line, stroke_width=0.1 if small else 0.2
                )
            )
            if not small:
                parts.append(
                    polygon(
                        [(a - 0.06 * size, b - 0.1 * size) for a, b in shrink(shape, 0.55)],
                        fill=_css(base * shade * 1.25),
                    )
                )
        return "".join(parts)

    def _sign(self) -> str:
        """Return the ladder of the start, gold, a stone, or a lantern on the wall."""
        x, y = self.middle
        wide, high = self.grid.bore(LIT_BORE)
        small = self.grid.is_coarse
        match self.card.thing:
            case Thing.START:
                body = read_thing("ladder", is_small=small)
                if not small:
                    return place(body, x - wide / 2, 0, wide, self.height)
                wide += 2 * self.grid.point[0]
                return self._rungs(wide) + place(body, x - wide / 2, 0, wide, self.height)
            case Thing.TREASURE | Thing.STONE:
                name = "gold" if self.card.thing is Thing.TREASURE else "stone"
                body = read_thing(name, is_small=small)
                size = (2.3 if small else 2.0) * max(wide, high)
                if small:  # where tunnels are thin, a small thing would be one more stone
                    size = max(size, 0.64 * min(self.width, self.height))
                return place(body, x - size / 2, y - size / 2, size, size)
            case _ if self.lamp:
                size = 0.11 * min(self.width, self.height) + 0.3
                body = read_thing("lamp")
                return place(body, self.lamp[0] - size / 2, self.lamp[1] - size / 2, size, size)
            case _:
                return ""

    def _rungs(self, wide: float) -> str:
        """Return the rungs of a small ladder, each as high as a point."""
        high = self.grid.point[1]
        step = (2 if high > 0.6 else 3) * high
        left = self.middle[0] - wide / 2
        return "".join(
            f'<rect x="{left:g}" y="{high + at * step:g}" width="{wide:g}" '
            f'height="{high:g}" fill="#7a4118"/>'
            for at in range(math.ceil(self.height / step))
        )

    def _over(self, picture: Picture, body: str) -> Picture:
        """Return a picture with a coloured drawing over it."""
        if not body:
            return picture
        drawn = render(self._page(body), *self.size)
        if not self.card.is_lit:
            light = drawn[..., :3].mean(axis=-1, keepdims=True)
            cold = np.array(COLD.stone) * 1.5 * light
            drawn = np.concatenate([0.85 * cold + 0.15 * drawn[..., :3], drawn[..., 3:]], axis=-1)
        return _mix(picture, drawn[..., :3], drawn[..., 3])

    def _seam(self, picture: Picture, floor: Picture) -> Picture:
        """Return a picture darker along its edges, so that one sees where each card begins."""
        y, x = np.mgrid[0 : self.size[1], 0 : self.size[0]] + 0.5
        pixels = self.grid.pixels
        away = np.minimum(np.minimum(x, self.size[0] - x), np.minimum(y, self.size[1] - y)) / pixels
        line = 0.5 if self.grid.is_small else 0.36
        dark = 0.62 + 0.22 * floor if self.grid.is_small else 0.5 + 0.24 * floor
        return picture * np.where(away < line, dark, 1.0)[..., None]


def _mix(picture: Picture, colour: Picture, strength: Picture) -> Picture:
    return picture * (1 - strength[..., None]) + colour * strength[..., None]


def _css(colour: Picture) -> str:
    red, green, blue = (round(255 * min(max(float(part), 0), 1)) for part in colour)
    return f"#{red:02x}{green:02x}{blue:02x}"
