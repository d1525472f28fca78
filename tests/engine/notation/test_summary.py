"""A record at a glance: the same facts as playing it through gives, and the same id for a game."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.cards import Role
from engine.notation import NotationError, ObservedRecord, Record, format_record, parse_record
from engine.notation.record import Replay
from engine.notation.record_parser import parse_summary
from tests.engine.notation.games import NAMES, RECORDS, forge
from tests.engine.notation.test_talk import talking

WHOLE = (RECORDS / "whole.sab").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.sab")), ids=lambda path: path.stem)
def test_a_summary_of_each_kind_of_record_agrees_with_it(path: Path) -> None:
    record = parse_record(path.read_bytes())
    found = parse_summary(path.read_bytes())
    replayed = Replay.of(record)
    ends = [step.view(replayed.seats[0]).score.nuggets for step in replayed.steps[-1:]]
    assert [found.nuggets] == (ends or [None])
    assert found.names == record.names
    assert found.extra == record.extra
    seat = (record.seat,) if isinstance(record, ObservedRecord) else None
    assert found.seen == seat


@pytest.mark.level("broad")
def test_the_id_of_a_game_is_that_of_its_moves_and_not_of_tags_and_talk() -> None:
    record = talking(2, 3)
    same = [
        replace(record, extra=(("Date", "2026-11-22"), ("Kept", "1"))),
        replace(record, talk=()),
    ]
    other = [
        replace(record, names=("Somebody", *record.names[1:])),
        talking(3, 3),
        replace(record, moves=(*record.moves[:-1], record.moves[-1][:-1]), talk=()),
    ]
    found = parse_summary(format_record(record)).id
    assert {parse_summary(format_record(one)).id for one in same} == {found}
    assert found not in {parse_summary(format_record(one)).id for one in other}
    assert len(found) == 32


def test_a_game_that_is_not_over_has_no_gold_yet() -> None:
    found = parse_summary(format_record(Record(NAMES[:3], seed=bytes(32)).add_round()))
    assert (found.nuggets, found.played) == (None, ())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('[Result "4 7 3 0 0"]', '[Result "4 7 3 0 1"]'),
        ("End 4 7 3 0 0", "End 4 7 3 0"),
        ("Won m mmmss+m", "Won x mmmss+m"),
        ("Won m mmmss+m", "Won m mmms+m"),
        ("Won m mmmss+m", "Won m mmmsx+m"),
        ('[Seat5 "Eve"]', '[Seat6 "Eve"]'),
    ],
)
def test_a_summary_of_what_contradicts_itself_is_refused(old: str, new: str) -> None:
    with pytest.raises(NotationError):
        parse_summary(forge(WHOLE, old, new))


@pytest.mark.parametrize("result", ["-1 0 0 0 0", "9999 0 0 0 0", "1 2 3", "\u0661 0 0 0 0"])
def test_gold_that_nobody_can_have_is_refused(result: str) -> None:
    text = forge(WHOLE, '[Result "4 7 3 0 0"]', f'[Result "{result}"]')
    with pytest.raises(NotationError):
        parse_summary(forge(text, "End 4 7 3 0 0", f"End {result}"))


def test_roles_are_read_by_seat() -> None:
    found = parse_summary(WHOLE)
    assert [one.winner for one in found.played] == [Role.MINER, Role.SABOTEUR]
    assert "".join(found.played[1].roles) == "ssmmm"
