"""A table that goes on here, until it does: people come, and tell what they know."""

from __future__ import annotations

from msgspec.structs import replace

from net.protocol.framing import BadFrame
from net.protocol.messages import (
    BeginNow,
    ClientMessage,
    CloseReason,
    CommandRefused,
    CommitShare,
    EnterTable,
    Gathering,
    GoneOver,
    Knowledge,
    Ping,
    Pong,
    Refusal,
    SharesWanted,
    ShowShare,
    ShowTable,
    StepAway,
)
from net.room.gathering import TELL_S, GatheringTable
from net.room.room import Room
from net.room.sessions import Connected


def handle_gathering(
    room: Room, table: GatheringTable, connected: Connected, message: ClientMessage
) -> bool:
    """Handle a message at a table that gathers; return True once the table can go on."""
    sessions, member = room.sessions, connected.member
    connected.last_heard = sessions.now
    match message:
        case Ping():
            sessions.send(connected, Pong(0))
        case EnterTable() if member is None:
            _enter(room, table, connected, message)
        case ShowTable():
            sessions.send(connected, CommandRefused(0, Refusal.BUSY))
        case Knowledge(told) if member is not None:
            _take(room, connected, lambda: table.note_told(member, told))
        case CommitShare(draw, committed) if member is not None:
            _take(room, connected, lambda: table.note_commitment(member, draw, committed))
        case ShowShare(draw, share) if member is not None:
            _take(room, connected, lambda: table.note_share(member, draw, share))
        case BeginNow() if connected.key == room.state.host_key:
            table.until = sessions.now
        case GoneOver() if connected.key == room.state.host_key:
            room.note_gone_over()
            sessions.end_all(CloseReason.MOVED)
            return False
        case StepAway():
            sessions.end(connected, CloseReason.LEFT)
        case _:  # no honest client says anything else before it is let in
            sessions.end(connected, CloseReason.OUT_OF_ORDER)
    return go_on_gathering(room, table)


def _take(room: Room, connected: Connected, note: object) -> None:
    """Note an answer; end the connection of a program that tells what no honest one does."""
    assert callable(note)
    try:
        note()
    except BadFrame:
        room.sessions.end(connected, CloseReason.OUT_OF_ORDER)


def _enter(room: Room, table: GatheringTable, connected: Connected, message: EnterTable) -> None:
    sessions, member = room.sessions, room.state.member_with(connected.key)
    if member is None:
        sessions.send(connected, CommandRefused(0, Refusal.BUSY))
        return
    older = sessions.by_member.get(member)
    if older is not None:
        sessions.end(older, CloseReason.REPLACED)
    sessions.attach(connected, member)
    table.entering[member] = message
    tell_gathering(room, table)


def tell_gathering(room: Room, table: GatheringTable) -> None:
    """Tell all who have come for whom the table waits."""
    names = tuple(person.name for person in table.find_missing())
    here = room.standing.people
    for connected in room.sessions.by_member.values():
        room.sessions.send(connected, Gathering(names, here))


def leave_gathering(room: Room, table: GatheringTable, member: int) -> None:
    """Note that the connection of somebody who had come is gone."""
    table.entering.pop(member, None)
    tell_gathering(room, table)


def go_on_gathering(room: Room, table: GatheringTable) -> bool:
    """Ask what is to be asked next; return True once there is nothing left to ask."""
    for member in table.entering.keys() - room.sessions.by_member.keys():
        leave_gathering(room, table, member)  # its connection was ended
    now, question = room.sessions.now, table.question
    if room.lobby_member_of_host() not in table.entering:
        return False  # its host's own program is on its way
    if table.moved.newest.public is None:
        return True  # there is no game, and nobody knows more than all do
    if question is None:
        if table.find_missing() and now < table.until:
            return False
        if table.find_common().public is None:
            return True
        _ask(room, table)
        return False
    asked = [person for person in question.asked if person.member in table.entering]
    drawers = [person for person in question.drawers if person.member in table.entering]
    is_late = now >= question.until
    if len(drawers) < len(question.drawers):
        return _ask_again(room, table, [])
    if is_late and not table.is_showing:
        slow = [
            person.member
            for person in question.drawers
            if person.member not in table.commitments or person.member not in table.told
        ]
        return _ask_again(room, table, slow)
    if not table.is_showing:
        if not (table.have_all(table.told, asked) and table.have_all(table.commitments, drawers)):
            return False
        table.is_showing = True
        if not drawers:
            return True
        table.question = question.with_time(now + TELL_S)
        commitments = tuple(table.commitments[person.member] for person in question.drawers)
        for person in drawers:
            room.sessions.send(room.sessions.by_member[person.member], SharesWanted(commitments))
        return False
    if table.have_all(table.shares, drawers):
        return True
    if is_late:
        slow = [person.member for person in question.drawers if person.member not in table.shares]
        return _ask_again(room, table, slow)
    return False


def _ask(room: Room, table: GatheringTable) -> None:
    question = table.ask(room.seeds(), room.sessions.now)
    for person in question.asked:
        wanted = replace(question.wanted, member=person.member)
        room.sessions.send(room.sessions.by_member[person.member], wanted)


def _ask_again(room: Room, table: GatheringTable, slow: list[int]) -> bool:
    """Ask anew without those whose programs were too slow: they come back as late ones do."""
    for member in slow:
        del table.entering[member]
        room.sessions.end(room.sessions.by_member[member], CloseReason.TOO_SLOW)
    _ask(room, table)
    return False
