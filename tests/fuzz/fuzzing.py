"""Properties that are tried for a moment in every run and for long when asked to, and how to spoil.

A property takes one example, and raises nothing where all is well.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import AnyStr, Final, TypeVar

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

Example = TypeVar("Example")
Edit = tuple[str, int, AnyStr]
"""How a text or bytes are changed, where, and by what or by how much."""


THOROUGH_EXAMPLES: Final = 100
"""Examples of a property in a thorough run, as `tests/conftest.py` has it."""

PROPERTIES: Final[dict[str, Callable[[int, str], None]]] = {}
"""By its name, what tries a property with this many examples, from a seed or from the run's."""


def fuzz(
    examples: st.SearchStrategy[Example], *, so_many: int
) -> Callable[[Callable[[Example], None]], Callable[[], None]]:
    """Make a test of a property, with this many examples in CI, and half of them in `make test`."""

    def make_test(holds: Callable[[Example], None]) -> Callable[[], None]:
        def try_it(number: int, stream: str) -> None:
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
            try_it(so_many * settings().max_examples // THOROUGH_EXAMPLES, "")

        test.__name__ = test.__qualname__ = holds.__name__
        test.__module__ = holds.__module__
        PROPERTIES[holds.__name__] = try_it
        return test

    return make_test


def edits(others: st.SearchStrategy[AnyStr]) -> st.SearchStrategy[list[Edit[AnyStr]]]:
    """One to four changes, with pieces of these."""
    ways = st.sampled_from(["cut", "drop", "insert", "replace", "repeat", "swap"])
    return st.lists(st.tuples(ways, st.integers(0, 1 << 20), others), min_size=1, max_size=4)


PIECES: Final = st.binary(min_size=1, max_size=8)


def spoilt(whole: AnyStr, how: list[Edit[AnyStr]]) -> AnyStr:
    """Spoil a text or bytes, here and there."""
    for what, where, other in how:
        at = where % (len(whole) + 1)
        head, tail, size = whole[:at], whole[at:], len(other)
        match what:
            case "cut":
                tail = whole[:0]
            case "drop":
                tail = tail[size:]
            case "insert":
                tail = other + tail
            case "replace":
                tail = other + tail[size:]
            case "repeat":
                tail = tail[: 8 * size] + tail
            case _:
                tail = tail[size:] + tail[:size]
        whole = head + tail
    return whole


def spoiling(*wholes: bytes) -> st.SearchStrategy[bytes]:
    """Any of these, spoilt."""
    return st.builds(spoilt, st.sampled_from(wholes), edits(PIECES))


def spoiling_text(*wholes: str) -> st.SearchStrategy[str]:
    """Any of these, spoilt, with letters out of place that such texts have, or strange ones."""
    letters = st.sampled_from(sorted({*"".join(wholes)}) + list("\0\x1b\u202e\ud800é"))
    pieces = st.text(letters, min_size=1, max_size=5)
    return st.builds(spoilt, st.sampled_from(wholes), edits(pieces))
