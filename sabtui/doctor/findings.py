"""One thing that was found: how grave it is, what it is, and what helps."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sabtui.words.cast import padded
from sabtui.words.tongue import pgettext


class Grade(StrEnum):
    """What a finding means for playing."""

    FINE = "fine"
    NOTE = "note"  # something will be less than it could be
    STOP = "stop"  # something cannot be played like this


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that was found. `advice` is empty where there is nothing to do."""

    grade: Grade
    told: str
    advice: str = ""

    @property
    def line(self) -> str:
        """All of it in one line."""
        grades = {
            Grade.FINE: pgettext("doctor", "fine"),
            Grade.NOTE: pgettext("doctor", "note"),
            Grade.STOP: pgettext("doctor", "STOP"),
        }
        line = f"{padded(grades[self.grade], 5)} {self.told} {self.advice}".rstrip()
        return "".join(letter if letter.isprintable() else "?" for letter in line)
