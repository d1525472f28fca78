"""Notation: text that is spoilt is refused with `NotationError`, or read and written as it is."""

from __future__ import annotations

from contextlib import suppress

from hypothesis import strategies as st

from engine.notation import (
    NotationError,
    format_cell,
    format_move,
    format_position,
    format_record,
    parse_card,
    parse_cell,
    parse_move,
    parse_position,
    parse_record,
)
from engine.notation.record import Replay
from tests.engine.notation.games import RECORDS
from tests.fuzz.fuzzing import fuzz, spoiling, spoiling_text

POSITIONS = [
    line
    for path in sorted((RECORDS.parent / "positions").glob("*.txt"))
    for line in path.read_text(encoding="utf-8").splitlines()
    if line.count(" ") >= 6 and not line.startswith("#")
]
SHORT = ("NES@3n1", "-L>2", "+LC>2:C", "R@3n1", "M@8n2", "xNES", "x?", "$2", "8s2", "+PL")
TEXTS = tuple(path.read_text(encoding="utf-8") for path in sorted(RECORDS.glob("*.sab")))


def check_error(error: NotationError) -> None:
    """Check how an error tells where it is."""
    assert str(error).isprintable()
    assert len(str(error)) < 500


def test_there_is_something_to_spoil() -> None:
    assert len(POSITIONS) > 10
    assert len(TEXTS) > 3


@fuzz(spoiling_text(*POSITIONS) | st.text(max_size=60), so_many=200)
def test_a_spoilt_position_is_refused_or_read_and_written(text: str) -> None:
    try:
        position = parse_position(text)
    except NotationError as error:
        check_error(error)
    else:
        written = format_position(position)
        assert format_position(parse_position(written)) == written


@fuzz(spoiling_text(*SHORT) | st.text(max_size=12), so_many=200)
def test_a_spoilt_move_card_or_cell_is_refused_or_read_and_written(text: str) -> None:
    with suppress(NotationError):
        assert format_move(parse_move(text)) in (text, text.partition(":")[0])
    with suppress(NotationError):
        parse_move(text)
    with suppress(NotationError):
        assert str(parse_card(text)) == text
    with suppress(NotationError):
        assert format_cell(parse_cell(text)) == text


@fuzz(spoiling_text(*TEXTS) | spoiling(*(text.encode() for text in TEXTS)), so_many=125)
def test_a_spoilt_record_is_refused_or_read_and_written(text: str | bytes) -> None:
    try:
        record = parse_record(text)
    except NotationError as error:
        check_error(error)
    else:
        Replay.of(record)
        written = format_record(record)
        assert format_record(parse_record(written)) == written
