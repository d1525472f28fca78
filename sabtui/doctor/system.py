"""The system: Python, Sabtui's version, and whether the locale has more than ASCII."""

from __future__ import annotations

import locale
import platform
import sys
from dataclasses import dataclass
from typing import Final

import sabtui
from sabtui.doctor.findings import Finding, Grade
from sabtui.words.tongue import _

OLDEST: Final = (3, 11)


@dataclass(frozen=True, slots=True)
class System:
    """What was found."""

    name: str
    python: tuple[int, ...]
    encoding: str
    output: str


def look_at_system() -> System:
    """Look at it."""
    return System(
        platform.system() or sys.platform,
        tuple(sys.version_info[:3]),
        locale.getpreferredencoding(do_setlocale=False),
        sys.stdout.encoding,
    )


def system_findings(seen: System) -> list[Finding]:
    """Say what was found."""
    python = ".".join(map(str, seen.python))
    told = _("Sabtui {version}, Python {python}, {system}.").format(
        version=sabtui.__version__, python=python, system=seen.name
    )
    first = Finding(Grade.FINE, told)
    if seen.python[:2] < OLDEST:
        first = Finding(Grade.STOP, told, _("Sabtui needs Python 3.11 or newer."))
    return [first, _encoding(seen)]


def _encoding(seen: System) -> Finding:
    if seen.encoding.lower().replace("-", "") == seen.output.lower().replace("-", "") == "utf8":
        return Finding(Grade.FINE, _("The locale is UTF-8."))
    told = _("The locale is {locale}, output {output}, not UTF-8.")
    told = told.format(locale=seen.encoding, output=seen.output)
    return Finding(Grade.NOTE, told, _("Names may show as ?; set LANG to a UTF-8 locale."))
