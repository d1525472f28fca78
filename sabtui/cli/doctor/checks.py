"""All that the doctor looks at, one after the other."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TextIO

from sabtui.cli.doctor.finding import Finding, Severity
from sabtui.cli.doctor.firewall import firewall_finding, look_at_firewall
from sabtui.cli.doctor.network import look_at_network, network_findings
from sabtui.cli.doctor.terminal import (
    look_at_system,
    look_at_terminal,
    system_findings,
    terminal_findings,
)
from sabtui.text.i18n import _


def doctor(out: TextIO) -> int:
    """Look at all of it, a line each; return 0, or 1 where something will stop play."""
    stops = 0
    for finding in findings():
        line = finding.line
        if out.encoding:  # a terminal without box drawing is told of it all the same
            line = line.encode(out.encoding, "replace").decode(out.encoding)
        print(line, file=out, flush=True)
        stops += finding.severity is Severity.ERROR
    print(_("Something has to be mended first.") if stops else _("You can play."), file=out)
    return 1 if stops else 0


def findings() -> Iterator[Finding]:
    """What is found, as soon as it is."""
    yield from system_findings(look_at_system())
    yield from terminal_findings(look_at_terminal(os.environ))
    yield from network_findings(look_at_network())
    yield firewall_finding(look_at_firewall())
