"""A hall: a room without chairs, which has a board (`net.protocol.board`) in their place.

`Organisers` lead the nights of a club, by a word that its program shows. They are not those who
come from the club's own computer: all guests at its doors do. An `Outline` is a table as the hall
sees it. What a club tells its hall and its tables are inputs like those of
`net.room.inputs`.

All that a table does for those who are there, a hall does, too; but its steps are not written down,
so none is missed after a restart. There is no socket, clock or file here.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from engine.edition import Edition
from net.protocol.board import EMPTY_BOARD, MAX_AT_TABLE, MAX_HALL_PEOPLE, HallBoard, HallTable
from net.protocol.hall import HallEvent, NextTable
from net.protocol.lobby import Lobby, Person, Settings, Stage, Taken
from net.protocol.lobby_events import Closed, CodeRenewed
from net.protocol.messages import CloseReason, HostMessage, Notice, Refusal
from net.room.inputs import room_input
from net.room.requests import why_no_settings
from net.room.room import Room
from net.room.sessions import Limits
from net.room.state import RoomState, Step, TableCreated
from net.secure.limits import Limit, Limiter

GUESSES: Final = Limit(rate=1 / 10, burst=5)
"""Words that one person may try: nobody uses up the tries of others."""

_SEPARATOR: Final = "-"


class Organisers:
    """The seat keys of a club's organisers, and the `word` that makes others organisers.

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
    members = max((person.member for person in lobby.people), default=0)
    room.become_hall(RoomState(lobby, NOBODY, members=members), HALL_LIMITS)
    return room


def find_players(room: Room, seconds: float) -> dict[bytes, str]:
    """Return the names of those in a room to play who were heard in the last seconds, by key."""
    since = room.sessions.now - seconds
    here = [
        room.lobby.find_person(member)
        for member, session in room.sessions.by_member.items()
        if session.last_heard > since and not session.watches
    ]
    return {person.key: person.name for person in here}


@dataclass(frozen=True, slots=True)
class Outline:
    """A table as the club sees it: its `row` in the hall, and what is told to nobody.

    `gold` is everybody's, by seat, once a game is over, with the key of who sits there, empty for a
    bot; `host` is its host's key.
    """

    row: HallTable
    gold: tuple[tuple[bytes, int], ...] = ()
    host: bytes = b""


def outline_of(table: str, room: Room, names: Mapping[bytes, str]) -> Outline:
    """Return the outline of a table as it is: its row has nothing that its watchers do not see.

    People have the `names` of their keys in the club, not those with numbers that they may have
    beside a bot of the same name.
    """
    lobby, game = room.lobby, room.state.game
    here = [person for person in lobby.people if not person.presence.is_gone]
    called = {person.member: names.get(person.key, person.name) for person in here}
    return Outline(
        HallTable(
            table,
            lobby.name,
            room.stage,
            lobby.settings.edition,
            lobby.players,
            len(lobby.chairs),
            tuple(called.values())[:MAX_AT_TABLE],
        ),
        () if game is None else tuple(zip(_keys(room), game.score.nuggets or (), strict=False)),
        room.state.host_key,
    )


def _keys(room: Room) -> Iterator[bytes]:
    """Yield the key of who sits on each seat, empty for nobody's and a bot's."""
    for chair in room.lobby.chairs:
        yield room.lobby.find_person(chair.member).key if isinstance(chair, Taken) else b""


def read_settings(asked: Settings) -> Settings | Refusal:
    """Return the settings of a new table, the edition as we spell it, or why not."""
    refused = why_no_settings(Lobby.empty("", Settings()), asked)
    return refused or replace(asked, edition=Edition.read(asked.edition).text)


# What a club tells its hall, and its tables.


@room_input
def show(room: Room, news: HallEvent) -> None:
    """Tell everybody the news of a hall's board."""
    room.commit(Step(news=(news,)))


@room_input
def answer(room: Room, member: int, message: HostMessage) -> None:
    """Tell a member of a hall what came of their request, if they are still there."""
    connected = room.sessions.by_member.get(member)
    if connected is not None:
        room.sessions.send(connected, message)


@room_input
def renew_code(room: Room) -> None:
    """Tell everybody in a hall that there is a new room code; who is not in yet has to prove it."""
    room.commit(Step(news=(CodeRenewed(),)))
    room.sessions.end_unentered({person.key for person in room.lobby.people})


@room_input
def tell_all(room: Room, notice: Notice) -> None:
    """Tell everybody at the table what an organiser says to all of the club."""
    for connected in room.sessions.inside:
        room.sessions.send(connected, notice)


@room_input
def tell_next_tables(room: Room, told: Mapping[bytes, NextTable]) -> None:
    """Tell people at the table, by key, where they sit in the next round of a night."""
    for connected in room.sessions.inside:
        if (table := told.get(connected.key)) is not None:
            room.sessions.send(connected, table)


@room_input
def close(room: Room) -> None:
    """Close the table for good."""
    if room.lobby.stage is not Stage.CLOSED:
        room.commit(Step(news=(Closed(),)))


@room_input
def send_away(room: Room, key: bytes, why: CloseReason) -> None:
    """End the connections under this key, all for an empty key."""
    for connected in tuple(room.sessions.connected.values()):
        if key in {b"", connected.key}:
            room.sessions.end(connected, why)


@room_input
def turn_away(room: Room, connection: int, why: CloseReason) -> None:
    """End a connection, giving the reason."""
    connected = room.sessions.connected.get(connection)
    if connected is not None:
        room.sessions.end(connected, why)


@room_input
def start_by(room: Room, seconds: float) -> None:
    """Let a game begin by itself: once all are there who sit, or this many seconds from now."""
    room.begin_with(len(room.lobby.sitting), room.sessions.now + seconds)
