"""Lines and polygons from a seed, and SVG drawn to an array of colours."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Final, TypeAlias
from xml.etree import ElementTree as ET

import numpy as np
import resvg_py
from PIL import Image

Point = tuple[float, float]
Picture: TypeAlias = np.ndarray
"""Rows of pixels of red, green and blue, or of these and alpha, from 0 to 1."""

_SVG: Final = "{http://www.w3.org/2000/svg}"
ET.register_namespace("", _SVG[1:-1])

THINGS: Final = Path(__file__).parent / "things"


def render(svg: str, width: int, height: int) -> Picture:
    """Return an SVG document drawn in this many pixels, with alpha."""
    png = resvg_py.svg_to_bytes(svg_string=svg, width=width, height=height, skip_system_fonts=True)
    with Image.open(io.BytesIO(bytes(png))) as image:
        return np.asarray(image.convert("RGBA"), dtype=np.float64) / 255


def document(body: str, width: float, height: float) -> str:
    """Return an SVG document of this size, in the drawing's own units."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" '
        f'preserveAspectRatio="none">{body}</svg>'
    )


def thing(
    name: str, *options: str, is_small: bool = False, colours: Mapping[str, str] | None = None
) -> str:
    """Return the inside of a thing's SVG file, 100 by 100 units.

    A small one leaves out what is of class `fine`, and a large one what is `coarse`. Of what is of
    class `option`, that with these ids stays. Colours replace the file's `var(--name)`.
    """
    root = ET.parse(THINGS / f"{name}.svg").getroot()  # noqa: S314 - our own drawing
    _prune(root, "fine" if is_small else "coarse", options)
    if is_small:
        _thin_outlines(root)
    body = "".join(ET.tostring(part, encoding="unicode") for part in root)
    for variable, colour in (colours or {}).items():
        body = body.replace(f"var(--{variable})", colour)
    assert "var(--" not in body, f"{name} has a colour that is not given"
    return body


def _prune(part: ET.Element, left_out: str, options: Sequence[str]) -> None:
    """Remove what is left out from a part of a drawing."""
    for inner in list(part):
        kind = inner.get("class")
        if kind == left_out or (kind == "option" and inner.get("id") not in options):
            part.remove(inner)
        else:
            _prune(inner, left_out, options)


def _thin_outlines(part: ET.Element) -> None:
    """Make outlines of filled shapes so thin that they do not darken a small drawing."""
    width = part.get("stroke-width")
    if width and part.get("fill") != "none":
        part.set("stroke-width", f"{float(width) * 0.3:g}")
    for inner in part:
        _thin_outlines(inner)


def place(body: str, x: float, y: float, width: float, height: float) -> str:
    """Return a drawing of 100 by 100 units, moved and scaled."""
    scale = f"scale({width / 100:g} {height / 100:g})"
    return f'<g transform="translate({x:g} {y:g}) {scale}">{body}</g>'


def polygon(points: Iterable[Point], **attributes: str | float) -> str:
    """Return a polygon of these points."""
    text = " ".join(f"{x:.3f},{y:.3f}" for x, y in points)
    more = " ".join(f'{name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return f'<polygon points="{text}" {more}/>'


def grey(value: float) -> str:
    """Return a colour from 0, black, to 1, white."""
    level = round(255 * min(max(value, 0), 1))
    return f"rgb({level},{level},{level})"


def boulder(chance: Random, x: float, y: float, radius: float, corners: int = 8) -> list[Point]:
    """Return the corners of an uneven stone."""
    first = chance.random() * math.tau
    return [
        (
            x + radius * stretch * math.cos(first + math.tau * at / corners),
            y + radius * stretch * math.sin(first + math.tau * at / corners),
        )
        for at in range(corners)
        for stretch in [chance.uniform(0.82, 1.08)]
    ]


def cobbles(chance: Random, width: float, height: float, size: float) -> list[list[Point]]:
    """Return a floor of polygons: what is nearest to each of many scattered points."""
    columns, rows = max(2, round(width / size)) + 2, max(2, round(height / size)) + 2
    across, down = width / (columns - 2), height / (rows - 2)
    seeds = [
        (
            (x - 0.5 + chance.uniform(-0.36, 0.36) + (y % 2) * 0.4) * across,
            (y - 0.5 + chance.uniform(-0.36, 0.36)) * down,
        )
        for y in range(rows)
        for x in range(columns)
    ]
    reach = 3 * max(across, down)
    return [cell for seed in seeds for cell in [_nearest(seed, seeds, reach)] if len(cell) > 2]


def _nearest(seed: Point, seeds: Sequence[Point], reach: float) -> list[Point]:
    """Return the polygon of the points nearer to a seed than to any other."""
    x, y = seed
    cell = [
        (x - reach, y - reach),
        (x + reach, y - reach),
        (x + reach, y + reach),
        (x - reach, y + reach),
    ]
    for other in seeds:
        dx, dy = other[0] - x, other[1] - y
        if other == seed or dx * dx + dy * dy > 4 * reach * reach:
            continue
        bound = dx * (x + dx / 2) + dy * (y + dy / 2)
        cell = _clip(cell, (dx, dy), bound)
    return cell


def _clip(cell: list[Point], normal: Point, bound: float) -> list[Point]:
    """Return the part of a convex polygon on the near side of a line."""
    kept: list[Point] = []
    for (ax, ay), (bx, by) in zip(cell, cell[1:] + cell[:1], strict=True):
        at_a = normal[0] * ax + normal[1] * ay - bound
        at_b = normal[0] * bx + normal[1] * by - bound
        if at_a <= 0:
            kept.append((ax, ay))
        if at_a * at_b < 0:
            part = at_a / (at_a - at_b)
            kept.append((ax + part * (bx - ax), ay + part * (by - ay)))
    return kept


def shrink(points: Sequence[Point], part: float) -> list[Point]:
    """Return a polygon scaled about its middle."""
    x = sum(point[0] for point in points) / len(points)
    y = sum(point[1] for point in points) / len(points)
    return [(x + (px - x) * part, y + (py - y) * part) for px, py in points]
