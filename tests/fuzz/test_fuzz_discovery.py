"""What strangers tell of tables, and what players type for one."""

from __future__ import annotations

from contextlib import suppress

from hypothesis import strategies as st

from net.discovery.advert import (
    OURS,
    QUESTION_BYTES,
    Advert,
    AdvertStage,
    read_advert,
    read_answer,
    read_question,
    write_answer,
    write_question,
)
from net.protocol.text import clean_name
from net.secure.address import BadAddress, parse_typed
from net.secure.code import BadCode, RoomCode
from tests.fuzz.fuzzing import fuzz, spoiling, spoiling_text

ANA = Advert("0123456789abcdef", "Ana's 金 table", OURS, AdvertStage.LOBBY, 2, 5)
NONCE = b"8 bytes!"
QUESTION, ANSWER = write_question(NONCE), write_answer(NONCE, ANA)
TYPED = ("annas-laptop.local:7341", "[fe80::1%eth0]:7341", "10.0.0.5:7342", "fd77::1", "host")

packets = spoiling(QUESTION, ANSWER, ANSWER.ljust(200, b"\0")) | st.binary(max_size=300)


@fuzz(packets, so_many=300)
def test_no_packet_breaks_the_probe_and_none_gets_a_longer_answer(packet: bytes) -> None:
    nonce = read_question(packet)
    assert nonce is None or len(write_answer(nonce, ANA)) <= len(packet)
    read = read_answer(packet)
    if read is not None:
        again = read_answer(write_answer(*read))
        assert again == read
        assert len(write_answer(*read)) <= QUESTION_BYTES


values = st.sampled_from([value.encode() for value in ANA.txt.values()])
spoilt_values = st.none() | st.binary(max_size=40) | values.flatmap(spoiling)
records = st.dictionaries(
    st.sampled_from([key.encode() for key in ANA.txt]), spoilt_values, max_size=4
)


@fuzz(st.tuples(spoiling_text(ANA.label) | st.text(max_size=70), records), so_many=125)
def test_no_record_breaks_the_reader_of_adverts(
    example: tuple[str, dict[bytes, bytes | None]],
) -> None:
    label, changed = example
    sound: dict[bytes, bytes | None] = {
        key.encode(): value.encode() for key, value in ANA.txt.items()
    }
    advert = read_advert(label, sound | changed)
    if advert is not None:
        assert len(advert.label.encode()) <= 63
        assert clean_name(advert.name) == advert.name
        assert len(write_answer(NONCE, advert)) <= QUESTION_BYTES


@fuzz(spoiling_text(*TYPED) | st.text(max_size=40), so_many=150)
def test_no_typed_address_breaks_the_reader(text: str) -> None:
    with suppress(BadAddress):
        typed = parse_typed(text)
        assert typed.host
        assert all(1 <= port <= 65535 for port in typed.ports)


@fuzz(spoiling_text("lantern-tiger", "copper lantern") | st.text(max_size=40), so_many=75)
def test_no_typed_code_breaks_the_reader(text: str) -> None:
    with suppress(BadCode):
        code = RoomCode.parse(text)
        assert RoomCode.parse(str(code)) == code
