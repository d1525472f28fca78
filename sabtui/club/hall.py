"""A hall: a `Room` with a board (`net.protocol.board`) in place of chairs.

It does for its people what a table does, but its steps are not recorded. A club acts on its hall
and its tables by inputs, like those of `net.room.inputs`. There is no socket, clock or file here.

`Organisers` lead the nights of a club; its program shows the password that makes somebody one.
Connecting from the club's own computer is not enough: all guests at its doors do that.
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
from net.protocol.lobby import Lobby, Person, Settings, TablePhase, Taken
from net.protocol.lobby_events import Closed, CodeRenewed, Exited, LeaveReason, apply_all
from net.protocol.messages import CloseReason, HostMessage, Notice, Refusal
from net.room.decisions import exits_by_new_code, make_exit, why_no_settings
from net.room.inputs import room_input
from net.room.room import Room
from net.room.sessions import Limits
from net.room.steps import RoomState, Step, TableCreated
from net.secure.limits import Limit, Limiter

GUESSES: Final = Limit(rate=1 / 10, burst=5)
"""Passwords that one person may try, so that nobody uses up other people's tries."""


class Organisers:
    """The seat keys of a club's organisers, and the `password` that makes others organisers."""

    def __init__(self, password: str, keys: Iterable[bytes]) -> None:
        self._password = password
        self._keys = set(keys)
        self._limiter = Limiter()

    def __contains__(self, key: object) -> bool:
        """Return True if the person of a key is an organiser."""
        return key in self._keys

    def admit(self, key: bytes, typed: str, now: float) -> Refusal | None:
        """Make the person of a key an organiser, if the password is right, or return why not."""
        if not self._limiter.take(GUESSES, now, key):
            return Refusal.TOO_FAST
        password = "-".join(typed.casefold().replace("-", " ").split())
        if not hmac.compare_digest(password.encode(), self._password.encode()):
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
"""Lets 300 people enter within a minute, 60 of them from one address, as from a school. Each may
ask for little, as hundreds are told about it."""

NO_HOST_KEY: Final = b""
"""The seat key of a hall's host, too short to be anybody's. Anybody could prove 32 zeroes."""


def open_hall(
    name: str,
    people: Iterable[Person],
    incarnation: int,
    now: float,
    board: HallBoard = EMPTY_BOARD,
) -> Room:
    """Return the hall of a club that knows these people; if they are too many, the last of them."""
    room = Room(TableCreated(name, NO_HOST_KEY), incarnation, bytes, now)
    known = tuple(people)[-MAX_HALL_PEOPLE:]
    lobby = replace(Lobby.without_chairs(name), people=known, hall=board)
    members = max((person.member for person in lobby.people), default=0)
    room.become_hall(RoomState(lobby, NO_HOST_KEY, members=members), HALL_LIMITS)
    return room


def find_players(room: Room, seconds: float) -> dict[bytes, str]:
    """Return the people in a room who play, and were active in the last seconds.

    They are names by seat key. Recent activity counts, as a dead link may not have been noticed
    yet.
    """
    since = room.sessions.now - seconds
    here = [
        room.lobby.find_person(member)
        for member, session in room.sessions.by_member.items()
        if session.last_message_at > since and not session.watches
    ]
    return {person.key: person.name for person in here}


@dataclass(frozen=True, slots=True)
class Outline:
    """A table as the club sees it: its row in the hall, and what the hall does not learn."""

    row: HallTable
    gold: tuple[tuple[bytes, int], ...] = ()
    """Seat key and nuggets of each seat once the game is over; the key of a bot is empty."""
    host: bytes = b""  # the host's seat key


def make_outline(table: str, room: Room, names: Mapping[bytes, str]) -> Outline:
    """Build a table's row on the board, from what its watchers can see.

    `names` are those of the club's people, by seat key: at a table with a bot of the same name,
    somebody's name has a number.
    """
    lobby, game = room.lobby, room.state.game
    here = [person for person in lobby.people if not (person.presence.is_gone or person.projector)]
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
    """Yield the seat key of the person on each chair, empty for a bot or a free chair."""
    for chair in room.lobby.chairs:
        yield room.lobby.find_person(chair.member).key if isinstance(chair, Taken) else b""


def read_settings(asked: Settings) -> Settings | Refusal:
    """Return the settings of a new table, with the edition as we spell it, or why not."""
    refused = why_no_settings(Lobby.empty("", Settings()), asked)
    return refused or replace(asked, edition=Edition.read(asked.edition).text)


# Inputs from the club to its hall and its tables.


@room_input
def show(room: Room, news: HallEvent) -> None:
    room.commit(Step(news=(news,)))


@room_input
def answer(room: Room, member: int, message: HostMessage) -> None:
    connected = room.sessions.by_member.get(member)
    if connected is not None:
        room.sessions.send(connected, message)


@room_input
def renew_code(room: Room, code: str, removed: int | None = None) -> None:
    """Tell everybody in a hall about a new room code, perhaps because somebody was removed.

    Projectors are disconnected, and so are people whom the hall does not know: they came with the
    old code.
    """
    gone = () if removed is None else (Exited(removed, LeaveReason.KICKED),)
    projectors = exits_by_new_code(apply_all(room.lobby, gone))
    room.commit(Step(news=(*gone, *projectors, CodeRenewed()), code=code))
    room.sessions.end_unentered({person.key for person in room.lobby.people})


@room_input
def end_projectors(room: Room) -> None:
    if gone := exits_by_new_code(room.lobby):
        room.commit(Step(news=gone))


@room_input
def remove_person(room: Room, key: bytes) -> None:
    """Remove the person with this seat key from a table of the club.

    Its host keeps the seat, as a table has to have one, but cannot come back to it.
    """
    member = room.state.member_with(key)
    if member is not None and member != room.lobby.host:
        room.commit(Step(news=make_exit(room.lobby, member, LeaveReason.KICKED)))
    for connected in tuple(room.sessions.connected.values()):
        if connected.key == key:
            room.sessions.end(connected, CloseReason.KICKED)


@room_input
def send_notice(room: Room, notice: Notice) -> None:
    """Send everybody at the table an organiser's notice to the whole club."""
    for connected in room.sessions.inside:
        room.sessions.send(connected, notice)


@room_input
def send_next_tables(room: Room, next_tables: Mapping[bytes, NextTable]) -> None:
    """Send people at the table, by key, their seats in the next round of a night."""
    for connected in room.sessions.inside:
        if (table := next_tables.get(connected.key)) is not None:
            room.sessions.send(connected, table)


@room_input
def close(room: Room) -> None:
    if room.lobby.stage is not TablePhase.CLOSED:
        room.commit(Step(news=(Closed(),)))


@room_input
def send_away(room: Room, key: bytes | None, why: CloseReason) -> None:
    """End the connections of the person with this seat key, of everybody for `None`."""
    for connected in tuple(room.sessions.connected.values()):
        if key in {None, connected.key}:
            room.sessions.end(connected, why)


@room_input
def turn_away(room: Room, connection: int, why: CloseReason) -> None:
    connected = room.sessions.connected.get(connection)
    if connected is not None:
        room.sessions.end(connected, why)


@room_input
def start_by(room: Room, seconds: float) -> None:
    """Start a game automatically: once everybody with a seat is present, or after these seconds."""
    room.begin_with(len(room.lobby.sitting), room.sessions.now + seconds)
