"""Programs that wait for others no longer than they have to."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from net.client.session import HeartbeatPolicy
from net.takeover import comparing, remote, standby, succession
from tests.net.server.conftest import where
from tests.net.server.served_table import HERE
from tests.net.takeover import test_succession
from tests.workshop.rigged import Evening, evening

__all__ = ["where"]

STEADY = HeartbeatPolicy(beat=0.1, shaky=5.0, lost=10.0)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let programs wait less for each other, and let nothing but this computer be told of."""
    monkeypatch.setattr(comparing, "COMPARED_S", 2.0)
    monkeypatch.setattr(comparing, "OTHER_WAY_S", 0.6)
    monkeypatch.setattr(standby, "STANDBY_PORTS", (0,))
    monkeypatch.setattr(standby, "own_addresses", lambda: [HERE])
    monkeypatch.setattr(standby, "ELECTION_TICK_S", 0.05)
    monkeypatch.setattr(succession, "words_to_compare", lambda running: (running.hex(),))
    monkeypatch.setattr(remote, "EVICTED_PAUSE_S", 0.05)
    monkeypatch.setattr(test_succession, "BRISK", STEADY)


@pytest.fixture
async def table(where: Path, tmp_path: Path) -> AsyncIterator[Evening]:
    """Three people who are ready for a game of one round."""
    async with evening(where, tmp_path) as made:
        yield made


@pytest.fixture
async def long_table(where: Path, tmp_path: Path) -> AsyncIterator[Evening]:
    """Three people who are ready for a game of two rounds."""
    async with evening(where, tmp_path, rounds=2) as made:
        yield made
