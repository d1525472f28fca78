"""Announcer and browser on loopback, where the network is rough, and what forged questions get."""

from __future__ import annotations

import asyncio
import errno
import math
import socket
import struct
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from dataclasses import replace
from types import SimpleNamespace
from typing import Self

import ifaddr
import pytest
from zeroconf import IPVersion, ServiceInfo, Zeroconf
from zeroconf._protocol.outgoing import DNSOutgoing
from zeroconf.asyncio import AsyncZeroconf

from net.discovery import games, joined_mdns, networks, service
from net.discovery.advert import OURS, Advert, AdvertStage, new_id, write_question
from net.discovery.games import DiscoveredGame, GameStatus
from net.discovery.joined_mdns import MDNS_PORT, JoinedMdns, LimitedZeroconf
from net.discovery.service import (
    ADDRESS_ANSWERS,
    ANSWERS,
    Announcer,
    Browser,
    join_mdns,
    resolve,
    seek,
)
from net.protocol import Versions
from net.secure.address import Address, TypedAddress
from net.tasks import end_tasks
from tests.lan import forge
from tests.lan.forge import forge_packet
from tests.net.server.served_table import until as happens

OWN_NETWORKS = networks.own_networks  # before a fixture hides them

pytestmark = pytest.mark.usefixtures("quick_questions")

PATIENCE = 20.0
"""Seconds to wait for anything; how soon things happen is measured in tests/lan."""

RESPONSE = 0x8400
"""The DNS flags of an answer from who knows best."""


def advert(name: str) -> Advert:
    return Advert(new_id(), name, OURS, AdvertStage.LOBBY, 1, 5)


async def until(
    browser: Browser, wanted: tuple[str, ...], players: int = 1
) -> tuple[DiscoveredGame, ...]:
    """Wait for a list of these names, with this many players each."""
    if not wanted and not browser.games:
        return ()
    async with asyncio.timeout(PATIENCE):
        async for games in browser:
            if tuple(game.advert.name for game in games) == wanted and all(
                game.advert.players == players for game in games
            ):
                return games
    raise AssertionError


def shout(packets: Iterable[bytes]) -> None:
    """Multicast packets on the loopback interface as they are."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as wire:
        loopback = socket.inet_aton("127.0.0.1")
        wire.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, loopback)
        for each in packets:
            wire.sendto(each, forge.GROUP)


def record(advert: Advert, txt: dict[str, str]) -> ServiceInfo:
    return ServiceInfo(
        forge.SERVICE,
        f"{advert.label}.{forge.SERVICE}",
        port=7341,
        properties=txt,
        server=f"test-{advert.id}.local.",
        parsed_addresses=["127.0.0.1"],
    )


class BrowserRecorder:
    """What somebody who listens by mDNS receives from `announcer`, another zeroconf."""

    async def __aenter__(self) -> Self:
        self.announcer, self._listener = AsyncZeroconf(["127.0.0.1"]), JoinedMdns(["127.0.0.1"])
        await self.announcer.zeroconf.async_wait_for_start()
        await self._listener.zeroconf.async_wait_for_start()
        self.hints: asyncio.Queue[Advert] = asyncio.Queue()
        self.addresses: list[Address] = []
        self.goodbyes: asyncio.Queue[str] = asyncio.Queue()
        listening = self._listener.listen(self._hint, self.goodbyes.put_nowait)
        self._listening = asyncio.create_task(listening)
        return self

    def reading(self) -> list[asyncio.Task[object]]:
        """List the tasks that read a table's records."""
        return [
            task
            for task in asyncio.all_tasks()
            if getattr(task.get_coro(), "__name__", "") == "_read"
        ]

    def _hint(self, advert: Advert, addresses: list[Address]) -> None:
        self.hints.put_nowait(advert)
        self.addresses = addresses

    async def __aexit__(self, *_: object) -> None:
        await end_tasks(self._listening)
        await self._listener.async_close()
        await self.announcer.async_close()


@pytest.mark.usefixtures("loopback_mdns")
async def test_a_table_is_found_followed_and_gone_by_mdns(port: networks.PortClaim) -> None:
    async with Browser(OURS) as browser:
        async with Announcer(advert("Ana"), port.port, port.udp) as announcer:
            (game,) = await until(browser, ("Ana",))
            assert game.status is GameStatus.JOINABLE
            assert game.addresses == (Address("127.0.0.1", port.port),)
            for players in (2, 2, 3):
                announcer.update(
                    replace(announcer.advert, stage=AdvertStage.LOBBY, players=players, seats=5)
                )
            await until(browser, ("Ana",), players=3)
            async with Browser(OURS) as later:
                await until(later, ("Ana",), players=3)
                assert later.trouble is None
        await until(browser, ())


@pytest.mark.usefixtures("no_mdns")
async def test_without_mdns_a_table_is_found_by_its_address(port: networks.PortClaim) -> None:
    troubles: list[OSError | None] = []
    announcer = Announcer(advert("Ana"), port.port, port.udp, troubles.append)
    async with announcer, Browser(OURS) as browser:
        browser.seek([Address("127.0.0.1", port.port)])
        await until(browser, ("Ana",))
        assert isinstance(browser.trouble, OSError)
        assert [type(trouble) for trouble in troubles] == [OSError]


async def test_a_typed_address_is_asked_at_all_its_places(
    port: networks.PortClaim, no_mdns: None
) -> None:
    del no_mdns
    asked = Advert(new_id(), "Ana", Versions(9, 9), AdvertStage.PLAYING, 3, 5)
    async with Announcer(asked, port.port, port.udp):
        addresses = await resolve(TypedAddress("localhost", port.port))
        (game,) = await seek([*addresses, Address("127.0.0.1", 9)], OURS, PATIENCE)
        assert (game.status, game.advert) == (GameStatus.OTHER_VERSION, asked)
    assert await seek([Address("127.0.0.1", port.port)], OURS, 0.0) == ()


async def test_a_host_that_nobody_knows_is_an_error() -> None:
    with pytest.raises(socket.gaierror):
        await resolve(TypedAddress("fe80::1%no-such-interface", None))
    with pytest.raises(OSError, match="long"):
        await resolve(TypedAddress("\xfc" * 63, None))


async def test_a_table_only_named_is_asked_for_records(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joined_mdns, "RESOLVE_TIMEOUT_S", 0.3)
    ana = advert("Ana")
    sound, missing = record(ana, ana.txt), record(advert("Nobody"), {})
    async with BrowserRecorder() as reply, asyncio.timeout(PATIENCE):
        reply.announcer.zeroconf.registry.async_add(sound)
        names = DNSOutgoing(RESPONSE)
        for pointer in (sound.dns_pointer(), missing.dns_pointer()):
            names.add_answer_at_time(pointer, 0)
        reply.announcer.zeroconf.async_send(names)
        assert await reply.hints.get() == ana
        while reading := reply.reading():
            await asyncio.wait(reading)
        assert all(reply.hints.get_nowait() == ana for _ in range(reply.hints.qsize()))


async def test_few_names_are_asked_for_at_once_and_none_at_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(joined_mdns, "MAX_READ_AT_ONCE", 2)
    async with BrowserRecorder() as reply, asyncio.timeout(PATIENCE):
        names = DNSOutgoing(RESPONSE)
        for number in range(9):
            names.add_answer_at_time(record(advert(f"Nobody {number}"), {}).dns_pointer(), 0)
        reply.announcer.zeroconf.async_send(names)
        while not (reading := reply.reading()):  # noqa: ASYNC110 - no event
            await asyncio.sleep(0.01)
        assert len(reading) == 2
    assert all(task.cancelled() for task in reading)


async def test_a_system_without_ipv6_joins_mdns_by_ipv4(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[IPVersion] = []
    opened = object()

    def without_ipv6(_: object, _networks: object, ip_version: IPVersion) -> object:
        tried.append(ip_version)
        if ip_version is IPVersion.All:
            raise OSError("address family not supported")
        return opened

    def without_network(_: object, _networks: object, ip_version: IPVersion) -> object:
        raise RuntimeError(f"no interfaces of {ip_version}")

    monkeypatch.setattr(joined_mdns, "LimitedZeroconf", without_ipv6)
    assert (await join_mdns()).zeroconf is opened
    assert tried == [IPVersion.All, IPVersion.V4Only]
    monkeypatch.setattr(joined_mdns, "LimitedZeroconf", without_network)
    with pytest.raises(OSError, match="no interfaces") as down:
        await join_mdns()
    assert down.value.errno == errno.ENETDOWN


def test_loopback_is_told_of_only_where_nothing_else_is(monkeypatch: pytest.MonkeyPatch) -> None:
    own = [ifaddr.IP("127.0.0.1", 8, "lo"), ifaddr.IP(("::1", 0, 0), 128, "lo")]
    lo = SimpleNamespace(index=1, nice_name="lo", ips=own)
    told = [ifaddr.IP(f"10.0.0.{host}", 24, "eth0") for host in range(1, 30)]
    many = SimpleNamespace(index=None, nice_name="eth0", ips=told)
    monkeypatch.setattr(networks, "own_networks", OWN_NETWORKS)
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: [lo])
    assert networks.own_addresses() == ["127.0.0.1", "::1"]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: [lo, many])
    assert len(networks.own_addresses()) == networks.MAX_ADVERTISED_ADDRESSES
    assert "127.0.0.1" not in networks.own_addresses()


async def test_what_cannot_be_sent_is_dropped(port: networks.PortClaim) -> None:
    udp = networks.UdpSockets()
    udp.send(b"", Address("127.0.0.1", port.port))
    await udp.open(networks.open_asking_sockets(), lambda _, __: None)
    udp.send(b"", Address("255.255.255.255", 9))
    question = write_question(b"8 bytes!")
    udp.send(question, Address("127.0.0.1", port.port))
    port.udp[0].settimeout(PATIENCE)
    assert await asyncio.to_thread(port.udp[0].recv, 999) == question
    udp.close()


async def test_answers_to_one_address_are_limited_and_answers_to_all_together(
    port: networks.PortClaim,
) -> None:
    announcer, loop = Announcer(advert("Ana"), port.port, ()), asyncio.get_running_loop()
    question, begun = write_question(b"8 bytes!"), loop.time()

    def count_answers(*sources: str) -> int:
        answers = [announcer._answer(question, Address(source, 1)) for source in sources]
        return sum(answer is not None for answer in answers)

    assert announcer._answer(b"GET / HTTP/1.1", Address("10.0.0.9", 1)) is None
    alone = count_answers(*["10.0.0.9"] * 400)
    others = count_answers(*(f"10.0.{number // 250}.{number % 250}" for number in range(3000)))
    passed = loop.time() - begun
    assert ADDRESS_ANSWERS.burst <= alone <= ADDRESS_ANSWERS.burst + ADDRESS_ANSWERS.rate * passed
    assert alone + others <= ANSWERS.burst + ANSWERS.rate * passed


@pytest.fixture
def openings(monkeypatch: pytest.MonkeyPatch, loopback_mdns: None) -> list[JoinedMdns]:
    """Keep what is opened for mDNS."""
    del loopback_mdns
    opened: list[JoinedMdns] = []
    real = service.join_mdns

    async def join_mdns() -> JoinedMdns:
        zeroconf = await real()
        assert isinstance(zeroconf, JoinedMdns)
        opened.append(zeroconf)
        return zeroconf

    monkeypatch.setattr(service, "join_mdns", join_mdns)
    return opened


@pytest.fixture
def calls_itself(monkeypatch: pytest.MonkeyPatch) -> list[networks.Network]:
    """Let this machine be on the loopback network alone; what is added here it is on later."""
    there = [networks.Network("127.0.0.1", 8, 1)]
    monkeypatch.setattr(networks, "own_networks", lambda: tuple(there))
    monkeypatch.setattr(networks, "PORTS", ())
    return there


@pytest.mark.usefixtures("no_mdns")
async def test_a_table_is_found_by_a_call_without_mdns(
    port: networks.PortClaim, calls_itself: list[networks.Network], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert calls_itself
    for module in (networks, games):
        monkeypatch.setattr(module, "PORTS", (port.port,))
    async with Announcer(advert("Ana"), port.port, port.udp), Browser(OURS) as browser:
        (game,) = await until(browser, ("Ana",))
        assert game.addresses == (Address("127.0.0.1", port.port),)


@pytest.mark.usefixtures("loopback_mdns")
async def test_a_host_tells_of_new_addresses_without_a_goodbye(
    port: networks.PortClaim, calls_itself: list[networks.Network], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "NETWORK_CHECK_S", 0.02)
    ana = advert("Ana")
    async with BrowserRecorder() as reply, Announcer(ana, port.port, port.udp) as told:
        assert await reply.hints.get() == ana
        monkeypatch.setattr(joined_mdns, "own_addresses", lambda: ["127.0.0.2"])
        calls_itself.append(networks.Network("127.0.0.2", 8, 1))
        await happens(lambda: Address("127.0.0.2", port.port) in reply.addresses)
        assert reply.goodbyes.empty()
        told.update(replace(told.advert, stage=AdvertStage.LOBBY, players=4, seats=5))
        calls_itself.pop()
        async with asyncio.timeout(PATIENCE):
            while (await reply.hints.get()).players != 4:
                pass


async def test_mdns_is_tried_again_later(
    port: networks.PortClaim, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[None] = []
    troubles: list[OSError | None] = []

    async def join_mdns() -> JoinedMdns:
        tried.append(None)
        if len(tried) < 5:
            raise OSError("no network")
        monkeypatch.setattr(service, "REBUILD_INTERVAL_S", math.inf)
        return JoinedMdns(["127.0.0.1"])

    monkeypatch.setattr(service, "join_mdns", join_mdns)
    monkeypatch.setattr(joined_mdns, "own_addresses", lambda: ["127.0.0.1"])
    monkeypatch.setattr(service, "NETWORK_CHECK_S", 0.02)
    monkeypatch.setattr(service, "REBUILD_INTERVAL_S", 0.02)
    told = Announcer(advert("Ana"), port.port, port.udp, troubles.append)
    async with told, Browser(OURS) as browser:
        await happens(lambda: bool(troubles) and browser.trouble is not None)
        await until(browser, ("Ana",))
        await happens(lambda: troubles[-1] is None and browser.trouble is None)


async def test_a_flood_of_forged_names_is_not_heard_to_its_end(
    openings: list[JoinedMdns],
    calls_itself: list[networks.Network],
    port: networks.PortClaim,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(joined_mdns, "MAX_NEWS", 20)
    monkeypatch.setattr(service, "NETWORK_CHECK_S", 0.02)
    monkeypatch.setattr(service, "REBUILD_INTERVAL_S", math.inf)
    async with Browser(OURS) as browser:
        await happens(lambda: len(openings) == 1 and openings[0].zeroconf.started)
        shout(forge_packet(number, 0) for number in range(30))
        await happens(lambda: openings[0].zeroconf.done)
        calls_itself.append(networks.Network("127.0.0.2", 8, 1))
        async with Announcer(advert("Ana"), port.port, port.udp):
            await happens(lambda: "Ana" in {game.advert.name for game in browser.games})


# Questions that seem to come from somebody else make a table send that victim hardly anything.


ANA = advert("Ana's table")
HOME = networks.Network("10.0.0.1", 24)
LEGACY_PORT = 40_000
ANY = 255
UNICAST = 0x8001
"""The class of a question that asks for a unicast answer."""


def question(name: bytes, kind: int, cls: int = 1) -> bytes:
    return struct.pack(">HHHHHH", 7, 0, 1, 0, 0, 0) + name + struct.pack(">HH", kind, cls)


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


async def test_somebody_who_is_not_on_our_network_gets_no_unicast_answer(
    announced_table: LimitedZeroconf, sent_bytes: Counter[str]
) -> None:
    strangers = ("10.0.1.7", "203.0.113.9", "::ffff:203.0.113.9", "2001:db8::9")
    neighbours = ("10.0.0.8", "::ffff:10.0.0.9", "127.0.0.1", "fe80::9%1")
    asked = question(forge.spell_name(forge.SERVICE), forge.PTR, UNICAST)
    for source in (*strangers, *neighbours):
        announced_table.engine.protocols[0].datagram_received(asked, (source, MDNS_PORT))
    assert sent_bytes.keys() - {"all"} == set(neighbours)
