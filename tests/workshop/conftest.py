"""Programs that wait for others no longer than they have to."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from net.client import remote
from tests.net.server.conftest import where
from tests.workshop.rigged import Evening, evening

__all__ = ["where"]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let programs wait less, and make words of a round's hash without computing for long."""
    monkeypatch.setattr(remote, "words_to_compare", lambda told: (told.hex(),))
    monkeypatch.setattr(remote, "SHORT_LINK_S", 0.05)
    monkeypatch.setattr(remote, "HEARTBEAT_INTERVAL_S", 0.1)


@pytest.fixture
async def table(where: Path, tmp_path: Path) -> AsyncIterator[Evening]:
    """Three people who are ready for a game of one round."""
    async with evening(where, tmp_path) as made:
        yield made
