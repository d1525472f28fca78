"""Messages between a club and its clients: the way to a table, and the hall where all meet.

    client                                       club
    Visit (table)                           ->   as the first message; from then on the connection
                                                 is one to that table (`net.protocol.messages`)
    EnterHall (name)                        ->   or this one, again after CommandRefused (0, reason)
                                            <-   HallEntered, HallTalk; DoorNow for each door
                                                 that is open; in a night NightNow; HallNow
                                            <-   HallNow whenever something has changed, at most
                                                 once a second
    SayInHall (text)                        ->
                                            <-   HallTalk, to all
    OpenTable (name, settings)              ->
                                            <-   TableReady (table), or CommandRefused (0, reason)
    Ping (0)                                ->
                                            <-   Pong (0)

For a night, of which `NightNow` tells all at first and whenever it changes:

    Organise (word)                         ->
                                            <-   OrganiserNow, or CommandRefused (0, reason)
    BeginNight, DrawRound, MovePerson,      ->
    CloseTable, RenewCode, by an organiser  <-   CommandRefused (0, reason) to all others
                                            <-   NightNow, to all: who sits where

Who says `EnterTable` first has taken a club for a table, and is told by `Closing`. All that a hall
tells is public: it follows from what each table tells its watchers.
"""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias, get_args

from msgspec import Meta

from net.protocol.fields import EditionText, PlayerName, Small, Wire
from net.protocol.framing import Message
from net.protocol.lobby import (
    MAX_CHAT_LINES,
    ChatText,
    Settings,
)
from net.protocol.messages import (
    CODE_LENGTH,
    Closing,
    CommandRefused,
    DoorNow,
    EnterTable,
    Ping,
    Pong,
)
from net.protocol.night import (
    MAX_NIGHT_ROUNDS,
    Night,
    TableId,
)

MAX_CLUB_TABLES: Final = 200
MAX_HALL_PEOPLE: Final = 500  # most people that a hall tells of, those at tables included
IN_THE_HALL: Final = -1  # in place of a table


class HallTable(Wire, frozen=True):
    """A table of a club, as a stranger may know it. `stage` is a word as in an advert."""

    id: TableId
    name: PlayerName
    stage: Annotated[str, Meta(max_length=16)]
    edition: EditionText
    players: Small
    seats: Small


class HallPerson(Wire, frozen=True):
    """A person who is there: in the hall, or at the table of this place in the list of tables."""

    name: PlayerName
    table: Annotated[int, Meta(ge=IN_THE_HALL, lt=MAX_CLUB_TABLES)] = IN_THE_HALL
    sits: bool = False


class HallLine(Wire, frozen=True):
    """A line that somebody has said in the hall, maybe as an `organiser`."""

    name: PlayerName
    text: ChatText
    organiser: bool = False


class Visit(Message, frozen=True, tag="visit"):
    """First message on a connection to a club: it is for this table."""

    table: TableId


class EnterHall(Message, frozen=True, tag="enter-hall"):
    """First message on a connection to a club: it is for the hall.

    `name` counts for a key that the club does not know yet: others keep theirs. Who comes to
    `watch` is not drawn to a table.
    """

    name: PlayerName
    watch: bool = False


class SayInHall(Message, frozen=True, tag="hall-say"):
    """A line for all in the hall."""

    text: ChatText


class OpenTable(Message, frozen=True, tag="open-table"):
    """Request for a new table, whose host is the sender."""

    name: PlayerName
    settings: Settings


class Organise(Message, frozen=True, tag="organise"):
    """Request to be an organiser from now on, by the word that the club's program has shown."""

    word: Annotated[str, Meta(max_length=2 * CODE_LENGTH)]


class BeginNight(Message, frozen=True, tag="begin-night"):
    """An organiser's request for a night of so many rounds, in place of the one before.

    Its tables are called `title` and a number.
    """

    rounds: Annotated[int, Meta(ge=1, le=MAX_NIGHT_ROUNDS)]
    title: PlayerName
    settings: Settings


class DrawRound(Message, frozen=True, tag="draw-round"):
    """An organiser's request to draw the tables of the next round, for all in the hall."""


class MovePerson(Message, frozen=True, tag="move-person"):
    """An organiser's request that somebody go to a table."""

    name: PlayerName
    table: TableId


class CloseTable(Message, frozen=True, tag="close-table"):
    """An organiser's request to close a table for good."""

    table: TableId


class RenewCode(Message, frozen=True, tag="renew-code"):
    """An organiser's request for a new room code."""


OrganiserRequest: TypeAlias = BeginNight | DrawRound | MovePerson | CloseTable | RenewCode
HallRequest: TypeAlias = SayInHall | OpenTable | Organise | OrganiserRequest
FirstMessage: TypeAlias = Visit | EnterHall | EnterTable
FIRST_KINDS: Final[tuple[type[FirstMessage], ...]] = get_args(FirstMessage)
FromHallClient: TypeAlias = EnterHall | HallRequest | Ping
HALL_CLIENT_KINDS: Final[tuple[type[FromHallClient], ...]] = get_args(FromHallClient)


class HallEntered(Message, frozen=True, tag="hall-entered"):
    """Answer to `EnterHall`: the club's id and name, and the name of the person."""

    id: TableId
    club: PlayerName
    name: PlayerName


class HallNow(Message, frozen=True, tag="hall"):
    """The tables, and the people in the hall and at the tables.

    The room code was renewed so many times since the club's program began: whoever shows it to
    others then looks whether it still opens.
    """

    tables: Annotated[tuple[HallTable, ...], Meta(max_length=MAX_CLUB_TABLES)]
    people: Annotated[tuple[HallPerson, ...], Meta(max_length=MAX_HALL_PEOPLE)]
    renewed: Annotated[int, Meta(ge=0)] = 0


class HallTalk(Message, frozen=True, tag="hall-talk"):
    """Lines that were said in the hall: the last ones at first, then each new one."""

    lines: Annotated[tuple[HallLine, ...], Meta(max_length=MAX_CHAT_LINES)]


class TableReady(Message, frozen=True, tag="table-ready"):
    """Answer to `OpenTable`: the table is open."""

    table: TableId


class OrganiserNow(Message, frozen=True, tag="organiser"):
    """To an organiser alone: that they are one, and the room code."""

    code: Annotated[str, Meta(max_length=CODE_LENGTH)]


class GoTo(Message, frozen=True, tag="go-to"):
    """To one person: the organiser sends them to this table."""

    table: TableId


class NightNow(Message, frozen=True, tag="night"):
    """The night as it is now."""

    night: Night


FromHall: TypeAlias = (
    HallEntered
    | HallNow
    | HallTalk
    | TableReady
    | OrganiserNow
    | GoTo
    | NightNow
    | DoorNow
    | CommandRefused
    | Pong
    | Closing
)
FROM_HALL_KINDS: Final[tuple[type[FromHall], ...]] = get_args(FromHall)
