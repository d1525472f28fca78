"""`sabtui doctor`: what of this machine a game depends on, a line each with what to do about it.

    findings  a line: how grave it is, what was found, what helps
    terminal  size, colours, glyphs
    system    Python, locale, names
    network   interfaces, a route, multicast, ports
    firewall  what may keep others out, and how to let them in

Each looks first and says later, so that what is said can be shown without the machine it is about.
"""

from sabtui.cli.doctor.checks import doctor

__all__ = [
    "doctor",
]
