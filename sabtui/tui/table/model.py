"""State of the table's screen as a value: `update` answers each action with another value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Final, TypeAlias

from engine.board import GOAL_CELLS, Cell
from engine.bots.hints import Hint
from engine.events import TurnEvent
from engine.state import Phase
from engine.view import View
from net.client.session import Status
from sabtui.tui.mine.picture import lying_cells
from sabtui.tui.mine.tiles import TileSize
from sabtui.tui.mine.window import HOME, Viewport
from sabtui.tui.table.animation import (
    FACE_DOWN,
    RESTING,
    Animation,
    Frame,
    HeldUpdate,
    Podium,
    RoleCard,
)
from sabtui.tui.table.layout import Layout
from sabtui.tui.table.log import TableLog
from sabtui.tui.table.players import PlayerNote
from sabtui.tui.table.selection import Selection, TargetPlace
from sabtui.tui.theme import Glyphs
from sabtui.tui.widgets.rows import Row

CURSOR_MARGIN_CELLS = 1
"""Cells around the cursor that are brought into view with it."""


_USUAL: Final = Layout.of(80, 24)
"""Layout until the size of the terminal is known."""


TurnId: TypeAlias = tuple[int, int]
"""The round, and the events of it so far: what happens next ends the turn."""


class SidePanel(Enum):
    """Page of the side below the players: recent moves, claims, cards and tools, one's own role."""

    RECENT = auto()
    CLAIMS = auto()
    CARDS = auto()
    ROLE = auto()


@dataclass(frozen=True, slots=True)
class HintCycle:
    """Hints for a view, to go through again and again; `shown` of them were shown so far.

    None are found while they are being computed.
    """

    view: View
    found: tuple[Hint, ...] = ()
    shown: int = 0


@dataclass(frozen=True, slots=True)
class TableModel:
    """State of the table's screen.

    `cells` are the cells with cards. `size` is the size of tiles that the player chose, `None` for
    the largest that shows the whole mine. `before_fit` are the window and size to go back to after
    the player had the whole mine shown. `back` is the number of rows by which the pane is scrolled.
    `is_dealt` is True while the pane shows the role by itself, since the deal. `about` is the seat
    that quick claims concern while their list is open, at its `claims_page`; `aimed_at` is the seat
    that the cursor or a claim has concerned last in this round. While `is_masked`, one's own role
    card lies face down, since the deal.

    `animation` is that of the last events, `None` while the picture rests; with `is_calm` there are
    none. `held` are updates that wait until the ceremony of the first of them is over. Then it
    `pauses` for a while, in which Enter makes nobody ready, as the player may just have pressed it
    to end the ceremony. `message` is shown in place of the hint. `is_asked` is True while a
    question is open, and `is_talking` while the chat line has the focus. `sent` is the step at
    which a move was sent. The present `turn` has lasted for so many seconds as all have `waited`,
    since the time `turn_since`; it is `None` where nobody waits. `is_on_autopilot` is True while a
    bot plays for the player, and `is_looking` once the player has moved the cursor since anybody's
    last turn. Without a hand (`has_hand`) the mine has the rows that drawn cards would take.
    """

    glyphs: Glyphs
    layout: Layout = _USUAL
    window: Viewport = Viewport.over(HOME, _USUAL.mine, _USUAL.mine_rows)  # noqa: RUF009 - it is frozen
    cells: frozenset[Cell] = frozenset(HOME)
    size: TileSize | None = None
    before_fit: tuple[Viewport, TileSize | None] | None = None
    selection: Selection = Selection()  # noqa: RUF009 - it is frozen
    pane: SidePanel = SidePanel.RECENT
    is_dealt: bool = False
    back: int = 0
    veiled: bool = False
    notes: Mapping[str, PlayerNote] = field(default_factory=dict)
    about: int | None = None
    aimed_at: int | None = None
    claims_page: int = 0
    is_masked: bool = False
    held: tuple[HeldUpdate, ...] = ()
    pauses: int = 0
    log: TableLog = TableLog()  # noqa: RUF009 - it is frozen
    message: str = ""
    is_asked: bool = False
    is_talking: bool = False
    sent: int | None = None
    turn: TurnId | None = None
    turn_since: float = 0.0
    waited: int = 0
    hints: HintCycle | None = None
    is_on_autopilot: bool = False
    is_looking: bool = False
    is_calm: bool = False
    has_hand: bool = True
    animation: Animation | None = None

    @property
    def frame(self) -> Frame:
        """Differences from the resting picture that are shown now."""
        frame = RESTING if self.animation is None else self.animation.frame()
        is_seen = self.is_masked and not self.held
        return replace(frame, stage=FACE_DOWN) if is_seen else frame

    @property
    def is_in_ceremony(self) -> bool:
        """True while a ceremony is shown, which any key ends."""
        return bool(self.held) or self.frame.stage is not None

    @property
    def is_crowning(self) -> bool:
        """True while a podium counts up: nothing else tells anybody's gold."""
        return isinstance(self.frame.stage, Podium)

    @property
    def is_role_turned(self) -> bool:
        """True while one's own role card is turned over: the key that ends this acts, too."""
        return isinstance(self.frame.stage, RoleCard) and not self.is_masked

    @property
    def hides_role(self) -> bool:
        """True if the player's role is not to be seen, or not yet."""
        stage = self.frame.stage
        turns = isinstance(stage, RoleCard) and not stage.is_up
        return self.veiled or self.is_masked or turns

    def shows_result(self, view: View) -> bool:
        """Return True if the final result is shown in place of the mine."""
        return view.phase is Phase.OVER and self.pane is SidePanel.RECENT

    def with_message(self, text: str) -> TableModel:
        """Return the model with a message, "" for the hint; an open question keeps its place."""
        return self if self.is_asked else replace(self, message=text)

    def is_sent(self, status: Status) -> bool:
        """Return True if a move was sent and the table has not changed since."""
        return status.game_state is not None and status.game_state.step == self.sent

    def resize(self, columns: int, rows: int) -> TableModel:
        """Return the model for a new terminal size: tiles that fit, the same middle if possible."""
        is_drawn = self.has_hand and self.glyphs.cards is not None
        layout = Layout.of(columns, rows, is_drawn=is_drawn)
        model = replace(self, layout=layout, size=None, before_fit=None)
        fresh = model.whole()
        if not self.window.shows_all(HOME):
            here = self.window.middle
            if not fresh.shows_all((*self.cells, self.selection.cell)):
                fresh = fresh.around([here])
        return _with_cursor(replace(model, window=fresh))

    def with_glyphs(self, glyphs: Glyphs) -> TableModel:
        """Return the model with other glyphs; their cards may be of another size."""
        model, layout = replace(self, glyphs=glyphs), self.layout
        if (glyphs.cards is None) is (self.glyphs.cards is None):
            return model
        fresh = model.resize(layout.columns, layout.rows)
        return fresh if self.size is None else replace(fresh, size=self.size).settle()

    def settle(self) -> TableModel:
        """Return the model showing the whole mine, else the way to the goals, else the cursor."""
        return _with_cursor(replace(self, window=self.whole()))

    def over(self, cells: frozenset[Cell]) -> Viewport:
        """Return a window over cells, in tiles of the chosen size or as large as fit."""
        layout = self.layout
        fitting = Viewport.over(cells, layout.mine, layout.mine_rows)
        return fitting if self.size is None else replace(fitting, size=self.size).around(cells)

    def whole(self) -> Viewport:
        """Return the window over the whole mine, else the way to the goals, else the cursor."""
        for wanted in (self.cells, frozenset(HOME)):
            window = self.over(wanted)
            if window.shows_all(wanted):
                return window
        return self.over(frozenset((self.selection.cell,)))

    def at(self, place: TargetPlace) -> TableModel:
        """Return the model with the cursor at a visible place."""
        return self.with_selection(self.selection.move_to(place))

    def with_selection(self, selection: Selection) -> TableModel:
        """Return the model with another selection; if the cursor moved, its cell is visible."""
        moved = selection.place != self.selection.place
        aimed_at = self.aimed_at if selection.seat is None else selection.seat
        looks = self.is_looking or moved
        model = replace(self, selection=selection, aimed_at=aimed_at, is_looking=looks)
        return _with_cursor(model) if moved else model

    def show_newest(self, cell: Cell) -> TableModel:
        """Return the model with a new card visible, and with it the mine or the goals if they fit.

        A cursor that was visible stays visible, for a player who is looking at that place.
        """
        model, window = replace(self, cells=self.cells | {cell}), self.window
        if window.shows_all(model.cells):
            return model
        at_work = {model.selection.cell} if window.shows(model.selection.cell) else set[Cell]()
        for wanted in (model.cells, frozenset((*HOME, cell))):
            fitting = model.over(wanted | at_work)
            if fitting.shows_all(wanted | at_work):
                return replace(model, window=fitting)
        return replace(model, window=window.following(cell))

    def pan(self, east: int, south: int) -> TableModel:
        """Return the model with the window moved by a number of cells."""
        return replace(self, window=self.window.pan(east, south))

    def zoom(self, steps: int) -> TableModel:
        """Return the model with larger or smaller tiles, over the whole mine if it fits."""
        cell = self.selection.cell
        near = self.window.zoom(steps, cell)
        whole = near.around(self.cells)
        window = whole if whole.shows_all(self.cells) else near.within(self.cells | {cell})
        best = Viewport.over(self.cells, near.columns, near.rows).size
        size = None if window.size is best else window.size
        return _with_cursor(replace(self, window=window, size=size))

    def fit(self) -> TableModel:
        """Return the model over the whole mine; if it is already, as it was before that."""
        automatic = replace(self, size=None)
        whole = automatic.whole()
        if (self.window, self.size) != (whole, None):
            return replace(automatic, window=whole, before_fit=(self.window, self.size))
        if self.before_fit is None:
            return self
        window, size = self.before_fit
        return replace(self, window=window, size=size, before_fit=None)

    def next_goal(self) -> Cell:
        """Return the goal after the one under the cursor, else the first."""
        cell = self.selection.place
        if cell in GOAL_CELLS:
            return GOAL_CELLS[(GOAL_CELLS.index(cell) + 1) % len(GOAL_CELLS)]
        return GOAL_CELLS[0]

    def mark(self, name: str) -> TableModel:
        """Return the model with the next note on a player."""
        note = self.notes.get(name, PlayerNote.NONE).next
        return replace(self, notes={**self.notes, name: note})

    def whole_log(self, columns: int) -> list[Row]:
        """Return all rows of the log, in this many columns."""
        return self.log.all_rows(columns, self.glyphs, veiled=self.hides_role)

    def turn_to(self, pane: SidePanel) -> TableModel:
        """Return the model with another page of the side, from its beginning."""
        return replace(self, pane=pane, back=0, is_dealt=False)

    def begin_round(self, view: View) -> TableModel:
        """Return the model with the page of a new round: one's own role, until one plays."""
        if view.role is None or _has_begun(view):
            return self.turn_to(SidePanel.RECENT)
        return replace(self.turn_to(SidePanel.ROLE), is_dealt=True)

    def deal(self, view: View) -> TableModel:
        """Return the model at a deal, with one's own role card face down unless it `is_calm`."""
        model = replace(self.begin_round(view), is_masked=False)
        if not model.is_dealt or model.is_calm or model.veiled:
            return model
        return replace(model.turn_to(SidePanel.RECENT), is_masked=True)

    def follow(self, before: View | None, view: View | None) -> TableModel:
        """Return the model after an update of the view."""
        model = replace(self, selection=self.selection.follow(before, view))
        if view is None:
            return replace(model, about=None, is_masked=False, cells=frozenset(HOME))
        model = replace(model, cells=lying_cells(view))
        if before is None or before.score.number != view.score.number:
            model = replace(model, selection=Selection(), aimed_at=None).settle().deal(view)
        elif model.is_dealt and _has_begun(view):
            model = model.turn_to(SidePanel.RECENT)
        if view.phase is Phase.OVER and before is not None and before.phase is not Phase.OVER:
            model = replace(model, selection=replace(model.selection, seat=None))
            model = model.turn_to(SidePanel.RECENT)
        return model if view.table.end is None else replace(model, is_masked=False)


def _has_begun(view: View) -> bool:
    """Return True if the seat has played, has its turn after others have, or the round is over."""
    if view.phase is not Phase.PLAY:
        return True
    turns = [event.seat for event in view.history if isinstance(event, TurnEvent)]
    return view.seat in turns or (bool(turns) and view.to_act == view.seat)


def _with_cursor(model: TableModel) -> TableModel:
    """Return the model with the cursor's cell visible, and with it the whole mine if that fits.

    Else the window moves to the cursor, with a margin around it.
    """
    window, cell = model.window, model.selection.cell
    if model.selection.seat is not None or window.shows(cell):
        return model
    cells = model.cells | {cell}
    whole = model.over(cells)
    if window.shows_all(model.cells) and whole.shows_all(cells):
        return replace(model, window=whole)
    return replace(model, window=window.following(cell, CURSOR_MARGIN_CELLS))
