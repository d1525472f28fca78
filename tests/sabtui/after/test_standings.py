"""Standings count everybody's gold and the games they won."""

from dataclasses import replace

from engine.edition import EDITIONS
from engine.notation.record_parser import RecordSummary
from sabtui.after.library import KeptGame, standings, standings_lines


def game(*players: tuple[str, int], day: int = 0, me: int | None = None) -> KeptGame:
    """A finished game: everybody's name and gold."""
    names, gold = zip(*players, strict=True)
    record = RecordSummary(f"{day:032}", names, EDITIONS["international"], 1, None, gold, (), ())
    return KeptGame(f"{day}.sab", float(day), "", me, record)


FIRST = game(("Ana", 4), ("Bruno", 1), ("Chi", 1))
SECOND = game(("ana", 2), ("Bruno", 5), ("Dora", 5), day=1, me=1)


def test_everybody_is_counted_by_name_whatever_its_case_most_gold_first() -> None:
    assert standings([FIRST, SECOND]) == (
        ("Ana", 6, 1, 2),
        ("Bruno", 6, 1, 2),
        ("Dora", 5, 1, 1),
        ("Chi", 1, 0, 1),
    )


def test_bots_do_not_stand_among_people_but_whoever_has_a_bots_name_does() -> None:
    mixed = game(("Ana", 3), ("Norri", 2), ("Norri 2", 0))
    assert [one.name for one in standings([mixed])] == ["Ana"]
    assert [one.name for one in standings([replace(mixed, my_seat=1)])] == ["Ana", "Norri"]


def test_games_that_are_not_over_count_for_nothing() -> None:
    others = [replace(FIRST, record=replace(FIRST.record, nuggets=None))]
    assert standings_lines(others) == standings_lines([]) == ["0 finished games."]
    counted, _blank, header, *rows = standings_lines([FIRST, *others])
    assert counted == "1 finished game."
    assert header.split() == ["name", "gold", "won", "games"]
    assert [row.split() for row in rows] == [
        ["Ana", "4", "1", "1"],
        ["Bruno", "1", "0", "1"],
        ["Chi", "1", "0", "1"],
    ]
