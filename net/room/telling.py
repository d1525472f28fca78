"""Messages of a room beside the frames of its steps: snapshots, and news for the host."""

from __future__ import annotations

from net.protocol.messages import Announcing, Code, DoorNow, GuessAlarm
from net.room.broadcast import snapshot
from net.room.room import Room
from net.room.sessions import Connected


def begin(room: Room, connected: Connected, member: int) -> None:
    """Let a member begin with all that they may know, in a hall with the next tick."""
    if room.lobby.is_hall:
        connected.waits = True
    else:
        send_snapshot(room, connected, member)


def send_snapshot(room: Room, connected: Connected, member: int) -> None:
    """Send a member all that they may know."""
    connected.waits = False
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
