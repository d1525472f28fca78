"""The board of a hall, a room without chairs: a club's tables, organisers and nights, as values.

People are numbers: positions in the list of everybody who was drawn, in order of arrival. The
club's program draws who sits where, from a seed that it shows.
"""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

from msgspec import Meta

from engine.dealing import SEED_BYTES
from net.protocol.fields import MAX_SEATS, EditionText, PlayerName, Small
from net.protocol.framing import Wire

# With all of these at once, the snapshot of a hall still fits a frame.
MAX_NIGHT_PEOPLE: Final = 200
MAX_NIGHT_TABLES: Final = 60
MAX_NIGHT_ROUNDS: Final = 12

TableId: TypeAlias = Annotated[str, Meta(pattern=r"\A[0-9a-z]{16}\Z")]
"""A table's id (`net.discovery.advert.new_id`), which names its files."""

Number: TypeAlias = Annotated[int, Meta(ge=0, lt=MAX_NIGHT_PEOPLE)]
"""A person of a night, by their place in its list."""

Gold: TypeAlias = Annotated[int, Meta(ge=0, le=999)]


class NightTable(Wire, frozen=True):
    """A table of a round: the people, by seat, and once it `is_over` everybody's gold.

    Gold is listed for the people, then for bots and others who had a seat at the end; empty if
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
        return all(table.is_over for table in self.tables)

    @property
    def present(self) -> tuple[int, ...]:
        return tuple(sorted(person for table in self.tables for person in table.people))

    @property
    def seats(self) -> tuple[tuple[int, ...], ...]:
        return tuple(table.people for table in self.tables)


class Night(Wire, frozen=True):
    """A night of this many rounds, of which some are drawn, at tables called `title` and a number.

    Each of its games is played by this `edition`, and has `length` rounds of its own.
    """

    planned: Annotated[int, Meta(ge=1, le=MAX_NIGHT_ROUNDS)]
    title: PlayerName
    edition: EditionText
    length: Small
    people: Annotated[tuple[PlayerName, ...], Meta(max_length=MAX_NIGHT_PEOPLE)] = ()
    rounds: Annotated[tuple[NightRound, ...], Meta(max_length=MAX_NIGHT_ROUNDS)] = ()

    @property
    def is_over(self) -> bool:
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
        return tuple(self.people[number] for number in table.people)

    @property
    def is_sound(self) -> bool:
        """True if nobody is in a round twice, or unknown, and finished games have all gold."""
        return all(
            all(game_round.seats)
            and len(set(game_round.present)) == len(game_round.present)
            and all(number < len(self.people) for number in game_round.present)
            and all(
                not table.gold or len(table.gold) >= len(table.people)
                for table in game_round.tables
            )
            for game_round in self.rounds
        )


MAX_CLUB_TABLES: Final = 500
MAX_HALL_PEOPLE: Final = 500
"""Maximum number of people whom a hall knows, and who may be there at once."""
MAX_AT_TABLE: Final = 40  # maximum number of people who are listed at one table


class HallTable(Wire, frozen=True):
    """A table of a club, as a stranger may know it; `stage` is a word as in an advert."""

    id: TableId
    name: PlayerName
    stage: Annotated[str, Meta(max_length=16, extra={"is_clean": str.isprintable})]
    edition: EditionText
    players: Small
    seats: Small
    people: Annotated[tuple[PlayerName, ...], Meta(max_length=MAX_AT_TABLE)] = ()


class HallBoard(Wire, frozen=True):
    """The board of a club's hall. `organisers` are members, `night` is the last one, if any."""

    club: Annotated[str, Meta(pattern=r"\A([0-9a-z]{16})?\Z")] = ""  # the club's id
    tables: Annotated[tuple[HallTable, ...], Meta(max_length=MAX_CLUB_TABLES)] = ()
    organisers: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=2**31 - 1)], ...], Meta(max_length=MAX_HALL_PEOPLE)
    ] = ()
    night: Night | None = None

    @property
    def is_sound(self) -> bool:
        """True if each table is there once, and the night is a possible one."""
        ids = {table.id for table in self.tables}
        return len(ids) == len(self.tables) <= MAX_CLUB_TABLES and (
            self.night is None or self.night.is_sound
        )

    @property
    def names_at_tables(self) -> frozenset[str]:
        return frozenset(name for table in self.tables for name in table.people)


EMPTY_BOARD: Final = HallBoard()
