"""mDNS that never leaves this machine; whole networks are for tests/lan."""

from __future__ import annotations

import pytest
from zeroconf.asyncio import AsyncZeroconf

from net.discovery import announcer, browser, mdns


@pytest.fixture
def loopback_mdns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep mDNS on the loopback interface, and tell of nothing but that."""

    async def open_zeroconf() -> AsyncZeroconf:
        return AsyncZeroconf(["127.0.0.1"])

    monkeypatch.setattr(announcer, "open_zeroconf", open_zeroconf)
    monkeypatch.setattr(browser, "open_zeroconf", open_zeroconf)
    monkeypatch.setattr(mdns, "own_addresses", lambda: ["127.0.0.1"])


@pytest.fixture
def no_mdns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let mDNS fail, as where another program keeps its port to itself."""

    async def open_zeroconf() -> AsyncZeroconf:
        raise OSError("port 5353 is taken")

    monkeypatch.setattr(announcer, "open_zeroconf", open_zeroconf)
    monkeypatch.setattr(browser, "open_zeroconf", open_zeroconf)
