"""Changes of a lobby: what the events of a table (`net.protocol.lobby_events`) are made of.

Seats whose people had not come as the table moved are deserted: their cards were drawn anew, and
nobody has seen them. The host may lend such a seat to a newcomer of that name; and who comes back
to it has it again, whoever sat there meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from net.protocol.fields import NOBODY, Wire
from net.protocol.lobby import (
    MAX_MOVES_KEPT,
    THE_TABLE,
    BotChair,
    Chair,
    Deserted,
    Free,
    Lobby,
    Person,
    Presence,
    Relocation,
    SeedDraw,
    Taken,
)


class TableNews(Wire, frozen=True):
    """Base of what everybody at a table is told. By itself it changes nothing."""

    def change(self, lobby: Lobby) -> Lobby:
        """Return the lobby after it.

        Raises LookupError: it is about a seat or a member that the lobby does not have.
        """
        return lobby

    def fits(self, lobby: Lobby) -> bool:
        """Return True if it concerns people and seats that this lobby has, and may happen in it."""
        del lobby
        return True


# Chairs and people.


def put_chair(lobby: Lobby, seat: int, chair: Chair) -> Lobby:
    """Return the lobby with another chair on a seat."""
    chairs = list(lobby.chairs)
    chairs[seat] = chair
    return replace(lobby, chairs=tuple(chairs))


def forget_youngest(lobby: Lobby, seat: int) -> Lobby:
    """Unset the seat that begins the game (S8), if it is this one."""
    if lobby.settings.youngest != seat:
        return lobby
    return replace(lobby, settings=replace(lobby.settings, youngest=NOBODY))


def free_seat_of(lobby: Lobby, member: int) -> Lobby:
    """Free a member's seat, if they have one."""
    seat = lobby.seat_of(member)
    return lobby if seat is None else put_chair(forget_youngest(lobby, seat), seat, Free())


def keep_chairs(lobby: Lobby, order: Sequence[int]) -> Lobby:
    """Return the lobby with the chairs that had these seats, in this order."""
    youngest = lobby.settings.youngest
    youngest = order.index(youngest) if youngest in order else NOBODY
    settings = replace(lobby.settings, seats=len(order), youngest=youngest)
    return replace(lobby, settings=settings, chairs=tuple(lobby.chairs[seat] for seat in order))


def set_all_ready(lobby: Lobby, *, ready: bool) -> Lobby:
    """Return the lobby in which all people with chairs are ready, or none of them."""
    return replace(
        lobby,
        chairs=tuple(
            Taken(chair.member, ready) if isinstance(chair, Taken) else chair
            for chair in lobby.chairs
        ),
    )


def retire_bot(lobby: Lobby, bot: str, level: str) -> Lobby:
    """Return the lobby with our bot of this level wherever another's, which is retired, was."""
    chairs = (
        BotChair(chair.name, level) if isinstance(chair, BotChair) and chair.level == bot else chair
        for chair in lobby.chairs
    )
    settings = lobby.settings
    if settings.stand_in == bot:
        settings = replace(settings, stand_in=level)
    return replace(lobby, chairs=tuple(chairs), settings=settings)


def without_person(lobby: Lobby, member: int) -> tuple[Person, ...]:
    """Return the people but for a member."""
    return tuple(person for person in lobby.people if person.member != member)


def change_people(lobby: Lobby, change: Callable[[Person], Person]) -> Lobby:
    """Return the lobby with each person changed."""
    return replace(lobby, people=tuple(map(change, lobby.people)))


def set_presence(lobby: Lobby, member: int, presence: Presence) -> Lobby:
    """Return the lobby with another presence of a member; in a hall, who comes is the last."""
    if lobby.is_hall and presence is Presence.THERE:
        there = replace(lobby.find_person(member), presence=presence)
        return replace(lobby, people=(*without_person(lobby, member), there))
    return change_people(
        lobby,
        lambda person: replace(person, presence=presence) if person.member == member else person,
    )


def set_all_gone(lobby: Lobby) -> Lobby:
    """Return the lobby with nobody connected, and without choices made for a moment."""
    lobby = replace(lobby, short=0, offered=THE_TABLE, handing=False)
    return change_people(lobby, lambda person: replace(person, presence=Presence.GONE))


# The draw of a seed.


def draw_under_way(lobby: Lobby) -> SeedDraw:
    """Return the draw under way. Raises `LookupError` if there is none."""
    if lobby.draw is None or lobby.draw.done:
        raise LookupError("no seed is being drawn")
    return lobby.draw


def void_draw_of(lobby: Lobby, member: int) -> Lobby:
    """Give up the draw under way, if there is one and a member takes part in it or has a seat."""
    if lobby.draw is None or lobby.draw.done:
        return lobby
    draw = lobby.draw
    takes_part = any(person.member == member for person in (*draw.people, *draw.absent))
    if takes_part or lobby.seat_of(member) is not None:
        return replace(lobby, draw=None)
    return lobby


# A game that goes on elsewhere.


def note_relocation(lobby: Lobby, moved: Relocation) -> Lobby:
    """Return the lobby of a game that goes on elsewhere: who had a seat lent has it still.

    If programs were at odds, the cards of all seats are new.
    """
    lent = {one.seat: replace(one, asks=()) for one in lobby.lent}
    people = {
        seat: Deserted(seat, chair.member)
        for seat, chair in enumerate(lobby.chairs)
        if isinstance(chair, Taken) and (moved.at_odds or seat in moved.anew)
    }
    found = {**people, **lent}
    return replace(
        lobby,
        deserted=tuple(found[seat] for seat in sorted(found)),
        relocations=(*lobby.relocations, moved)[-MAX_MOVES_KEPT:],
    )


def bring_back(lobby: Lobby, seat: int) -> Lobby:
    """Return the lobby once a seat is no longer among those whose cards were drawn anew.

    Raises LookupError: the table has not moved.
    """
    if not lobby.relocations:
        raise LookupError(seat)
    *before, last = lobby.relocations
    anew = tuple(other for other in last.anew if other != seat)
    return replace(lobby, relocations=(*before, replace(last, anew=anew)))


def ask_for(lobby: Lobby, seat: int, member: int) -> Lobby:
    """Return the lobby in which a member asks for a deserted seat.

    Raises LookupError: nobody can ask for that seat.
    """
    if not any(one.seat == seat and one.takes_more for one in lobby.deserted):
        raise LookupError(seat)
    asker = lobby.find_person(member).member

    def after(one: Deserted) -> Deserted:
        return replace(one, asks=(*one.asks, asker)) if one.seat == seat else one

    return replace(lobby, deserted=tuple(map(after, lobby.deserted)))


def lend_seat(lobby: Lobby, seat: int, member: int) -> Lobby:
    """Return the lobby as a member sits down: a seat is lent to one who has asked for it."""
    is_lent = member in lobby.asking_for(seat)
    lobby = ask_no_more(lobby, member)
    if not is_lent:
        return drop_deserted(lobby, lambda one: one.seat == seat)
    deserted = [replace(one, asks=()) if one.seat == seat else one for one in lobby.deserted]
    return replace(lobby, deserted=tuple(deserted))


def ask_no_more(lobby: Lobby, member: int) -> Lobby:
    """Return the lobby in which a member asks for no seat, and has none to come back to."""

    def without(one: Deserted) -> Deserted:
        return replace(one, asks=tuple(asking for asking in one.asks if asking != member))

    lobby = replace(lobby, deserted=tuple(map(without, lobby.deserted)))
    return drop_deserted(lobby, lambda one: one.member == member)


def come_back(lobby: Lobby, is_there: Callable[[Deserted], bool]) -> Lobby:
    """Return the lobby once people are there: their seats are deserted no more, if not lent."""
    lent = lobby.lent
    return drop_deserted(lobby, lambda one: is_there(one) and one not in lent)


def drop_deserted(lobby: Lobby, is_over: Callable[[Deserted], bool]) -> Lobby:
    """Return the lobby in which these seats are deserted no more."""
    if not lobby.deserted:
        return lobby
    return replace(lobby, deserted=tuple(one for one in lobby.deserted if not is_over(one)))
