"""The shells where the network is not what it was: no mDNS, other addresses, forged records."""

from __future__ import annotations

import asyncio
import errno
import math
from dataclasses import replace

import pytest
from zeroconf.asyncio import AsyncZeroconf

from net.discovery import browser as shell
from net.discovery import mdns, networks
from net.discovery.advert import OURS, AdvertStage
from net.discovery.announcer import Announcer
from net.discovery.browser import Browser, GameStatus
from net.discovery.networks import LOOPBACK_HOSTS, Network, PortClaim, claim_port
from net.secure.address import Address
from tests.lan.forge import forge_packet
from tests.net.discovery.discovery_tools import (
    PATIENCE,
    BrowserRecorder,
    advert,
    happens,
    record,
    shout,
    until,
)
from tests.net.server.journal_tools import POSIX, no_more_files

pytestmark = pytest.mark.usefixtures("quick_questions")

look_up = networks.own_networks
"""The real one: tests are on no network."""


@pytest.fixture
def openings(monkeypatch: pytest.MonkeyPatch, loopback_mdns: None) -> list[AsyncZeroconf]:
    """Keep what is opened for mDNS."""
    del loopback_mdns
    opened: list[AsyncZeroconf] = []
    real = mdns.open_zeroconf

    async def open_zeroconf() -> AsyncZeroconf:
        zeroconf = await real()
        assert isinstance(zeroconf, AsyncZeroconf)
        opened.append(zeroconf)
        return zeroconf

    monkeypatch.setattr(mdns, "open_zeroconf", open_zeroconf)
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


async def test_both_sides_begin_mdns_anew_every_so_often_and_lose_nothing(
    port: PortClaim, openings: list[AsyncZeroconf], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mdns, "NETWORK_CHECK_S", 0.05)
    monkeypatch.setattr(mdns, "REBUILD_INTERVAL_S", 0.1)
    async with Announcer(advert("Ana"), port.port, port.udp) as told, Browser(OURS) as browser:
        await until(browser, ("Ana",))
        await happens(lambda: len(openings) > 6)
        assert browser.games, "nothing was lost meanwhile"
        assert openings[0].zeroconf.done
        told.update(replace(told.advert, stage=AdvertStage.LOBBY, players=3, seats=5))
        await until(browser, ("Ana",), players=3)


async def test_a_list_hears_mdns_anew_when_the_networks_change(
    calls_itself: list[Network], openings: list[AsyncZeroconf], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mdns, "NETWORK_CHECK_S", 0.02)
    async with Browser(OURS):
        await happens(lambda: len(openings) == 1)
        calls_itself.append(Network("127.0.0.2", 8, 1))
        await happens(lambda: len(openings) == 2)


@pytest.mark.usefixtures("loopback_mdns")
async def test_a_host_tells_of_new_addresses_without_a_goodbye(
    port: PortClaim, calls_itself: list[Network], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mdns, "NETWORK_CHECK_S", 0.02)
    ana = advert("Ana")
    async with BrowserRecorder() as reply, Announcer(ana, port.port, port.udp) as told:
        assert await reply.hints.get() == ana
        monkeypatch.setattr(mdns, "own_addresses", lambda: ["127.0.0.2"])
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

    async def open_zeroconf() -> AsyncZeroconf:
        tried.append(None)
        if len(tried) < 5:
            raise OSError("no network")
        return AsyncZeroconf(["127.0.0.1"])

    monkeypatch.setattr(mdns, "open_zeroconf", open_zeroconf)
    monkeypatch.setattr(mdns, "own_addresses", lambda: ["127.0.0.1"])
    monkeypatch.setattr(mdns, "NETWORK_CHECK_S", 0.02)
    monkeypatch.setattr(mdns, "REBUILD_INTERVAL_S", 0.02)
    told = Announcer(advert("Ana"), port.port, port.udp, troubles.append)
    async with told, Browser(OURS) as browser:
        await happens(lambda: bool(troubles) and browser.trouble is not None)
        monkeypatch.setattr(mdns, "REBUILD_INTERVAL_S", 15.0)
        await until(browser, ("Ana",))
        await happens(lambda: troubles[-1] is None and browser.trouble is None)


@POSIX
@pytest.mark.usefixtures("loopback_mdns")
async def test_a_table_is_told_of_again_once_there_are_files_to_open(
    port: PortClaim, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed: list[OSError] = []

    def look() -> tuple[Network, ...]:
        try:
            return look_up()
        except OSError as error:
            failed.append(error)
            raise

    monkeypatch.setattr(networks, "own_networks", look)
    monkeypatch.setattr(mdns, "NETWORK_CHECK_S", 0.02)
    monkeypatch.setattr(mdns, "REBUILD_INTERVAL_S", 0.1)
    ana = advert("Ana")
    async with (
        BrowserRecorder() as reply,
        Announcer(ana, port.port, port.udp) as told,
        Browser(OURS),
    ):
        assert await reply.hints.get() == ana
        with no_more_files():
            await happens(lambda: len(failed) > 3)
        told.update(replace(told.advert, stage=AdvertStage.LOBBY, players=4, seats=5))
        async with asyncio.timeout(PATIENCE):
            while (await reply.hints.get()).players != 4:
                pass
    assert {error.errno for error in failed} == {errno.EMFILE}


@POSIX
@pytest.mark.usefixtures("no_mdns")
async def test_a_table_and_a_list_open_where_no_network_can_be_looked_up(
    port: PortClaim, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look() -> tuple[Network, ...]:
        raise OSError(errno.EMFILE, "too many open files")

    monkeypatch.setattr(networks, "own_networks", look)
    async with Announcer(advert("Ana"), port.port, port.udp), Browser(OURS) as browser:
        browser.seek([Address("127.0.0.1", port.port)])
        await until(browser, ("Ana",))


@pytest.mark.usefixtures("loopback_mdns")
async def test_addresses_that_cannot_be_looked_up_are_trouble_that_passes(
    port: PortClaim, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> list[str]:
        raise OSError(errno.EMFILE, "too many open files")

    monkeypatch.setattr(mdns, "NETWORK_CHECK_S", 0.02)
    monkeypatch.setattr(mdns, "REBUILD_INTERVAL_S", 0.02)
    ana, troubles = advert("Ana"), list[OSError | None]()
    async with BrowserRecorder() as reply:
        with monkeypatch.context() as patched:
            patched.setattr(mdns, "own_addresses", fail)
            told = await Announcer(ana, port.port, port.udp, troubles.append).__aenter__()
            await happens(lambda: bool(troubles))
        monkeypatch.setattr(mdns, "REBUILD_INTERVAL_S", 15.0)
        async with asyncio.timeout(PATIENCE):
            assert await reply.hints.get() == ana
        assert troubles[-1] is None
        await told.__aexit__(None, None, None)


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
    openings: list[AsyncZeroconf],
    calls_itself: list[Network],
    port: PortClaim,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mdns, "MAX_NEWS", 20)
    monkeypatch.setattr(mdns, "NETWORK_CHECK_S", 0.02)
    monkeypatch.setattr(mdns, "REBUILD_INTERVAL_S", math.inf)
    async with Browser(OURS) as browser:
        await happens(lambda: len(openings) == 1 and openings[0].zeroconf.started)
        shout(forge_packet(number, 0) for number in range(30))
        await happens(lambda: openings[0].zeroconf.done)
        calls_itself.append(Network("127.0.0.2", 8, 1))
        async with Announcer(advert("Ana"), port.port, port.udp):
            await happens(lambda: "Ana" in {game.advert.name for game in browser.games})


async def test_forged_names_do_not_make_us_deaf() -> None:
    failures: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(context))
    ana = advert("Ana")
    async with BrowserRecorder() as reply, asyncio.timeout(PATIENCE):
        shout(forge_packet(number, 0) for number in range(20))
        while (await reply.hints.get()).id != f"{19:016x}":
            pass
        info = record(ana, ana.txt)
        await (await reply.teller.async_register_service(info, cooperating_responders=True))
        while await reply.hints.get() != ana:
            pass
    assert failures == []
