"""Short animations of events: a rockfall, a broken tool, the way to a reached goal, gold.

A frame is a pure function of a scene and a frame number, and says only in what it differs from the
resting picture. After the last frame that picture remains, so an animation can end at any time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias, assert_never

from engine.board import START, Board, Cell, neighbours
from engine.events import Broke, Collapsed, Event, GoldTaken, Revealed
from engine.view import View
from sabtui.tui.mine.picture import CellFrame
from sabtui.tui.mine.tiles import FaceDown, LaidCard, Rubble, Sign

STEP_CELLS: Final = 2
"""Cells of the way to a goal that are lit with each frame."""

PAUSE_S: Final = 1.5
"""Seconds in which Enter gets nobody ready, after all dwarves are unveiled."""


@dataclass(frozen=True, slots=True)
class RockfallScene:
    """The card on a cell shakes, and falls to rubble."""

    cell: Cell
    card: LaidCard

    @property
    def frames(self) -> int:
        """Number of frames."""
        return 4

    def cells(self, frame: int) -> Mapping[Cell, CellFrame]:
        """Return in what the mine differs from the resting picture."""
        if frame < 2:
            return {self.cell: CellFrame(self.card, is_shifted=frame == 0)}
        return {self.cell: CellFrame(Rubble(is_dense=frame == 2))}


@dataclass(frozen=True, slots=True)
class BreakScene:
    """The row of a player flashes as a tool breaks."""

    seat: int

    @property
    def frames(self) -> int:
        """Number of frames."""
        return 3


@dataclass(frozen=True, slots=True)
class WayScene:
    """The way to a goal is lit cell by cell, and then the goal is turned up.

    `way` begins with the start; `sign` is what was known of the goal.
    """

    way: tuple[Cell, ...]
    goal: Cell
    sign: Sign

    @property
    def frames(self) -> int:
        """Number of frames: after the way, the goal shines alone."""
        return -(-len(self.way) // STEP_CELLS) + 2

    def cells(self, frame: int) -> Mapping[Cell, CellFrame]:
        """Return in what the mine differs from the resting picture."""
        lit = dict.fromkeys(self.way[: STEP_CELLS * (frame + 1)], CellFrame(glows=True))
        is_dark = frame < self.frames - 2
        return {
            **lit,
            self.goal: CellFrame(FaceDown(self.sign)) if is_dark else CellFrame(glows=True),
        }


@dataclass(frozen=True, slots=True)
class GoldScene:
    """Gold falls along the row of a player."""

    seat: int

    @property
    def frames(self) -> int:
        """Number of frames."""
        return 4


Scene: TypeAlias = RockfallScene | BreakScene | WayScene | GoldScene


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
        scenes = [_scene(event, before, view) for event in events]
        found = tuple(scene for scene in scenes if scene is not None)
        return Animation(found) if found else None

    @property
    def next(self) -> Animation | None:
        """The animation one frame on, `None` after the last."""
        number = self.number + 1
        if number >= max(scene.frames for scene in self.scenes):
            return None
        return replace(self, number=number)

    def frame(self) -> Frame:
        """Return the frame that is shown now."""
        cells: dict[Cell, CellFrame] = {}
        seats: dict[int, SeatFrame] = {}
        for scene in self.scenes:
            if self.number >= scene.frames:
                continue
            match scene:
                case RockfallScene() | WayScene():
                    cells.update(scene.cells(self.number))
                case BreakScene(seat):
                    seats[seat] = SeatFrame(flashes=self.number % 2 == 0)
                case GoldScene(seat):
                    seats[seat] = SeatFrame(gold=self.number + 1)
                case _:
                    assert_never(scene)
        return Frame(cells, seats)


def _scene(event: Event, before: View, view: View) -> Scene | None:
    """Return the scene of an event, `None` for one that has none."""
    match event:
        case Collapsed(_seat, cell, path) if cell in before.table.board.cards:
            return RockfallScene(cell, LaidCard(path, before.table.board.state_of(cell)))
        case Broke(_seat, _tool, target):
            return BreakScene(target)
        case Revealed(cell, _path):
            way = way_to(cell, view.table.board)
            return WayScene(way, cell, Sign.of(before.goal_on(cell))) if way else None
        case GoldTaken(seat):
            return GoldScene(seat)
        case _:
            return None


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
