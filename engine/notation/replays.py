"""A record as a list of steps: each deal and each move, the views after it, and what was said then.

for step in Replay.of(parse_record(data)).steps:
    step.seat, step.move, step.events, step.said
    step.view(2)        # exactly the view that seat 3 had
    step.view(None)     # what everybody could see
    step.game           # every secret; None in the record of what one seat saw
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from itertools import takewhile
from typing import Final, assert_never

from engine.board import GOAL_CELLS
from engine.bots.talk import (
    Bluff,
    Claim,
    DigsAgainstUs,
    DigsForUs,
    GoldAt,
    HelpMe,
    StoneAt,
    WhoMe,
)
from engine.cards import Goal, Role, Tool
from engine.edition import Edition
from engine.events import (
    Broke,
    ChoiceBegan,
    DiscardedCard,
    Event,
    FaceUpPlay,
    GoldReceived,
    GoldTaken,
    Played,
    Revealed,
    RoundBegan,
    RoundEnded,
    TurnEvent,
    move_of,
)
from engine.game import Game
from engine.moves import Discard, KeepGold, Move
from engine.notation.record import ObservedRecord, Record, replay
from engine.notation.talk import Utterance
from engine.tokens import format_seat
from engine.view import View


class Highlight(Enum):
    """Kind of a step to which a reader of a game wants to jump."""

    BROKE = auto()
    """A tool was broken."""
    REACHED = auto()
    """A goal was reached and turned up."""
    UNMASKED = auto()
    """A round ended, and every dwarf was turned up."""


class Truth(Enum):
    """Worth of a claim, known from all cards.

    `LIE` is a false claim of a player who knew better; a miner who errs makes a `FALSE` one.
    """

    TRUE = auto()
    FALSE = auto()
    LIE = auto()


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """A deal or a move, and the state after it.

    `number` counts the steps from 0, `round` from 1, and `moves` the moves of the round, this one
    included. `seat` is the seat that moved, `None` for a deal. `move` is `None` for a deal, and for
    a card or gold that the record does not know. `said` is what was said after this step and before
    the next. `game` has all secrets; the record of what one seat saw has a `seen` view instead.
    """

    number: int
    round: int
    moves: int
    seat: int | None
    move: Move | None
    events: tuple[Event, ...]
    said: tuple[Utterance, ...] = ()
    game: Game | None = None
    seen: View | None = None

    def view(self, seat: int | None) -> View:
        """Return the view that a seat, or for `None` a watcher, had after this step.

        Raises `LookupError` for another seat than the one that made the record.
        """
        if self.game is not None:
            return self.game.view(seat)
        if self.seen is None or self.seen.seat != seat:
            whose = "a watcher" if seat is None else f"seat {format_seat(seat)}"
            raise LookupError(f"the record does not know what {whose} saw")
        return self.seen

    @property
    def highlights(self) -> frozenset[Highlight]:
        """The kinds of what happened in this step."""
        return frozenset(
            kind
            for event in self.events
            for of, kind in _HIGHLIGHTS.items()
            if isinstance(event, of)
        )

    @property
    def is_turn(self) -> bool:
        """True if a card was played or discarded: neither a deal nor a choice of gold."""
        return any(isinstance(event, TurnEvent) for event in self.events)


_HIGHLIGHTS: Final[dict[type[Event], Highlight]] = {
    Broke: Highlight.BROKE,
    Revealed: Highlight.REACHED,
    RoundEnded: Highlight.UNMASKED,
}


@dataclass(frozen=True, slots=True)
class Replay:
    """The steps of a game.

    `seats` are the points of view that it can be looked at from, `None` for a watcher. `is_whole`
    is True if all secrets are known.
    """

    names: tuple[str, ...]
    edition: Edition
    rounds: int
    steps: tuple[ReplayStep, ...]
    seats: tuple[int | None, ...]
    is_whole: bool

    @staticmethod
    def of(record: Record | ObservedRecord) -> Replay:
        """Return the steps of a record.

        Raises the errors of `replay`; a record that was read from text has none.
        """
        seats: tuple[int | None, ...]
        if isinstance(record, Record):
            steps, seats = _whole_steps(record), (None, *range(len(record.names)))
        else:
            steps, seats = _seen_steps(record), (record.seat,)
        is_whole = isinstance(record, Record)
        return Replay(record.names, record.edition, record.rounds, tuple(steps), seats, is_whole)

    def truth(self, step: ReplayStep, said: Utterance) -> Truth | None:
        """Return the worth of what was said after a step.

        It is `None` for a text, for a claim that claims nothing, and where not all cards are known.
        """
        game, claim = step.game, said.claim
        if game is None or claim is None:
            return None
        round_so_far = [
            earlier for earlier in self.steps[: step.number + 1] if earlier.round == step.round
        ]
        is_true = _is_true(round_so_far, game, said, claim)
        if is_true is None:
            return None
        if is_true:
            return Truth.TRUE
        has_lied = said.seat is not None and _could_see_lie(game, said.seat, claim)
        return Truth.LIE if has_lied else Truth.FALSE


def _whole_steps(record: Record) -> Iterator[ReplayStep]:
    """Yield the steps of a whole record."""
    said: dict[tuple[int, int], list[Utterance]] = {}
    for utterance in record.talk:
        said.setdefault(utterance.place, []).append(utterance)
    moves = 0
    for number, (game, events) in enumerate(replay(record)):
        is_deal = isinstance(events[0], RoundBegan)
        moves = 0 if is_deal else moves + 1
        place = game.score.number, moves
        move = None if is_deal else record.moves[place[0] - 1][moves - 1]
        talk = tuple(said.get(place, ()))
        yield ReplayStep(number, *place, _actor(events), move, events, talk, game)


def _seen_steps(record: ObservedRecord) -> Iterator[ReplayStep]:
    """Yield the steps of the record of what one seat saw."""
    view = record.before()
    moves = 0
    for number, events in enumerate(_group_events(record.events)):
        for event in events:
            view = view.after(event)
        moves = 0 if isinstance(events[0], RoundBegan) else moves + 1
        seat, move = _actor(events), _move(events)
        yield ReplayStep(number, view.score.number, moves, seat, move, events, seen=view)


def _group_events(events: Iterable[Event]) -> Iterator[tuple[Event, ...]]:
    """Yield the events of each deal and each move."""
    group: list[Event] = []
    was_asked = False
    for event in events:
        # The last gold card is no move: it is taken unasked (D4).
        is_move = was_asked if isinstance(event, GoldTaken) else isinstance(event, Played)
        if group and (is_move or isinstance(event, RoundBegan)):
            yield tuple(group)
            group = []
            was_asked = False
        was_asked = was_asked or isinstance(event, ChoiceBegan)
        group.append(event)
    if group:
        yield tuple(group)


def _actor(events: tuple[Event, ...]) -> int | None:
    """Return the seat whose move these events began with, `None` if they are those of a deal."""
    return next((event.seat for event in events if isinstance(event, Played)), None)


def _move(events: tuple[Event, ...]) -> Move | None:
    """Return the move that one seat saw in these events, `None` if it did not see it."""
    match events:
        case (GoldTaken(), GoldReceived(_, (nuggets,)), *_):
            return KeepGold(nuggets)
        case (GoldTaken(), *_):
            return None
        case _:
            pass
    for event in events:
        match event:
            case DiscardedCard(_, card):
                return Discard(card)
            case _ if isinstance(event, FaceUpPlay):
                return move_of(event)
            case _:
                pass
    return None


def _is_true(steps: Iterable[ReplayStep], game: Game, said: Utterance, claim: Claim) -> bool | None:
    """Return True if a claim is true, going by all cards, `None` if it claims nothing.

    `steps` are those of the round so far.
    """
    now = game.round
    match claim:
        case GoldAt(cell):
            return now.goals[GOAL_CELLS.index(cell)] is Goal.TREASURE
        case StoneAt(cell):
            return now.goals[GOAL_CELLS.index(cell)] is not Goal.TREASURE
        case DigsAgainstUs(seat):
            return now.roles[seat] is Role.SABOTEUR
        case DigsForUs(seat):
            return now.roles[seat] is Role.MINER
        case HelpMe(tool):
            broken = 0 if said.seat is None else now.table.broken[said.seat]
            return None if said.seat is None else tool in Tool.within(broken)
        case Bluff(seat):
            every = (utterance for step in steps for utterance in step.said)
            before = takewhile(lambda utterance: utterance is not said, every)
            return any(_makes_false_claim(game, utterance, seat) for utterance in before)
        case WhoMe():
            return None if said.seat is None else now.roles[said.seat] is Role.MINER
        case _:
            assert_never(claim)


def _makes_false_claim(game: Game, said: Utterance, seat: int) -> bool:
    """Return True if a seat made a false claim of goals or dwarves, which no move makes true."""
    claim = said.claim
    if claim is None or said.seat != seat or isinstance(claim, Bluff | HelpMe):
        return False
    return _is_true((), game, said, claim) is False


def _could_see_lie(game: Game, seat: int, claim: Claim) -> bool:
    """Return True if the speaker could see that a false claim is false."""
    view = game.view(seat, history=False)
    match claim:
        case GoldAt(cell):
            faces = [view.goal_on(goal) for goal in GOAL_CELLS]
            return view.goal_on(cell) is not None or Goal.TREASURE in faces
        case StoneAt(cell):
            others = [view.goal_on(goal) for goal in GOAL_CELLS if goal != cell]
            return view.goal_on(cell) is not None or None not in others
        case DigsAgainstUs(about) | DigsForUs(about):
            return about == seat or game.round.table.end is not None
        case HelpMe() | WhoMe():
            return True
        case Bluff():
            return False
        case _:
            assert_never(claim)
