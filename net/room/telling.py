"""Messages of a room beside the frames of its steps: snapshots, the electors, news for the host."""

from __future__ import annotations

from net.protocol.election import HandingOver, Standby
from net.protocol.messages import Announcing, CloseReason, Code, DoorNow, GuessAlarm, Past
from net.room.broadcast import snapshot
from net.room.copies import keeps_copy
from net.room.electors import HANDING_OVER_S
from net.room.room import Room
from net.room.sessions import Connected
from net.room.succession import electors, has_successors, term_of


def bring_along(room: Room, connected: Connected, member: int, past: Past) -> None:
    """Send a member a part of the past, and after the last part all that they may know."""
    room.sessions.send(connected, past)
    if not past.more:
        snapshot_frame = snapshot(room.state, member, room.incarnation, room.disk)
        room.sessions.send_step(connected, snapshot_frame)


def send_log(room: Room, connected: Connected, member: int, after: int) -> None:
    """Send a member the next part of the log, if their program is to keep a copy of it."""
    if room.sealer is not None and keeps_copy(room.lobby, member):
        room.sessions.send(connected, room.log.part(after, room.sealer))


def tell_electors(room: Room) -> None:
    """Tell everybody where the programs of those who have seats listen, if it is new."""
    news = room.electors.news(room.state)
    if news is not None:
        for connected in room.sessions.by_member.values():
            room.sessions.send(connected, news)


def tell_watcher(room: Room, connected: Connected, member: int) -> None:
    """Tell one who is back, and is no elector, where those programs listen; theirs does not."""
    if has_successors(room.lobby) and member not in electors(room.lobby):
        room.sessions.send(connected, room.electors.message(room.state))


def add_standby(room: Room, connected: Connected, member: int, standby: Standby) -> None:
    """Note the address of a member's program, and send it those of the others."""
    room.electors.note(member, standby)
    tell_electors(room)
    if keeps_copy(room.lobby, member):
        room.sessions.send(connected, room.electors.message(room.state))


def hand_over_to(room: Room, member: int) -> None:
    """Ask a member's program to go on with the table; nothing happens here until it does."""
    room.handed_over_until = room.sessions.now + HANDING_OVER_S
    for elector in electors(room.lobby):
        connected = room.sessions.by_member.get(elector)
        if connected is not None:
            room.sessions.send(connected, HandingOver(member))


def end_superseded(room: Room, term: int) -> None:
    """End everything here: the table has gone on with another host."""
    if term > term_of(room.incarnation):
        room.is_superseded = True
        room.sessions.end_all(CloseReason.MOVED)


def tell_arrival(room: Room, connected: Connected) -> None:
    """Tell one who has just connected of the doors and, if it is the host, what only they hear."""
    if connected is room.host:
        tell_alarm(room)
        tell_code(room)
        tell_announcing(room)
    for door in room.doors.values():
        room.sessions.send(connected, door)


def tell_alarm(room: Room) -> None:
    """Tell the host of wrong codes, once, if the host is connected."""
    if room.host is not None and room.alarm:
        room.sessions.send(room.host, GuessAlarm(room.alarm))
        room.alarm = 0


def tell_code(room: Room) -> None:
    """Tell the host, if connected, the code that replaced the first one; a club has its own."""
    if room.host is not None and room.state.code and not room.is_in_club:
        room.sessions.send(room.host, Code(room.state.code))


def tell_announcing(room: Room) -> None:
    """Tell the host, if connected, the state of announcing."""
    if room.host is not None and room.announcing is not None:
        room.sessions.send(room.host, Announcing(room.announcing))


def tell_door(room: Room, door: DoorNow) -> None:
    """Tell everybody the state of a door."""
    for connected in room.sessions.by_member.values():
        room.sessions.send(connected, door)
