"""`NightRunner`: a night in a club's hall, from its beginning to the last table's gold.

A draw takes three steps, each of some seconds at most: those at tables whose game is over are
called to the hall; all programs in the hall commit to a share; they show it. Everybody who is in
the hall before they show it is drawn, even without a share, but not those who are gone and whose
dead link alone is there: who has not been heard of for `ANSWER_S`. If the tables cannot be opened,
the next draw is the same one, or an organiser could draw until they like the outcome. Like the hall
it has no socket, clock or file.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum, auto
from hashlib import sha256
from typing import Final

import msgspec
from msgspec.structs import replace

from engine.shares import DRAW_ID_BYTES, commitment
from net.protocol.fields import MAX_SEATS
from net.protocol.hall import BeginNight, CommitTables, ShowTables, TableDraw
from net.protocol.lobby import Absence, Settings
from net.protocol.messages import Refusal
from net.protocol.night import (
    MAX_NIGHT_PEOPLE,
    Night,
    NightRound,
    NightRow,
    NightTable,
    TableCommitment,
    TableShare,
    basis_of,
    seed_of,
)
from net.protocol.text import clean_name
from net.room.permissions import read_settings
from net.room.table_draw import Tables, table_sizes

GATHER_S: Final = 6.0  # seconds for people to come to the hall from tables whose game is over
ANSWER_S: Final = 5.0  # seconds for programs to commit to a share, and again to show it


@dataclass(frozen=True, slots=True)
class RoundOrder:
    """An order to draw a round, from a seed, and to open a table for each group of people.

    `people` are all of the night, by number, each with seat key and name; `present` are the numbers
    of those who are drawn, and `played` the rounds before.
    """

    draw: bytes
    shares: tuple[TableShare, ...]
    silent: tuple[str, ...]
    people: tuple[tuple[bytes, str], ...]
    present: tuple[int, ...]
    played: tuple[Tables, ...]
    title: str
    settings: Settings

    @property
    def seed(self) -> bytes:
        """The seed of the draw."""
        return seed_of(self.draw, self.shares)

    @property
    def tables(self) -> int:
        """The number of tables that it takes."""
        return len(table_sizes(len(self.present)))


class _Stage(Enum):
    GATHER = auto()
    COMMIT = auto()
    SHOW = auto()
    SEAT = auto()


@dataclass(slots=True)
class _Drawing:
    """A draw under way: who was called or asked, by key, and who answered.

    Once shares are to be shown, `people` and `present` are as in the order, and never change.
    """

    id: bytes
    until: float
    called: frozenset[bytes]
    stage: _Stage = _Stage.GATHER
    asked: dict[bytes, str] = field(default_factory=dict)
    told: TableDraw | None = None
    people: tuple[tuple[bytes, str], ...] = ()
    present: tuple[int, ...] = ()
    commitments: dict[bytes, bytes] = field(default_factory=dict)
    shares: dict[bytes, bytes] = field(default_factory=dict)


class NightRunner:
    """The night of a club, as it goes on. Times are in seconds of the hall's clock."""

    def __init__(self, row: bytes = b"") -> None:
        """Go on with the night that was kept, if any; one that cannot be read is no more."""
        self.night: Night | None = None
        self.keys: tuple[bytes, ...] = ()
        self._drawing: _Drawing | None = None
        self._unopened: _Drawing | None = None  # one whose tables could not be opened
        self._drawn = 0
        with suppress(msgspec.DecodeError):
            read = msgspec.msgpack.decode(row, type=NightRow)
            if len(read.keys) == len(read.night.people):
                self.night, self.keys = read.night, read.keys

    @property
    def row(self) -> bytes:
        """The night as a row of the club's file, empty if there is none."""
        return msgspec.msgpack.encode(NightRow(self.night, self.keys)) if self.night else b""

    def begin(self, asked: BeginNight) -> Refusal | None:
        """Begin a night in place of the one before, or return why that cannot be."""
        title = clean_name(asked.title)
        if not title:
            return Refusal.NO_NAME
        if self._drawing is not None or (self.night is not None and not self.night.waits):
            return Refusal.NOT_NOW
        settings = read_settings(asked.settings)
        if isinstance(settings, Refusal):
            return settings
        settings = replace(settings, is_open=False, absent=Absence.BOT)
        self.night, self.keys = Night(asked.rounds, title, settings), ()
        self._unopened = None
        return None

    def why_not_draw(self) -> Refusal | None:
        """Return why the next round cannot be drawn now, `None` if it can."""
        night = self.night
        if night is None or self._drawing is not None or not night.waits or night.is_over:
            return Refusal.NOT_NOW
        return None

    def tables_of_last_round(self) -> tuple[str, ...]:
        """Return the ids of the tables of the last round, empty before the first."""
        rounds = () if self.night is None else self.night.rounds
        return tuple(table.id for table in rounds[-1].tables) if rounds else ()

    def draw(self, now: float, called: Collection[bytes]) -> None:
        """Begin to draw the next round; those `called` to the hall are waited for.

        If the tables of a draw could not be opened, its order is due again at once.
        """
        if self._unopened is not None:
            self._drawing, self._unopened = self._unopened, None
            self._drawing.stage, self._drawing.until = _Stage.SHOW, now
            return
        self._drawn += 1
        mark = sha256(self.row + b"%d" % self._drawn).digest()[:DRAW_ID_BYTES]
        self._drawing = _Drawing(mark, now + GATHER_S, frozenset(called))

    def give_up(self) -> None:
        """Give up the draw under way: its tables cannot be opened now; nobody need be drawn."""
        drawing, self._drawing = self._drawing, None
        self._unopened = drawing if drawing is not None and drawing.present else None

    def join(self, key: bytes, name: str, *, plays: bool = True) -> TableDraw | None:
        """Return what those in the hall were told last of the draw under way, if anything.

        Or of the one whose tables could not be opened. Who comes in before shares are shown is
        asked for one, too, unless they watch; after that they may have been drawn before.
        """
        drawing = self._drawing or self._unopened
        if drawing is None:
            return None
        is_begun = drawing.stage is _Stage.COMMIT
        if is_begun and plays and len(drawing.asked) < MAX_NIGHT_PEOPLE:
            drawing.asked[key] = name
        return None if is_begun and not plays else drawing.told

    def answer(self, key: bytes, message: CommitTables | ShowTables) -> None:
        """Take a program's answer; one that is not awaited counts for nothing."""
        drawing = self._drawing
        if drawing is None or message.draw != drawing.id or key not in drawing.asked:
            return
        match message:
            case CommitTables(_, committed) if drawing.stage is _Stage.COMMIT:
                drawing.commitments.setdefault(key, committed)
            case ShowTables(draw, share) if drawing.stage is _Stage.SHOW:
                expected = drawing.commitments.get(key)
                if commitment(draw, drawing.asked[key], share) == expected:
                    drawing.shares[key] = share
            case _:
                pass

    def go_on(self, now: float, here: Mapping[bytes, str]) -> TableDraw | RoundOrder | None:
        """Return the next step of the draw under way, if it is due.

        `here` are the names of those in the hall who play, by key.
        """
        drawing = self._drawing
        if drawing is None:
            return None
        is_late = now >= drawing.until
        match drawing.stage:
            case _Stage.GATHER if is_late or drawing.called <= here.keys():
                drawing.stage, drawing.until = _Stage.COMMIT, now + ANSWER_S
                drawing.asked = dict(tuple(here.items())[:MAX_NIGHT_PEOPLE])
                drawing.told = TableDraw(drawing.id)
                return drawing.told
            case _Stage.COMMIT if is_late or drawing.commitments.keys() == drawing.asked.keys():
                drawing.stage, drawing.until = _Stage.SHOW, now + ANSWER_S
                self._fix(drawing, here)
                return drawing.told
            case _Stage.SHOW if is_late or drawing.shares.keys() == drawing.commitments.keys():
                drawing.stage = _Stage.SEAT
                return self._order(drawing)
            case _:
                return None

    def seat(self, order: RoundOrder, tables: Sequence[NightTable]) -> None:
        """Take in the tables that were opened for a round."""
        assert self.night is not None
        drawn = NightRound(order.draw, order.shares, order.silent, tuple(tables))
        people = tuple(name for _key, name in order.people)
        before = tuple(replace(one, shares=(), silent=()) for one in self.night.rounds)
        self.night = replace(self.night, people=people, rounds=(*before, drawn))
        self.keys = tuple(key for key, _name in order.people)
        self._drawing = None

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

    def _fix(self, drawing: _Drawing, here: Mapping[bytes, str]) -> None:
        """Decide who is drawn, by which number, before anybody shows a share."""
        night = self.night
        assert night is not None
        people = dict(zip(self.keys, night.people, strict=True))
        for key, name in here.items():
            if key not in people and len(people) < MAX_NIGHT_PEOPLE:
                people[key] = name
        numbers = {key: number for number, key in enumerate(people)}
        drawing.people = tuple(people.items())
        drawing.present = tuple(sorted(numbers[key] for key in here if key in numbers))
        played = tuple(one.seats for one in night.rounds)
        basis = basis_of(tuple(people.values()), drawing.present, played)
        drawing.told = TableDraw(drawing.id, _list_commitments(drawing), basis)

    def _order(self, drawing: _Drawing) -> RoundOrder:
        night = self.night
        assert night is not None
        return RoundOrder(
            draw=drawing.id,
            shares=tuple(
                TableShare(drawing.asked[key], share) for key, share in drawing.shares.items()
            ),
            silent=tuple(
                name
                for number, (key, name) in enumerate(drawing.people)
                if number in drawing.present and key in drawing.asked.keys() - drawing.shares.keys()
            ),
            people=drawing.people,
            present=drawing.present,
            played=tuple(one.seats for one in night.rounds),
            title=night.title,
            settings=night.settings,
        )


def _list_commitments(drawing: _Drawing) -> tuple[TableCommitment, ...]:
    asked = drawing.asked
    return tuple(TableCommitment(asked[key], one) for key, one in drawing.commitments.items())
