"""mDNS that never leaves this machine; whole networks are for tests/lan."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator

import pytest
from zeroconf import _core

from net.discovery import games, joined_mdns, networks, service
from net.discovery.joined_mdns import JoinedMdns
from net.discovery.networks import LOOPBACK_HOSTS, PortClaim, claim_port
from tests.lan import forge


@pytest.fixture(autouse=True)
def no_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this machine be on no network, so that nobody there hears calls of tests."""
    monkeypatch.setattr(networks, "own_networks", lambda: ())


@pytest.fixture(autouse=True)
def own_service(monkeypatch: pytest.MonkeyPatch) -> None:
    """Call tables by another service, so that no other program's are among them."""
    service = f"_t{secrets.token_hex(6)}._tcp.local."
    monkeypatch.setattr(joined_mdns, "SERVICE", service)
    monkeypatch.setattr(forge, "SERVICE", service)


@pytest.fixture
def loopback_mdns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep mDNS on the loopback interface, and tell of nothing but that."""

    async def join_mdns() -> JoinedMdns:
        return JoinedMdns(["127.0.0.1"])

    monkeypatch.setattr(service, "join_mdns", join_mdns)
    monkeypatch.setattr(joined_mdns, "own_addresses", lambda: ["127.0.0.1"])


@pytest.fixture
def no_mdns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let mDNS fail, as where another program keeps its port to itself."""

    async def join_mdns() -> JoinedMdns:
        raise OSError("port 5353 is taken")

    monkeypatch.setattr(service, "join_mdns", join_mdns)


@pytest.fixture
async def port() -> AsyncIterator[PortClaim]:
    taken = claim_port(ports=[0], hosts=LOOPBACK_HOSTS)
    yield taken
    taken.close()


@pytest.fixture(autouse=True)
def quick_zeroconf(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let zeroconf wait less before it says again that something is gone."""
    monkeypatch.setattr(_core, "_UNREGISTER_TIME", 20)


@pytest.fixture
def quick_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask addresses more often."""
    monkeypatch.setattr(games, "QUESTION_INTERVAL_S", 0.1)
