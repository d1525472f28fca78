"""Events, moves and views on the wire: one row for each kind gives its tag and its fields.

A row provides the type that msgspec checks, an array of the tag and the fields, and the conversion
between it and the engine's value. `engine.events` and `engine.moves` document the values, and who
may see each. Journals hold moves and events too, so a tag never changes its meaning. No field that
holds a secret changes its size with the secret (RULES K).

A view has two halves: what everybody knows, and what only the seat knows. The size of the latter
follows only from public facts (RULES K).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from functools import reduce
from operator import attrgetter, or_
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias, TypeVar, cast

from msgspec import Meta

from engine import actions, events, moves
from engine.board import GOAL_CELLS, START, Board
from engine.edition import Edition
from engine.events import Event, GoldEvent, RoundEnded
from engine.mistakes import NotationError
from engine.moves import Move
from engine.state import PLAYERS, Score, Table
from engine.view import View
from net.protocol.fields import (
    ALL_GOALS,
    CARD,
    CELL,
    COUNTS,
    GOAL,
    GOLD_BY_SEAT,
    HAND,
    KEPT_NUGGETS,
    LOOKS,
    NUGGETS,
    PATH,
    ROLE,
    ROLES,
    SEAT,
    SEAT_OR_NOBODY,
    SMALL,
    TOOL,
    Codec,
    Coordinate,
    EditionText,
    OnWire,
    WireRow,
    each,
    or_nobody,
    or_none,
    refuse,
    three,
)
from net.protocol.framing import Wire

EventT = TypeVar("EventT", bound=Event)
MoveT = TypeVar("MoveT", bound=Move)


def make_row(kind: type[object], tag: str, *codecs: Codec[object]) -> WireRow[object]:
    """Return the row of an engine class, with a codec for each of its fields, in order."""
    assert is_dataclass(kind)
    names = [field.name for field in fields(kind)]
    return WireRow(kind, dict(zip(names, codecs, strict=True)), tag)


EVENT_ROWS: Final = (
    # Private events.
    make_row(events.DwarfDealt, "dwarf", SEAT, ROLE),
    make_row(events.HandDealt, "hand", SEAT, HAND),
    make_row(events.Dealt, "card", SEAT, CARD),
    make_row(events.DiscardedCard, "discarded", SEAT, CARD),
    make_row(events.GoalPeeked, "goal", SEAT, CELL, GOAL),
    make_row(events.GoldShown, "offer", SEAT, NUGGETS),
    make_row(events.GoldReceived, "gold", SEAT, NUGGETS),
    # Public events that show a move. Ten of them, sent again after a loss, fit the smallest frame:
    # their tags are short.
    make_row(events.Laid, "laid", SEAT, PATH, CELL),
    make_row(actions.Broke, "broke", SEAT, TOOL, SEAT),
    make_row(actions.Repaired, "fixed", SEAT, CARD, SEAT, TOOL),
    make_row(actions.Collapsed, "fell", SEAT, CELL, PATH),
    make_row(actions.Looked, "looked", SEAT, CELL),
    make_row(events.Passed, "passed", SEAT),
    make_row(events.GoldTaken, "took", SEAT),
    # All other public events.
    make_row(events.RoundBegan, "round", SMALL, SEAT, COUNTS, SMALL),
    make_row(events.Revealed, "revealed", CELL, PATH),
    make_row(events.Skipped, "skipped", SEAT),
    make_row(events.Drew, "drew", SEAT),
    make_row(events.TurnBegan, "turn", SEAT),
    make_row(events.RoundEnded, "end", ROLE, ROLES, ROLE, ALL_GOALS),
    make_row(events.GoldDrawn, "divide", SMALL),
    make_row(events.ChoiceBegan, "choose", SEAT),
    make_row(events.SaboteursPaid, "paid", SMALL, COUNTS, COUNTS),
    make_row(events.GameEnded, "shown", GOLD_BY_SEAT),
)

MOVE_ROWS: Final = (
    make_row(moves.Lay, "lay", PATH, CELL),
    make_row(actions.Break, "break", TOOL, SEAT),
    make_row(actions.Repair, "repair", CARD, SEAT, TOOL),
    make_row(actions.Rockfall, "rockfall", CELL),
    make_row(actions.Map, "map", CELL),
    make_row(moves.Discard, "discard", CARD),
    make_row(moves.KeepGold, "keep", KEPT_NUGGETS),
)

_ROWS: Final = (*EVENT_ROWS, *MOVE_ROWS)
_ROW_OF_KIND: Final[dict[type[object], WireRow[object]]] = {row.kind: row for row in _ROWS}
_ROW_OF_FORM: Final[dict[type[object], WireRow[object]]] = {row.form: row for row in _ROWS}

if TYPE_CHECKING:
    EventWire: TypeAlias = OnWire[Event]
    RoundEndedWire: TypeAlias = OnWire[events.RoundEnded]
    MoveWire: TypeAlias = OnWire[Move]
else:  # the types that msgspec checks
    EventWire = reduce(or_, [row.form for row in EVENT_ROWS])
    RoundEndedWire = _ROW_OF_KIND[events.RoundEnded].form
    MoveWire = reduce(or_, [row.form for row in MOVE_ROWS])


def write_event(event: EventT) -> OnWire[EventT]:
    return cast("OnWire[EventT]", _ROW_OF_KIND[type(event)].write(event))


def read_event(wire: OnWire[EventT]) -> EventT:
    return cast("EventT", _ROW_OF_FORM[type(wire)].read(wire))


def write_move(move: MoveT) -> OnWire[MoveT]:
    return cast("OnWire[MoveT]", _ROW_OF_KIND[type(move)].write(move))


def read_move(wire: OnWire[MoveT]) -> MoveT:
    return cast("MoveT", _ROW_OF_FORM[type(wire)].read(wire))


MAX_ROUND_EVENTS: Final = 1000  # more than the longest round of ten people has
Events: TypeAlias = Annotated[tuple[EventWire, ...], Meta(max_length=MAX_ROUND_EVENTS)]


def _read_edition(text: str) -> Edition:
    try:
        return Edition.read(text)
    except NotationError:
        refuse()


def _write_board(board: Board) -> tuple[tuple[int, int, int], ...]:
    cards = board.cards.items()
    return tuple(sorted([(*cell, path.index) for cell, path in cards if cell != START]))


def _read_board(lying: tuple[tuple[int, int, int], ...]) -> Board:
    up = {(x, y): PATH.read(code) for x, y, code in lying}
    return Board.of(up, tuple(cell for cell in GOAL_CELLS if cell not in up))


def _read_gold(wire: EventWire) -> GoldEvent:
    event = read_event(wire)
    return event if isinstance(event, GoldEvent) else refuse()


_LYING: Final = Annotated[
    tuple[tuple[Coordinate, Coordinate, PATH.form], ...],  # type: ignore[name-defined]  # - the form is a value
    Meta(max_length=43),
]
EDITION: Final = Codec(EditionText, attrgetter("text"), _read_edition)
_BOARD: Final = Codec(_LYING, _write_board, _read_board)
_ROUND_ENDED: Final = Codec[RoundEnded](RoundEndedWire, write_event, read_event)
GOLD_EVENT: Final = Codec[GoldEvent](EventWire, write_event, _read_gold)
_TABLE: Final = WireRow(
    Table,
    {
        "edition": EDITION,
        "board": _BOARD,
        "broken": COUNTS,
        "hands": COUNTS,
        "pile": SMALL,
        "turn": SEAT_OR_NOBODY,
        "discards": HAND,
        "buried": COUNTS,
        "looks": LOOKS,
        "starter": SEAT_OR_NOBODY,
        "last_path": SEAT_OR_NOBODY,
        "last_card": SEAT_OR_NOBODY,
        "end": or_none(_ROUND_ENDED),
    },
)
_SCORE: Final = WireRow(
    Score,
    {
        "rounds": SMALL,
        "number": SMALL,
        "wins": ROLES,
        "cards": COUNTS,
        "chits": COUNTS,
        "pile": SMALL,
        "offer": SMALL,
        "chooser": SEAT_OR_NOBODY,
        "gold": or_none(GOLD_BY_SEAT),
    },
)
_OWN: Final = WireRow(  # all except the table, the score and the history
    View,
    {
        "seat": SEAT_OR_NOBODY,
        "role": or_nobody(ROLE),
        "hand": HAND,
        "peeks": three(or_nobody(GOAL)),
        "buried": HAND,
        "gold": NUGGETS,
        "offer": NUGGETS,
        "ledger": each(GOLD_EVENT, 1000),
    },
)
if TYPE_CHECKING:
    TableWire: TypeAlias = OnWire[Table]
    ScoreWire: TypeAlias = OnWire[Score]
    OwnWire: TypeAlias = OnWire[View]
else:  # the types that msgspec checks
    TableWire, ScoreWire, OwnWire = _TABLE.form, _SCORE.form, _OWN.form


class PublicWire(Wire, frozen=True):
    """The half of a view that everybody at the table knows."""

    table: TableWire
    score: ScoreWire


def write_public(table: Table, score: Score) -> PublicWire:
    return PublicWire(_TABLE.write(table), _SCORE.write(score))


def write_own(view: View) -> OwnWire:
    return _OWN.write(view)


def read_view(public: PublicWire, own: OwnWire, history: Events) -> View:
    """Return the view of two halves and a round's events. Raises BadFrame: they do not fit."""
    seat, *knowledge = _OWN.read_fields(own)
    table, score = _TABLE.read(public.table), _SCORE.read(public.score)
    view = View._make((seat, table, score, *knowledge, tuple(map(read_event, history))))
    check_seats(view)
    return view


def check_seats(view: View) -> None:
    """Raise BadFrame for a table with impossible seats, tools or numbers of cards."""
    table, score = view.table, view.score
    by_seat: list[Sequence[object]] = [table.broken, table.hands, table.buried, table.looks]
    by_seat += [score.cards, score.chits]
    if score.gold is not None:
        by_seat.append(score.gold)
    if table.end is not None:
        by_seat.append(table.end.roles)
    seats = table.turn, table.starter, table.last_path, table.last_card, score.chooser, view.seat
    players = len(table.hands)
    if players not in PLAYERS or any(len(values) != players for values in by_seat):
        refuse()
    if any(seat is not None and seat >= players for seat in seats) or max(table.broken) >= 1 << 3:
        refuse()
