"""Limits of both doors: whom a connection counts for, and who gives way."""

from __future__ import annotations

from functools import partial

import pytest

from net.secure.limits import AdmissionControl
from sabtui.doors.guests import Strangers, plain_address


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::1"),
        ("2001:DB8:0::1", "2001:db8::1"),
        ("", ""),
        ("box.local", "box.local"),
    ],
)
def test_an_address_is_one_however_the_system_writes_it(host: str, address: str) -> None:
    assert plain_address(host) == address


@pytest.mark.parametrize(
    "hosts",
    [
        ["192.0.2.7", "::ffff:192.0.2.7", "192.0.2.7"],
        ["2001:db8::1", "2001:db8::2", "2001:db8:0:0:ffff::"],
        ["fe80::1%eth0", "fe80::2%eth0", "fe80::3"],
    ],
)
def test_a_household_that_takes_too_many_places_loses_its_oldest_and_nobody_else(
    hosts: list[str],
) -> None:
    ended = list[str]()
    strangers = Strangers(AdmissionControl(places=8, places_of_one=2))
    strangers.enter("198.51.100.1", lambda: ended.append("a friend"))
    for host in hosts:
        strangers.enter(host, partial(ended.append, host))
    assert ended == hosts[:1]
    assert len(strangers) == 3


def test_who_was_let_in_or_is_gone_holds_no_place_and_is_not_ended() -> None:
    ended = list[int]()
    strangers = Strangers(AdmissionControl(places=2, places_of_one=2))
    friend, gone = (
        strangers.enter("192.0.2.7", partial(ended.append, number)) for number in range(2)
    )
    strangers.trust(friend)
    strangers.leave(gone)
    strangers.leave(friend)
    for _ in range(2):
        strangers.enter("192.0.2.7", lambda: ended.append(2))
    assert ended == []
    assert len(strangers) == len(strangers.control) == 2
