"""A finding of `sabtui doctor`: its severity, a sentence, and advice."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from net.protocol.text import sanitise
from sabtui.text.i18n import pgettext
from sabtui.text.names import pad_to


class Severity(StrEnum):
    """Severity of a finding."""

    OK = "fine"
    WARNING = "note"  # works, but with a drawback
    ERROR = "stop"  # prevents playing


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding; what is fine is a bare fact. `advice` is empty if there is nothing to do."""

    severity: Severity
    text: str
    advice: str = ""

    @property
    def line(self) -> str:
        """The finding as one printable line."""
        grades = {
            Severity.OK: pgettext("doctor", "fine"),
            Severity.WARNING: pgettext("doctor", "note"),
            Severity.ERROR: pgettext("doctor", "STOP"),
        }
        line = f"{pad_to(grades[self.severity], 5)} {self.text} {self.advice}".rstrip()
        return sanitise(line, "?")
