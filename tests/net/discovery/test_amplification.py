"""Questions that seem to come from somebody else make a table send that victim hardly anything.

The probe's own answers are never longer than their questions, see test_advert.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from collections import Counter
from collections.abc import AsyncIterator

import pytest
from zeroconf import Zeroconf
from zeroconf._protocol.outgoing import DNSOutgoing

from net.discovery.joined_mdns import MDNS_PORT, JoinedMdns, LimitedZeroconf
from net.discovery.networks import Network
from net.tasks import end_tasks
from tests.lan import forge
from tests.net.discovery.discovery_tools import PATIENCE, advert, happens

ANA = advert("Ana's table")
HOME = Network("10.0.0.1", 24)
LEGACY_PORT = 40_000
ANY = 255
UNICAST = 0x8001
"""The class of a question that asks for a unicast answer."""


def question(name: bytes, kind: int, cls: int = 1, number: int = 7) -> bytes:
    """Ask one question."""
    return struct.pack(">HHHHHH", number, 0, 1, 0, 0, 0) + name + struct.pack(">HH", kind, cls)


def all_questions(cls: int) -> list[bytes]:
    """Ask whatever a table answers, as other services are asked it too."""
    service, host = forge.spell_name(forge.SERVICE), forge.spell_name(f"sabtui-{ANA.id}.local.")
    table = forge.instance(ANA.label)
    asked = [(service, forge.PTR), (service, ANY), (table, ANY), (table, forge.SRV)]
    asked += [(table, forge.TXT), (host, forge.A)]
    return [question(name, kind, cls) for name, kind in asked]


@pytest.fixture
async def announced_table(loopback_mdns: None) -> AsyncIterator[LimitedZeroconf]:
    """Announce a table on the loopback interface, as a machine at home."""
    del loopback_mdns
    limited = LimitedZeroconf(["127.0.0.1"], [HOME])
    zeroconf = JoinedMdns(zc=limited)
    await limited.async_wait_for_start()
    announcing = asyncio.create_task(zeroconf.announce(ANA, 7341))
    await happens(lambda: bool(limited.registry.async_get_service_infos()))
    (info,) = limited.registry.async_get_service_infos()
    # Zeroconf prefers multicast until it has heard its own announcement.
    await happens(lambda: limited.cache.async_get_unique(info.dns_pointer()) is not None)
    yield limited
    await end_tasks(announcing)
    await zeroconf.async_close()


@pytest.fixture
def sent_bytes(monkeypatch: pytest.MonkeyPatch, announced_table: LimitedZeroconf) -> Counter[str]:
    """Return the bytes that are sent to each address from now on, in place of sending them."""
    del announced_table
    counted = Counter[str]()

    def count(_self: Zeroconf, out: DNSOutgoing, addr: str | None = None, *_rest: object) -> None:
        counted[addr or "all"] += sum(map(len, out.packets()))

    monkeypatch.setattr(Zeroconf, "async_send", count)
    return counted


async def test_an_asker_without_mdns_gets_one_record(announced_table: LimitedZeroconf) -> None:
    del announced_table
    asked = question(forge.spell_name(forge.SERVICE), forge.PTR)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asker:
        asker.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
        asker.settimeout(PATIENCE)
        asker.sendto(asked, forge.GROUP)
        answer = await asyncio.to_thread(asker.recv, 9999)
    _, _, questions, answers, _, additional = struct.unpack_from(">HHHHHH", answer)
    assert (questions, answers, additional) == (1, 1, 0)
    assert ANA.label.encode() in answer
    assert len(answer) < 2 * len(asked)


@pytest.mark.parametrize(
    ("port", "cls"), [(LEGACY_PORT, 1), (LEGACY_PORT, UNICAST), (MDNS_PORT, UNICAST)]
)
async def test_a_flood_from_one_forged_address_is_hardly_answered(
    announced_table: LimitedZeroconf, sent_bytes: Counter[str], port: int, cls: int
) -> None:
    asked = 0
    for _ in range(50):
        for each in all_questions(cls):
            announced_table.engine.protocols[0].datagram_received(each, ("10.0.0.7", port))
            asked += len(each)
    assert 0 < sent_bytes["10.0.0.7"] < asked / 5


async def test_a_flood_from_many_forged_addresses_is_answered_with_fewer_bytes_than_it_has(
    announced_table: LimitedZeroconf, sent_bytes: Counter[str]
) -> None:
    asked = 0
    for number in range(1, 254):
        for each in all_questions(UNICAST):
            announced_table.engine.protocols[0].datagram_received(
                each, (f"10.0.0.{number}", MDNS_PORT)
            )
            asked += len(each)
    assert 0 < sent_bytes.total() - sent_bytes["all"] < asked / 5


async def test_who_is_not_on_our_network_gets_no_unicast_answer(
    announced_table: LimitedZeroconf, sent_bytes: Counter[str]
) -> None:
    strangers = ("10.0.1.7", "203.0.113.9", "::ffff:203.0.113.9", "2001:db8::9")
    neighbours = ("10.0.0.8", "::ffff:10.0.0.9", "127.0.0.1", "fe80::9%1")
    asked = question(forge.spell_name(forge.SERVICE), forge.PTR, UNICAST)
    for source in (*strangers, *neighbours):
        announced_table.engine.protocols[0].datagram_received(asked, (source, MDNS_PORT))
    assert sent_bytes.keys() - {"all"} == set(neighbours)
