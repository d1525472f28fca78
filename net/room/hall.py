"""`Hall`: what a club is beside its tables: who is there, what is said, who opens a table.

It has no socket, clock or file, as `Room` has none: `net.server.club` tells it what happens, with
the time, and does what it returns. It never raises for what a client sends.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never

from msgspec.structs import replace

from engine.edition import Edition
from net.discovery.advert import AdvertStage
from net.protocol.hall import (
    MAX_CLUB_TABLES,
    MAX_HALL_PEOPLE,
    EnterHall,
    FromHall,
    FromHallClient,
    HallEntered,
    HallLine,
    HallNow,
    HallPerson,
    HallTable,
    HallTalk,
    OpenTable,
    SayInHall,
    TableReady,
)
from net.protocol.lobby import MAX_CHAT_LINES, Lobby, Settings, clean_text
from net.protocol.messages import CloseReason, Closing, CommandRefused, Ping, Pong, Refusal
from net.protocol.text import clean_name, suffixed_name
from net.room.permissions import why_no_settings
from net.room.room import Room
from net.room.sessions import (
    ENTER_TIMEOUT_S,
    GONE_AFTER_S,
    MAX_CLOCK_STEP_S,
)
from net.secure.limits import SourceLimits, TokenBucket

MAX_STRANGERS: Final = 128
"""Most trusted connections that have not said yet where they lead, or whose table is resumed."""

MAX_LINKS: Final = 300  # most people in the hall at once
MAX_LINKS_PER_ADDRESS: Final = 60  # the same from one address: a school behind one router
MAX_NAMES: Final = 2000
"""Most people whose names a club keeps. Beyond that it forgets who has been away the longest."""

MAX_TABLES_EACH: Final = 12  # most tables at once that one person is host of

NAMES_AT_ONCE: Final = 30  # new people at once from one address; then one in ten seconds
LINES_AT_ONCE, LINES_PER_S = 8, 0.5
TABLES_AT_ONCE, TABLES_PER_S = 3, 1 / 30
"""Lines that one person may say, and tables that they may open: so many at once, and a second."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A table as the hall tells of it. `people` are names, with True for those who sit.

    `host` is its host's key, of which nobody is told.
    """

    name: str
    stage: AdvertStage
    edition: str
    players: int
    seats: int
    people: tuple[tuple[str, bool], ...] = ()
    host: bytes = b""


def outline_of(room: Room) -> Outline:
    """Return the outline of a table as it is: nothing that its watchers do not see."""
    lobby = room.lobby
    here = [person for person in lobby.people if not person.presence.is_gone]
    return Outline(
        lobby.name,
        room.stage,
        lobby.settings.edition,
        lobby.players,
        len(lobby.chairs),
        tuple((person.name, lobby.seat_of(person.member) is not None) for person in here),
        room.state.host_key,
    )


@dataclass(frozen=True, slots=True)
class OpenOrder:
    """An order to open a table for a person in the hall, who will be its host."""

    connection: int
    key: bytes
    name: str
    settings: Settings


@dataclass(frozen=True, slots=True)
class HallEffects:
    """Work for the shell: send each message on its connections, close connections, and so on.

    `named` are the names that keys have now, empty for a key that is forgotten.
    """

    sends: tuple[tuple[tuple[int, ...], FromHall], ...] = ()
    closes: tuple[int, ...] = ()
    opens: tuple[OpenOrder, ...] = ()
    named: tuple[tuple[bytes, str], ...] = ()


@dataclass(slots=True)
class _Link:
    """A trusted connection to the hall; `name` is empty until its person has entered."""

    key: bytes
    address: str
    came: float
    heard: float
    name: str = ""


_Quota: TypeAlias = dict[bytes, TokenBucket]


class Hall:
    """The hall of a club. Times are in seconds of a clock that the shell owns."""

    def __init__(self, id_: str, club: str, names: Mapping[bytes, str], now: float) -> None:
        """Open the hall of a club, by its id and name. `names` are those of its people, by key."""
        self.id = id_
        self.club = club
        self.names = dict(names)
        self._now = now
        self._clock = now
        self._outlines: dict[str, Outline] = {}
        self._links: dict[int, _Link] = {}
        self._talk: deque[HallLine] = deque(maxlen=MAX_CHAT_LINES)
        self._told = HallNow((), ())
        self._new_names = SourceLimits(rate=0.1, total=0.5, burst_s=NAMES_AT_ONCE / 0.1)
        self._lines: _Quota = {}
        self._tables: _Quota = {}
        self._sends: list[tuple[tuple[int, ...], FromHall]] = []
        self._closes: list[int] = []
        self._opens: list[OpenOrder] = []
        self._unanswered: list[OpenOrder] = []
        self._named: list[tuple[bytes, str]] = []

    @property
    def present(self) -> int:
        """The number of people in the hall and at its tables."""
        return len(self._list_people())

    @property
    def is_full(self) -> bool:
        """True if there are as many tables as there may be, with those that are being opened."""
        return len(self._outlines) + len(self._unanswered) >= MAX_CLUB_TABLES

    def collect(self) -> HallEffects:
        """Return all that is to be done since the last call."""
        done = HallEffects(
            tuple(self._sends), tuple(self._closes), tuple(self._opens), tuple(self._named)
        )
        for each in (self._sends, self._closes, self._opens, self._named):
            each.clear()
        return done

    # Connections.

    def arrive(self, connection: int, key: bytes, address: str) -> None:
        """Add a trusted connection. If too many have said nothing yet, end the oldest of them."""
        strangers = [number for number, link in self._links.items() if not link.name]
        if len(strangers) >= MAX_STRANGERS:
            self._end(strangers[0], CloseReason.TOO_SLOW)
        self._links[connection] = _Link(key, address, self._now, self._now)

    def depart(self, connection: int) -> None:
        """Forget a connection that is gone, or that is now one to a table."""
        self._links.pop(connection, None)

    def reject(self, connection: int, why: CloseReason) -> None:
        """End a connection, giving the reason."""
        if connection in self._links:
            self._end(connection, why)

    def _enter(self, connection: int, link: _Link, message: EnterHall) -> None:
        """Let a person enter by their key's name, or by the one that they ask for if it is new."""
        name = self.names.get(link.key, "")
        reason = self._why_not_enter(link, clean_name(message.name)) if not name else None
        if reason is None and self._is_crowded(link):
            reason = Refusal.CROWDED
        if reason is not None:
            self._sends.append(((connection,), CommandRefused(0, reason)))
            return
        for number, other in tuple(self._links.items()):
            if other.name and other.key == link.key:
                self._end(number, CloseReason.REPLACED)
        link.name = name or clean_name(message.name)
        self._keep_name(link.key, link.name)
        mine = (connection,)
        self._sends += [
            (mine, HallEntered(self.id, self.club, link.name)),
            (mine, HallTalk(tuple(self._talk))),
            (mine, self._now_told()),
        ]

    def receive(self, connection: int, message: FromHallClient) -> None:
        """Handle what a person in the hall sends."""
        link = self._links.get(connection)
        if link is None:
            return
        link.heard = self._now
        match message:
            case Ping():
                self._sends.append(((connection,), Pong(0)))
            case EnterHall() if not link.name:
                self._enter(connection, link, message)
            case _ if isinstance(message, EnterHall) or not link.name:
                self._end(connection, CloseReason.OUT_OF_ORDER)
            case SayInHall(text):
                self._say(connection, link, clean_text(text))
            case OpenTable():
                self._open(connection, link, message)
            case _:
                assert_never(message)

    def tick(self, now: float) -> None:
        """Let time pass: end silent connections, and tell all of what has changed."""
        self._now += min(max(0.0, now - self._clock), MAX_CLOCK_STEP_S)
        self._clock = now
        for number, link in tuple(self._links.items()):
            is_late = not link.name and self._now - link.came >= ENTER_TIMEOUT_S
            if is_late or self._now - link.heard >= GONE_AFTER_S:
                self._end(number, CloseReason.TOO_SLOW)
        present = self._now_told()
        if present != self._told:
            self._told = present
            self._tell_all(present)

    # Tables.

    def show(self, table: str, outline: Outline | None) -> None:
        """Note how a table looks now, `None` if it is no more."""
        if outline is None:
            self._outlines.pop(table, None)
        else:
            self._outlines[table] = outline

    def answer(self, order: OpenOrder, opened: str | Refusal) -> None:
        """Tell who has ordered a table its id, or why it could not be opened."""
        self._unanswered = [one for one in self._unanswered if one is not order]
        if order.connection in self._links:
            message: FromHall = TableReady(opened)
            if isinstance(opened, Refusal):
                message = CommandRefused(0, opened)
            self._sends.append(((order.connection,), message))

    def may_be_called(self, key: bytes, name: str) -> bool:
        """Return True if a name at a table is this person's, or theirs with a number added."""
        own = self.names.get(key, "")
        return name == own or any(name == suffixed_name(own, number) for number in range(2, 10))

    # Within.

    def _why_not_enter(self, link: _Link, name: str) -> Refusal | None:
        """Return why a new person cannot have a name, `None` if they can."""
        if not name:
            return Refusal.NO_NAME
        if name.casefold() in {one.casefold() for one in self.names.values()}:
            return Refusal.NAME_TAKEN
        is_counted = self._new_names.take(link.address, self._now)
        return None if is_counted else Refusal.BUSY

    def _is_crowded(self, link: _Link) -> bool:
        inside = [one for one in self._links.values() if one.name and one.key != link.key]
        near = sum(one.address == link.address for one in inside)
        return len(inside) >= MAX_LINKS or near >= MAX_LINKS_PER_ADDRESS

    def _keep_name(self, key: bytes, name: str) -> None:
        """Keep a person's name; the last of the list is who came last."""
        if self.names.pop(key, None) != name:
            self._named.append((key, name))
        self.names[key] = name
        if len(self.names) > MAX_NAMES:
            links = {link.key for link in self._links.values()}
            there = {name for table in self._outlines.values() for name, _ in table.people}
            away = (one for one in self.names if one not in links and self.names[one] not in there)
            gone = next(away, next(iter(self.names)))
            del self.names[gone]
            self._named.append((gone, ""))
            self._lines.pop(gone, None)
            self._tables.pop(gone, None)

    def _say(self, connection: int, link: _Link, text: str) -> None:
        fresh = TokenBucket(LINES_PER_S, LINES_AT_ONCE, self._now)
        is_slow = self._lines.setdefault(link.key, fresh).take(1, self._now)
        if not (text and is_slow):
            reason = Refusal.NO_TEXT if is_slow else Refusal.TOO_FAST
            self._sends.append(((connection,), CommandRefused(0, reason)))
            return
        line = HallLine(link.name, text)
        self._talk.append(line)
        self._tell_all(HallTalk((line,)))

    def _open(self, connection: int, link: _Link, asked: OpenTable) -> None:
        quota = self._tables.setdefault(
            link.key, TokenBucket(TABLES_PER_S, TABLES_AT_ONCE, self._now)
        )
        name, reason = clean_name(asked.name), None
        if not name:
            reason = Refusal.NO_NAME
        elif (wrong := why_no_settings(Lobby.empty(name, Settings()), asked.settings)) is not None:
            reason = wrong
        elif self.is_full:
            reason = Refusal.CLUB_FULL
        elif self._count_tables(link.key) >= MAX_TABLES_EACH:
            reason = Refusal.TABLES_ENOUGH
        elif not quota.take(1, self._now):
            reason = Refusal.TOO_FAST
        if reason is not None:
            self._sends.append(((connection,), CommandRefused(0, reason)))
            return
        edition = Edition.read(asked.settings.edition).text
        settings = replace(asked.settings, edition=edition)
        order = OpenOrder(connection, link.key, name, settings)
        self._opens.append(order)
        self._unanswered.append(order)

    def _count_tables(self, host: bytes) -> int:
        """Return how many tables a person has, with those that are being opened."""
        hosts = [one.host for one in self._outlines.values()]
        return [*hosts, *(order.key for order in self._unanswered)].count(host)

    def _end(self, connection: int, why: CloseReason) -> None:
        self._sends.append(((connection,), Closing(why)))
        self._closes.append(connection)
        del self._links[connection]

    def _tell_all(self, message: FromHall) -> None:
        inside = tuple(number for number, link in self._links.items() if link.name)
        if inside:
            self._sends.append((inside, message))

    def _list_people(self) -> list[HallPerson]:
        people = [HallPerson(link.name) for link in self._links.values() if link.name]
        for at, outline in enumerate(self._outlines.values()):
            people += [HallPerson(name, at, sits) for name, sits in outline.people]
        return people

    def _now_told(self) -> HallNow:
        tables = tuple(
            HallTable(table, one.name, one.stage, one.edition, one.players, one.seats)
            for table, one in self._outlines.items()
        )
        return HallNow(tables, tuple(self._list_people()[:MAX_HALL_PEOPLE]))
