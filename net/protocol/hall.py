"""Messages between a club and its clients: the way to a table, and the hall where all meet.

    client                                       club
    Visit (table)                           ->   as the first message; from then on the connection
                                                 is one to that table (`net.protocol.messages`)
    EnterHall (name)                        ->   or this one, again after CommandRefused (0, reason)
                                            <-   HallEntered, HallTalk, HallNow
                                            <-   HallNow whenever something has changed, at most
                                                 once for each tick of the club
    SayInHall (text)                        ->
                                            <-   HallTalk, to all
    OpenTable (name, settings)              ->
                                            <-   TableReady (table), or CommandRefused (0, reason)
    Ping (0)                                ->
                                            <-   Pong (0)

Who says `EnterTable` first has taken a club for a table, and is told by `Closing`. All that a hall
tells is public: it follows from what each table tells its watchers.
"""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias, get_args

from msgspec import Meta

from net.protocol.fields import EditionText, PlayerName, Small, Wire
from net.protocol.framing import Message
from net.protocol.lobby import MAX_CHAT_LINES, ChatText, Settings
from net.protocol.messages import Closing, CommandRefused, EnterTable, Ping, Pong

MAX_CLUB_TABLES: Final = 200
MAX_HALL_PEOPLE: Final = 600  # most people that a hall tells of, those at tables included
IN_THE_HALL: Final = -1  # in place of a table

TableId: TypeAlias = Annotated[str, Meta(min_length=16, max_length=16)]


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
    """A line that somebody has said in the hall."""

    name: PlayerName
    text: ChatText


class Visit(Message, frozen=True, tag="visit"):
    """First message on a connection to a club: it is for this table."""

    table: TableId


class EnterHall(Message, frozen=True, tag="enter-hall"):
    """First message on a connection to a club: it is for the hall.

    `name` counts for a key that the club does not know yet: others keep theirs.
    """

    name: PlayerName


class SayInHall(Message, frozen=True, tag="hall-say"):
    """A line for all in the hall."""

    text: ChatText


class OpenTable(Message, frozen=True, tag="open-table"):
    """Request for a new table, whose host is the sender."""

    name: PlayerName
    settings: Settings


HallRequest: TypeAlias = SayInHall | OpenTable
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
    """The tables, and the people in the hall and at the tables."""

    tables: Annotated[tuple[HallTable, ...], Meta(max_length=MAX_CLUB_TABLES)]
    people: Annotated[tuple[HallPerson, ...], Meta(max_length=MAX_HALL_PEOPLE)]


class HallTalk(Message, frozen=True, tag="hall-talk"):
    """Lines that were said in the hall: the last ones at first, then each new one."""

    lines: Annotated[tuple[HallLine, ...], Meta(max_length=MAX_CHAT_LINES)]


class TableReady(Message, frozen=True, tag="table-ready"):
    """Answer to `OpenTable`: the table is open."""

    table: TableId


FromHall: TypeAlias = (
    HallEntered | HallNow | HallTalk | TableReady | CommandRefused | Pong | Closing
)
FROM_HALL_KINDS: Final[tuple[type[FromHall], ...]] = get_args(FromHall)
