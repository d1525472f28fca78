"""The board of a hall, a room without chairs: a club's tables, organisers and night, as values."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta
from msgspec.structs import replace

from net.protocol.fields import EditionText, PlayerName, Small, Wire
from net.protocol.night import Night, TableId
from net.protocol.text import is_clean_name, sanitise

MAX_CLUB_TABLES: Final = 200
MAX_HALL_PEOPLE: Final = 500  # most people whom a hall knows; so many may be there at once
MAX_AT_TABLE: Final = 40  # most people who are told of at one table


class HallTable(Wire, frozen=True):
    """A table of a club, as a stranger may know it, with the names of the `people` there.

    `stage` is a word as in an advert.
    """

    id: TableId
    name: PlayerName
    stage: Annotated[str, Meta(max_length=16)]
    edition: EditionText
    players: Small
    seats: Small
    people: Annotated[tuple[PlayerName, ...], Meta(max_length=MAX_AT_TABLE)] = ()

    @property
    def is_clean(self) -> bool:
        """True if its texts may be shown on a terminal."""
        words = self.stage, self.edition
        return all(map(is_clean_name, (self.name, *self.people))) and all(
            sanitise(word, "?") == word for word in words
        )


class HallBoard(Wire, frozen=True):
    """The hall of a `club`, by its id: all that it has in place of chairs.

    `organisers` are members, and `night` is the last one, `None` if there was none.
    """

    club: Annotated[str, Meta(pattern=r"\A([0-9a-z]{16})?\Z")] = ""
    tables: Annotated[tuple[HallTable, ...], Meta(max_length=MAX_CLUB_TABLES)] = ()
    organisers: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=2**31 - 1)], ...], Meta(max_length=MAX_HALL_PEOPLE)
    ] = ()
    night: Night | None = None

    @property
    def is_clean(self) -> bool:
        """True if all of it may be shown, and each table is there once."""
        ids = {table.id for table in self.tables}
        return (
            len(ids) == len(self.tables) <= MAX_CLUB_TABLES
            and all(table.is_clean for table in self.tables)
            and (self.night is None or self.night.is_clean)
        )

    def table(self, id_: str) -> HallTable | None:
        """Return the table of an id, `None` if there is none."""
        return next((table for table in self.tables if table.id == id_), None)

    def with_table(self, table: HallTable) -> HallBoard:
        """Return the board with a table, new or changed, which keeps its place."""
        if self.table(table.id) is None:
            return replace(self, tables=(*self.tables, table))
        tables = tuple(table if old.id == table.id else old for old in self.tables)
        return replace(self, tables=tables)

    def without_table(self, id_: str) -> HallBoard:
        """Return the board without a table."""
        return replace(self, tables=tuple(table for table in self.tables if table.id != id_))

    @property
    def names_at_tables(self) -> frozenset[str]:
        """The names of all who are at a table."""
        return frozenset(name for table in self.tables for name in table.people)


EMPTY_BOARD: Final = HallBoard()
