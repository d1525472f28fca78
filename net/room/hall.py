"""`Hall`: what a club is beside its tables: who is there, what is said, who opens a table.

It has no socket, clock or file, as `Room` has none: `net.server.club` tells it what happens, with
the time, and does what it returns. It never raises for what a client sends.
"""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Final, assert_never

from engine.dealing import SEED_BYTES
from net.protocol.hall import (
    MAX_CLUB_TABLES,
    BeginNight,
    CloseTable,
    DrawRound,
    EnterHall,
    FromHall,
    FromHallClient,
    GoTo,
    HallEntered,
    HallLine,
    HallNow,
    HallTalk,
    MovePerson,
    NightNow,
    OpenTable,
    Organise,
    OrganiserNow,
    OrganiserRequest,
    RenewCode,
    SayInHall,
    TableReady,
)
from net.protocol.lobby import MAX_CHAT_LINES, clean_text
from net.protocol.messages import (
    CloseReason,
    CommandRefused,
    DoorNow,
    Ping,
    Pong,
    Refusal,
)
from net.protocol.night import Night, NightTable
from net.protocol.requests import DoorKind
from net.protocol.text import clean_name
from net.room.club_names import ClubNames
from net.room.draws import Seeds
from net.room.hall_links import HallLink, HallLinks
from net.room.hall_orders import (
    CallOrder,
    CloseOrder,
    ClubOrder,
    CodeOrder,
    HallEffects,
    KeepNight,
    KeepOrganiser,
    OpenOrder,
    Outline,
    TellOrder,
    tell_presence,
)
from net.room.night import HEARD_S, NightRunner, RoundOrder
from net.room.organisers import Organisers
from net.room.permissions import read_settings
from net.room.sessions import MAX_CLOCK_STEP_S
from net.room.table_draw import table_sizes
from net.secure.limits import Limit, Limiter

MAX_TABLES_EACH: Final = 12  # most tables at once that one person is host of

MAX_TRIES: Final = 16
"""Most tries to enter on one connection: a client makes nine, each is compared with all names."""

TELL_INTERVAL_S: Final = 1.0
"""Fewest seconds between two times at which all are told how the hall looks, in some 30 kB."""

LINES: Final = Limit(rate=1 / 2, burst=8)  # lines that one person may say
TABLES: Final = Limit(rate=1 / 30, burst=3)  # tables that one person may open


class Hall:
    """The hall of a club. Times are in seconds of a clock that the shell owns."""

    def __init__(  # noqa: PLR0913 - this is all that a club keeps
        self,
        id_: str,
        club: str,
        names: Mapping[bytes, str],
        now: float,
        *,
        word: str = "",
        code: str = "",
        organisers: Iterable[bytes] = (),
        night: bytes = b"",
        seeds: Seeds = lambda: secrets.token_bytes(SEED_BYTES),
    ) -> None:
        """Open the hall of a club, by its id and name. `names` are those of its people, by key.

        Who knows the `word` is an organiser, as are those of the keys `organisers`; they are told
        the room `code`. `night` is the one that was kept, if any; `seeds` are those of its draws.
        """
        self.id = id_
        self.club = club
        self.names = ClubNames(names)
        self.code = code
        self.night = NightRunner(seeds, night)
        self._organisers = Organisers(word, organisers)
        self._sent: dict[bytes, str] = {}  # where those go who were called to the hall
        self._now = now
        self._clock = now
        self._outlines: dict[str, Outline] = {}
        self._links = HallLinks()
        self._talk: deque[HallLine] = deque(maxlen=MAX_CHAT_LINES)
        self._told: HallNow | None = HallNow((), ())  # what all know, `None` if some know more
        self._told_at = now - TELL_INTERVAL_S
        self._doors: dict[DoorKind, DoorNow] = {}
        self._limiter = Limiter()
        self._orders: list[ClubOrder] = []
        self._unanswered: list[OpenOrder] = []
        self._unseated = 0  # tables of a round that are being opened
        self._renewed = 0

    @property
    def present(self) -> int:
        """The number of people in the hall and at its tables."""
        return len(self._now_told().people)

    def has_room(self, tables: int = 1) -> bool:
        """Return True if there may be so many tables more, beside those that are being opened."""
        opening = len(self._unanswered) + self._unseated
        return len(self._outlines) + opening + tables <= MAX_CLUB_TABLES

    def collect(self) -> HallEffects:
        """Return all that is to be done since the last call."""
        do, orders = self._links.collect(), tuple(self._orders)
        done = HallEffects(do, orders, tuple(self.names.changed))
        self._orders.clear()
        self.names.changed.clear()
        return done

    # Connections.

    def arrive(self, connection: int, key: bytes, address: str) -> None:
        """Add a trusted connection. If too many have said nothing yet, end the oldest of them."""
        self._links.add(connection, key, address, self._now)

    def depart(self, connection: int) -> None:
        """Forget a connection that is gone, or that is now one to a table."""
        self._links.forget(connection)

    def reject(self, connection: int, why: CloseReason) -> None:
        """End a connection, giving the reason."""
        if connection in self._links:
            self._links.end(connection, why)

    def _enter(self, link: HallLink, message: EnterHall) -> None:
        """Let a person enter by their key's name, or by the one that they ask for if it is new."""
        name, wanted = self.names.get(link.key, ""), clean_name(message.name)
        reason = None if name else self.names.why_not(wanted, link.address, self._now)
        if reason is None and self._links.is_crowded(link):
            reason = Refusal.CROWDED
        if self._refuse(link, reason):
            link.tries += 1
            if link.tries >= MAX_TRIES:
                self._links.end(link.number, CloseReason.TOO_SLOW)
            return
        self._links.enter(link, name or wanted, watches=message.watch)
        self._keep_name(link.key, link.name)
        tell = partial(self._links.tell, [link])
        tell(HallEntered(self.id, self.club, link.name))
        tell(HallTalk(tuple(self._talk)))
        for door in self._doors.values():
            if door.port:
                tell(door)
        if self.night.night is not None:
            tell(NightNow(self.night.night))
        tell(self._now_told())
        self._told = None  # so this link is told even if all changes back to what others know
        if link.key in self._organisers:
            tell(OrganiserNow(self.code))
        if (table := self._sent.pop(link.key, "")) in self._outlines:
            tell(GoTo(table))

    def receive(self, connection: int, message: FromHallClient) -> None:
        """Handle what a person in the hall sends."""
        link = self._links.find(connection)
        if link is None:
            return
        link.heard = self._now
        match message:
            case Ping():
                self._links.tell([link], Pong(0))
            case EnterHall() if not link.name:
                self._enter(link, message)
            case _ if isinstance(message, EnterHall) or not link.name:
                self._links.end(connection, CloseReason.OUT_OF_ORDER)
            case SayInHall(text):
                self._say(link, clean_text(text))
            case OpenTable():
                self._open(link, message)
            case Organise(word):
                self._refuse(link, self._organise(link, word))
            case _ if isinstance(message, OrganiserRequest):
                is_organiser = link.key in self._organisers
                why = self._direct(message) if is_organiser else Refusal.ORGANISER_ONLY
                self._refuse(link, why)
            case _:
                assert_never(message)

    def tick(self, now: float) -> None:
        """Let time pass: end silent connections, and tell all of what has changed.

        While changes follow one another, all are told once in `TELL_INTERVAL_S`.
        """
        self._now += min(max(0.0, now - self._clock), MAX_CLOCK_STEP_S)
        self._clock = now
        self._links.end_silent(self._now)
        self._go_on_drawing()
        if self._now - self._told_at < TELL_INTERVAL_S:
            return
        present = self._now_told()
        if present != self._told:
            self._told, self._told_at = present, self._now
            self._links.tell_all(present)

    def note_door(self, door: DoorNow) -> None:
        """Note the state of a door, and tell all in the hall of it, as at a table."""
        self._doors[door.kind] = door
        self._links.tell_all(door)

    # Tables.

    def show(self, table: str, outline: Outline | None) -> None:
        """Note how a table looks now, `None` if it is no more."""
        if outline is None:
            self._outlines.pop(table, None)
        else:
            self._outlines[table] = outline
        if (outline is None or outline.gold) and self.night.note(
            table, () if outline is None else outline.gold
        ):
            self._orders.append(KeepNight(self.night.row))

    def answer(self, order: OpenOrder, opened: str | Refusal) -> None:
        """Tell who has ordered a table its id, or why it could not be opened."""
        self._unanswered = [one for one in self._unanswered if one is not order]
        link = self._links.find(order.connection)
        if link is not None:
            if isinstance(opened, Refusal):
                self._refuse(link, opened)
            else:
                self._links.tell([link], TableReady(opened))

    # The night, and its organisers.

    def seat(self, order: RoundOrder, opened: Sequence[NightTable] | Refusal) -> None:
        """Note the tables that were opened for a round, or why they could not be."""
        self._unseated = 0
        if isinstance(opened, Refusal):
            self.night.give_up()
            self._tell_organisers(CommandRefused(0, opened))
        else:
            self.night.seat(order, opened)
            self._orders.append(KeepNight(self.night.row))

    def settle(self) -> None:
        """Count tables of the round that are no more as closed, once all are resumed."""
        for table in set(self.night.tables_of_last_round()) - self._outlines.keys():
            self.show(table, None)

    def tell_night(self, night: Night) -> None:
        """Tell all of the night as it is now."""
        self._links.tell_all(NightNow(night))

    def renew(self, code: str) -> None:
        """Tell the organisers of a new room code, and all others that there is one.

        Who has proven the earlier one, and is not in yet, has to prove this one.
        """
        self._links.end_unentered(self.names)
        self.code = code
        self._renewed += 1
        self._tell_organisers(OrganiserNow(code))

    def _organise(self, link: HallLink, word: str) -> Refusal | None:
        """Make somebody an organiser, by the word that the club's program shows."""
        refused = self._organisers.admit(link.key, word, self._now)
        if refused is None:
            self._orders.append(KeepOrganiser(link.key))
            self._links.tell([link], OrganiserNow(self.code))
        return refused

    def _direct(self, request: OrganiserRequest) -> Refusal | None:
        """Do what an organiser asks, or return why not."""
        match request:
            case BeginNight():
                refused = self.night.begin(request)
                if refused is None:
                    self._orders.append(KeepNight(self.night.row))
                return refused
            case DrawRound():
                return self._draw()
            case MovePerson(name, table):
                return self._move(name, table)
            case CloseTable(table):
                if table not in self._outlines:
                    return Refusal.NOT_NOW
                self._orders.append(CloseOrder(table))
            case RenewCode():
                self._orders.append(CodeOrder())
            case _:
                assert_never(request)
        return None

    def _draw(self) -> Refusal | None:
        why, called = self.night.why_not_draw(), set[str]()
        if why is None:
            tables = [one for one in self.night.tables_of_last_round() if one in self._outlines]
            for table in tables:
                called |= {name for name, sits in self._outlines[table].people if sits}
            coming = {key for key, name in self.names.items() if name in called}
            if not self.has_room(
                len(table_sizes(len(coming | self._links.players(self._now - HEARD_S).keys())))
            ):
                return Refusal.CLUB_FULL
            self._orders += [CallOrder(table=table) for table in tables]
            self.night.draw(self._now, coming)
            self._go_on_drawing()
        return why

    def _go_on_drawing(self) -> None:
        due = self.night.go_on(self._now, self._links.players(self._now - HEARD_S))
        if isinstance(due, RoundOrder) and not due.present:
            self.seat(due, Refusal.NOT_NOW)
        elif isinstance(due, RoundOrder) and not self.has_room(due.tables):
            self.seat(due, Refusal.CLUB_FULL)
        elif isinstance(due, RoundOrder):
            self._unseated = due.tables
            self._orders.append(due)

    def _move(self, name: str, table: str) -> Refusal | None:
        """Send somebody to a table, by way of the hall if they are at another."""
        key = next((key for key, one in self.names.items() if one == name), None)
        here = [link for link in self._links.inside() if link.key == key]
        if table not in self._outlines:
            return Refusal.NOT_NOW
        if here:
            self._links.tell(here, GoTo(table))
        elif key is not None and any(name in dict(one.people) for one in self._outlines.values()):
            self._sent[key] = table
            self._orders.append(CallOrder(key))
        else:
            return Refusal.NO_SUCH_PERSON
        return None

    # Within.

    def _refuse(self, link: HallLink, why: Refusal | None) -> bool:
        """Refuse what somebody asked for, if there is a reason; return True if there is."""
        if why is not None:
            self._links.tell([link], CommandRefused(0, why))
        return why is not None

    def _keep_name(self, key: bytes, name: str) -> None:
        here: set[bytes | str] = set(self._links.keys())
        here |= {name for table in self._outlines.values() for name, _sits in table.people}
        self.names.keep(key, name, here)

    def _say(self, link: HallLink, text: str) -> None:
        may_speak = self._limiter.take(LINES, self._now, link.key)
        if not (text and may_speak):
            self._refuse(link, Refusal.NO_TEXT if may_speak else Refusal.TOO_FAST)
            return
        line = HallLine(link.name, text, link.key in self._organisers)
        self._talk.append(line)
        if line.organiser:
            self._orders.append(TellOrder(line.name, text))
        self._links.tell_all(HallTalk((line,)))

    def _open(self, link: HallLink, asked: OpenTable) -> None:
        order = self._order(link, asked)
        if isinstance(order, Refusal):
            self._refuse(link, order)
        else:
            self._orders.append(order)
            self._unanswered.append(order)

    def _order(self, link: HallLink, asked: OpenTable) -> OpenOrder | Refusal:
        name, settings = clean_name(asked.name), read_settings(asked.settings)
        if not name:
            return Refusal.NO_NAME
        if isinstance(settings, Refusal):
            return settings
        if not self.has_room():
            return Refusal.CLUB_FULL
        if self._count_tables(link.key) >= MAX_TABLES_EACH:
            return Refusal.TABLES_ENOUGH
        return (
            OpenOrder(link.number, link.key, name, settings)
            if self._limiter.take(TABLES, self._now, link.key)
            else Refusal.TOO_FAST
        )

    def _count_tables(self, host: bytes) -> int:
        """Return how many tables a person has, with those that are being opened."""
        hosts = [one.host for one in self._outlines.values()]
        return [*hosts, *(order.key for order in self._unanswered)].count(host)

    def _tell_organisers(self, message: FromHall) -> None:
        inside = self._links.inside()
        self._links.tell([link for link in inside if link.key in self._organisers], message)

    def _now_told(self) -> HallNow:
        inside = [link.name for link in self._links.inside()]
        return tell_presence(inside, self._outlines, self._renewed)
