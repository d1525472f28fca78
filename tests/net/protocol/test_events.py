"""Events and moves on the wire: a row for each kind, there and back, and nothing out of bounds."""

from __future__ import annotations

import re
from typing import Final, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.actions import Looked
from engine.cards import CARDS, GOALS, PATHS, Role, Tool
from engine.events import Event, RoundEnded
from engine.moves import Discard, Lay, Move
from net.protocol.events import (
    EVENT_ROWS,
    MOVE_ROWS,
    EventWire,
    MoveWire,
    read_event,
    read_move,
    write_event,
    write_move,
)
from net.protocol.fields import (
    ALL_GOALS,
    CARD,
    CELL,
    COUNTS,
    GOAL,
    GOLD_BY_SEAT,
    HAND,
    KEPT_NUGGETS,
    NUGGETS,
    PATH,
    ROLE,
    ROLES,
    SEAT,
    SMALL,
    TOOL,
    Codec,
    WireRow,
)
from net.protocol.framing import BadFrame

ROWS: Final = (*EVENT_ROWS, *MOVE_ROWS)
KINDS: Final = [pytest.param(row, id=row.tag) for row in ROWS]
WORD: Final = re.compile(r"[a-z]{3,9}")

nuggets = st.lists(st.integers(1, 3), max_size=28).map(tuple)
VALUES: dict[Codec[object], st.SearchStrategy[object]] = {
    SEAT: st.integers(0, 9),
    SMALL: st.integers(0, 127),
    COUNTS: st.lists(st.integers(0, 127), max_size=10).map(tuple),
    CELL: st.tuples(st.integers(-99, 99), st.integers(-99, 99)),
    KEPT_NUGGETS: st.integers(1, 3),
    CARD: st.sampled_from(CARDS),
    HAND: st.lists(st.sampled_from(CARDS), max_size=67).map(tuple),
    PATH: st.sampled_from(PATHS),
    TOOL: st.sampled_from(Tool),
    ROLE: st.sampled_from(Role),
    ROLES: st.lists(st.sampled_from(Role), max_size=10).map(tuple),
    GOAL: st.sampled_from(GOALS),
    ALL_GOALS: st.tuples(*[st.sampled_from(GOALS)] * 3),
    NUGGETS: nuggets,
    GOLD_BY_SEAT: st.lists(nuggets, max_size=10).map(tuple),
}
"""All values that each codec takes."""

LARGEST: dict[Codec[object], object] = {
    SEAT: 9,
    SMALL: 127,
    COUNTS: (127,) * 10,
    CELL: (-99, 99),
    KEPT_NUGGETS: 3,
    CARD: CARDS[-1],
    HAND: CARDS[-1:] * 67,
    PATH: PATHS[-1],
    TOOL: tuple(Tool)[-1],
    ROLE: Role.SABOTEUR,
    ROLES: (Role.SABOTEUR,) * 10,
    GOAL: GOALS[-1],
    ALL_GOALS: GOALS[-1:] * 3,
    NUGGETS: (3,) * 28,
    GOLD_BY_SEAT: ((3,) * 28,) * 10,
}
"""The last value that each codec takes."""

OUT_OF_BOUNDS: dict[Codec[object], list[object]] = {
    SEAT: [-1, 10],
    SMALL: [-1, 128],
    COUNTS: [[0] * 11, [-1], [128]],
    CELL: [[100, 0], [0, -100], [0], [0, 0, 0]],
    KEPT_NUGGETS: [0, 4],
    CARD: [-1, len(CARDS)],
    HAND: [bytes(68), bytes([len(CARDS)]), [0]],
    PATH: [-1, len(PATHS)],
    TOOL: [-1, 3],
    ROLE: [-1, 2],
    ROLES: [bytes(11), b"\2"],
    GOAL: [-1, 3],
    ALL_GOALS: [[0, 1], [0, 1, 3], [0, 1, 2, 0]],
    NUGGETS: [b"\1" * 29, b"\0", b"\4", [1]],
    GOLD_BY_SEAT: [[b""] * 11, [b"\0"], [b"\1" * 29]],
}
"""Wire values just beyond the bounds of each codec."""


def values_of(row: WireRow[object]) -> st.SearchStrategy[object]:
    """Values of a row's kind."""
    return st.tuples(*(VALUES[codec] for codec in row.codecs)).map(lambda parts: row.kind(*parts))


def receive_row(row: WireRow[object], data: bytes) -> object:
    """The event or move of these bytes, read as a message's field of that type is."""
    kinds: object = EventWire if row in EVENT_ROWS else MoveWire
    return row.read(msgspec.msgpack.decode(data, type=kinds))


@pytest.mark.parametrize(("rows", "union"), [(EVENT_ROWS, Event), (MOVE_ROWS, Move)])
def test_every_kind_has_one_row_and_a_tag_of_its_own(
    rows: tuple[WireRow[object], ...], union: object
) -> None:
    assert len(rows) == len(get_args(union))
    assert {row.kind for row in rows} == set(get_args(union))
    assert len({row.tag for row in rows}) == len(rows)
    assert all(WORD.fullmatch(str(row.tag)) for row in rows)


@given(st.one_of([st.tuples(st.just(row), values_of(row)) for row in ROWS]))
def test_every_event_and_move_comes_back_as_it_went(sent: tuple[WireRow[object], object]) -> None:
    row, value = sent
    data = msgspec.msgpack.encode(row.write(value))
    assert msgspec.msgpack.decode(data)[0] == row.tag
    assert receive_row(row, data) == value


def test_the_rows_are_found_by_the_value() -> None:
    event, move = Looked(3, (8, 2)), Discard(CARDS[4])
    assert msgspec.to_builtins(write_event(event)) == ["looked", 3, (8, 2)]
    assert msgspec.to_builtins(write_move(move)) == ["discard", 4]
    assert read_event(write_event(event)) == event
    assert read_move(write_move(move)) == move


@pytest.mark.parametrize("row", KINDS)
def test_a_field_out_of_bounds_is_refused(row: WireRow[object]) -> None:
    largest = row.kind(*[LARGEST[codec] for codec in row.codecs])
    plain = msgspec.to_builtins(row.write(largest), builtin_types=(bytes,))
    assert receive_row(row, msgspec.msgpack.encode(plain)) == largest
    for at, codec in enumerate(row.codecs, 1):
        for bad in (*OUT_OF_BOUNDS[codec], None, "x"):
            changed = [*plain[:at], bad, *plain[at + 1 :]]
            with pytest.raises((msgspec.ValidationError, BadFrame)):
                receive_row(row, msgspec.msgpack.encode(changed))
    for changed in (plain[:-1], [*plain, 0], ["dance", *plain[1:]]):
        with pytest.raises(msgspec.ValidationError):
            receive_row(row, msgspec.msgpack.encode(changed))


def test_a_move_and_the_end_of_a_round_are_no_lost_moves() -> None:
    end = RoundEnded(Role.MINER, (Role.MINER,), Role.SABOTEUR, (GOALS[0], GOALS[1], GOALS[2]))
    moves = MoveWire, msgspec.msgpack.encode(write_event(end))
    lost = EventWire, msgspec.msgpack.encode(write_move(Lay(PATHS[0], (1, 0))))
    for kinds, data in (moves, lost):
        with pytest.raises(msgspec.ValidationError):
            msgspec.msgpack.decode(data, type=kinds)
