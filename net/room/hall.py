"""A hall: a room without chairs, which has a board (`net.protocol.board`) in their place.

`Organisers` lead the nights of a club, by a word that its program shows. They are not those who
come from the club's own computer: all guests at its doors do.

All that a table does for those who are there, a hall does, too; but its steps are not written down,
so none is missed after a restart.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from net.protocol.board import EMPTY_BOARD, MAX_HALL_PEOPLE, HallBoard
from net.protocol.lobby import Lobby, Person
from net.protocol.messages import Refusal
from net.room.room import Room
from net.room.sessions import Limits
from net.room.state import RoomState, TableCreated
from net.secure.limits import Limit, Limiter

GUESSES: Final = Limit(rate=1 / 10, burst=5)
"""Words that one person may try: nobody uses up the tries of others."""

_SEPARATOR: Final = "-"


class Organisers:
    """The seat keys of a club's organisers, and the `word` by which others become one.

    Without a word nobody does.
    """

    def __init__(self, word: str, keys: Iterable[bytes]) -> None:
        self._word = word
        self._keys = set(keys)
        self._limiter = Limiter()

    def __contains__(self, key: object) -> bool:
        """Return True if the person of a key is an organiser."""
        return key in self._keys

    def admit(self, key: bytes, typed: str, now: float) -> Refusal | None:
        """Make the person of a key an organiser, or return why not: the word has to be right."""
        if not self._limiter.take(GUESSES, now, key):
            return Refusal.TOO_FAST
        word = _SEPARATOR.join(typed.casefold().replace(_SEPARATOR, " ").split())
        if not self._word or not hmac.compare_digest(word.encode(), self._word.encode()):
            return Refusal.WRONG_WORD
        self._keys.add(key)
        return None


HALL_LIMITS: Final = Limits(
    unentered=128,
    per_address=60,
    of_address=Limit(rate=1 / 10, burst=60),
    of_all=Limit(rate=5, burst=300),
    requests=Limit(rate=1 / 2, burst=20),
)
"""So that 300 people get in within a minute, 60 of them from one address, as from a school. What
somebody says is for hundreds."""


NOBODY: Final = b""
"""The seat key of a hall's host: no key is that short. One of 32 zeroes anybody could prove."""


def open_hall(
    name: str,
    people: Iterable[Person],
    incarnation: int,
    now: float,
    board: HallBoard = EMPTY_BOARD,
) -> Room:
    """Return the hall of a club with all whom it knows; who came last is the last of them."""
    room = Room(TableCreated(name, NOBODY), incarnation, bytes, now)
    known = tuple(people)[-MAX_HALL_PEOPLE:]
    lobby = replace(Lobby.without_chairs(name), people=known, hall=board)
    members = max((one.member for one in lobby.people), default=0)
    room.become_hall(RoomState(lobby, NOBODY, members=members), HALL_LIMITS)
    return room


def players(room: Room, seconds: float) -> dict[bytes, str]:
    """Return the names of those in a room to play who were heard in the last seconds, by key."""
    since = room.sessions.now - seconds
    here = [
        room.lobby.find_person(member)
        for member, one in room.sessions.by_member.items()
        if one.last_heard > since and not one.watches
    ]
    return {person.key: person.name for person in here}
