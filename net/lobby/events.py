"""Lobby events, which everybody at a table receives, and `apply`, which changes a lobby by one.

The counterpart of `engine.events`: public facts alone, sent by the host to every client. The room
has decided already that an event may happen (`net.lobby.permissions`).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Annotated, Final, TypeAlias, assert_never

from msgspec import Meta
from msgspec.structs import replace

from net.lobby.evening import Evening
from net.lobby.model import (
    BotChair,
    Chair,
    ChatText,
    Commitment,
    Commitments,
    Drawer,
    DrawId,
    Free,
    Level,
    Lobby,
    Member,
    Name,
    Person,
    Presence,
    SeedDraw,
    Settings,
    Shares,
    Stage,
    TableClaim,
    Taken,
    Term,
)
from net.protocol.events import PlayedWire, read_event
from net.protocol.fields import MAX_SEATS, NOBODY, SeatNumber, Small, Wire

MAX_RECORD_LENGTH: Final = 40 * 1024
"""Most characters of a record: three rounds of ten players with their draws, and the talk."""

MOST_MISSING: Final = 10
"""Most moves that one event names as missing: as many as fit the smallest frame."""


class LeaveReason(IntEnum):
    """Reason why a member is no longer at the table."""

    LEFT = 0
    KICKED = 1
    FORGOTTEN = 2  # a disconnected watcher whose place a newcomer needed


class StandInReason(IntEnum):
    """Reason why a bot made a move for a seat."""

    ABSENT = 0
    ASLEEP = 1


class Entered(Wire, frozen=True, tag=1):
    """A person came to the table, and watches until they sit down; `waits` as in `Person`."""

    member: Member
    name: Name
    is_host: bool
    waits: bool = False


class Exited(Wire, frozen=True, tag=2):
    """A member is no longer at the table; their seat becomes free."""

    member: Member
    reason: LeaveReason


class SatDown(Wire, frozen=True, tag=3):
    """A member took a seat: a free one, a bot's or another person's."""

    seat: SeatNumber
    member: Member


class StoodUp(Wire, frozen=True, tag=4):
    """A seat is free now; a person who had it watches."""

    seat: SeatNumber


class BotSat(Wire, frozen=True, tag=5):
    """A bot took a seat."""

    seat: SeatNumber
    name: Name
    level: Level


class ReadyChanged(Wire, frozen=True, tag=6):
    """The person on a seat is ready, or no longer."""

    seat: SeatNumber
    ready: bool


class PresenceChanged(Wire, frozen=True, tag=7):
    """A member's connection became shaky, is gone, or works again."""

    member: Member
    presence: Presence


class SettingsChanged(Wire, frozen=True, tag=8):
    """The table has new settings."""

    settings: Settings


class Paused(Wire, frozen=True, tag=9):
    """The game pauses, or goes on."""

    paused: bool


class Said(Wire, frozen=True, tag=10):
    """A member wrote a line of chat."""

    member: Member
    text: ChatText


class Claimed(Wire, frozen=True, tag=11):
    """A member made a claim."""

    member: Member
    claim: TableClaim


class BotClaimed(Wire, frozen=True, tag=19):
    """A bot on its own chair made a claim."""

    seat: SeatNumber
    claim: TableClaim


class GameBegins(Wire, frozen=True, tag=12):
    """A game is about to be dealt. Free chairs are removed, and the seats are renumbered."""


class RoundBegins(Wire, frozen=True, tag=13):
    """The next round is about to be dealt."""


class Rematch(Wire, frozen=True, tag=14):
    """The finished game is put away; everybody keeps their seat."""


class SeatsDrawn(Wire, frozen=True, tag=27):
    """The chairs changed places: `chairs` are the former seats of those who sit there now."""

    chairs: Annotated[tuple[SeatNumber, ...], Meta(max_length=MAX_SEATS)]


class EveningBegins(Wire, frozen=True, tag=28):
    """The table of the evening begins anew: nobody has anything."""


class StoodIn(Wire, frozen=True, tag=15):
    """The move in this step was made by a bot for the seat."""

    seat: SeatNumber
    reason: StandInReason


class Reopened(Wire, frozen=True, tag=16):
    """The host's program was restarted, and nobody is connected yet."""


class Closed(Wire, frozen=True, tag=17):
    """The table is closed for good."""


class Locked(Wire, frozen=True, tag=20):
    """The table admits no newcomers, or admits them again."""

    locked: bool


class CodeRenewed(Wire, frozen=True, tag=21):
    """The room code has changed. Only the host is sent the new one."""


class HostChanged(Wire, frozen=True, tag=26):
    """The table goes on with another host, elected in this term; nobody is connected there yet.

    A draw under way is void. The new host's program has all that more than half of the players had
    seen.
    """

    member: Member
    term: Term


class RecordPublished(Wire, frozen=True, tag=18):
    """The record of a finished game, as `engine.notation` writes it, secrets included."""

    text: Annotated[str, Meta(max_length=MAX_RECORD_LENGTH)]


class MovesMissing(Wire, frozen=True, tag=22):
    """A member's client saw moves that the table, resumed from an older journal, has lost.

    This is the member's word alone; nobody else can check it. `name` is the name that the
    player on `seat` had then; `moves` are the first of the lost moves, and `more` is the number
    of further ones.
    """

    member: Member
    seat: SeatNumber
    name: Name
    moves: Annotated[tuple[PlayedWire, ...], Meta(min_length=1, max_length=MOST_MISSING)]
    more: Small

    @property
    def is_sound(self) -> bool:
        """True if all the moves are of that seat."""
        return all(read_event(move).seat == self.seat for move in self.moves)


Members: TypeAlias = Annotated[tuple[Member, ...], Meta(max_length=MAX_SEATS)]


class DrawBegan(Wire, frozen=True, tag=23):
    """The seed of a round is drawn, by the host, whose commitment this is, and these members.

    An unfinished draw is void. The `absent` play too, and are left out of the draw.
    """

    id: DrawId
    round: Small
    commitment: Commitment
    members: Members
    absent: Members


class SharesCommitted(Wire, frozen=True, tag=24):
    """All members have committed to their shares: these are the commitments, in their order."""

    commitments: Commitments


class SharesShown(Wire, frozen=True, tag=25):
    """All members have shown their shares: the seed follows from them and the host's."""

    shares: Shares


LobbyEvent: TypeAlias = (
    Entered
    | Exited
    | SatDown
    | StoodUp
    | BotSat
    | ReadyChanged
    | PresenceChanged
    | SettingsChanged
    | Paused
    | Said
    | Claimed
    | BotClaimed
    | GameBegins
    | RoundBegins
    | Rematch
    | StoodIn
    | Reopened
    | Closed
    | RecordPublished
    | MovesMissing
    | Locked
    | CodeRenewed
    | DrawBegan
    | SharesCommitted
    | SharesShown
    | HostChanged
    | SeatsDrawn
    | EveningBegins
)


def apply(lobby: Lobby, event: LobbyEvent) -> Lobby:
    """Return the lobby after an event.

    Raises:
        LookupError: the event is about a seat or a member that the lobby does not have.
    """
    match event:
        case Entered(member, name, is_host, waits):
            people = (*lobby.people, Person(member, name, Presence.THERE, waits))
            return replace(lobby, people=people, host=member if is_host else lobby.host)
        case Exited(member):
            lobby = _rid_of(_without_draw_of(lobby, member), member)
            people = tuple(person for person in lobby.people if person.member != member)
            return replace(lobby, people=people)
        case SatDown(seat, member):
            if lobby.person(member) is None:
                raise LookupError(member)
            lobby = _nobody_youngest(_rid_of(lobby, member), seat)
            lobby = _on_chair(lobby, seat, Taken(member, ready=False))
            return _waiting_no_more(lobby, member)
        case StoodUp(seat):
            return _on_chair(_nobody_youngest(lobby, seat), seat, Free())
        case BotSat(seat, name, level):
            return _on_chair(lobby, seat, BotChair(name, level))
        case ReadyChanged(seat, ready):
            chair = lobby.chairs[seat]
            if not isinstance(chair, Taken):
                raise LookupError(seat)  # noqa: TRY004 - it is the seat that is not there
            return _on_chair(lobby, seat, Taken(chair.member, ready))
        case PresenceChanged(member, presence):
            return _with_presence(lobby, presence, member)
        case SettingsChanged(settings):
            return _ruled(lobby, settings)
        case Paused(paused):
            return replace(lobby, paused=paused)
        case GameBegins() | RoundBegins():
            begun = _compact(lobby) if isinstance(event, GameBegins) else lobby
            return _all_ready(begun, ready=False)
        case Rematch() | SeatsDrawn() | EveningBegins():
            return _between_games(lobby, event)
        case Reopened():
            return _with_presence(lobby, Presence.GONE)
        case HostChanged():
            return _with_host(lobby, event)
        case Closed():
            return replace(lobby, stage=Stage.CLOSED)
        case Locked(locked):
            return replace(lobby, locked=locked)
        case (
            Said()
            | Claimed()
            | BotClaimed()
            | StoodIn()
            | RecordPublished()
            | MovesMissing()
            | CodeRenewed()
        ):
            return lobby
        case DrawBegan() | SharesCommitted() | SharesShown():
            return replace(lobby, draw=_draw_after(lobby, event))
        case _:
            assert_never(event)


def _between_games(lobby: Lobby, event: Rematch | SeatsDrawn | EveningBegins) -> Lobby:
    match event:
        case Rematch():
            lobby = replace(lobby, stage=Stage.LOBBY, paused=False, draw=None)
            return _all_ready(lobby, ready=True)
        case SeatsDrawn(chairs):
            return _reseated(lobby, chairs)
        case EveningBegins():
            return replace(lobby, evening=Evening())
        case _:
            assert_never(event)


def _with_host(lobby: Lobby, event: HostChanged) -> Lobby:
    if lobby.person(event.member) is None:
        raise LookupError(event.member)
    draw = None if lobby.is_drawing else lobby.draw
    lobby = replace(lobby, host=event.member, term=event.term, draw=draw)
    return _with_presence(lobby, Presence.GONE)


def _draw_after(lobby: Lobby, event: DrawBegan | SharesCommitted | SharesShown) -> SeedDraw:
    """Return the draw after an event. Raises `LookupError`."""
    match event:
        case DrawBegan():
            return _draw_of(lobby, event)
        case SharesCommitted(commitments):
            return replace(_present(lobby), commitments=commitments)
        case SharesShown(shares):
            return replace(_present(lobby), shares=shares, done=True)
        case _:
            assert_never(event)


def _draw_of(lobby: Lobby, event: DrawBegan) -> SeedDraw:
    names = {person.member: person.name for person in lobby.people}
    people, absent = (
        tuple(Drawer(member, names[member]) for member in members)
        for members in (event.members, event.absent)
    )
    host_name = names.get(lobby.host, "")
    return SeedDraw(event.id, event.round, event.commitment, people, absent, host_name=host_name)


def _without_draw_of(lobby: Lobby, member: int) -> Lobby:
    """Give up the draw under way, if there is one and a member takes part in it or has a seat."""
    if lobby.draw is None or lobby.draw.done:
        return lobby
    takes_part = any(person.member == member for person in lobby.draw.people)
    if takes_part or lobby.seat_of(member) is not None:
        return replace(lobby, draw=None)
    return lobby


def _present(lobby: Lobby) -> SeedDraw:
    """Return the draw under way. Raises `LookupError` if there is none."""
    if lobby.draw is None or lobby.draw.done:
        raise LookupError("no seed is being drawn")
    return lobby.draw


def _on_chair(lobby: Lobby, seat: int, chair: Chair) -> Lobby:
    chairs = list(lobby.chairs)
    chairs[seat] = chair
    return replace(lobby, chairs=tuple(chairs))


def _rid_of(lobby: Lobby, member: int) -> Lobby:
    """Free a member's seat, if they have one."""
    seat = lobby.seat_of(member)
    return lobby if seat is None else _on_chair(_nobody_youngest(lobby, seat), seat, Free())


def _nobody_youngest(lobby: Lobby, seat: int) -> Lobby:
    """Unset the seat that begins the game (S8), if it is this one."""
    if lobby.settings.youngest != seat:
        return lobby
    return replace(lobby, settings=replace(lobby.settings, youngest=NOBODY))


def _waiting_no_more(lobby: Lobby, member: int) -> Lobby:
    person = lobby.person(member)
    if person is None or not person.waits:
        return lobby
    people = (replace(one, waits=False) if one is person else one for one in lobby.people)
    return replace(lobby, people=tuple(people))


def _reseated(lobby: Lobby, order: Sequence[int]) -> Lobby:
    """Return the lobby with its chairs in this order. Raises `LookupError` if it is none."""
    if sorted(order) != list(range(len(lobby.chairs))):
        raise LookupError(order)
    youngest = lobby.settings.youngest
    youngest = NOBODY if youngest == NOBODY else order.index(youngest)
    settings = replace(lobby.settings, youngest=youngest)
    return replace(lobby, settings=settings, chairs=tuple(lobby.chairs[seat] for seat in order))


def count_game(lobby: Lobby, nuggets: Sequence[int]) -> Lobby:
    """Return the lobby after a game that brought each seat so much gold, if it has an evening.

    This is no event: every program that saw the game counts it by itself.
    """
    if lobby.settings.evening is None:
        return lobby
    names = [lobby.name_at(seat) for seat in range(len(lobby.chairs))]
    return replace(lobby, evening=lobby.evening.after(names, nuggets))


def _with_presence(lobby: Lobby, presence: Presence, only: int | None = None) -> Lobby:
    return replace(
        lobby,
        people=tuple(
            replace(person, presence=presence) if only in (None, person.member) else person
            for person in lobby.people
        ),
    )


def _ruled(lobby: Lobby, settings: Settings) -> Lobby:
    chairs = lobby.chairs[: settings.seats]
    chairs += (Free(),) * (settings.seats - len(chairs))
    return replace(lobby, settings=settings, chairs=chairs)


def _compact(lobby: Lobby) -> Lobby:
    """Begin a game: remove free chairs, and renumber the seats."""
    kept = [seat for seat, chair in enumerate(lobby.chairs) if not isinstance(chair, Free)]
    youngest = lobby.settings.youngest
    settings = replace(
        lobby.settings,
        seats=len(kept),
        youngest=kept.index(youngest) if youngest in kept else NOBODY,
    )
    chairs = tuple(lobby.chairs[seat] for seat in kept)
    return replace(lobby, settings=settings, chairs=chairs, stage=Stage.PLAYING)


def _all_ready(lobby: Lobby, *, ready: bool) -> Lobby:
    return replace(
        lobby,
        chairs=tuple(
            Taken(chair.member, ready) if isinstance(chair, Taken) else chair
            for chair in lobby.chairs
        ),
    )
