"""The table of an evening: who has what after its games, when it is over, and who sits where."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from net.protocol.evening import (
    MAX_GAMES,
    MAX_ROWS,
    Evening,
    EveningPlan,
    EveningRow,
    TargetUnit,
    draw_seats,
    read_plan,
)

THREE = ("Ann", "Ben", "Cleo")


def test_a_game_adds_to_everybody_and_who_has_most_gold_has_won() -> None:
    evening = Evening().after(THREE, (2, 5, 5)).after(("ben", "Dede", "Ann"), (1, 0, 4))
    assert evening.games == 2
    assert evening.rows == (
        EveningRow("Ann", games=2, won=1, gold=6),
        EveningRow("Ben", games=2, won=1, gold=6),
        EveningRow("Cleo", games=1, won=1, gold=5),
        EveningRow("Dede", games=1, won=0, gold=0),
    )
    assert [row.name for row in evening.first] == ["Ann", "Ben"]


@pytest.mark.parametrize(
    ("typed", "plan"),
    [
        ("5", EveningPlan(TargetUnit.GAMES, 5)),
        ("50gold", EveningPlan(TargetUnit.GOLD, 50)),
        ("0", None),
        ("100", None),
        ("5 gold", None),
    ],
)
def test_a_target_is_read_as_it_is_typed(typed: str, plan: EveningPlan | None) -> None:
    assert read_plan(typed) == plan
    assert plan is None or plan.text == typed


def test_an_evening_without_a_game_is_led_by_nobody() -> None:
    assert Evening().first == ()


@pytest.mark.parametrize(
    ("plan", "is_over"),
    [
        (EveningPlan(TargetUnit.GAMES, 1), True),
        (EveningPlan(TargetUnit.GAMES, 2), False),
        (EveningPlan(TargetUnit.GOLD, 5), True),
        (EveningPlan(TargetUnit.GOLD, 6), False),
    ],
)
def test_an_evening_is_over_once_its_target_is_reached(plan: EveningPlan, *, is_over: bool) -> None:
    assert Evening().after(THREE, (2, 5, 0)).is_over(plan) is is_over
    assert not Evening().is_over(plan)


def test_of_too_many_rows_those_go_who_have_least_and_have_left() -> None:
    evening = Evening()
    for game in range(MAX_ROWS // 2):
        evening = evening.after((f"A{game}", f"B{game}", "Ann"), (game + 1, game + 1, 0))
    assert len(evening.rows) == MAX_ROWS
    names = {row.name for row in evening.rows}
    assert "Ann" in names, "she has no gold, but plays on"
    assert len({"A0", "B0"} & names) == 1


def test_counts_stop_where_a_message_can_carry_no_more() -> None:
    evening = Evening()
    for _ in range(MAX_GAMES + 2):
        evening = evening.after(THREE, (1, 0, 0))
    assert (evening.games, evening.rows[0].games, evening.rows[0].won) == (MAX_GAMES,) * 3
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(evening), type=Evening) == evening


@pytest.mark.parametrize("word", ["Club", "a b", "é", "a" * 17, "x\n"])
def test_a_word_that_cannot_be_typed_everywhere_is_refused(word: str) -> None:
    wire = msgspec.msgpack.encode([0, 5, word])
    with pytest.raises(msgspec.ValidationError):
        msgspec.msgpack.decode(wire, type=EveningPlan)


def test_seats_are_drawn_fairly_and_alike_by_everybody() -> None:
    seeds = [bytes([number]) * 32 for number in range(240)]
    firsts = Counter(draw_seats(seed, 1, 4)[0] for seed in seeds)
    assert sorted(firsts) == [0, 1, 2, 3]
    assert min(firsts.values()) > 40
    assert all(sorted(draw_seats(seed, 1, 4)) == [0, 1, 2, 3] for seed in seeds)
    assert draw_seats(seeds[0], 1, 10) == draw_seats(seeds[0], 1, 10) != draw_seats(seeds[0], 2, 10)
