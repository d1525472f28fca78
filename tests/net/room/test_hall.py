"""The hall of a club as a value: who may enter, by which name, and what they are told."""

from __future__ import annotations

from dataclasses import replace
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
from net.room import hall as hall_module
from net.room.hall import MAX_TRIES, Hall
from net.room.hall_orders import (
    OpenOrder,
    Outline,
    TellOrder,
    outline_of,
)
from net.secure.limits import Limit
from tests.net.room.lobbyists import ROOM, Lobbyists, key_of
from tests.net.room.twin_games import plan, twin_script
from tests.net.room.twin_tables import perform, short_of_the_record


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


def test_while_changes_follow_one_another_they_are_told_once_a_second_the_first_at_once() -> None:
    club = Lobbyists()
    club.come(1, "Ann")
    club.wait(2)
    del club.told[1][:]
    told: list[tuple[float, int]] = []
    for step in range(1, 9):
        club.hall.show("a" * 16, replace(ROOM, seats=min(step, 6)))  # six changes, then none
        club.wait(0.5)
        halls = [one for one in club.told[1] if isinstance(one, HallNow)]
        told += [(club.now, one.tables[0].seats) for one in halls]
        del club.told[1][:]
    assert told == [(2.5, 1), (3.5, 3), (4.5, 5), (5.5, 6)]
    club.hall.show("a" * 16, None)
    club.wait(0.5)
    assert isinstance(club.told[1][-1], HallNow), "at once again, after a pause"


def test_who_comes_back_between_two_changes_is_told_that_the_second_has_undone_the_first() -> None:
    club = Lobbyists()
    club.come(1, "Ann")
    club.wait(0.5)
    club.hall.show("a" * 16, ROOM)
    club.come(2, "Ann", as_number=1)
    assert isinstance(came := club.told[2][-1], HallNow)
    assert came.tables
    club.hall.show("a" * 16, None)
    club.wait(1)
    assert club.told[2][-1] == HallNow((), (HallPerson("Ann"),))


def test_all_tables_are_told_what_an_organiser_says_and_nobody_else() -> None:
    club = Lobbyists(Hall("0" * 16, "The Nugget", {}, 0.0, organisers=[key_of(1)]))
    club.come(1, "Olga")
    club.come(2, "Ben")
    club.say(2, SayInHall("hello"))
    assert club.orders == []
    club.say(1, SayInHall("the bar is open"))
    assert club.orders == [TellOrder("Olga", "the bar is open")]


@pytest.mark.parametrize("kind", DoorKind)
def test_all_in_the_hall_are_told_of_each_door_and_later_ones_if_it_is_open(kind: DoorKind) -> None:
    club, door = Lobbyists(), DoorNow(kind, 7381, "ab" * 32)
    club.come(1, "Ann")
    club.come(2)
    club.hall.note_door(door)
    club.take(club.hall.collect())
    club.come(3, "Cleo")
    assert [one for one in club.told[1] if isinstance(one, DoorNow)] == [door]
    assert club.told[2] == [], "not while they are on the way"
    assert [one for one in club.told[3] if isinstance(one, DoorNow)] == [door]
    club.hall.note_door(DoorNow(kind))
    club.take(club.hall.collect())
    club.come(4, "Dora")
    assert club.told[1][-1] == DoorNow(kind)
    assert not any(isinstance(one, DoorNow) for one in club.told[4]), "it is closed"


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
    assert (order.name, order.key) == ("Deep Mine", key_of(1))
    club.hall.answer(order, "b" * 16)
    club.take(club.hall.collect())
    assert club.told[1][-1] == TableReady("b" * 16)
    assert TableReady("b" * 16) not in club.told[2]
    club.hall.depart(1)
    club.hall.answer(order, Refusal.DISK_FULL)
    assert club.hall.collect().do == ()


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
    monkeypatch.setattr(hall_module, "TABLES", Limit(1, 99))
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
    script = plan(0, "greedy", EDITIONS["international"], rounds=1)
    told = []
    for one in (script, twin_script(script, None, 0)):
        table = perform(short_of_the_record(one), monkeypatch, 0)
        outline = outline_of(table.room, {})
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


def test_who_has_proven_the_earlier_code_and_is_not_in_the_hall_yet_has_to_prove_the_new_one() -> (
    None
):
    club = Lobbyists()
    club.come(1, "Ann")
    club.come(2)
    club.come(3, as_number=1)  # known, and comes back at this moment
    club.hall.renew("amber-otter")
    club.take(club.hall.collect())
    assert club.closed == [2]
    club.say(2, EnterHall("Mallory"))
    club.say(3, EnterHall("Ann"))
    assert club.names() == ["Ann"]
