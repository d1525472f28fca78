"""One round with all its secrets, and the step that plays it (RULES T to R).

A `Round` is an immutable value and `apply` a pure function of it. It knows nothing about gold and
other rounds, which `engine.game` handles, nor about what each seat may see, which `engine.view`
does.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from operator import attrgetter
from typing import Final, NamedTuple

from engine import legality
from engine.actions import Map
from engine.board import GOAL_CELLS, NO_PEEKS, Board, Cell, Peeks
from engine.cards import CARDS, Card, Goal, Path, Role, with_card
from engine.edition import DeadTable
from engine.events import (
    Dealt,
    DiscardedCard,
    Drew,
    Event,
    GoalPeeked,
    Public,
    Revealed,
    RoundEnded,
    Skipped,
    TurnBegan,
    public_event,
)
from engine.legality import Hand
from engine.moves import DealAwaited, Discard, IllegalMove, Lay, Play
from engine.readonly import with_added
from engine.state import MAX_PLAYERS, Table, check_seat

# These events recur all the time and have few values, so each is made once: by seat, then by card.
_SEATS: Final = range(MAX_PLAYERS)
_BURIED: Final = [{card: DiscardedCard(seat, card) for card in CARDS} for seat in _SEATS]
_DEALT: Final = [{card: Dealt(seat, card) for card in CARDS} for seat in _SEATS]
_DREW: Final = [Drew(seat) for seat in _SEATS]
_TURN_BEGAN: Final = [TurnBegan(seat) for seat in _SEATS]

_INDEX: Final = attrgetter("index")
_PLAYED_OUT: Final = DeadTable.PLAYED_OUT


class Round(NamedTuple):
    """The public `table` of a round, and its secrets."""

    table: Table
    roles: tuple[Role, ...]
    """The dwarf of each seat."""
    spare: Role
    """The dwarf left over."""
    goals: tuple[Goal, Goal, Goal]
    """The goals from north to south."""
    hands: tuple[Hand, ...]
    """The cards of each seat, in the order of the rules."""
    pile: tuple[Card, ...]
    """The draw pile, its next card first."""
    buried: tuple[tuple[Card, ...], ...]
    """The cards that each seat discarded face down, oldest first."""

    def __str__(self) -> str:
        return self.table.text(self.goals, dict(enumerate(self.roles)), dict(enumerate(self.hands)))

    def __repr__(self) -> str:
        return f"<Round at {self.table!r}>"

    def legal_moves(self) -> tuple[Play, ...]:
        """Return all moves of the seat to play; none if it is no seat's turn."""
        seat = self.table.turn
        return () if seat is None else legality.list_moves(self.table, seat, self.hands[seat])

    def apply(self, move: Play) -> tuple[Round, tuple[Event, ...]]:
        """Return the round after the seat to play has made a move, and the events.

        Raises `IllegalMove`, and `TypeError` unless the move is a `Play`: a choice of gold takes no
        turn.
        """
        table, roles, spare, goals, held, pile, buried = self
        seat = table.turn
        if seat is None:
            raise IllegalMove(move, DealAwaited())
        hand = held[seat]
        reason = legality.why_not(table, seat, hand, move)
        if reason is not None:
            raise IllegalMove(move, reason)
        card = move.card
        left, hands = [*hand], [*held]
        left.remove(card)
        public = public_event(seat, move, table.board)
        events: tuple[Event, ...] = (public,)
        opening: Cell | None = None
        if isinstance(move, Discard):
            by_seat = [*buried]
            by_seat[seat] += (card,)
            buried = tuple(by_seat)
            events = public, _BURIED[seat][card]
        elif isinstance(move, Lay):
            if table.board.may_open_goals(move.cell, move.path):
                opening = move.cell
        elif isinstance(move, Map):
            events = public, GoalPeeked(seat, move.cell, self._goal_on(move.cell))
        following = (seat + table.edition.step) % len(hands)
        # A card is played and one is drawn: hands get smaller only once the pile is empty (T2, T3).
        counts = table.hands if pile else with_added(table.hands, seat, -1)
        rest = pile[1:]
        after = table.after_turn(public, counts, len(rest), following)
        # The usual turn, for which one change of the table is enough: no goal is reached, the round
        # goes on for certain, and the next seat has cards. `_end_turn` knows all other cases.
        goes_on = rest or table.edition.dead_table is _PLAYED_OUT
        reaches = opening is not None and after.board.opened_goals()
        if goes_on and held[following] and not reaches:
            if pile:
                drawn = pile[0]
                insort(left, drawn, key=_INDEX)
                events += _DREW[seat], _DEALT[seat][drawn]
            hands[seat] = tuple(left)
            events += (_TURN_BEGAN[following],)
        else:
            hands[seat] = tuple(left)
            after, rest, happened = table.after(public), pile, [*events]
            if opening is not None:
                after, reveals = self._reveal(after, opening)
                happened += reveals
            if after.end is None:
                after, rest = self._end_turn(after, seat, hands, happened)
            events = tuple(happened)
        # Not `Round(...)`, for the reason in `Table.after_turn`.
        fields = after, roles, spare, goals, tuple(hands), rest, buried
        return tuple.__new__(Round, fields), events

    def seen_by(self, seat: int) -> Peeks:
        """Return the goals that a seat saw by its own maps (A5). Raises `ValueError`."""
        check_seat(seat, len(self.hands))
        looks = self.table.looks[seat]
        if not looks:
            return NO_PEEKS
        north, middle, south = (
            goal if cell in looks else None
            for cell, goal in zip(GOAL_CELLS, self.goals, strict=True)
        )
        return north, middle, south

    def _goal_on(self, cell: Cell) -> Goal:
        return self.goals[GOAL_CELLS.index(cell)]

    def _reveal(self, table: Table, last: Cell) -> tuple[Table, list[Public]]:
        """Turn up goals until no more is reached or the treasure ends the round (G1 to G3).

        `last` is the cell of the card just laid. Returns the table afterwards and the events.
        """
        events: list[Public] = []
        # A stone that was turned up is a through card, and may reach the next goal (G3).
        while opened := table.board.opened_goals():
            # All are turned by what lay there before any of them (G3), and all lie face up even
            # if one is the treasure (G2).
            reveals: list[Public] = [
                Revealed(cell, orient_goal(self._goal_on(cell), cell, table.board, last))
                for cell in opened
            ]
            if any(self._goal_on(cell) is Goal.TREASURE for cell in opened):
                reveals.append(self._end_round(Role.MINER))
            table = table.after(*reveals)
            events += reveals
            if table.end is not None:
                break
        return table, events

    def _end_turn(
        self, table: Table, seat: int, hands: list[Hand], events: list[Event]
    ) -> tuple[Table, Hand]:
        """Draw a card, then pass the turn to the next seat with cards or end the round (T2 to T4).

        `hands` gets the card drawn, and `events` the events. Returns the table and the pile
        afterwards.
        """
        pile = self.pile
        while True:
            if pile:
                drew = _DREW[seat]
                events += (drew, _DEALT[seat][pile[0]])
                table = table.after(drew)
                hands[seat] = with_card(hands[seat], pile[0])
                pile = pile[1:]
            last: Public
            if not pile and is_over(table, hands):
                last = self._end_round(Role.SABOTEUR)
                break
            seat = (seat + table.edition.step) % len(hands)
            if hands[seat]:
                last = _TURN_BEGAN[seat]
                break
            # Then this seat draws, if it can. In a dealt game the pile is empty by now; a position
            # read from text may have a pile and an empty hand.
            events.append(Skipped(seat))
        events.append(last)
        return table.after(last), pile

    def _end_round(self, winner: Role) -> RoundEnded:
        """Return the event that ends the round and discloses its roles and goals (R4)."""
        return RoundEnded(winner, self.roles, self.spare, self.goals)


def is_over(table: Table, hands: Sequence[Hand]) -> bool:
    """Return True if the saboteurs have won, given that the draw pile is empty (R2, R3)."""
    if table.edition.dead_table is _PLAYED_OUT:
        return not any(hands)
    # As if it were the turn of each: whoever has a broken tool may hold a repair (R3).
    return not any(legality.can_play(table, seat, hand) for seat, hand in enumerate(hands))


def orient_goal(goal: Goal, cell: Cell, board: Board, last: Cell) -> Path:
    """Return how a goal revealed on `cell` lies, after a card laid on `last` (G3).

    `board` is the board before any goal revealed together with this one. Among equally good ways
    `max` takes the first, which is the upright one.
    """
    # The card just laid decides. A tunnel laid elsewhere can reach the goal too, by joining
    # another tunnel to the start: then all tunnels that open onto the goal count (G3).
    joined = board.find_opened_side(cell, last) or sum(board.tunnels_onto(cell))
    ways = [way for way in goal.ways if way.edges & joined]
    return max(ways, key=lambda way: board.count_agreeing(cell, way))
