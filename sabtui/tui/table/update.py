"""The table's state machine: `update` answers an action with the next model and effects.

`why_not` is the one answer to whether the player can do something now: keys, footer, palette and
help ask it, and `update` refuses by it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeAlias, assert_never

from engine.events import Event, Laid, RoundEnded
from engine.view import View
from net.client.session import ConnectionState, Status
from net.lobby.chat import TURN_EVENTS
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
from sabtui.text.reasons import refused
from sabtui.tui.mine.picture import lying_cells
from sabtui.tui.table.actions import (
    CardAction,
    ChangeSubject,
    ChooseCard,
    EndPause,
    GiveSeat,
    HostAction,
    Jump,
    MoveCursor,
    Open,
    Pan,
    PlayerAction,
    PressClaim,
    PressDigit,
    PressPlace,
    Resize,
    ScreenAction,
    ScreenEffect,
    Scroll,
    SeatAction,
    SetTitle,
    ShowFrame,
    ShowFrameLater,
    SubmitTalk,
    TableAction,
    TableEffect,
    TakeHints,
    TakeUpdate,
    TalkAction,
    Unveil,
    UnveilAll,
    UnveilLater,
    UseGlyphs,
    ViewAction,
    Zoom,
)
from sabtui.tui.table.animation import Animation
from sabtui.tui.table.card_actions import take_hints, update_cards, why_not_card
from sabtui.tui.table.host_actions import host_effects, seat_effects, why_not_host, why_not_seat
from sabtui.tui.table.log import TableLog
from sabtui.tui.table.model import HintCycle, SidePanel, TableModel
from sabtui.tui.table.view_actions import update_talk, update_view, why_not_talk, why_not_view

UpdateResult: TypeAlias = tuple[TableModel, tuple[TableEffect, ...]]


def concerns(status: Status, action: PlayerAction) -> bool:
    """Return False if this player can never take an action: then it is not offered."""
    match action:
        case CardAction.CONFIRM:
            return True
        case PressDigit(0):
            return True
        case CardAction() | ChooseCard() | PressDigit() | Jump() | PressPlace():
            return status.seat is not None
        case HostAction() | GiveSeat():
            return status.is_host
        case SeatAction.SIT:
            return status.seat is None
        case SeatAction.LEAVE_FOR_GOOD:
            return not status.is_host
        case _:
            return True


def why_not(model: TableModel, status: Status, action: PlayerAction) -> str | None:
    """Return the sentence that says why an action is unavailable now, or `None`."""
    action = _place_or_start(model, status, action)
    match action:
        case CardAction() | ChooseCard() | PressDigit() | Jump() | PressPlace():
            return why_not_card(model, status, action)
        case ViewAction() | MoveCursor() | Pan() | Zoom() | Scroll():
            return why_not_view(model, status, action)
        case TalkAction() | ChangeSubject() | PressClaim() | SubmitTalk():
            return why_not_talk(status, action)
        case HostAction() | GiveSeat():
            return why_not_host(model, status, action)
        case SeatAction():
            return why_not_seat(model, status, action)
        case _:
            assert_never(action)


def update(model: TableModel, status: Status, action: TableAction) -> UpdateResult:
    """Return the model after an action, and the effects; for a refused one, its reason is told."""
    if isinstance(
        action,
        Open
        | UseGlyphs
        | Resize
        | TakeUpdate
        | Unveil
        | UnveilAll
        | EndPause
        | ShowFrame
        | TakeHints,
    ):
        return _update_screen(model, status, action)
    action = meant(model, _place_or_start(model, status, action))
    model = _with_intention(model, action)
    reason = why_not(model, status, action)
    if reason is not None:
        return model.with_message(reason), ()
    if not isinstance(action, ChangeSubject):
        model = model.with_message("")
    match action:
        case CardAction() | ChooseCard() | PressDigit() | Jump() | PressPlace():
            return update_cards(model, status, action)
        case ViewAction() | MoveCursor() | Pan() | Zoom() | Scroll():
            return update_view(model, status, action)
        case TalkAction() | ChangeSubject() | PressClaim() | SubmitTalk():
            return update_talk(model, status, action)
        case HostAction() | GiveSeat():
            return model, host_effects(model, status, action)
        case SeatAction():
            return model, seat_effects(model, status, action)
        case _:
            assert_never(action)


def meant(model: TableModel, action: PlayerAction) -> PlayerAction:
    """Return the action that is meant by one that repeats itself.

    The digit of the chosen card turns it; a second discard, or a second click, confirms.
    """
    selection = model.selection
    match action:
        case CardAction.DISCARD if selection.discarding and selection.card is not None:
            return CardAction.CONFIRM
        case ChooseCard(digit) if selection.card == digit - 1 and not selection.discarding:
            return CardAction.TURN
        case PressPlace(place) if place == selection.place and selection.card is not None:
            return CardAction.CONFIRM
        case _:
            return action


def _place_or_start(model: TableModel, status: Status, action: PlayerAction) -> PlayerAction:
    """Return the action of the key 0: it leads to the start while no place has that digit."""
    if action != PressDigit(0):
        return action
    numbered = {} if status.view is None else model.selection.numbered(status.view)
    return action if 0 in numbered else ViewAction.TO_START


def _with_intention(model: TableModel, action: PlayerAction) -> TableModel:
    """Return the model in which a number discards a card only right after the discard key."""
    selection = model.selection
    if not selection.discards_next or isinstance(action, ChooseCard | PressDigit):
        return model
    if action in (CardAction.DISCARD, ViewAction.BACK):
        return model
    return model.with_selection(replace(selection, discarding=False))


def _update_screen(model: TableModel, status: Status, action: ScreenAction) -> UpdateResult:
    """Return the model after something happened to the screen, and the effects."""
    match action:
        case Open(glyphs, is_calm):
            return _opened(replace(model, glyphs=glyphs, is_calm=is_calm), status)
        case UseGlyphs(glyphs):
            return replace(model, glyphs=glyphs), ()
        case Resize(columns, rows):
            return model.resized(columns, rows), ()
        case TakeUpdate():
            return _updated(model, status, action)
        case Unveil(dwarves):
            # It comes too late if the player has had all unveiled at once.
            due = model.unveiled == dwarves - 1
            return _unveiled(model, status, dwarves) if due else (model, ())
        case UnveilAll():
            return _pausing(model)
        case EndPause():
            return replace(model, pauses=False), ()
        case ShowFrame(animation, is_late):
            return _next_frame(model, animation, is_late=is_late)
        case TakeHints(view, found):
            return take_hints(model, status, HintCycle(view, found)), ()
        case _:
            assert_never(action)


def _opened(model: TableModel, status: Status) -> UpdateResult:
    """Return the model of a new screen that shows the current status.

    Timers, and hints still being found, were those of the screen before.
    """
    model = replace(model, log=TableLog.of(status), unveiled=None, hints=None, animation=None)
    model = replace(model, pauses=False)
    if status.view is not None:
        model = replace(model, cells=lying_cells(status.view))
        played = any(isinstance(event, TURN_EVENTS) for event in status.view.history)
        if model.pane is SidePanel.RECENT and not played:
            model = model.dealt(status.view)
    return model, _announcement(None, status)


def _updated(model: TableModel, status: Status, action: TakeUpdate) -> UpdateResult:
    """Return the model after an update of the session."""
    before, received, view = action.before, action.update.received, status.view
    model = replace(model.followed(before.view, view), log=model.log.after(action.update, before))
    effects: tuple[TableEffect, ...] = ()
    if received is not None:
        model = model.with_message("") if received.events else model
        for event in received.events:
            if isinstance(event, Laid):
                model = model.newest(event.cell)
            elif isinstance(event, RoundEnded):
                # The open list of claims would hide the players, whose roles are shown now.
                model, effects = _unveiled(replace(model, about=None), status, 0)
        model = replace(model, sent=None) if received.refused or received.settled else model
        model, later = _animated(model, received.events, before.view, view)
        effects += later
    for text in _news(status, action):
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


def _news(status: Status, action: TakeUpdate) -> list[str]:
    """Return the messages about an update, the last of which is shown."""
    received, texts = action.update.received, list[str]()
    if received is not None:
        texts += [refused(received.refused.reason)] if received.refused else []
        texts += [alarm_sentence(received.alarm)] if received.alarm else []
        texts += [code_sentence(received.code)] if received.code else []
        disagreed = received.disagreed is not None
        texts += [report_sentence(received.report)] if received.report and disagreed else []
        texts += unfair_lines(received)
        texts += audit_lines(received.audit)[:1] if received.audit is not None else []
        compared = received.comparison
        texts += comparison_lines(compared)[:1] if compared and compared.differing else []
    return [*texts, *own_news(status, action.before)]


def _unveiled(model: TableModel, status: Status, dwarves: int) -> UpdateResult:
    """Return the model with this many dwarves unveiled; after the last, with all told."""
    view = status.view
    if view is None or model.is_calm or dwarves > view.table.players:
        return _pausing(model)
    return replace(model, unveiled=dwarves), (UnveilLater(dwarves + 1),)


def _animated(
    model: TableModel, events: Iterable[Event], before: View | None, view: View | None
) -> UpdateResult:
    """Return the model with the animation of events, if they have one."""
    animation = None if model.is_calm else Animation.of(events, before, view)
    if animation is None:
        return model, ()
    return replace(model, animation=animation), (ShowFrameLater(animation),)


def _next_frame(model: TableModel, animation: Animation, *, is_late: bool) -> UpdateResult:
    """Return the model with the next frame of an animation, unless another one runs now."""
    if model.animation != animation:
        return model, ()
    following = None if is_late else animation.next
    model = replace(model, animation=following)
    return model, (() if following is None else (ShowFrameLater(following),))


def _pausing(model: TableModel) -> UpdateResult:
    """Return the model with all dwarves unveiled, in which Enter does nothing for a while."""
    if model.unveiled is None:
        return _all_unveiled(model), ()
    return replace(_all_unveiled(model), pauses=True), (ScreenEffect.END_PAUSE_LATER,)


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
