"""Lobby, chairs, people, settings, claims.

Who is at a table and on which terms: chairs, people, settings. All of it is public.

Plain values that travel as they are.

What can be said with two keys and is shown in each player's own language (UX, T6).

Codes, true or false: nobody checks what is claimed, only that there is such a seat, goal or tool.

What is said at a table: lines of text cleaned and bounded, and the last of them kept.

Text from others is cleaned here once, by the host, and is harmless on any terminal; it is never
markup.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Final, TypeAlias, assert_never

from msgspec import Meta

from engine.board import GOAL_CELLS
from engine.cards import Tool
from net.protocol.fields import MAX_SEATS, NOBODY, EditionText, SeatOrNobody, Wire
from net.protocol.text import clean

MIN_SEATS: Final = 3
MAX_PEOPLE: Final = 40
"""How many people a table takes, players and watchers."""

THE_TABLE: Final = 0
"""The member that is nobody: what it does, the table did by itself."""

Member: TypeAlias = Annotated[int, Meta(ge=1, le=2**31 - 1)]
"""A person at a table, by the order of coming. Never used twice."""

Name: TypeAlias = Annotated[str, Meta(max_length=56)]
"""As `net.protocol.text.clean_name` leaves it."""

Level: TypeAlias = Annotated[str, Meta(max_length=16)]
"""A name in `engine.bots.BOTS`."""


class Presence(IntEnum):
    """Whether a person's link is heard of."""

    THERE = 0
    SHAKY = 1
    GONE = 2


class Absence(IntEnum):
    """What the table does when it is the turn of somebody who is gone."""

    WAIT = 0
    BOT = 1


class Stage(IntEnum):
    """How far a table is. Whether its game is over, the view tells."""

    LOBBY = 0
    PLAYING = 1
    CLOSED = 2


class Free(Wire, frozen=True, tag=1):
    """A chair for anybody. In a game the bot that stands in plays it."""


class Taken(Wire, frozen=True, tag=2):
    """A person's chair."""

    member: Member
    ready: bool


class BotChair(Wire, frozen=True, tag=3):
    """A bot's chair."""

    name: Name
    level: Level


Chair: TypeAlias = Free | Taken | BotChair


class Person(Wire, frozen=True):
    """Somebody who is at the table, with or without a chair."""

    member: Member
    name: Name
    presence: Presence


class Settings(Wire, frozen=True):
    """What a table has agreed upon.

    `edition` is `engine.edition.Edition.text`. `youngest` is the seat to begin (S8), -1 where
    none is named. `is_open` tells that no code is asked. `turn_seconds` is how long somebody who
    is there may think before the bot `stand_in` plays one move for them, 0 for ever; the same bot
    plays for the absent where `absent` says so. Without `hints` no face gives advice on moves: an
    agreement among friends, as nobody can see what runs on another's computer.
    """

    edition: EditionText = "international"
    rounds: Annotated[int, Meta(ge=1, le=3)] = 3
    seats: Annotated[int, Meta(ge=MIN_SEATS, le=MAX_SEATS)] = 5
    youngest: SeatOrNobody = NOBODY
    is_open: bool = False
    absent: Absence = Absence.BOT
    turn_seconds: Annotated[int, Meta(ge=0, le=3600)] = 0
    stand_in: Level = "fair"
    hints: bool = True


class Lobby(Wire, frozen=True):
    """A table and all who are at it. `host` is the member whose table it is, 0 before they come.

    While it is `locked` nobody new comes in.
    """

    name: Name
    settings: Settings
    chairs: Annotated[tuple[Chair, ...], Meta(min_length=MIN_SEATS, max_length=MAX_SEATS)]
    people: Annotated[tuple[Person, ...], Meta(max_length=MAX_PEOPLE)] = ()
    host: Annotated[int, Meta(ge=THE_TABLE, le=2**31 - 1)] = THE_TABLE
    stage: Stage = Stage.LOBBY
    paused: bool = False
    locked: bool = False

    @staticmethod
    def empty(name: str, settings: Settings) -> Lobby:
        """A table at which nobody is."""
        return Lobby(name, settings, (Free(),) * settings.seats)

    def seat_of(self, member: int) -> int | None:
        """Where a member sits, `None` for a watcher."""
        for seat, chair in enumerate(self.chairs):
            if isinstance(chair, Taken) and chair.member == member:
                return seat
        return None

    def person(self, member: int) -> Person | None:
        """A member, if they are at the table."""
        return next((person for person in self.people if person.member == member), None)

    def sitting(self) -> tuple[tuple[Taken, Person], ...]:
        """All people who have a chair, with it, by seat."""
        people = {person.member: person for person in self.people}
        return tuple(
            (chair, people[chair.member]) for chair in self.chairs if isinstance(chair, Taken)
        )

    def name_at(self, seat: int) -> str:
        """Who sits there by name, empty for a free chair."""
        chair = self.chairs[seat]
        match chair:
            case Free():
                return ""
            case BotChair(name):
                return name
            case Taken(member):
                return next(person.name for person in self.people if person.member == member)
            case _:
                assert_never(chair)

    def has_name(self, name: str, but: int | None = None) -> bool:
        """Whether a person, or a bot on any chair but one, has this name in capitals or not."""
        names = [person.name for person in self.people]
        names += [
            chair.name
            for seat, chair in enumerate(self.chairs)
            if isinstance(chair, BotChair) and seat != but
        ]
        return name.casefold() in {other.casefold() for other in names}

    @property
    def is_sound(self) -> bool:
        """Whether everybody on a chair is at the table, once, and there are the chairs agreed."""
        sitting = [chair.member for chair in self.chairs if isinstance(chair, Taken)]
        here = {person.member for person in self.people}
        return (
            len(self.chairs) == self.settings.seats
            and len(set(sitting)) == len(sitting)
            and len(here) == len(self.people)
            and here.issuperset(sitting)
        )

    def first_free(self) -> int | None:
        """The first free chair."""
        return next(
            (seat for seat, chair in enumerate(self.chairs) if isinstance(chair, Free)), None
        )


class Topic(IntEnum):
    """What a claim says, and what its `about` counts: goals, tools or seats from 0, or nothing."""

    GOLD_AT = 0  # a goal from north to south
    STONE_AT = 1
    DIGS_FOR_US = 2  # a seat
    DIGS_AGAINST_US = 3
    HELP_ME = 4  # a tool in the order of engine.cards.Tool
    BLUFF = 5  # a seat whose word is doubted
    WHO_ME = 6  # nothing


class TableClaim(Wire, frozen=True):
    """A topic, and the goal, seat or tool it is about, 0 where there is none."""

    topic: Topic
    about: Annotated[int, Meta(ge=0, le=MAX_SEATS - 1)] = 0

    def fits(self, seats: int) -> bool:
        """Whether there is what it is about, at a table of so many seats."""
        match self.topic:
            case Topic.GOLD_AT | Topic.STONE_AT:
                return self.about < len(GOAL_CELLS)
            case Topic.DIGS_FOR_US | Topic.DIGS_AGAINST_US | Topic.BLUFF:
                return self.about < seats
            case Topic.HELP_ME:
                return self.about < len(Tool)
            case Topic.WHO_ME:
                return self.about == 0
            case _:
                assert_never(self.topic)


MAX_CHAT_CELLS: Final = 160
"""The most terminal cells of a line of talk: two lines of a small terminal."""

MAX_CHAT_BYTES: Final = 160
"""The most UTF-8 bytes, so that a client's frame stays in the smallest bucket."""

MAX_CHAT_LINES: Final = 50
"""How many of the last lines a snapshot holds."""

ChatText: TypeAlias = Annotated[str, Meta(max_length=MAX_CHAT_BYTES)]


def clean_text(text: str) -> str:
    """Make a line of talk of any text; what is left may be empty."""
    return clean(text, MAX_CHAT_CELLS, MAX_CHAT_BYTES)
