"""A port that is free for everything, or none of it."""

from __future__ import annotations

import asyncio
import socket
from asyncio import proactor_events

import pytest

from net.discovery.networks import LOOPBACK_HOSTS, NoPortFree, _Packets, claim_port

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


def nobody_listens(winerror: int) -> OSError:
    """Return the error of Windows that nobody listens where a packet went."""
    error = OSError("nobody there")
    setattr(error, "winerror", winerror)  # noqa: B010 - on Windows alone it has one
    return error


async def test_a_packet_that_reached_nobody_ends_no_receiving_on_windows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loop = asyncio.get_running_loop()
    answers: list[OSError | bytes] = [nobody_listens(1234), b"one", nobody_listens(10054), b"two"]

    class Proactor:
        """The part of the loop of Windows that receives; the second error comes at once."""

        def recvfrom(self, _sock: socket.socket, _size: int) -> asyncio.Future[object]:
            coming: asyncio.Future[object] = loop.create_future()
            match answers.pop(0) if answers else None:
                case bytes(packet):
                    coming.set_result((packet, (LOOPBACK_HOSTS[0], 1)))
                case OSError() as error if len(answers) == 1:
                    raise error
                case OSError() as error:
                    coming.set_exception(error)
                case None:
                    pass
            return coming

    monkeypatch.setattr(loop, "_proactor", Proactor(), raising=False)
    heard: list[bytes] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as bound:
        packets = _Packets(lambda packet, _source: heard.append(packet))
        made = vars(proactor_events)["_ProactorDatagramTransport"]
        transport = made(loop, bound, packets)
        for _ in range(20):
            await asyncio.sleep(0)
        assert heard == [b"one", b"two"]
        assert transport._read_fut is not None, "it receives still"
        packets.error_received(OSError("a packet could not be sent"))
        packets._receive_again()
        assert not answers, "what is received already is not received twice"
        transport._sock = None  # closed here: the transport's own way needs Windows
