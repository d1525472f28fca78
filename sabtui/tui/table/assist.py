"""Hints and the autopilot: actions that leave a move, or all of them, to a bot."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.bots.hints import Hint
from engine.view import View
from net.client.session import ConnectionState, Status
from sabtui.text.i18n import _
from sabtui.text.moves import (
    MAX_HINTS,
    believed_words,
    hint_words,
    no_hint,
    no_hint_found,
    only_watching,
)
from sabtui.text.seats import autopilot_plays, autopilot_stopped
from sabtui.tui.table.actions import Action, FindHints, ScreenEffect, StepResult
from sabtui.tui.table.card_actions import (
    explain_hint,
    has_seat,
    move_sent,
    while_on_autopilot,
    with_cards,
)
from sabtui.tui.table.model import HintCycle, TableModel
from sabtui.tui.table.status import lobby_at, names_at, with_more


def _why_no_hint(model: TableModel, status: Status, view: View) -> str | None:
    """Return why no hint can be given now, or `None`."""
    lobby = lobby_at(status)
    reason = no_hint(view, names_at(status), allowed=lobby.settings.hints)
    if reason is not None:
        return reason
    if lobby.paused:
        return explain_hint(model, status)
    if model.is_sent(status):
        return move_sent()
    return while_on_autopilot(model)


def _advise(model: TableModel, status: Status, view: View) -> StepResult:
    """Return the model with the next best move selected; for a new turn, have hints computed."""
    if model.hints is None or model.hints.view != view:
        return replace(model, hints=HintCycle(view)).with_message(_thinking()), (FindHints(view),)
    if not model.hints.found:
        return model.with_message(_thinking()), ()
    return _next_hint(model, status, model.hints), ()


def take_hints(
    model: TableModel, status: Status, view: View, found: tuple[Hint, ...]
) -> StepResult:
    """Take in the hints found for a view, the best first, and show that; too late, drop them."""
    if status.view != view:
        return (model.with_message("") if model.message == _thinking() else model), ()
    if not found:
        return replace(model, hints=None).with_message(no_hint_found()), ()
    hints = HintCycle(view, found[:MAX_HINTS])
    if model.is_asked or model.is_sent(status):
        return replace(model, hints=hints), ()
    return _next_hint(model, status, hints), ()


def _next_hint(model: TableModel, status: Status, hints: HintCycle) -> TableModel:
    """Return the model with the next suggested move selected, and the reason for it."""
    count, names = len(hints.found), names_at(status)
    found = hints.found[hints.shown % count]
    hints = replace(hints, shown=hints.shown + 1)
    lines = [hint_words(found, hints.view.role, names)]
    if found.believed is not None:
        lines.append(believed_words(found.believed, names))
    if count > 1:
        # Translators: this is one of so many hints; the key i shows the next.
        more = _("Hint {number} of {count}; i: next.")
        lines.append(more.format(number=(hints.shown - 1) % count + 1, count=count))
    text = with_more([*lines, _("Enter does it.")], model.layout.columns - 2)
    model = replace(model, hints=hints).with_message(text)
    return model.with_selection(model.selection.about_to(found.move, hints.view))


def _thinking() -> str:
    return _("Looking for a hint...")


HINT: Final = with_cards(_advise, _why_no_hint)
"""Suggest a move."""


def _switch_autopilot(model: TableModel, _status: Status, _view: View) -> StepResult:
    """Let a bot play for the player, or let the player take over again."""
    model = replace(model, about=None, claims_page=0, is_on_autopilot=not model.is_on_autopilot)
    if not model.is_on_autopilot:
        return model.with_message(autopilot_stopped()), (ScreenEffect.STOP_AUTOPILOT,)
    return model.with_message(autopilot_plays()), (ScreenEffect.RUN_AUTOPILOT,)


def _why_no_autopilot(model: TableModel, status: Status, _view: View) -> str | None:
    if status.connection is ConnectionState.ENDED:
        return explain_hint(model, status)
    return only_watching() if status.seat is None else None


AUTOPILOT: Final = Action(_switch_autopilot, _why_no_autopilot, has_seat)
"""Let a bot play, or take over again."""
