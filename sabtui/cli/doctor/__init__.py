"""`sabtui doctor`: checks of this machine, one line for each that is not fine, with advice.

What is fine is one line of facts that people ask each other for: version, size, addresses.

    bots      bots of other packages that are not offered
    cards     how cards are drawn here, in words and in each way that works
    finding   one line: severity, finding, advice
    network   interfaces, multicast, free ports; firewalls that may block players
    terminal  terminal size, colours and glyphs; Python and locale

Each check first collects facts and then words them, so that the wording can be tested without the
machine concerned. Nothing on the machine is changed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TextIO

from sabtui.cli.doctor.bots import bot_findings
from sabtui.cli.doctor.cards import cards_finding, draw_cards
from sabtui.cli.doctor.finding import Finding, Severity
from sabtui.cli.doctor.network import (
    firewall_findings,
    look_at_firewall,
    look_at_network,
    network_findings,
)
from sabtui.cli.doctor.terminal import (
    TerminalFacts,
    look_at_system,
    look_at_terminal,
    system_findings,
    terminal_findings,
)
from sabtui.text.i18n import _


def doctor(out: TextIO) -> int:
    """Print the findings, a line each; return 1 if one of them prevents playing, else 0."""
    stops, facts, fine = 0, look_at_terminal(os.environ), list[str]()
    for finding in findings(facts):
        if finding.severity is Severity.OK:
            fine.append(finding.text)
        else:
            _print(finding, out)
        stops += finding.severity is Severity.ERROR
    _print(Finding(Severity.OK, "; ".join(fine)), out)
    if facts.terminal.no_screen is None:
        print(*draw_cards(facts.answers, os.environ), sep="\n", file=out)
    print(_("Something has to be fixed first.") if stops else _("You can play."), file=out)
    return 1 if stops else 0


def _print(finding: Finding, out: TextIO) -> None:
    line = finding.line
    if out.encoding:  # findings quote box drawing, which it may lack
        line = line.encode(out.encoding, "replace").decode(out.encoding)
    print(line, file=out, flush=True)


def findings(facts: TerminalFacts) -> Iterator[Finding]:
    """Yield each finding as soon as its check is done."""
    yield from system_findings(look_at_system())
    yield from terminal_findings(facts)
    if facts.terminal.no_screen is None:
        yield cards_finding(facts.answers, os.environ)
    yield from network_findings(look_at_network())
    yield from firewall_findings(look_at_firewall())
    yield from bot_findings()
