"""A step on its way from the room to the journal."""

from __future__ import annotations

from net.protocol.fields import Wire


class JournalStep(Wire, frozen=True, tag="step"):
    """The write of one step of the room. Numbers run 1, 2, 3 and so on, without a gap."""

    number: int
    payload: bytes
