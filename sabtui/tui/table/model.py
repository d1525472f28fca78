"""State of the table's screen as a value, and the steps that answer with another one.

A step takes the model and the status, and returns the next model and effects, which the screen
carries out. An `Action` of the player is a step, which also says why it is unavailable and whom it
concerns; so are updates of the session and timed events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Final, TypeAlias

from engine.actions import TargetPlace, TurnEvent
from engine.board import GOAL_CELLS, Cell
from engine.bots.hints import Hint
from engine.events import Laid, RoundEnded
from engine.state import Phase
from engine.view import View
from net.client.session import ConnectionState, Status, Update
from net.protocol.lobby_events import Nudged
from net.protocol.messages import DiskStatus
from net.protocol.requests import Reaction, Request
from net.room.permissions import people_waited_for
from sabtui.table.commands import concerns_all
from sabtui.table.sight import missed_lines
from sabtui.text.audit import wrong_lines
from sabtui.text.connection import disagreed_sentence, disk_sentence, host_lines, own_news
from sabtui.text.i18n import _
from sabtui.text.lesson import task_of
from sabtui.text.lobby import lobby_sentence, table_name
from sabtui.text.moves import not_begun, your_turn
from sabtui.text.reasons import refusal_sentence
from sabtui.text.talk import describe_reaction
from sabtui.tui.mine.picture import lying_cells
from sabtui.tui.mine.tiles import HOME, TileSize, Viewport
from sabtui.tui.table.animation import (
    FACE_DOWN,
    FACE_UP,
    RESTING,
    ROLE_SCENE,
    Animation,
    Frame,
    HeldUpdate,
    Podium,
    ends_ceremonies,
    hold_updates,
)
from sabtui.tui.table.layout import Layout
from sabtui.tui.table.log import LogKind, TableLog
from sabtui.tui.table.selection import PlayerNote, Selection, find_last_turn, find_own_turn
from sabtui.tui.theme import Glyphs
from sabtui.tui.widgets.panel import Row

CURSOR_MARGIN_CELLS = 1  # cells around the cursor that are brought into view with it
_USUAL: Final = Layout.of(80, 24)  # layout until the size of the terminal is known


class SidePanel(Enum):
    """Page of the side below the players: recent moves, claims, unseen cards."""

    RECENT = auto()
    CLAIMS = auto()
    CARDS = auto()


@dataclass(frozen=True, slots=True)
class HintCycle:
    """Hints for a view, to go through again and again."""

    view: View
    found: tuple[Hint, ...] = ()  # none while they are being computed
    shown: int = 0


@dataclass(frozen=True, slots=True)
class TableModel:
    """State of the table's screen besides the session's: cursor, selection, log, animation."""

    glyphs: Glyphs
    layout: Layout = _USUAL
    window: Viewport = Viewport.over(HOME, _USUAL.mine, _USUAL.body)  # noqa: RUF009 - it is frozen
    cells: frozenset[Cell] = frozenset(HOME)  # the cells with cards
    size: TileSize | None = None
    """The size of tiles that the player chose, `None` for the largest that shows the whole mine."""
    selection: Selection = Selection()  # noqa: RUF009 - it is frozen
    pane: SidePanel = SidePanel.RECENT
    is_peeking: bool = False  # True while the player looks at their role card, until a key
    top: int = 0  # the first row in sight of the chosen page
    notes: Mapping[str, PlayerNote] = field(default_factory=dict)
    about: int | None = None  # the seat that quick claims concern, while their list is open
    aimed_at: int | None = None
    """The seat that the cursor or a claim last concerned in this round."""
    claims_page: int = 0
    is_masked: bool = False  # True while the player's role card lies face down, since the deal
    held: tuple[HeldUpdate, ...] = ()
    """Updates that wait until the ceremony of the first of them is over."""
    pauses: int = 0
    """Ceremonies that have just ended: meanwhile Enter, which may have ended them, does less."""
    log: TableLog = TableLog()  # noqa: RUF009 - it is frozen
    message: str = ""  # what is shown in place of the hint
    is_asked: bool = False  # True while a question is open
    is_talking: bool = False  # True while the chat line has the focus
    sent: int | None = None  # the step at which a move was sent
    turn: tuple[int, int] | None = None
    """The present turn by round and number of events, `None` where nobody waits."""
    turn_since: float = 0.0
    waited: int = 0  # seconds that the turn has lasted
    hints: HintCycle | None = None
    is_on_autopilot: bool = False  # True while a bot plays for the player
    is_looking: bool = False  # True once the player has moved the cursor since anybody's last turn
    is_calm: bool = False  # True if nothing is animated
    has_hand: bool = True  # False if the mine uses the rows of drawn cards
    reactions: tuple[tuple[int | None, Reaction], ...] = ()
    """Reactions that are shown now, the oldest first, each with its seat, `None` of a watcher."""
    animation: Animation | None = None  # of the last events, `None` while the picture rests

    @property
    def frame(self) -> Frame:
        frame = RESTING if self.animation is None else self.animation.frame
        if self.is_peeking and frame.stage is None:
            return replace(frame, stage=FACE_UP)
        return replace(frame, stage=FACE_DOWN) if self.is_role_down else frame

    @property
    def is_in_ceremony(self) -> bool:
        """True while a ceremony is shown, which any key ends."""
        return bool(self.held) or self.frame.stage is not None

    @property
    def is_role_down(self) -> bool:
        """True while the player's role card lies face down, which it does until a key."""
        return self.is_masked and not self.held

    @property
    def is_crowning(self) -> bool:
        """True while a podium counts up: nothing else may show anybody's gold."""
        return isinstance(self.frame.stage, Podium)

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
        model = replace(self, layout=layout, size=None)
        fresh = model.whole()
        if not (self.window.shows_all(HOME) or fresh.shows_all((*self.cells, self.selection.cell))):
            fresh = fresh.around([self.window.middle])
        return _with_cursor(replace(model, window=fresh))

    def with_glyphs(self, glyphs: Glyphs) -> TableModel:
        """Return the model with other glyphs; their cards may have another size."""
        model, layout = replace(self, glyphs=glyphs), self.layout
        if (glyphs.cards is None) is (self.glyphs.cards is None):
            return model
        fresh = model.resize(layout.columns, layout.rows)
        return fresh if self.size is None else replace(fresh, size=self.size).settle()

    def settle(self) -> TableModel:
        """Return the model showing the whole mine, else the way to the goals, else the cursor."""
        return _with_cursor(replace(self, window=self.whole()))

    @property
    def least_tiles(self) -> TileSize:
        """Smallest tiles unless the player zooms out further: a painted mine scrolls instead."""
        return TileSize.COMPACT if self.glyphs.is_painted else TileSize.SMALL

    def over(self, cells: frozenset[Cell]) -> Viewport:
        """Return a window over cells, in tiles of the chosen size or as large as fit."""
        layout = self.layout
        fitting = Viewport.over(cells, layout.mine, layout.body, self.least_tiles)
        return fitting if self.size is None else replace(fitting, size=self.size).around(cells)

    def whole(self) -> Viewport:
        """Return the window over the whole mine, else the way to the goals and what is near it."""
        window = self.over(self.cells)
        if window.shows_all(self.cells):
            return window
        for cell in (self.selection.cell, *HOME):
            window = window.following(cell)
        return window if window.shows_all(HOME) else window.following(self.selection.cell)

    def at(self, place: TargetPlace) -> TableModel:
        return self.with_selection(self.selection.move_to(place))

    def with_selection(self, selection: Selection) -> TableModel:
        """Return the model with another selection; if the cursor moved, its cell is visible."""
        moved = selection.place != self.selection.place
        aimed_at = self.aimed_at if selection.seat is None else selection.seat
        looks = self.is_looking or moved
        model = replace(self, selection=selection, aimed_at=aimed_at, is_looking=looks)
        return _with_cursor(model) if moved else model

    def show_newest(self, cell: Cell) -> TableModel:
        """Return the model with a new card in sight, and mine or goals if they fit."""
        model, window = replace(self, cells=self.cells | {cell}), self.window
        if window.shows_all(model.cells):
            return model
        at_work = {model.selection.cell} if window.shows(model.selection.cell) else set[Cell]()
        fitting = model.over(model.cells | at_work)
        if fitting.shows_all(model.cells | at_work):
            return replace(model, window=fitting)
        least = replace(window, size=fitting.size)
        return replace(model, window=least.following(cell, CURSOR_MARGIN_CELLS))

    def pan(self, east: int, south: int) -> TableModel:
        return replace(self, window=self.window.pan(east, south))

    def zoom(self, steps: int) -> TableModel:
        """Return the model with larger or smaller tiles, the cursor in sight."""
        window = self.window.zoom(steps).around(self.cells).following(self.selection.cell)
        best = Viewport.over(self.cells, window.columns, window.rows, self.least_tiles).size
        return replace(self, window=window, size=None if window.size is best else window.size)

    def next_goal(self) -> Cell:
        """Return the goal after the one under the cursor, else the first."""
        cell = self.selection.place
        if cell in GOAL_CELLS:
            return GOAL_CELLS[(GOAL_CELLS.index(cell) + 1) % len(GOAL_CELLS)]
        return GOAL_CELLS[0]

    def whole_log(self, columns: int) -> list[Row]:
        return self.log.all_rows(columns, self.glyphs)

    def peek(self) -> TableModel:
        """Return the model with the player's role card face up until a key."""
        return replace(self.with_message(_("Any key puts it away.")), is_peeking=True)

    def put_page_away(self, view: View) -> TableModel:
        """Return the model with the talk in sight again, if a page covers it."""
        has_both = self.layout.seats(view.table.players).has_room_for_log
        is_kept = has_both or view.phase is not Phase.PLAY or self.pane is SidePanel.RECENT
        return self if is_kept else self.turn_to(SidePanel.RECENT)

    def turn_to(self, pane: SidePanel) -> TableModel:
        """Return the model with another page of the side, from its beginning."""
        return replace(self, pane=pane, top=0)

    def deal(self, view: View) -> TableModel:
        """Return the model at a deal, with the player's role card face down."""
        is_new = view.role is not None and not _has_begun(view)
        return replace(self.turn_to(SidePanel.RECENT), is_masked=is_new, is_peeking=False)

    def follow(self, before: View | None, view: View | None) -> TableModel:
        model = replace(self, selection=self.selection.follow(before, view))
        if view is None:
            return replace(model, about=None, is_masked=False, cells=frozenset(HOME))
        model = replace(model, cells=lying_cells(view))
        if before is None or before.score.number != view.score.number:
            model = replace(model, selection=Selection(), aimed_at=None).settle().deal(view)
        if view.phase is Phase.OVER and before is not None and before.phase is not Phase.OVER:
            model = replace(model, selection=replace(model.selection, seat=None))
            model = model.turn_to(SidePanel.RECENT)
        return model if view.table.end is None else replace(model, is_masked=False)


def _has_begun(view: View) -> bool:
    """Return True once the seat has played, its turn has come again, or the round is over."""
    if view.phase is not Phase.PLAY:
        return True
    if find_own_turn(view) is not None:
        return True
    return view.to_act == view.seat and find_last_turn(view) is not None


def _with_cursor(model: TableModel) -> TableModel:
    """Return the model with the cursor in sight: with all of the mine if it fits, else a margin."""
    window, cell = model.window, model.selection.cell
    if model.selection.seat is not None or window.shows(cell):
        return model
    cells = model.cells | {cell}
    whole = model.over(cells)
    if window.shows_all(model.cells) and whole.shows_all(cells):
        return replace(model, window=whole)
    return replace(model, window=window.following(cell, CURSOR_MARGIN_CELLS))


class ScreenEffect(Enum):
    """Effects that carry no value; each that carries one is a class of its own."""

    RING = auto()
    OPEN_TALK = auto()
    CLOSE_TALK = auto()  # take the focus from the chat line
    OPEN_LOG = auto()
    OPEN_REPLAY = auto()
    SAVE_PICTURE = auto()
    END_REACTION_LATER = auto()  # show the oldest reaction for a moment only
    END_PAUSE_LATER = auto()  # let Enter act again after a while
    START_AUTOPILOT = auto()  # the player agreed
    RUN_AUTOPILOT = auto()  # let the autopilot make a pending move
    STOP_AUTOPILOT = auto()


@dataclass(frozen=True, slots=True)
class SendRequest:
    """Effect: send a request to the host."""

    request: Request


@dataclass(frozen=True, slots=True)
class LeaveTable:
    """Effect: leave the table's screen, with a message for the next one."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class AskFirst:
    """Effect: ask a question, and carry out another effect if the answer is yes."""

    question: str
    then: TableEffect
    is_final: bool = False  # True if Enter does not mean yes


@dataclass(frozen=True, slots=True)
class PickOne:
    """Effect: ask a question with rows as answers; each row has its effect."""

    question: str
    answers: tuple[tuple[str, TableEffect], ...]


@dataclass(frozen=True, slots=True)
class SetTitle:
    """Effect: show a text in the terminal's title."""

    title: str


@dataclass(frozen=True, slots=True)
class TakeUpdate:
    """Effect: show an update that was due to wait until now."""

    update: Update


@dataclass(frozen=True, slots=True)
class ShowFrameLater:
    """Effect: show the frame after the present one of an animation, after a moment."""

    animation: Animation


@dataclass(frozen=True, slots=True)
class FindHints:
    """Effect: compute hints for a view, in a thread."""

    view: View


TableEffect: TypeAlias = (
    ScreenEffect
    | SendRequest
    | LeaveTable
    | AskFirst
    | PickOne
    | SetTitle
    | TakeUpdate
    | ShowFrameLater
    | FindHints
)

Done: TypeAlias = tuple[TableModel, tuple[TableEffect, ...]]  # the next model, and effects


@dataclass(frozen=True, slots=True)
class Refused:
    """The sentence that says why an action is unavailable now."""

    text: str


Answer: TypeAlias = Done | Refused
ActionStep: TypeAlias = Callable[[TableModel, Status, View], Answer]


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """Action of the player at the table: a step of a game that may be refused."""

    do: ActionStep
    """Returns the result of the action, or why it is unavailable now."""
    concerns: Callable[[Status], bool] = concerns_all
    """False if this player can never take the action: then it is not offered."""
    is_free: bool = False
    """True if the action is never refused in a game: nobody has to try it to know."""
    keeps_message: bool = False  # False for an action that clears the message
    keeps_page: bool = False  # False for an action that puts a page over the talk away

    def answer(self, model: TableModel, status: Status) -> Answer:
        """Return the result of the action, or why it is unavailable now.

        Without a game, every action is unavailable.
        """
        if status.view is None:
            return Refused(not_begun())
        model = model if self.keeps_message else model.with_message("")
        return self.do(model, status, status.view)


TableStep: TypeAlias = Action | Callable[[TableModel, Status], Done]


def show_refusal(answer: Answer, model: TableModel) -> Done:
    """Return what was done, or the model with the reason why nothing was."""
    return (model.with_message(answer.text), ()) if isinstance(answer, Refused) else answer


def how_to_aim() -> str:
    """Explain how to move the cursor to a player."""
    return _("Go to a player first: p, then Up or Down; or click on one.")


CLOCK_STEP_S: Final = 5
"""Step, in seconds, of a turn's shown time: each step costs a slow line some bytes."""

LATE_CLOCK_STEP_S: Final = 15  # the step after the first minute


def open_table(model: TableModel, status: Status, glyphs: Glyphs, *, is_calm: bool = False) -> Done:
    """Reset the model for a new screen; the old screen's timers and results are dropped."""
    # A screen that is only rebuilt in another language has shown what was missed already.
    missed = [] if model.log.lines else missed_lines(status, Status())
    model = replace(model.with_glyphs(glyphs), is_calm=is_calm, pauses=0)
    log = TableLog.of(status).with_lines(missed, LogKind.STOOD_IN)
    model = replace(model, log=log, held=(), hints=None, animation=None)
    for text in missed:
        model = model.with_message(text)
    if status.view is not None:
        model = replace(model, cells=lying_cells(status.view))
        if model.pane is SidePanel.RECENT and find_last_turn(status.view) is None:
            model = _skip_role_card(model.deal(status.view), status)
    return model, _announcement(None, status)


def _skip_role_card(model: TableModel, status: Status) -> TableModel:
    """Return the model without a role card to turn over: a lesson says what to press."""
    if not model.is_masked or status.view is None or task_of(status) is None:
        return model
    return replace(model, is_masked=False)


def queue_update(model: TableModel, status: Status, update: Update) -> Done:
    """Take an update at once, or queue it until the ceremonies before it are over."""
    before = model.held[-1].update.status if model.held else status
    parts = (HeldUpdate(update),) if model.is_calm else tuple(hold_updates(update, before))
    model, goes_on = replace(model, held=(*model.held, *parts)), bool(model.held)
    autopilot = (ScreenEffect.RUN_AUTOPILOT,) if model.is_on_autopilot else ()
    is_playing = status.seat is not None and not model.is_on_autopilot
    if ends_ceremonies(update, is_playing=is_playing):
        effects: tuple[TableEffect, ...] = tuple(TakeUpdate(held.update) for held in model.held)
        model = replace(model, held=(), animation=None)
    else:
        model, effects = (model, ()) if goes_on else _go_on(model)
    return model, (*effects, *autopilot)


def _go_on(model: TableModel) -> Done:
    """Show the updates that wait, up to the next one with a ceremony, which begins."""
    held, due = model.held, list[TableEffect]()
    # The gold that somebody takes is shown unless something else is waiting.
    while held and (not held[0].scene or (held[0].scene[0].seats and len(held) > 1)):
        due.append(TakeUpdate(held[0].update))
        held = held[1:]
    model = replace(model, held=held)
    if not held:
        return model, tuple(due)
    animation = Animation(held[0].scene)
    model = replace(model, about=None, animation=animation, is_peeking=False)
    for cell in held[0].scene[0].cells:
        model = model.show_newest(cell)
    return model, (*due, ShowFrameLater(animation))


def _end(model: TableModel) -> Done:
    """End the animation; after a ceremony show the update that waits for it, and later ones."""
    model = replace(model, animation=None)
    if not model.held:
        return model, ()
    first, *others = model.held
    model, effects = _go_on(replace(model, held=tuple(others), pauses=model.pauses + 1))
    return model, (TakeUpdate(first.update), *effects, ScreenEffect.END_PAUSE_LATER)


def skip(model: TableModel, status: Status) -> Done:
    """End the ceremony that is shown, or turn the role card over: a key does nothing else then."""
    if model.is_peeking:
        model = replace(model.with_message(""), is_peeking=False)
    if model.held or not model.is_masked:
        return _end(model)
    model = replace(model, is_masked=False)
    if status.view is None:
        return model, ()
    model = model.peek()
    if model.is_calm:
        return model, ()
    animation = Animation(ROLE_SCENE)
    model = replace(model, animation=animation)
    return model, (ShowFrameLater(animation),)


def take_update(model: TableModel, status: Status, update: Update, before: Status) -> Done:
    received, view = update.received, status.view
    model = _skip_role_card(model.follow(before.view, view), status)
    talk = model.log.newest_talk
    model = replace(model, log=model.log.after(update, before))
    if view is not None and model.log.newest_talk is not talk:
        model = model.put_page_away(view)
    later: tuple[TableEffect, ...] = ()
    if received is not None:
        model = model.with_message("") if received.events else model
        if any(isinstance(event, TurnEvent) for event in received.events):
            model = replace(model, is_looking=False)
        for event in received.events:
            if isinstance(event, Laid):
                model = model.show_newest(event.cell)
            elif isinstance(event, RoundEnded):
                # The open list of claims would hide the players, whose roles are shown now.
                model = replace(model, about=None)
        model = replace(model, sent=None) if received.refused or received.settled else model
        if before.view is not None and not (model.is_calm or model.is_in_ceremony):
            animation = Animation.of(received.events, before.view)
            if animation is not None:
                model, later = replace(model, animation=animation), (ShowFrameLater(animation),)
        if (reacted := received.reaction) is not None and status.lobby is not None:
            shown = status.lobby.seat_of(reacted.member), reacted.reaction
            model = replace(model, reactions=(*model.reactions, shown))
            later = (*later, ScreenEffect.END_REACTION_LATER)
        is_knock = any(isinstance(event, Nudged) for event in received.news)
        if is_knock and status.member in _members_waited_for(status):
            later = (*later, ScreenEffect.RING)
    for text in _news(status, update, before):
        model = model.with_message(text)
    if status.disk is not before.disk and not status.disk.is_waiting:
        model = model.with_message(disk_sentence(status.disk, is_host=status.is_host))
    elif _hindrances(status) != _hindrances(before):
        # The hint says what stops the game, or that it continues: show it.
        model = model.with_message("")
    return model, (*later, *_announcement(before.view, status))


def _hindrances(status: Status) -> tuple[ConnectionState, DiskStatus, bool]:
    paused = status.lobby is not None and status.lobby.paused
    return status.connection, status.disk, paused


def _news(status: Status, update: Update, before: Status) -> list[str]:
    """Return the messages about an update, the last of which is shown."""
    received, texts = update.received, list[str]()
    if received is not None:
        texts += [refusal_sentence(received.refused.reason)] if received.refused else []
        texts += missed_lines(status, before) if received.renewed else []
        texts += host_lines(received)
        texts += [disagreed_sentence()] if received.disagreed else []
        texts += wrong_lines(received)
        lobby = before.lobby
        if (reacted := received.reaction) and lobby and lobby.seat_of(reacted.member) is None:
            texts += filter(None, [describe_reaction(reacted, lobby)])
        for event in received.news:
            if lobby is not None and isinstance(event, Nudged):
                texts += filter(None, [lobby_sentence(event, lobby, status.member)])
    return [*texts, *own_news(status, before)]


def show_frame(model: TableModel, _status: Status, animation: Animation) -> Done:
    """Show the next frame of an animation, unless another one runs now."""
    if model.animation != animation:
        return model, ()
    following = animation.next
    if following is None:
        return _end(model)
    return replace(model, animation=following), (ShowFrameLater(following),)


def pass_time(model: TableModel, status: Status, now: float) -> Done:
    """Count how long this turn lasts, if anybody waits; after a pause the count restarts."""
    view, lobby = status.view, status.lobby
    waits = (
        lobby is not None
        and any(person.member != status.member for person in lobby.people)
        and not lobby.paused
    )
    turn = None
    if waits and view is not None and (view.to_act is not None or _members_waited_for(status)):
        turn = view.score.number, len(view.history)
    if turn != model.turn:
        model = replace(model, turn=turn, turn_since=now)
    lasted = 0 if turn is None else int(now - model.turn_since)
    step = CLOCK_STEP_S if lasted < 60 else LATE_CLOCK_STEP_S
    return replace(model, waited=lasted - lasted % step), ()


def _members_waited_for(status: Status) -> frozenset[int]:
    lobby = status.lobby
    people = () if lobby is None else people_waited_for(lobby, status.view)
    return frozenset(person.member for person in people)


def end_pause(model: TableModel, _status: Status) -> Done:
    """Let Enter act again, a while after the last ceremony: each has begun a pause."""
    return replace(model, pauses=model.pauses - 1), ()


def _announcement(before: View | None, status: Status) -> tuple[TableEffect, ...]:
    """Return the bell and the terminal's title as the player's turn begins or ends."""
    now = status.view
    was = before is not None and before.seat is not None and before.to_act == before.seat
    mine = now is not None and now.seat is not None and now.to_act == now.seat
    if mine == was and before is not None:
        return ()
    name = "" if status.lobby is None else table_name(status.lobby)
    title = SetTitle(f"{your_turn()} - {name}" if mine else name)
    return (title, ScreenEffect.RING) if mine else (title,)


def end_reaction(model: TableModel, _status: Status) -> Done:
    """Hide the oldest reaction: each is shown for the same time."""
    return replace(model, reactions=model.reactions[1:]), ()
