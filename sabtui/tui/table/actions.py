"""Actions and effects of the table.

An action is one value: what it does, why it is unavailable, and whom it concerns. What happens to
the screen is a step, too, in `update`. Both return the next model, and effects, which the screen
carries out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import TypeAlias

from engine.view import View
from net.client.session import Status, Update
from net.protocol.requests import Request
from sabtui.table.deed import everybody
from sabtui.text.i18n import _
from sabtui.text.moves import not_begun
from sabtui.tui.table.animation import Animation
from sabtui.tui.table.model import TableModel


class ScreenEffect(Enum):
    """Effect without a value.

    `OPEN_LOG` shows the log on the whole screen, `OPEN_REPLAY` the finished game from its
    beginning. `END_PAUSE_LATER` lets Enter act again after a while. `RUN_AUTOPILOT` lets the
    autopilot make a pending move, `STOP_AUTOPILOT` stops it. `CLOSE_TALK` takes the focus from the
    chat line.
    """

    RING = auto()
    OPEN_TALK = auto()
    CLOSE_TALK = auto()
    OPEN_LOG = auto()
    OPEN_REPLAY = auto()
    SAVE_RECORD = auto()
    SAVE_PICTURE = auto()
    END_PAUSE_LATER = auto()
    RUN_AUTOPILOT = auto()
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
    """Effect: show an update whose time has come."""

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

StepResult: TypeAlias = tuple[TableModel, tuple[TableEffect, ...]]
TableStep: TypeAlias = Callable[[TableModel, Status], StepResult]
ActionStep: TypeAlias = Callable[[TableModel, Status, View], StepResult]
WhyNot: TypeAlias = Callable[[TableModel, Status, View], str | None]


def always(_model: TableModel, _status: Status, _view: View) -> None:
    """Return `None`: the default `refuse`, for an action that is always available in a game."""


@dataclass(frozen=True, slots=True)
class Action:
    """Action of the player at the table: a step of a game that may be unavailable.

    `do` is the step. `refuse` returns the sentence that says why the action is unavailable now, or
    `None`. `concerns` returns False if this player can never take the action: then it is not
    offered. `stands_for` returns the action that this one means now, such as a digit, or `None`.

    A number discards a card only right after the discard key: any other action but those with
    `keeps_discard` ends that. An action clears the message, unless it `keeps_message`.
    """

    do: ActionStep
    refuse: WhyNot = always
    concerns: Callable[[Status], bool] = everybody
    stands_for: Callable[[TableModel, Status, View], Action | None] = always
    keeps_discard: bool = False
    keeps_message: bool = False

    def why_not(self, model: TableModel, status: Status) -> str | None:
        """Return why the action is unavailable now, as without a game every one is, or `None`."""
        return not_begun() if status.view is None else self.refuse(model, status, status.view)

    def __call__(self, model: TableModel, status: Status) -> StepResult:
        """Return the model after the action, and the effects; if refused, its reason is told."""
        view = status.view
        meant = None if view is None else self.stands_for(model, status, view)
        if meant is not None:
            return meant(model, status)
        if model.selection.discards_next and not self.keeps_discard:
            model = model.with_selection(replace(model.selection, discarding=False))
        reason = self.why_not(model, status)
        if view is None or reason is not None:
            return model.with_message(reason or ""), ()
        return self.do(model if self.keeps_message else model.with_message(""), status, view)


def how_to_aim() -> str:
    """Return the sentence on how the cursor comes to a player."""
    return _("Go to a player first: p, then Up or Down; or click on one.")
