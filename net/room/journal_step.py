"""A step on its way from the room to the journal."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class JournalStep:
    """The write of one step of the room. Numbers run 1, 2, 3 and so on, without a gap."""

    number: int
    payload: bytes
