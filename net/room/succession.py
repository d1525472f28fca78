"""Terms: numbers of a table's hosts, of which the incarnations of the table begin with one each."""

from __future__ import annotations

from typing import Final

_TERM_BITS: Final = 16  # bits of an incarnation below the term that it begins with


def incarnation_in(term: int, opened: int) -> int:
    """Return the incarnation of a table that its host of this term has `opened` that many times."""
    return (term << _TERM_BITS) + opened


def term_of(incarnation: int) -> int:
    """Return the term that an incarnation belongs to."""
    return incarnation >> _TERM_BITS
