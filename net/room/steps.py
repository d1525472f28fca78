"""The making of steps, by which a room's state, journal and connections change.

Nothing is decided here: `net.room.inputs` and `net.room.handlers` do that.
"""

from __future__ import annotations

from msgspec.structs import replace

from net.protocol.lobby import Presence
from net.protocol.lobby_events import (
    Closed,
    DrawnAnew,
    Exited,
    HandingOver,
    PresenceChanged,
    SatDown,
)
from net.protocol.messages import Announcing, CloseReason, Code, DiskStatus, DoorNow, GuessAlarm
from net.room.broadcast import broadcast, snapshot
from net.room.draws import drawing_step
from net.room.room import Room
from net.room.sessions import SHAKY_AFTER_S, Connected
from net.room.standing import can_move
from net.room.state import DealNext, GameStep, Step


def send_snapshot(room: Room, connected: Connected, member: int) -> None:
    """Send a member all that they may know."""
    frame = snapshot(room.state, member, room.incarnation, room.disk)
    room.sessions.send_step(connected, frame)


def tell_arrival(room: Room, connected: Connected) -> None:
    """Tell one who has just connected of the doors and, if it is the host, what only they hear."""
    if connected is room.host:
        tell_alarm(room)
        tell_announcing(room)
    tell_code(room, connected)
    for door in room.doors.values():
        room.sessions.send(connected, door)


def tell_alarm(room: Room) -> None:
    """Tell the host of wrong codes, once, if the host is connected."""
    if room.host is not None and room.alarm:
        room.sessions.send(room.host, GuessAlarm(room.alarm))
        room.note_alarm(0)


def tell_code(room: Room, connected: Connected) -> None:
    """Tell somebody the code that replaced the first one, as host or as a person with a seat.

    They may go on with the table; who watches, such as a stage, might show it. A club has its own.
    """
    has_seat = connected.member is not None and room.lobby.seat_of(connected.member) is not None
    if room.state.code and not room.is_in_club and (has_seat or connected is room.host):
        room.sessions.send(connected, Code(room.state.code))


def tell_announcing(room: Room) -> None:
    """Tell the host, if connected, the state of announcing."""
    if room.host is not None and room.announcing is not None:
        room.sessions.send(room.host, Announcing(room.announcing))


def tell_door(room: Room, door: DoorNow) -> None:
    """Tell everybody the state of a door."""
    for connected in room.sessions.inside:
        room.sessions.send(connected, door)


def commit(room: Room, step: Step) -> None:
    """Apply a step: give it the next number, write it, and send each member their frame."""
    if isinstance(step.act, GameStep | DealNext):
        step = _first_move(room, step)
    change, sessions = room.apply(step), room.sessions
    room.record(change)
    is_staged = bool(sessions.stages)
    for frame, members in broadcast(change, room.incarnation, is_staged=is_staged):
        sessions.hand_out(frame, members)
    for member in change.find_newcomers() & sessions.by_member.keys():
        send_snapshot(room, sessions.by_member[member], member)
    if step.code and not room.is_in_club:
        sessions.end_unentered({room.state.host_key, *(one.key for one in room.lobby.people)})
    if step.code:
        for connected in sessions.by_member.values():
            tell_code(room, connected)
    for event in step.news:
        if isinstance(event, SatDown) and event.member in sessions.by_member:
            tell_code(room, sessions.by_member[event.member])
        if isinstance(event, Exited):
            sessions.end_member(event.member, CloseReason[event.reason.name])
        if isinstance(event, Closed):
            sessions.end_all(CloseReason.MOVED if room.is_gone_over else CloseReason.CLOSED)


def _first_move(room: Room, step: Step) -> Step:
    """Say with the first move after the table moved whose cards stay drawn anew."""
    is_first = room.close_bringing()
    anew = room.lobby.relocations[-1].anew if is_first and room.lobby.relocations else ()
    return replace(step, news=(DrawnAnew(anew), *step.news)) if anew else step


def go_on_drawing(room: Room) -> None:
    """Make the next step of the draw under way, if it is due and can be saved."""
    if not room.may_play:  # nothing is drawn until its people are back
        room.answers.extend(room.sessions.now)
    elif room.disk is not DiskStatus.FULL:
        step = drawing_step(room.state, room.answers, room.sessions.now, room.seeds)
        if step is not None:
            commit(room, step)


def give_back(room: Room) -> None:
    """Give lent seats back to their own people who are there; not while a round is drawn."""
    if room.lobby.is_drawing or room.disk is DiskStatus.FULL:
        return
    here = room.sessions.by_member
    news = tuple(SatDown(one.seat, one.member) for one in room.lobby.lent if one.member in here)
    if news:
        commit(room, Step(news=news))


def set_presence(room: Room, member: int, presence: Presence) -> None:
    """Tell everybody, if it is new, that a member is heard of again or leaves for now.

    Who leaves for now too often just falls silent to the others.
    """
    buffer = room.sessions.buffer_of(member)
    is_news = room.lobby.find_person(member).presence is not presence
    if not is_news or room.disk is DiskStatus.FULL:
        return
    if buffer.may_tell(presence, room.sessions.now):
        commit(room, Step(news=(PresenceChanged(member, presence),)))


def go_on_handing_over(room: Room) -> None:
    """Close a table that is handed over once all have gone; or let it stay, if too few have."""
    people = [one for _chair, one in room.lobby.sitting if not one.presence.is_gone]
    left = [one for one in people if one.member in room.sessions.by_member]
    is_late = room.sessions.now >= room.handing_until
    if not left or (is_late and 2 * len(left) <= len(people)):
        room.note_gone_over()
        commit(room, Step(news=(Closed(),)))
    elif is_late:
        commit(room, Step(news=(HandingOver(begins=False),)))


def doubt_all(room: Room) -> None:
    """Count everybody as shaky until they are heard again: the host was suspended.

    The table may have gone on elsewhere meanwhile, and must not play here in its first second.
    """
    if room.gathering is not None or room.disk is DiskStatus.FULL or not can_move(room.lobby):
        return
    there = [one.member for one in room.lobby.people if one.presence is Presence.THERE]
    for member in there:
        if (buffer := room.sessions.buffers.get(member)) is not None:
            buffer.last_heard = room.sessions.now - SHAKY_AFTER_S
    if there:
        news = tuple(PresenceChanged(member, Presence.SHAKY) for member in there)
        commit(room, Step(news=news))
