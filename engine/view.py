"""The knowledge of one seat, and the moves that follow from it (RULES K).

A `View` holds no secret but its own seat's: it is all that a client or a bot gets. There are two
ways to it, with equal results: `Game.view` builds it at the host, and `View.after` keeps it up to
date at a client, event by event.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final, NamedTuple

from engine import legality
from engine.actions import TargetEvent, TurnEvent
from engine.board import GOAL_CELLS, NO_PEEKS, Cell, Peeks
from engine.cards import DECK, Card, Goal, Role, with_card, without_card
from engine.edition import Edition
from engine.events import (
    ChoiceBegan,
    Dealt,
    DiscardedCard,
    Drew,
    DwarfDealt,
    Event,
    FaceUpPlay,
    GoalPeeked,
    GoldEvent,
    GoldReceived,
    GoldShown,
    GoldTaken,
    HandDealt,
    Public,
    RoundBegan,
    Skipped,
    TurnBegan,
    addressee,
    visible_to,
)
from engine.legality import Hand
from engine.moves import (
    GoldBeingShared,
    IllegalMove,
    KeepGold,
    Move,
    NotOnOffer,
    NotYourTurn,
    OnlyWatching,
    Reason,
    check_move,
    parse_move,
)
from engine.readonly import ReadOnly
from engine.state import (
    Phase,
    Score,
    Table,
    check_players,
    check_rounds,
    check_seat,
    describe_awaited,
    phase,
    to_act,
    why_not_now,
)
from engine.tokens import format_seat


class View(NamedTuple):
    """All that `seat` knows, or for `None` a watcher. `table` and `score` are public."""

    seat: int | None
    table: Table
    score: Score
    role: Role | None = None
    hand: Hand = ()
    peeks: Peeks = NO_PEEKS
    """The goals that the seat saw with its own maps."""
    buried: Hand = ()
    """The cards that the seat discarded face down."""
    gold: tuple[int, ...] = ()
    """The gold cards that the seat has, in nuggets, most first."""
    offer: tuple[int, ...] = ()
    """The gold cards that the seat is to choose from, in nuggets, most first."""
    ledger: tuple[GoldEvent, ...] = ()
    """The events about gold that the seat received since the game began."""
    history: tuple[Event, ...] = ()
    """All events that the seat received since the round was dealt."""

    def __str__(self) -> str:
        return f"{self._describe()}\n" + self.table.text(self._list_goals(), *self._list_known())

    def __repr__(self) -> str:
        own = "a watcher" if self.seat is None else f"seat {format_seat(self.seat)}"
        return f"<View of {own}: {self.score}, {describe_awaited(self.table, self.score)}>"

    @staticmethod
    def before(edition: Edition, players: int, rounds: int, seat: int | None) -> View:
        """Return the view of a seat before the first deal.

        Raises `ValueError` for a seat that does not exist, for a number of players that S1 does not
        allow, and for a number of rounds other than one to three.
        """
        check_players(players)
        check_rounds(rounds)
        if seat is not None:
            check_seat(seat, players)
        return View(seat, Table.empty(edition, players), Score.empty(rounds, players))

    @property
    def phase(self) -> Phase:
        """The step that the game waits for."""
        return phase(self.table, self.score)

    @property
    def to_act(self) -> int | None:
        """The seat that is to play or to choose gold, `None` if the game waits for no seat."""
        return to_act(self.table, self.score)

    def goal_on(self, cell: Cell) -> Goal | None:
        """Return the face of a goal as far as this seat knows it, else `None`.

        A goal is known once it lies face up, from the seat's own map, and after the end of the
        round. Raises `ValueError` for a cell on which no goal lies.
        """
        board, at = self.table.board, GOAL_CELLS.index(cell)
        if cell in board.cards:
            return Goal.lying(board.cards[cell])
        return self.peeks[at] if self.table.end is None else self.table.end.goals[at]

    def unseen(self) -> tuple[Card, ...]:
        """Return the cards of the deck that neither lie face up nor are or were this seat's.

        They are in the draw pile, in the hands of others, or were discarded face down by others.
        """
        seen = Counter((*self.table.face_up(), *self.hand, *self.buried))
        return tuple((Counter(DECK) - seen).elements())

    def draw(
        self,
        marks: Mapping[Cell, str] = ReadOnly({}),
        *,
        columns: int = 80,
        rows: int = 24,
        large: bool | None = None,
    ) -> list[str]:
        """Return the mine as `Board.draw` does, with the goals that this seat knows."""
        return self.table.board.draw(
            self._list_goals(), marks, columns=columns, rows=rows, large=large
        )

    def picture(self, names: Sequence[str] = ()) -> str:
        """Return all that this seat sees as a picture: the text of an SVG file, in English.

        `names` are the players' names by seat. Raises `ValueError` for another number of them.
        """
        if names and len(names) != self.table.players:
            raise ValueError(f"{self.table.players} play, and there are {len(names)} names")
        # Imported here, as few callers draw, and every game would start more slowly.
        from engine.picture import draw_mine  # noqa: PLC0415 - see above

        rows = self.table.seat_rows(*self._list_known(), names)
        return draw_mine(self.table.board, self._list_goals(), self._describe(names), rows)

    def _repr_svg_(self) -> str:
        """Return the picture that a notebook shows."""
        return self.picture()

    def _describe(self, names: Sequence[str] = ()) -> str:
        """Return the state of the game in a line, in English for developers."""
        return f"{self.score}: {describe_awaited(self.table, self.score, names)}"

    def _list_goals(self) -> tuple[Goal | None, ...]:
        """Return the faces of the goals as far as they are known, from north to south."""
        return tuple(map(self.goal_on, GOAL_CELLS))

    def _list_known(self) -> tuple[dict[int, Role], dict[int, Hand]]:
        """Return the roles and the hands that this seat knows, by seat: only its own."""
        own = self.seat
        if own is None:
            return {}, {}
        return {} if self.role is None else {own: self.role}, {own: self.hand}

    def legal_moves(self) -> tuple[Move, ...]:
        """Return all moves of this seat now, by card, then by place; none if it is not to act."""
        if self.seat is None or self.to_act != self.seat:
            return ()
        if self.phase is Phase.GOLD:
            # Two cards with the same number of nuggets are one choice.
            return tuple(KeepGold(nuggets) for nuggets in dict.fromkeys(self.offer))
        return legality.list_moves(self.table, self.seat, self.hand)

    def read(self, text: str) -> Move:
        """Read a legal move of this seat, such as `NES@3n1`.

        Raises `NotationError` for text that is not a move, and `IllegalMove` for an illegal one.
        """
        move = parse_move(text)
        reason = self.why_not(move)
        if reason is not None:
            raise IllegalMove(move, reason)
        return move

    def why_not(self, move: Move) -> Reason | None:
        """Return the reason why a move is illegal for this seat now, or `None` if it is legal.

        Raises `TypeError` unless it is a `Move`: text, for example, is not one.
        """
        check_move(move)
        if self.seat is None:
            return OnlyWatching()
        if self.score.chooser not in (None, self.seat):
            return GoldBeingShared(self.score.chooser)
        if self.table.turn not in (None, self.seat):
            return NotYourTurn(self.table.turn)
        reason = why_not_now(self.table, self.score, move)
        if reason is not None:
            return reason
        if isinstance(move, KeepGold):
            return None if move.nuggets in self.offer else NotOnOffer(move.nuggets)
        return legality.why_not(self.table, self.seat, self.hand, move)

    def after(self, event: Event) -> View:
        """Return this view after its seat has received an event.

        Raises `ValueError` for an event that is for another seat, or that names a seat that does
        not exist, and `TypeError` unless it is an `Event`.
        """
        to = addressee(event)
        if to is not None and to != self.seat:
            raise ValueError(f"only seat {format_seat(to)} receives this: {event}")
        if isinstance(event, _SEATED):
            check_seat(event.seat, self.table.players)
            if isinstance(event, TargetEvent):
                check_seat(event.target, self.table.players)
        updated = self._replace(history=(*self.history, event))
        match event:
            case DwarfDealt(_, role):
                return updated._replace(role=role)
            case HandDealt(_, cards):
                return updated._replace(hand=cards)
            case Dealt(_, card):
                return updated._replace(hand=with_card(self.hand, card))
            case DiscardedCard(_, card):
                return updated._replace(
                    hand=without_card(self.hand, card), buried=(*self.buried, card)
                )
            case GoalPeeked(_, cell, goal):
                return updated._replace(peeks=_add_peek(self.peeks, cell, goal))
            case GoldShown(_, nuggets):
                return updated._replace(offer=nuggets, ledger=(*self.ledger, event))
            case GoldReceived(_, nuggets):
                gold = tuple(sorted((*self.gold, *nuggets), reverse=True))
                return updated._replace(gold=gold, offer=(), ledger=(*self.ledger, event))
            case RoundBegan(hands=hands):
                if len(hands) != self.table.players:
                    raise ValueError(f"{self.table.players} play, not {len(hands)}")
                # Only gold outlives a round: dwarf, hand and what maps showed do not (N1).
                table, score = self.table.after(event), self.score.after(event)
                return View(
                    self.seat, table, score, gold=self.gold, ledger=self.ledger, history=(event,)
                )
            case _:
                return updated._replace(
                    table=self.table.after(event),
                    score=self.score.after(event),
                    hand=self._hand_after(event),
                    ledger=(*self.ledger, event) if isinstance(event, GoldEvent) else self.ledger,
                )

    def _hand_after(self, event: Public) -> Hand:
        """Return the hand after an event: without the card, if this seat played one face up."""
        if isinstance(event, FaceUpPlay) and event.seat == self.seat:
            return without_card(self.hand, event.move.card)
        return self.hand


class History:
    """The events since a round was dealt, step by step: an immutable value, cheap to extend.

    It is a linked list from the last step to the first, so that the histories of a game and of the
    game after its next move share all steps but one. `seen_by` caches its result for each seat, and
    `then` passes the cache on, so that asking after every move filters only the new events. The
    cache is ignored when two histories are compared.
    """

    __slots__ = ("_last", "_len", "_seen")

    def __init__(self, steps: Iterable[tuple[Event, ...]] = ()) -> None:
        self._last: _Link | None = None
        self._len = 0
        self._seen: Mapping[int | None, tuple[int, tuple[Event, ...]]] = _UNASKED
        for step in steps:
            self._last = self._last, step
            self._len += 1

    def then(self, events: tuple[Event, ...]) -> History:
        """Return the history with one more step."""
        after = object.__new__(History)  # Not `History()`, which would first make an empty one.
        after._last = self._last, events
        after._len = self._len + 1
        after._seen = self._seen
        return after

    def seen_by(self, seat: int | None) -> tuple[Event, ...]:
        """Return the events that a seat may know; for `None`, a watcher, the public ones."""
        steps, seen = self._seen.get(seat, (0, ()))
        if steps < self._len:
            seen += visible_to(chain.from_iterable(self._since(steps)), seat)
            # A new mapping, as histories that continue from here share the old one.
            self._seen = {**self._seen, seat: (self._len, seen)}
        return seen

    def _since(self, steps: int) -> Iterator[tuple[Event, ...]]:
        """Return the steps after a number of them, in order."""
        late: list[tuple[Event, ...]] = []
        link = self._last
        while link is not None and len(late) < self._len - steps:
            link, step = link
            late.append(step)
        return reversed(late)

    def __iter__(self) -> Iterator[tuple[Event, ...]]:
        return self._since(0)

    def __len__(self) -> int:
        return self._len

    def __eq__(self, other: object) -> bool:
        return isinstance(other, History) and (self is other or tuple(self) == tuple(other))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"<History of {self._len} steps>"

    def __reduce__(self) -> tuple[object, ...]:
        return History, (tuple(self),)


_SEATED: Final = (TurnEvent, GoldTaken, Skipped, Drew, TurnBegan, ChoiceBegan)
"""The public events that name a seat."""

_UNASKED: Final[Mapping[int | None, tuple[int, tuple[Event, ...]]]] = ReadOnly({})
"""The empty cache: by seat, the number of steps filtered so far, and the events it saw in them."""

_Link = tuple["_Link | None", tuple[Event, ...]]  # a step, after the link that it follows


def _add_peek(peeks: Peeks, cell: Cell, goal: Goal) -> Peeks:
    north, middle, south = (
        goal if cell == there else known for there, known in zip(GOAL_CELLS, peeks, strict=True)
    )
    return north, middle, south
