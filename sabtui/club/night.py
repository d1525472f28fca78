"""A night in a club's hall: who plays with whom, from its beginning to the last table's gold.

`draw_tables` identifies people by numbers; its result follows from the rounds so far, who is there,
and a seed. It makes many arrangements, seating people in a random order, each at the table where
they have met the fewest, and takes the arrangement in which the fewest meet again.

`NightRunner` runs the night. Like the hall it has no socket, clock or file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from operator import itemgetter
from random import Random
from typing import Final, TypeAlias, TypeVar

import msgspec
from msgspec.structs import replace

from net.protocol.board import MAX_NIGHT_PEOPLE, Night, NightRound, NightTable
from net.protocol.cleaning import clean_name
from net.protocol.fields import MAX_SEATS
from net.protocol.framing import Wire
from net.protocol.hall import BeginNight, NextTable
from net.protocol.lobby import Absence, Settings
from net.protocol.messages import Refusal
from net.room.draws import Seeds
from sabtui.club.hall import read_settings

T = TypeVar("T")

Tables: TypeAlias = tuple[tuple[int, ...], ...]
"""The tables of a round: the people at each, by seat."""

USUAL: Final = 5  # people at a table, if the numbers allow it
SMALLEST_GOOD: Final = 4

SEATINGS: Final = 8_000  # times that a person is seated for one round, in all arrangements


def table_sizes(people: int) -> tuple[int, ...]:
    """Return the sizes of tables for a number of people, the largest first: 4 to 6 if possible.

    One or two people get a table, too, with bots in its other seats.
    """
    if not people:
        return ()
    tables = max(1, min(-(-people // USUAL), people // SMALLEST_GOOD))
    each, more = divmod(people, tables)
    return (each + 1,) * more + (each,) * (tables - more)


def draw_tables(present: Sequence[int], played: Sequence[Tables], seed: bytes) -> Tables:
    """Draw the tables of the next round for the people present.

    `played` are the tables of the rounds so far. Takes up to about a second: do not call it in an
    event loop.
    """
    people = sorted(set(present))
    random = Random(int.from_bytes(sha256(b"sabtui tables" + seed).digest()))
    met = {person: Counter[int]() for person in people}
    small = Counter[int]()
    for tables in played:
        largest = max(map(len, tables), default=0)
        for table in tables:
            small.update(table if len(table) < largest else ())
            for person in met.keys() & set(table):
                met[person].update(other for other in table if other != person)
    best = _arrange(people, met, small, random)
    for _ in range(SEATINGS // max(len(people), 1)):
        if best[0]:
            best = min(best, _arrange(people, met, small, random), key=itemgetter(0))
    return tuple(tuple(_shuffle(table, random)) for table in _shuffle(best[1], random))


def _arrange(
    people: Sequence[int],
    met: Mapping[int, Counter[int]],
    small: Counter[int],
    random: Random,
) -> tuple[int, list[list[int]]]:
    """Seat people in a random order, each where it costs least; return the cost and the tables.

    For each person at the table, a seat costs the cube of how often these two have `met`; at a
    smaller table, it also costs how often the person has sat at a smaller one before (`small`).
    """
    sizes, cost = table_sizes(len(people)), 0
    tables: list[list[int]] = [[] for _ in sizes]
    for person in _shuffle(people, random):
        free = [
            (
                sum(met[person][other] ** 3 for other in table)
                + (small[person] if size < sizes[0] else 0),
                len(table),
                table,
            )
            for table, size in zip(tables, sizes, strict=True)
            if len(table) < size
        ]
        added, _, table = min(free, key=itemgetter(0, 1))
        cost += added
        table.append(person)
    return cost, tables


def _shuffle(items: Sequence[T], random: Random) -> list[T]:
    """Return items in a random order, the same in every version of Python."""
    return sorted(items, key=lambda _: random.getrandbits(32))


ABSENT_AFTER_S: Final = 5.0  # seconds of silence after which a person is not drawn


@dataclass(frozen=True, slots=True)
class RoundOrder:
    """An order to draw a round, and to open its tables."""

    seed: bytes
    people: tuple[tuple[bytes, str], ...]  # of the whole night, by number: seat key and name
    present: tuple[int, ...]  # numbers of those who are drawn
    played: tuple[Tables, ...]  # the rounds before
    title: str  # name of the tables, before their number
    settings: Settings  # of the tables


class NightRow(Wire, frozen=True):
    """A night as a row of the club's file, with its tables' settings and its people's seat keys."""

    night: Night
    settings: Settings
    keys: tuple[bytes, ...] = ()


class NightRunner:
    """The night of a club while it runs.

    `keys` are the seat keys of its people, by number.
    """

    def __init__(self, seeds: Seeds, row: bytes = b"") -> None:
        """Continue the night in a row of the club's file; there is none if it is unreadable.

        `seeds` returns a new random seed for each round.
        """
        self._seeds = seeds
        self.night: Night | None = None
        self.keys: tuple[bytes, ...] = ()
        self._is_drawing = False  # the tables of a round are being opened
        self._settings = Settings()
        with suppress(msgspec.DecodeError):  # empty, or damaged: begin without a night
            read = msgspec.msgpack.decode(row, type=NightRow)
            if len(read.keys) == len(read.night.people):
                self.night, self._settings, self.keys = read.night, read.settings, read.keys

    @property
    def row(self) -> bytes:
        """The night as a row of the club's file, empty if there is none."""
        if self.night is None:
            return b""
        return msgspec.msgpack.encode(NightRow(self.night, self._settings, self.keys))

    def begin(self, asked: BeginNight) -> Refusal | None:
        """Begin a night in place of the last one, or return why that is impossible."""
        title = clean_name(asked.title)
        if not title:
            return Refusal.NO_NAME
        if self._is_drawing or (self.night is not None and not self.night.waits):
            return Refusal.NOT_NOW
        settings = read_settings(asked.settings)
        if isinstance(settings, Refusal):
            return settings
        self._settings = replace(settings, is_open=False, absent=Absence.BOT)
        self.night = Night(asked.rounds, title, settings.edition, settings.rounds)
        self.keys = ()
        return None

    def tables_of_last_round(self) -> tuple[str, ...]:
        """Return the ids of the tables of the last round, empty before the first."""
        rounds = () if self.night is None else self.night.rounds
        return tuple(table.id for table in rounds[-1].tables) if rounds else ()

    def list_next_tables(self) -> dict[bytes, NextTable]:
        """Return, by seat key, where each person of the last round sits, and with whom."""
        next_tables: dict[bytes, NextTable] = {}
        night = self.night
        if night is not None and night.rounds:
            for at, table in enumerate(night.rounds[-1].tables, 1):
                name, names = clean_name(f"{night.title} {at}"), night.names_at(table)
                for seat, person in enumerate(table.people):
                    others = names[:seat] + names[seat + 1 :]
                    next_tables[self.keys[person]] = NextTable(len(night.rounds), name, others)
        return next_tables

    def cancel_draw(self) -> None:
        """Cancel the draw under way: its tables cannot be opened."""
        self._is_drawing = False

    def draw(self, here: Mapping[bytes, str]) -> RoundOrder | Refusal:
        """Begin to draw the next round; return the order to open it, or why that is impossible.

        `here` are the names of the people who are there to play, by seat key.
        """
        night = self.night
        if night is None or self._is_drawing or not night.waits or night.is_over:
            return Refusal.NOT_NOW
        people = dict(zip(self.keys, night.people, strict=True))
        for key, name in here.items():
            if key not in people and len(people) < MAX_NIGHT_PEOPLE:
                people[key] = name
        present = tuple(number for number, key in enumerate(people) if key in here)
        if not present:
            return Refusal.NOT_NOW
        self._is_drawing = True
        return RoundOrder(
            seed=self._seeds(),
            people=tuple(people.items()),
            present=present,
            played=tuple(round_.seats for round_ in night.rounds),
            title=night.title,
            settings=self._settings,
        )

    def seat(self, order: RoundOrder, tables: Sequence[NightTable]) -> None:
        """Store the tables that were opened for a round."""
        assert self.night is not None
        drawn = NightRound(order.seed, tuple(tables))
        people = tuple(name for _key, name in order.people)
        self.night = replace(self.night, people=people, rounds=(*self.night.rounds, drawn))
        self.keys = tuple(key for key, _name in order.people)
        self._is_drawing = False

    def note(self, table: str, gold: Sequence[tuple[bytes, int]]) -> bool:
        """Note that a table's game is over, and return True if that is new.

        `gold` is the seat key and gold of each seat, empty if the table was closed. Seats may have
        changed hands since the draw: a person who no longer sits there gets none.
        """
        if self.night is None or not self.night.rounds:
            return False
        last = self.night.rounds[-1]
        known = next((entry for entry in last.tables if entry.id == table), None)
        if known is None or known.is_over:
            return False
        drawn = [self.keys[person] for person in known.people]
        found = dict(gold)
        others = [amount for key, amount in gold if key not in drawn]
        shared = ([found.get(key, 0) for key in drawn] + others)[:MAX_SEATS] if gold else ()
        done = replace(known, is_over=True, gold=tuple(shared))
        tables = tuple(done if entry.id == table else entry for entry in last.tables)
        rounds = (*self.night.rounds[:-1], replace(last, tables=tables))
        self.night = replace(self.night, rounds=rounds)
        return True
