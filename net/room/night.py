"""`NightRunner`: a night in a club's hall, from its beginning to the last table's gold.

A round is drawn for everybody in the hall and at the tables of the round before, but not for those
who are gone and whose dead link alone is there: who has not been heard of for `HEARD_S`. Like the
hall it has no socket, clock or file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import msgspec
from msgspec.structs import replace

from net.protocol.fields import MAX_SEATS, Wire
from net.protocol.hall import BeginNight
from net.protocol.lobby import Absence, Settings
from net.protocol.messages import Refusal
from net.protocol.night import (
    MAX_NIGHT_PEOPLE,
    Night,
    NightRound,
    NightTable,
)
from net.protocol.text import clean_name
from net.room.draws import Seeds
from net.room.requests import read_settings
from net.room.table_draw import Tables, table_sizes

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
