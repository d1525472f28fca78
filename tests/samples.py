"""Samples for tests: a few of them in every run, and the others in `make soak`."""

from collections.abc import Iterable

import pytest


def first(count: int, values: Iterable[object]) -> list[object]:
    """Return values for `pytest.mark.parametrize`, all but the first so many marked `soak`.

    A tuple is a value for each of several arguments.
    """
    return [
        pytest.param(
            *(value if isinstance(value, tuple) else (value,)),
            marks=() if number < count else pytest.mark.soak,
        )
        for number, value in enumerate(values)
    ]
