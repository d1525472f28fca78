"""Seats whose people had not come as the table moved: they may be lent to a newcomer of that name.

Their cards were drawn anew, and nobody has seen them. The host decides; and who comes back to such
a seat has it again, whoever sat there meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from net.protocol import lobby_events as events
from net.protocol.lobby import Deserted, Lobby, Taken


def follow(lobby: Lobby, event: events.LobbyEvent) -> Lobby:
    """Return the lobby with the deserted seats that there are after an event.

    Raises LookupError: nobody can ask for that seat.
    """
    if isinstance(event, events.HostChanged):
        return _desert(lobby, event)
    if isinstance(event, events.SeatAsked):
        return _ask(lobby, event.seat, event.member)
    if not lobby.deserted:
        return lobby
    match event:
        case events.SatDown(seat, member):
            return _sit_down(lobby, seat, member)
        case events.Exited(member):
            return _leave(lobby, member)
        case events.StoodUp(seat) | events.BotSat(seat):
            return _drop(lobby, lambda one: one.seat == seat)
        case events.BroughtBack(seat):
            return _come_back(lobby, lambda one: one.seat == seat)
        case events.PresenceChanged(member, presence) if not presence.is_gone:
            return _come_back(lobby, lambda one: one.member == member)
        case events.Rematch():
            return replace(lobby, deserted=())
        case _:
            return lobby


def can_ask(lobby: Lobby, seat: int) -> bool:
    """Return True if one more may ask for a seat."""
    return any(one.seat == seat and one.takes_more for one in lobby.deserted)


def _desert(lobby: Lobby, moved: events.HostChanged) -> Lobby:
    """Return the lobby of a table that goes on elsewhere: who had a seat lent has it still.

    If programs were at odds, the cards of all seats are new.
    """
    if not moved.round:
        return replace(lobby, deserted=())
    lent = {one.seat: replace(one, asks=()) for one in lobby.lent}
    people = {
        seat: Deserted(seat, chair.member)
        for seat, chair in enumerate(lobby.chairs)
        if isinstance(chair, Taken) and (moved.at_odds or seat in moved.anew)
    }
    found = {**people, **lent}
    return replace(lobby, deserted=tuple(found[seat] for seat in sorted(found)))


def _ask(lobby: Lobby, seat: int, member: int) -> Lobby:
    if not can_ask(lobby, seat):
        raise LookupError(seat)
    asker = lobby.find_person(member).member

    def after(one: Deserted) -> Deserted:
        return replace(one, asks=(*one.asks, asker)) if one.seat == seat else one

    return replace(lobby, deserted=tuple(map(after, lobby.deserted)))


def _sit_down(lobby: Lobby, seat: int, member: int) -> Lobby:
    """Return the lobby as a member sits down: a seat is lent to one who has asked for it."""
    is_lent = member in lobby.asking_for(seat)
    lobby = _leave(lobby, member)
    if not is_lent:
        return _drop(lobby, lambda one: one.seat == seat)
    deserted = [replace(one, asks=()) if one.seat == seat else one for one in lobby.deserted]
    return replace(lobby, deserted=tuple(deserted))


def _leave(lobby: Lobby, member: int) -> Lobby:
    """Return the lobby in which a member asks for no seat, and has none to come back to."""

    def without(one: Deserted) -> Deserted:
        return replace(one, asks=tuple(asking for asking in one.asks if asking != member))

    lobby = replace(lobby, deserted=tuple(map(without, lobby.deserted)))
    return _drop(lobby, lambda one: one.member == member)


def _come_back(lobby: Lobby, is_there: Callable[[Deserted], bool]) -> Lobby:
    """Return the lobby once people are there: their seats are deserted no more, if not lent."""
    lent = lobby.lent
    return _drop(lobby, lambda one: is_there(one) and one not in lent)


def _drop(lobby: Lobby, is_over: Callable[[Deserted], bool]) -> Lobby:
    return replace(lobby, deserted=tuple(one for one in lobby.deserted if not is_over(one)))
