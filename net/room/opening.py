"""The opening of a sealed table: those who come back give their shares, and then it is as it was.

Until then nothing of the game is known here, and nothing happens at the table. The seats are known,
so that people come back by their seat keys as usual. They are told whom the table waits for, and
enter in the order in which they came once it has opened. If somebody never comes back, the host can
give the table up: it is closed for good, and everything sealed is removed for ever.
"""

from __future__ import annotations

from collections.abc import Container
from typing import TypeAlias

from net.protocol.election import Superseded
from net.protocol.lobby import THE_TABLE
from net.protocol.lobby_events import Closed
from net.protocol.messages import (
    ClientCommand,
    ClientMessage,
    CloseReason,
    CommandRefused,
    EnterTable,
    KeyShareGiven,
    KeyShareWanted,
    Ping,
    Pong,
    Refusal,
    TableSealed,
)
from net.protocol.requests import Close
from net.room.room import Room
from net.room.sealing import Opening, SealedLog
from net.room.sessions import Connected
from net.room.state import Step
from net.room.steps import give_up, load, load_public
from net.room.telling import end_superseded, tell_arrival
from net.secure.sealing import SealBroken

Returned: TypeAlias = list[tuple[Connected, EnterTable]]
"""The connections of those who have come back, with the messages by which they enter."""


def await_shares(room: Room, log: SealedLog) -> None:
    """Wait for the shares of a journal's key."""
    room.opening = Opening(log)
    load_public(room, log)


def handle_sealed(
    room: Room, opening: Opening, connected: Connected, message: ClientMessage
) -> Returned | None:
    """Handle a message; return those who have come back if the table has opened with it."""
    sessions = room.sessions
    connected.last_heard = sessions.now
    match message:
        case Ping():
            sessions.send(connected, Pong(0))
        case EnterTable() if connected.member is None:
            _enter(room, opening, connected, message)
        case KeyShareGiven(share) if connected.member is not None:
            return _take(room, opening, connected.member, share)
        case Superseded(term) if connected.key == room.host_key:
            end_superseded(room, term)
        case ClientCommand(number, Close()) if connected is room.host:
            close_sealed(room, opening, by=room.host_member, number=number)
        case _:  # no honest client says anything else before it is let in
            sessions.end(connected, CloseReason.OUT_OF_ORDER)
    return None


def close_sealed(room: Room, opening: Opening, *, by: int = THE_TABLE, number: int = 0) -> None:
    """Close the table for good, by a member's command of this number: nobody waits for ever."""
    _leave(room, opening)
    give_up(room, opening.log, Step(by, number, news=(Closed(),)))


def _enter(room: Room, opening: Opening, connected: Connected, message: EnterTable) -> None:
    """Let a member wait, and ask for their share. The newest connection of a member counts."""
    sessions, member = room.sessions, room.state.member_with(connected.key)
    if member is None:
        sessions.send(connected, CommandRefused(0, Refusal.SEALED))
        return
    older = sessions.by_member.get(member)
    if older is not None:
        sessions.end(older, CloseReason.REPLACED)
    sessions.attach(connected, member)
    opening.entering[member] = message
    sessions.send(connected, _news_for(room, opening, member))
    share = opening.log.share_of(member)
    if share:
        sessions.send(connected, KeyShareWanted(share))
    tell_arrival(room, connected)


def _take(room: Room, opening: Opening, member: int, share: bytes) -> Returned | None:
    """Take in a share, and open the table if it was the last that is needed."""
    log = opening.log
    if opening.broken or not log.needed:
        return None
    if not log.give(member, share):
        opening.wrong.add(member)
    elif not log.needed:
        try:
            load(room, log)
        except SealBroken:
            opening.broken = True
        else:
            return _leave(room, opening)
    for waiting, connected in room.sessions.by_member.items():
        room.sessions.send(connected, _news_for(room, opening, waiting))
    return None


def _leave(room: Room, opening: Opening) -> Returned:
    """Return those who have come back, who are to enter now."""
    waiting = dict(room.sessions.by_member)
    room.sessions.by_member.clear()
    for connected in waiting.values():
        connected.member = None
    return [(connected, opening.entering[member]) for member, connected in waiting.items()]


def _news_for(room: Room, opening: Opening, member: int) -> TableSealed:
    """Return the message about the sealed table to a member."""
    return TableSealed(
        needed=opening.log.needed,
        waiting=_names(room, opening.log.waiting),
        wrong=_names(room, opening.wrong),
        broken=opening.broken,
        yours=member == room.host_member,
    )


def _names(room: Room, members: Container[int]) -> tuple[str, ...]:
    return tuple(person.name for person in room.lobby.people if person.member in members)
