"""Actions of the host during a game, and of any person about their own seat.

Actions about a player mean the one under the cursor. Palette and help offer nobody an action that
they can never use.
"""

from __future__ import annotations

from typing import assert_never

from engine.state import Phase
from engine.view import View
from net.client.session import ConnectionState, Status
from net.lobby.model import Person, Presence, Taken
from net.protocol.messages import (
    Close,
    DiskStatus,
    GoUnsaved,
    HandOver,
    Kick,
    Leave,
    Lock,
    NewCode,
    NextRound,
    Pause,
    Refusal,
    Sit,
)
from sabtui.text.connection import ended
from sabtui.text.i18n import _
from sabtui.text.reasons import refused
from sabtui.tui.table.actions import (
    AskFirst,
    GiveSeat,
    HostAction,
    LeaveTable,
    PickAction,
    ScreenEffect,
    SeatAction,
    SendRequest,
    TableEffect,
)
from sabtui.tui.table.model import TableModel
from sabtui.tui.table.view_actions import without_player


def why_not_host(model: TableModel, status: Status, action: HostAction | GiveSeat) -> str | None:
    """Return why an action of the host is unavailable now, or `None`."""
    view = status.view
    if action is HostAction.NEXT_ROUND and (view is None or view.phase is not Phase.DEAL):
        return _("You can do that between rounds.")
    if not status.is_host:
        return _("Only the host of the table can do that.")
    match action:
        case HostAction.GO_UNSAVED:
            full = status.disk is DiskStatus.FULL
            return None if full else _("Saving works as it should.")
        case HostAction.KICK:
            if _person(model, status) is None:
                return _("Go to a player first: p, then Up or Down. Bots cannot be removed.")
            return None
        case HostAction.HAND_OVER | GiveSeat():
            return _why_not_hand_over(model, status, view)
        case HostAction.PAUSE | HostAction.NEXT_ROUND | HostAction.LOCK:
            return None
        case HostAction.NEW_CODE | HostAction.CLOSE:
            return None
        case _:
            assert_never(action)


def _why_not_hand_over(model: TableModel, status: Status, view: View | None) -> str | None:
    """Return why no seat can be handed over, or `None`.

    It takes a watcher, a seat under the cursor, and no round in progress.
    """
    if not _watchers(status):
        return _("Nobody is watching, so nobody can take the seat.")
    if model.selection.seat is None:
        return without_player(model)
    if view is not None and view.phase in (Phase.PLAY, Phase.GOLD):
        return refused(Refusal.HOLDS_CARDS)
    return None


def why_not_seat(model: TableModel, status: Status, action: SeatAction) -> str | None:
    """Return why a person cannot sit down, leave for good or save the record now, or `None`."""
    view = status.view
    match action:
        case SeatAction.SIT:
            if view is None or view.seat is not None:
                return _("You already have a seat.")
            if view.phase is not Phase.DEAL:
                return _("You can do that between rounds.")
            return without_player(model)
        case SeatAction.LEAVE:
            return None
        case SeatAction.LEAVE_FOR_GOOD:
            return _("The host cannot leave: close the table, or stay.") if status.is_host else None
        case SeatAction.SAVE_RECORD:
            if status.game_state is None or not status.game_state.record:
                return _("The record can be saved once the game is over.")
            return None
        case _:
            assert_never(action)


def host_effects(
    model: TableModel, status: Status, action: HostAction | GiveSeat
) -> tuple[TableEffect, ...]:
    """Return the effects of an available action of the host."""
    lobby, seat = status.lobby, model.selection.seat
    if lobby is None:
        return ()
    match action:
        case HostAction.PAUSE:
            return (SendRequest(Pause(not lobby.paused)),)
        case HostAction.NEXT_ROUND:
            return (SendRequest(NextRound()),)
        case HostAction.KICK:
            person = _person(model, status)
            if person is None:
                return ()
            text = _("Remove {name} for good?").format(name=person.name)
            return (AskFirst(text, SendRequest(Kick(person.member))),)
        case HostAction.HAND_OVER:
            watchers = _watchers(status)
            if seat is None:
                return ()
            if len(watchers) == 1:
                return host_effects(model, status, GiveSeat(seat, watchers[0]))
            text = _("Who gets seat {seat}, with its cards and gold?").format(seat=seat + 1)
            return (PickAction(text, tuple((one.name, GiveSeat(seat, one)) for one in watchers)),)
        case GiveSeat(seat, to):
            text = _("Give seat {seat}, with its cards and gold, to {name}?")
            text = text.format(seat=seat + 1, name=to.name)
            return (AskFirst(text, SendRequest(HandOver(seat, to.member))),)
        case HostAction.LOCK:
            return (SendRequest(Lock(not lobby.locked)),)
        case HostAction.NEW_CODE:
            return (SendRequest(NewCode()),)
        case HostAction.CLOSE:
            return (AskFirst(_("Close the table for everybody?"), SendRequest(Close())),)
        case HostAction.GO_UNSAVED:
            text = _("Play on unsaved? If the table's computer stops, the game is lost.")
            return (AskFirst(text, SendRequest(GoUnsaved())),)
        case _:
            assert_never(action)


def seat_effects(model: TableModel, status: Status, action: SeatAction) -> tuple[TableEffect, ...]:
    """Return the effects of an available action about one's own seat."""
    seat = model.selection.seat
    match action:
        case SeatAction.SIT:
            return () if seat is None else (SendRequest(Sit(seat)),)
        case SeatAction.LEAVE:
            if status.connection is ConnectionState.ENDED:
                return (LeaveTable(ended(status.ending)),)
            return (AskFirst(_("Leave the table?"), LeaveTable()),)
        case SeatAction.LEAVE_FOR_GOOD:
            text = _("Leave for good? A bot takes over your seat.")
            return (AskFirst(text, SendRequest(Leave())),)
        case SeatAction.SAVE_RECORD:
            return (ScreenEffect.SAVE_RECORD,)
        case _:
            assert_never(action)


def _person(model: TableModel, status: Status) -> Person | None:
    """Return the other person who sits under the cursor, or `None`."""
    lobby, seat = status.lobby, model.selection.seat
    if lobby is None or seat is None:
        return None
    chair = lobby.chairs[seat]
    if not isinstance(chair, Taken) or chair.member == status.member:
        return None
    return lobby.person(chair.member)


def _watchers(status: Status) -> tuple[Person, ...]:
    """Return the watchers who are connected."""
    lobby = status.lobby
    if lobby is None:
        return ()
    return tuple(
        person
        for person in lobby.people
        if lobby.seat_of(person.member) is None and person.presence is Presence.THERE
    )
