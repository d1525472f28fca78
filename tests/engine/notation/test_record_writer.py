"""Events told as lines: what no game that was dealt by the rules can show, a position can."""

import pytest

from engine.moves import Discard
from engine.notation import parse_move, parse_position
from engine.notation.record_writer import LineKind, RecordWriter


@pytest.mark.rule("T4")
def test_turns_without_cards_count_in_a_lap() -> None:
    now = parse_position("- (NE)/(NESW)/(NW) 1 -,-,- M/R,-,- - mms+m").round()
    writer = RecordWriter(3)
    for text in ("xR", "xM"):
        move = parse_move(text)
        assert isinstance(move, Discard)
        now, events = now.apply(move)
        writer.add_event(*events)
    told = [(line.kind, line.words, line.seats) for line in writer.lines]
    assert told == [
        (LineKind.LAP, ("xR", "--", "--"), (0, 1, 2)),
        (LineKind.LAP, ("xM",), (0,)),
        (LineKind.WON, ("Won", "s", "mms+m", "NE/NESW/NW"), ()),
    ]


@pytest.mark.rule("T2", "T4")
def test_a_seat_that_passed_without_cards_draws_all_the_same() -> None:
    now = parse_position("- (NE)/(NESW)/(NW) 1 -,-,- M,-,R R/R mms+m").round()
    move = parse_move("xM")
    assert isinstance(move, Discard)
    writer = RecordWriter(3)
    writer.add_event(*now.apply(move)[1])
    assert writer.lines[0].words == ("xM=R", "--=R")
