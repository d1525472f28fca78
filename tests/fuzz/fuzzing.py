"""Properties that are tried for a moment in every run and for long when asked to, and how to spoil.

A property takes one example, and raises nothing where all is well.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import count
from typing import Final, Protocol, TypeVar

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

Example = TypeVar("Example")
Edit = tuple[str, int, bytes]

AT_ONCE: Final = 500
"""Examples of one property in a long run before the next has its turn."""


THOROUGH_EXAMPLES: Final = 100
"""Examples of a property in a thorough run, as `tests/conftest.py` has it."""


class Try(Protocol):
    """Tries a property with this many examples, from a seed or from that of the run."""

    def __call__(self, number: int, stream: str = "") -> None:
        """Try it."""
        ...


@dataclass(frozen=True, slots=True)
class Property:
    """A property by its name."""

    name: str
    try_it: Try


PROPERTIES: Final[list[Property]] = []


def fuzz(
    examples: st.SearchStrategy[Example], *, so_many: int
) -> Callable[[Callable[[Example], None]], Callable[[], None]]:
    """Make a test of a property, with this many examples in CI, and half of them in `make test`."""

    def make_test(holds: Callable[[Example], None]) -> Callable[[], None]:
        def try_it(number: int, stream: str = "") -> None:
            @settings(
                max_examples=number,
                database=None,
                suppress_health_check=[HealthCheck.too_slow],  # this machine's neighbours may be
            )
            @given(examples)
            def try_example(example: Example) -> None:
                holds(example)

            (seed(stream)(try_example) if stream else try_example)()

        def test() -> None:
            try_it(so_many * settings().max_examples // THOROUGH_EXAMPLES)

        test.__name__ = test.__qualname__ = holds.__name__
        test.__doc__ = holds.__doc__
        test.__module__ = holds.__module__
        PROPERTIES.append(Property(holds.__name__, try_it))
        return test

    return make_test


def soak(seconds: float, properties: Iterable[Property], run: str) -> int:
    """Try properties in turn, with ever new examples, until the time is up; how often all were.

    `run` is the seed of it all.
    """
    until = time.monotonic() + seconds
    properties = tuple(properties)
    for rounds in count():
        for each in properties:
            if time.monotonic() >= until:
                return rounds
            each.try_it(AT_ONCE, f"{run} {rounds}")
    raise AssertionError("it counts for ever")


edits: Final = st.lists(
    st.tuples(
        st.sampled_from(["flip", "cut", "drop", "insert", "repeat", "swap"]),
        st.integers(0, 1 << 20),
        st.binary(min_size=1, max_size=8),
    ),
    min_size=1,
    max_size=4,
)


def spoilt(whole: bytes, how: list[Edit]) -> bytes:
    """Spoil bytes, here and there."""
    data = bytearray(whole)
    for what, where, with_what in how:
        at = where % (len(data) + 1)
        match what:
            case "flip":
                data[at : at + 1] = bytes(byte ^ with_what[0] for byte in data[at : at + 1])
            case "cut":
                del data[at:]
            case "drop":
                del data[at : at + len(with_what)]
            case "insert":
                data[at:at] = with_what
            case "repeat":
                data[at:at] = data[at : at + 8 * len(with_what)]
            case _:
                data[at:] = data[at + with_what[0] :] + data[at : at + with_what[0]]
    return bytes(data)


def spoiling(*wholes: bytes) -> st.SearchStrategy[bytes]:
    """Any of these, spoilt."""
    return st.builds(spoilt, st.sampled_from(wholes), edits)


def spoiling_text(*wholes: str) -> st.SearchStrategy[str]:
    """Any of these, spoilt, with letters out of place that such texts have, or strange ones."""
    letters = sorted({letter for whole in wholes for letter in whole}) + list("\0\x1b\u202e\ud800é")

    def apply(whole: str, how: list[tuple[str, int, str]]) -> str:
        text = whole
        for what, where, with_what in how:
            at = where % (len(text) + 1)
            match what:
                case "drop":
                    text = text[:at] + text[at + len(with_what) :]
                case "insert":
                    text = text[:at] + with_what + text[at:]
                case "replace":
                    text = text[:at] + with_what + text[at + len(with_what) :]
                case _:
                    text = text[:at] + text[at : at + 4 * len(with_what)] + text[at:]
        return text

    changes = st.tuples(
        st.sampled_from(["drop", "insert", "replace", "repeat"]),
        st.integers(0, 1 << 20),
        st.text(st.sampled_from(letters), min_size=1, max_size=5),
    )
    return st.builds(apply, st.sampled_from(wholes), st.lists(changes, min_size=1, max_size=4))
