"""`sabtui doctor`: checks of this machine, one line per finding with advice.

    checks    runs all checks, and prints the findings
    finding   one line: severity, finding, advice
    firewall  firewalls that may block other players, and how to let them in
    network   interfaces, default route, multicast, free ports
    terminal  terminal size, colours and glyphs; Python and locale

Each check first collects facts and then words them, so that the wording can be tested without the
machine concerned. Nothing on the machine is changed.
"""

from sabtui.cli.doctor.checks import doctor

__all__ = [
    "doctor",
]
