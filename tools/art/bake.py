"""Draws every picture in every size, and writes the data of `sabtui.art`."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from multiprocessing import Pool
from typing import Final

import numpy as np

from sabtui.art import catalogue
from sabtui.art.glyphs import BlockSet
from tools.art import cards, ground
from tools.art.fit import CLEAR, Fitter, find_nearest, find_palette, lab, shrink_to
from tools.art.ground import Grid, Ground
from tools.art.icons import read_faces, read_icons, rgba
from tools.art.shapes import Picture, place
from tools.art.shapes import thing as read_thing
from tools.art.sources import ART, hash_sources

DATA: Final = ART / "data"

MINE_SIZES: Final = ((5, 3), (7, 3), (9, 4), (11, 5), (13, 5), (13, 6), (15, 7), (18, 8))
HAND_SIZES: Final = ((7, 4), (9, 5), (12, 8), (15, 10), (18, 12))
ICON_SIZES: Final = ((6, 3), (8, 4), (12, 6))
PORTRAIT_SIZES: Final = ((18, 9), (24, 12))

MINE_SPRITES: Final = ((72, 64), (144, 128))
HAND_SPRITES: Final = ((90, 100), (144, 192))
ICON_SPRITES: Final = ((32, 32), (64, 64))

MINE_COLOURS: Final = 64
CARD_COLOURS: Final = 64
"""Colours of the mine, and of everything else, but for what dwarves have on: no picture has many
more, which sixel asks for."""

_FINE: Final = 12
"""Pixels of a unit while it is drawn: a multiple of every glyph's points."""


@dataclass(frozen=True, slots=True)
class Motif:
    """Something to draw: its name, and how for a grid. What has alpha leaves the screen's ground.

    `what` is the card of the mine that is drawn, if it is one: these alone have the mine's colours.
    """

    name: str
    draw: Callable[[Grid], Picture]
    what: Ground | None = None

    @property
    def is_mine(self) -> bool:
        """True for what is drawn in the colours of the mine."""
        return self.what is not None


def list_grounds() -> Iterator[tuple[str, Ground, int]]:
    """Yield each card of the mine: its name, the card, and its variant."""
    plain = [
        (edges, is_through, is_lit, catalogue.Thing.NONE)
        for is_lit in (True, False)
        for is_through in (True, False)
        for edges in catalogue.DRAWN_EDGES
        if not is_through or edges.bit_count() > 1
    ]
    signed = [
        (edges, True, is_lit, thing)
        for thing, drawn in (
            (catalogue.Thing.START, (15,)),
            (catalogue.Thing.TREASURE, (15,)),
            (catalogue.Thing.STONE, (3,)),
        )
        for edges in drawn
        for is_lit in (True, False)
        if is_lit or thing is not catalogue.Thing.START
    ]
    for edges, is_through, is_lit, thing in plain + signed:
        for variant in range(
            catalogue.count_variants(is_through=is_through, is_lit=is_lit, thing=thing)
        ):
            name = catalogue.name_ground(
                edges, variant, is_through=is_through, is_lit=is_lit, thing=thing
            )
            yield name, Ground(edges, is_through, is_lit, thing), variant


def _ground_motif(name: str, card: Ground, variant: int) -> Motif:
    return Motif(name, lambda grid: ground.draw(card, grid, variant), card)


def _card_motif(name: str) -> Motif:
    return Motif(name, lambda grid: cards.draw_card(name, grid))


def _icon_motif(name: str, body: Callable[[bool], str]) -> Motif:
    return Motif(name, lambda grid: cards.draw_icon(body(grid.is_coarse), grid))


def mine_motifs() -> list[Motif]:
    """Return what lies in the mine."""
    return [_ground_motif(*row) for row in list_grounds()] + [
        _card_motif(name) for name in cards.GOAL_NAMES
    ]


def hand_motifs() -> list[Motif]:
    """Return what is held in a hand or shown large: path cards and all others."""
    paths = [row for row in list_grounds() if row[1].is_lit and not row[1].thing and row[2] == 0]
    return [_ground_motif(*row) for row in paths] + [_card_motif(name) for name in cards.CARD_NAMES]


def icon_motifs() -> list[Motif]:
    """Return what stands on the screen's own ground: tools, map, rockfall, gold, dwarves."""
    names = [f"{tool}{broken}" for tool in cards.TOOLS.values() for broken in ("", "-broken")]
    tools = [_icon_motif(name, partial(_draw_thing, name)) for name in names]
    piles = [_icon_motif(f"pile-{at}", partial(_draw_pile, at)) for at in (1, 2, 3, 4)]
    others = [_icon_motif(f"{name}-icon", partial(_draw_thing, name)) for name in cards.THINGS]
    return tools + others + piles + portrait_motifs()


def portrait_motifs() -> list[Motif]:
    """Return the dwarves, which large lobbies and podiums show larger than any other icon."""
    return [
        _icon_motif(catalogue.find_dwarf(*looks).name, partial(_draw_dwarf, *looks))
        for looks in cards.DRESSED
    ]


def _draw_thing(name: str, is_small: bool) -> str:  # noqa: FBT001 - called with a place's value
    return read_thing(name, is_small=is_small)


def _draw_dwarf(face: int, colour: int, is_small: bool) -> str:  # noqa: FBT001 - as above
    return cards.dwarf(face, colour, is_small=is_small)


def is_picked(name: str) -> bool:
    """Return True for a dwarf in a colour that is not its face's own: it may have just that one."""
    return name in {
        catalogue.find_dwarf(*looks).name for looks in cards.DRESSED if len({*looks}) > 1
    }


def _draw_pile(at: int, _is_small: bool) -> str:  # noqa: FBT001 - called with a place's value
    """Return a player's gold, from one nugget to a heap."""
    if at == 4:
        return read_thing("gold")
    nugget = read_thing("nugget", is_small=True)
    places = [(28, 50)] if at == 1 else [(4, 50), (52, 50), (28, 8)][:at]
    return "".join(place(nugget, x, y, 44, 44) for x, y in places)


GROUPS: Final = {
    "mine": (mine_motifs, MINE_SIZES, MINE_SPRITES),
    "hand": (hand_motifs, HAND_SIZES, HAND_SPRITES),
    "icon": (icon_motifs, ICON_SIZES, ICON_SPRITES),
    "portrait": (portrait_motifs, PORTRAIT_SIZES, ()),
}


def pixels_of(motif: Motif, width: int, height: int) -> Picture:
    """Return a motif in so many pixels."""
    fine = 3
    columns, rows = _cells_of(width, height)
    grid = Grid(columns, rows, width // columns, height // rows, round(fine * width / columns))
    return shrink_to(motif.draw(grid), width, height)


def _cells_of(width: int, height: int) -> tuple[int, int]:
    """Return the size in cells that a picture of so many pixels is drawn for."""
    return {
        (72, 64): (9, 4),
        (144, 128): (18, 8),
        (90, 100): (9, 5),
        (144, 192): (12, 8),
        (32, 32): (4, 2),
        (64, 64): (8, 4),
    }[width, height]


@dataclass(frozen=True, slots=True)
class _Job:
    """One motif of a group in all sizes."""

    group: str
    at: int


def _draw(job: _Job) -> dict[str, Picture]:
    """Return a motif's points and pixels by `COLUMNSxROWS-glyphs` and `WIDTHxHEIGHT`."""
    make, sizes, sprites = GROUPS[job.group]
    motif = make()[job.at]
    drawn: dict[str, Picture] = {}
    for columns, rows in sizes:
        fine: dict[object, Picture] = {}
        for blocks in BlockSet:
            grid = Grid(columns, rows, blocks.across, blocks.down, _FINE)
            same = grid.hints if motif.what else (grid.point, grid.is_coarse)
            if same not in fine:
                fine[same] = motif.draw(grid)
            points = shrink_to(fine[same], columns * blocks.across, rows * blocks.down)
            drawn[f"{columns}x{rows}-{blocks}"] = points.astype(np.float32)
    for width, height in sprites:
        drawn[f"{width}x{height}"] = pixels_of(motif, width, height).astype(np.float32)
    return drawn


def _fitter(blocks: BlockSet, palette: Picture, first: int) -> Fitter:
    return _make_fitter(blocks, palette.tobytes(), first)


@cache
def _make_fitter(blocks: BlockSet, palette: bytes, first: int) -> Fitter:
    return Fitter(blocks, np.frombuffer(palette).reshape(-1, 3), first)


def _write(name: str, data: list[bytes]) -> int:
    packed = zlib.compress(b"".join(data), 9)
    (DATA / f"{name}.z").write_bytes(packed)
    return len(packed)


def bake() -> None:
    """Draw everything and write it; print what it weighs."""
    DATA.mkdir(exist_ok=True)
    for old in DATA.glob("*.z"):
        old.unlink()
    motifs = {group: make() for group, (make, _sizes, _sprites) in GROUPS.items()}
    jobs = [_Job(group, at) for group, made in motifs.items() for at in range(len(made))]
    with Pool(2) as pool:
        results = pool.map(_draw, jobs, chunksize=2)
    drawn = {
        (job.group, motifs[job.group][job.at].name): result
        for job, result in zip(jobs, results, strict=True)
    }
    is_mine = {motif.name: motif.is_mine for made in motifs.values() for motif in made}
    mine = find_palette(_samples(drawn, is_mine, mine=True), MINE_COLOURS)
    others = find_palette(_samples(drawn, is_mine, mine=False), CARD_COLOURS)
    clothes = np.array([rgba(dwarf.colour)[:3] for dwarf in cards.DWARVES])
    dressed = np.concatenate([others, clothes])
    palettes = {
        name: (mine, 0) if is_mine[name] else (dressed if is_picked(name) else others, len(mine))
        for name in is_mine
    }
    cells: dict[str, list[str]] = {}
    pixels: dict[str, list[str]] = {}
    total = 0
    icons, faces = read_icons(), read_faces()
    for group, (_make, sizes, sprites) in GROUPS.items():
        names = [motif.name for motif in motifs[group]]
        for columns, rows in sizes:
            cells[f"{columns}x{rows}"] = names
            for blocks in BlockSet:
                key = f"{columns}x{rows}-{blocks}"
                data = []
                for name in names:
                    fitter = _fitter(blocks, *palettes[name])
                    points: Picture = drawn[group, name][key].astype(np.float64)
                    data.append(fitter.fit(points, _care(name)))
                total += _write(key, data)
        for width, height in sprites:
            pixels[f"{width}x{height}"] = names
            data = [
                _index(drawn[group, name][f"{width}x{height}"], *palettes[name]) for name in names
            ]
            total += _write(f"{width}x{height}", data)
    for size, made in (("3x2", icons), ("4x2", faces)):
        cells[size] = list(made)
        for blocks in BlockSet:
            data = [
                _fitter(blocks, *palettes.get(name, (others, len(mine)))).fit(
                    _icon_points(points, blocks), 4
                )
                for name, points in made.items()
            ]
            total += _write(f"{size}-{blocks}", data)
    index = {
        "sources": hash_sources(),
        "palette": [_hex(colour) for colour in np.concatenate([mine, dressed])],
        "cells": cells,
        "sprites": pixels,
    }
    text = json.dumps(index, separators=(",", ":")) + "\n"
    (DATA / "index.json").write_text(text, encoding="utf-8", newline="\n")
    print(f"{total + len(text):,} bytes in {DATA.name}")


def _care(name: str) -> float:
    """Return how closely a picture is fitted: the mine's rock less than what lies on it."""
    return 1.3 if "-path-" in name or "-dead-" in name else 4


def _icon_points(drawn: dict[str, Picture], blocks: BlockSet) -> Picture:
    """Return an icon in the points of a set; half blocks have the mean of two quadrants."""
    if blocks is not BlockSet.HALVES:
        return drawn[blocks]
    points = drawn[BlockSet.QUADRANTS]
    left, right = points[:, ::2], points[:, 1::2]
    weight = left[..., 3:] + right[..., 3:]
    colour = (left * left[..., 3:] + right * right[..., 3:]) / np.maximum(weight, 1)
    return np.concatenate([colour[..., :3], np.minimum(weight, 1)], axis=-1)


def _samples(
    drawn: dict[tuple[str, str], dict[str, Picture]], is_mine: dict[str, bool], *, mine: bool
) -> Picture:
    """Return many colours of the pictures, as many of each; of a dwarf those of its icons."""
    chance = np.random.default_rng(1)
    found = []
    for (group, name), pictures in sorted(drawn.items()):
        if is_mine[name] is not mine or is_picked(name) or group == "portrait":
            continue
        count = 160 if "treasure" in name or "stone" in name else 72 if "-dead-" in name else 24
        for _key, picture in sorted(pictures.items()):
            points: Picture = picture.reshape(-1, picture.shape[-1]).astype(np.float64)
            if points.shape[1] == 4:
                points = points[points[:, 3] >= 0.5]
            if len(points):
                found.append(points[chance.integers(0, len(points), count), :3])
    return np.concatenate(found)


def _index(pixels: Picture, palette: Picture, first: int) -> bytes:
    """Return pixels as numbers of colours."""
    pixels = pixels.astype(np.float64)
    flat = lab(pixels[..., :3].reshape(-1, 3))
    found: Picture = find_nearest(flat, lab(palette)) + first
    if pixels.shape[2] == 4:
        found = np.where(pixels[..., 3].reshape(-1) < 0.5, CLEAR, found)
    return found.astype(np.uint8).tobytes()


def _hex(colour: Picture) -> str:
    red, green, blue = (round(255 * float(part)) for part in colour)
    return f"#{red:02x}{green:02x}{blue:02x}"
