"""Lobby events, which everybody at a table receives, and what each of them changes.

The counterpart of `engine.events`: only public facts, sent by the host to every client. The room
has decided that an event may happen (`net.room.decisions`); a client checks that it `fits`.
`TableNews` describes what `change` and `fits` return, each event what it changes.

Seats whose people had not returned when the table moved are deserted: nobody has seen their cards,
which were drawn again or are dealt later. The host may lend such a seat to a newcomer with that
name. If its person comes back, it is theirs again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from typing import Annotated, Final, TypeAlias

from msgspec import Meta
from msgspec.structs import replace

from engine.dealing import SHARE_BYTES
from engine.state import ROUNDS
from net.protocol.cleaning import is_clean_page, is_numbered
from net.protocol.fields import (
    NO_KEY,
    NOBODY,
    PlayerName,
    SeatKeyBytes,
    SeatNumber,
    Small,
    StepNumber,
)
from net.protocol.hall import HallEvent
from net.protocol.lobby import (
    MAX_MOVES_KEPT,
    MIN_SEATS,
    THE_TABLE,
    UNPICKED,
    BotChair,
    Chair,
    ChatText,
    Commitment,
    Commitments,
    Deserted,
    Drawer,
    DrawId,
    Dwarf,
    Free,
    Level,
    Lobby,
    Member,
    Members,
    Nonce,
    Person,
    Presence,
    Relocation,
    SeatNumbers,
    SeedDraw,
    Settings,
    Shares,
    TableClaim,
    TableNews,
    TablePhase,
    Taken,
    Term,
)

MAX_RECORD_LENGTH: Final = 40 * 1024
"""Maximum characters of a record: three rounds of ten players with their draws, and the talk."""

RecordText: TypeAlias = Annotated[
    str, Meta(max_length=MAX_RECORD_LENGTH, extra={"is_clean": is_clean_page})
]


class LeaveReason(IntEnum):
    """Reason why a member is no longer at the table."""

    LEFT = 0
    KICKED = 1
    FORGOTTEN = 2  # a disconnected watcher whose place a newcomer needed
    NEW_CODE = 3  # a projector that has not proven the new room code


class StandInReason(IntEnum):
    """Reason why a bot made a move for a seat."""

    ABSENT = 0
    ASLEEP = 1


def _put_chair(lobby: Lobby, seat: int, chair: Chair) -> Lobby:
    chairs = list(lobby.chairs)
    chairs[seat] = chair
    return replace(lobby, chairs=tuple(chairs))


def _forget_youngest(lobby: Lobby, seat: int) -> Lobby:
    """Unset the seat that begins the game (S8), if it is this one."""
    if lobby.settings.youngest != seat:
        return lobby
    return replace(lobby, settings=replace(lobby.settings, youngest=NOBODY))


def _free_seat_of(lobby: Lobby, member: int) -> Lobby:
    seat = lobby.seat_of(member)
    return lobby if seat is None else _put_chair(_forget_youngest(lobby, seat), seat, Free())


def _set_all_ready(lobby: Lobby, *, ready: bool) -> Lobby:
    return replace(
        lobby,
        chairs=tuple(
            Taken(chair.member, ready) if isinstance(chair, Taken) else chair
            for chair in lobby.chairs
        ),
    )


def _change_person(lobby: Lobby, member: int, **fields: object) -> Lobby:
    changed = replace(lobby.find_person(member), **fields)
    people = (changed if person.member == member else person for person in lobby.people)
    return replace(lobby, people=tuple(people))


def _set_all_gone(lobby: Lobby) -> Lobby:
    people = tuple(replace(person, presence=Presence.GONE) for person in lobby.people)
    return replace(lobby, people=people, short=0, offered=THE_TABLE, handing=False)


def _drop_asks(lobby: Lobby, member: int) -> Lobby:
    """Drop a member's requests for seats, and the deserted seat that is their own."""

    def without(place: Deserted) -> Deserted:
        return replace(place, asks=tuple(asking for asking in place.asks if asking != member))

    lobby = replace(lobby, deserted=tuple(map(without, lobby.deserted)))
    return _drop_deserted(lobby, lambda place: place.member == member)


def _drop_returned(lobby: Lobby, is_there: Callable[[Deserted], bool]) -> Lobby:
    """Drop the deserted seats whose people are back, except lent ones."""
    lent = lobby.lent
    return _drop_deserted(lobby, lambda place: is_there(place) and place not in lent)


def _swap_names(lobby: Lobby, seat: int, member: int) -> Lobby:
    """Return the lobby with names swapped, if a namesake of the person in a seat takes it.

    Namesakes have the same name except for a number, such as `anna` and `anna 2`. So somebody who
    gets their old seat back has their old name again, too.
    """
    chair, newcomer = lobby.chairs[seat], lobby.find_person(member)
    if not isinstance(chair, Taken):
        return lobby
    seated = lobby.find_person(chair.member)
    if not (is_numbered(newcomer.name, seated.name) or is_numbered(seated.name, newcomer.name)):
        return lobby
    lobby = _change_person(lobby, newcomer.member, name=seated.name)
    return _change_person(lobby, seated.member, name=newcomer.name)


def _drop_deserted(lobby: Lobby, is_over: Callable[[Deserted], bool]) -> Lobby:
    if not lobby.deserted:
        return lobby
    return replace(lobby, deserted=tuple(place for place in lobby.deserted if not is_over(place)))


def _draw_under_way(lobby: Lobby, given: Sequence[bytes]) -> SeedDraw:
    """Return the draw under way, for which this is `given`.

    Raises LookupError: there is none, or `given` lacks a value for one of its people.
    """
    if lobby.draw is None or lobby.draw.done or len(given) != len(lobby.draw.people):
        raise LookupError("no such draw is under way")
    return lobby.draw


def _change_asks(lobby: Lobby, seat: int, asks: tuple[int, ...]) -> Lobby:
    there = lobby.deserted
    places = (replace(place, asks=asks) if place.seat == seat else place for place in there)
    return replace(lobby, deserted=tuple(places))


class MemberNews(TableNews, frozen=True):
    """News of a member, who is at the table."""

    member: Member

    def fits(self, lobby: Lobby) -> bool:
        return lobby.person(self.member) is not None


class SeatNews(TableNews, frozen=True):
    """News of a seat, which the table has."""

    seat: SeatNumber

    def fits(self, lobby: Lobby) -> bool:
        return self.seat < len(lobby.chairs)


class Entered(TableNews, frozen=True, tag=1):
    """A person came to the table, and watches until they sit down; the rest is as in `Person`."""

    member: Member
    name: PlayerName
    is_host: bool
    waits: bool = False
    key: SeatKeyBytes = NO_KEY
    at_door: bool = False
    projector: bool = False
    dwarf: Dwarf = UNPICKED

    def change(self, lobby: Lobby) -> Lobby:
        person = Person(
            self.member,
            self.name,
            Presence.THERE,
            self.waits,
            self.key,
            self.at_door,
            self.projector,
            self.dwarf,
        )
        host = self.member if self.is_host else lobby.host
        return replace(lobby, people=(*lobby.people, person), host=host)


class Exited(MemberNews, frozen=True, tag=2):
    """A member is no longer at the table; their seat becomes free, and a draw with them is void."""

    reason: LeaveReason

    def change(self, lobby: Lobby) -> Lobby:
        lobby = _drop_asks(lobby, self.member)
        if lobby.draw is not None and lobby.is_drawing:
            drawers = [person.member for person in (*lobby.draw.people, *lobby.draw.absent)]
            takes_part = self.member in drawers or lobby.seat_of(self.member) is not None
            lobby = replace(lobby, draw=None if takes_part else lobby.draw)
        lobby = _free_seat_of(lobby, self.member)
        people = tuple(person for person in lobby.people if person.member != self.member)
        return replace(lobby, people=people)


class SatDown(SeatNews, frozen=True, tag=3):
    """A member took a seat: a free one, a bot's or another person's; in the lobby they are ready.

    Where a namesake sat, the two swap names (`anna`, `anna 2`).
    """

    member: Member

    def change(self, lobby: Lobby) -> Lobby:
        lobby = _swap_names(lobby, self.seat, self.member)
        is_lent = self.member in lobby.asking_for(self.seat)
        lobby = _drop_asks(lobby, self.member)
        if is_lent:
            lobby = _change_asks(lobby, self.seat, ())
        else:
            lobby = _drop_deserted(lobby, lambda deserted: deserted.seat == self.seat)
        lobby = _free_seat_of(lobby, self.member)
        is_ready = lobby.stage is TablePhase.LOBBY
        lobby = _forget_youngest(lobby, self.seat)
        lobby = _put_chair(lobby, self.seat, Taken(self.member, is_ready))
        return _change_person(lobby, self.member, waits=False)


class StoodUp(SeatNews, frozen=True, tag=4):
    """A seat is free now; a person who had it watches."""

    def change(self, lobby: Lobby) -> Lobby:
        lobby = _drop_deserted(lobby, lambda place: place.seat == self.seat)
        return _put_chair(_forget_youngest(lobby, self.seat), self.seat, Free())


class BotSat(SeatNews, frozen=True, tag=5):
    """A bot took a seat."""

    name: PlayerName
    level: Level

    def change(self, lobby: Lobby) -> Lobby:
        lobby = _drop_deserted(lobby, lambda place: place.seat == self.seat)
        return _put_chair(lobby, self.seat, BotChair(self.name, self.level))


class BotRetired(TableNews, frozen=True, tag=29):
    """A bot of another package failed too often: one of ours plays on under the same names.

    That applies to each chair of the bot, and to the setting `stand_in`.
    """

    bot: Level
    level: Level

    def change(self, lobby: Lobby) -> Lobby:
        chairs = (
            BotChair(chair.name, self.level)
            if isinstance(chair, BotChair) and chair.level == self.bot
            else chair
            for chair in lobby.chairs
        )
        settings = lobby.settings
        if settings.stand_in == self.bot:
            settings = replace(settings, stand_in=self.level)
        return replace(lobby, chairs=tuple(chairs), settings=settings)

    def fits(self, lobby: Lobby) -> bool:
        seated = {chair.level for chair in lobby.chairs if isinstance(chair, BotChair)}
        return self.bot in seated or self.bot == lobby.settings.stand_in


class ReadyChanged(SeatNews, frozen=True, tag=6):
    """The person on a seat is ready, or no longer ready."""

    ready: bool

    def change(self, lobby: Lobby) -> Lobby:
        chair = lobby.chairs[self.seat]
        if not isinstance(chair, Taken):
            raise LookupError(self.seat)  # noqa: TRY004 - the seat is what is missing
        return _put_chair(lobby, self.seat, Taken(chair.member, self.ready))


class DwarfPicked(MemberNews, frozen=True, tag=46):
    """A member has picked a face or a colour of their dwarf."""

    dwarf: Dwarf

    def change(self, lobby: Lobby) -> Lobby:
        return _change_person(lobby, self.member, dwarf=self.dwarf)


class PresenceChanged(MemberNews, frozen=True, tag=7):
    """A member's connection became shaky, is gone, or works again.

    A member who is back has their deserted seat again. In a hall, they are listed last.
    """

    presence: Presence

    def change(self, lobby: Lobby) -> Lobby:
        if not self.presence.is_gone:
            lobby = _drop_returned(lobby, lambda deserted: deserted.member == self.member)
        lobby = _change_person(lobby, self.member, presence=self.presence)
        if lobby.is_hall and self.presence is Presence.THERE:
            # The last to arrive is the last to be forgotten.
            people = sorted(lobby.people, key=lambda person: person.member == self.member)
            lobby = replace(lobby, people=tuple(people))
        return lobby


class SettingsChanged(TableNews, frozen=True, tag=8):
    """The table has new settings, and as many chairs as they say; no taken one is dropped."""

    settings: Settings

    def change(self, lobby: Lobby) -> Lobby:
        chairs = lobby.chairs[: self.settings.seats]
        chairs += (Free(),) * (self.settings.seats - len(chairs))
        return replace(lobby, settings=self.settings, chairs=chairs)

    def fits(self, lobby: Lobby) -> bool:
        taken = [seat for seat, chair in enumerate(lobby.chairs) if not isinstance(chair, Free)]
        return self.settings.seats > max(taken, default=0)


class Paused(TableNews, frozen=True, tag=9):
    """The game is paused, or resumed."""

    paused: bool

    def change(self, lobby: Lobby) -> Lobby:
        return replace(lobby, paused=self.paused)


class Said(MemberNews, frozen=True, tag=10):
    """A member wrote a line of chat."""

    text: ChatText


class Claimed(MemberNews, frozen=True, tag=11):
    """A member made a claim."""

    claim: TableClaim

    def fits(self, lobby: Lobby) -> bool:
        return super().fits(lobby) and self.claim.fits(len(lobby.chairs))


class Nudged(MemberNews, frozen=True, tag=44):
    """A member waits for the person who is to play."""


class StepShown(TableNews, frozen=True, tag=45):
    """The host shows this step of the finished game, counted from 0."""

    step: StepNumber


class BotClaimed(SeatNews, frozen=True, tag=19):
    """A bot on its own chair made a claim."""

    claim: TableClaim

    def fits(self, lobby: Lobby) -> bool:
        return super().fits(lobby) and self.claim.fits(len(lobby.chairs))


class BotSaid(SeatNews, frozen=True, tag=32):
    """A bot on its own chair wrote a line of chat, with its move."""

    text: ChatText


class GameBegins(TableNews, frozen=True, tag=12):
    """A game is about to be dealt. Free chairs are removed, and the seats are renumbered."""

    def change(self, lobby: Lobby) -> Lobby:
        kept = [seat for seat, chair in enumerate(lobby.chairs) if not isinstance(chair, Free)]
        first = lobby.settings.youngest
        youngest = kept.index(first) if first in kept else NOBODY
        settings = replace(lobby.settings, seats=len(kept), youngest=youngest)
        chairs = tuple(lobby.chairs[seat] for seat in kept)
        deserted = tuple(replace(place, seat=kept.index(place.seat)) for place in lobby.deserted)
        lobby = replace(lobby, settings=settings, chairs=chairs, deserted=deserted)
        return _set_all_ready(replace(lobby, stage=TablePhase.PLAYING), ready=False)

    def fits(self, lobby: Lobby) -> bool:
        is_due = lobby.stage is TablePhase.LOBBY and not lobby.is_drawing
        return is_due and lobby.players >= MIN_SEATS


class RoundBegins(TableNews, frozen=True, tag=13):
    """The next round is about to be dealt."""

    def change(self, lobby: Lobby) -> Lobby:
        return _set_all_ready(lobby, ready=False)

    def fits(self, lobby: Lobby) -> bool:
        return lobby.stage is TablePhase.PLAYING and not lobby.is_drawing


class Rematch(TableNews, frozen=True, tag=14):
    """The finished game is put away; everybody keeps their seat, and is ready for another."""

    def change(self, lobby: Lobby) -> Lobby:
        lobby = replace(
            lobby,
            stage=TablePhase.LOBBY,
            paused=False,
            draw=None,
            short=0,
            relocations=(),
            deserted=(),
        )
        return _set_all_ready(lobby, ready=True)

    def fits(self, lobby: Lobby) -> bool:
        return lobby.stage is TablePhase.PLAYING and not lobby.is_drawing


class StoodIn(SeatNews, frozen=True, tag=15):
    """A bot made this step's move, in place of the person of the seat."""

    reason: StandInReason


class Reopened(TableNews, frozen=True, tag=16):
    """The host's program was restarted, and nobody is connected yet."""

    def change(self, lobby: Lobby) -> Lobby:
        return _set_all_gone(lobby)


class Closed(TableNews, frozen=True, tag=17):
    """The table is closed for good."""

    def change(self, lobby: Lobby) -> Lobby:
        return replace(lobby, stage=TablePhase.CLOSED)


class Locked(TableNews, frozen=True, tag=20):
    """The table admits no newcomers, or admits them again."""

    locked: bool

    def change(self, lobby: Lobby) -> Lobby:
        return replace(lobby, locked=self.locked)


class CodeRenewed(TableNews, frozen=True, tag=21):
    """The room code has changed. All at the table are sent the new one, by `Code`."""


class HostChanged(TableNews, frozen=True, tag=26):
    """The table continues with another host, in this term; nobody is connected there yet.

    A draw under way is void. In a game, `round` is the present one, and the rest is as in
    `Relocation`.
    """

    member: Member
    term: Term
    round: Small = 0
    anew: SeatNumbers = ()
    at_odds: SeatNumbers = ()

    def change(self, lobby: Lobby) -> Lobby:
        draw = None if lobby.is_drawing else lobby.draw
        host = lobby.find_person(self.member).member
        deserted, relocations = self._find_deserted(lobby), lobby.relocations
        if self.round:
            moved = Relocation(self.term, self.round, self.anew, self.at_odds)
            relocations = (*relocations, moved)[-MAX_MOVES_KEPT:]
        lobby = replace(lobby, host=host, term=self.term, draw=draw, deserted=deserted)
        return _set_all_gone(replace(lobby, relocations=relocations))

    def _find_deserted(self, lobby: Lobby) -> tuple[Deserted, ...]:
        """Return the deserted seats: before a game all; in a game those lent or with new cards."""
        lent = {place.seat: replace(place, asks=()) for place in lobby.lent if self.round}
        return tuple(
            lent.get(seat, Deserted(seat, member))
            for member, seat in lobby.seats.items()
            if seat in lent or seat in self.anew or self.at_odds or not self.round
        )

    def fits(self, lobby: Lobby) -> bool:
        is_here = max((*self.anew, *self.at_odds), default=0) < len(lobby.chairs)
        return lobby.seat_of(self.member) is not None and self.term > lobby.term and is_here


class BroughtBack(SeatNews, frozen=True, tag=33):
    """Somebody joined the table's new host before the first move there, and keeps their cards."""

    def change(self, lobby: Lobby) -> Lobby:
        if not lobby.relocations:
            raise LookupError(self.seat)
        lobby = _drop_returned(lobby, lambda deserted: deserted.seat == self.seat)
        *before, last = lobby.relocations
        anew = tuple(other for other in last.anew if other != self.seat)
        return replace(lobby, relocations=(*before, replace(last, anew=anew)))


class DrawnAnew(TableNews, frozen=True, tag=34):
    """The cards and the dwarf of these seats were drawn again as the table moved."""

    seats: SeatNumbers

    def fits(self, lobby: Lobby) -> bool:
        return max(self.seats, default=0) < len(lobby.chairs)


class WentOn(TableNews, frozen=True, tag=35):
    """The table plays this round although too few of its people are present."""

    round: Small

    def change(self, lobby: Lobby) -> Lobby:
        return replace(lobby, short=self.round)


class RecordPublished(TableNews, frozen=True, tag=18):
    """The record of a finished game, as `engine.notation` writes it, secrets included."""

    text: RecordText


class DrawBegan(TableNews, frozen=True, tag=23):
    """The seed of a round is drawn, by the host, whose commitment this is, and these members.

    The id follows from the nonce and from all that the deal depends on (`net.room.seeds`). The
    `absent` also play, but are left out of the draw.

    A draw ends in the deal, unless somebody in it leaves, or another begins that leaves out one
    more member. Anything that changes the deal meanwhile makes the draw false (`net.room.seeds`).
    """

    id: DrawId
    nonce: Nonce
    round: Small
    commitment: Commitment
    members: Members
    absent: Members

    def change(self, lobby: Lobby) -> Lobby:
        found = {who.member: Drawer(who.member, who.name, who.at_door) for who in lobby.people}
        people = tuple(found[member] for member in self.members)
        absent = tuple(found[member] for member in self.absent)
        # Only a club asks its table's host for a share, and the first release did not.
        dealers = found.keys() - {*self.members, *self.absent}
        host_name = found[lobby.host].name if lobby.host in dealers else ""
        draw = SeedDraw(
            self.id, self.nonce, self.round, self.commitment, people, absent, host_name=host_name
        )
        return replace(lobby, draw=draw)

    def fits(self, lobby: Lobby) -> bool:
        draw = lobby.draw if lobby.is_drawing else None
        asked = sorted(person.member for person in lobby.drawers)
        is_due = draw is None or {person.member for person in draw.people} > set(self.members)
        is_fit = sorted((*self.members, *self.absent)) == asked
        return lobby.stage is not TablePhase.CLOSED and is_fit and is_due


class SharesCommitted(TableNews, frozen=True, tag=24):
    """All members have committed to their shares: these are the commitments, in their order."""

    commitments: Commitments

    def change(self, lobby: Lobby) -> Lobby:
        draw = _draw_under_way(lobby, self.commitments)
        return replace(lobby, draw=replace(draw, commitments=self.commitments))


class SharesShown(TableNews, frozen=True, tag=25):
    """All members have shown their shares: the seed follows from them and the host's."""

    shares: Shares

    def change(self, lobby: Lobby) -> Lobby:
        draw = _draw_under_way(lobby, self.shares)
        if len(draw.commitments) != len(self.shares):
            raise LookupError("nobody has committed to these shares")
        return replace(lobby, draw=replace(draw, shares=self.shares, done=True))


class HostSharesShown(TableNews, frozen=True, tag=38):
    """The game is over, and began at another computer: the shares of this host, by round, from 1.

    The share is empty for a round that this host did not deal, or dealt alone.
    """

    shares: Annotated[
        tuple[Annotated[bytes, Meta(max_length=SHARE_BYTES)], ...], Meta(max_length=ROUNDS)
    ]

    def fits(self, lobby: Lobby) -> bool:
        return bool(lobby.relocations)


class HostOffered(MemberNews, frozen=True, tag=36):
    """The host asks a member to run the table at their computer."""

    def change(self, lobby: Lobby) -> Lobby:
        return replace(lobby, offered=lobby.find_person(self.member).member)


class SeatAsked(SeatNews, frozen=True, tag=39):
    """A newcomer asks for a deserted seat whose person has the newcomer's name."""

    member: Member

    def change(self, lobby: Lobby) -> Lobby:
        asker, asks = lobby.find_person(self.member).member, lobby.asking_for(self.seat)
        if not any(place.seat == self.seat and place.takes_more for place in lobby.deserted):
            raise LookupError(self.seat)
        return _change_asks(lobby, self.seat, (*asks, asker))


class HandingOver(TableNews, frozen=True, tag=37):
    """The member whom the host asked takes over the table: everybody goes there, and nowhere else.

    Or it fails, and the table stays.
    """

    begins: bool

    def change(self, lobby: Lobby) -> Lobby:
        offered = lobby.offered if self.begins else THE_TABLE
        return replace(lobby, offered=offered, handing=self.begins)


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
    | Nudged
    | StepShown
    | BotClaimed
    | BotSaid
    | GameBegins
    | RoundBegins
    | Rematch
    | StoodIn
    | Reopened
    | Closed
    | RecordPublished
    | Locked
    | CodeRenewed
    | DrawBegan
    | SharesCommitted
    | SharesShown
    | HostSharesShown
    | HostChanged
    | BotRetired
    | BroughtBack
    | DrawnAnew
    | WentOn
    | HostOffered
    | HandingOver
    | SeatAsked
    | DwarfPicked
    | HallEvent
)


def apply_all(lobby: Lobby, news: Iterable[LobbyEvent]) -> Lobby:
    """Apply events in order. Raises LookupError: as `TableNews.change` does."""
    for event in news:
        lobby = event.change(lobby)
    return lobby


def count_game(lobby: Lobby, nuggets: Sequence[int]) -> Lobby:
    """Add a game in which each seat won this much gold.

    This is not an event: every program that saw the game counts it.
    """
    names = [lobby.name_at(seat) for seat in range(len(lobby.chairs))]
    return replace(lobby, evening=lobby.evening.after(names, nuggets))
