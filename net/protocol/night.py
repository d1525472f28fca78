"""A night at a club: rounds of one game at each table, and everybody's gold, as all are told of it.

People are numbers: places in the list of all who were drawn, in the order in which they came. The
club's program draws who sits where, from a seed that it shows (`net.room.table_draw`).
"""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

from msgspec import Meta

from engine.dealing import SEED_BYTES
from net.protocol.fields import MAX_SEATS, EditionText, PlayerName, Small, Wire
from net.protocol.text import is_clean_name, sanitise

MAX_NIGHT_PEOPLE: Final = 200
MAX_NIGHT_TABLES: Final = 60
MAX_NIGHT_ROUNDS: Final = 12

TableId: TypeAlias = Annotated[str, Meta(pattern=r"\A[0-9a-z]{16}\Z")]
"""A table's id (`net.discovery.advert.new_id`): files are named by it."""

Number: TypeAlias = Annotated[int, Meta(ge=0, lt=MAX_NIGHT_PEOPLE)]
"""A person of a night, by their place in its list."""

Gold: TypeAlias = Annotated[int, Meta(ge=0, le=999)]


class NightTable(Wire, frozen=True):
    """A table of a round: the people, by seat, and once it `is_over` everybody's gold.

    Gold is that of the people, then of bots and whoever else had a seat at the end; empty if
    the game was not finished.
    """

    id: TableId
    people: Annotated[tuple[Number, ...], Meta(max_length=MAX_SEATS)]
    is_over: bool = False
    gold: Annotated[tuple[Gold, ...], Meta(max_length=MAX_SEATS)] = ()


class NightRound(Wire, frozen=True):
    """A round: its tables, and the seed that they were drawn from."""

    seed: Annotated[bytes, Meta(min_length=SEED_BYTES, max_length=SEED_BYTES)]
    tables: Annotated[tuple[NightTable, ...], Meta(max_length=MAX_NIGHT_TABLES)]

    @property
    def is_over(self) -> bool:
        """True once no table plays any more."""
        return all(table.is_over for table in self.tables)

    @property
    def present(self) -> tuple[int, ...]:
        """The numbers of all who were drawn, in order."""
        return tuple(sorted(person for table in self.tables for person in table.people))

    @property
    def seats(self) -> tuple[tuple[int, ...], ...]:
        """The people of each table, by seat."""
        return tuple(table.people for table in self.tables)


class Night(Wire, frozen=True):
    """A night of so many rounds, of which some are drawn, at tables called `title` and a number.

    Each of its games is of this `edition`, and has so many rounds of its own, its `length`.
    """

    planned: Annotated[int, Meta(ge=1, le=MAX_NIGHT_ROUNDS)]
    title: PlayerName
    edition: EditionText
    length: Small
    people: Annotated[tuple[PlayerName, ...], Meta(max_length=MAX_NIGHT_PEOPLE)] = ()
    rounds: Annotated[tuple[NightRound, ...], Meta(max_length=MAX_NIGHT_ROUNDS)] = ()

    @property
    def is_over(self) -> bool:
        """True once all rounds are played."""
        return len(self.rounds) >= self.planned and self.waits

    @property
    def waits(self) -> bool:
        """True if no table plays: the next round may be drawn, if there is one."""
        return all(game_round.is_over for game_round in self.rounds)

    def place_of(self, name: str) -> tuple[int, NightTable] | None:
        """Return the number, from 1, and the table of a person in the last round, if any."""
        if name not in self.people or not self.rounds:
            return None
        number = self.people.index(name)
        tables = enumerate(self.rounds[-1].tables, 1)
        return next(((at, table) for at, table in tables if number in table.people), None)

    def names_at(self, table: NightTable) -> tuple[str, ...]:
        """Return the names of the people of a table, by seat."""
        return tuple(self.people[number] for number in table.people)

    @property
    def is_clean(self) -> bool:
        """True if all texts may be shown, and all numbers are those of people, once in a round.

        A game that was finished has the gold of all of them.
        """
        is_shown = all(map(is_clean_name, (self.title, *self.people)))
        return (
            is_shown
            and sanitise(self.edition, "?") == self.edition
            and all(
                all(game_round.seats)
                and len(set(game_round.present)) == len(game_round.present)
                and all(number < len(self.people) for number in game_round.present)
                and all(
                    not table.gold or len(table.gold) >= len(table.people)
                    for table in game_round.tables
                )
                for game_round in self.rounds
            )
        )
