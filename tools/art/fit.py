"""Pictures as coloured glyphs: two colours and a pattern of points for each cell."""

from __future__ import annotations

from typing import Final

import numpy as np

from sabtui.art.glyphs import BlockSet
from tools.art.shapes import Picture

CLEAR: Final = 255
"""Number of the colour that is the screen's own ground."""

FLAT: Final = 0.0016
"""Error of a point, squared in OKLab, below which a cell has one colour."""
MERGED: Final = 0.0011
"""Error of a point that is accepted where a cell takes the colours of the one before it."""


def lab(colours: Picture) -> Picture:
    """Return colours in OKLab, where distances are as the eye sees them."""
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    to_cones = np.array(
        [[0.4122, 0.5363, 0.0514], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.6300]]
    )
    cones = np.cbrt(linear @ to_cones.T)
    to_lab = np.array(
        [[0.2105, 0.7936, -0.0041], [1.9780, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]]
    )
    return cones @ to_lab.T


def find_palette(samples: Picture, count: int) -> Picture:
    """Return the colours, red, green and blue, that stand best for many; by k-means, repeatable."""
    chance = np.random.default_rng(7341)
    points = lab(samples)
    chosen = [points[0]]
    away = np.full(len(points), np.inf)
    for _ in range(count - 1):
        away = np.minimum(away, ((points - chosen[-1]) ** 2).sum(axis=1))
        chosen.append(points[chance.choice(len(points), p=away / away.sum())])
    centres = np.array(chosen)
    for _ in range(24):
        nearest = find_nearest(points, centres)
        for at in range(count):
            mine = points[nearest == at]
            if len(mine):
                centres[at] = mine.mean(axis=0)
    nearest = find_nearest(points, centres)
    colours = [samples[nearest == at].mean(axis=0) for at in range(count) if (nearest == at).any()]
    return np.round(np.array(colours) * 255) / 255


def find_nearest(points: Picture, centres: Picture) -> Picture:
    """Return the number of the centre nearest to each point."""
    found = []
    for start in range(0, len(points), 8192):
        part = points[start : start + 8192]
        found.append(((part[:, None] - centres[None]) ** 2).sum(axis=2).argmin(axis=1))
    return np.concatenate(found)


def shrink_to(picture: Picture, width: int, height: int) -> Picture:
    """Return the mean colours of a picture's parts. Its sides must be multiples of these."""
    rows, columns, depth = picture.shape
    parts = picture.reshape(height, rows // height, width, columns // width, depth)
    return parts.mean(axis=(1, 3))


class Fitter:
    """Fits points to the glyphs of one set in the colours of a palette."""

    def __init__(self, blocks: BlockSet, palette: Picture, first: int) -> None:
        """Take the palette as red, green and blue; its first colour has the number `first`."""
        self.blocks, self.first = blocks, first
        self.palette = lab(palette)
        count = blocks.across * blocks.down
        masks = np.arange(1 << (count - 1))  # the others only swap the two colours
        self.patterns = (masks[:, None] >> np.arange(count) & 1).astype(np.float64)

    def fit(self, points: Picture, care: float = 1) -> bytes:
        """Return patterns, then colours of set points, then of the others, cell by cell.

        The more care, the smaller are the differences of colour that are kept.
        """
        cells = self._split(lab(points[..., :3]))
        masks, fronts, grounds = self._fit_cells(cells, FLAT / care)
        columns = points.shape[1] // self.blocks.across
        self._merge_runs(cells, (masks, fronts, grounds), columns, MERGED / care)
        if points.shape[2] == 4:
            self._clear(cells, self._split(points[..., 3:])[..., 0], masks, fronts, grounds)
        return bytes(masks) + bytes(fronts) + bytes(grounds)

    def _split(self, points: Picture) -> Picture:
        """Return the points of each cell, row by row from the upper left."""
        across, down = self.blocks.across, self.blocks.down
        rows, columns, depth = points.shape
        parts = points.reshape(rows // down, down, columns // across, across, depth)
        return parts.transpose(0, 2, 1, 3, 4).reshape(-1, down * across, depth)

    def _fit_cells(self, cells: Picture, flat: float) -> tuple[list[int], list[int], list[int]]:
        patterns = self.patterns
        count = patterns.shape[1]
        total = cells.sum(axis=1)
        inside = np.einsum("mp,cpd->cmd", patterns, cells)
        sizes = patterns.sum(axis=1)
        outside = total[:, None] - inside
        gain = (inside**2).sum(axis=2) / np.maximum(sizes, 1) + (outside**2).sum(axis=2) / (
            count - sizes
        )
        best = gain.argmax(axis=1)
        is_flat = gain[np.arange(len(cells)), best] - gain[:, 0] < flat * count
        best = np.where(is_flat, 0, best)
        at = np.arange(len(cells))
        fronts = inside[at, best] / np.maximum(sizes[best], 1)[:, None]
        grounds = outside[at, best] / (count - sizes[best])[:, None]
        front = find_nearest(fronts, self.palette)
        ground = find_nearest(grounds, self.palette)
        masks = []
        for cell, a, b, is_one in zip(cells, front, ground, is_flat, strict=True):
            masks.append(0 if is_one or a == b else self._pattern(cell, a, b)[0])
        front = np.where(np.array(masks) == 0, ground, front)
        return masks, [int(a) + self.first for a in front], [int(b) + self.first for b in ground]

    def _pattern(self, cell: Picture, front: int, ground: int) -> tuple[int, float]:
        """Return the best pattern of a cell in two colours, and its error."""
        a = ((cell - self.palette[front]) ** 2).sum(axis=1)
        b = ((cell - self.palette[ground]) ** 2).sum(axis=1)
        bits = (a < b).nonzero()[0]
        return sum(1 << int(bit) for bit in bits), float(np.minimum(a, b).sum())

    def _merge_runs(
        self,
        cells: Picture,
        fitted: tuple[list[int], list[int], list[int]],
        columns: int,
        accepted: float,
    ) -> None:
        """Give a cell the colours of the one before where that looks nearly the same."""
        masks, fronts, grounds = fitted
        for at, cell in enumerate(cells):
            if at % columns == 0:
                continue
            pair = fronts[at - 1] - self.first, grounds[at - 1] - self.first
            _, error = self._pattern(cell, fronts[at] - self.first, grounds[at] - self.first)
            mask, merged = self._pattern(cell, *pair)
            if merged <= error + accepted * len(cell):
                masks[at], fronts[at], grounds[at] = mask, fronts[at - 1], grounds[at - 1]

    def _clear(
        self,
        cells: Picture,
        alpha: Picture,
        masks: list[int],
        fronts: list[int],
        grounds: list[int],
    ) -> None:
        """Leave what is transparent to the screen's own ground."""
        for at, (cell, seen) in enumerate(zip(cells, alpha >= 0.5, strict=True)):
            if seen.all():
                continue
            grounds[at] = CLEAR
            masks[at] = sum(1 << int(bit) for bit in seen.nonzero()[0])
            fronts[at] = CLEAR
            if masks[at]:
                # One colour is left for what is seen: the most frequent, as means are drab.
                numbers = find_nearest(cell[seen], self.palette)
                fronts[at] = int(np.bincount(numbers).argmax()) + self.first
