"""A step on its way from the room to the journal."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class JournalStep:
    """The write of one step of the room. Numbers run 1, 2, 3 and so on, without a gap.

    `rewritten` are new payloads for earlier steps, by number, written in the same transaction: at
    the end of a game its steps are no longer sealed.
    """

    number: int
    payload: bytes
    rewritten: tuple[tuple[int, bytes], ...] = ()
