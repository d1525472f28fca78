"""This machine's networks, and a port that is free for everything, or none of it."""

from __future__ import annotations

import errno
import ipaddress
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.discovery import networks
from net.discovery.networks import (
    LOOPBACK_HOSTS,
    Network,
    NoPortFree,
    broadcast_addresses,
    claim_port,
    is_near,
    refresh_networks,
)
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
def test_a_network_is_called_at_its_own_address(network: Network, called: str | None) -> None:
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


def test_networks_are_those_before_where_none_can_be_listed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(networks, "own_networks", lambda: (HOME, OFFICE))
    assert refresh_networks((HOME,)) == (HOME, OFFICE)

    def fail() -> tuple[Network, ...]:
        raise OSError(errno.EMFILE, "too many open files")

    monkeypatch.setattr(networks, "own_networks", fail)
    assert refresh_networks((HOME,)) == (HOME,)


V4 = ("127.0.0.1",)
NOWHERE = "192.0.2.1"  # an address that no machine has


def ports_free_now(number: int) -> list[int]:
    """Ports that the system would give, and nobody has taken meanwhile."""
    claims = [claim_port(ports=[0], hosts=V4) for _ in range(number)]
    for taken in claims:
        taken.close()
    return [taken.port for taken in claims]


def test_a_port_is_the_same_for_tcp_and_udp_and_both_families() -> None:
    taken = claim_port(ports=[0], hosts=LOOPBACK_HOSTS)
    for opened in (*taken.tcp, *taken.udp):
        assert opened.getsockname()[1] == taken.port
    assert [opened.type for opened in (*taken.tcp, *taken.udp)] == [
        *[socket.SOCK_STREAM] * len(taken.tcp),
        *[socket.SOCK_DGRAM] * len(taken.udp),
    ]
    with socket.create_connection(("127.0.0.1", taken.port), timeout=5):
        pass
    taken.close()
    taken.close()


@pytest.mark.parametrize("kind", [socket.SOCK_STREAM, socket.SOCK_DGRAM])
def test_a_port_that_is_taken_for_either_is_passed_over(kind: socket.SocketKind) -> None:
    first, second = ports_free_now(2)
    with socket.socket(socket.AF_INET, kind) as other:
        other.bind(("127.0.0.1", first))
        if kind is socket.SOCK_STREAM:
            other.listen()
        taken = claim_port(ports=[first, second], hosts=V4)
        assert taken.port == second
        taken.close()
        with pytest.raises(NoPortFree) as caught:
            claim_port(first=first, ports=[first], hosts=V4)
        assert caught.value.ports == [first, first]


def test_two_tables_on_one_machine_take_two_ports_first_the_ones_wished_for() -> None:
    ports = ports_free_now(3)
    claims = [claim_port(first=first, ports=ports, hosts=V4) for first in (ports[2], None)]
    assert [claim.port for claim in claims] == [ports[2], ports[0]]
    claims[1].close()
    claims.append(claim_port(first=ports[2], ports=ports, hosts=V4))
    assert claims[2].port == ports[0], "the wish is taken, and the first is free again"
    for claim in claims:
        claim.close()


def test_a_family_that_the_machine_lacks_is_left_out() -> None:
    taken = claim_port(ports=[0], hosts=["127.0.0.1", NOWHERE])
    assert (len(taken.tcp), len(taken.udp)) == (1, 1)
    taken.close()
    with pytest.raises(OSError, match="assign requested address"):
        claim_port(ports=[0], hosts=[NOWHERE])


def test_what_is_no_lack_of_ports_is_told_as_it_is() -> None:
    with pytest.raises(socket.gaierror):
        claim_port(ports=[0], hosts=["127.0.0.1", "no address:"])
