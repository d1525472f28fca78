"""A port that is free for everything, or none of it."""

from __future__ import annotations

import socket

import pytest

from net.discovery.sockets import LOOPBACK_HOSTS, NoPortFree, claim_port

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


def test_two_tables_on_one_machine_take_two_ports() -> None:
    ports = ports_free_now(2)
    one, two = claim_port(ports=ports, hosts=V4), claim_port(ports=ports, hosts=V4)
    assert [one.port, two.port] == ports
    one.close()
    again = claim_port(ports=ports, hosts=V4)
    assert again.port == ports[0]
    two.close()
    again.close()


def test_a_port_wished_for_is_tried_first() -> None:
    ports = ports_free_now(3)
    taken = claim_port(first=ports[2], ports=ports, hosts=V4)
    assert taken.port == ports[2]
    taken.close()


def test_a_family_that_the_machine_lacks_is_left_out() -> None:
    taken = claim_port(ports=[0], hosts=["127.0.0.1", NOWHERE])
    assert (len(taken.tcp), len(taken.udp)) == (1, 1)
    taken.close()
    with pytest.raises(OSError, match="assign requested address"):
        claim_port(ports=[0], hosts=[NOWHERE])


def test_what_is_no_lack_of_ports_is_told_as_it_is() -> None:
    with pytest.raises(socket.gaierror):
        claim_port(ports=[0], hosts=["127.0.0.1", "no address:"])
