"""The networks of this machine: what is near, and where to call."""

from __future__ import annotations

import errno
import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.discovery import networks
from net.discovery.networks import Network, broadcast_addresses, is_near, look_again
from net.secure.address import PORTS, Address

HOME = Network("192.168.1.77", 24)
OFFICE = Network("10.20.30.40", 16)


@pytest.mark.parametrize(
    ("network", "called"),
    [
        (HOME, "192.168.1.255"),
        (OFFICE, "10.20.255.255"),
        (Network("10.1.2.3", 30), "10.1.2.3"),
        (Network("169.254.9.9", 16), "169.254.255.255"),
        (Network("127.0.0.1", 8), "127.0.0.1"),
        (Network("::1", 128), "::1"),
        (Network("10.8.0.2", 31), None),
        (Network("10.8.0.2", 32), None),
        (Network("10.0.0.1", 0), None),
        (Network("fd77::1", 64), None),
    ],
    ids=str,
)
def test_a_network_is_called_at_its_own_broadcast_address(
    network: Network, called: str | None
) -> None:
    assert network.broadcast == called


def test_a_call_goes_to_all_ten_ports_of_each_network_once() -> None:
    loopback = Network("127.0.0.1", 8)
    asked = broadcast_addresses(
        [loopback, HOME, Network("192.168.1.78", 24, 2), Network("fd77::1", 64), OFFICE]
    )
    assert asked == tuple(
        Address(host, port) for host in ("192.168.1.255", "10.20.255.255") for port in PORTS
    )
    alone = broadcast_addresses([loopback, Network("fd77::1", 64)])
    assert alone == tuple(Address("127.0.0.1", port) for port in PORTS)


ipv4 = st.builds(Network, st.ip_addresses(v=4).map(str), st.integers(0, 32))


@given(ipv4)
def test_nothing_is_ever_called_beyond_our_own_network(network: Network) -> None:
    own = ipaddress.ip_interface(f"{network.host}/{network.prefix}").network
    assert network.broadcast != "255.255.255.255"
    assert (
        network.broadcast is None
        or ipaddress.ip_address(network.broadcast) in own
        or is_near(network.broadcast, ())
    )


def test_near_is_what_no_router_is_between() -> None:
    for host in ("192.168.1.9", "127.0.0.1", "::1", "fe80::1%3", "fd77::9"):
        assert is_near(host, [HOME, Network("fd77::1", 64)]), host
    for host in ("192.168.2.9", "192.168.1.255", "8.8.8.8", "fd78::9", "no address"):
        assert not is_near(host, [HOME, Network("fd77::1", 64)]), host


def test_networks_are_those_before_where_the_system_cannot_list_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(networks, "own_networks", lambda: (HOME, OFFICE))
    assert look_again((HOME,)) == (HOME, OFFICE)

    def fail() -> tuple[Network, ...]:
        raise OSError(errno.EMFILE, "too many open files")

    monkeypatch.setattr(networks, "own_networks", fail)
    assert look_again((HOME,)) == (HOME,)
