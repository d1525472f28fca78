"""Frames: what comes through whole, and that whatever else comes is refused and never kept."""

import tracemalloc
from contextlib import suppress
from itertools import pairwise
from typing import Annotated

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from tests.net.protocol.frames import Stream, value_of

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
