"""The folder of the host's tests and its quick ticks, and programs that dial often."""

import pytest

from net.client import dialer
from tests.net.server.conftest import no_suspension, quick_ticks, where

__all__ = ["no_suspension", "quick_ticks", "where"]


@pytest.fixture
def quick_dials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialer, "DIAL_INTERVAL_S", 0.1)
