"""Short animations of events: a rockfall, a broken tool; and the frames of ceremonies.

A frame is a pure function of a scene and a frame number, and says only in what it differs from the
resting picture. After the last frame that picture remains, so an animation can end at any time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from engine.board import START, Board, Cell, neighbours
from engine.events import Broke, Collapsed, Event, RoundEnded
from engine.view import View
from net.protocol.evening import EveningRow
from sabtui.table.sight import Sight
from sabtui.tui.mine.picture import CellFrame
from sabtui.tui.mine.tiles import LaidCard, Rubble

GOLD_FRAMES: Final = 4
"""Frames in which gold falls along the row of a player."""

PAUSE_S: Final = 1.5
"""Seconds in which Enter gets nobody ready, after a ceremony."""


@dataclass(frozen=True, slots=True)
class SeatFrame:
    """Difference of a player's row: all of it flashes, or `gold` quarters along it lies gold."""

    flashes: bool = False
    gold: int | None = None


@dataclass(frozen=True, slots=True)
class RoleCard:
    """One's own role card over the mine, of whose width so many `sevenths` are seen."""

    sevenths: int
    is_up: bool = False


@dataclass(frozen=True, slots=True)
class Unmasking:
    """The dwarves of a round over the mine; those of the first seats are unmasked."""

    end: RoundEnded
    unmasked: int


@dataclass(frozen=True, slots=True)
class Podium:
    """The result of a game in place of the mine; as many players as `places` are on it."""

    sight: Sight
    places: int


@dataclass(frozen=True, slots=True)
class SeriesPodium:
    """The result of a series over the mine; as many players as `places` are on it."""

    rows: tuple[EveningRow, ...]
    places: int


CeremonyPicture: TypeAlias = RoleCard | Unmasking | Podium | SeriesPodium
"""Picture that a ceremony shows over the mine."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Differences from the resting picture, by cell and by seat.

    All cells but these are dark if it `is_dim`; `text` is the sentence below.
    """

    cells: Mapping[Cell, CellFrame] = field(default_factory=dict)
    seats: Mapping[int, SeatFrame] = field(default_factory=dict)
    stage: CeremonyPicture | None = None
    is_dim: bool = False
    text: str = ""


RESTING: Final = Frame()
"""The frame that differs in nothing."""


Scene: TypeAlias = tuple[Frame, ...]
"""The frames of one event."""


@dataclass(frozen=True, slots=True)
class Animation:
    """Scenes that begin together, at the frame that is shown now.

    `late` counts the frames in a row, up to the last one, that came late.
    """

    scenes: tuple[Scene, ...]
    number: int = 0
    late: int = 0

    @staticmethod
    def of(events: Iterable[Event], before: View | None, view: View | None) -> Animation | None:
        """Return the animation of events between two views, `None` if nothing is to be seen."""
        if before is None or view is None:
            return None
        found = tuple(filter(None, (_scene(event, before) for event in events)))
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
        first, *others = [scene[self.number] for scene in self.scenes if self.number < len(scene)]
        cells = {cell: found for one in others for cell, found in one.cells.items()}
        seats = {seat: found for one in others for seat, found in one.seats.items()}
        return replace(first, cells={**first.cells, **cells}, seats={**first.seats, **seats})


def _scene(event: Event, before: View) -> Scene:
    """Return the scene of an event, () for one that has none."""
    match event:
        case Collapsed(_seat, cell, path) if cell in before.table.board.cards:
            return _fall(cell, LaidCard(path, before.table.board.state_of(cell)))
        case Broke(_seat, _tool, target):
            return flash(target)
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
