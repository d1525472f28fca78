"""A night as a value: when it may begin, whose gold is whose, its organisers, and its draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

import msgspec
import pytest

from net.protocol.board import MAX_NIGHT_PEOPLE, Night, NightRound, NightTable
from net.protocol.fields import MAX_SEATS
from net.protocol.hall import BeginNight, NextTable
from net.protocol.lobby import Settings
from net.protocol.messages import Refusal
from net.protocol.text import MAX_NAME_BYTES
from sabtui.club.hall import Organisers
from sabtui.club.night import NightRow, NightRunner, RoundOrder, Tables, draw_tables, table_sizes
from tests.samples import first

WORD = "amber-otter"
TABLE = "t" * 16
SHORT = BeginNight(3, "Gold Rush", Settings(rounds=1))
HERE = {bytes([number]) * 32: name for number, name in enumerate(("Ana", "Ben", "Cleo"))}
SEED = bytes(range(32))


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
    assert runner.why_not_draw() is None
    return runner.draw(here)


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
    order = order_round(runner)
    assert runner.begin(SHORT) is runner.why_not_draw() is Refusal.NOT_NOW
    runner.seat(order, [NightTable(TABLE, (0, 1, 2))])
    assert runner.begin(SHORT) is runner.why_not_draw() is Refusal.NOT_NOW
    assert runner.note(TABLE, gold_of(3, 2, 1))
    assert runner.why_not_draw() is None


def test_who_comes_late_is_drawn_to_the_next_round_and_who_is_gone_is_not() -> None:
    runner = night_begun()
    runner.seat(order_round(runner), [NightTable(TABLE, (0, 1, 2))])
    assert runner.note(TABLE, gold_of(3, 2, 1))
    (_ana, *others), late = HERE.items(), b"late" * 8
    order = order_round(runner, {**dict(others), late: "Dora"})
    assert order.seed == SEED, "the club's program shows what it has drawn from"
    assert order.people == (*HERE.items(), (late, "Dora"))
    assert order.present == (1, 2, 3)


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


def test_each_person_of_the_last_round_is_told_where_they_sit_and_with_whom() -> None:
    runner = night_begun()
    assert runner.tell_places() == {}
    runner.seat(order_round(runner), [NightTable("a" * 16, (2, 0)), NightTable("b" * 16, (1,))])
    ana, ben, cleo = HERE
    assert runner.tell_places() == {
        cleo: NextTable(1, "Gold Rush 1", ("Ana",)),
        ana: NextTable(1, "Gold Rush 1", ("Cleo",)),
        ben: NextTable(1, "Gold Rush 2", ()),
    }
    assert NightRunner(lambda: SEED).tell_places() == {}, "there is no night"


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


def night(people: int, rounds: int, seed: int) -> list[Tables]:
    """The tables of a night at which everybody stays."""
    played: list[Tables] = []
    for number in range(rounds):
        played.append(draw_tables(range(people), played, bytes([seed, number])))
    return played


def meetings(played: Sequence[Tables]) -> Counter[frozenset[int]]:
    """How often any two have been at one table."""
    tables = (table for tables in played for table in tables)
    return Counter(frozenset(pair) for table in tables for pair in combinations(table, 2))


@pytest.mark.parametrize(("people", "rounds", "each"), [(24, 3, 5), (25, 3, 5), (30, 3, 5)])
@pytest.mark.parametrize("seed", first(1, range(3), thorough=3))
def test_nobody_meets_anybody_twice_in_three_rounds_of_fives(
    people: int, rounds: int, each: int, seed: int
) -> None:
    played = night(people, rounds, seed)
    assert {max(map(len, tables)) for tables in played} == {each}
    assert set(meetings(played).values()) == {1}
    small = Counter(
        one for tables in played for table in tables if len(table) < each for one in table
    )
    assert all(times == 1 for times in small.values()), "nobody sits at the small table twice"


@pytest.mark.parametrize("seed", first(1, range(3), thorough=3))
def test_sixteen_in_fours_meet_nearly_all_in_five_rounds_and_nobody_three_times(seed: int) -> None:
    met = Counter(meetings(night(16, 5, seed)).values())
    assert set(met) <= {1, 2}
    assert met[2] <= 16, "of 120 pairs"


def test_where_meetings_cannot_be_avoided_they_are_as_few_as_can_be() -> None:
    """Five of one table sit at four others: one pair of each table has to meet again."""
    met = Counter(meetings(night(20, 4, 1)).values())
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


def test_who_is_late_is_drawn_next_time_and_who_left_is_not() -> None:
    played = night(21, 1, 5)
    later = [number for number in range(24) if number not in {3, 8}]
    played.append(draw_tables(later, played, b"later"))
    assert sorted(one for table in played[1] for one in table) == later
    last = [*later, 3]
    played.append(draw_tables(last, played, b"last"))
    assert sorted(one for table in played[2] for one in table) == sorted(last)
    met = Counter(meetings(played).values())
    assert met[2] <= 6, "few meet again, as who sat at a small table sits at a large one first"
    assert not met[3]


def test_what_was_played_stays_as_it_was() -> None:
    played = night(7, 2, 1)
    before = tuple(played)
    draw_tables(range(7), played, b"next")
    assert tuple(played) == before


def test_one_seed_gives_one_draw_in_any_order_of_people_and_another_seed_another() -> None:
    played = night(16, 1, 1)
    once = draw_tables(range(16), played, b"a")
    assert draw_tables(range(15, -1, -1), played, b"a") == once
    assert draw_tables(range(16), played, b"b") != once


@pytest.mark.level("broad")
def test_the_draw_is_the_same_on_every_machine() -> None:
    """These tables were drawn once, and stand here for programs of all versions to find again."""
    played = night(9, 2, 0)
    assert played == [((2, 3, 4, 1), (5, 0, 7, 6, 8)), ((8, 6, 3, 1, 4), (5, 2, 0, 7))]


def test_a_large_club_is_drawn_within_bounds() -> None:
    played = night(140, 2, 1)
    assert set(meetings(played).values()) == {1}


def test_a_round_of_people_who_are_not_there_or_sit_twice_is_unsound() -> None:
    for people in ((0, 1, 2), (0, 1, 1)):
        drawn = NightRound(bytes(32), (NightTable("t" * 16, people),))
        assert not Night(1, "Gold", "international", 3, ("Ana", "Ben"), (drawn,)).is_sound
