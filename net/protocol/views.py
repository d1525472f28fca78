"""A seat's view in a snapshot, in two halves: what everybody knows, and the seat's own knowledge.

The size of the seat's own half follows from public facts alone (RULES K).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

from msgspec import Meta

from engine.board import GOAL_CELLS, START, Board
from engine.edition import Edition
from engine.events import GoldEvent, RoundEnded
from engine.mistakes import NotationError
from engine.state import PLAYERS, Score, Table
from engine.view import View
from net.protocol.events import EventWire, RoundEndedWire, read_event, write_event
from net.protocol.fields import (
    COUNTS,
    GOAL,
    GOLD_BY_SEAT,
    HAND,
    LOOKS,
    NUGGETS,
    PATH,
    ROLE,
    ROLES,
    SEAT_OR_NOBODY,
    SMALL,
    Codec,
    Coordinate,
    EditionText,
    OnWire,
    Wire,
    WireRow,
    each,
    or_nobody,
    or_none,
    refuse,
    three,
)

Events: TypeAlias = Annotated[tuple[EventWire, ...], Meta(max_length=1000)]


def _read_edition(text: str) -> Edition:
    try:
        return Edition.read(text)
    except NotationError:
        refuse()


def _write_board(board: Board) -> tuple[tuple[int, int, int], ...]:
    """Return the cards by column, then row, without the start."""
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
    rename={"board": "cards"},
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
_OWN: Final = WireRow(  # but for the table, the score and the history
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


_write_score: Final = lru_cache(maxsize=8)(_SCORE.write)  # it stays the same for most of a round


def write_public(table: Table, score: Score) -> PublicWire:
    """Return the wire value of the half of a view that everybody knows."""
    return PublicWire(_TABLE.write(table), _write_score(score))


def write_own(view: View) -> OwnWire:
    """Return the wire value of the half of a view that only its seat knows."""
    return _OWN.write(view)


def read_view(public: PublicWire, own: OwnWire, history: Events) -> View:
    """Return the view of two halves and the seat's events of the round.

    Raises BadFrame: the halves do not fit each other, or hold codes that do not exist.
    """
    seat, *knowledge = _OWN.read_fields(own)
    table, score = _TABLE.read(public.table), _SCORE.read(public.score)
    view = View._make((seat, table, score, *knowledge, tuple(map(read_event, history))))
    _check_seats(view)
    return view


def _check_seats(view: View) -> None:
    """Refuse an impossible table: wrong seats or tools, or something for too many or too few."""
    table, score = view.table, view.score
    by_seat: list[Sequence[object]] = [table.broken, table.hands, table.buried, table.looks]
    by_seat += [score.cards, score.chits]
    if score.gold is not None:
        by_seat.append(score.gold)
    if table.end is not None:
        by_seat.append(table.end.roles)
    seats = table.turn, table.starter, table.last_path, table.last_card, score.chooser, view.seat
    players = len(table.hands)
    if players not in PLAYERS or any(len(each) != players for each in by_seat):
        refuse()
    if any(seat is not None and seat >= players for seat in seats) or max(table.broken) >= 1 << 3:
        refuse()
