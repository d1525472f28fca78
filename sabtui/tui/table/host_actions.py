"""Actions of the host during a game, and of any person about their own seat.

Actions about a player mean the one under the cursor. Palette and help offer nobody an action that
they can never use.
"""

from __future__ import annotations

from typing import assert_never

from engine.state import Phase
from net.client.session import ConnectionState, Status
from net.lobby.model import Person, Presence, Taken
from net.lobby.succession import has_successors, successors
from net.protocol.messages import Refusal
from net.protocol.requests import (
    Close,
    GiveHost,
    GoUnsaved,
    HandOver,
    Kick,
    Leave,
    Lock,
    NewCode,
    NextRound,
    Pause,
    Request,
    Sit,
)
from sabtui.text.connection import ended
from sabtui.text.i18n import _
from sabtui.text.reasons import why_unavailable
from sabtui.text.seats import close_question, leave_question, saving_works
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
from sabtui.tui.table.view_actions import why_no_player


def why_not_host(model: TableModel, status: Status, action: HostAction | GiveSeat) -> str | None:
    """Return why an action of the host is unavailable now, or `None`."""
    if not status.is_host:
        return _("Only the host of the table can do that.")
    request = _request(model, status, action)
    if request is None:
        return _without_choice(model, status, action)
    instead = {}
    if action is HostAction.NEXT_ROUND:
        instead = {Refusal.NOT_NOW: _between_rounds()}
    elif action is HostAction.GO_UNSAVED:
        instead = {Refusal.NOT_NOW: saving_works()}
    return why_unavailable(status, request, instead)


def _between_rounds() -> str:
    return _("You can do that between rounds.")


def _without_choice(model: TableModel, status: Status, action: HostAction | GiveSeat) -> str | None:
    """Return what is to be chosen before an action about a player or a seat."""
    if action is HostAction.KICK:
        return _("Go to a player first: p, then Up or Down. Bots cannot be removed.")
    if action is HostAction.GIVE_HOST:
        return _("A table needs two other people with seats to go on without its host.")
    if not _watchers(status):
        return _("Nobody is watching, so nobody can take the seat.")
    return why_no_player(model)


def why_not_seat(model: TableModel, status: Status, action: SeatAction) -> str | None:
    """Return why a person cannot sit down, leave for good or save the record now, or `None`."""
    match action:
        case SeatAction.SIT:
            instead = {
                Refusal.NOT_NOW: _between_rounds(),
                Refusal.SEATED: _("You already have a seat."),
            }
            seat = model.selection.seat
            # Any seat tells whether this is the time to sit down.
            if seat is None and status.why_not(Sit(0)) in {None, Refusal.SEAT_TAKEN}:
                return why_no_player(model)
            return why_unavailable(status, Sit(seat or 0), instead)
        case SeatAction.LEAVE:
            return None
        case SeatAction.LEAVE_FOR_GOOD:
            stays = _("The host cannot leave: close the table, or stay.")
            return why_unavailable(status, Leave(), {Refusal.HOST_STAYS: stays})
        case SeatAction.WATCH_AGAIN:
            text = _("The game can be watched again once it is over.")
            return None if _has_record(status) else _without_record(status, text)
        case SeatAction.SAVE_RECORD:
            text = _("The record can be saved once the game is over.")
            return None if _has_record(status) else _without_record(status, text)
        case SeatAction.SAVE_PICTURE:
            if not _is_over(status):
                return _("A picture can be saved once the game is over.")
            return None
        case _:
            assert_never(action)


def _has_record(status: Status) -> bool:
    """Return True if the game is over, and all of it was published."""
    return status.game_state is not None and bool(status.game_state.record)


def _without_record(status: Status, before: str) -> str:
    """Return why there is no record: `before` during a game, and that a lesson leaves none."""
    return _("There is no record of this game.") if _is_over(status) else before


def _is_over(status: Status) -> bool:
    return status.view is not None and status.view.phase is Phase.OVER


def _request(
    model: TableModel, status: Status, action: HostAction | GiveSeat | SeatAction
) -> Request | None:
    """Return the request that an action sends, `None` if its player is still to be chosen."""
    lobby, seat = status.lobby, model.selection.seat
    request: Request | None = None
    if lobby is None:
        return None
    match action:
        case HostAction.PAUSE:
            request = Pause(not lobby.paused)
        case HostAction.NEXT_ROUND:
            request = NextRound()
        case HostAction.KICK:
            person = _person(model, status)
            request = None if person is None else Kick(person.member)
        case HostAction.GIVE_HOST:
            next_host = _next_host(model, status)
            request = None if next_host is None else GiveHost(next_host.member)
        case HostAction.HAND_OVER:
            watchers = _watchers(status)
            request = HandOver(seat, watchers[0].member) if watchers and seat is not None else None
        case GiveSeat(given, to):
            request = HandOver(given, to.member)
        case HostAction.LOCK:
            request = Lock(not lobby.locked)
        case HostAction.NEW_CODE:
            request = NewCode()
        case HostAction.CLOSE:
            request = Close()
        case HostAction.GO_UNSAVED:
            request = GoUnsaved()
        case SeatAction.SIT:
            request = None if seat is None else Sit(seat)
        case SeatAction.LEAVE_FOR_GOOD:
            request = Leave()
        case SeatAction.LEAVE | SeatAction.WATCH_AGAIN:
            pass
        case SeatAction.SAVE_RECORD | SeatAction.SAVE_PICTURE:
            pass
        case _:
            assert_never(action)
    return request


def _next_host(model: TableModel, status: Status) -> Person | None:
    """Return the player under the cursor, else the first who could go on with the table."""
    lobby = status.lobby
    if lobby is None or not has_successors(lobby):
        return None
    people = [lobby.person(member) for member in successors(lobby)]
    here = [one for one in people if one is not None and one.presence is Presence.THERE]
    chosen = _person(model, status)
    return chosen if chosen in here else next(iter(here), None)


def host_effects(
    model: TableModel, status: Status, action: HostAction | GiveSeat
) -> tuple[TableEffect, ...]:
    """Return the effects of an available action of the host."""
    request, watchers = _request(model, status, action), _watchers(status)
    if request is None:
        return ()
    if isinstance(request, HandOver):
        seat = request.seat + 1
        if action is HostAction.HAND_OVER and len(watchers) > 1:
            text = _("Who gets seat {seat}, with its cards and gold?").format(seat=seat)
            answers = tuple((one.name, GiveSeat(request.seat, one)) for one in watchers)
            return (PickAction(text, answers),)
        (name,) = [one.name for one in watchers if one.member == request.member]
        text = _("Give seat {seat}, with its cards and gold, to {name}?")
        return (AskFirst(text.format(seat=seat, name=name), SendRequest(request)),)
    question = _question(model, status, action)
    send = SendRequest(request)
    return (AskFirst(question, send) if question else send,)


def _question(model: TableModel, status: Status, action: HostAction | GiveSeat) -> str:
    """Return the question that comes before an action, "" if there is none."""
    match action:
        case HostAction.KICK:
            person = _person(model, status)
            return "" if person is None else _("Remove {name} for good?").format(name=person.name)
        case HostAction.GIVE_HOST:
            next_host = _next_host(model, status)
            text = _("Let {name}'s computer run the table from now on?")
            return "" if next_host is None else text.format(name=next_host.name)
        case HostAction.CLOSE:
            return close_question(status)
        case HostAction.GO_UNSAVED:
            return _("Play on unsaved? If the table's computer stops, the game is lost.")
        case _:
            return ""


def seat_effects(model: TableModel, status: Status, action: SeatAction) -> tuple[TableEffect, ...]:
    """Return the effects of an available action about one's own seat."""
    match action:
        case SeatAction.SIT:
            request = _request(model, status, action)
            return () if request is None else (SendRequest(request),)
        case SeatAction.LEAVE:
            if status.connection is ConnectionState.ENDED:
                return (LeaveTable(ended(status.ending, is_host=status.is_host)),)
            if status.view is not None and status.view.phase is Phase.OVER:
                return (LeaveTable(),)  # nothing is left to lose
            return (AskFirst(leave_question(status), LeaveTable()),)
        case SeatAction.LEAVE_FOR_GOOD:
            text = _("Leave for good? A bot takes over, and the game is not kept for you.")
            return (AskFirst(text, SendRequest(Leave())),)
        case SeatAction.WATCH_AGAIN:
            return (ScreenEffect.OPEN_REPLAY,)
        case SeatAction.SAVE_RECORD:
            return (ScreenEffect.SAVE_RECORD,)
        case SeatAction.SAVE_PICTURE:
            return (ScreenEffect.SAVE_PICTURE,)
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
