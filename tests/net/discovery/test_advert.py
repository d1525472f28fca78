"""What is told of a table, as a name, a label, a TXT record and a packet."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.discovery.advert import (
    MAX_ADVERTISED_COUNT,
    QUESTION_BYTES,
    Advert,
    AdvertStage,
    DoorPorts,
    read_advert,
    read_answer,
    read_question,
    write_answer,
    write_question,
)
from net.protocol import Versions
from net.protocol.cleaning import clean_name

ANA = Advert("0123456789abcdef", "Ana", Versions(1, 3), AdvertStage.LOBBY, 2, 5)
NONCE = b"8 bytes!"

PORTS = st.sampled_from([0, 1024, 7351, 65535])

texts = st.text(max_size=200)
adverts = st.builds(
    Advert,
    id=st.binary(min_size=8, max_size=8).map(bytes.hex),
    name=texts.map(clean_name),
    versions=st.tuples(st.integers(1, 0xFFFF), st.integers(1, 0xFFFF)).map(
        lambda ends: Versions(min(ends), max(ends))
    ),
    stage=st.sampled_from(AdvertStage),
    players=st.integers(0, MAX_ADVERTISED_COUNT),
    seats=st.integers(0, MAX_ADVERTISED_COUNT),
    doors=st.builds(DoorPorts, PORTS, PORTS),
    term=st.sampled_from([0, 1, 65535]),
)


def as_bytes(txt: dict[str, str]) -> dict[bytes, bytes | None]:
    return {key.encode(): value.encode() for key, value in txt.items()}


@given(adverts)
def test_a_txt_record_is_read_as_it_was_written(advert: Advert) -> None:
    read = read_advert(advert.label, as_bytes(advert.txt))
    assert read == replace(advert, name=clean_name(advert.name.replace(".", " ")))
    odd = read_advert("  red\t\x1b[31mrum (0123)", as_bytes(ANA.txt))
    assert odd == replace(ANA, name="red [31mrum")


def test_a_txt_record_has_the_keys_of_the_design() -> None:
    assert ANA.txt == {
        "txtvers": "1",
        "pv": "1-3",
        "id": "0123456789abcdef",
        "st": "lobby",
        "pl": "2",
        "mx": "5",
    }
    assert ANA.label == "Ana (0123)"
    assert replace(ANA, name="").label == "(0123)"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("txtvers", None),
        ("txtvers", b"2"),
        ("pv", None),
        ("pv", b"0"),
        ("pv", b"3-1"),
        ("pv", b"1-"),
        ("pv", b"65536"),
        ("pv", "\u0661".encode()),
        ("id", None),
        ("id", b"0123456789ABCDEF"),
        ("id", b"0123456789abcdef0"),
        ("id", b"\xff" * 16),
    ],
)
def test_a_record_without_a_sound_version_or_id_is_no_table(key: str, value: bytes | None) -> None:
    assert read_advert(ANA.label, as_bytes(ANA.txt) | {key.encode(): value}) is None


@pytest.mark.parametrize("value", [None, b"", b"-1", b"100", b"9" * 200, b"x", b"\xff"])
def test_anything_else_unreadable_is_taken_as_unknown(value: bytes | None) -> None:
    garbled: dict[bytes, bytes | None] = {b"st": value, b"pl": value, b"mx": value, b"zz": value}
    unknown = replace(ANA, stage=AdvertStage.OTHER, players=0, seats=0)
    assert read_advert(ANA.label, as_bytes(ANA.txt) | garbled) == unknown


keys = st.sampled_from([b"txtvers", b"pv", b"id", b"st", b"pl", b"mx"]) | st.binary(max_size=9)
values = st.none() | st.binary(max_size=255) | st.from_regex(rb"[0-9a-f-]{1,16}")


@given(label=texts, txt=st.dictionaries(keys, values), begin_well=st.booleans())
def test_no_record_breaks_the_reader(
    label: str, txt: dict[bytes, bytes | None], *, begin_well: bool
) -> None:
    advert = read_advert(label, (as_bytes(ANA.txt) if begin_well else {}) | txt)
    assert advert is None or read_advert(advert.label, as_bytes(advert.txt)) is not None


@given(adverts)
def test_an_answer_is_read_as_it_was_written_and_no_longer_than_asked(advert: Advert) -> None:
    question = write_question(NONCE)
    packet = write_answer(NONCE, advert)
    assert read_question(question) == NONCE
    assert len(packet) <= len(question) == QUESTION_BYTES
    read = read_answer(packet)
    assert read == (NONCE, advert)
    assert read_answer(packet + b"later formats go on") == read


def test_a_question_that_is_not_padded_gets_no_answer() -> None:
    assert read_question(write_question(NONCE)[:-1]) is None


@given(adverts, st.integers(0, QUESTION_BYTES))
def test_a_cut_off_answer_is_none(advert: Advert, at: int) -> None:
    packet = write_answer(NONCE, advert)
    read = read_answer(packet[:at])
    assert (read is None) == (at < len(packet) - 6), "the doors' ports and the term may be missing"


@pytest.mark.parametrize(
    ("at", "byte"),
    [(0, b"X"), (4, b"\0"), (5, b"Q"), (23, b"\0"), (25, b"\0")],
    ids=["magic", "format", "kind", "version 0", "versions the wrong way round"],
)
def test_a_malformed_answer_is_none(at: int, byte: bytes) -> None:
    packet = write_answer(NONCE, ANA)
    assert read_answer(packet[:at] + byte + packet[at + 1 :]) is None


def test_a_stage_and_a_count_from_a_newer_version_are_bounded() -> None:
    packet = bytearray(write_answer(NONCE, ANA))
    packet[26:29] = b"\x09\xff\xff"
    assert read_answer(bytes(packet)) == (
        NONCE,
        replace(
            ANA, stage=AdvertStage.OTHER, players=MAX_ADVERTISED_COUNT, seats=MAX_ADVERTISED_COUNT
        ),
    )


@given(
    noise=st.binary(max_size=200),
    at=st.integers(0, 85),
    change=st.binary(max_size=20),
    begin_well=st.booleans(),
)
def test_no_packet_breaks_readers(
    noise: bytes, at: int, change: bytes, *, begin_well: bool
) -> None:
    sound = write_answer(NONCE, ANA)
    packet = sound[:at] + change + sound[at + len(change) :] if begin_well else noise
    read_question(packet)
    read = read_answer(packet)
    assert read is None or len(write_answer(*read)) <= QUESTION_BYTES


@pytest.mark.parametrize("told", [b"22", b"0", b"65536", b"-7351", b"7351x", b"", b"9" * 9])
def test_a_door_is_on_no_system_port_and_on_none_that_there_is_not(told: bytes) -> None:
    read = read_advert(ANA.label, as_bytes(ANA.txt) | {b"ssh": told, b"web": told})
    assert read == ANA


def test_an_answer_without_a_doors_port_is_of_a_table_without_that_door() -> None:
    both, ssh = (replace(ANA, doors=DoorPorts(7351, web)) for web in (7361, 0))
    packet = write_answer(NONCE, both)[:-3]
    assert read_answer(packet) == (NONCE, both)
    assert read_answer(packet[:-2]) == read_answer(packet[:-1]) == (NONCE, ssh)
    assert read_answer(packet[:-2] + b"\0\x16") == (NONCE, ssh), "port 22"
    assert read_answer(packet[:-4]) == read_answer(packet[:-3]) == (NONCE, ANA)


def test_two_hosts_of_one_table_have_two_labels_and_one_name() -> None:
    moved = replace(ANA, term=2)
    assert (ANA.label, moved.label) == ("Ana (0123)", "Ana (0125)")
    assert read_advert(moved.label, as_bytes(moved.txt)) == moved
    assert "tm" not in ANA.txt
    for nonsense in (b"", b"-1", b"x", b"123456"):
        told = {**as_bytes(ANA.txt), b"tm": nonsense}
        assert read_advert(ANA.label, told) == ANA
