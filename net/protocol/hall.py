"""Messages of a hall beyond those of a table: its board's news, requests to a club, ways to tables.

A hall is a room without chairs, so everything there happens as at a table
(`net.protocol.messages`). A connection to a club leads to the hall, unless its first message is
`Visit`: then it leads to that table.

The room records a request to the club, an `Ask`, as a step that changes nothing, so that it is
taken once; then the club does it, or refuses it by `CommandRefused` with the id of the command.
"""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

from msgspec import Meta
from msgspec.structs import replace

from net.protocol.board import MAX_NIGHT_ROUNDS, HallTable, Night, TableId
from net.protocol.fields import MAX_SEATS, PlayerName
from net.protocol.framing import Message, Wire
from net.protocol.lobby import Lobby, Member, Settings, TableNews

MAX_PASSWORD_LENGTH: Final = 80  # maximum number of letters of an organiser password as typed


class Visit(Message, frozen=True, tag="visit"):
    """First message on a connection to a club that is for this table, not for the hall."""

    table: TableId


class GoTo(Message, frozen=True, tag="go-to"):
    """To one person in a hall: their table is open, or an organiser sends them to this one."""

    table: TableId


class NextTable(Message, frozen=True, tag="next-table"):
    """To one person at a table of a night: where they sit in this round, and with whom.

    A little later, when they have had time to finish a sentence, their connection is closed as
    `CALLED`.
    """

    round: Annotated[int, Meta(ge=1, le=MAX_NIGHT_ROUNDS)]
    name: PlayerName
    others: Annotated[tuple[PlayerName, ...], Meta(max_length=MAX_SEATS)]


# News of the board. `TableNews` says what `change` returns.


def _put_board(lobby: Lobby, **fields: object) -> Lobby:
    return replace(lobby, hall=replace(lobby.board, **fields))


class BoardNews(TableNews, frozen=True):
    """News of a hall's board."""

    def fits(self, lobby: Lobby) -> bool:
        return lobby.is_hall


class TableShown(BoardNews, frozen=True, tag=40):
    """A table of the club is new, or has changed and keeps its place."""

    table: HallTable

    def change(self, lobby: Lobby) -> Lobby:
        tables = {table.id: table for table in (*lobby.board.tables, self.table)}
        return _put_board(lobby, tables=tuple(tables.values()))


class TableClosed(BoardNews, frozen=True, tag=41):
    """A table of the club has ended."""

    table: TableId

    def change(self, lobby: Lobby) -> Lobby:
        tables = tuple(table for table in lobby.board.tables if table.id != self.table)
        return _put_board(lobby, tables=tables)


class OrganiserNamed(BoardNews, frozen=True, tag=42):
    """A person is an organiser of the club from now on."""

    member: Member

    def change(self, lobby: Lobby) -> Lobby:
        return _put_board(lobby, organisers=(*lobby.board.organisers, self.member))


class NightChanged(BoardNews, frozen=True, tag=43):
    """The night as it is now."""

    night: Night

    def change(self, lobby: Lobby) -> Lobby:
        return _put_board(lobby, night=self.night)


HallEvent: TypeAlias = TableShown | TableClosed | OrganiserNamed | NightChanged


# Requests to a club.


class Ask(Wire, frozen=True):
    """Request to the club that keeps a hall's board."""


class OpenTable(Ask, frozen=True, tag="open-table"):
    """Request for a new table, whose host is the sender; it is answered by `GoTo`."""

    name: PlayerName
    settings: Settings


class Organise(Ask, frozen=True, tag="organise"):
    """Request to be an organiser from now on, by the password that the club's program has shown."""

    password: Annotated[str, Meta(max_length=MAX_PASSWORD_LENGTH)]


class BeginNight(Ask, frozen=True, tag="begin-night"):
    """An organiser's request for a night of this many rounds, in place of the one before.

    Its tables are called `title` and a number.
    """

    rounds: Annotated[int, Meta(ge=1, le=MAX_NIGHT_ROUNDS)]
    title: PlayerName
    settings: Settings


class DrawRound(Ask, frozen=True, tag="draw-round"):
    """An organiser's request to draw the tables of the next round, for all in the hall."""


class MovePerson(Ask, frozen=True, tag="move-person"):
    """An organiser's request that somebody go to a table."""

    name: PlayerName
    table: TableId


class RemovePerson(Ask, frozen=True, tag="remove-person"):
    """An organiser's request that somebody leave the club for good; a new room code is drawn."""

    name: PlayerName


class CloseTable(Ask, frozen=True, tag="close-table"):
    """An organiser's request to close a table for good."""

    table: TableId


class RenewCode(Ask, frozen=True, tag="renew-code"):
    """An organiser's request for a new room code."""


OrganiserRequest: TypeAlias = (
    BeginNight | DrawRound | MovePerson | RemovePerson | CloseTable | RenewCode
)
HallRequest: TypeAlias = OpenTable | Organise | OrganiserRequest
