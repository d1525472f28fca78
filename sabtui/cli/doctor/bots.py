"""Check of the bots of other packages that are not offered."""

from __future__ import annotations

from collections.abc import Iterator

from engine.bots.installed import refused_bots
from sabtui.cli.doctor.finding import Finding, Severity


def bot_findings() -> Iterator[Finding]:
    """Yield a finding for each bot of another package that is not offered here, for its author."""
    for reason in refused_bots().values():
        yield Finding(Severity.WARNING, f"{reason}.")
