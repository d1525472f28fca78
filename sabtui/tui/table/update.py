"""Steps of the table that no player takes: an update of the session, and what time brings.

Each returns the next model and effects, like an `Action` of the player.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.events import Event, Laid, RoundEnded
from engine.view import View
from net.client.session import ConnectionState, Status, Update
from net.protocol.chat import TURN_EVENTS
from net.protocol.messages import DiskStatus
from sabtui.text.audit import audit_lines, comparison_lines, unfair_lines
from sabtui.text.connection import (
    alarm_sentence,
    code_sentence,
    disk_sentence,
    own_news,
    report_sentence,
)
from sabtui.text.i18n import _
from sabtui.text.lobby import table_name
from sabtui.text.reasons import refusal_sentence
from sabtui.tui.mine.picture import lying_cells
from sabtui.tui.table.actions import (
    ScreenEffect,
    SetTitle,
    ShowFrameLater,
    StepResult,
    TableEffect,
    UnveilLater,
)
from sabtui.tui.table.animation import Animation
from sabtui.tui.table.log import TableLog
from sabtui.tui.table.model import SidePanel, TableModel
from sabtui.tui.theme import Glyphs


def open_table(
    model: TableModel, status: Status, glyphs: Glyphs, *, is_calm: bool = False
) -> StepResult:
    """Return the model of a new screen that shows the current status.

    If it `is_calm`, nothing is ever animated. Timers, and hints still being found, were those of
    the screen before.
    """
    model = replace(model.with_glyphs(glyphs), is_calm=is_calm, pauses=False)
    model = replace(model, log=TableLog.of(status), unveiled=None, hints=None, animation=None)
    if status.view is not None:
        model = replace(model, cells=lying_cells(status.view))
        played = any(isinstance(event, TURN_EVENTS) for event in status.view.history)
        if model.pane is SidePanel.RECENT and not played:
            model = model.begin_round(status.view)
    return model, _announcement(None, status)


def take_update(model: TableModel, status: Status, update: Update, before: Status) -> StepResult:
    """Return the model after an update of the session; `before` is the status before it."""
    received, view = update.received, status.view
    model = replace(model.follow(before.view, view), log=model.log.after(update, before))
    effects: tuple[TableEffect, ...] = ()
    if received is not None:
        model = model.with_message("") if received.events else model
        for event in received.events:
            if isinstance(event, Laid):
                model = model.newest(event.cell)
            elif isinstance(event, RoundEnded):
                # The open list of claims would hide the players, whose roles are shown now.
                model, effects = _unveil(replace(model, about=None), status, 0)
        model = replace(model, sent=None) if received.refused or received.settled else model
        model, later = _animate(model, received.events, before.view, view)
        effects += later
    for text in _news(status, update, before):
        model = model.with_message(text)
    if status.disk is not before.disk and status.disk is not DiskStatus.FULL:
        model = model.with_message(disk_sentence(status.disk, is_host=status.is_host))
    elif _held_up(status) != _held_up(before):
        # The hint says what stops the game, or that it goes on: show it.
        model = model.with_message("")
    if view is None or view.table.end is None:
        model = _all_unveiled(model)
    autopilot = (ScreenEffect.RUN_AUTOPILOT,) if model.is_on_autopilot else ()
    return model, (*effects, *_announcement(before.view, status), *autopilot)


def _held_up(status: Status) -> tuple[ConnectionState, DiskStatus, bool]:
    """Return all that may hold up the game."""
    paused = status.lobby is not None and status.lobby.paused
    return status.connection, status.disk, paused


def _news(status: Status, update: Update, before: Status) -> list[str]:
    """Return the messages about an update, the last of which is shown."""
    received, texts = update.received, list[str]()
    if received is not None:
        texts += [refusal_sentence(received.refused.reason)] if received.refused else []
        texts += [alarm_sentence(received.alarm)] if received.alarm else []
        texts += [code_sentence(received.code)] if received.code else []
        disagreed = received.disagreed is not None
        texts += [report_sentence(received.report)] if received.report and disagreed else []
        texts += unfair_lines(received)
        texts += audit_lines(received.audit)[:1] if received.audit is not None else []
        compared = received.comparison
        texts += comparison_lines(compared)[:1] if compared and compared.differing else []
    return [*texts, *own_news(status, before)]


def _unveil(model: TableModel, status: Status, dwarves: int) -> StepResult:
    """Return the model with this many dwarves unveiled; after the last, with all told."""
    view = status.view
    if view is None or model.is_calm or dwarves > view.table.players:
        return unveil_all(model, status)
    return replace(model, unveiled=dwarves), (UnveilLater(dwarves + 1),)


def _animate(
    model: TableModel, events: Iterable[Event], before: View | None, view: View | None
) -> StepResult:
    """Return the model with the animation of events, if they have one."""
    animation = None if model.is_calm else Animation.of(events, before, view)
    if animation is None:
        return model, ()
    return replace(model, animation=animation), (ShowFrameLater(animation),)


def show_frame(
    model: TableModel, _status: Status, animation: Animation, *, is_late: bool = False
) -> StepResult:
    """Show the next frame of an animation, unless another one runs now; a late one ends it."""
    if model.animation != animation:
        return model, ()
    following = None if is_late else animation.next
    model = replace(model, animation=following)
    return model, (() if following is None else (ShowFrameLater(following),))


def unveil(model: TableModel, status: Status, dwarves: int) -> StepResult:
    """Show this many dwarves of a finished round, as their time has come.

    It comes too late if the player has had all unveiled at once.
    """
    due = model.unveiled == dwarves - 1
    return _unveil(model, status, dwarves) if due else (model, ())


def unveil_all(model: TableModel, _status: Status) -> StepResult:
    """Show all dwarves at once; then Enter does nothing for a while."""
    if model.unveiled is None:
        return _all_unveiled(model), ()
    return replace(_all_unveiled(model), pauses=True), (ScreenEffect.END_PAUSE_LATER,)


def end_pause(model: TableModel, _status: Status) -> StepResult:
    """Let Enter act again, a while after all dwarves are unveiled."""
    return replace(model, pauses=False), ()


def _all_unveiled(model: TableModel) -> TableModel:
    return replace(model, unveiled=None, log=model.log.tell_all())


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
