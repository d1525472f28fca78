"""What players type for an address, and where hints may lead."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.secure.address import (
    PORTS,
    Address,
    AddressMistake,
    BadAddress,
    TypedAddress,
    may_be_asked,
    parse_typed,
)
from net.secure.code import RoomCode

UNDERSTOOD: dict[tuple[str, int | None], tuple[str, ...]] = {
    ("10.77.0.1", None): (
        *("10.77.0.1", "10.77.0.1:", "10.77.0.1.", "10.77.0.1/24", "10.77.0.1/", '"10.77.0.1"'),
        *("ana@10.77.0.1", "https://10.77.0.1", "sabtui join 10.77.0.1"),
    ),
    ("10.77.0.1", 7341): (
        *(" 10.77.0.1:7341 ", "10.77.0.1:7341.", "10.77.0.1 7341", "10.77.0.1,7341"),
        *("10.77.0.1, port 7341", "10.77.0.1 :7341", "$ sabtui join --name Ana 10.77.0.1:7341"),
    ),
    ("fd77::1", None): ("fd77::1", "[fd77::1]", "fd77::1/64"),
    ("fd77::1", 7341): ("[fd77::1]:7341", "fd77::1 7341", "http://[fd77::1]:7341/"),
    ("fe80::1%eth0", None): ("fe80::1%eth0",),
    ("fe80::1%3", 7341): ("[fe80::1%3]:7341",),
    ("box.local", None): ("box.local",),
    ("box.local", 7361): ("ana@box.local:7361", "HTTP://box.local:7361/page?x=1"),
    ("annas-laptop.local", 1): ("annas-laptop.local:1",),
    ("b\xfccher.example.", 65535): ("b\xfccher.example.:65535",),
    ("box", None): ("http://box/",),
    # a door, by a link or a line for ssh
    ("10.77.0.1", 7361): ("http://10.77.0.1:7361/", "10.77.0.1:7361/", "10.77.0.1:7361/#top"),
    ("10.77.0.1", 7351): ("ssh -p 7351 NAME@10.77.0.1", "ssh://ana@10.77.0.1:7351"),
    ("box.local", 7351): ("$ ssh -C -p 7351 -l ana box.local",),
    ("fd77::1", 7352): ("ssh://[fd77::1]:7352",),
    # a login at a computer
    ("ssh://ana@box", 7341): ("ssh://ana@box", "ssh ana@box"),
    ("ssh://box:2222", 7342): (" ssh://box:2222/7342 ",),
    ("ssh://[fe80::1]", 7342): ("ssh://[fe80::1]/7342",),
    ("ssh://ana@box:2222", 7341): ("ssh -p 2222 ana@box",),
    ("ssh://ana@box", 7343): ("ssh -C -t ana@box sabtui join localhost:7343",),
}


@pytest.mark.parametrize(
    ("text", "meant"), [(text, meant) for meant, texts in UNDERSTOOD.items() for text in texts]
)
def test_what_is_typed_is_understood(text: str, meant: tuple[str, int | None]) -> None:
    assert parse_typed(text) == TypedAddress(*meant)


@pytest.mark.parametrize(
    ("text", "host", "name"),
    [
        ("annas-laptop", "annas-laptop", "annas-laptop"),
        ("ana@home", "home", "ana@home"),
        ("sabtui join Anna", "Anna", "Anna"),
    ],
)
def test_a_word_may_be_the_name_of_a_table_too(text: str, host: str, name: str) -> None:
    assert parse_typed(text) == TypedAddress(host, None, name=name)


@pytest.mark.parametrize(
    "text",
    [
        "http://10.77.0.1:7361/#amber-tulip",
        "10.77.0.1:7361/#amber-tulip",
        "10.77.0.1:7361#AMBER-TULIP",
        "sabtui join 10.77.0.1:7361 --code amber-tulip",
        "sabtui join --code=amber-tulip 10.77.0.1:7361",
    ],
)
def test_a_link_or_a_command_has_the_room_code(text: str) -> None:
    assert parse_typed(text) == TypedAddress("10.77.0.1", 7361, RoomCode("amber", "tulip"))


@pytest.mark.parametrize("name", ["Gold Rush", "Table #2", "Room 7", "Round: late", "Ana & Ben"])
def test_the_name_of_a_table_is_left_for_the_list_of_tables(name: str) -> None:
    for text in (name, f"sabtui join {name}"):
        with pytest.raises(BadAddress) as caught:
            parse_typed(text)
        assert caught.value.text.strip() == name
        assert caught.value.mistake in {AddressMistake.HOST, AddressMistake.PORT}


MISTAKES: dict[AddressMistake, tuple[str, ...]] = {
    AddressMistake.EMPTY: ("", "  ", "sabtui join", "sabtui join --code amber-tulip"),
    AddressMistake.HOST: (
        *("[fd77::1", "[fd77::1]7341"),
        *("[10.0.0.5]:7341", "[x:y]", "fd77:::1", ":7341", "-x", "a b", "a..b", "x" * 300),
        *("fe80::1", "[fe80::1]:7341"),  # on which of this computer's networks?
        *("http://", "ssh " * 100_000),
    ),
    AddressMistake.LOGIN: (*("ssh -p 7351", "ssh://ana@box/../x", "ssh -oProxyCommand=x -- -l"),),
    AddressMistake.PORT: (
        *("10.77.0.1 70000", "host:0", "host:65536", "host:-1", "[fd77::1]:x", "host:\u0661"),
    ),
}


@pytest.mark.parametrize(
    ("text", "mistake"), [(text, mistake) for mistake, texts in MISTAKES.items() for text in texts]
)
def test_what_cannot_be_understood_says_why(text: str, mistake: AddressMistake) -> None:
    with pytest.raises(BadAddress) as caught:
        parse_typed(text)
    assert caught.value.mistake is mistake
    assert mistake in str(caught.value)


@given(st.ip_addresses().filter(lambda ip: not ip.is_link_local), st.integers(1, 65535))
def test_an_address_is_read_as_it_was_written(ip: object, port: int) -> None:
    assert parse_typed(str(Address(str(ip), port))) == TypedAddress(str(ip), port)


@given(
    st.text(max_size=50)
    | st.text("[]:%.a1-f", max_size=20)
    | st.text("sh -pl@:/#7351. joinabtu", max_size=30)
)
def test_nothing_typed_breaks_the_parser(text: str) -> None:
    try:
        typed = parse_typed(text)
    except BadAddress:
        return
    assert typed.host


def test_without_a_port_all_ten_are_asked() -> None:
    assert parse_typed("host").ports == tuple(PORTS)
    assert parse_typed("host:7").ports == (7,)
    assert parse_typed("host:7351").ports == (*PORTS, 7351), "the door's table has one of them"
    assert len(PORTS) == 10


def test_addresses_are_tried_from_the_likeliest_to_the_last() -> None:
    hosts = ["10.0.0.9", "192.168.1.1", "fd77::1", "fe80::1%2", "127.0.0.1", "no address"]
    tried = sorted(
        (Address(host, 7341) for host in reversed(hosts)), key=lambda address: address.rank
    )
    assert [address.host for address in tried] == hosts


@pytest.mark.parametrize(
    ("host", "port", "may"),
    [
        *((host, 7341, True) for host in ("10.0.0.5", "::1", "fd77::1", "fe80::1%3")),
        *((host, 7341, False) for host in ("fe80::1", "255.255.255.255", "224.0.0.251")),
        *((host, 7341, False) for host in ("ff02::fb", "0.0.0.0", "::", "no address")),  # noqa: S104 - an address that is to be refused
        *(("127.0.0.1", 50000, True), ("10.0.0.5", 53, False), ("10.0.0.5", 65536, False)),
    ],
)
def test_a_hint_leads_to_one_host_and_no_system_port(host: str, port: int, *, may: bool) -> None:
    assert may_be_asked(Address(host, port)) is may
