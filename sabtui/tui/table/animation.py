"""Animations of events, and ceremonies: a goal turned over, dwarves unmasked, gold, podiums.

A frame is a pure function of a scene and a frame number, and contains only differences from the
resting picture. After the last frame that picture remains, so an animation can end at any time.

A ceremony is shown over what was known before. The update with its events waits until it is over,
and so do those that come meanwhile: no text can reveal an end before it is seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from engine.actions import Broke, Collapsed
from engine.board import START, Board, Cell, neighbours
from engine.cards import Goal, Role
from engine.events import (
    Event,
    GameEnded,
    GoldTaken,
    Revealed,
    RoundBegan,
    RoundEnded,
    SaboteursPaid,
)
from engine.view import View
from net.client.session import ConnectionState, Received, Status, Update
from sabtui.table.sight import Sight
from sabtui.text.evening import crime_line
from sabtui.text.i18n import _, capitalise, pgettext
from sabtui.tui.mine.picture import CellFrame
from sabtui.tui.mine.tiles import FaceDown, LaidCard, Rubble, Sign

GOLD_FRAMES: Final = 4  # frames in which gold falls along the row of a player
PAUSE_S: Final = 1.5  # seconds after a ceremony during which Enter makes nobody ready


@dataclass(frozen=True, slots=True)
class SeatFrame:
    """Change of a player's row: it flashes, or gold lies `gold` quarters of its width along."""

    flashes: bool = False
    gold: int | None = None


@dataclass(frozen=True, slots=True)
class RoleCard:
    """The player's role card over the mine, `sevenths` of its width in sight."""

    sevenths: int
    is_up: bool = False


@dataclass(frozen=True, slots=True)
class Unmasking:
    """The dwarves of a round over the mine; those of the seats in `unmasked` are seen."""

    end: RoundEnded
    unmasked: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Podium:
    """The result of a game in place of the mine; `places` players have come up so far."""

    sight: Sight
    places: int


CeremonyPicture: TypeAlias = RoleCard | Unmasking | Podium
"""Picture that a ceremony shows over the mine."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Differences from the resting picture, by cell and by seat."""

    cells: Mapping[Cell, CellFrame] = field(default_factory=dict)
    seats: Mapping[int, SeatFrame] = field(default_factory=dict)
    stage: CeremonyPicture | None = None
    is_dim: bool = False  # True if all other cells are dark
    text: str = ""  # the sentence below


RESTING: Final = Frame()  # the frame without differences
Scene: TypeAlias = tuple[Frame, ...]  # the frames of one event


@dataclass(frozen=True, slots=True)
class Animation:
    """A scene, and the number of the frame that is shown now."""

    scene: Scene
    number: int = 0

    @staticmethod
    def of(events: Iterable[Event], before: View) -> Animation | None:
        """Return the animation of the events of a step, `None` if none of them has one."""
        scenes = filter(None, (_find_scene(event, before) for event in events))
        return next(map(Animation, scenes), None)

    @property
    def next(self) -> Animation | None:
        """The animation one frame on, `None` after the last."""
        number = self.number + 1
        return replace(self, number=number) if number < len(self.scene) else None

    @property
    def frame(self) -> Frame:
        return self.scene[self.number]


def _find_scene(event: Event, before: View) -> Scene:
    """Return the scene of an event, () for one that has none."""
    match event:
        case Collapsed(_seat, cell, path) if cell in before.table.board.cards:
            card = LaidCard(path, before.table.board.state_of(cell))
            return tuple(Frame({cell: look}) for look in _show_fall(card))
        case Broke(_seat, _tool, target):
            return flash(target)
        case _:
            return ()


def _show_fall(card: LaidCard) -> Iterator[CellFrame]:
    yield CellFrame(card, is_shifted=True)
    yield CellFrame(card)
    yield CellFrame(Rubble(is_dense=True))
    yield CellFrame(Rubble(is_dense=False))


def flash(seat: int) -> Scene:
    """Return the scene in which the row of a player flashes, as a tool breaks."""
    return tuple(Frame(seats={seat: SeatFrame(flashes=flashes)}) for flashes in (True, False, True))


def find_way(goal: Cell, board: Board) -> tuple[Cell, ...]:
    """Return the cells of a shortest tunnel from the start to a goal, () if there is none.

    The goal itself is left out.
    """
    previous: dict[Cell, Cell | None] = {START: None}
    edge = [START]
    while edge and goal not in previous:
        following: list[Cell] = []
        for cell in edge:
            for side, back, beside in neighbours(cell):
                path = board.cards.get(beside)
                if path is None or beside in previous or not board.cards[cell].edges & side:
                    continue
                if beside == goal or (beside in board.reached and path.edges & back):
                    previous[beside] = cell
                    following.append(beside)
        edge = following
    if goal not in previous:
        return ()
    way: list[Cell] = []
    at = previous[goal]
    while at is not None:
        way.append(at)
        at = previous[at]
    return tuple(way[::-1])


TURNED_FROM: Final = (7, 5, 3, 1)
"""Sevenths of the width of a card being turned over, until only its edge is seen."""

TURNED_TO: Final = (3, 5, 7)  # sevenths of its width once the other side is seen
DIM_FRAMES: Final = 2  # frames in which the mine is dark before a goal is turned over
LIGHT_FRAMES: Final = 8
"""Maximum number of frames in which light walks back from a goal to the start."""
HELD_FRAMES: Final = 3  # frames that show the end of a ceremony

UNMASK_FRAMES: Final = 7
"""Frames in which each dwarf is unmasked: more than half a second, to be shouted at."""

MAX_FRAMES: Final = 18
"""Maximum number of frames in which players are shown one after another: all take less than two
seconds."""

FACE_DOWN: Final = RoleCard(TURNED_FROM[0])  # the role card before the first key of a round
FACE_UP: Final = RoleCard(TURNED_TO[-1], is_up=True)  # while the player peeks at it later


_SHOWN: Final = (Revealed, RoundEnded, GoldTaken, SaboteursPaid, GameEnded)
"""Events that may have a ceremony."""


@dataclass(frozen=True, slots=True)
class HeldUpdate:
    """An update, and the ceremony that is shown before it; () if it has none."""

    update: Update
    scene: Scene = ()


def hold_updates(update: Update, before: Status) -> Iterator[HeldUpdate]:
    """Yield an update in parts, each with its ceremony: an event that has one begins a part."""
    received, view = update.received, before.view
    if (
        received is None
        or view is None
        or not any(isinstance(event, _SHOWN) for event in received.events)
    ):
        yield HeldUpdate(update)
        return
    events, scene = list[Event](), Scene()
    for event in received.events:
        after = view.after(event)
        following = _find_ceremony(event, view, after, update.status)
        if following:
            if events:
                yield HeldUpdate(_bring_events(before, view, events), scene)
            events, scene = [], following
        events.append(event)
        view = after
    yield HeldUpdate(replace(update, received=replace(received, events=tuple(events))), scene)


def ends_ceremonies(update: Update, *, is_playing: bool) -> bool:
    """Return True for an update that ends all ceremonies: it replaces what they are about.

    A new round is delayed only for those who do not play it themselves (`is_playing`): it may begin
    before they have seen the end of the last one.
    """
    received, status = update.received, update.status
    if status.connection is ConnectionState.ENDED or status.view is None:
        return True
    if received is None:
        return False
    begins = any(isinstance(event, RoundBegan) for event in received.events)
    return received.renewed or (begins and is_playing)


def _bring_events(before: Status, view: View, events: list[Event]) -> Update:
    """Return the update with only these events; `view` is the view after them."""
    assert before.game_state is not None
    status = replace(before, game_state=replace(before.game_state, view=view))
    return Update(status, Received(events=tuple(events)))


def _find_ceremony(event: Event, before: View, after: View, status: Status) -> Scene:
    """Return the ceremony of an event, () without one; `status` is that of its whole update."""
    match event:
        case Revealed(cell) if cell in before.table.board.hidden:
            return _turn_goal(event, before, after)
        case RoundEnded():
            return _unmask(event, after, status)
        case GoldTaken(seat):
            return _hand_out((seat,))
        case SaboteursPaid(_due, cards, chits):
            return _hand_out(
                tuple(seat for seat, paid in enumerate(zip(cards, chits, strict=True)) if any(paid))
            )
        case GameEnded():
            return _crown(status)
        case _:
            return ()


def _turn_goal(event: Revealed, before: View, after: View) -> Scene:
    """Return the scene of a goal turned over in the dark: a stone drops, gold shines."""
    cell, board = event.cell, after.table.board
    goal = Goal.lying(event.path)
    back = CellFrame(FaceDown(Sign.of(before.goal_on(cell))))
    front = CellFrame(LaidCard(event.path, board.state_of(cell), Sign.of(goal)))
    turned = [
        *[back] * DIM_FRAMES,
        *(replace(back, sevenths=sevenths) for sevenths in TURNED_FROM),
        *(replace(front, sevenths=sevenths) for sevenths in TURNED_TO),
    ]
    dark = [Frame({cell: look}, is_dim=True) for look in turned]
    if goal is not Goal.TREASURE:
        stone = capitalise(pgettext("goal", "stone"))
        seen = Frame({cell: front}, is_dim=True, text=f"{stone}.")
        dropped = replace(seen, cells={cell: replace(front, is_dropped=True)})
        return (*dark, dropped, seen, dropped, *[seen] * HELD_FRAMES)
    way = (*find_way(cell, board), cell)[::-1]
    each = -(-len(way) // LIGHT_FRAMES)  # cells lit in each frame, rounded up
    glow = CellFrame(glows=True)
    lit = [
        Frame(
            {**dict.fromkeys(way[1:upto], glow), cell: replace(front, glows=True)},
            is_dim=True,
            text=_("Gold!"),
        )
        for upto in range(each, len(way) + each, each)
    ]
    return (*dark, *lit, *lit[-1:] * HELD_FRAMES)


def _unmask(end: RoundEnded, view: View, status: Status) -> Scene:
    """Return the scene in which dwarves are unmasked, saboteurs last, with what they did."""
    order = sorted(range(len(end.roles)), key=lambda seat: end.roles[seat] is Role.SABOTEUR)
    sight, frames = Sight.of(status), list[Frame]()
    for count in range(len(order) + 1):
        text = ""
        if sight is not None and count and end.roles[order[count - 1]] is Role.SABOTEUR:
            talk = replace(sight, view=view).talk
            text = crime_line(order[count - 1], end, view, talk, sight.names)
        stage = Unmasking(end, tuple(order[:count]))
        frames += [Frame(stage=stage, is_dim=True, text=text)] * UNMASK_FRAMES
    return tuple(frames)


def _hand_out(seats: tuple[int, ...]) -> Scene:
    """Return the scene in which gold falls along the rows of players."""
    if not seats:
        return ()
    frames = (dict.fromkeys(seats, SeatFrame(gold=at + 1)) for at in range(GOLD_FRAMES))
    return tuple(Frame(seats=shown) for shown in frames)


def _crown(status: Status) -> Scene:
    """Return the scene in which players climb the podium, those with the least gold first."""
    sight = Sight.of(status)
    if sight is None or sight.view.score.nuggets is None:
        return ()
    each = max(MAX_FRAMES // len(sight.seats), 1)
    places = (places for places in range(len(sight.seats)) for _again in range(each))
    return tuple(Frame(stage=Podium(sight, up)) for up in places)  # the final table is the last


ROLE_SCENE: Final = tuple(
    Frame(stage=card)
    for card in (
        *(RoleCard(sevenths) for sevenths in TURNED_FROM[1:]),
        *(RoleCard(sevenths, is_up=True) for sevenths in TURNED_TO),
    )
)
"""Frames in which the player's role card is turned over, and seen for a moment, alike for all."""
