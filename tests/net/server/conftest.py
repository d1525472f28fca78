"""A folder for journals, quick as memory; hosts that look around often, and are never suspended."""

import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from net.room import hall, sessions
from net.server import club, live_table
from tests.net.server.journal_tools import quick_folder


@pytest.fixture
def where() -> Iterator[Path]:
    with quick_folder() as folder:
        yield folder


@pytest.fixture(autouse=True)
def quick_ticks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tables and clubs look around, and halls tell how they look, every 0.05 seconds."""
    monkeypatch.setattr(live_table, "TICK_S", 0.05)
    monkeypatch.setattr(club, "TICK_S", 0.05)
    monkeypatch.setattr(hall, "TELL_INTERVAL_S", 0.05)


@pytest.fixture(autouse=True)
def no_suspension(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take no leap of the clock for a suspended host: a loaded machine makes them, too."""
    monkeypatch.setattr(sessions, "SUSPENDED_S", math.inf)
