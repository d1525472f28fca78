"""A night: as a value with its draws, and at a club on real sockets."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import msgspec
import pytest
from msgspec import structs

from net.protocol.board import MAX_NIGHT_PEOPLE, Night, NightTable
from net.protocol.cleaning import MAX_NAME_BYTES
from net.protocol.fields import MAX_SEATS
from net.protocol.hall import (
    BeginNight,
    CloseTable,
    DrawRound,
    HallRequest,
    MovePerson,
    NextTable,
    Organise,
    RemovePerson,
    RenewCode,
)
from net.protocol.lobby import DEFAULT_LEVEL, Absence, Settings, TablePhase
from net.protocol.messages import CloseReason, Notice, Refusal
from net.protocol.requests import Chat, PutBot
from net.secure.keys import SeatKey
from sabtui.club.hall import Organisers
from sabtui.club.night import NightRow, NightRunner, RoundOrder, Tables, draw_tables, table_sizes
from tests.net.server.served_table import QUICK, until
from tests.sabtui.club.server.served_club import (
    PEOPLE,
    SHORT,
    go_where_drawn,
    led_to,
    night_at,
    organise,
    play,
    serve_folder,
    why_refused,
)
from tests.samples import first

WORD = "amber-otter"
TABLE = "t" * 16
BEGIN = BeginNight(3, "Gold Rush", Settings(rounds=1, turn_seconds=60, is_open=True))
HERE = {bytes([number]) * 32: name for number, name in enumerate(("Ana", "Ben", "Cleo"))}
SEED = bytes(range(32))


def night_begun() -> NightRunner:
    """A night that has begun, with no round yet."""
    runner = NightRunner(lambda: SEED)
    assert runner.begin(BEGIN) is None
    return runner


def gold_of(*amounts: int) -> tuple[tuple[bytes, int], ...]:
    """The gold of Ana, Ben and Cleo, as they were seated."""
    return tuple(zip(HERE, amounts, strict=False))


def order_round(runner: NightRunner, here: Mapping[bytes, str] = HERE) -> RoundOrder:
    """Draw a round for all who are here."""
    order = runner.draw(here)
    assert isinstance(order, RoundOrder)
    return order


def longest_night() -> Night:
    """The longest night that there can be."""
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
    return runner.night


def test_beyond_the_most_people_of_a_night_nobody_is_drawn() -> None:
    here = {number.to_bytes(32, "big"): f"Dora {number}" for number in range(MAX_NIGHT_PEOPLE + 1)}
    order = order_round(night_begun(), here)
    assert order.people == tuple(here.items())[:MAX_NIGHT_PEOPLE]
    assert order.present == tuple(range(MAX_NIGHT_PEOPLE))


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (BeginNight(3, " ", Settings()), Refusal.NO_NAME),
        (BeginNight(3, "Gold", Settings(edition="none")), Refusal.NO_SUCH_EDITION),
    ],
)
def test_a_night_needs_a_title_and_settings_that_can_be(asked: BeginNight, why: Refusal) -> None:
    runner = NightRunner(lambda: SEED)
    assert runner.begin(asked) is why
    assert runner.night is None
    assert not runner.row


def test_no_night_begins_and_no_round_is_drawn_while_one_is_drawn_or_played() -> None:
    runner = night_begun()
    assert runner.draw({}) is Refusal.NOT_NOW, "nobody is there"
    order = order_round(runner)
    assert runner.begin(BEGIN) is runner.draw(HERE) is Refusal.NOT_NOW
    runner.seat(order, [NightTable(TABLE, (0, 1, 2))])
    assert runner.begin(BEGIN) is runner.draw(HERE) is Refusal.NOT_NOW
    assert runner.note(TABLE, gold_of(3, 2, 1))
    order_round(runner)


def test_somebody_who_comes_late_is_drawn_to_the_next_round_and_who_is_gone_is_not() -> None:
    runner = night_begun()
    runner.seat(order_round(runner), [NightTable(TABLE, (0, 1, 2))])
    assert runner.note(TABLE, gold_of(3, 2, 1))
    (_ana, *others), late = HERE.items(), b"late" * 8
    order = order_round(runner, {**dict(others), late: "Dora"})
    assert order.seed == SEED, "the club's program shows what it has drawn from"
    assert order.people == (*HERE.items(), (late, "Dora"))
    assert order.present == (1, 2, 3)
    assert order.settings == structs.replace(BEGIN.settings, is_open=False, absent=Absence.BOT)


def test_the_word_is_guessed_a_few_times_at_once_and_nobody_elses_tries_are_used_up() -> None:
    organisers = Organisers(WORD, ())
    key = b"k" * 32
    tries = [organisers.admit(key, "wrong", 0.0) for _ in range(6)]
    assert tries == [Refusal.WRONG_WORD] * 5 + [Refusal.TOO_FAST]
    assert organisers.admit(key, WORD, 0.0) is Refusal.TOO_FAST
    assert key not in organisers
    assert organisers.admit(b"a" * 32, WORD, 0.0) is None
    assert organisers.admit(key, " Amber Otter ", 60.0) is None
    assert key in organisers


def test_each_person_of_the_last_round_is_told_where_they_sit_and_with_whom() -> None:
    runner = night_begun()
    assert runner.list_next_tables() == {}
    runner.seat(order_round(runner), [NightTable("a" * 16, (2, 0)), NightTable("b" * 16, (1,))])
    ana, ben, cleo = HERE
    assert runner.list_next_tables() == {
        cleo: NextTable(1, "Gold Rush 1", ("Ana",)),
        ana: NextTable(1, "Gold Rush 1", ("Cleo",)),
        ben: NextTable(1, "Gold Rush 2", ()),
    }
    assert NightRunner(lambda: SEED).list_next_tables() == {}, "there is no night"


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


def test_a_night_on_the_disk_that_cannot_be_read_is_no_more() -> None:
    runner = night_begun()
    runner.seat(order_round(runner), [NightTable(TABLE, (0, 1, 2))])
    assert runner.night is not None
    without_keys = msgspec.msgpack.encode(NightRow(runner.night, Settings()))
    for row in (b"", b"junk", runner.row[:-1], without_keys):
        assert NightRunner(lambda: SEED, row).night is None


def play_rounds(people: int, rounds: int, seed: int) -> list[Tables]:
    """The tables of a night at which everybody stays."""
    played: list[Tables] = []
    for number in range(rounds):
        played.append(draw_tables(range(people), played, bytes([seed, number])))
    return played


def meetings(played: Sequence[Tables]) -> Counter[frozenset[int]]:
    """How often any two have been at one table."""
    tables = (table for tables in played for table in tables)
    return Counter(frozenset(pair) for table in tables for pair in combinations(table, 2))


@pytest.mark.parametrize(("people", "rounds"), [(24, 3), (25, 3), (30, 3), (140, 2)])
@pytest.mark.parametrize("seed", first(1, range(3), thorough=3))
def test_nobody_meets_anybody_twice_in_three_rounds_of_fives(
    people: int, rounds: int, seed: int
) -> None:
    played = play_rounds(people, rounds, seed)
    assert {max(map(len, tables)) for tables in played} == {5}
    assert set(meetings(played).values()) == {1}
    small = Counter(one for tables in played for table in tables if len(table) < 5 for one in table)
    assert all(times == 1 for times in small.values()), "nobody sits at the small table twice"


def test_where_meetings_cannot_be_avoided_they_are_as_few_as_can_be() -> None:
    """Five of one table sit at four others: one pair of each table has to meet again."""
    met = Counter(meetings(play_rounds(people=20, rounds=4, seed=1)).values())
    assert met == {1: 112, 2: 24}


@pytest.mark.parametrize("people", range(61))
def test_any_number_of_people_gets_legal_tables(people: int) -> None:
    tables = draw_tables(range(people), [], b"seed")
    assert sorted(one for table in tables for one in table) == list(range(people))
    sizes = [len(table) for table in tables]
    assert sorted(sizes, reverse=True) == list(table_sizes(people))
    assert all(size <= MAX_SEATS for size in sizes)
    if people >= 3:
        assert min(sizes) >= 3, "bots sit only with one or two people"
    if people not in {0, 1, 2, 3, 7}:
        assert {4, 5, 6}.issuperset(sizes)


def test_somebody_who_is_late_is_drawn_next_time_and_who_left_is_not() -> None:
    played = play_rounds(people=21, rounds=1, seed=5)
    late, gone = 3, 8
    later = [number for number in range(24) if number not in {late, gone}]
    played.append(draw_tables(later, played, b"later"))
    assert sorted(one for table in played[1] for one in table) == later
    last = [*later, late]
    played.append(draw_tables(last, played, b"last"))
    assert sorted(one for table in played[2] for one in table) == sorted(last)
    met = Counter(meetings(played).values())
    assert met[2] <= 6, "few meet again, as who sat at a small table sits at a large one first"
    assert not met[3]


def test_one_seed_gives_one_draw_in_any_order_of_people_and_another_seed_another() -> None:
    played = play_rounds(people=16, rounds=1, seed=1)
    once = draw_tables(range(16), played, b"a")
    assert draw_tables(range(15, -1, -1), played, b"a") == once
    assert draw_tables(range(16), played, b"b") != once
    assert played == play_rounds(people=16, rounds=1, seed=1), "what was played stays as it was"


@pytest.mark.level("broad")
def test_the_draw_is_the_same_on_every_machine() -> None:
    """These tables were drawn once, and stand here for programs of all versions to find again."""
    played = play_rounds(people=9, rounds=2, seed=0)
    assert played == [((2, 3, 4, 1), (5, 0, 7, 6, 8)), ((8, 6, 3, 1, 4), (5, 2, 0, 7))]


@pytest.fixture
def gone_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a bot play for who has not come within a second."""
    monkeypatch.setattr("net.room.room.GONE_AFTER_S", 1.0)


async def test_organisers_powers_are_refused_to_everybody_else(tmp_path: Path) -> None:
    async with serve_folder(tmp_path) as served:
        ann, ben = await served.come("Ann", "Ben")
        table = await ann.open_table("Gold Rush")
        orders: list[HallRequest] = [
            BeginNight(2, "Table", SHORT),
            DrawRound(),
            MovePerson("Ann", table),
            CloseTable(table),
            RemovePerson("Ann"),
            RenewCode(),
        ]
        assert {await why_refused(ben, order) for order in orders} == {Refusal.ORGANISER_ONLY}
        assert await why_refused(ben, Organise("amber-amber-amber-amber")) is Refusal.WRONG_WORD
        assert await why_refused(ben, RenewCode()) is Refusal.ORGANISER_ONLY
        assert served.server.night.night is None
        assert list(served.server.tables) == [table]
        assert not ann.lobby.board.organisers, "a wrong word makes nobody an organiser"


async def test_an_organiser_moves_people_closes_tables_and_renews_the_code(tmp_path: Path) -> None:
    told = list[str]()
    options = replace(QUICK, on_code=lambda code: told.append(str(code)))
    async with serve_folder(tmp_path, options) as served:
        ann, ben, cleo = await served.come("Ann", "Ben", "Cleo")
        await organise(served, ann)
        table = await ben.open_table("Gold Rush")
        other = await ben.open_table("Deep Mine")
        ann.session.request(MovePerson("Cleo", table))
        await until(lambda: led_to(cleo) == table)
        seat = await cleo.go_to(table)
        assert seat.lobby.seat_of(seat.state.status.member) is not None, "one was free"
        ann.session.request(MovePerson("Cleo", other))
        await until(lambda: seat.farewell is CloseReason.CALLED)
        await cleo.enter()
        await until(lambda: led_to(cleo) == other)
        assert await why_refused(ann, MovePerson("Nobody", other)) is Refusal.NO_SUCH_PERSON
        ann.session.request(CloseTable(other))
        await until(lambda: [table.id for table in cleo.hall.tables] == [table])
        was = served.server.code
        at_door, keys = SeatKey.new().public, served.server.entrance.guest_keys
        keys.admit(at_door, "", time.monotonic(), is_new=True)
        ann.session.request(RenewCode())
        await until(lambda: ann.hall.code not in {"", str(was)})
        assert str(served.server.code) == ann.hall.code
        assert not keys.may_enter(at_door, time.monotonic()), "it was let in by the old code"
        assert not cleo.hall.code, "only organisers are told"
        assert told == [ann.hall.code], "and whoever runs the club"
        seat = await cleo.go_to(table)
        ann.session.request(Chat("the bar is open"))
        await until(lambda: Notice("Ann", "the bar is open") in seat.got)
        await cleo.enter()
        cleo.session.request(Chat("good"))
        await until(lambda: len(ben.hall.talk) == 2)
        assert [line.text for line in ben.hall.talk] == ["the bar is open", "good"]
        assert ben.lobby.board.organisers == (ann.session.status.member,)
    codes = [person.store.list_stored()[0].credentials.code for person in (ann, ben)]
    assert codes == [served.server.code, was], "their programs keep what they were told"
    async with serve_folder(tmp_path) as served:
        again = served.member("Ann")
        again.use(ann.session.credentials)
        await again.enter()
        await until(lambda: bool(again.hall.code))


async def test_an_organiser_removes_somebody_from_hall_and_tables_for_good(tmp_path: Path) -> None:
    async with serve_folder(tmp_path) as served:
        ann, ben, cleo = await served.come("Ann", "Ben", "Cleo")
        await organise(served, ann)
        table = await cleo.open_table("Gold Rush")
        await cleo.go_to(table)
        seat = await ben.go_to(table)
        key, was = ben.session.credentials.key.public, served.server.code
        assert await why_refused(ann, RemovePerson("Ann")) is Refusal.NO_SUCH_PERSON
        assert await why_refused(ann, RemovePerson("Nobody")) is Refusal.NO_SUCH_PERSON
        ann.session.request(RemovePerson("Ben"))
        await until(lambda: seat.farewell is CloseReason.KICKED)
        assert not served.state(table).lobby.has_name("Ben")
        assert not served.server.room.lobby.has_name("Ben")
        assert not served.server.is_known(key)
        await until(lambda: ann.hall.code not in {"", str(was)})
        ben.use(ben.session.credentials)
        again = asyncio.create_task(ben.session.run())
        await until(lambda: ben.session.status.ending is not None)
        assert ben.session.status.ending is CloseReason.KICKED
        await again
    async with serve_folder(tmp_path) as served:
        assert not served.server.is_known(key), "also after a restart"


async def test_a_name_with_a_number_at_a_table_has_none_in_the_hall(tmp_path: Path) -> None:
    async with serve_folder(tmp_path) as served:
        ann, ben, borin = await served.come("Ann", "Ben", "Borin")
        await organise(served, ann)
        table, other = await ben.open_table("Gold Rush"), await ben.open_table("Deep Mine")
        host = await ben.go_to(table)
        assert await host.wants(PutBot(1, "Borin", DEFAULT_LEVEL)) is None
        own = replace(borin.session.credentials, name="Borin 2")  # as a program does
        await borin.leave()
        borin.use(own)
        seat = await borin.go_to(table)
        assert seat.lobby.name_at(2) == own.name
        await until(lambda: sorted(ann.names) == ["Ann", "Ben", "Borin"])
        ann.session.request(MovePerson("Borin", other))
        await until(lambda: seat.farewell is CloseReason.CALLED)
        assert host.farewell is None, "nobody else is called"
        await borin.enter()
        await until(lambda: led_to(borin) == other)


@pytest.mark.usefixtures("gone_soon")
async def test_a_game_begins_without_those_who_are_late_and_they_have_their_seats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sabtui.club.server.LATE_AFTER_S", 0.1)
    async with serve_folder(tmp_path) as served:
        members = await served.come("Ann", "Ben", "Cleo", "Dan")
        await organise(served, members[0])
        members[0].session.request(BeginNight(1, "Table", SHORT))
        members[0].session.request(DrawRound())
        await until(lambda: all(led_to(member) for member in members))
        seats = [await member.go_to(led_to(member)) for member in members[:2]]
        table = seats[0].table
        await until(lambda: served.state(table).lobby.stage is TablePhase.PLAYING)
        late = await members[2].go_to(table)
        assert late.lobby.seat_of(late.state.status.member) is not None
        await play([*seats, late])
        await until(lambda: night_at(served).is_over)
        (told,) = night_at(served).rounds[0].tables
        assert len(told.gold) == 4
        assert {*night_at(served).names_at(told)} == {"Ann", "Ben", "Cleo", "Dan"}


async def test_tables_of_a_round_that_was_not_noted_when_the_club_was_killed_are_none_of_the_night(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serve_folder(tmp_path) as served:
        members = await served.come(*PEOPLE)
        await organise(served, members[0])
        members[0].session.request(BeginNight(1, "Table", SHORT))
        monkeypatch.setattr(served.server.night, "seat", lambda _order, _opened: None)
        members[0].session.request(DrawRound())
        await until(lambda: len(served.server.tables) == 2)
        forgotten = set(served.server.tables)
        keys = [member.session.credentials for member in members]
    async with serve_folder(tmp_path) as served:
        await until(lambda: set(served.server.tables) == forgotten)  # and close if nobody comes
        members = [served.member(name) for name in PEOPLE]
        for member, known in zip(members, keys, strict=True):
            member.use(known)
            await member.enter()
        assert not night_at(served).rounds
        members[0].session.request(DrawRound())
        seats = await go_where_drawn(members, 1)
        assert not {seat.table for seat in seats} & forgotten
        await play(seats)
        await until(lambda: night_at(served).is_over)
