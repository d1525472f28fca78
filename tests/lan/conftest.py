"""A LAN for tests where the system has what it needs, and a reason where it has not."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable

import pytest

from tests.lan.lan import Allowance, Lan
from tests.lan.losses import LOST_HOST, Measured, are_in_time, count_losses
from tests.lan.tools import FURTHER_TOOLS, path_without, why_not

Reason = Callable[[str], Awaitable[str | None]]
ToolPath = Callable[[frozenset[str]], str]

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


@pytest.fixture(scope="session")
def why_missing() -> Reason:
    """Ask `why_not` once for each need."""
    known: dict[str, str | None] = {}

    async def why_missing(need: str) -> str | None:
        if need not in known:
            known[need] = await why_not(need)
        return known[need]

    return why_missing


@pytest.fixture(scope="session")
def path_with(tmp_path_factory: pytest.TempPathFactory) -> ToolPath:
    """Make a PATH that has of `FURTHER_TOOLS` these alone, once for each set."""

    @functools.cache
    def path_with(tools: frozenset[str]) -> str:
        return path_without({*FURTHER_TOOLS} - tools, tmp_path_factory.mktemp("tools"))

    return path_with


@pytest.fixture
async def new_lan(
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    why_missing: Reason,
    path_with: ToolPath,
) -> type[Lan]:
    """Give what makes a LAN, with the tools that the test names; skip where one is missing."""
    named = [need for marker in request.node.iter_markers("needs") for need in marker.args]
    for need in ("unshare", *named):
        if reason := await why_missing(need):
            pytest.skip(reason)
    monkeypatch.setenv("PATH", path_with(frozenset(named)))
    return Lan if "IPv6" in named else OnlyIPv4


class OnlyIPv4(Lan):
    """A LAN for a test that does not say that it needs IPv6."""

    def __init__(self, laptops: int, *families: str) -> None:
        """Refuse `-6`."""
        assert "-6" not in families, 'this test is to be marked `needs("IPv6")`'
        super().__init__(laptops, *families)
