"""Events and moves on the wire: one row for each kind gives its tag and its fields.

From a row comes the type that msgspec checks, an array of the tag and the fields, and the way from
the engine's value to it and back. `engine.events` and `engine.moves` document the values, and who
may see each. Journals hold moves and events too, so a tag never changes its meaning. No field that
holds a secret changes its size with the secret (RULES K).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Final, Generic, TypeAlias, TypeVar, cast, get_args, overload

from msgspec import Struct, defstruct
from msgspec.structs import astuple

from engine import events, moves
from engine.events import Event, Played
from engine.moves import Move
from net.protocol.fields import (
    ALL_GOALS,
    CARD,
    CELL,
    COUNTS,
    GOAL,
    GOLD_BY_SEAT,
    HAND,
    KEPT_NUGGETS,
    NUGGETS,
    PATH,
    ROLE,
    ROLES,
    SEAT,
    SMALL,
    TOOL,
    Codec,
    Wire,
)

T_co = TypeVar("T_co", covariant=True)
EventT = TypeVar("EventT", bound=Event)
MoveT = TypeVar("MoveT", bound=Move)
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")


class OnWire(Wire, Generic[T_co], frozen=True):
    """Base of the wire types of all rows; `T_co` is the engine's type."""


class EventRow:
    """One kind of event or move: its engine class, its wire tag, and its wire type `form`."""

    def __init__(self, kind: type[object], tag: str, codecs: tuple[Codec[object], ...]) -> None:
        assert is_dataclass(kind)
        self.kind: type[object] = kind
        self.tag = tag
        self.codecs = codecs
        self._names = [field.name for field in fields(kind)]
        self.form = defstruct(
            kind.__name__,
            [(name, codec.form) for name, codec in zip(self._names, codecs, strict=True)],
            bases=(OnWire,),
            module=__name__,
            tag=tag,
        )
        self._writes = [(at, codec.write) for at, codec in enumerate(codecs) if codec.write]
        self._reads = [(at, codec.read) for at, codec in enumerate(codecs) if codec.read]

    def write(self, value: object) -> Struct:
        """Return the wire value of an event or a move."""
        parts = [getattr(value, name) for name in self._names]
        for at, write in self._writes:
            parts[at] = write(parts[at])
        return self.form(*parts)

    def read(self, wire: Struct) -> object:
        """Return the event or the move of a wire value. Raises `BadFrame` for invalid codes."""
        parts = list(astuple(wire))
        for at, read in self._reads:
            parts[at] = read(parts[at])
        return self.kind(*parts)


# The overloads let mypy compare each codec with the type of the field that it is for.
@overload
def row(kind: Callable[[A], object], tag: str, a: Codec[A], /) -> EventRow: ...
@overload
def row(kind: Callable[[A, B], object], tag: str, a: Codec[A], b: Codec[B], /) -> EventRow: ...
@overload
def row(
    kind: Callable[[A, B, C], object], tag: str, a: Codec[A], b: Codec[B], c: Codec[C], /
) -> EventRow: ...
@overload
def row(
    kind: Callable[[A, B, C, D], object],
    tag: str,
    a: Codec[A],
    b: Codec[B],
    c: Codec[C],
    d: Codec[D],
    /,
) -> EventRow: ...
def row(kind: object, tag: str, /, *codecs: Codec[object]) -> EventRow:
    """Return the row of an engine class, with a codec for each of its fields in their order."""
    assert isinstance(kind, type)
    return EventRow(kind, tag, codecs)


EVENT_ROWS: Final = (
    # Private events.
    row(events.DwarfDealt, "dwarf", SEAT, ROLE),
    row(events.HandDealt, "hand", SEAT, HAND),
    row(events.Dealt, "card", SEAT, CARD),
    row(events.DiscardedCard, "discarded", SEAT, CARD),
    row(events.GoalPeeked, "goal", SEAT, CELL, GOAL),
    row(events.GoldShown, "offer", SEAT, NUGGETS),
    row(events.GoldReceived, "gold", SEAT, NUGGETS),
    # Public events that show a move. Ten of them, as lost moves, fit the smallest frame, so their
    # tags are short.
    row(events.Laid, "laid", SEAT, PATH, CELL),
    row(events.Broke, "broke", SEAT, TOOL, SEAT),
    row(events.Repaired, "fixed", SEAT, CARD, SEAT, TOOL),
    row(events.Collapsed, "fell", SEAT, CELL, PATH),
    row(events.Looked, "looked", SEAT, CELL),
    row(events.Passed, "passed", SEAT),
    row(events.GoldTaken, "took", SEAT),
    # All other public events.
    row(events.RoundBegan, "round", SMALL, SEAT, COUNTS, SMALL),
    row(events.Revealed, "revealed", CELL, PATH),
    row(events.Skipped, "skipped", SEAT),
    row(events.Drew, "drew", SEAT),
    row(events.TurnBegan, "turn", SEAT),
    row(events.RoundEnded, "end", ROLE, ROLES, ROLE, ALL_GOALS),
    row(events.GoldDrawn, "divide", SMALL),
    row(events.ChoiceBegan, "choose", SEAT),
    row(events.SaboteursPaid, "paid", SMALL, COUNTS, COUNTS),
    row(events.GameEnded, "shown", GOLD_BY_SEAT),
)

MOVE_ROWS: Final = (
    row(moves.Lay, "lay", PATH, CELL),
    row(moves.Break, "break", TOOL, SEAT),
    row(moves.Repair, "repair", CARD, SEAT, TOOL),
    row(moves.Rockfall, "rockfall", CELL),
    row(moves.Map, "map", CELL),
    row(moves.Discard, "discard", CARD),
    row(moves.KeepGold, "keep", KEPT_NUGGETS),
)

_ROWS: Final = (*EVENT_ROWS, *MOVE_ROWS)
_WRITE: Final[dict[type[object], Callable[[object], Struct]]] = {
    each.kind: each.write for each in _ROWS
}
_READ: Final[dict[type[object], Callable[[Struct], object]]] = {
    each.form: each.read for each in _ROWS
}

if TYPE_CHECKING:
    EventWire: TypeAlias = OnWire[Event]
    PlayedWire: TypeAlias = OnWire[Played]
    RoundEndedWire: TypeAlias = OnWire[events.RoundEnded]
    MoveWire: TypeAlias = OnWire[Move]
else:  # the types that msgspec checks
    _FORMS = {each.kind: each.form for each in _ROWS}
    EventWire = reduce(or_, [each.form for each in EVENT_ROWS])
    PlayedWire = reduce(or_, [_FORMS[kind] for kind in get_args(Played)])
    RoundEndedWire = _FORMS[events.RoundEnded]
    MoveWire = reduce(or_, [each.form for each in MOVE_ROWS])


def write_event(event: EventT) -> OnWire[EventT]:
    """Return the wire value of an engine event."""
    return cast("OnWire[EventT]", _WRITE[type(event)](event))


def read_event(wire: OnWire[EventT]) -> EventT:
    """Return the engine event of a wire value. Raises `BadFrame` for invalid codes."""
    return cast("EventT", _READ[type(wire)](wire))


def write_move(move: MoveT) -> OnWire[MoveT]:
    """Return the wire value of a move."""
    return cast("OnWire[MoveT]", _WRITE[type(move)](move))


def read_move(wire: OnWire[MoveT]) -> MoveT:
    """Return the move of a wire value."""
    return cast("MoveT", _READ[type(wire)](wire))
