"""What can be written into a journal, as values.

Knows the shapes only; what the bytes mean is the host's affair.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """One applied command. Numbers run 1, 2, 3 and so on, without a gap."""

    number: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The whole table right after a step (0: before the first), so that a resume starts there.

    A newer snapshot replaces the older; the steps before it stay.
    """

    number: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class Keep:
    """A value that the host keeps under a key, in place of what was there."""

    key: str
    value: bytes


@dataclass(frozen=True, slots=True)
class Finish:
    """The table is closed for good, and will not be resumed."""


Write = Step | Snapshot | Keep | Finish
