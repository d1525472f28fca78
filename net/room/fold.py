"""The fold of events into the lobby: `apply`, by which the host and all clients hold the same.

The room has decided already that an event may happen (`net.room.permissions`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import assert_never

from msgspec.structs import replace

from net.protocol import lobby_events as events
from net.protocol.fields import NOBODY
from net.protocol.hall import BoardNews
from net.protocol.lobby import (
    MAX_MOVES_KEPT,
    THE_TABLE,
    BotChair,
    Chair,
    Drawer,
    Free,
    Lobby,
    Person,
    Presence,
    Relocation,
    SeedDraw,
    Stage,
    Taken,
)
from net.room.deserted import follow


def apply(lobby: Lobby, event: events.LobbyEvent) -> Lobby:  # noqa: C901 - a case for each event
    """Return the lobby after an event.

    Raises LookupError: the event is about a seat or a member that the lobby does not have.
    """
    lobby = follow(lobby, event)
    match event:
        case events.Entered(member, name, is_host, waits, key, at_door):
            person = Person(member, name, Presence.THERE, waits, key, at_door)
            people = (*lobby.people, person)
            return replace(lobby, people=people, host=member if is_host else lobby.host)
        case events.Exited(member):
            lobby = _rid_of(_without_draw_of(lobby, member), member)
            return replace(lobby, people=_others(lobby, member))
        case events.SatDown(seat, member):
            sitting = lobby.find_person(member)
            lobby = _nobody_youngest(_rid_of(lobby, member), seat)
            lobby = _on_chair(lobby, seat, Taken(member, ready=lobby.stage is Stage.LOBBY))
            return _change_people(
                lobby, lambda one: replace(one, waits=False) if one is sitting else one
            )
        case events.StoodUp(seat):
            return _on_chair(_nobody_youngest(lobby, seat), seat, Free())
        case events.BotSat(seat, name, level):
            return _on_chair(lobby, seat, BotChair(name, level))
        case events.BotRetired(bot, level):
            return _without_bot(lobby, bot, level)
        case events.ReadyChanged(seat, ready):
            chair = lobby.chairs[seat]
            if not isinstance(chair, Taken):
                raise LookupError(seat)  # noqa: TRY004 - it is the seat that is not there
            return _on_chair(lobby, seat, Taken(chair.member, ready))
        case events.PresenceChanged(member, presence):
            return _with_presence(lobby, member, presence)
        case events.SettingsChanged(settings):
            chairs = lobby.chairs[: settings.seats]
            chairs += (Free(),) * (settings.seats - len(chairs))
            return replace(lobby, settings=settings, chairs=chairs)
        case events.Paused(paused):
            return replace(lobby, paused=paused)
        case events.GameBegins():
            kept = [seat for seat, chair in enumerate(lobby.chairs) if not isinstance(chair, Free)]
            return replace(_all_ready(_reseat(lobby, kept), ready=False), stage=Stage.PLAYING)
        case events.RoundBegins():
            return _all_ready(lobby, ready=False)
        case events.Rematch():
            lobby = replace(lobby, stage=Stage.LOBBY, paused=False, draw=None, short=0)
            return _all_ready(replace(lobby, relocations=()), ready=True)
        case events.Reopened():
            return _all_gone(_as_before(lobby))
        case events.HostChanged(member, term):
            draw, host = None if lobby.is_drawing else lobby.draw, lobby.find_person(member).member
            lobby = replace(_as_before(lobby), host=host, term=term, draw=draw)
            return _all_gone(_note_relocation(lobby, event))
        case events.BroughtBack(seat):
            return _brought_back(lobby, seat)
        case events.WentOn(number):
            return replace(lobby, short=number)
        case events.HostOffered(member):
            return replace(lobby, offered=lobby.find_person(member).member)
        case events.HandingOver(begins):
            return replace(lobby, offered=THE_TABLE, handing=begins)
        case events.Closed():
            return replace(lobby, stage=Stage.CLOSED)
        case events.Locked(locked):
            return replace(lobby, locked=locked)
        case (
            events.Remark()
            | events.BotClaimed()
            | events.BotSaid()
            | events.StoodIn()
            | events.RecordPublished()
            | events.HostSharesShown()
            | events.CodeRenewed()
            | events.DrawnAnew()
            | events.SeatAsked()
        ):
            return lobby
        case BoardNews():
            return replace(lobby, hall=event.change(lobby.board))
        case events.DrawBegan():
            return replace(lobby, draw=_draw_of(lobby, event))
        case events.SharesCommitted(commitments):
            return replace(lobby, draw=replace(_present(lobby), commitments=commitments))
        case events.SharesShown(shares):
            return replace(lobby, draw=replace(_present(lobby), shares=shares, done=True))
        case _:
            assert_never(event)


def apply_all(lobby: Lobby, news: Iterable[events.LobbyEvent]) -> Lobby:
    """Return the lobby after events. Raises LookupError: as `apply` does."""
    return reduce(apply, news, lobby)


def _with_presence(lobby: Lobby, member: int, presence: Presence) -> Lobby:
    """Return the lobby with another presence of a member; in a hall, who comes is the last."""
    if lobby.is_hall and presence is Presence.THERE:
        there = replace(lobby.find_person(member), presence=presence)
        return replace(lobby, people=(*_others(lobby, member), there))
    return _change_people(
        lobby, lambda one: replace(one, presence=presence) if one.member == member else one
    )


def _others(lobby: Lobby, member: int) -> tuple[Person, ...]:
    return tuple(person for person in lobby.people if person.member != member)


def _change_people(lobby: Lobby, change: Callable[[Person], Person]) -> Lobby:
    return replace(lobby, people=tuple(map(change, lobby.people)))


def _all_gone(lobby: Lobby) -> Lobby:
    return _change_people(lobby, lambda one: replace(one, presence=Presence.GONE))


def _as_before(lobby: Lobby) -> Lobby:
    """Return the lobby without choices that were made for a moment."""
    return replace(lobby, short=0, offered=THE_TABLE, handing=False)


def _note_relocation(lobby: Lobby, event: events.HostChanged) -> Lobby:
    """Return the lobby of a game that goes on elsewhere in a round, if it is in one."""
    if not event.round:
        return lobby
    moved = Relocation(event.term, event.round, event.anew, event.at_odds)
    return replace(lobby, relocations=(*lobby.relocations, moved)[-MAX_MOVES_KEPT:])


def _brought_back(lobby: Lobby, seat: int) -> Lobby:
    """Return the lobby once a seat is no longer among those whose cards were drawn anew."""
    if not lobby.relocations:
        raise LookupError(seat)
    *before, last = lobby.relocations
    anew = tuple(one for one in last.anew if one != seat)
    return replace(lobby, relocations=(*before, replace(last, anew=anew)))


def _draw_of(lobby: Lobby, event: events.DrawBegan) -> SeedDraw:
    found = {one.member: Drawer(one.member, one.name, one.at_door) for one in lobby.people}
    people, absent = (
        tuple(found[member] for member in members) for members in (event.members, event.absent)
    )
    host_name = found[lobby.host].name if lobby.host in found else ""
    return SeedDraw(
        event.id, event.nonce, event.round, event.commitment, people, absent, host_name=host_name
    )


def _without_draw_of(lobby: Lobby, member: int) -> Lobby:
    """Give up the draw under way, if there is one and a member takes part in it or has a seat."""
    if lobby.draw is None or lobby.draw.done:
        return lobby
    draw = lobby.draw
    takes_part = any(person.member == member for person in (*draw.people, *draw.absent))
    if takes_part or lobby.seat_of(member) is not None:
        return replace(lobby, draw=None)
    return lobby


def _present(lobby: Lobby) -> SeedDraw:
    """Return the draw under way. Raises `LookupError` if there is none."""
    if lobby.draw is None or lobby.draw.done:
        raise LookupError("no seed is being drawn")
    return lobby.draw


def _on_chair(lobby: Lobby, seat: int, chair: Chair) -> Lobby:
    chairs = list(lobby.chairs)
    chairs[seat] = chair
    return replace(lobby, chairs=tuple(chairs))


def _without_bot(lobby: Lobby, bot: str, level: str) -> Lobby:
    """Return the lobby with our bot of this level wherever another's, which is retired, was."""
    chairs = (
        BotChair(chair.name, level) if isinstance(chair, BotChair) and chair.level == bot else chair
        for chair in lobby.chairs
    )
    settings = lobby.settings
    if settings.stand_in == bot:
        settings = replace(settings, stand_in=level)
    return replace(lobby, chairs=tuple(chairs), settings=settings)


def _rid_of(lobby: Lobby, member: int) -> Lobby:
    """Free a member's seat, if they have one."""
    seat = lobby.seat_of(member)
    return lobby if seat is None else _on_chair(_nobody_youngest(lobby, seat), seat, Free())


def _nobody_youngest(lobby: Lobby, seat: int) -> Lobby:
    """Unset the seat that begins the game (S8), if it is this one."""
    if lobby.settings.youngest != seat:
        return lobby
    return replace(lobby, settings=replace(lobby.settings, youngest=NOBODY))


def _reseat(lobby: Lobby, order: Sequence[int]) -> Lobby:
    """Return the lobby with the chairs that had these seats, in this order."""
    youngest = lobby.settings.youngest
    youngest = order.index(youngest) if youngest in order else NOBODY
    settings = replace(lobby.settings, seats=len(order), youngest=youngest)
    return replace(lobby, settings=settings, chairs=tuple(lobby.chairs[seat] for seat in order))


def _all_ready(lobby: Lobby, *, ready: bool) -> Lobby:
    return replace(
        lobby,
        chairs=tuple(
            Taken(chair.member, ready) if isinstance(chair, Taken) else chair
            for chair in lobby.chairs
        ),
    )


def count_game(lobby: Lobby, nuggets: Sequence[int]) -> Lobby:
    """Return the lobby after a game that brought each seat so much gold.

    This is no event: every program that saw the game counts it by itself.
    """
    names = [lobby.name_at(seat) for seat in range(len(lobby.chairs))]
    return replace(lobby, evening=lobby.evening.after(names, nuggets))
