"""The wire: frames, kinds of messages, events and moves; whatever else comes is refused."""

from __future__ import annotations

import re
import tracemalloc
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Annotated, Final, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct, inspect

from engine.cards import CARDS, GOALS, PATHS, Role, Tool
from engine.events import Event
from engine.moves import Move
from net.protocol import fields
from net.protocol.fields import Codec, WireRow, has_clean_text
from net.protocol.framing import (
    MAX_CLIENT_FRAME_BYTES,
    MAX_HOST_FRAME_BYTES,
    MAX_UNTRUSTED_FRAME_BYTES,
    PAD_BYTE,
    BadFrame,
    FrameTooLong,
    Message,
    decode,
    pack,
    padded_length,
)
from net.protocol.game_wire import EVENT_ROWS, MOVE_ROWS, EventWire, MoveWire
from net.protocol.hall import NextTable
from net.protocol.messages import CLIENT_KINDS, HOST_KINDS, Snapshot
from net.protocol.requests import TableRequest
from net.secure.handshake import HANDSHAKE_CLIENT_KINDS, HANDSHAKE_HOST_KINDS
from net.server.bot_worker import Failed, Thought
from tests.net.protocol.frames import Stream, value_of

# Frames.

plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False)
    | st.text(max_size=20)
    | st.binary(max_size=20),
    lambda inner: st.lists(inner, max_size=40) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=12,
)


class Call(Message, frozen=True, tag="call"):
    """A message with a field of each kind that is easily mistaken."""

    name: Annotated[str, msgspec.Meta(max_length=4)]
    nonce: Annotated[bytes, msgspec.Meta(max_length=4)] = b""
    times: Annotated[int, msgspec.Meta(ge=1, le=3)] = 1


class Bye(Message, frozen=True, tag="bye"):
    """A message with nothing in it."""


def frame_bytes(value: bytes, *, pad: bytes = PAD_BYTE) -> bytes:
    return len(value).to_bytes(4, "big") + value.ljust(padded_length(len(value)), pad)


def fault(data: bytes, limit: int = MAX_HOST_FRAME_BYTES) -> str:
    with pytest.raises(BadFrame) as caught:
        Stream(limit).feed(data)
    return str(caught.value)


def chunks(data: bytes, cuts: list[int]) -> list[bytes]:
    edges = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    return [data[start:end] for start, end in pairwise(edges)]


@given(st.lists(plain, max_size=4), st.lists(st.integers(0, 10_000), max_size=12))
def test_values_come_through_whole_however_the_bytes_are_cut(
    values: list[object], cuts: list[int]
) -> None:
    stream = Stream()
    sent = b"".join(pack(value, MAX_HOST_FRAME_BYTES) for value in values)
    got = [value for chunk in chunks(sent, cuts) for value in stream.feed(chunk)]
    assert got == list(map(msgspec.msgpack.encode, values))


@given(
    st.sampled_from([MAX_UNTRUSTED_FRAME_BYTES, MAX_CLIENT_FRAME_BYTES, MAX_HOST_FRAME_BYTES]),
    st.lists(st.binary(max_size=700) | st.binary(max_size=300).map(frame_bytes), max_size=5),
)
def test_any_bytes_raise_nothing_but_bad_frame(limit: int, parts: list[bytes]) -> None:
    with suppress(BadFrame):
        Stream(limit).feed(b"".join(parts))


@given(plain)
def test_the_length_on_the_wire_tells_the_bucket_alone(value: object) -> None:
    frame = pack(value, MAX_HOST_FRAME_BYTES)
    size = len(frame) - 4
    assert size >= 256
    assert size & (size - 1) == 0
    assert size // 2 < max(int.from_bytes(frame[:4], "big"), 129) <= size


def test_a_value_that_the_other_side_would_refuse_is_not_packed() -> None:
    assert len(pack(b"x" * 509, MAX_UNTRUSTED_FRAME_BYTES)) == 4 + MAX_UNTRUSTED_FRAME_BYTES
    with pytest.raises(FrameTooLong) as caught:
        pack(b"x" * 510, MAX_UNTRUSTED_FRAME_BYTES)
    assert str(caught.value) == "513 bytes do not fit a frame of 512"


@pytest.mark.parametrize("length", [0, 513, 1024, 2**32 - 1])
def test_a_length_above_the_cap_or_of_nothing_is_refused_before_its_body(length: int) -> None:
    assert fault(length.to_bytes(4, "big"), MAX_UNTRUSTED_FRAME_BYTES) == "length"


@pytest.mark.parametrize(
    "value",
    [
        *(b"", b"\xc1", b"\xdd\xff\xff\xff\xff", b"\xdf\xff\xff\xff\xff"),
        *(b"\x91" * 60_000 + b"\x90", b"\x82\xa1a" + b"\x91" * 60_000),
        b"\x82\xa2is\xa4call\xa4name\xdd\xff\xff\xff\xff",
        b"\x82\xa2is\xa4call\xa4name\xa2\xff\xfe",
        b"\x82\xa2is\xa4call\xa4name\xa3\xed\xa0\x80",
        b"\x82\xa2is\xa4call\xa4name\xd4\x05\x00",
        b"\x82\xa2is\xa4call\xa5times\xcf\xff\xff\xff\xff\xff\xff\xff\xff",
        *(b"\x81\xa2is\xa3bye\x00", b"\x81\xc4\x02is\xa3bye", b"\x81\x01\x02"),
    ],
    ids=lambda value: repr(value[:24]),
)
def test_bytes_that_are_no_message_are_refused_and_get_no_room(value: bytes) -> None:
    tracemalloc.start()
    with pytest.raises(BadFrame) as caught:
        decode(value, Call, Bye)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert caught.value.args == ("message",)
    assert peak < 1024 * 1024


def test_padding_has_to_be_zeroes() -> None:
    assert value_of(frame_bytes(b"\x01")) == b"\x01"
    assert fault(frame_bytes(b"\x01", pad=b"\x01")) == "padding"
    assert fault(frame_bytes(b"\x01")[:-1] + b"\x01") == "padding"


@pytest.mark.parametrize(
    "value",
    [
        *(None, [], {}, {"is": "call"}, {"is": "other"}, {"is": 7}, {"name": "Ann"}),
        *({"is": "call", "name": name} for name in ("Annie", b"Ann", 7)),
        *({"is": "call", "name": "Ann", "nonce": nonce} for nonce in ("AAAA", b"12345")),
        *({"is": "call", "name": "Ann", "times": times} for times in (0, 1.0, True, "1")),
        {"is": "call", "name": "Ann", "more": 1},
    ],
    ids=repr,
)
def test_what_is_no_message_to_the_last_field_is_refused(value: object) -> None:
    with pytest.raises(BadFrame) as caught:
        decode(msgspec.msgpack.encode(value), Call, Bye)
    assert caught.value.args == ("message",)


@given(plain | st.dictionaries(st.sampled_from(["is", "name", "nonce", "times"]), plain))
def test_any_value_becomes_a_message_or_a_bad_frame(value: object) -> None:
    with suppress(BadFrame):
        assert isinstance(decode(msgspec.msgpack.encode(value), Call, Bye), Call | Bye)


# Messages.

WORDS: Final = re.compile(r"[a-z]+(-[a-z]+)*")

TAGGED: dict[str, tuple[type[Struct], ...]] = {
    "messages": tuple(
        # `Share` goes both ways.
        dict.fromkeys((*HANDSHAKE_CLIENT_KINDS, *HANDSHAKE_HOST_KINDS, *CLIENT_KINDS, *HOST_KINDS))
    ),
    "requests": get_args(TableRequest),
    "bots": (Thought, Failed),
}


@pytest.mark.parametrize("kinds", TAGGED.values(), ids=TAGGED)
def test_tags_are_words_and_unique(kinds: tuple[type[Struct], ...]) -> None:
    configs = [kind.__struct_config__ for kind in kinds]
    tags = [config.tag for config in configs]
    assert len(set(tags)) == len(tags)
    assert all(isinstance(tag, str) and WORDS.fullmatch(tag) for tag in tags)
    assert {config.tag_field for config in configs} == (
        {"is"} if issubclass(kinds[0], Message) else {"type"}
    )


def texts(form: inspect.Type, *, is_checked: bool = False) -> Iterator[bool]:
    match form:
        case inspect.Metadata(inner, extra=extra):
            yield from texts(inner, is_checked="is_clean" in (extra or {}))
        case inspect.StrType(pattern=pattern):
            yield is_checked or pattern is not None
        case inspect.StructType(fields=parts):
            for field in parts:
                yield from texts(field.type)
        case inspect.UnionType(forms) | inspect.TupleType(forms):
            for part in forms:
                yield from texts(part, is_checked=is_checked)
        case inspect.VarTupleType(part):
            yield from texts(part, is_checked=is_checked)
        case _:
            pass


@pytest.mark.parametrize("kind", HOST_KINDS)
def test_what_clean_text_is_each_field_says_in_which_a_host_sends_some(kind: type[Struct]) -> None:
    assert all(texts(inspect.type_info(kind)))


def test_text_is_found_wherever_it_is() -> None:
    assert len(list(texts(inspect.type_info(Snapshot)))) > 20
    assert has_clean_text(NextTable(1, "Gold", ("Ann", "Ben")))
    assert not has_clean_text(NextTable(1, "Gold", ("Ann", "\x1b[2J")))


# Events and moves.

ROWS: Final = (*EVENT_ROWS, *MOVE_ROWS)
KINDS: Final = [pytest.param(row, id=row.tag) for row in ROWS]
WORD: Final = re.compile(r"[a-z]{3,9}")


def some(item: st.SearchStrategy[object], most: int) -> st.SearchStrategy[object]:
    return st.lists(item, max_size=most).map(tuple)


def one_of(*values: object) -> st.SearchStrategy[object]:
    return st.sampled_from(values)


SMALL_NUMBER, NUGGET = st.integers(0, 127), st.integers(1, 3)
CODECS: dict[Codec[object], tuple[st.SearchStrategy[object], object, list[object]]] = {
    fields.SEAT: (st.integers(0, 9), 9, [-1, 10]),
    fields.SMALL: (SMALL_NUMBER, 127, [-1, 128]),
    fields.COUNTS: (some(SMALL_NUMBER, 10), (127,) * 10, [[0] * 11, [-1], [128]]),
    fields.CELL: (
        st.tuples(*[st.integers(-99, 99)] * 2),
        (-99, 99),
        [[100, 0], [0, -100], [0], [0, 0, 0]],
    ),
    fields.KEPT_NUGGETS: (NUGGET, 3, [0, 4]),
    fields.CARD: (one_of(*CARDS), CARDS[-1], [-1, len(CARDS)]),
    fields.HAND: (some(one_of(*CARDS), 67), CARDS[-1:] * 67, [bytes(68), bytes([len(CARDS)]), [0]]),
    fields.PATH: (one_of(*PATHS), PATHS[-1], [-1, len(PATHS)]),
    fields.TOOL: (one_of(*Tool), tuple(Tool)[-1], [-1, 3]),
    fields.ROLE: (one_of(*Role), Role.SABOTEUR, [-1, 2]),
    fields.ROLES: (some(one_of(*Role), 10), (Role.SABOTEUR,) * 10, [bytes(11), b"\2"]),
    fields.GOAL: (one_of(*GOALS), GOALS[-1], [-1, 3]),
    fields.ALL_GOALS: (
        st.tuples(*[one_of(*GOALS)] * 3),
        GOALS[-1:] * 3,
        [[0, 1], [0, 1, 3], [0, 1, 2, 0]],
    ),
    fields.NUGGETS: (some(NUGGET, 28), (3,) * 28, [b"\1" * 29, b"\0", b"\4", [1]]),
    fields.GOLD_BY_SEAT: (
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
