"""The rule for which of two tables with one id stands, as a network was cut or a host came back.

A table plays while its people are there: more than half of those who have seats, or half of them
with the person in the lowest of these seats. Bots do not count, nor do people who left. So at most
one of two tables plays, however the network was cut, unless somebody chose to go on without the
others.

A program looks for another table only while its own does not play by that rule. It goes to the
other one if that stands, and gives up its own once its player was let in there. Of two tables one
stands, and both sides find the same one, so nobody swaps places.
"""

from __future__ import annotations

from typing import Final

from net.discovery.advert import Standing
from net.protocol.fields import MAX_SEATS
from net.protocol.lobby import Lobby, Presence

_TERM_BITS: Final = 16  # bits of an incarnation below the term that it begins with


def incarnation_in(term: int, opened: int) -> int:
    """Return the incarnation of a table that its host of this term has `opened` that many times."""
    return (term << _TERM_BITS) + opened


def term_of(incarnation: int) -> int:
    """Return the term that an incarnation belongs to."""
    return incarnation >> _TERM_BITS


def has_its_people(lobby: Lobby) -> bool:
    """Return True if enough of the people who have seats are there for the table to play."""
    people = [person for _chair, person in lobby.sitting if person.presence is not Presence.AWAY]
    there = [person for person in people if person.presence is Presence.THERE]
    if 2 * len(there) == len(people):
        return people[:1] == there[:1] != []
    return 2 * len(there) > len(people)


def can_move(lobby: Lobby) -> bool:
    """Return True if somebody could go on with a table elsewhere.

    Nobody can with a club's table, a practice table, which has no name, or one at which no people
    have seats.
    """
    return bool(lobby.name and lobby.sitting) and not lobby.in_club


def may_play(lobby: Lobby, number: int) -> bool:
    """Return True if a table may play round `number`, or deal it.

    It may with its people, or if somebody chose to go on in this round without the others. While it
    is handed over it stands still.
    """
    if lobby.handing:
        return False
    return not can_move(lobby) or lobby.short == number or has_its_people(lobby)


def standing_of(lobby: Lobby) -> Standing:
    """Return what a table shows to programs that look for it."""
    there = [chair for chair, person in lobby.sitting if person.presence is Presence.THERE]
    return Standing(has_its_people(lobby), len(there), lobby.term)


def next_term(term: int, seat: int) -> int:
    """Return the term in which a table goes on, after this one, at the computer of a seat.

    Of two people who go on at once, the one in the lower seat has the higher term.
    """
    return (term // MAX_SEATS + 1) * MAX_SEATS + MAX_SEATS - 1 - seat
