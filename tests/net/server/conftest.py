"""A folder for journals, quick as memory; hosts that look around often, and are never suspended."""

import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from net.client import remote
from net.room import sessions
from net.server import live_table
from tests.net.server.journal_tools import quick_folder


@pytest.fixture
def where() -> Iterator[Path]:
    with quick_folder() as folder:
        yield folder


@pytest.fixture(autouse=True)
def quick_ticks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tables and halls look around every 0.05 seconds, and programs dial again at once."""
    monkeypatch.setattr(remote, "SHORT_LINK_S", 0.0)
    monkeypatch.setattr(live_table, "TICK_S", 0.05)


@pytest.fixture(autouse=True)
def no_suspension(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take no leap of the clock for a suspended host: a loaded machine makes them, too."""
    monkeypatch.setattr(sessions, "SUSPENDED_S", math.inf)
