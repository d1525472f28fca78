"""A mapping that cannot be changed, for values that many parts share."""

from __future__ import annotations

from typing import NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")


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
