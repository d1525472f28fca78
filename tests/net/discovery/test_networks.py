"""The networks of this machine: what is near, where to call, and whom a sweep asks."""

from __future__ import annotations

import ipaddress
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.discovery import networks
from net.discovery.networks import (
    MAX_SWEPT_NETWORKS,
    SLEPT_THRESHOLD_S,
    SWEEP_QUERIES,
    Network,
    NetworkMonitor,
    Sweep,
    broadcast_addresses,
    is_near,
    own_networks,
)
from net.secure.address import PORTS, Address, may_be_asked

HOME = Network("192.168.1.77", 24)
OFFICE = Network("10.20.30.40", 16)


def sweep_all(*where: Network) -> list[Address]:
    """All that a sweep asks, and check that it keeps its pace."""
    sweep = Sweep(where)
    asked: list[Address] = []
    now = 0.0
    while not sweep.over:
        asked += sweep.due(now)
        assert len(asked) <= SWEEP_QUERIES.burst + SWEEP_QUERIES.rate * now + 1e-3
        now += 0.02
    return asked


def hosts(asked: list[Address], port: int) -> set[str]:
    return {address.host for address in asked if address.port == port}


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
def test_nothing_is_ever_called_or_swept_beyond_our_own_network(network: Network) -> None:
    own = ipaddress.ip_interface(f"{network.host}/{network.prefix}").network
    assert network.broadcast != "255.255.255.255"
    assert (
        network.broadcast is None
        or ipaddress.ip_address(network.broadcast) in own
        or is_near(network.broadcast, ())
    )
    others = [ipaddress.ip_address(host) for host in network.others()]
    assert len(others) < 1024
    nobodys = (own.network_address, own.broadcast_address, ipaddress.ip_address(network.host))
    assert all(host in own and host not in nobodys for host in others)


def test_near_is_what_no_router_is_between() -> None:
    for host in ("192.168.1.9", "127.0.0.1", "::1", "fe80::1%3", "fd77::9"):
        assert is_near(host, [HOME, Network("fd77::1", 64)]), host
    for host in ("192.168.2.9", "8.8.8.8", "fd78::9", "no address"):
        assert not is_near(host, [HOME, Network("fd77::1", 64)]), host


def test_a_sweep_asks_all_of_a_home_network_at_all_ten_ports_the_first_twice() -> None:
    asked = sweep_all(HOME)
    all_others = {f"192.168.1.{host}" for host in range(1, 255)} - {HOME.host}
    assert all(hosts(asked, port) == all_others for port in PORTS)
    assert len(asked) == 11 * 253
    assert hosts(asked[:253], PORTS[0]) == all_others, "the port of most tables comes first"
    assert asked[0].host in ("192.168.1.76", "192.168.1.78"), "and the nearest neighbours"
    assert all(map(may_be_asked, asked))


def test_of_a_large_network_a_sweep_asks_the_part_nearest_to_us_in_little_more_than_5_s() -> None:
    sweep = Sweep([OFFICE])
    asked: list[Address] = []
    now = 0.0
    while len(asked) < 1021:
        asked += sweep.due(now)
        now += 0.02
    assert now < 5.2
    part = ipaddress.ip_network("10.20.28.0/22")
    assert all(ipaddress.ip_address(address.host) in part for address in asked)


def test_a_sweep_goes_through_several_networks_side_by_side_and_never_asks_ourselves() -> None:
    where = (HOME, Network("192.168.1.78", 24, 2), Network("10.0.9.1", 24), Network("fd77::1", 64))
    asked = sweep_all(*where)
    assert {address.host.rpartition(".")[0] for address in asked[:4]} == {"192.168.1", "10.0.9"}
    assert len(asked) == len(set(asked)) + 505 == 11 * (252 + 253)
    assert not {network.host for network in where} & {address.host for address in asked}


def test_a_sweep_of_nothing_is_over_at_once() -> None:
    assert (
        sweep_all(Network("127.0.0.1", 8), Network("169.254.3.3", 16), Network("10.8.0.1", 32))
        == []
    )


def test_a_sweep_leaves_out_networks_beyond_the_eighth() -> None:
    asked = sweep_all(*(Network(f"10.0.{number}.1", 30) for number in range(20)))
    assert len({address.host for address in asked}) == MAX_SWEPT_NETWORKS


def test_this_machine_has_its_loopback_network() -> None:
    assert Network("127.0.0.1", 8) in [
        Network(network.host, network.prefix) for network in own_networks()
    ]


def test_a_lookout_tells_of_new_networks_once(monkeypatch: pytest.MonkeyPatch) -> None:
    there = [HOME]
    monkeypatch.setattr(networks, "own_networks", lambda: tuple(there))
    monitor = NetworkMonitor()
    assert not monitor.detect_change()
    there.append(OFFICE)
    assert monitor.detect_change()
    assert monitor.networks == (HOME, OFFICE)
    assert not monitor.detect_change()


def test_a_lookout_notices_that_the_machine_has_slept(monkeypatch: pytest.MonkeyPatch) -> None:
    monitor = NetworkMonitor()
    awake = time.time
    monkeypatch.setattr(time, "time", lambda: awake() + SLEPT_THRESHOLD_S - 1)
    assert not monitor.detect_change()
    monkeypatch.setattr(time, "time", lambda: awake() + 3600)
    assert monitor.detect_change()
    assert not monitor.detect_change()
