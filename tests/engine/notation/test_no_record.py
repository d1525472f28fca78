"""What cannot be a record is not written: what `format_record` writes, `parse_record` reads."""

from dataclasses import replace
from random import Random

import pytest

from engine.dealing import deal
from engine.edition import FRANCE, INTERNATIONAL
from engine.events import Drew, DwarfDealt, HandDealt
from engine.notation import ObservedRecord, Record, format_record, parse_record
from tests.engine.notation.games import NAMES, play, record_of_seat

SEED = bytes(32)


def test_a_record_has_one_seed_or_one_for_each_round() -> None:
    record = Record(NAMES[:3], rounds=1, seed=SEED, seeds=(bytes(31) + b"1",)).add_round()
    with pytest.raises(ValueError, match="this cannot be a record"):
        format_record(record)


def test_more_talk_than_a_reader_takes_is_not_written() -> None:
    record = Record(NAMES[:3], seed=SEED).add_round()
    for _ in range(700):
        record = record.add_utterance(0, NAMES[0], text="x" * 200)
    with pytest.raises(ValueError, match="a record has at most 131072 characters"):
        format_record(record)


def test_more_tags_than_a_reader_takes_are_not_written() -> None:
    own = tuple((f"Own{number}", "") for number in range(51))
    with pytest.raises(ValueError, match="at most 50 tags"):
        format_record(Record(NAMES[:3], seed=SEED, extra=own).add_round())


@pytest.mark.parametrize("seat", [0, 2, None])
def test_events_that_no_seat_receives_in_that_order_are_not_written(
    seat: int | None, rng: Random
) -> None:
    whole, _, told = play(7, 3, FRANCE)
    seen = record_of_seat(seat, whole, told)
    refused = 0
    for number in range(36):
        events = [*seen.events[: rng.randrange(1, len(seen.events))]]
        at, other = rng.randrange(len(events)), rng.randrange(len(events))
        if number % 3 == 0:
            rng.shuffle(events)
        elif number % 3 == 1:
            events[at], events[other] = events[other], events[at]
        else:
            del events[at]
        record = replace(seen, events=tuple(events))
        try:
            text = format_record(record)
        except ValueError:
            refused += 1
        else:
            assert parse_record(text) == record
    assert refused > 18


def test_events_begin_with_a_round() -> None:
    _, events = Record(NAMES[:3], seed=SEED).next_step(None)
    own = [event for event in events if isinstance(event, DwarfDealt | HandDealt) and event.to == 0]
    for event in own:
        with pytest.raises(ValueError, match="this cannot have happened here"):
            format_record(ObservedRecord(NAMES[:3], 0, INTERNATIONAL, 3, (event,)))
    with pytest.raises(ValueError, match="this cannot have happened here"):
        format_record(ObservedRecord(NAMES[:3], None, INTERNATIONAL, 3, (Drew(0),)))


def test_a_deal_for_others_is_not_written() -> None:
    record = Record(NAMES[:3]).add_round(deal(SEED, 1, 4))
    with pytest.raises(ValueError, match="no seed and no deal for 3 players"):
        format_record(record)
