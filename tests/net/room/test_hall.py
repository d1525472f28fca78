"""The hall of a club as a value: who may enter, by which name, and what they are told."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import product
from random import Random

import pytest

from engine.edition import (
    EDITIONS,
    ConnectRule,
    DeadTable,
    Direction,
    ShareRule,
    StarterRule,
)
from net.discovery.advert import AdvertStage
from net.protocol.framing import MAX_HOST_FRAME_BYTES, pack
from net.protocol.hall import (
    MAX_CLUB_TABLES,
    MAX_HALL_PEOPLE,
    EnterHall,
    FromHall,
    FromHallClient,
    HallEntered,
    HallNow,
    HallPerson,
    HallTalk,
    OpenTable,
    SayInHall,
    TableReady,
)
from net.protocol.lobby import Settings
from net.protocol.messages import (
    CloseReason,
    Closing,
    CommandRefused,
    DoorNow,
    Ping,
    Pong,
    Refusal,
)
from net.protocol.requests import DoorKind
from net.protocol.text import MAX_NAME_BYTES, clean_name
from net.room import club_names, hall_links
from net.room import hall as hall_module
from net.room.hall import MAX_TRIES, Hall
from net.room.hall_orders import (
    ClubOrder,
    HallEffects,
    OpenOrder,
    Outline,
    TellOrder,
    outline_of,
)
from net.room.sessions import ENTER_TIMEOUT_S, GONE_AFTER_S
from tests.net.room.twin_games import plan, twin_script
from tests.net.room.twin_tables import perform, short_of_the_record

ROOM = Outline("Gold Rush", AdvertStage.LOBBY, "international", 1, 5, (("Ben", True),))


@dataclass
class Lobbyists:
    """People in a hall, what each was told, and what the club was ordered to do."""

    hall: Hall = field(default_factory=lambda: Hall("0" * 16, "The Nugget", {}, 0.0))
    told: dict[int, list[FromHall]] = field(default_factory=dict)
    closed: list[int] = field(default_factory=list)
    orders: list[ClubOrder] = field(default_factory=list)
    named: list[tuple[bytes, str]] = field(default_factory=list)
    now: float = 0.0

    def come(self, number: int, name: str = "", address: str = "") -> None:
        """Somebody connects, and enters if there is a name."""
        self.hall.arrive(number, bytes([number % 251]) * 31 + bytes([number // 251]), address)
        self.told[number] = []
        if name:
            self.say(number, EnterHall(name))

    def say(self, number: int, message: FromHallClient) -> None:
        """Somebody says something."""
        self.hall.receive(number, message)
        self.take(self.hall.collect())

    def wait(self, seconds: float) -> None:
        """Time passes, by ticks as the shell gives them."""
        end = self.now + seconds
        while self.now < end:
            self.now = min(end, self.now + 0.5)
            self.hall.tick(self.now)
            self.take(self.hall.collect())

    def take(self, effects: HallEffects) -> None:
        """Do what the hall orders."""
        for numbers, message in effects.sends:
            for number in numbers:
                self.told[number].append(message)
        self.closed += effects.closes
        self.orders += effects.orders
        self.named += effects.named

    @property
    def opens(self) -> list[OpenOrder]:
        """The orders to open a table."""
        return [order for order in self.orders if isinstance(order, OpenOrder)]

    def refusal(self, number: int) -> Refusal | None:
        """Why the last thing that somebody asked for was refused."""
        last = self.told[number][-1]
        return last.reason if isinstance(last, CommandRefused) else None

    def names(self) -> list[str]:
        """Who is there, as all are told who are."""
        return [one.name for one in self.hall._now_told().people]


def test_who_enters_is_told_all_at_once_and_all_others_with_the_next_tick() -> None:
    club = Lobbyists()
    club.hall.show("a" * 16, ROOM)
    club.come(1, "Ann")
    entered, talk, present = club.told[1]
    assert entered == HallEntered("0" * 16, "The Nugget", "Ann")
    assert talk == HallTalk(())
    assert isinstance(present, HallNow)
    assert present.people == (HallPerson("Ann"), HallPerson("Ben", 0, sits=True))
    club.wait(0.5)
    club.come(2, "Cleo")
    before = len(club.told[1])
    assert before == 4
    club.wait(5)
    assert [type(one) for one in club.told[1][before:]] == [HallNow], (
        "once, as nothing else changed"
    )


def test_all_tables_are_told_what_an_organiser_says_and_nobody_else() -> None:
    club = Lobbyists(Hall("0" * 16, "The Nugget", {}, 0.0, organisers=[bytes([1]) * 31 + b"\0"]))
    club.come(1, "Olga")
    club.come(2, "Ben")
    club.say(2, SayInHall("hello"))
    assert club.orders == []
    club.say(1, SayInHall("the bar is open"))
    assert club.orders == [TellOrder("Olga", "the bar is open")]


def test_all_in_the_hall_are_told_of_the_browser_door_and_of_no_other() -> None:
    club, door = Lobbyists(), DoorNow(DoorKind.WEB, 7381, "ab" * 32)
    club.come(1, "Ann")
    club.come(2)
    club.hall.note_door(DoorNow(DoorKind.SSH, 7351, "SHA256:gold"))
    club.hall.note_door(door)
    club.take(club.hall.collect())
    club.come(3, "Cleo")
    assert [one for one in club.told[1] if isinstance(one, DoorNow)] == [door]
    assert club.told[2] == [], "not while they are on the way"
    assert [one for one in club.told[3] if isinstance(one, DoorNow)] == [door]
    club.hall.note_door(DoorNow(DoorKind.WEB))
    club.take(club.hall.collect())
    club.come(4, "Dora")
    assert club.told[1][-1] == DoorNow(DoorKind.WEB)
    assert not any(isinstance(one, DoorNow) for one in club.told[4]), "it is closed"


def test_names_belong_to_keys_and_are_told_to_the_disk_once() -> None:
    club = Lobbyists()
    club.come(1, "Ann")
    club.come(2, "ANN")
    assert club.refusal(2) is Refusal.NAME_TAKEN
    club.say(2, EnterHall("Ben"))
    assert club.refusal(2) is None
    club.hall.depart(2)
    club.come(2, "Somebody Else")
    assert club.told[2][0] == HallEntered("0" * 16, "The Nugget", "Ben")
    assert [name for _key, name in club.named] == ["Ann", "Ben"]
    club.come(3, "\x07 ")
    assert club.refusal(3) is Refusal.NO_NAME


def test_a_club_that_knows_too_many_forgets_who_was_away_the_longest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(club_names, "MAX_NAMES", 3)
    club = Lobbyists()
    for number, name in enumerate(("Ann", "Ben", "Cleo"), 1):
        club.come(number, name)
    club.hall.depart(2)
    club.hall.depart(3)
    club.hall.depart(2)
    club.come(2, "Ben")
    club.hall.depart(2)
    club.come(4, "Dan")
    assert list(club.hall.names.values()) == ["Ann", "Ben", "Dan"], "Ann is there, Ben was later"
    assert club.named[-1][1] == ""


def test_newcomers_from_one_address_are_counted_and_those_who_are_known_are_not() -> None:
    club = Lobbyists()
    for number in range(1, 32):
        club.come(number, f"P{number}", "10.0.0.1")
    assert club.refusal(31) is Refusal.BUSY
    assert club.refusal(30) is None
    club.come(40, "Far", "10.0.0.2")
    assert club.refusal(40) is None
    club.hall.depart(1)
    club.come(1, "P1", "10.0.0.1")
    assert club.refusal(1) is None


def test_one_address_cannot_fill_the_hall(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hall_links, "MAX_LINKS_PER_ADDRESS", 2)
    monkeypatch.setattr(hall_links, "MAX_LINKS", 3)
    club = Lobbyists()
    for number, address in enumerate("aaabc", 1):
        club.come(number, f"P{number}", address)
    assert [club.refusal(number) for number in range(1, 6)] == [
        None,
        None,
        Refusal.CROWDED,
        None,
        Refusal.CROWDED,
    ]


def test_who_is_there_already_comes_back_to_a_hall_that_is_full(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hall_links, "MAX_LINKS", 2)
    club = Lobbyists()
    club.come(1, "Ann")
    club.come(2, "Ben")
    club.hall.arrive(252, bytes([1]) * 31 + bytes([0]), "")
    club.told[252] = []
    club.say(252, EnterHall("Ann"))
    assert club.refusal(252) is None
    assert club.closed == [1], "the connection that it replaces does not count"


def test_a_newer_connection_of_a_person_takes_the_place_of_an_older_one() -> None:
    club = Lobbyists()
    club.come(1, "Ann")
    club.hall.arrive(252, bytes([1]) * 31 + bytes([0]), "")
    club.told[252] = []
    club.say(252, EnterHall("Ann"))
    assert club.told[1][-1] == Closing(CloseReason.REPLACED)
    assert club.closed == [1]
    assert club.names() == ["Ann"]


def test_who_falls_silent_or_never_says_where_they_go_is_let_go() -> None:
    club = Lobbyists()
    club.come(1, "Ann")
    club.come(2)
    for _ in range(int(ENTER_TIMEOUT_S)):
        club.wait(1)
        club.say(1, Ping(0))
    assert club.closed == [2]
    club.wait(GONE_AFTER_S)
    assert club.closed == [2, 1]
    assert club.told[1][-1] == Closing(CloseReason.TOO_SLOW)


def test_a_club_whose_computer_slept_lets_nobody_go_for_that() -> None:
    club = Lobbyists()
    club.come(1, "Ann")
    club.wait(1)
    club.now += 3600
    club.wait(0.5)
    assert club.closed == []


def test_strangers_without_end_drive_out_each_other_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hall_links, "MAX_STRANGERS", 2)
    club = Lobbyists()
    club.come(1, "Ann")
    for number in (2, 3, 4):
        club.come(number)
    club.take(club.hall.collect())
    assert club.closed == [2]


def test_who_is_gone_already_is_told_nothing() -> None:
    club = Lobbyists()
    club.come(1)
    club.hall.reject(1, CloseReason.NO_TABLE)
    club.hall.reject(1, CloseReason.NO_TABLE)
    club.say(1, EnterHall("Ann"))
    assert club.told[1] == [Closing(CloseReason.NO_TABLE)]
    assert club.closed == [1]


def test_talk_is_cleaned_and_kept_for_who_comes_later() -> None:
    club = Lobbyists()
    club.come(1, "Ann")
    club.say(1, SayInHall("\x1b[2Jhi"))
    club.say(1, SayInHall("\x07"))
    assert club.refusal(1) is Refusal.NO_TEXT
    club.come(2, "Ben")
    talk = club.told[2][1]
    assert isinstance(talk, HallTalk)
    assert [(line.name, line.text) for line in talk.lines] == [("Ann", "[2Jhi")]


def test_a_table_is_ordered_for_the_key_of_who_asks_and_answered_to_them_alone() -> None:
    club = Lobbyists()
    club.come(1, "Ann")
    club.come(2, "Ben")
    club.say(1, OpenTable(" Deep\tMine ", Settings(edition="italia+adjacent")))
    (order,) = club.orders
    assert isinstance(order, OpenOrder)
    assert (order.name, order.key) == ("Deep Mine", bytes([1]) * 31 + bytes([0]))
    club.hall.answer(order, "b" * 16)
    club.take(club.hall.collect())
    assert club.told[1][-1] == TableReady("b" * 16)
    assert TableReady("b" * 16) not in club.told[2]
    club.hall.depart(1)
    club.hall.answer(order, Refusal.DISK_FULL)
    assert club.hall.collect().sends == ()


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (OpenTable("\x07", Settings()), Refusal.NO_NAME),
        (OpenTable("A", Settings(edition="mars")), Refusal.NO_SUCH_EDITION),
        (OpenTable("A", Settings(stand_in="nobody")), Refusal.NO_SUCH_BOT),
        (OpenTable("A", Settings(youngest=7)), Refusal.NO_SUCH_SEAT),
    ],
)
def test_a_table_that_could_not_be_is_not_ordered(asked: OpenTable, why: Refusal) -> None:
    club = Lobbyists()
    club.come(1, "Ann")
    club.say(1, asked)
    assert club.refusal(1) is why
    assert club.orders == []


def test_the_name_of_who_sits_at_a_table_is_not_forgotten_for_that_of_a_newcomer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(club_names, "MAX_NAMES", 2)
    club = Lobbyists()
    for number, name in enumerate(("Ben", "Ann", "Cleo"), 1):
        club.come(number, name)
        club.hall.depart(number)
        club.hall.show("a" * 16, ROOM)
    assert list(club.hall.names.values()) == ["Ben", "Cleo"]


def test_a_club_has_no_more_tables_than_fit_into_what_it_tells() -> None:
    club = Lobbyists()
    longest = clean_name("q\N{COMBINING ACUTE ACCENT}\N{COMBINING DIAERESIS}" * 24)
    assert len(longest.encode()) == MAX_NAME_BYTES
    seats = tuple((longest, True) for _ in range(10))
    rows = product(Direction, ConnectRule, DeadTable, ShareRule, StarterRule)
    edition = max((EDITIONS["international"].replace(*one).text for one in rows), key=len)
    for number in range(MAX_CLUB_TABLES):
        table = Outline(longest, AdvertStage.PLAYING, edition, 10, 10, seats)
        club.hall.show(f"{number:016x}", table)
    club.come(1, "Ann")
    club.say(1, OpenTable("one more", Settings()))
    assert club.refusal(1) is Refusal.CLUB_FULL
    present = club.told[1][2]
    assert isinstance(present, HallNow)
    assert len(present.tables) == MAX_CLUB_TABLES
    assert len(present.people) == MAX_HALL_PEOPLE
    pack(present, MAX_HOST_FRAME_BYTES)


def test_tables_that_are_being_opened_count_among_those_that_a_club_may_have(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hall_module, "MAX_CLUB_TABLES", 2)
    club = Lobbyists()
    for number in (1, 2, 3):
        club.come(number, f"P{number}")
        club.say(number, OpenTable("A", Settings()))
    assert len(club.opens) == 2
    assert club.refusal(3) is Refusal.CLUB_FULL
    club.hall.answer(club.opens[0], Refusal.DISK_FULL)
    club.say(3, OpenTable("A", Settings()))
    assert len(club.opens) == 3


def test_one_person_is_host_of_so_many_tables_at_once_and_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hall_module, "TABLES_AT_ONCE", 99)
    club = Lobbyists()
    club.come(1, "Ann")
    club.come(2, "Ben")
    for number in range(hall_module.MAX_TABLES_EACH):
        club.say(1, OpenTable("A", Settings()))
        order = club.opens[-1]
        if number % 2:  # the others are being opened still
            table = replace(ROOM, host=order.key)
            club.hall.show(f"{number:016x}", table)
            club.hall.answer(order, f"{number:016x}")
    club.say(1, OpenTable("one more", Settings()))
    assert club.refusal(1) is Refusal.TABLES_ENOUGH
    club.say(2, OpenTable("A", Settings()))
    assert club.opens[-1].connection == 2
    club.hall.show(f"{1:016x}", None)
    club.say(1, OpenTable("one more", Settings()))
    assert club.opens[-1].name == "one more"


def test_nothing_but_a_name_and_a_sign_of_life_is_heard_before_one_has_entered() -> None:
    for message in (SayInHall("hi"), OpenTable("A", Settings())):
        club = Lobbyists()
        club.come(1)
        club.say(1, Ping(0))
        club.say(1, message)
        assert club.told[1] == [Pong(0), Closing(CloseReason.OUT_OF_ORDER)]
    club = Lobbyists()
    club.come(1, "Ann")
    club.say(1, EnterHall("Ann"))
    assert club.told[1][-1] == Closing(CloseReason.OUT_OF_ORDER)
    club.say(1, SayInHall("too late"))
    assert club.told[1][-1] == Closing(CloseReason.OUT_OF_ORDER)


@pytest.mark.rule("K")
def test_what_a_hall_tells_is_the_same_whatever_is_secret_at_its_tables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    script = plan(0, "greedy", EDITIONS["international"])
    told = []
    for one in (script, twin_script(script, None, 0)):
        table = perform(short_of_the_record(one), monkeypatch, 0)
        outline = outline_of(table.room)
        assert outline.players
        club = Lobbyists()
        club.hall.show("a" * 16, outline)
        club.come(1, "Wim")
        told.append(club.told[1])
    assert told[0] == told[1]


def test_whatever_comes_in_whatever_order_raises_nothing() -> None:
    rng = Random(5)
    club = Lobbyists()
    said = (EnterHall("A"), EnterHall(""), Ping(0), SayInHall("x"), OpenTable("T", Settings()))
    for step in range(2000):
        number = rng.randrange(1, 9)
        match rng.randrange(5):
            case 0 if number not in club.hall._links:
                club.come(number)
            case 1:
                club.hall.depart(number)
            case 2:
                club.wait(rng.random() * 3)
            case 3:
                club.hall.show(f"{number:016x}", ROOM if rng.random() < 0.5 else None)
            case _:
                club.told.setdefault(number, [])
                club.say(number, rng.choice(said))
        assert len(club.names()) <= 8 + 8, step


def test_nobody_is_called_at_a_table_by_a_name_that_is_somebody_elses_in_the_club() -> None:
    club = Lobbyists()
    club.come(1, "Ana")
    club.come(2, "ana 2")
    ana = bytes([1]) * 31 + bytes([0])
    assert club.hall.names.may_be_called(ana, "Ana")
    assert club.hall.names.may_be_called(ana, "Ana 3")
    assert not club.hall.names.may_be_called(ana, "Ana 2")


def test_who_tries_names_without_end_is_let_go() -> None:
    club = Lobbyists()
    club.come(1, "Ann")
    club.come(2)
    for _ in range(2 * MAX_TRIES):
        club.say(2, EnterHall("Ann"))
    refused = [one for one in club.told[2] if isinstance(one, CommandRefused)]
    assert len(refused) == MAX_TRIES
    assert club.told[2][-1] == Closing(CloseReason.TOO_SLOW)
    assert club.closed == [2]
