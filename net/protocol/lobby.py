"""The lobby's model: chairs, people, settings, claims and the games of an evening, as plain values.

Every table counts its games. A player who leaves keeps their gold in the standings of the evening.
People are identified by their names, since no two at a table have the same.

All of it is public. Claims and chat may be false (T6): only their form is checked. The host cleans
text from others once, with `clean_text`; after that it is harmless on any terminal. It is never
markup.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from enum import IntEnum
from functools import cached_property
from types import MappingProxyType
from typing import Annotated, Final, TypeAlias, assert_never

from msgspec import Meta, msgpack
from msgspec.structs import replace

from engine.board import GOAL_CELLS
from engine.cards import Tool
from engine.dealing import COMMITMENT_BYTES, DRAW_ID_BYTES, NONCE_BYTES, SHARE_BYTES
from net.protocol.board import EMPTY_BOARD, MAX_HALL_PEOPLE, HallBoard
from net.protocol.cleaning import MAX_CHAT_BYTES, MAX_CHAT_CELLS, clean, is_clean
from net.protocol.fields import (
    MAX_SEATS,
    NO_KEY,
    NOBODY,
    EditionText,
    PlayerName,
    SeatKeyBytes,
    SeatNumber,
    SeatOrNobody,
    Small,
)
from net.protocol.framing import Count, Wire

MAX_PEOPLE: Final = 40  # maximum number of people at a table, players and watchers


class EveningRow(Wire, frozen=True):
    """A person's games and gold in an evening; `won` counts games in which nobody had more gold."""

    name: PlayerName
    games: Small = 0
    won: Small = 0
    gold: Annotated[int, Meta(ge=0, le=9999)] = 0


class Evening(Wire, frozen=True):
    """The standings of an evening: how many games are over, and a row for each player."""

    games: Small = 0
    rows: Annotated[tuple[EveningRow, ...], Meta(max_length=MAX_PEOPLE)] = ()

    def after(self, names: Sequence[str], nuggets: Sequence[int]) -> Evening:
        """Add the nuggets that each of these players won in a game.

        Beyond `MAX_PEOPLE` rows, those of people who did not play this game are dropped, least gold
        first.
        """
        found = {row.name.casefold(): row for row in self.rows}
        most = max(nuggets)
        for name, gold in zip(names, nuggets, strict=True):
            row = found.get(name.casefold(), EveningRow(name))
            found[name.casefold()] = replace(
                row,
                games=min(row.games + 1, MAX_GAMES),
                won=min(row.won + (gold == most), MAX_GAMES),
                gold=row.gold + gold,
            )
        played = {name.casefold() for name in names}
        ranked = sorted(
            found.values(), key=lambda row: (row.name.casefold() not in played, *_rank(row))
        )
        rows = sorted(ranked[:MAX_PEOPLE], key=_rank)
        return Evening(min(self.games + 1, MAX_GAMES), tuple(rows))

    @property
    def first(self) -> tuple[EveningRow, ...]:
        return tuple(row for row in self.rows if _rank(row)[:2] == _rank(self.rows[0])[:2])


MAX_GAMES: Final = 127  # maximum number of games that are counted


def _rank(row: EveningRow) -> tuple[int, int, str]:
    return -row.gold, -row.won, row.name.casefold()


MIN_SEATS: Final = 3
THE_TABLE: Final = 0
"""The member number of nobody. As the author of a step: the table made it automatically."""

Member: TypeAlias = Annotated[int, Meta(ge=1, le=2**31 - 1)]
"""Number of a person at a table, in order of arrival. Never used twice."""

MemberOrTable: TypeAlias = Count
"""Number of a person, or `THE_TABLE`."""

Members: TypeAlias = Annotated[tuple[Member, ...], Meta(max_length=MAX_SEATS)]
"""Members who have seats, so at most `MAX_SEATS` of them."""

SeatNumbers: TypeAlias = Annotated[tuple[SeatNumber, ...], Meta(max_length=MAX_SEATS)]
"""Some of a table's seats, so at most `MAX_SEATS` of them."""

Level: TypeAlias = Annotated[str, Meta(max_length=16, extra={"is_clean": str.isprintable})]
"""Name of a bot's level: a key of `engine.bots.BOTS`, or the name of an installed bot."""


class Presence(IntEnum):
    """State of a person's connection: alive, silent for a while, lost, or left for now."""

    THERE = 0
    SHAKY = 1
    GONE = 2
    AWAY = 3

    @property
    def is_gone(self) -> bool:
        return self in (Presence.GONE, Presence.AWAY)


class Absence(IntEnum):
    """Setting for the turn of an absent player: wait for them, or let a bot move."""

    WAIT = 0
    BOT = 1


class ChatRule(IntEnum):
    """Setting for talk: only claims, watchers only between rounds, or everybody at any time."""

    CLAIMS = 0
    WATCHERS_WAIT = 1
    ALL = 2


class TablePhase(IntEnum):
    """Phase of a table. The end of a game is in its view, not here."""

    LOBBY = 0
    PLAYING = 1
    CLOSED = 2


class Free(Wire, frozen=True, tag=1):
    """A chair without a person or a bot. In a game the stand-in bot plays it."""


class Taken(Wire, frozen=True, tag=2):
    """A person's chair."""

    member: Member
    ready: bool


class BotChair(Wire, frozen=True, tag=3):
    """A bot's chair."""

    name: PlayerName
    level: Level


Chair: TypeAlias = Free | Taken | BotChair


MAX_LOOKS: Final = MAX_SEATS  # number of faces, and of colours: enough for a full table


class Dwarf(Wire, frozen=True):
    """The face and the colour of the dwarf that represents a player: `NOBODY` if not picked."""

    face: Annotated[int, Meta(ge=NOBODY, le=MAX_LOOKS - 1)] = NOBODY
    colour: Annotated[int, Meta(ge=NOBODY, le=MAX_LOOKS - 1)] = NOBODY


UNPICKED: Final = Dwarf()


def next_free(wish: int, taken: Container[int]) -> int:
    """Return this face or colour, or the next one that is not taken; `NOBODY` for no wish."""
    looks = ((wish + further) % MAX_LOOKS for further in range(MAX_LOOKS))
    return NOBODY if wish == NOBODY else next((look for look in looks if look not in taken), wish)


def _rank_chair(chair: Chair, seat: int) -> tuple[int, int, str, int]:
    """Return a sort key by which chairs choose looks, and the look a chair chooses if it is free.

    People are first, in the order of their numbers, then bots by name, then free chairs by seat.
    """
    match chair:
        case Taken(member):
            return 0, member, "", (member - 1) % MAX_LOOKS
        case BotChair(name):
            first = name.partition(" ")[0]
            at = BOT_NAMES.index(first) if first in BOT_NAMES else sum(map(ord, name))
            return 1, 0, name, (MAX_LOOKS - 1 - at) % MAX_LOOKS  # people begin at the other end
        case Free():
            return 2, 0, "", seat
        case _:
            assert_never(chair)


def _give_out(picked: Sequence[int], ranks: Sequence[tuple[int, int, str, int]]) -> list[int]:
    """Return faces, or colours, by seat, no two the same; picks come before defaults."""
    given: dict[int, int] = {}
    for seat in sorted(range(len(picked)), key=lambda seat: (picked[seat] == NOBODY, ranks[seat])):
        wish = ranks[seat][-1] if picked[seat] == NOBODY else picked[seat]
        given[seat] = next_free(wish, given.values())
    return [given[seat] for seat in range(len(picked))]


class Person(Wire, frozen=True):
    """A person at the table, with or without a chair.

    A person who came to play and found no seat `waits` for one, in the next game. `key` is the
    public part of their seat key. A person `at_door` has no program of their own. A projector
    watches for a room full of people. The `dwarf` is what they have picked so far.
    """

    member: Member
    name: PlayerName
    presence: Presence
    waits: bool = False
    key: SeatKeyBytes = NO_KEY
    at_door: bool = False
    projector: bool = False
    dwarf: Dwarf = UNPICKED


DEFAULT_LEVEL: Final = "medium"  # level of a bot unless another is chosen


class Settings(Wire, frozen=True):
    """The terms of a table, which its host chooses before the game."""

    edition: EditionText = "international"  # as `engine.edition.Edition.text`
    rounds: Annotated[int, Meta(ge=1, le=3)] = 3
    seats: Annotated[int, Meta(ge=MIN_SEATS, le=MAX_SEATS)] = 5
    youngest: SeatOrNobody = NOBODY  # the seat that begins (S8)
    is_open: bool = False  # True if no room code is needed
    absent: Absence = Absence.BOT
    turn_seconds: Annotated[int, Meta(ge=0, le=3600)] = 0
    """Time to think for a player who is connected; then a bot makes one move. 0 for no limit."""
    stand_in: Level = DEFAULT_LEVEL  # the bot that moves for absent and slow players
    hints: bool = True
    """True if programs may advise on moves: an agreement, as nobody sees what others run."""
    chat: ChatRule = ChatRule.WATCHERS_WAIT


DrawId: TypeAlias = Annotated[bytes, Meta(min_length=DRAW_ID_BYTES, max_length=DRAW_ID_BYTES)]
"""Id of a draw: a hash of its nonce and of all that the deal depends on (`net.room.seeds`)."""

Nonce: TypeAlias = Annotated[bytes, Meta(min_length=NONCE_BYTES, max_length=NONCE_BYTES)]
"""Random bytes of the host, new for each draw."""

Commitment: TypeAlias = Annotated[
    bytes, Meta(min_length=COMMITMENT_BYTES, max_length=COMMITMENT_BYTES)
]
ShareBytes: TypeAlias = Annotated[bytes, Meta(min_length=SHARE_BYTES, max_length=SHARE_BYTES)]
Commitments: TypeAlias = Annotated[tuple[Commitment, ...], Meta(max_length=MAX_SEATS)]
Shares: TypeAlias = Annotated[tuple[ShareBytes, ...], Meta(max_length=MAX_SEATS)]


class Drawer(Wire, frozen=True):
    """A person whose program is asked for a share; `at_door` it runs at the host's computer."""

    member: Member
    name: PlayerName
    at_door: bool = False


class SeedDraw(Wire, frozen=True):
    """The draw of the seed of a round, as far as it is public (`engine.dealing`).

    `commitments` and `shares` are in the order of the `people`, and empty until everybody's have
    arrived.
    """

    id: DrawId
    nonce: Nonce
    round: Small
    host: Commitment  # the host's own
    people: Annotated[tuple[Drawer, ...], Meta(max_length=MAX_SEATS)]  # those asked for shares
    absent: Annotated[tuple[Drawer, ...], Meta(max_length=MAX_SEATS)] = ()  # players left out
    commitments: Commitments = ()
    shares: Shares = ()
    done: bool = False
    host_name: PlayerName = ""  # of the host who began it; the table may move before it ends


Term: TypeAlias = Count
"""Number of a table's host: a table that has moved to another computer has a higher one."""


MAX_MOVES_KEPT: Final = 8  # maximum number of hosts of one game that are kept


class Relocation(Wire, frozen=True):
    """A game moved to another computer, in this term, while this round was played.

    `anew` are the seats whose cards and dwarf were drawn again. If the reports of the seats
    `at_odds` could not all be true, no report was used, and the round was dealt again.
    """

    term: Term
    round: Small
    anew: SeatNumbers = ()
    at_odds: SeatNumbers = ()


class Deserted(Wire, frozen=True):
    """A seat whose person, `member`, has not returned since the table moved to another computer.

    So nobody has seen its cards, which were drawn again or dealt since. Newcomers with that
    person's name may ask for it; if the host lends it to one of them, they sit there until the
    member returns.
    """

    seat: SeatNumber
    member: Member
    asks: Members = ()  # the newcomers who ask for it

    @property
    def takes_more(self) -> bool:
        return len(self.asks) < MAX_SEATS


class Lobby(Wire, frozen=True, dict=True):
    """A table and everybody at it, or a club's hall, which has no chairs."""

    name: PlayerName
    settings: Settings
    chairs: Annotated[tuple[Chair, ...], Meta(max_length=MAX_SEATS)]
    people: Annotated[tuple[Person, ...], Meta(max_length=MAX_HALL_PEOPLE)] = ()
    host: MemberOrTable = THE_TABLE  # nobody before the host has arrived
    stage: TablePhase = TablePhase.LOBBY
    paused: bool = False
    locked: bool = False  # True while no newcomer may enter
    draw: SeedDraw | None = None  # the last draw of the present game, or before it begins
    term: Term = 0
    evening: Evening = Evening()
    short: Small = 0  # the round that is played although too few people are present, 0 for none
    relocations: Annotated[tuple[Relocation, ...], Meta(max_length=MAX_MOVES_KEPT)] = ()
    """The last ones of the present game."""
    in_club: bool = False  # a club's table never moves to another computer
    offered: MemberOrTable = THE_TABLE  # whom the host asks to run the table; else nobody
    handing: bool = False  # True while it is handed over, and does not play
    deserted: Annotated[tuple[Deserted, ...], Meta(max_length=MAX_SEATS)] = ()
    hall: HallBoard | None = None  # the board of a club's hall

    @property
    def is_hall(self) -> bool:
        return self.hall is not None

    @property
    def is_of_night(self) -> bool:
        """True for a table of a club's night, which nobody hosts."""
        return self.in_club and self.host == THE_TABLE and not self.is_hall

    @property
    def board(self) -> HallBoard:
        """The board of a hall, an empty one at a table."""
        return self.hall or EMPTY_BOARD

    @staticmethod
    def empty(name: str, settings: Settings, *, in_club: bool = False) -> Lobby:
        return Lobby(name, settings, (Free(),) * settings.seats, in_club=in_club)

    @staticmethod
    def without_chairs(name: str) -> Lobby:
        return Lobby(name, Settings(), (), in_club=True, hall=EMPTY_BOARD)

    def seat_of(self, member: int) -> int | None:
        """Return the seat of a member, `None` for a watcher."""
        return self.seats.get(member)

    @property
    def lent(self) -> tuple[Deserted, ...]:
        """The deserted seats in which somebody else sits, until their own people return."""
        return tuple(
            deserted for deserted in self.deserted if self.seat_of(deserted.member) != deserted.seat
        )

    def lent_to(self, member: int) -> Deserted | None:
        """Return the seat that was lent to a member, `None` if none was."""
        return next(
            (deserted for deserted in self.lent if deserted.seat == self.seat_of(member)), None
        )

    def has_deserted(self, deserted: Deserted) -> bool:
        """Return True if the seat exists, and its person and those who ask are at the table."""
        people = (deserted.member, *deserted.asks)
        return deserted.seat < len(self.chairs) and all(map(self.person, people))

    def asking_for(self, seat: int) -> tuple[int, ...]:
        return next((deserted.asks for deserted in self.deserted if deserted.seat == seat), ())

    def find_deserted(self, name: str) -> Deserted | None:
        """Return the deserted seat of a person with this name that may be asked for, or `None`."""
        for deserted in self.deserted:
            is_theirs = self.find_person(deserted.member).name.casefold() == name.casefold()
            if is_theirs and deserted not in self.lent and deserted.takes_more:
                return deserted
        return None

    def is_bot(self, seat: int) -> bool:
        return seat < len(self.chairs) and isinstance(self.chairs[seat], BotChair)

    def is_ready(self, member: int) -> bool:
        return any(chair.ready for chair, _person in self.sitting if chair.member == member)

    def person(self, member: int) -> Person | None:
        return self._people.get(member)

    def find_person(self, member: int) -> Person:
        """Return the person with this member number. Raises `LookupError` if nobody has it."""
        return self._people[member]

    @property
    def is_drawing(self) -> bool:
        """True while a seed is being drawn: nobody changes seats, and nothing else begins."""
        return self.draw is not None and not self.draw.done

    @cached_property
    def drawers(self) -> tuple[Person, ...]:
        """The people, by seat, whose programs are asked for shares: all players but the host.

        At a club's table the club's program deals, so its host is one of the others.
        """
        people = [person for _chair, person in self.sitting]
        return tuple(person for person in people if self.in_club or person.member != self.host)

    @property
    def dealer(self) -> str:
        """The name of the host, whose program deals; "" before they come, and at a club's table."""
        host = None if self.in_club else self.person(self.host)
        return "" if host is None else host.name

    def name_at(self, seat: int) -> str:
        """Return the name of the person or bot on a seat, empty for a free chair."""
        chair = self.chairs[seat]
        match chair:
            case Free():
                return ""
            case BotChair(name):
                return name
            case Taken(member):
                return self.find_person(member).name
            case _:
                assert_never(chair)

    def names(self, but: int | None = None) -> frozenset[str]:
        """Return all names of people and bots, case-folded, except a bot's on seat `but`."""
        bots = [
            chair.name
            for seat, chair in enumerate(self.chairs)
            if isinstance(chair, BotChair) and seat != but
        ]
        return frozenset(map(str.casefold, [*(person.name for person in self.people), *bots]))

    def has_name(self, name: str, but: int | None = None) -> bool:
        """Return True if a person or a bot has this name, ignoring case.

        A bot on seat `but` does not count.
        """
        return name.casefold() in self.names(but)

    def grant(self, member: int, wish: Dwarf) -> Dwarf:
        """Return the dwarf of a member who picks this one.

        If another player has picked the face or colour, it becomes the next free one.
        """
        others = [person.dwarf for _chair, person in self.sitting if person.member != member]
        face = next_free(wish.face, {dwarf.face for dwarf in others})
        return Dwarf(face, next_free(wish.colour, {dwarf.colour for dwarf in others}))

    @cached_property
    def dwarves(self) -> tuple[Dwarf, ...]:
        """The players' dwarves by seat: no two have the same face, or the same colour.

        Looks that nobody has picked are given to people by their numbers and to bots by their
        names, wherever they sit.
        """
        ranks = [_rank_chair(chair, seat) for seat, chair in enumerate(self.chairs)]
        picked = [
            self.find_person(chair.member).dwarf if isinstance(chair, Taken) else UNPICKED
            for chair in self.chairs
        ]
        faces = _give_out([dwarf.face for dwarf in picked], ranks)
        return tuple(map(Dwarf, faces, _give_out([dwarf.colour for dwarf in picked], ranks)))

    @property
    def is_sound(self) -> bool:
        """True if each seated person is at the table once, and the chairs match the settings."""
        sitting = [chair.member for chair in self.chairs if isinstance(chair, Taken)]
        here = {person.member for person in self.people}
        return (
            len(self.chairs) == (0 if self.is_hall else self.settings.seats)
            and len(set(sitting)) == len(sitting)
            and len(here) == len(self.people)
            and here.issuperset(sitting)
        )

    @property
    def players(self) -> int:
        return len(self.chairs) - len(self.free_seats)

    @property
    def free_seats(self) -> tuple[int, ...]:
        return tuple(seat for seat, chair in enumerate(self.chairs) if isinstance(chair, Free))

    def first_free(self) -> int | None:
        return next(iter(self.free_seats), None)

    def next_seat(self) -> int | None:
        """Return the seat for one more player before a game, `None` if the table is full.

        If none is free, a seat is added, up to `MAX_SEATS`, unless the seats were drawn.
        """
        if self.free_seats or self.is_hall or self.is_of_night or len(self.chairs) == MAX_SEATS:
            return self.first_free()
        return len(self.chairs)

    @cached_property
    def watchers(self) -> tuple[Person, ...]:
        return tuple(person for person in self.people if person.member not in self.seats)

    # Cached, as a lobby outlasts many moves, each of which asks who sits where and hashes all of
    # it.

    @cached_property
    def packed(self) -> bytes:
        return msgpack.encode(self)

    @cached_property
    def seats(self) -> Mapping[int, int]:
        chairs = enumerate(self.chairs)
        seats = {chair.member: seat for seat, chair in chairs if isinstance(chair, Taken)}
        return MappingProxyType(seats)

    @cached_property
    def _people(self) -> Mapping[int, Person]:
        return MappingProxyType({person.member: person for person in self.people})

    @cached_property
    def sitting(self) -> tuple[tuple[Taken, Person], ...]:
        return tuple(
            (chair, self._people[chair.member]) for chair in self.chairs if isinstance(chair, Taken)
        )

    @cached_property
    def has_its_people(self) -> bool:
        """True if more than half of those with seats are there, or half with the lowest seat."""
        people = [person for _chair, person in self.sitting if person.presence is not Presence.AWAY]
        there = [person for person in people if person.presence is Presence.THERE]
        if 2 * len(there) == len(people):
            return people[:1] == there[:1] != []
        return 2 * len(there) > len(people)


class TableNews(Wire, frozen=True):
    """Base of the news that everybody at a table receives. By itself it changes nothing."""

    def change(self, lobby: Lobby) -> Lobby:
        """Apply this event.

        Raises LookupError: it is about a seat or a member that the lobby does not have.
        """
        return lobby

    def fits(self, lobby: Lobby) -> bool:
        del lobby
        return True


class Topic(IntEnum):
    """Topic of a claim. It decides what `about` counts from 0: goals, tools, seats or nothing."""

    GOLD_AT = 0  # a goal, from north to south
    STONE_AT = 1
    DIGS_FOR_US = 2  # a seat
    DIGS_AGAINST_US = 3
    HELP_ME = 4  # a tool, in the order of engine.cards.Tool
    BLUFF = 5  # a seat whose claims are doubted
    WHO_ME = 6  # nothing


class TableClaim(Wire, frozen=True):
    """A claim: a topic, and the goal, seat or tool that it is about, 0 if there is none."""

    topic: Topic
    about: Annotated[int, Meta(ge=0, le=MAX_SEATS - 1)] = 0

    def fits(self, seats: int) -> bool:
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


MAX_CHAT_LINES: Final = 50
"""Maximum number of lines of chat that are kept and that a snapshot carries."""


def is_clean_text(text: str) -> bool:
    """Return True if `clean_text` would not change a line of chat, even on a newer Python."""
    return is_clean(text, MAX_CHAT_CELLS, MAX_CHAT_BYTES)


ChatText: TypeAlias = Annotated[
    str, Meta(max_length=MAX_CHAT_BYTES, extra={"is_clean": is_clean_text})
]


def clean_text(text: str) -> str:
    """Clean a text for use as a line of chat; the result may be empty."""
    return clean(text, MAX_CHAT_CELLS, MAX_CHAT_BYTES)


BOT_NAMES: Final = ("Borin", "Dagna", "Eitri", "Frida", "Gromm", "Hulda", "Ivald", "Kelda", "Norri")
"""Names for bots, each with its own initial."""


def bot_names(count: int, taken: Container[str]) -> tuple[str, ...]:
    """Return `count` names for bots, none of them in `taken`, which holds names case-folded."""
    found: list[str] = []
    number = 1
    while len(found) < count:
        names = BOT_NAMES if number == 1 else [f"{name} {number}" for name in BOT_NAMES]
        found += [name for name in names if name.casefold() not in taken]
        number += 1
    return tuple(found[:count])
