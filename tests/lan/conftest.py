"""A LAN for tests where the system has what it needs, and a reason where it has not."""

from __future__ import annotations

import pytest

from tests.lan.lan import Allowance, Lan
from tests.lan.losses import LOST_HOST, Measured, are_in_time, count_losses
from tests.lan.tools import TOOL_PATH, why_not

LOSSES: list[Measured] = []


def pytest_configure(config: pytest.Config) -> None:
    """Hold bounds of time to the letter where nothing else runs beside them."""
    if config.getoption("--level") == "soak":
        Allowance.factor = 1


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note how long tables took to go on whose hosts were lost."""
    if report.when == "call":
        for name, value in report.user_properties:
            if name == LOST_HOST and isinstance(value, list):
                LOSSES.append(Measured._make(value))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail if too many of them took too long."""
    if not are_in_time(LOSSES, Allowance.factor):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the table of hosts that were lost."""
    for line in count_losses(LOSSES):
        terminalreporter.line(line)


@pytest.fixture
async def new_lan(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> type[Lan]:
    """Give what makes a LAN; skip where a tool is missing that the test names."""
    named = [need for marker in request.node.iter_markers("needs") for need in marker.args]
    for need in ("unshare", *named):
        if reason := await why_not(need):
            pytest.skip(reason)
    monkeypatch.setenv("PATH", TOOL_PATH)
    return Lan if "IPv6" in named else OnlyIPv4


class OnlyIPv4(Lan):
    """A LAN for a test that does not say that it needs IPv6."""

    def __init__(self, laptops: int, *families: str) -> None:
        """Refuse `-6`."""
        assert "-6" not in families, 'this test is to be marked `needs("IPv6")`'
        super().__init__(laptops, *families)
