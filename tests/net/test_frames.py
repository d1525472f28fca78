"""Frames: what comes through whole, and that whatever else comes is refused and never kept."""

import tracemalloc
from contextlib import suppress
from itertools import pairwise
from typing import Annotated

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.frames import (
    BEFORE_TRUST,
    FROM_HOST,
    TO_HOST,
    BadFrame,
    Deframer,
    Fault,
    FrameTooLong,
    Message,
    bucket,
    decode,
    pack,
)
from net.unpack import DEPTH, ELEMENTS, PAD

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


def framed(value: bytes, *, size: int | None = None, pad: bytes = PAD) -> bytes:
    """Frame bytes as an honest side would, whatever they are."""
    size = bucket(len(value)) if size is None else size
    return size.to_bytes(4, "big") + value.ljust(size, pad)


def fault(data: bytes, limit: int = FROM_HOST) -> Fault:
    with pytest.raises(BadFrame) as caught:
        Deframer(limit).feed(data)
    return caught.value.why


def chunks(data: bytes, cuts: list[int]) -> list[bytes]:
    edges = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    return [data[start:end] for start, end in pairwise(edges)]


@given(st.lists(plain, max_size=4), st.lists(st.integers(0, 10_000), max_size=12))
def test_values_come_through_whole_however_the_bytes_are_cut(
    values: list[object], cuts: list[int]
) -> None:
    deframer = Deframer(FROM_HOST)
    sent = b"".join(pack(value, FROM_HOST) for value in values)
    got = [value for chunk in chunks(sent, cuts) for value in deframer.feed(chunk)]
    assert got == values
    deframer.close()


@given(
    st.sampled_from([BEFORE_TRUST, TO_HOST, FROM_HOST]),
    st.lists(st.binary(max_size=700) | st.binary(max_size=300).map(framed), max_size=5),
    st.lists(st.integers(0, 10_000), max_size=12),
)
def test_any_bytes_in_any_chunks_raise_nothing_but_bad_frame_and_hold_no_more_than_the_cap(
    limit: int, parts: list[bytes], cuts: list[int]
) -> None:
    deframer = Deframer(limit)
    with suppress(BadFrame):
        for chunk in chunks(b"".join(parts), cuts):
            deframer.feed(chunk)
            assert len(deframer._held) <= limit
            assert 1 <= deframer.wanted <= limit
        deframer.close()


@given(st.lists(plain, min_size=1, max_size=3))
def test_who_feeds_what_is_wanted_gets_one_value_at_a_time(values: list[object]) -> None:
    deframer = Deframer(FROM_HOST)
    rest = b"".join(pack(value, FROM_HOST) for value in values)
    while rest:
        chunk, rest = rest[: deframer.wanted], rest[deframer.wanted :]
        assert len(deframer.feed(chunk)) <= 1


def test_the_cap_may_be_raised_between_two_frames() -> None:
    deframer = Deframer(BEFORE_TRUST)
    deframer.feed(pack("a", FROM_HOST))
    deframer.limit = FROM_HOST
    assert deframer.feed(pack("b" * 60_000, FROM_HOST)) == ["b" * 60_000]


@pytest.mark.parametrize(("length", "size"), [(1, 256), (256, 256), (257, 512), (65_536, 65_536)])
def test_a_frame_is_as_long_as_its_bucket(length: int, size: int) -> None:
    assert bucket(length) == size


@given(plain)
def test_the_length_on_the_wire_tells_the_bucket_alone(value: object) -> None:
    frame = pack(value, FROM_HOST)
    size = len(frame) - 4
    assert size >= 256
    assert size & (size - 1) == 0
    assert int.from_bytes(frame[:4], "big") == size


def test_a_value_that_the_other_side_would_refuse_is_not_packed() -> None:
    assert len(pack(b"x" * 509, BEFORE_TRUST)) == 4 + BEFORE_TRUST
    with pytest.raises(FrameTooLong) as caught:
        pack(b"x" * 510, BEFORE_TRUST)
    assert (caught.value.length, caught.value.limit) == (513, BEFORE_TRUST)


@pytest.mark.parametrize("size", [0, 1, 255, 257, 1023, 1024, 2**32 - 1])
def test_a_length_above_the_cap_or_of_no_bucket_is_refused_before_its_body(size: int) -> None:
    assert fault(size.to_bytes(4, "big"), BEFORE_TRUST) is Fault.LENGTH


def test_a_web_browser_is_refused_by_its_first_four_letters() -> None:
    assert fault(b"GET / HTTP/1.1\r\n") is Fault.LENGTH


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (b"", Fault.MALFORMED),
        (b"\xc1", Fault.MALFORMED),
        (b"\xda\xff\xff", Fault.MALFORMED),
        (b"\x92\x01", Fault.MALFORMED),
        (b"\xdd\xff\xff\xff\xff", Fault.MALFORMED),
        (b"\xdf\xff\xff\xff\xff", Fault.MALFORMED),
        (b"\xdb\xff\xff\xff\xff", Fault.MALFORMED),
        (b"\xdc\x04\x01" + bytes(1025), Fault.MALFORMED),
        (b"\xa2\xff\xfe", Fault.TEXT),
        (b"\xa3\xed\xa0\x80", Fault.TEXT),
        (b"\x81\xa1\xff\x01", Fault.TEXT),
        (b"\xd4\x05\x00", Fault.MALFORMED),
        (b"\xd6\xff\x00\x00\x00\x00", Fault.MALFORMED),
        (b"\xc7\x00\x05", Fault.EXTENSION),
        (b"\xc7\x00\xff", Fault.MALFORMED),
        (b"\x82\xa1a\x01\xa1a\x02", Fault.KEY),
        (b"\x81\xc4\x01a\x01", Fault.KEY),
        (b"\x81\x01\x02", Fault.MALFORMED),
        (b"\x81\x90\x02", Fault.MALFORMED),
        (b"\x91" * DEPTH + b"\x90", Fault.DEPTH),
        (b"\x81\xa1a" * DEPTH + b"\x80", Fault.DEPTH),
        (b"\x01\x02", Fault.PADDING),
        (b"\x01" + PAD * 100 + b"\x00", Fault.PADDING),
    ],
    ids=repr,
)
def test_a_bad_value_is_refused_with_the_reason(value: bytes, why: Fault) -> None:
    assert fault(framed(value)) is why


def test_lists_may_lie_as_deep_as_that_and_no_deeper() -> None:
    assert Deframer(FROM_HOST).feed(framed(b"\x91" * (DEPTH - 1) + b"\x90")) != []
    assert fault(framed(b"\x91" * 60_000 + b"\x90")) is Fault.DEPTH


def test_a_list_and_a_map_may_be_as_long_as_that_and_no_longer() -> None:
    for length, fits in ((ELEMENTS, True), (ELEMENTS + 1, False)):
        for value in ([0] * length, {str(n): 0 for n in range(length)}):
            frame = pack(value, FROM_HOST)
            if fits:
                assert Deframer(FROM_HOST).feed(frame) == [value]
            else:
                assert fault(frame) is Fault.MALFORMED


def test_lists_that_claim_much_room_in_each_other_get_little() -> None:
    tracemalloc.start()
    assert fault(framed(b"\xdc\x04\x00" * 20_000)) is Fault.DEPTH
    assert fault(framed(b"\xdd\x00\x00\xff\xff" * 13_000)) is Fault.MALFORMED
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 16 * 1024 * 1024


def test_padding_has_to_be_the_least_and_of_the_right_byte() -> None:
    assert Deframer(FROM_HOST).feed(framed(b"\x01")) == [1]
    assert fault(framed(b"\x01", size=512)) is Fault.PADDING
    assert fault(framed(b"\x01", pad=b"\x00")) is Fault.PADDING


def test_a_link_that_ends_inside_a_frame_was_cut_short() -> None:
    for cut in (1, 4, 5, 259):
        deframer = Deframer(FROM_HOST)
        deframer.feed(framed(b"\x01")[:cut])
        with pytest.raises(BadFrame) as caught:
            deframer.close()
        assert caught.value.why is Fault.CUT_SHORT


def test_there_is_no_way_back_after_a_bad_frame() -> None:
    deframer = Deframer(FROM_HOST)
    for data in (framed(b"\xc1"), framed(b"\x01")):
        with pytest.raises(BadFrame) as caught:
            deframer.feed(data)
        assert caught.value.why is Fault.MALFORMED


class Knock(Message, frozen=True):
    """A message with a field of each kind that is easily mistaken."""

    name: Annotated[str, msgspec.Meta(max_length=4)]
    nonce: Annotated[bytes, msgspec.Meta(max_length=4)] = b""
    times: Annotated[int, msgspec.Meta(ge=1, le=3)] = 1


class Bye(Message, frozen=True):
    """A message with nothing in it."""


def test_a_message_comes_through_as_what_it_was() -> None:
    for message in (Knock("Ann", b"\x00\xff", 2), Bye()):
        (value,) = Deframer(BEFORE_TRUST).feed(pack(message, BEFORE_TRUST))
        assert decode(value, Knock, Bye) == message


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {},
        {"is": "knock"},
        {"is": "other"},
        {"is": 7},
        {"name": "Ann"},
        {"is": "knock", "name": "Ann", "more": 1},
        {"is": "knock", "name": "Annie"},
        {"is": "knock", "name": b"Ann"},
        {"is": "knock", "name": 7},
        {"is": "knock", "name": "Ann", "nonce": "AAAA"},
        {"is": "knock", "name": "Ann", "nonce": b"12345"},
        {"is": "knock", "name": "Ann", "times": 0},
        {"is": "knock", "name": "Ann", "times": 1.0},
        {"is": "knock", "name": "Ann", "times": True},
        {"is": "knock", "name": "Ann", "times": "1"},
    ],
    ids=repr,
)
def test_what_is_no_message_to_the_last_field_is_refused(value: object) -> None:
    with pytest.raises(BadFrame) as caught:
        decode(value, Knock, Bye)
    assert caught.value.why is Fault.MESSAGE


@given(plain | st.dictionaries(st.sampled_from(["is", "name", "nonce", "times"]), plain))
def test_any_value_becomes_a_message_or_a_bad_frame(value: object) -> None:
    with suppress(BadFrame):
        assert isinstance(decode(value, Knock, Bye), Knock | Bye)
