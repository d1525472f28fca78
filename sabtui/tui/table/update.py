"""Steps of the table that no player takes: an update of the session, and what time brings.

Each returns the next model and effects, like an `Action` of the player.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from engine.events import Event, Laid, RoundEnded, TurnEvent
from engine.view import View
from net.client.session import ConnectionState, Received, Status, Update
from net.protocol.lobby_events import Nudged
from net.protocol.messages import DiskStatus
from sabtui.text.audit import wrong_lines
from sabtui.text.connection import (
    disk_sentence,
    host_lines,
    own_news,
    report_sentence,
)
from sabtui.text.i18n import _
from sabtui.text.lesson import task_of
from sabtui.text.lobby import lobby_sentence, table_name
from sabtui.text.reasons import refusal_sentence
from sabtui.tui.mine.picture import lying_cells
from sabtui.tui.table.actions import (
    ScreenEffect,
    SetTitle,
    ShowFrameLater,
    StepResult,
    TableEffect,
    TakeUpdate,
)
from sabtui.tui.table.animation import (
    ROLE_SCENE,
    Animation,
    HeldUpdate,
    ends_ceremonies,
    hold_updates,
    is_of_gold,
)
from sabtui.tui.table.log import TableLog
from sabtui.tui.table.model import SidePanel, TableModel
from sabtui.tui.theme import Glyphs

MAX_HELD: Final = 64
"""Most updates that wait for ceremonies: many more than a round's end and all its talk bring."""

CLOCK_STEP_S: Final = 5
"""Seconds by which the time of a turn is counted: each step costs a slow line some bytes."""

MAX_LATE_FRAMES: Final = 3
"""Late frames in a row that end the ceremonies: a busy computer has one, a slow terminal all."""


def open_table(
    model: TableModel, status: Status, glyphs: Glyphs, *, is_calm: bool = False
) -> StepResult:
    """Return the model of a new screen that shows the current status.

    If it `is_calm`, nothing is ever animated. Timers, and hints still being found, were those of
    the screen before.
    """
    model = replace(model.with_glyphs(glyphs), is_calm=is_calm, pauses=0)
    model = replace(model, log=TableLog.of(status), held=(), hints=None, animation=None)
    if status.view is not None:
        model = replace(model, cells=lying_cells(status.view))
        played = any(isinstance(event, TurnEvent) for event in status.view.history)
        if model.pane is SidePanel.RECENT and not played:
            model = _skip_role_card(model.deal(status.view), status)
    return model, _announcement(None, status)


def _skip_role_card(model: TableModel, status: Status) -> TableModel:
    """Return the model without a role card to turn over: a lesson says what to press."""
    if not model.is_masked or status.view is None or task_of(status) is None:
        return model
    return replace(model, is_masked=False).begin_round(status.view)


def hear(model: TableModel, status: Status, update: Update) -> StepResult:
    """Take in an update: at once, unless a ceremony comes before it."""
    before = model.held[-1].update.status if model.held else status
    parts = (HeldUpdate(update),) if model.is_calm else tuple(hold_updates(update, before))
    model, goes_on = replace(model, held=(*model.held, *parts)), bool(model.held)
    autopilot = (ScreenEffect.RUN_AUTOPILOT,) if model.is_on_autopilot else ()
    is_playing = status.seat is not None and not model.is_on_autopilot
    if ends_ceremonies(update, is_playing=is_playing) or len(model.held) > MAX_HELD:
        model, effects = _end_all(model)
    else:
        model, effects = (model, ()) if goes_on else _go_on(model)
    return model, (*effects, *autopilot)


def _go_on(model: TableModel) -> StepResult:
    """Show the updates that wait, up to the next one with a ceremony, which begins."""
    held, due = model.held, list[TableEffect]()
    while held and (not held[0].scene or (is_of_gold(held[0].scene) and len(held) > 1)):
        due.append(TakeUpdate(held[0].update))
        held = held[1:]
    model = replace(model, held=held)
    if not held:
        return model, tuple(due)
    animation = Animation((held[0].scene,))
    model = replace(model, about=None, animation=animation)
    for cell in held[0].scene[0].cells:
        model = model.show_newest(cell)
    return model, (*due, ShowFrameLater(animation))


def _end_all(model: TableModel) -> StepResult:
    """Show all updates that wait, without their ceremonies."""
    due = [TakeUpdate(one.update) for one in model.held]
    return replace(model, held=(), animation=None), tuple(due)


def _end(model: TableModel) -> StepResult:
    """End the animation; after a ceremony show the update that waits for it, and what follows."""
    model = replace(model, animation=None)
    if not model.held:
        return model, ()
    first, *others = model.held
    model, effects = _go_on(replace(model, held=tuple(others), pauses=model.pauses + 1))
    return model, (TakeUpdate(first.update), *effects, ScreenEffect.END_PAUSE_LATER)


def skip(model: TableModel, status: Status) -> StepResult:
    """End the ceremony that is shown: a key does nothing else then."""
    if model.held or not model.is_masked:
        return _end(model)
    model = replace(model, is_masked=False)
    if status.view is None:
        return model, ()
    animation = Animation((ROLE_SCENE,))
    model = replace(model.begin_round(status.view), animation=animation)
    return model, (ShowFrameLater(animation),)


def take_update(model: TableModel, status: Status, update: Update, before: Status) -> StepResult:
    """Return the model after an update of the session; `before` is the status before it."""
    received, view = update.received, status.view
    model = _skip_role_card(model.follow(before.view, view), status)
    model = replace(model, log=model.log.after(update, before))
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
        model, later = _animate(model, received.events, before.view, view)
        if _is_nudged(received, view):
            later = (*later, ScreenEffect.RING)
    for text in _news(status, update, before):
        model = model.with_message(text)
    if status.disk is not before.disk and status.disk is not DiskStatus.FULL:
        model = model.with_message(disk_sentence(status.disk, is_host=status.is_host))
    elif _hindrances(status) != _hindrances(before):
        # The hint says what stops the game, or that it goes on: show it.
        model = model.with_message("")
    return model, (*later, *_announcement(before.view, status))


def _is_nudged(received: Received, view: View | None) -> bool:
    """Return True if somebody waits for this player, and lets them know."""
    mine = view is not None and view.to_act is not None and view.to_act == view.seat
    return mine and any(isinstance(one, Nudged) for one in received.news)


def _hindrances(status: Status) -> tuple[ConnectionState, DiskStatus, bool]:
    """Return all that may hold up the game."""
    paused = status.lobby is not None and status.lobby.paused
    return status.connection, status.disk, paused


def _news(status: Status, update: Update, before: Status) -> list[str]:
    """Return the messages about an update, the last of which is shown."""
    received, texts = update.received, list[str]()
    if received is not None:
        texts += [refusal_sentence(received.refused.reason)] if received.refused else []
        texts += host_lines(received)
        disagreed = received.disagreed is not None
        texts += [report_sentence(received.report)] if received.report and disagreed else []
        texts += wrong_lines(received)
        lobby = before.lobby
        for one in received.news:
            if lobby is not None and isinstance(one, Nudged):
                texts += filter(None, [lobby_sentence(one, lobby, status.member)])
    return [*texts, *own_news(status, before)]


def _animate(
    model: TableModel, events: Iterable[Event], before: View | None, view: View | None
) -> StepResult:
    """Return the model with the animation of events, if they have one; ceremonies go on."""
    animation = None if model.is_calm else Animation.of(events, before, view)
    if animation is None or model.is_in_ceremony:
        return model, ()
    return replace(model, animation=animation), (ShowFrameLater(animation),)


def show_frame(
    model: TableModel, _status: Status, animation: Animation, *, is_late: bool = False
) -> StepResult:
    """Show the next frame of an animation, unless another one runs now; a late one ends it.

    A ceremony ends after several late frames in a row, and with it those that wait: else one
    moment in which the computer is busy would show all roles at once.
    """
    if model.animation != animation:
        return model, ()
    late = animation.late + 1 if is_late else 0
    if late >= (MAX_LATE_FRAMES if model.held else 1):
        return _end_all(model)
    following = animation.next
    if following is None:
        return _end(model)
    following = replace(following, late=late)
    return replace(model, animation=following), (ShowFrameLater(following),)


def pass_time(model: TableModel, status: Status, now: float) -> StepResult:
    """Count how long the present turn lasts, if anybody waits; after a pause it begins anew."""
    view, lobby = status.view, status.lobby
    waits = lobby is not None and len(lobby.people) > 1 and not lobby.paused
    turn = None
    if waits and view is not None and view.to_act is not None:
        turn = view.score.number, len(view.history)
    if turn != model.turn:
        model = replace(model, turn=turn, turn_since=now)
    lasted = 0 if turn is None else int(now - model.turn_since)
    return replace(model, waited=lasted - lasted % CLOCK_STEP_S), ()


def end_pause(model: TableModel, _status: Status) -> StepResult:
    """Let Enter act again, a while after the last ceremony: each has begun a pause."""
    return replace(model, pauses=model.pauses - 1), ()


def _announcement(before: View | None, status: Status) -> tuple[TableEffect, ...]:
    """Return the bell and the terminal's title as one's turn begins or ends."""
    now = status.view
    was = before is not None and before.seat is not None and before.to_act == before.seat
    mine = now is not None and now.seat is not None and now.to_act == now.seat
    if mine == was and before is not None:
        return ()
    name = "" if status.lobby is None else table_name(status.lobby)
    title = SetTitle(_("Your turn - {table}").format(table=name) if mine else name)
    return (title, ScreenEffect.RING) if mine else (title,)
