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
class Keep:
    """A value that the host keeps under a key, in place of what was there."""

    key: str
    value: bytes


@dataclass(frozen=True, slots=True)
class Finish:
    """The table is closed for good, and will not be resumed."""


Write = Step | Keep | Finish
