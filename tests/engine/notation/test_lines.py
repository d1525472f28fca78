"""Events told as lines: what no game that was dealt by the rules can show, a position can."""

import pytest

from engine.moves import Discard
from engine.notation import parse_move, parse_position
from engine.notation.lines import Teller, Told


@pytest.mark.rule("T4")
def test_turns_without_cards_count_in_a_lap() -> None:
    now = parse_position("- (NE)/(NESW)/(NW) 1 -,-,- M/R,-,- - mms+m").round()
    teller = Teller(3)
    for text in ("xR", "xM"):
        move = parse_move(text)
        assert isinstance(move, Discard)
        now, events = now.apply(move)
        teller.tell(*events)
    told = [(line.told, line.words, line.seats) for line in teller.lines]
    assert told == [
        (Told.LAP, ("xR", "--", "--"), (0, 1, 2)),
        (Told.LAP, ("xM",), (0,)),
        (Told.WON, ("Won", "s", "mms+m", "NE/NESW/NW"), ()),
    ]


@pytest.mark.rule("T2", "T4")
def test_a_seat_that_passed_without_cards_draws_all_the_same() -> None:
    now = parse_position("- (NE)/(NESW)/(NW) 1 -,-,- M,-,R R/R mms+m").round()
    move = parse_move("xM")
    assert isinstance(move, Discard)
    teller = Teller(3)
    teller.tell(*now.apply(move)[1])
    assert teller.lines[0].words == ("xM=R", "--=R")
