"""Samples for tests: a few in every run, some more at higher levels, the others in `make soak`."""

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

import pytest

LEVELS: Final = ("plain", "broad", "thorough", "soak")
"""How much a run does, more and more; CONTRIBUTING.md says which run is at which level."""

CHOSEN: Final = {"level": "soak"}
"""The level of this run, chosen by --level. What is beyond is best not even collected."""

One = TypeVar("One")
Other = TypeVar("Other")


def is_run(level: str) -> bool:
    """Tell whether this run does what is marked with a level."""
    return LEVELS.index(level) <= LEVELS.index(CHOSEN["level"])


def first(count: int, values: Iterable[object], *, thorough: int = 0) -> list[object]:
    """Return values for `pytest.mark.parametrize`: the first `count` are tried in every run.

    Those after them are `thorough` up to this number of all, and then `soak`. A tuple is a value
    for each of several arguments.
    """
    return [
        pytest.param(
            *(value if isinstance(value, tuple) else (value,)),
            marks=()
            if number < count
            else pytest.mark.level("thorough")
            if number < thorough
            else pytest.mark.level("soak"),
        )
        for number, value in enumerate(values)
        if is_run("soak") or number < max(count, thorough)
    ]


def english_first(languages: Iterable[str]) -> list[object]:
    """Return languages for `pytest.mark.parametrize`: all but English are `thorough`."""
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
    return first(len({index for index, _ in made}), made, thorough=len(made))


def first_pairs(these: Sequence[object], others: Sequence[object]) -> list[object]:
    """Return every pair of two for `pytest.mark.parametrize`, all but the first round `soak`."""
    return first(len(these), pairs(these, others))
