"""What page and door say to each other, without a socket."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.secure.handshake import CodeExchange, PakeSide
from sabtui.doors.web_login import (
    BINDING,
    BadMessage,
    Channel,
    WrongWords,
    channel_of,
    exchange,
    open_arrival,
    parse_frame,
    parse_greeting,
)

ARRIVAL = {"name": "Anna", "language": "fr"}


def sides(page_words: bytes, door_words: bytes) -> tuple[Channel, Channel]:
    """The channels of a page and a door that have run the exchange."""
    run = CodeExchange(PakeSide.CLIENT, page_words, BINDING)
    share, secret = exchange(run.share(), door_words, BINDING)
    door = channel_of(run.key(share))
    return Channel(door._opening, door._sealing), channel_of(secret)


def test_who_knows_the_words_is_understood_both_ways_and_in_order() -> None:
    page, door = sides(b"lantern-tiger", b"lantern-tiger")
    assert open_arrival(door, page.seal(json.dumps(ARRIVAL).encode())).name == "Anna"
    for text in (b"one", b"two"):
        assert page.open(door.seal(text)) == text
        assert door.open(page.seal(text)) == text


def test_who_does_not_know_the_words_is_told_apart_from_who_talks_nonsense() -> None:
    page, door = sides(b"lantern-tiger", b"amber-tiger")
    with pytest.raises(WrongWords):
        open_arrival(door, page.seal(json.dumps(ARRIVAL).encode()))
    page, door = sides(b"lantern-tiger", b"lantern-tiger")
    with pytest.raises(BadMessage) as raised:
        open_arrival(door, page.seal(b"{}"))
    assert raised.type is BadMessage


def test_a_message_is_opened_once_and_only_in_its_place() -> None:
    page, door = sides(b"", b"")
    first, second = page.seal(b"one"), page.seal(b"two")
    with pytest.raises(BadMessage):
        door.open(second)
    page, door = sides(b"", b"")
    first = page.seal(b"one")
    assert door.open(first) == b"one"
    with pytest.raises(BadMessage):
        door.open(first)


def test_a_message_of_our_own_sent_back_is_not_opened() -> None:
    _page, door = sides(b"", b"")
    with pytest.raises(BadMessage):
        door.open(door.seal(b"one"))


HEX = st.binary(max_size=4).map(bytes.hex) | st.text("0f\n", max_size=4)
SHARES = st.binary(min_size=33, max_size=33).map(bytes.hex)
GREETINGS = st.fixed_dictionaries(
    {"share": SHARES | HEX}, optional={"version": st.integers(-1, 3), "seat": HEX}
).map(json.dumps)


@given(st.text() | GREETINGS)
def test_any_text_is_a_greeting_of_hexadecimal_digits_or_refused(text: str) -> None:
    with suppress(BadMessage):
        greeting = parse_greeting(text)
        assert json.loads(text)["share"] == greeting.share
        assert bytes.fromhex(greeting.share + greeting.seat).hex() == greeting.share + greeting.seat


@given(st.binary(max_size=16) | st.binary(max_size=8).map(b"l".__add__))
def test_any_frame_is_lines_or_refused(plain: bytes) -> None:
    try:
        assert plain.rstrip(b"\0") == b"l" + parse_frame(plain)
    except BadMessage:
        assert plain[:1] != b"l"
