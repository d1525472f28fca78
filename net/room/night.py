"""A night in a club's hall: who plays with whom, from its beginning to the last table's gold.

People are numbers, and the result is a function of what was played, who is there and a seed. Costs
are ranked. The worst is that two meet for a third time, then that somebody sits at a small table
again, then that two meet for a second time. Seats at a table are drawn.

The search begins with the best of a few arrangements at random, and swaps people.

A round is drawn for everybody in the hall and at the tables of the round before, but not for those
who are gone and whose dead link alone is there: who has not been heard of for `HEARD_S`. Like the
hall it has no socket, clock or file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations
from random import Random
from typing import Final, TypeAlias, TypeVar

import msgspec
from msgspec.structs import replace

from net.protocol.board import MAX_NIGHT_PEOPLE, Night, NightRound, NightTable
from net.protocol.fields import MAX_SEATS, Wire
from net.protocol.hall import BeginNight, NextTable
from net.protocol.lobby import Absence, Settings
from net.protocol.messages import Refusal
from net.protocol.text import clean_name
from net.room.draws import Seeds
from net.room.requests import read_settings

Tables: TypeAlias = tuple[tuple[int, ...], ...]
"""The tables of a round: at each the people, by seat."""

T = TypeVar("T")

USUAL: Final = 5  # people at a table, if the numbers allow it
SMALLEST_GOOD: Final = 4

THRICE, SMALL_AGAIN, TWICE = 10_000, 500, 20
"""Costs: of each meeting after the second, each time at a small table after the first, and each
second meeting."""

SWAPS: Final = 60_000  # swaps that are tried for one round
STARTS: Final = 6  # arrangements at random, of which the best is begun with
WARMTH: Final = 2 * TWICE  # cost that a swap may add at first; then less and less


def table_sizes(people: int) -> tuple[int, ...]:
    """Return the sizes of the tables for so many people, the largest first: 4 to 6 where it can be.

    One or two people are one table, with bots.
    """
    if not people:
        return ()
    tables = max(1, min(-(-people // USUAL), people // SMALLEST_GOOD))
    each, more = divmod(people, tables)
    return (each + 1,) * more + (each,) * (tables - more)


def draw_tables(present: Sequence[int], played: Sequence[Tables], seed: bytes) -> Tables:
    """Return the tables of the next round for those who are present, by seat.

    `played` are the tables of the rounds so far, which nothing changes. Takes up to about a second:
    do not call it in an event loop that others wait for.
    """
    people = sorted(set(present))
    if not people:
        return ()
    played = [tables for tables in played if tables]
    random = Random(int.from_bytes(sha256(b"sabtui tables" + seed).digest()))
    past = _Past.read(people, played)
    sizes = table_sizes(len(people))
    starts: list[list[list[int]]] = []
    for _ in range(STARTS if played else 1):
        _shuffle(people, random)
        starts.append(_cut(people, sizes))
    best = min(starts, key=past.cost)
    tables = _improve(best, past, random) if played else best
    for table in tables:
        _shuffle(table, random)
    _shuffle(tables, random)
    return tuple(map(tuple, tables))


@dataclass(frozen=True, slots=True)
class _Past:
    """The rounds so far: how often two met, and somebody had a small table."""

    met: dict[int, dict[int, int]]
    small: Counter[int]

    @staticmethod
    def read(present: Sequence[int], played: Sequence[Tables]) -> _Past:
        past = _Past({one: {} for one in present}, Counter())
        for tables in played:
            largest = max(map(len, tables), default=0)
            for table in tables:
                past.small.update(table if len(table) < largest else ())
                for one, other in combinations(table, 2):
                    for a, b in ((one, other), (other, one)):
                        times = past.met.setdefault(a, {})
                        times[b] = times.get(b, 0) + 1
        return past

    def of(self, one: int, table: Sequence[int]) -> int:
        """Return the cost of a person's meetings at a table."""
        met = self.met[one]
        cost = 0
        for other in table:
            if other in met and other != one:
                cost += TWICE if met[other] == 1 else THRICE * (met[other] - 1)
        return cost

    def of_size(self, one: int, *, small: bool) -> int:
        """Return the cost of putting a person at a table of the smaller kind, or the larger."""
        return SMALL_AGAIN * self.small[one] if small else 0

    def cost(self, tables: Sequence[Sequence[int]]) -> int:
        """Return the cost of a round."""
        largest = max(map(len, tables))
        return sum(
            self.of(one, table) + 2 * self.of_size(one, small=len(table) < largest)
            for table in tables
            for one in table
        )


def _improve(start: list[list[int]], past: _Past, random: Random) -> list[list[int]]:
    """Return the best arrangement found by swapping people between tables."""
    tables = [list(table) for table in start]
    largest = max(map(len, tables))
    now = least = past.cost(tables)
    best = [list(table) for table in tables]
    for left in range(SWAPS, 0, -1):
        if not least or len(tables) == 1:
            break
        here, there = _below(len(tables), random), _below(len(tables) - 1, random)
        there += there >= here
        a, b = tables[here], tables[there]
        at, by = _below(len(a), random), _below(len(b), random)
        one, other = a[at], b[by]
        before = past.of(one, a) + past.of(other, b)
        a[at], b[by] = other, one
        added = past.of(other, a) + past.of(one, b) - before
        if len(a) != len(b):
            is_small = len(a) < largest
            added += past.of_size(other, small=is_small) - past.of_size(one, small=is_small)
            is_small = len(b) < largest
            added += past.of_size(one, small=is_small) - past.of_size(other, small=is_small)
        if added * SWAPS > WARMTH * left * _below(8, random) // 8:
            a[at], b[by] = one, other
            continue
        now += 2 * added
        if now < least:
            least, best = now, [list(table) for table in tables]
    return best


def _cut(row: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """Return people in a row at tables of these sizes."""
    rest = iter(row)
    return [[next(rest) for _ in range(size)] for size in sizes]


def _shuffle(items: list[T], random: Random) -> None:
    for at in range(len(items) - 1, 0, -1):
        by = _below(at + 1, random)
        items[at], items[by] = items[by], items[at]


def _below(limit: int, random: Random) -> int:
    """Return a number below a limit; 32 bits are the same in every version of Python."""
    return random.getrandbits(32) % limit


HEARD_S: Final = 5.0  # seconds of silence after which nobody is drawn


@dataclass(frozen=True, slots=True)
class RoundOrder:
    """An order to draw a round, from a seed, and to open a table for each group of people.

    `people` are all of the night, by number, each with seat key and name; `present` are the numbers
    of those who are drawn, and `played` the rounds before.
    """

    seed: bytes
    people: tuple[tuple[bytes, str], ...]
    present: tuple[int, ...]
    played: tuple[Tables, ...]
    title: str
    settings: Settings

    @property
    def tables(self) -> int:
        """The number of tables that it takes."""
        return len(table_sizes(len(self.present)))


class NightRow(Wire, frozen=True):
    """A night as a row of the club's file, with its tables' settings and its people's seat keys."""

    night: Night
    settings: Settings
    keys: tuple[bytes, ...] = ()


class NightRunner:
    """The night of a club, as it goes on."""

    def __init__(self, seeds: Seeds, row: bytes = b"") -> None:
        """Go on with the night that was kept, if any; one that cannot be read is no more."""
        self._seeds = seeds
        self.night: Night | None = None
        self.keys: tuple[bytes, ...] = ()
        self._is_drawing = False  # the tables of a round are being opened
        self._settings = Settings()
        with suppress(msgspec.DecodeError):
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
        """Begin a night in place of the one before, or return why that cannot be."""
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

    def why_not_draw(self) -> Refusal | None:
        """Return why the next round cannot be drawn now, `None` if it can."""
        night = self.night
        if night is None or self._is_drawing or not night.waits or night.is_over:
            return Refusal.NOT_NOW
        return None

    def tables_of_last_round(self) -> tuple[str, ...]:
        """Return the ids of the tables of the last round, empty before the first."""
        rounds = () if self.night is None else self.night.rounds
        return tuple(table.id for table in rounds[-1].tables) if rounds else ()

    def tell_places(self) -> dict[bytes, NextTable]:
        """Return what the people of the last round are told, by key: where they sit, with whom."""
        told: dict[bytes, NextTable] = {}
        night = self.night
        if night is not None and night.rounds:
            for at, table in enumerate(night.rounds[-1].tables, 1):
                name, names = clean_name(f"{night.title} {at}"), night.names_at(table)
                for seat, person in enumerate(table.people):
                    others = names[:seat] + names[seat + 1 :]
                    told[self.keys[person]] = NextTable(len(night.rounds), name, others)
        return told

    def give_up(self) -> None:
        """Give up the draw under way: its tables cannot be opened now."""
        self._is_drawing = False

    def draw(self, here: Mapping[bytes, str]) -> RoundOrder:
        """Begin to draw the next round, and return the order to open it.

        `here` are the names of those who are there to play, by key.
        """
        night = self.night
        assert night is not None
        self._is_drawing = True
        people = dict(zip(self.keys, night.people, strict=True))
        for key, name in here.items():
            if key not in people and len(people) < MAX_NIGHT_PEOPLE:
                people[key] = name
        return RoundOrder(
            seed=self._seeds(),
            people=tuple(people.items()),
            present=tuple(number for number, key in enumerate(people) if key in here),
            played=tuple(one.seats for one in night.rounds),
            title=night.title,
            settings=self._settings,
        )

    def seat(self, order: RoundOrder, tables: Sequence[NightTable]) -> None:
        """Take in the tables that were opened for a round."""
        assert self.night is not None
        drawn = NightRound(order.seed, tuple(tables))
        people = tuple(name for _key, name in order.people)
        self.night = replace(self.night, people=people, rounds=(*self.night.rounds, drawn))
        self.keys = tuple(key for key, _name in order.people)
        self._is_drawing = False

    def note(self, table: str, gold: Sequence[tuple[bytes, int]]) -> bool:
        """Note that a table's game is over: the gold of each seat, and the key of who sits there.

        Without gold it was closed. Seats may have changed hands since the draw: who sits there no
        more has none. Return True if that is news.
        """
        if self.night is None or not self.night.rounds:
            return False
        last = self.night.rounds[-1]
        known = next((one for one in last.tables if one.id == table), None)
        if known is None or known.is_over:
            return False
        drawn = [self.keys[one] for one in known.people]
        found = dict(gold)
        others = [amount for key, amount in gold if key not in drawn]
        shared = ([found.get(key, 0) for key in drawn] + others)[:MAX_SEATS] if gold else ()
        done = replace(known, is_over=True, gold=tuple(shared))
        tables = tuple(done if one.id == table else one for one in last.tables)
        rounds = (*self.night.rounds[:-1], replace(last, tables=tables))
        self.night = replace(self.night, rounds=rounds)
        return True
