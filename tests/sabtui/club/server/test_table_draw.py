"""The draw of a club's tables: legal sizes always, and nobody twice where the numbers allow it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest

from net.protocol.board import Night, NightRound, NightTable
from net.protocol.fields import MAX_SEATS
from sabtui.club.night import Tables, draw_tables, table_sizes
from tests.samples import first


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
    later = [one for one in range(24) if one not in {3, 8}]
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
