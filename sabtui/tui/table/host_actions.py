"""Actions at the table that ask something of it, and those of a person about their own seat.

What is asked of a table is a `Deed`; one about a player means the one under the cursor.
"""

from __future__ import annotations

from typing import Final

from engine.state import Phase
from engine.view import View
from net.client.session import ConnectionState, Status
from sabtui.table.deed import Aim, Deed, aim_at
from sabtui.text.connection import why_ended
from sabtui.text.i18n import _
from sabtui.text.results import once_over
from sabtui.text.seats import leave_question, way_back
from sabtui.tui.table.actions import (
    Action,
    AskFirst,
    LeaveTable,
    PickOne,
    ScreenEffect,
    SendRequest,
    StepResult,
    TableEffect,
    WhyNot,
    how_to_aim,
)
from sabtui.tui.table.model import TableModel


def do_deed(deed: Deed) -> Action:
    """Return the action that does a deed, about the seat under the cursor."""

    def aim(model: TableModel, status: Status) -> Aim:
        return aim_at(status, model.selection.seat, how_to_aim())

    return Action(
        lambda model, status, _view: (model, deed_effects(deed, aim(model, status))),
        lambda model, status, _view: deed.why_not(aim(model, status)),
        deed.concerns,
    )


def deed_effects(deed: Deed, aim: Aim) -> tuple[TableEffect, ...]:
    """Return the effects of an available deed: of several whom it may mean, one is picked first."""
    others = deed.others(aim)
    if len(others) > 1:
        answers = [(name, effect) for name, other in others for effect in _ask(deed, other)]
        return (PickOne(deed.pick(aim), tuple(answers)),)
    return _ask(deed, aim)


def _ask(deed: Deed, aim: Aim) -> tuple[TableEffect, ...]:
    """Return the effect that sends the request of a deed, after its question if it has one."""
    request, question = deed.request(aim), deed.ask(aim)
    if request is None:
        return ()
    send = SendRequest(request)
    return (AskFirst(question, send) if question else send,)


def _leave(model: TableModel, status: Status, view: View) -> StepResult:
    """Leave for now, after a question if something would be lost."""
    if status.connection is ConnectionState.ENDED:
        return model, (LeaveTable(why_ended(status.ending, is_host=status.is_host)),)
    leave = LeaveTable(way_back(status))
    question = "" if view.phase is Phase.OVER else leave_question(status)
    return model, (AskFirst(question, leave) if question else leave,)


LEAVE: Final = Action(_leave)


def _after_game(effect: ScreenEffect, refuse: WhyNot) -> Action:
    """Return an action with a finished game, which the screen carries out."""
    return Action(lambda model, _status, _view: (model, (effect,)), refuse)


def _why_no_record(_model: TableModel, status: Status, view: View) -> str | None:
    """Return why there is no record: the game is not over, or a lesson, which leaves none."""
    if status.game_state is not None and status.game_state.record:
        return None
    return _("There is no record of this game.") if view.phase is Phase.OVER else once_over()


WATCH_AGAIN: Final = _after_game(ScreenEffect.OPEN_REPLAY, _why_no_record)
SAVE_RECORD: Final = _after_game(ScreenEffect.SAVE_RECORD, _why_no_record)
SAVE_PICTURE: Final = _after_game(
    ScreenEffect.SAVE_PICTURE,
    lambda _model, _status, view: None if view.phase is Phase.OVER else once_over(),
)
