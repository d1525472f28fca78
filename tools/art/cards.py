"""Cards of the hand, roles, gold and dwarves, composed from the things.

Each is drawn for a size in cells, on a grid of units as high as wide: a cell is one wide, two high.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from sabtui.art.blocks import WORD_POINTS
from tools.art.ground import Grid
from tools.art.shapes import Picture, document, place, render, thing

TOOLS: Final = {"P": "pick", "L": "lantern", "C": "cart"}


@dataclass(frozen=True, slots=True)
class _Back:
    """Ground of a card: its middle, its edge and the line around it."""

    middle: str
    edge: str
    line: str


THINGS: Final = {
    "map": _Back("#5d8fb5", "#213f5c", "#a6d8ff"),
    "rockfall": _Back("#9a7348", "#46301c", "#e8bd80"),
}
"""Grounds of the action cards that show a thing of their name."""

_BACKS: Final = {
    "break": _Back("#8a4238", "#43181a", "#ff6b57"),
    "repair": _Back("#6f9a4e", "#2c4a26", "#b6f07a"),
    **THINGS,
    "gold": _Back("#5b3a86", "#271541", "#ffd766"),
    "miner": _Back("#d59a35", "#6a4312", "#ffe08a"),
    "saboteur": _Back("#7d1730", "#2a0913", "#ff5f74"),
    "goal": _Back("#3a56a8", "#18244f", "#f0c35a"),
    "back": _Back("#7a4a26", "#3a2110", "#e0a860"),
}


@dataclass(frozen=True, slots=True)
class Dwarf:
    """A face, and the colour that it has unless another is picked."""

    hat: str
    beard: str
    colour: str
    trim: str
    hair: str
    skin: str


DWARVES: Final = (
    Dwarf("helmet", "long", "#4fa3d1", "#e8f4ff", "#d9752b", "#efb98f"),
    Dwarf("pointed", "round", "#d8609c", "#ffe3f0", "#f1ece2", "#f3c4a0"),
    Dwarf("horns", "braid", "#86b93f", "#e8d27a", "#8a4a22", "#dba177"),
    Dwarf("hood", "fork", "#e89a35", "#fff0c8", "#e8c15a", "#efb98f"),
    Dwarf("scarf", "stubble", "#9a7be6", "#f2ecff", "#3a2a20", "#c98c62"),
    Dwarf("pointed", "long", "#3fc39a", "#e3fff5", "#b5b0a8", "#efb98f"),
    Dwarf("helmet", "braid", "#e8745a", "#fff0c8", "#5a3218", "#a86f48"),
    Dwarf("horns", "round", "#d6c83e", "#8a6a1a", "#c2521f", "#f3c4a0"),
    Dwarf("scarf", "fork", "#6f8cf5", "#e8f0ff", "#f1ece2", "#dba177"),
    Dwarf("hood", "round", "#c99562", "#fff0d8", "#6a3a1c", "#8a5a3a"),
)
"""Hat and beard together tell any two apart, whatever their colours."""

DRESSED: Final = tuple((face, colour) for face in range(10) for colour in range(10))
"""Each face in each colour, by their places in `DWARVES`."""


def draw_card(name: str, grid: Grid) -> Picture:
    """Return a card's picture: its ground and what is on it. Raises `KeyError`."""
    kind, _, what = name.partition("-")
    return _render(_frame(_BACKS[kind], grid) + _FACES[kind](what, grid), grid)


def draw_icon(body: str, grid: Grid) -> Picture:
    """Return a drawing of 100 by 100 units as large as it fits, with alpha."""
    body = _centre(body, grid, min(grid.width, grid.height))
    size = round(grid.width * grid.pixels), round(grid.height * grid.pixels)
    return render(document(body, grid.width, grid.height), *size)


def dwarf(face: int, colour: int, *, is_small: bool) -> str:
    """Return the portrait of a dwarf with this face, in this colour."""
    looks = DWARVES[face]
    colours = {
        "hat": DWARVES[colour].colour,
        "coat": DWARVES[colour].colour,
        "trim": looks.trim,
        "hair": looks.hair,
        "skin": looks.skin,
        "nose": _darken(looks.skin),
    }
    return thing("dwarf", looks.hat, looks.beard, is_small=is_small, colours=colours)


def _darken(colour: str) -> str:
    parts = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(part * 0.84):02x}" for part in parts)


def _render(body: str, grid: Grid) -> Picture:
    size = round(grid.width * grid.pixels), round(grid.height * grid.pixels)
    drawn = render(document(body, grid.width, grid.height), *size)
    return drawn[..., :3] * drawn[..., 3:]


def _frame(back: _Back, grid: Grid) -> str:
    """Return a card's ground, lighter in its middle, and a line around it, in whole points."""
    w, h = grid.width, grid.height
    if grid.is_coarse:
        across, down = (max(1, round(0.4 / side)) * side for side in grid.point)
        return (
            f'<rect width="{w}" height="{h}" fill="{back.line}"/><rect x="{across}" y="{down}" '
            f'width="{w - 2 * across}" height="{h - 2 * down}" fill="{_blend(back)}"/>'
        )
    line, inset, round_ = 0.36, 0.42, 1.1
    half = inset + line / 2
    return (
        f'<defs><radialGradient id="g" cx="0.5" cy="0.45" r="0.75">'
        f'<stop offset="0" stop-color="{back.middle}"/>'
        f'<stop offset="1" stop-color="{back.edge}"/></radialGradient></defs>'
        f'<rect width="{w}" height="{h}" rx="{round_}" fill="{back.edge}"/>'
        f'<rect x="{half}" y="{half}" width="{w - 2 * half}" height="{h - 2 * half}" '
        f'rx="{round_ * 0.6}" fill="url(#g)" stroke="{back.line}" stroke-width="{line}"/>'
    )


def _blend(back: _Back) -> str:
    """Return one colour between a ground's middle and its edge."""
    ends = [[int(text[at : at + 2], 16) for at in (1, 3, 5)] for text in (back.middle, back.edge)]
    return "#" + "".join(f"{round(0.45 * a + 0.55 * b):02x}" for a, b in zip(*ends, strict=True))


def _centre(body: str, grid: Grid, size: float, dx: float = 0, dy: float = 0) -> str:
    x, y = (grid.width - size) / 2 + dx, (grid.height - size) / 2 + dy
    return place(body, x, y, size, size)


def _room(grid: Grid) -> float:
    """Return the side of the square that a thing may fill."""
    return min(grid.width, grid.height) * (0.84 if grid.is_coarse else 0.74)


def _break(what: str, grid: Grid) -> str:
    """Return a tool in pieces, or where that is too small, a tool that is crossed out."""
    size = _room(grid)
    cross = "M8 8L92 92M92 8L8 92"
    if grid.is_coarse:
        body = thing(TOOLS[what], is_small=True)
        mark = f'<path d="{cross}" stroke="#ff4a38" stroke-width="15"/>'
        # The cross lies behind the tool, so that one still sees which it is.
        wide, high = 0.8 * grid.width, 0.8 * grid.height
        far = place(mark, (grid.width - wide) / 2, (grid.height - high) / 2, wide, high)
        return far + _centre(body, grid, 0.72 * size)
    body = thing(f"{TOOLS[what]}-broken")
    mark = f'<path d="{cross}" stroke="#ff6b57" stroke-width="20" stroke-linecap="round"/>'
    return _centre(body, grid, size, dy=-0.04 * grid.height) + _badge(
        grid, mark, "#5a0f0c", "#ff6b57"
    )


def _badge(grid: Grid, body: str, fill: str, line: str) -> str:
    """Return a round mark in the lower right corner, or where that is too small, a bare one."""
    side = max(2.4, 0.30 * min(grid.width, grid.height))
    if grid.is_coarse:
        across, down = (max(1, round(0.4 / part)) * part for part in grid.point)
        side = max(3.0, 0.36 * min(grid.width, grid.height))
        return place(body, grid.width - side - across, grid.height - side - down, side, side)
    away = 0.9
    disc = f'<circle cx="50" cy="50" r="46" fill="{fill}" stroke="{line}" stroke-width="9"/>'
    inner = f'<g transform="translate(50 50) scale(0.56) translate(-50 -50)">{body}</g>'
    x, y = grid.width - side - away, grid.height - side - away
    return place(disc + inner, x, y, side, side)


def _repair(what: str, grid: Grid) -> str:
    tick = (
        '<path d="M10 52L40 84L92 18" stroke="#f4ffe6" stroke-width="22" fill="none" '
        'stroke-linecap="round" stroke-linejoin="round"/>'
    )
    mark = _badge(grid, tick, "#1f7a34", "#b6f07a")
    size = _room(grid)
    if len(what) == 1:
        body = thing(TOOLS[what], is_small=grid.is_coarse)
        return _centre(body, grid, size, dy=-0.04 * grid.height) + mark
    first, second = (thing(TOOLS[tool], is_small=True) for tool in what)
    if grid.height > 1.15 * grid.width:
        size = min(0.56 * grid.width, 0.42 * grid.height)
        dx, dy = 0.12 * grid.width, 0.21 * grid.height
        return (
            _centre(first, grid, size, -dx, -dy) + _centre(second, grid, size, dx * 0.2, dy) + mark
        )
    size = min(0.5 * grid.width, 0.62 * grid.height)
    dx, dy = 0.22 * grid.width, 0.12 * grid.height
    return _centre(first, grid, size, -dx, -dy) + _centre(second, grid, size, dx, dy * 0.4) + mark


def _thing(name: str) -> Callable[[str, Grid], str]:
    def draw(_what: str, grid: Grid) -> str:
        return _centre(thing(name, is_small=grid.is_coarse), grid, _room(grid))

    return draw


def _gold(what: str, grid: Grid) -> str:
    """Return one to three nuggets."""
    places = {
        "1": [(0.0, 0.0)],
        "2": [(-0.18, 0.16), (0.18, -0.16)],
        "3": [(0.0, -0.22), (-0.22, 0.18), (0.22, 0.18)],
    }[what]
    room = min(grid.width, grid.height)
    size = room * {"1": 0.62, "2": 0.46, "3": 0.42}[what]
    body = thing("nugget", is_small=grid.is_coarse)
    tall = grid.height / grid.width if grid.height > grid.width else 1
    wide = grid.width / grid.height if grid.width > grid.height else 1
    return "".join(
        _centre(body, grid, size, dx * room * wide, dy * room * tall) for dx, dy in places
    )


def _miner(_what: str, grid: Grid) -> str:
    colours = {
        "hat": "#f2b92f",
        "coat": "#2f6ea8",
        "trim": "#fff0c8",
        "hair": "#d2691e",
        "skin": "#f0bb90",
        "nose": "#d99a72",
    }
    face = thing("dwarf", "helmet", "long", is_small=grid.is_coarse, colours=colours)
    size = min(grid.width * (1.0 if grid.is_coarse else 0.9), grid.height * 0.94)
    x, y = (grid.width - size) / 2, grid.height - size - (0.0 if grid.is_coarse else 0.76)
    if grid.is_coarse:
        return place(face, x, y, size, size)
    pick = place(thing("pick"), x + 0.66 * size, y + 0.30 * size, 0.42 * size, 0.70 * size)
    return place(face, x, y, size, size) + pick


def _saboteur(_what: str, grid: Grid) -> str:
    size = min(grid.width * (1.0 if grid.is_coarse else 0.9), grid.height * 0.94)
    x, y = (grid.width - size) / 2, grid.height - size - (0.0 if grid.is_coarse else 0.76)
    return place(thing("saboteur", is_small=grid.is_coarse), x, y, size, size)


def _goal(what: str, grid: Grid) -> str:
    """Return the back of a goal: a question, or what a map has shown."""
    name = {"": "emblem", "treasure": "gold", "stone": "stone"}[what]
    w, h = grid.width, grid.height
    lattice = ""
    if not grid.is_coarse:
        step, lines = 1.6, []
        for at in range(-round(h / step), round((w + h) / step)):
            x = at * step
            lines.append(f"M{x:g} 0L{x + h:g} {h:g}M{x:g} {h:g}L{x + h:g} 0")
        edge = 0.76
        lattice = (
            f'<clipPath id="c"><rect x="{edge}" y="{edge}" width="{w - 2 * edge}" '
            f'height="{h - 2 * edge}"/></clipPath><path d="{"".join(lines)}" stroke="#6f8fe0" '
            'stroke-opacity="0.28" stroke-width="0.16" clip-path="url(#c)"/>'
        )
    if not what and grid.rows * grid.down < WORD_POINTS:
        return ""
    return lattice + _centre(thing(name, is_small=grid.is_coarse), grid, 0.78 * min(w, h))


def _back(_what: str, grid: Grid) -> str:
    """Return the back of a card of the hand, or of a role."""
    return _centre(thing("pick", is_small=grid.is_coarse), grid, 0.6 * min(grid.width, grid.height))


_FACES: Final[dict[str, Callable[[str, Grid], str]]] = {
    "break": _break,
    "repair": _repair,
    **{name: _thing(name) for name in THINGS},
    "gold": _gold,
    "miner": _miner,
    "saboteur": _saboteur,
    "goal": _goal,
    "back": _back,
}

CARD_NAMES: Final = (
    *(f"break-{tool}" for tool in TOOLS),
    *(f"repair-{tools}" for tools in ("P", "L", "C", "PL", "PC", "LC")),
    *THINGS,
    *("gold-1", "gold-2", "gold-3", "miner", "saboteur", "back"),
)
GOAL_NAMES: Final = ("goal", "goal-treasure", "goal-stone")
