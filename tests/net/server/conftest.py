"""A folder for journals, quick as memory, and hosts and clubs that look around more often."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from net.room import hall
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
