"""Pictures of the cards for the page on how to play: rows of cards, as PNG files.

`python -m tests.sabtui.tui.card_pictures` draws them anew into `docs/pictures/cards`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path as FilePath
from typing import Final

from engine.cards import Card, Goal, Path, Role
from sabtui.art.catalogue import (
    Drawing,
    Thing,
    find_card,
    find_goal_back,
    find_gold_card,
    find_ground,
    find_role,
)
from sabtui.art.colours import Colour
from sabtui.art.pixels import Canvas

FOLDER: Final = FilePath(__file__).parents[3] / "docs" / "pictures" / "cards"

_GAP: Final = 12
_GROUND: Final = Colour(23, 21, 18)


def _path(text: str, thing: Thing = Thing.NONE) -> Drawing:
    return find_ground(Path.read(text), is_lit=True, thing=thing)


ROWS: Final[Mapping[str, tuple[tuple[int, int], int, Sequence[Drawing | None]]]] = {
    "mine.png": (
        (108, 96),
        0,
        (
            _path("NESW", Thing.START),
            _path("EW"),
            _path("NEW"),
            _path("SW"),
            None,
            None,
            find_goal_back(None),
        ),
    ),
    "dwarves.png": ((108, 144), _GAP, (find_role(Role.MINER), find_role(Role.SABOTEUR))),
    "tunnels.png": (
        (90, 100),
        _GAP,
        tuple(map(_path, ("EW", "NS", "NE", "NW", "NES", "NEW", "NESW"))),
    ),
    "dead-ends.png": ((90, 100), _GAP, tuple(map(_path, ("e", "ew", "ne", "nes", "nesw")))),
    "actions.png": (
        (90, 120),
        _GAP,
        tuple(
            map(
                find_card,
                (
                    Card.read("-P"),
                    Card.read("-L"),
                    Card.read("-C"),
                    Card.read("+P"),
                    Card.read("+LC"),
                    Card.ROCKFALL,
                    Card.MAP,
                ),
            )
        ),
    ),
    "goals.png": (
        (108, 96),
        _GAP,
        (
            find_goal_back(None),
            _path("NESW", Thing.of(Goal.TREASURE)),
            _path("NE", Thing.of(Goal.STONE_NE)),
        ),
    ),
    "gold.png": ((90, 120), _GAP, tuple(map(find_gold_card, (1, 2, 3)))),
}
"""Each picture: the size of a card, the gap between two in pixels, its cards and empty places."""


def draw_row(size: tuple[int, int], gap: int, cards: Sequence[Drawing | None]) -> bytes:
    """Return cards side by side as a PNG file."""
    width, height = size
    canvas = Canvas((len(cards) * (width + gap) + gap, height + 2 * gap), _GROUND)
    for at, card in enumerate(cards):
        if card is not None:
            canvas.paste(card, gap + at * (width + gap), gap, size)
    return canvas.encode()


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, row in ROWS.items():
        (FOLDER / name).write_bytes(draw_row(*row))
