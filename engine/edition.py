"""The five rows in which the printed rulebooks differ, as one value (RULES E).

The rules read these rows and never an edition's name, so that a table may mix them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from engine.mistakes import NotationError, look_up
from engine.readonly import ReadOnly


class Direction(StrEnum):
    """The direction of turns (E-direction). Gold passes counter-clockwise in all editions (D1)."""

    CLOCKWISE = "clockwise"
    COUNTER_CLOCKWISE = "counter-clockwise"


class ConnectRule(StrEnum):
    """The kind of card that a laid card must touch (E-link, P3)."""

    LINKED = "linked"
    """A through card that is joined to the start and opens onto the laid card."""
    ADJACENT = "adjacent"
    """Any face-up path card."""


class DeadTable(StrEnum):
    """The rule for a round in which no card can be played any more (E-dead-table, R3)."""

    PLAYED_OUT = "played-out"
    """The seats keep discarding until all hands are empty."""
    ENDS_ROUND = "ends-round"
    """The round ends at once, if the draw pile is empty."""


class ShareRule(StrEnum):
    """The number of gold cards that the miners share (E-share, D1 and D2)."""

    EACH_MINER_ONE = "each-miner-one"
    """As many as there are miners."""
    ALL_PLAYERS = "all-players"
    """As many as there are players, but at most nine."""


class StarterRule(StrEnum):
    """The seat whose left-hand neighbour begins the next round (E-next, N2)."""

    PATH = "path"
    """The seat that last laid a path card."""
    CARD = "card"
    """The seat that last played or discarded any card."""


EditionRow = Direction | ConnectRule | DeadTable | ShareRule | StarterRule

BOOKS: Final = ("international", "argentina", "italia", "france")
_KINDS: Final = (Direction, ConnectRule, DeadTable, ShareRule, StarterRule)


@dataclass(frozen=True, slots=True, repr=False)
class Edition:
    """The five rows of an edition, and the name of the book they were taken from.

    A house rule, such as `ITALIA.replace(ConnectRule.LINKED)`, keeps the book's name; `changed` and
    `text` name the rows that differ from the book's.
    """

    book: str
    direction: Direction
    link: ConnectRule
    dead_table: DeadTable
    share: ShareRule
    next: StarterRule
    step: int = field(init=False, repr=False, compare=False)
    """The number to add to a seat, modulo the players, to find the next one (E-direction)."""

    def __post_init__(self) -> None:
        """Raise `ValueError` for an unknown book, and `TypeError` for rows of other kinds."""
        if self.book not in BOOKS:
            raise ValueError(f"no book of rules is called {self.book!r}")
        if tuple(map(type, self.rows)) != _KINDS:
            raise TypeError(f"these are not the five rows of an edition in order: {self.rows}")
        clockwise = self.direction is Direction.CLOCKWISE
        object.__setattr__(self, "step", 1 if clockwise else -1)  # It is frozen.

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Edition {self.text}>"

    @property
    def rows(self) -> tuple[EditionRow, ...]:
        """The five rows in the order of RULES E."""
        return self.direction, self.link, self.dead_table, self.share, self.next

    @property
    def changed(self) -> tuple[EditionRow, ...]:
        """The rows that differ from the book's."""
        standard = EDITIONS[self.book].rows
        return tuple([row for row in self.rows if row not in standard])

    @property
    def text(self) -> str:
        """The book's name and the changed rows: `italia`, or `italia+linked+path`."""
        if EDITIONS[self.book] is self:  # as it mostly is, and a host asks for each move
            return self.book
        return "+".join((self.book, *self.changed))

    @staticmethod
    def read(text: str) -> Edition:
        """Return the edition spelt `text`: a book, then any of its rows or others, in any order.

        Raises `NotationError` for an unknown book or row, and for two rows of one kind, and
        `TypeError` unless `text` is a `str`.
        """
        if not isinstance(text, str):
            raise TypeError(f"{text!r} is no text")
        book, *words = text.split("+")
        rows = [look_up(_ROWS, word, "no house rule has this name") for word in words]
        if len({type(row) for row in rows}) < len(rows):
            raise NotationError("two house rules of one kind", text, 1)
        return look_up(EDITIONS, book, "no edition has this name").replace(*rows)

    def replace(self, *rows: EditionRow) -> Edition:
        """Return this edition with some rows changed. Raises `TypeError` for any other value."""
        edition = self
        for row in rows:
            match row:
                case Direction():
                    edition = replace(edition, direction=row)
                case ConnectRule():
                    edition = replace(edition, link=row)
                case DeadTable():
                    edition = replace(edition, dead_table=row)
                case ShareRule():
                    edition = replace(edition, share=row)
                case StarterRule():
                    edition = replace(edition, next=row)
                case _:
                    raise TypeError(f"{row!r} is no row, as `DeadTable.ENDS_ROUND` is")
        return edition


def check_edition(edition: Edition) -> None:
    """Raise `TypeError` unless this is an `Edition`; its name, for example, is not one."""
    if not isinstance(edition, Edition):
        raise TypeError(f"{edition!r} is no edition; use `Edition.read` to read one from text")


_ROWS: Final[Mapping[str, EditionRow]] = {row.value: row for kind in _KINDS for row in kind}

INTERNATIONAL: Final = Edition(
    "international",
    Direction.CLOCKWISE,
    ConnectRule.LINKED,
    DeadTable.PLAYED_OUT,
    ShareRule.EACH_MINER_ONE,
    StarterRule.PATH,
)
ARGENTINA: Final = replace(INTERNATIONAL, book="argentina", dead_table=DeadTable.ENDS_ROUND)
FRANCE: Final = replace(
    INTERNATIONAL,
    book="france",
    link=ConnectRule.ADJACENT,
    share=ShareRule.ALL_PLAYERS,
    next=StarterRule.CARD,
)
ITALIA: Final = replace(FRANCE, book="italia", direction=Direction.COUNTER_CLOCKWISE)

EDITIONS: Final[Mapping[str, Edition]] = ReadOnly(
    {edition.book: edition for edition in (INTERNATIONAL, ARGENTINA, ITALIA, FRANCE)}
)
