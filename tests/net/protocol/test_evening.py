"""The table of an evening: who has what after its games, and who leads."""

from __future__ import annotations

import msgspec

from net.protocol.lobby import MAX_GAMES, MAX_ROWS, Evening, EveningRow

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


def test_an_evening_without_a_game_is_led_by_nobody() -> None:
    assert Evening().first == ()


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
