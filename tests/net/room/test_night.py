"""A night in a hall without sockets: what is refused, what is not awaited, and who leads it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import pytest

from net.discovery.advert import AdvertStage
from net.protocol.fields import MAX_SEATS
from net.protocol.framing import MAX_HOST_FRAME_BYTES, pack
from net.protocol.hall import (
    MAX_CLUB_TABLES,
    BeginNight,
    CloseTable,
    DrawRound,
    EnterHall,
    FromHall,
    GoTo,
    HallRequest,
    MovePerson,
    NightNow,
    OpenTable,
    Organise,
    OrganiserRequest,
)
from net.protocol.lobby import Settings
from net.protocol.messages import CommandRefused, Ping, Refusal
from net.protocol.night import (
    MAX_NIGHT_PEOPLE,
    Night,
    NightRow,
    NightTable,
)
from net.protocol.text import MAX_NAME_BYTES
from net.room.effects import SendFrame
from net.room.hall import Hall
from net.room.hall_orders import CallOrder, HallEffects, KeepNight, Outline
from net.room.night import GATHER_S, HEARD_S, NightRunner, RoundOrder
from net.room.organisers import Organisers

WORD = "amber-otter"
TABLE = "t" * 16
SHORT = BeginNight(3, "Gold Rush", Settings(rounds=1))
HERE = {bytes([number]) * 32: name for number, name in enumerate(("Ana", "Ben", "Cleo"))}
SEED = bytes(range(32))


def open_hall(word: str = WORD) -> Hall:
    """A hall with Ana in it, who is its organiser if the word is right."""
    hall = Hall("0" * 16, "The Nugget", {}, 0.0, word=WORD)
    key, name = next(iter(HERE.items()))
    hall.arrive(0, key, "")
    hall.receive(0, EnterHall(name))
    hall.receive(0, Organise(word))
    hall.collect()
    return hall


def ask(hall: Hall, request: HallRequest) -> HallEffects:
    """Ana asks for something."""
    hall.receive(0, request)
    return hall.collect()


def draw(hall: Hall, began: float, heard: tuple[int, ...] = (0,)) -> RoundOrder | Refusal | None:
    """Ana draws a round; return what comes of it once all had their time to answer.

    Those who are `heard` are so by their heartbeats alone.
    """
    hall.receive(0, DrawRound())
    for tick in range(60):
        hall.tick(began + tick / 2)
        for number in heard:
            hall.receive(number, Ping(0))
        effects = hall.collect()
        for order in effects.orders:
            if isinstance(order, RoundOrder):
                return order
        if refusal(effects) is not None:
            return refusal(effects)
    return None


def told_in(effects: HallEffects, to: int | None = None) -> list[FromHall]:
    """What is told, to anybody or on one connection alone."""
    sent = [one for one in effects.do if isinstance(one, SendFrame)]
    return [one.message for one in sent if to is None or one.connections == (to,)]


def refusal(effects: HallEffects) -> Refusal | None:
    """The reason why Ana was refused, if she was."""
    told = told_in(effects)
    return next((one.reason for one in told if isinstance(one, CommandRefused)), None)


def night_begun() -> NightRunner:
    """A night that has begun, with no round yet."""
    runner = NightRunner(lambda: SEED)
    assert runner.begin(SHORT) is None
    return runner


def gold_of(*amounts: int) -> tuple[tuple[bytes, int], ...]:
    """The gold of Ana, Ben and Cleo, as they were seated."""
    return tuple(zip(HERE, amounts, strict=False))


def order_round(runner: NightRunner, here: Mapping[bytes, str] = HERE) -> RoundOrder:
    """Draw a round for all who are here."""
    runner.draw(0.0, ())
    order = runner.go_on(0.0, here)
    assert order is not None
    assert runner.go_on(0.0, here) is None
    return order


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (BeginNight(3, " ", Settings()), Refusal.NO_NAME),
        (BeginNight(3, "Gold", Settings(edition="none")), Refusal.NO_SUCH_EDITION),
    ],
)
def test_a_night_needs_a_title_and_settings_that_can_be(asked: BeginNight, why: Refusal) -> None:
    hall = open_hall()
    assert refusal(ask(hall, asked)) is why
    assert hall.night.night is None
    assert not hall.night.row


def test_no_night_begins_and_no_round_is_drawn_while_one_is_drawn_or_played() -> None:
    runner = night_begun()
    order = order_round(runner)
    assert runner.begin(SHORT) is runner.why_not_draw() is Refusal.NOT_NOW
    runner.seat(order, [NightTable(TABLE, (0, 1, 2))])
    assert runner.begin(SHORT) is runner.why_not_draw() is Refusal.NOT_NOW
    assert runner.note(TABLE, gold_of(3, 2, 1))
    assert runner.why_not_draw() is None


def test_a_round_whose_tables_cannot_be_opened_may_be_drawn_again() -> None:
    hall = open_hall()
    ask(hall, SHORT)
    order = order_round(hall.night)
    hall.seat(order, Refusal.CLUB_FULL)
    assert refusal(hall.collect()) is Refusal.CLUB_FULL
    assert isinstance(draw(hall, 60.0), RoundOrder)


def test_people_are_called_from_the_tables_of_the_last_round_that_are_still_there() -> None:
    hall = open_hall()
    ask(hall, SHORT)
    gone = "g" * 16
    hall.seat(order_round(hall.night), [NightTable(TABLE, (0, 1)), NightTable(gone, (2,))])
    people = (("Ben", True), ("Cleo", False))
    over = Outline("Gold Rush 1", AdvertStage.OVER, "", 2, 2, people, gold=gold_of(3, 2))
    hall.show(TABLE, over)
    hall.show(gone, None)
    for number in range(MAX_CLUB_TABLES):
        hall.show(f"{number:016x}", over)
    assert CallOrder(table=TABLE) not in ask(hall, DrawRound()).orders, "the club has no room"
    for number in range(MAX_CLUB_TABLES):
        hall.show(f"{number:016x}", None)
    assert CallOrder(table=TABLE) in ask(hall, DrawRound()).orders
    assert CallOrder(table=gone) not in ask(hall, DrawRound()).orders


def test_tables_that_are_not_there_after_a_resume_count_as_closed() -> None:
    hall = open_hall()
    ask(hall, SHORT)
    hall.seat(order_round(hall.night), [NightTable(TABLE, (0, 1, 2))])
    hall.collect()
    hall.settle()
    assert any(isinstance(order, KeepNight) for order in hall.collect().orders)
    assert hall.night.night is not None
    assert hall.night.night.waits


@pytest.mark.parametrize("request_", [CloseTable(TABLE), MovePerson("Ana", TABLE)])
def test_nothing_is_done_with_a_table_that_is_not_there(request_: OrganiserRequest) -> None:
    effects = ask(open_hall(), request_)
    assert refusal(effects) is Refusal.NOT_NOW
    assert not effects.orders


def test_each_of_two_people_with_names_alike_is_sent_where_the_organiser_says() -> None:
    hall = open_hall()
    keys = {name: bytes([number]) * 32 for number, name in enumerate(("Ben", "Ben 2", "Ben 3"), 9)}
    for number, (name, key) in enumerate(keys.items(), 1):
        hall.arrive(number, key, "")
        hall.receive(number, EnterHall(name))
    hall.depart(3)
    there = Outline("Gold Rush", AdvertStage.LOBBY, "", 1, 5, (("Ben 3", True),))
    hall.show(TABLE, there)
    hall.collect()
    for number, name in ((1, "Ben"), (2, "Ben 2")):
        assert ask(hall, MovePerson(name, TABLE)).do == (SendFrame((number,), GoTo(TABLE)),)
    assert ask(hall, MovePerson("Ben 3", TABLE)).orders == (CallOrder(keys["Ben 3"]),)
    hall.arrive(3, keys["Ben 3"], "")
    hall.receive(3, EnterHall("Ben"))
    assert SendFrame((3,), GoTo(TABLE)) in hall.collect().do


def test_an_order_for_a_name_that_nobody_in_the_club_has_calls_nobody_from_a_table() -> None:
    hall = open_hall()
    people = (("Borin", True), ("Borin 2", True))
    hall.show(TABLE, Outline("Gold Rush", AdvertStage.LOBBY, "", 2, 5, people))
    effects = ask(hall, MovePerson("Borin 2", TABLE))
    assert refusal(effects) is Refusal.NO_SUCH_PERSON
    assert not effects.orders, "a call without a key would be one for all"


def test_who_was_not_heard_of_while_tables_were_drawn_is_not_drawn() -> None:
    hall = open_hall()
    ask(hall, SHORT)
    for number, (key, name) in enumerate(tuple(HERE.items())[1:], 1):
        hall.arrive(number, key, "")
        hall.receive(number, EnterHall(name))
    for tick in range(int(2 * HEARD_S) + 1):
        hall.tick(tick / 2)
        for number in (0, 1):
            hall.receive(number, Ping(0))
    order = draw(hall, HEARD_S + 1, heard=(0, 1))
    assert isinstance(order, RoundOrder)
    drawn = [order.people[one][1] for one in order.present]
    assert drawn == ["Ana", "Ben"], "Cleo's link is dead, which her connection does not show yet"


@pytest.mark.parametrize("comes", [True, False])
def test_who_was_called_to_the_hall_is_waited_for_and_drawn_if_they_come(*, comes: bool) -> None:
    runner = night_begun()
    late = b"late" * 8
    runner.draw(0.0, {late})
    assert runner.go_on(GATHER_S - 0.1, HERE) is None
    here = HERE | {late: "Dora"} if comes else HERE
    order = runner.go_on(GATHER_S - 0.1 if comes else GATHER_S, here)
    assert order is not None
    assert order.seed == SEED, "the club's program shows what it has drawn from"
    assert ((late, "Dora") in order.people) is comes
    assert len(order.present) == len(here)


def test_the_word_is_guessed_a_few_times_at_once_and_no_more() -> None:
    organisers = Organisers(WORD, ())
    key = b"k" * 32
    tries = [organisers.admit(key, "wrong", 0.0) for _ in range(6)]
    assert tries == [Refusal.WRONG_WORD] * 5 + [Refusal.TOO_FAST]
    assert key not in organisers
    assert organisers.admit(key, " Amber Otter ", 60.0) is None
    assert key in organisers
    assert Organisers("", ()).admit(key, "", 0.0) is Refusal.WRONG_WORD


def test_who_guesses_without_end_uses_up_nobody_elses_tries() -> None:
    organisers = Organisers(WORD, ())
    guesser, ana = b"g" * 32, b"a" * 32
    while organisers.admit(guesser, "wrong", 0.0) is Refusal.WRONG_WORD:
        pass
    assert organisers.admit(guesser, WORD, 0.0) is Refusal.TOO_FAST
    assert organisers.admit(ana, WORD, 0.0) is None


def test_an_order_of_somebody_who_is_no_organiser_is_refused() -> None:
    hall = open_hall(word="wrong")
    assert refusal(ask(hall, SHORT)) is Refusal.ORGANISER_ONLY
    assert hall.night.night is None


def test_the_gold_of_a_table_is_noted_once() -> None:
    runner = night_begun()
    assert not runner.note(TABLE, gold_of(1, 2)), "no round is drawn yet"
    runner.seat(order_round(runner), [NightTable(TABLE, (0, 1, 2))])
    assert not runner.note("x" * 16, gold_of(1, 2))
    assert runner.note(TABLE, gold_of(3, 2, 1))
    assert not runner.note(TABLE, gold_of(9, 9, 9))
    night: Night | None = NightRunner(lambda: SEED, runner.row).night
    assert night == runner.night
    assert night is not None
    assert night.rounds[0].tables[0].gold == (3, 2, 1)


def test_gold_is_that_of_who_sits_there_in_the_end() -> None:
    ana, ben, _cleo = HERE
    for gold, told in (
        (((ben, 1), (ana, 5), (b"", 3)), (5, 1, 0, 3)),  # two have changed seats, one stood up
        (((ana, 2),), (2, 0, 0)),
        (((b"w" * 32, 4), (ben, 2), (ana, 1)), (1, 2, 0, 4)),
        ((), ()),
    ):
        runner = night_begun()
        runner.seat(order_round(runner), [NightTable(TABLE, (0, 1, 2))])
        assert runner.note(TABLE, gold)
        assert runner.night is not None
        assert runner.night.rounds[0].tables[0].gold == told


def test_a_round_needs_room_for_its_tables_which_nobody_else_takes_meanwhile() -> None:
    outline = Outline("Deep Mine", AdvertStage.LOBBY, "international", 1, 5)
    hall = open_hall()
    ask(hall, SHORT)
    for number in range(MAX_CLUB_TABLES):
        hall.show(f"{number:016x}", outline)
    assert draw(hall, 0.0) is Refusal.CLUB_FULL
    hall.show(f"{0:016x}", None)
    order = draw(hall, 30.0)
    assert isinstance(order, RoundOrder), "the next time there may be room"
    assert refusal(ask(hall, OpenTable("Deep Mine", Settings()))) is Refusal.CLUB_FULL
    hall.seat(order, Refusal.DISK_FULL)
    hall.collect()
    assert refusal(ask(hall, OpenTable("Deep Mine", Settings()))) is None


def test_no_round_is_drawn_for_nobody() -> None:
    hall = open_hall()
    ask(hall, SHORT)
    hall.depart(0)
    hall.arrive(0, next(iter(HERE)), "")
    hall.receive(0, EnterHall("Ana", watch=True))
    assert draw(hall, 0.0) is Refusal.NOT_NOW
    assert hall.night.why_not_draw() is None


def test_the_longest_night_that_there_can_be_is_told_in_one_frame() -> None:
    here = {
        bytes([number]) * 32: f"{number:03}".ljust(MAX_NAME_BYTES, "x")
        for number in range(MAX_NIGHT_PEOPLE)
    }
    runner = NightRunner(lambda: SEED)
    assert runner.begin(BeginNight(12, "T" * 24, Settings())) is None
    for number in range(12):
        drawn = order_round(runner, here)
        tables = [
            NightTable(f"{number:08x}{at:08x}", tuple(range(at * 4, at * 4 + 4)))
            for at in range(MAX_NIGHT_PEOPLE // 4)
        ]
        runner.seat(drawn, tables)
        for table in tables:
            assert runner.note(table.id, [(b"", 200)] * MAX_SEATS)
    assert runner.night is not None
    pack(NightNow(runner.night), MAX_HOST_FRAME_BYTES)


def test_a_night_on_the_disk_that_cannot_be_read_is_no_more() -> None:
    runner = night_begun()
    runner.seat(order_round(runner), [NightTable(TABLE, (0, 1, 2))])
    assert runner.night is not None
    without_keys = msgspec.msgpack.encode(NightRow(runner.night))
    for row in (b"", b"junk", runner.row[:-1], without_keys):
        assert NightRunner(lambda: SEED, row).night is None


def test_a_table_that_comes_back_while_a_round_is_drawn_may_leave_no_room_for_it() -> None:
    outline = Outline("Deep Mine", AdvertStage.LOBBY, "international", 1, 5)
    hall = open_hall()
    ask(hall, SHORT)
    for number in range(1, MAX_CLUB_TABLES):
        hall.show(f"{number:016x}", outline)
    hall.night.draw(0.0, (b"late" * 8,))
    hall.show(f"{0:016x}", outline)
    told = []
    for second in range(int(3 * HEARD_S)):
        hall.tick(float(second))
        hall.receive(0, Ping(0))
        told.append(refusal(hall.collect()))
    assert Refusal.CLUB_FULL in told
