"""A seat's view in a snapshot, in two halves: what everybody knows, and the seat's own knowledge.

The size of the seat's own half follows from public facts alone (RULES K).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated, Final, TypeAlias

from msgspec import Meta

from engine.board import GOAL_CELLS, START, Board, Peeks
from engine.cards import Goal
from engine.deal import PLAYERS
from engine.edition import Edition
from engine.events import GoldEvent
from engine.state import Score, Table
from engine.view import View
from net.protocol.events import EventWire, RoundEndedWire, read_event, write_event
from net.protocol.fields import (
    NOBODY,
    CardCodes,
    Coordinate,
    Counts,
    EditionText,
    GoldBySeat,
    Nuggets,
    PathCode,
    Roles,
    SeatOrNobody,
    Small,
    Wire,
    cards_code,
    cards_of,
    goal_code,
    goal_of,
    gold_code,
    gold_of,
    looks_code,
    looks_of,
    nuggets_code,
    nuggets_of,
    path_of,
    role_code,
    role_of,
    roles_code,
    roles_of,
    seat_code,
    seat_of,
    wrong,
)

Events: TypeAlias = Annotated[tuple[EventWire, ...], Meta(max_length=1000)]
RoleOrNot: TypeAlias = Annotated[int, Meta(ge=NOBODY, le=1)]
GoalOrNot: TypeAlias = Annotated[int, Meta(ge=NOBODY, le=2)]
LyingAt: TypeAlias = tuple[Coordinate, Coordinate, PathCode]


class TableWire(Wire, frozen=True):
    """An `engine.state.Table`; `cards` are sorted by column, then row, without the start."""

    edition: EditionText
    cards: Annotated[tuple[LyingAt, ...], Meta(max_length=43)]
    broken: Counts
    hands: Counts
    pile: Small
    turn: SeatOrNobody
    discards: CardCodes
    buried: Counts
    looks: Counts
    starter: SeatOrNobody
    last_path: SeatOrNobody
    last_card: SeatOrNobody
    end: RoundEndedWire | None


class ScoreWire(Wire, frozen=True):
    """An `engine.state.Score`."""

    rounds: Small
    number: Small
    wins: Roles
    cards: Counts
    chits: Counts
    pile: Small
    offer: Small
    chooser: SeatOrNobody
    gold: GoldBySeat | None


class PublicWire(Wire, frozen=True):
    """The half of a view that everybody at the table knows."""

    table: TableWire
    score: ScoreWire


class OwnWire(Wire, frozen=True):
    """The half of a view that one seat or a watcher knows, without the history of the round."""

    seat: SeatOrNobody
    role: RoleOrNot
    hand: CardCodes
    peeks: tuple[GoalOrNot, GoalOrNot, GoalOrNot]
    buried: CardCodes
    gold: Nuggets
    offer: Nuggets
    ledger: Events


def write_public(table: Table, score: Score) -> PublicWire:
    """Return the wire value of the half of a view that everybody knows."""
    lying = sorted(
        [(x, y, path.index) for (x, y), path in table.board.cards.items() if (x, y) != START]
    )
    looks = tuple([looks_code(cells) for cells in table.looks])
    return PublicWire(
        TableWire(
            table.edition.text,
            tuple(lying),
            table.broken,
            table.hands,
            table.pile,
            seat_code(table.turn),
            cards_code(table.discards),
            table.buried,
            looks,
            seat_code(table.starter),
            seat_code(table.last_path),
            seat_code(table.last_card),
            None if table.end is None else write_event(table.end),
        ),
        _write_score(score),
    )


@lru_cache(maxsize=8)  # it stays the same for most of a round
def _write_score(score: Score) -> ScoreWire:
    return ScoreWire(
        score.rounds,
        score.number,
        roles_code(score.wins),
        score.cards,
        score.chits,
        score.pile,
        score.offer,
        seat_code(score.chooser),
        None if score.gold is None else gold_code(score.gold),
    )


def write_own(view: View) -> OwnWire:
    """Return the wire value of the half of a view that only its seat knows."""
    north, middle, south = (NOBODY if goal is None else goal_code(goal) for goal in view.peeks)
    return OwnWire(
        seat_code(view.seat),
        NOBODY if view.role is None else role_code(view.role),
        cards_code(view.hand),
        (north, middle, south),
        cards_code(view.buried),
        nuggets_code(view.gold),
        nuggets_code(view.offer),
        tuple([write_event(event) for event in view.ledger]),
    )


def read_view(public: PublicWire, own: OwnWire, history: Events) -> View:
    """Return the view of two halves and the seat's events of the round.

    Raises:
        BadFrame: the halves do not fit each other, or hold codes that do not exist.
    """
    _check_seats(public, own)
    return View(
        seat_of(own.seat),
        _read_table(public.table),
        _read_score(public.score),
        None if own.role == NOBODY else role_of(own.role),
        cards_of(own.hand),
        _read_peeks(own.peeks),
        cards_of(own.buried),
        nuggets_of(own.gold),
        nuggets_of(own.offer),
        tuple([_read_gold(event) for event in own.ledger]),
        tuple([read_event(event) for event in history]),
    )


def _check_seats(public: PublicWire, own: OwnWire) -> None:
    """Refuse a view of an impossible table: wrong seats, tools, looks, goals or gold."""
    table, score = public.table, public.score
    by_seat: list[Sequence[object]] = [table.broken, table.hands, table.buried, table.looks]
    by_seat += [score.cards, score.chits]
    if score.gold is not None:
        by_seat.append(score.gold)
    if table.end is not None:
        by_seat.append(read_event(table.end).roles)
    seats = table.turn, table.starter, table.last_path, table.last_card, score.chooser, own.seat
    players = len(table.hands)
    if players not in PLAYERS or any(len(each) != players for each in by_seat):
        wrong()
    if max(seats) >= players or max(table.broken) >= _SETS or max(table.looks) >= _SETS:
        wrong()


_SETS: Final = 1 << 3
"""Number of subsets of three things: the three tools, or the three goals."""


def _read_table(wire: TableWire) -> Table:
    up = {(x, y): path_of(code) for x, y, code in wire.cards}
    return Table(
        _read_edition(wire.edition),
        Board.of(up, tuple(cell for cell in GOAL_CELLS if cell not in up)),
        wire.broken,
        wire.hands,
        wire.pile,
        seat_of(wire.turn),
        cards_of(wire.discards),
        wire.buried,
        tuple(looks_of(cells) for cells in wire.looks),
        seat_of(wire.starter),
        seat_of(wire.last_path),
        seat_of(wire.last_card),
        None if wire.end is None else read_event(wire.end),
    )


def _read_score(wire: ScoreWire) -> Score:
    return Score(
        wire.rounds,
        wire.number,
        roles_of(wire.wins),
        wire.cards,
        wire.chits,
        wire.pile,
        wire.offer,
        seat_of(wire.chooser),
        None if wire.gold is None else gold_of(wire.gold),
    )


def _read_edition(text: str) -> Edition:
    try:
        return Edition.read(text)
    except KeyError:
        wrong()


def _read_peeks(wire: tuple[int, int, int]) -> Peeks:
    north, middle, south = map(_read_peek, wire)
    return north, middle, south


def _read_peek(code: int) -> Goal | None:
    return None if code == NOBODY else goal_of(code)


def _read_gold(wire: EventWire) -> GoldEvent:
    event = read_event(wire)
    return event if isinstance(event, GoldEvent) else wrong()
