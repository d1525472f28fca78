"""Mappings that cannot be changed, tuples with another item, and a memo."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")


class ReadOnly(dict[K, V]):
    """A dict that refuses every change, and so can be hashed and shared.

    A dict, because it is the fastest mapping to read; a `MappingProxyType` can neither be pickled
    for a worker process nor, before Python 3.12, be hashed.
    """

    __slots__ = ()

    def _refuse(self, *_args: object, **_kwargs: object) -> NoReturn:
        raise TypeError(f"this {type(self).__name__} mapping cannot be changed")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __hash__(self) -> int:  # type: ignore[override] # mypy - a dict has none
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[object, ...]:
        # The default pickling of a dict subclass sets items one by one, which `_refuse` forbids.
        return type(self), (dict(self),)

    def __copy__(self) -> ReadOnly[K, V]:
        return self

    def __deepcopy__(self, _memo: object) -> ReadOnly[K, V]:
        return self


def with_added(counts: tuple[int, ...], at: int, more: int) -> tuple[int, ...]:
    """Return these counts with `more` added to the one at index `at`."""
    now = list(counts)
    now[at] += more
    return tuple(now)


def with_item(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """Return these items with the one at index `at` replaced."""
    return (*items[:at], item, *items[at + 1 :])


_MAX_REMEMBERED: Final = 1 << 13


class Memo(dict[K, V]):
    """Results of a function by its one argument: `memo[key]` calls it if the key is new.

    For legal moves and play-outs, which read many of them: `lru_cache` takes three times as long.
    """

    def __init__(self, make: Callable[[K], V]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: K) -> V:
        if len(self) >= _MAX_REMEMBERED:  # a mine never has as many sites; a long evening may
            self.clear()
        value = self[key] = self._make(key)
        return value
