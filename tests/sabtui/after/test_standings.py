"""Standings count what everybody did, beside what the luck of the seats would give."""

from dataclasses import replace
from datetime import date

import pytest

from sabtui.after.library import IndexedGame, IndexedPlayer
from sabtui.after.standings import (
    GameChoice,
    PersonStanding,
    SideRecord,
    miners_chances,
    select_finished,
    standings,
)

NOON = 1_763_812_800.0
"""Noon in London on 2025-11-22, in seconds since 1970."""

DAY_S = 86_400.0


def game(
    winners: str,
    *players: tuple[str, str, int],
    day: int = 0,
    me: int | None = None,
    place: str = "",
) -> IndexedGame:
    """A finished game: who won each round, and everybody's name, roles and gold."""
    return IndexedGame(
        id=f"{day:032}",
        file=f"{day}.sab",
        date=NOON + day * DAY_S,
        place=place,
        edition="international",
        rounds=len(winners),
        winners=winners,
        is_over=True,
        seen=None,
        my_seat=me,
        players=tuple(IndexedPlayer(*player) for player in players),
    )


FIRST = game("ms", ("Ana", "mm", 4), ("Bruno", "sm", 1), ("Chi", "ms", 1), place="Club")
SECOND = game("ss", ("ana", "ss", 2), ("Bruno", "mm", 5), ("Dora", "mm", 2), day=1, me=1)


def of(name: str, found: tuple[PersonStanding, ...]) -> PersonStanding:
    return next(one for one in found if one.name == name)


def test_everybody_is_counted_by_name_whatever_its_case_most_gold_first() -> None:
    found = standings([SECOND, FIRST])
    assert [one.name for one in found] == ["Ana", "Bruno", "Dora", "Chi"]
    ana = of("Ana", found)
    assert (ana.games, ana.won, ana.gold) == (2, 1, 6)
    assert (ana.miner.rounds, ana.miner.wins) == (2, 1)
    assert (ana.saboteur.rounds, ana.saboteur.wins) == (2, 2)
    assert (ana.streak, ana.best_streak) == (0, 1)
    assert (of("Bruno", found).streak, of("Bruno", found).best_streak) == (1, 1)


def test_somebody_else_who_has_the_users_name_is_another_person() -> None:
    both = game("m", ("Ana", "m", 1), ("Ana 2", "m", 3), ("ana 3", "s", 2), me=1)
    found = standings([both], "Ana")
    assert [(one.name, one.games, one.gold) for one in found] == [
        ("Ana", 1, 3),
        ("ana 3", 1, 2),
        ("Ana 2", 1, 1),
    ]
    third = replace(both, my_seat=2)
    assert [one.name for one in standings([third], "Ana")] == ["Ana 2", "Ana", "Ana 3"]
    watched = replace(both, my_seat=None)
    assert of("Ana", standings([watched], "Ana")).gold == 1


def test_games_that_are_not_over_count_for_nothing() -> None:
    unfinished = replace(FIRST, is_over=False)
    assert select_finished([SECOND, unfinished, FIRST]) == [FIRST, SECOND]
    assert standings([unfinished]) == ()


def test_luck_gives_each_side_its_share_of_rounds_by_number_of_players() -> None:
    four = game("mmm", *((name, "mmm", 1) for name in "ABCD"), day=3)
    chances = miners_chances([FIRST, SECOND, four])
    assert chances == {3: 2 / 6, 4: 4 / 5}
    ana = of("Ana", standings([FIRST, SECOND, four]))
    assert ana.miner.expected == pytest.approx(2 * 2 / 6)
    assert ana.saboteur.expected == pytest.approx(2 * 4 / 6)


def test_only_what_luck_hardly_gives_is_beyond_luck() -> None:
    record = SideRecord()
    assert record.share is None
    assert record.beyond_luck == 0
    for _ in range(3):
        record = record.after(won=True, chance=0.5)
    assert record.beyond_luck == 0, "three heads in a row"
    for _ in range(9):
        record = record.after(won=True, chance=0.5)
    assert record.beyond_luck == 1
    assert record.share is not None
    assert record.share.low > 0.7
    for _ in range(40):
        record = record.after(won=False, chance=0.5)
    assert record.beyond_luck == -1


def test_the_user_is_known_by_the_name_that_they_played_under() -> None:
    mine = game("m", ("root", "m", 1), ("Ana", "m", 3), me=1)
    found = standings([mine], me="root")
    assert [(one.name, one.gold) for one in found] == [("Ana", 3), ("root", 1)]
    assert of("Bruno", standings([FIRST, SECOND], me="Zoe")).games == 2


def test_games_are_chosen_by_day_and_people() -> None:
    games = [FIRST, SECOND]

    def choose(choice: GameChoice) -> list[IndexedGame]:
        return choice.select(games)

    assert choose(GameChoice()) == games
    assert choose(GameChoice(since=date(2025, 11, 23))) == [SECOND]
    assert choose(GameChoice(since=date(2025, 11, 22))) == games
    assert choose(GameChoice(people=("ANA", "chi"))) == [FIRST]
    assert choose(GameChoice(people=("Ana", "Zoe"))) == []
    numbered = game("m", ("Zoe", "m", 1), ("Zoe 2", "m", 3), me=1)
    assert GameChoice(people=("Zoe", "Zoe 2")).select([numbered], me="Zoe") == [numbered]
    odd = replace(FIRST, date=1e300)
    assert GameChoice().select([odd]) == [odd]
    assert GameChoice(since=date(2025, 1, 1)).select([odd]) == []


def test_an_evening_ends_with_a_long_pause() -> None:
    hour = 3600.0
    evening = [replace(FIRST, id=str(hours), date=NOON + hours * hour) for hours in (0, 2, 5)]
    before = replace(FIRST, date=NOON - 7 * hour)
    chosen = GameChoice(last_evening=True).select([before, *evening])
    assert chosen == evening[::-1]
    assert GameChoice(last_evening=True).select([]) == []


def test_bots_stand_among_people_only_if_that_is_wanted() -> None:
    mixed = game("d", ("Ana", "m", 3), ("Norri", "m", 2), ("Norri 2", "s", 0))
    assert [one.name for one in standings([mixed])] == ["Ana"]
    assert len(standings([mixed], with_bots=True)) == 3
    mine = replace(mixed, my_seat=1)
    assert [one.name for one in standings([mine], "Norri")] == ["Ana", "Norri"], (
        "no bot of that name"
    )
