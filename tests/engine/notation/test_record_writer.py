"""Events told as lines."""

import pytest

from engine.cards import Card
from engine.moves import Discard
from engine.notation import parse_position
from engine.notation.record_writer import RecordWriter


@pytest.mark.rule("T4")
def test_a_seat_without_cards_passes_in_no_record() -> None:
    now = parse_position("- (NE)/(NESW)/(NW) 1 -,-,- M/R,-,- - mms+m").round()
    _, events = now.apply(Discard(Card.MAP))
    with pytest.raises(ValueError, match="skips a seat"):
        RecordWriter(3).add_event(*events)
