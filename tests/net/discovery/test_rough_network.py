"""The shells where the network is not what it was: no mDNS, other addresses, forged records."""

from __future__ import annotations

import asyncio
import math
from dataclasses import replace

import pytest

from net.discovery import browser as shell
from net.discovery import joined_mdns, mdns, networks
from net.discovery.advert import OURS, AdvertStage
from net.discovery.announcer import Announcer
from net.discovery.browser import Browser
from net.discovery.games import GameStatus
from net.discovery.joined_mdns import JoinedMdns
from net.discovery.networks import LOOPBACK_HOSTS, Network, PortClaim, claim_port
from net.secure.address import Address
from tests.lan.forge import forge_packet
from tests.net.discovery.discovery_tools import (
    PATIENCE,
    BrowserRecorder,
    advert,
    happens,
    shout,
    until,
)

pytestmark = pytest.mark.usefixtures("quick_questions")


@pytest.fixture
def openings(monkeypatch: pytest.MonkeyPatch, loopback_mdns: None) -> list[JoinedMdns]:
    """Keep what is opened for mDNS."""
    del loopback_mdns
    opened: list[JoinedMdns] = []
    real = mdns.join_mdns

    async def join_mdns() -> JoinedMdns:
        zeroconf = await real()
        assert isinstance(zeroconf, JoinedMdns)
        opened.append(zeroconf)
        return zeroconf

    monkeypatch.setattr(mdns, "join_mdns", join_mdns)
    return opened


@pytest.fixture
def calls_itself(monkeypatch: pytest.MonkeyPatch) -> list[Network]:
    """Let this machine be on the loopback network alone; what is added here it is on later."""
    there = [Network("127.0.0.1", 8, 1)]
    monkeypatch.setattr(networks, "own_networks", lambda: tuple(there))
    monkeypatch.setattr(networks, "PORTS", ())
    return there


@pytest.mark.usefixtures("no_mdns")
async def test_a_table_is_found_by_a_call_without_mdns(
    port: PortClaim, calls_itself: list[Network], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert calls_itself
    for module in (networks, shell):
        monkeypatch.setattr(module, "PORTS", (port.port,))
    async with Announcer(advert("Ana"), port.port, port.udp), Browser(OURS) as browser:
        (game,) = await until(browser, ("Ana",))
        assert game.addresses == (Address("127.0.0.1", port.port),)


@pytest.mark.usefixtures("loopback_mdns")
async def test_a_host_tells_of_new_addresses_without_a_goodbye(
    port: PortClaim, calls_itself: list[Network], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mdns, "NETWORK_CHECK_S", 0.02)
    ana = advert("Ana")
    async with BrowserRecorder() as reply, Announcer(ana, port.port, port.udp) as told:
        assert await reply.hints.get() == ana
        monkeypatch.setattr(joined_mdns, "own_addresses", lambda: ["127.0.0.2"])
        calls_itself.append(Network("127.0.0.2", 8, 1))
        await happens(lambda: Address("127.0.0.2", port.port) in reply.addresses)
        assert reply.goodbyes.empty()
        told.update(replace(told.advert, stage=AdvertStage.LOBBY, players=4, seats=5))
        calls_itself.pop()
        async with asyncio.timeout(PATIENCE):
            while (await reply.hints.get()).players != 4:
                pass


async def test_mdns_that_did_not_work_is_tried_again(
    port: PortClaim, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[None] = []
    troubles: list[OSError | None] = []

    async def join_mdns() -> JoinedMdns:
        tried.append(None)
        if len(tried) < 5:
            raise OSError("no network")
        return JoinedMdns(["127.0.0.1"])

    monkeypatch.setattr(mdns, "join_mdns", join_mdns)
    monkeypatch.setattr(joined_mdns, "own_addresses", lambda: ["127.0.0.1"])
    monkeypatch.setattr(mdns, "NETWORK_CHECK_S", 0.02)
    monkeypatch.setattr(mdns, "REBUILD_INTERVAL_S", 0.02)
    told = Announcer(advert("Ana"), port.port, port.udp, troubles.append)
    async with told, Browser(OURS) as browser:
        await happens(lambda: bool(troubles) and browser.trouble is not None)
        monkeypatch.setattr(mdns, "REBUILD_INTERVAL_S", 15.0)
        await until(browser, ("Ana",))
        await happens(lambda: troubles[-1] is None and browser.trouble is None)


async def test_a_door_that_is_open_makes_a_silent_table_joinable(port: PortClaim) -> None:
    async with Browser(OURS, listen=False) as browser:
        silent = port.udp[0].getsockname()  # nobody answers there: there is no announcer
        shut = claim_port(ports=[0], hosts=LOOPBACK_HOSTS)
        shut.close()
        browser._hint(advert("Ana"), [Address("127.0.0.1", silent[1])])
        browser._hint(advert("Bruno"), [Address("127.0.0.1", shut.port)])
        (ana, bruno) = await until(browser, ("Ana", "Bruno"))
        assert (ana.status, bruno.status) == (GameStatus.JOINABLE, GameStatus.UNREACHABLE)


async def test_a_flood_of_forged_names_is_not_heard_to_its_end(
    openings: list[JoinedMdns],
    calls_itself: list[Network],
    port: PortClaim,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(joined_mdns, "MAX_NEWS", 20)
    monkeypatch.setattr(mdns, "NETWORK_CHECK_S", 0.02)
    monkeypatch.setattr(mdns, "REBUILD_INTERVAL_S", math.inf)
    async with Browser(OURS) as browser:
        await happens(lambda: len(openings) == 1 and openings[0].zeroconf.started)
        shout(forge_packet(number, 0) for number in range(30))
        await happens(lambda: openings[0].zeroconf.done)
        calls_itself.append(Network("127.0.0.2", 8, 1))
        async with Announcer(advert("Ana"), port.port, port.udp):
            await happens(lambda: "Ana" in {game.advert.name for game in browser.games})
