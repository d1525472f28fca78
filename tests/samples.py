"""Samples for tests: a few of them in every run, some more in CI, and the others in `make soak`."""

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

import pytest

COLLECTED: Final = {"soak": True}
"""Whether a run collects what is marked so: thousands of tests that it leaves out take seconds."""

One = TypeVar("One")
Other = TypeVar("Other")


def first(count: int, values: Iterable[object], *, thorough: int = 0) -> list[object]:
    """Return values for `pytest.mark.parametrize`: the first `count` are tried in every run.

    Those after them are marked `thorough` up to this number of all, and then `soak`. A tuple is a
    value for each of several arguments.
    """
    return [
        pytest.param(
            *(value if isinstance(value, tuple) else (value,)),
            marks=()
            if number < count
            else pytest.mark.thorough
            if number < thorough
            else pytest.mark.soak,
        )
        for number, value in enumerate(values)
        if COLLECTED["soak"] or number < max(count, thorough)
    ]


def english_first(languages: Iterable[str]) -> list[object]:
    """Return languages for `pytest.mark.parametrize`: all but English are marked `thorough`."""
    return first(1, sorted(languages, key="en".__ne__), thorough=len([*languages]))


def pairs(these: Sequence[One], others: Sequence[Other]) -> list[tuple[One, Other]]:
    """Return every pair of two, first each of these once, with the others in turn."""
    return [
        (one, others[(number + shift) % len(others)])
        for shift in range(len(others))
        for number, one in enumerate(these)
    ]


def each_in_turn(these: Iterable[object], others: Iterable[object]) -> list[object]:
    """Return every pair for `pytest.mark.parametrize`, all but the first round `thorough`."""
    made = pairs([*these], [*others])
    return first(len({one for one, _ in made}), made, thorough=len(made))


def first_pairs(these: Sequence[object], others: Sequence[object]) -> list[object]:
    """Return every pair of two for `pytest.mark.parametrize`, all but the first round `soak`."""
    return first(len(these), pairs(these, others))
