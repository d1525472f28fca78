"""Plain values: how a hall sees a table, and all that it orders the club's shell to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from net.discovery.advert import AdvertStage
from net.protocol.hall import MAX_HALL_PEOPLE, HallNow, HallPerson, HallTable
from net.protocol.lobby import Settings, Taken
from net.room.hall_links import HallOutput
from net.room.night import RoundOrder
from net.room.room import Room


@dataclass(frozen=True, slots=True)
class Outline:
    """A table as the hall tells of it. `people` are names, with True for those who sit.

    `gold` is everybody's, by seat, once a game is over, with the key of who sits there, empty for a
    bot; `host` is its host's key. Nobody is told of keys.
    """

    name: str
    stage: AdvertStage
    edition: str
    players: int
    seats: int
    people: tuple[tuple[str, bool], ...] = ()
    gold: tuple[tuple[bytes, int], ...] = ()
    host: bytes = b""


def outline_of(room: Room, names: Mapping[bytes, str]) -> Outline:
    """Return the outline of a table as it is: nothing that its watchers do not see.

    People have the `names` of their keys in the club, not those with numbers that they may have
    beside a bot of the same name.
    """
    lobby, game = room.lobby, room.state.game
    here = [person for person in lobby.people if not person.presence.is_gone]
    return Outline(
        lobby.name,
        room.stage,
        lobby.settings.edition,
        lobby.players,
        len(lobby.chairs),
        tuple(
            (names.get(one.key, one.name), lobby.seat_of(one.member) is not None) for one in here
        ),
        () if game is None else tuple(zip(_keys(room), game.score.nuggets or (), strict=False)),
        room.state.host_key,
    )


def _keys(room: Room) -> Iterator[bytes]:
    """Yield the key of who sits on each seat, empty for nobody's and a bot's."""
    for chair in room.lobby.chairs:
        yield room.lobby.find_person(chair.member).key if isinstance(chair, Taken) else b""


def tell_presence(inside: Iterable[str], outlines: Mapping[str, Outline], renewed: int) -> HallNow:
    """Return who is in the hall and at the tables, and how the tables look, by their ids.

    The code was `renewed` so many times.
    """
    people = [HallPerson(name) for name in inside]
    for at, outline in enumerate(outlines.values()):
        people += [HallPerson(name, at, sits) for name, sits in outline.people]
    tables = (
        HallTable(table, one.name, one.stage, one.edition, one.players, one.seats)
        for table, one in outlines.items()
    )
    return HallNow(tuple(tables), tuple(people[:MAX_HALL_PEOPLE]), renewed)


@dataclass(frozen=True, slots=True)
class OpenOrder:
    """An order to open a table for a person in the hall, who will be its host."""

    connection: int
    key: bytes
    name: str
    settings: Settings


@dataclass(frozen=True, slots=True)
class CallOrder:
    """An order to call people from their tables to the hall: whoever has this key, or is there."""

    key: bytes = b""
    table: str = ""


@dataclass(frozen=True, slots=True)
class TellOrder:
    """An order to tell all tables what an organiser has said in the hall."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class CloseOrder:
    """An order to close a table for good."""

    table: str


@dataclass(frozen=True, slots=True)
class CodeOrder:
    """An order to renew the room code; call `Hall.renew` with it."""


@dataclass(frozen=True, slots=True)
class KeepNight:
    """An order to save the night, these bytes; call `Hall.tell_night` once that is done."""

    row: bytes


@dataclass(frozen=True, slots=True)
class KeepOrganiser:
    """An order to save that the person of this key is an organiser."""

    key: bytes


ClubOrder: TypeAlias = (
    OpenOrder
    | RoundOrder
    | CallOrder
    | TellOrder
    | CloseOrder
    | CodeOrder
    | KeepNight
    | KeepOrganiser
)


@dataclass(frozen=True, slots=True)
class HallEffects:
    """Work for the shell: keep the names, carry out `do` in order, then obey the orders.

    `named` are the names that keys have now, empty for a key that is forgotten.
    """

    do: tuple[HallOutput, ...] = ()
    orders: tuple[ClubOrder, ...] = ()
    named: tuple[tuple[bytes, str], ...] = ()
