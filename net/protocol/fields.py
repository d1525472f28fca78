"""Fields of all messages: bounded types, and codecs between the engine's values and the wire.

A `Codec` writes and reads one field; combinators make it from smaller ones. A `WireRow` does the
same for a whole value, an array of its fields.

All secrets of a kind have one size: a card, a dwarf, a goal or a gold card is one byte whatever its
value. The length of a message therefore shows only how many there are, which is public (RULES K).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import repeat
from typing import (
    Annotated,
    Final,
    Generic,
    NoReturn,
    TypeAlias,
    TypeVar,
    Union,
    cast,
    get_args,
    get_type_hints,
)

import msgspec
from msgspec import Meta, defstruct
from msgspec.structs import astuple

from engine.board import GOAL_CELLS, Cell
from engine.cards import CARDS, GOALS, PATHS, Role, Tool
from net.protocol.cleaning import is_clean_name
from net.protocol.framing import BadFrame, Count, Wire

MAX_SEATS: Final = 10
NOBODY: Final = -1
"""A seat, a role or a goal that is absent or unknown; on the wire it takes one byte, as a known one
does."""

SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, le=MAX_SEATS - 1)]
SeatOrNobody: TypeAlias = Annotated[int, Meta(ge=NOBODY, le=MAX_SEATS - 1)]
Coordinate: TypeAlias = Annotated[int, Meta(ge=-99, le=99)]
"""A column or a row. 40 tunnels reach at most 50 cells from the start and the goals."""

Small: TypeAlias = Annotated[int, Meta(ge=0, le=127)]
"""A count of cards, nuggets or rounds, in one byte."""

EditionText: TypeAlias = Annotated[str, Meta(max_length=100, extra={"is_clean": str.isprintable})]

PlayerName: TypeAlias = Annotated[str, Meta(max_length=56, extra={"is_clean": is_clean_name})]
"""A name, as `net.protocol.cleaning.clean_name` leaves it."""

Incarnation: TypeAlias = Annotated[int, Meta(ge=0, le=2**47 - 1)]
"""Number of times that the host's program has opened this table, from 1; 0 is never."""

StepNumber: TypeAlias = Count  # number of a step, from 1; 0 is the state before the first step

RUNNING_HASH_BYTES: Final = 16
RunningHash: TypeAlias = Annotated[
    bytes, Meta(min_length=RUNNING_HASH_BYTES, max_length=RUNNING_HASH_BYTES)
]
"""Hash of all that was public up to a step (`net.protocol.messages`)."""

GameId: TypeAlias = Annotated[bytes, Meta(max_length=RUNNING_HASH_BYTES)]
"""The running hash of the step that began a game, empty without a game. Nobody can choose it, and
the shares that people put into its first deal are in it."""

KEY_BYTES: Final = 32  # bytes of a person's public seat key
NO_KEY: Final = bytes(KEY_BYTES)  # a key that is nobody's
SeatKeyBytes: TypeAlias = Annotated[bytes, Meta(min_length=KEY_BYTES, max_length=KEY_BYTES)]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
CodeT = TypeVar("CodeT")


class OnWire(Wire, Generic[T_co], frozen=True):
    """Base of the wire types of all rows; `T_co` is the engine's type."""


@cache
def _checks(kind: type[msgspec.Struct]) -> tuple[tuple[str, Callable[[str], bool] | None], ...]:
    """Return each field of a struct: its name, and its `is_clean`, if the field has text."""

    def find(form: object) -> Callable[[str], bool] | None:
        if isinstance(form, Meta):
            return (form.extra or {}).get("is_clean")
        return next(filter(None, map(find, get_args(form))), None)

    hints = get_type_hints(kind, include_extras=True)
    return tuple((name, find(hints[name])) for name in kind.__struct_fields__)


def has_clean_text(value: object, is_clean: Callable[[str], bool] | None = None) -> bool:
    """Return True if all text in another side's message, or a part of one, may be shown.

    The type of each field of text says what `is_clean` there: `Meta(extra={"is_clean": ...})`.
    """
    match value:
        case str():
            return is_clean is None or is_clean(value)
        case tuple():
            return all(has_clean_text(part, is_clean) for part in value)
        case msgspec.Struct():
            checks = _checks(type(value))
            return all(has_clean_text(getattr(value, name), check) for name, check in checks)
        case _:
            return True


def refuse() -> NoReturn:
    """Raise `BadFrame` for a value that no honest side sends."""
    raise BadFrame("message")


def _return_unchanged(value: T) -> T:
    return value


class Codec(Generic[T_co]):
    """A field of type `T_co` on the wire: its bounded type `form`, and how to write and read it."""

    def __init__(
        self,
        form: object,
        write: Callable[[T_co], CodeT] | None = None,
        read: Callable[[CodeT], T_co] | None = None,
    ) -> None:
        self.form = form
        self.write = cast("Callable[[object], object]", write or _return_unchanged)
        self.read = cast("Callable[[object], T_co]", read or _return_unchanged)

    @property
    def bounds(self) -> tuple[int, int]:
        """The minimum and the maximum code of a field that is a bounded number."""
        _, meta = get_args(self.form)
        return meta.ge, meta.le


def one_of(values: Iterable[T]) -> Codec[T]:
    """Return a codec for one of these values, which is written as its index."""
    values = tuple(values)
    places = {value: at for at, value in enumerate(values)}
    form = Annotated[int, Meta(ge=0, le=len(values) - 1)]
    return Codec(form, places.__getitem__, values.__getitem__)


def or_nobody(item: Codec[T]) -> Codec[T | None]:
    """Return a codec for a value or None, which is written as `NOBODY`."""
    return Codec(
        Annotated[int, Meta(ge=NOBODY, le=item.bounds[1])],
        lambda value: NOBODY if value is None else item.write(value),
        lambda code: None if code == NOBODY else item.read(code),
    )


def or_none(item: Codec[T]) -> Codec[T | None]:
    return Codec(
        Union[item.form, None],  # noqa: UP007 - the form is a value
        lambda value: None if value is None else item.write(value),
        lambda code: None if code is None else item.read(code),
    )


def seat_code(seat: int | None) -> int:
    return NOBODY if seat is None else seat


def in_bytes(item: Codec[T], most: int) -> Codec[tuple[T, ...]]:
    """Return a codec for at most this many values, one byte each; `BadFrame` for unknown codes."""
    low, high = item.bounds

    def read(code: bytes) -> tuple[T, ...]:
        if code and not low <= min(code) <= max(code) <= high:
            refuse()
        return tuple(map(item.read, code))

    write = cast("Callable[[T], int]", item.write)
    form = Annotated[bytes, Meta(max_length=most)]
    return Codec(form, lambda values: bytes(map(write, values)), read)


def each(item: Codec[T], most: int = MAX_SEATS) -> Codec[tuple[T, ...]]:
    form = Annotated[
        tuple[item.form, ...],  # type: ignore[name-defined]  # - the form is a value
        Meta(max_length=most),
    ]
    return Codec(
        form,
        lambda values: tuple(map(item.write, values)),
        lambda codes: tuple(map(item.read, codes)),
    )


def three(item: Codec[T]) -> Codec[tuple[T, T, T]]:
    def read(codes: tuple[object, object, object]) -> tuple[T, T, T]:
        north, middle, south = map(item.read, codes)
        return north, middle, south

    form = tuple.__class_getitem__((item.form,) * 3)
    return Codec(form, lambda values: tuple(map(item.write, values)), read)


SEAT: Final = Codec[int](SeatNumber)
SEAT_OR_NOBODY: Final = or_nobody(SEAT)
SMALL: Final = Codec[int](Small)
COUNTS: Final = Codec[tuple[int, ...]](each(SMALL).form)  # unchanged on the wire
CELL: Final = Codec[Cell](tuple[Coordinate, Coordinate])
CARD: Final = one_of(CARDS)
HAND: Final = in_bytes(CARD, 67)
PATH: Final = one_of(PATHS)
TOOL: Final = one_of(Tool)
ROLE: Final = one_of((Role.MINER, Role.SABOTEUR))
ROLES: Final = in_bytes(ROLE, MAX_SEATS)
GOAL: Final = one_of(GOALS)
ALL_GOALS: Final = three(GOAL)
# A set of goals is the sum of 1, 2 and 4 for those in it.
LOOKS: Final = each(
    one_of(
        frozenset(cell for at, cell in enumerate(GOAL_CELLS) if sum_ >> at & 1) for sum_ in range(8)
    )
)
KEPT_NUGGETS: Final = Codec[int](Annotated[int, Meta(ge=1, le=3)])
NUGGETS: Final = in_bytes(KEPT_NUGGETS, 28)
GOLD_BY_SEAT: Final = each(NUGGETS)


class WireRow(Generic[T]):
    """One kind of value on the wire: its fields with their codecs, and its wire type `form`.

    Where kinds differ, `tag` leads the array.
    """

    def __init__(
        self, kind: type[T], codecs: Mapping[str, Codec[object]], tag: str | None = None
    ) -> None:
        self.kind = kind
        self.tag = tag
        self.codecs = tuple(codecs.values())
        self._names = tuple(codecs)
        form = defstruct(
            f"{kind.__name__}Wire",
            [(name, codec.form) for name, codec in codecs.items()],
            bases=(OnWire,),
            module=__name__,
            tag=tag,
        )
        self.form = cast("type[OnWire[T]]", form)
        changing = [
            (at, codec)
            for at, codec in enumerate(self.codecs)
            if codec.write is not _return_unchanged
        ]
        self._writes = [(at, codec.write) for at, codec in changing]
        self._reads = [(at, codec.read) for at, codec in changing]

    def write(self, value: T) -> OnWire[T]:
        parts: list[object] = list(map(getattr, repeat(value), self._names))
        for at, write in self._writes:
            parts[at] = write(parts[at])
        return self.form(*parts)

    def read_fields(self, wire: OnWire[T]) -> list[object]:
        """Return the fields of a wire value. Raises `BadFrame` for invalid codes."""
        parts: list[object] = list(astuple(wire))
        for at, read in self._reads:
            parts[at] = read(parts[at])
        return parts

    def read(self, wire: OnWire[T]) -> T:
        """Return the value of a wire value. Raises `BadFrame` for invalid codes."""
        return self.kind(*self.read_fields(wire))
