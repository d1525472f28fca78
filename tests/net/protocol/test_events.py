"""Events and moves on the wire: a row for each kind, there and back, and nothing out of bounds."""

from __future__ import annotations

import re
from typing import Final, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import CARDS, GOALS, PATHS, Role, Tool
from engine.events import Event
from engine.moves import Move
from net.protocol.events import EVENT_ROWS, MOVE_ROWS, EventWire, MoveWire
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


def some(item: st.SearchStrategy[object], most: int) -> st.SearchStrategy[object]:
    return st.lists(item, max_size=most).map(tuple)


def one_of(*values: object) -> st.SearchStrategy[object]:
    return st.sampled_from(values)


SMALL_NUMBER, NUGGET = st.integers(0, 127), st.integers(1, 3)
CODECS: dict[Codec[object], tuple[st.SearchStrategy[object], object, list[object]]] = {
    SEAT: (st.integers(0, 9), 9, [-1, 10]),
    SMALL: (SMALL_NUMBER, 127, [-1, 128]),
    COUNTS: (some(SMALL_NUMBER, 10), (127,) * 10, [[0] * 11, [-1], [128]]),
    CELL: (
        st.tuples(*[st.integers(-99, 99)] * 2),
        (-99, 99),
        [[100, 0], [0, -100], [0], [0, 0, 0]],
    ),
    KEPT_NUGGETS: (NUGGET, 3, [0, 4]),
    CARD: (one_of(*CARDS), CARDS[-1], [-1, len(CARDS)]),
    HAND: (some(one_of(*CARDS), 67), CARDS[-1:] * 67, [bytes(68), bytes([len(CARDS)]), [0]]),
    PATH: (one_of(*PATHS), PATHS[-1], [-1, len(PATHS)]),
    TOOL: (one_of(*Tool), tuple(Tool)[-1], [-1, 3]),
    ROLE: (one_of(*Role), Role.SABOTEUR, [-1, 2]),
    ROLES: (some(one_of(*Role), 10), (Role.SABOTEUR,) * 10, [bytes(11), b"\2"]),
    GOAL: (one_of(*GOALS), GOALS[-1], [-1, 3]),
    ALL_GOALS: (
        st.tuples(*[one_of(*GOALS)] * 3),
        GOALS[-1:] * 3,
        [[0, 1], [0, 1, 3], [0, 1, 2, 0]],
    ),
    NUGGETS: (some(NUGGET, 28), (3,) * 28, [b"\1" * 29, b"\0", b"\4", [1]]),
    GOLD_BY_SEAT: (
        some(some(NUGGET, 28), 10),
        ((3,) * 28,) * 10,
        [[b""] * 11, [b"\0"], [b"\1" * 29]],
    ),
}
"""For each codec: all values that it takes, the last of them, and wire values out of bounds."""


def values_of(row: WireRow[object]) -> st.SearchStrategy[object]:
    values = st.tuples(*(CODECS[codec][0] for codec in row.codecs))
    return values.map(lambda parts: row.kind(*parts))


def receive_row(row: WireRow[object], data: bytes) -> object:
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


@pytest.mark.parametrize("row", KINDS)
def test_a_field_out_of_bounds_is_refused(row: WireRow[object]) -> None:
    largest = row.kind(*[CODECS[codec][1] for codec in row.codecs])
    plain = msgspec.to_builtins(row.write(largest), builtin_types=(bytes,))
    assert receive_row(row, msgspec.msgpack.encode(plain)) == largest
    for at, codec in enumerate(row.codecs, 1):
        for bad in (*CODECS[codec][2], None, "x"):
            changed = [*plain[:at], bad, *plain[at + 1 :]]
            with pytest.raises((msgspec.ValidationError, BadFrame)):
                receive_row(row, msgspec.msgpack.encode(changed))
    for changed in (plain[:-1], [*plain, 0], ["dance", *plain[1:]]):
        with pytest.raises(msgspec.ValidationError):
            receive_row(row, msgspec.msgpack.encode(changed))
