"""Short animations of events: a rockfall, a broken tool, the way to a reached goal, gold.

A frame is a pure function of a scene and a frame number, and says only in what it differs from the
resting picture. After the last frame that picture remains, so an animation can end at any time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from engine.board import START, Board, Cell, neighbours
from engine.events import Broke, Collapsed, Event, GoldTaken, Revealed
from engine.view import View
from sabtui.tui.mine.picture import CellFrame
from sabtui.tui.mine.tiles import FaceDown, LaidCard, Rubble, Sign

STEP_CELLS: Final = 2
"""Cells of the way to a goal that are lit with each frame."""

GOLD_FRAMES: Final = 4
"""Frames in which gold falls along the row of a player."""

PAUSE_S: Final = 1.5
"""Seconds in which Enter gets nobody ready, after all dwarves are unveiled."""


@dataclass(frozen=True, slots=True)
class SeatFrame:
    """Difference of a player's row: all of it flashes, or `gold` quarters along it lies gold."""

    flashes: bool = False
    gold: int | None = None


@dataclass(frozen=True, slots=True)
class Frame:
    """Differences from the resting picture, by cell and by seat."""

    cells: Mapping[Cell, CellFrame] = field(default_factory=dict)
    seats: Mapping[int, SeatFrame] = field(default_factory=dict)


RESTING: Final = Frame()
"""The frame that differs in nothing."""


Scene: TypeAlias = tuple[Frame, ...]
"""The frames of one event."""


@dataclass(frozen=True, slots=True)
class Animation:
    """Scenes that begin together, at the frame that is shown now."""

    scenes: tuple[Scene, ...]
    number: int = 0

    @staticmethod
    def of(events: Iterable[Event], before: View | None, view: View | None) -> Animation | None:
        """Return the animation of events between two views, `None` if nothing is to be seen."""
        if before is None or view is None:
            return None
        found = tuple(filter(None, (_scene(event, before, view) for event in events)))
        return Animation(found) if found else None

    @property
    def next(self) -> Animation | None:
        """The animation one frame on, `None` after the last."""
        number = self.number + 1
        if number >= max(map(len, self.scenes)):
            return None
        return replace(self, number=number)

    def frame(self) -> Frame:
        """Return the frame that is shown now."""
        shown = [scene[self.number] for scene in self.scenes if self.number < len(scene)]
        cells = {cell: found for one in shown for cell, found in one.cells.items()}
        return Frame(cells, {seat: found for one in shown for seat, found in one.seats.items()})


def _scene(event: Event, before: View, view: View) -> Scene:
    """Return the scene of an event, () for one that has none."""
    match event:
        case Collapsed(_seat, cell, path) if cell in before.table.board.cards:
            return _fall(cell, LaidCard(path, before.table.board.state_of(cell)))
        case Broke(_seat, _tool, target):
            return flash(target)
        case Revealed(cell, _path):
            return _light(way_to(cell, view.table.board), cell, Sign.of(before.goal_on(cell)))
        case GoldTaken(seat):
            return tuple(Frame(seats={seat: SeatFrame(gold=at + 1)}) for at in range(GOLD_FRAMES))
        case _:
            return ()


def _fall(cell: Cell, card: LaidCard) -> Scene:
    """Return the scene in which the card on a cell shakes, and falls to rubble."""
    shown = (
        CellFrame(card, is_shifted=True),
        CellFrame(card),
        CellFrame(Rubble(is_dense=True)),
        CellFrame(Rubble(is_dense=False)),
    )
    return tuple(Frame({cell: one}) for one in shown)


def flash(seat: int) -> Scene:
    """Return the scene in which the row of a player flashes, as a tool breaks."""
    return tuple(Frame(seats={seat: SeatFrame(flashes=one)}) for one in (True, False, True))


def _light(way: tuple[Cell, ...], goal: Cell, sign: Sign) -> Scene:
    """Return the scene in which the way to a goal is lit, and then the goal is turned up.

    `way` begins with the start; `sign` is what was known of the goal. After the way, the goal
    shines alone.
    """
    glow, scene = CellFrame(glows=True), list[Frame]()
    steps = -(-len(way) // STEP_CELLS)
    for number in range(steps + 2 if way else 0):
        lit = dict.fromkeys(way[: STEP_CELLS * (number + 1)], glow)
        scene.append(Frame({**lit, goal: CellFrame(FaceDown(sign)) if number < steps else glow}))
    return tuple(scene)


def way_to(goal: Cell, board: Board) -> tuple[Cell, ...]:
    """Return the cells of a shortest way from the start to a goal, the goal excluded.

    It leads over cards that an unbroken tunnel joins to the start. It is empty if there is none.
    """
    came: dict[Cell, Cell | None] = {START: None}
    edge = [START]
    while edge and goal not in came:
        following: list[Cell] = []
        for cell in edge:
            for side, back, beside in neighbours(cell):
                path = board.cards.get(beside)
                if path is None or beside in came or not board.cards[cell].edges & side:
                    continue
                if beside == goal or (beside in board.reached and path.edges & back):
                    came[beside] = cell
                    following.append(beside)
        edge = following
    if goal not in came:
        return ()
    way: list[Cell] = []
    at = came[goal]
    while at is not None:
        way.append(at)
        at = came[at]
    return tuple(way[::-1])
