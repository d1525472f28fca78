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
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar, cast, get_args, overload

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
    OnWire,
    WireRow,
)

EventT = TypeVar("EventT", bound=Event)
MoveT = TypeVar("MoveT", bound=Move)
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")


# The overloads let mypy compare each codec with the type of the field that it is for.
@overload
def row(kind: Callable[[A], object], tag: str, a: Codec[A], /) -> WireRow[object]: ...
@overload
def row(
    kind: Callable[[A, B], object], tag: str, a: Codec[A], b: Codec[B], /
) -> WireRow[object]: ...
@overload
def row(
    kind: Callable[[A, B, C], object], tag: str, a: Codec[A], b: Codec[B], c: Codec[C], /
) -> WireRow[object]: ...
@overload
def row(
    kind: Callable[[A, B, C, D], object],
    tag: str,
    a: Codec[A],
    b: Codec[B],
    c: Codec[C],
    d: Codec[D],
    /,
) -> WireRow[object]: ...
def row(kind: object, tag: str, /, *codecs: Codec[object]) -> WireRow[object]:
    """Return the row of an engine class, with a codec for each of its fields in their order."""
    assert isinstance(kind, type)
    assert is_dataclass(kind)
    names = [field.name for field in fields(kind)]
    return WireRow(kind, dict(zip(names, codecs, strict=True)), tag)


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
_ROW_OF_KIND: Final[dict[type[object], WireRow[object]]] = {each.kind: each for each in _ROWS}
_ROW_OF_FORM: Final[dict[type[object], WireRow[object]]] = {each.form: each for each in _ROWS}

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
    return cast("OnWire[EventT]", _ROW_OF_KIND[type(event)].write(event))


def read_event(wire: OnWire[EventT]) -> EventT:
    """Return the engine event of a wire value. Raises `BadFrame` for invalid codes."""
    return cast("EventT", _ROW_OF_FORM[type(wire)].read(wire))


def write_move(move: MoveT) -> OnWire[MoveT]:
    """Return the wire value of a move."""
    return cast("OnWire[MoveT]", _ROW_OF_KIND[type(move)].write(move))


def read_move(wire: OnWire[MoveT]) -> MoveT:
    """Return the move of a wire value."""
    return cast("MoveT", _ROW_OF_FORM[type(wire)].read(wire))
