"""Events as the lines of a record, with one lap of turns on a line.

    Round 1 - ?/?/? 2 -,-,- NS/NE/NE/-P/R/M,6,6 49 m??+?
    x?=?             -L>1=?           EW@1=M
    NES@7!8:SW=?     x?=?             M@8n2:(NE)=EW
    Won m mms+m NW/NE/NESW
    Gold 2 $? $1
    Shown 1,2,-

A round's heading gives its deal. A turn is the move and its results: `:(NE)` the goal that a map
showed, `!8:SW` a goal revealed and how it lies, `=EW` the card drawn, `=?` a card drawn unseen,
nothing if none was drawn. `Won` gives the winner (R1 to R3), the dwarves and the one left over, and
the goals from north to south (R4). `Gold` gives the number of cards that the miners share, and each
take: `$?`, or for one's own `$2:(32)`, two nuggets out of these, `$2` for the last card,
`$?:(32)` for a choice not made yet (D4). `Paid` gives the nuggets due to each saboteur, by seat the
numbers of gold cards and of chits (D5, D8), and then one's own cards, `$21`. `Shown` gives all gold
cards of each seat (F1).

A whole record gives the moves only, without their results, which follow from the deal.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import assert_never

from engine.cards import Role
from engine.edition import INTERNATIONAL
from engine.events import (
    ChoiceBegan,
    Dealt,
    DiscardedCard,
    Drew,
    DwarfDealt,
    Event,
    GameEnded,
    GoalPeeked,
    GoldDrawn,
    GoldReceived,
    GoldShown,
    GoldTaken,
    HandDealt,
    Passed,
    Revealed,
    RoundBegan,
    RoundEnded,
    SaboteursPaid,
    Skipped,
    TurnBegan,
    TurnEvent,
    move_of,
)
from engine.moves import Discard, ObservedMove, format_move
from engine.notation.position import Position, format_position
from engine.rules import Hand
from engine.state import with_item
from engine.tokens import format_cell, format_goal_seen


class LineKind(StrEnum):
    """The kind of a line; the value is the line's first word, except for a lap."""

    ROUND = "Round"
    LAP = "lap"
    WON = "Won"
    GOLD = "Gold"
    PAID = "Paid"
    SHOWN = "Shown"


@dataclass(frozen=True, slots=True)
class RecordLine:
    """One line of a record: its kind and its words.

    `seats` are the seats of a lap's words, one each, or the seats that took the gold.
    """

    kind: LineKind
    words: tuple[str, ...]
    seats: tuple[int, ...] = ()


@dataclass(slots=True)
class _Draft:
    """A line being written."""

    kind: LineKind
    words: list[str]
    seats: list[int] = field(default_factory=list)


class RecordWriter:
    """Turns events, added in order from the start of a round, into `lines`.

    Add one seat's events for its own record, or all events with `moves_only` for a whole record.
    """

    def __init__(self, players: int, *, moves_only: bool = False) -> None:
        self._drafts: list[_Draft] = []
        self._players = players
        self._moves_only = moves_only
        self._number = 0
        self._dealt: Position | None = None
        self._offer: tuple[int, ...] = ()

    @property
    def lines(self) -> list[RecordLine]:
        """The lines so far."""
        return [
            RecordLine(draft.kind, tuple(draft.words), tuple(draft.seats)) for draft in self._drafts
        ]

    @property
    def words(self) -> int:
        """Number of words in the lines so far."""
        return sum(len(draft.words) for draft in self._drafts)

    @property
    def _last(self) -> _Draft:
        """The last line. Raises `ValueError` if there is none."""
        if not self._drafts:
            raise ValueError("a record begins with a round")
        return self._drafts[-1]

    def add(self, *words: str) -> None:
        """Add words to the last line."""
        self._last.words.extend(words)

    def add_event(self, *events: Event) -> None:
        """Add the next events."""
        for event in events:
            match event:
                case RoundBegan():
                    self._begin(event)
                case DwarfDealt(seat, role):
                    self._deal(seat, role=role)
                case HandDealt(seat, cards):
                    self._deal(seat, hand=cards)
                case TurnBegan():
                    self._begin_round()
                case Passed(seat):
                    self._add_word(LineKind.LAP, seat, ObservedMove.DISCARD.value)
                case TurnEvent(seat):
                    self._add_word(LineKind.LAP, seat, format_move(move_of(event)))
                case Skipped():
                    raise ValueError("no round of a game skips a seat (T4)")
                case DiscardedCard(_, card):
                    self._last.words[-1] = format_move(Discard(card))
                case GoalPeeked() | Revealed() | Drew() | Dealt():
                    self._add_result(event)
                case RoundEnded(winner, roles, spare, goals):
                    dwarves = f"{''.join(roles)}+{spare}"
                    self._start_line(
                        LineKind.WON, winner, dwarves, "/".join(goal.text for goal in goals)
                    )
                case GoldDrawn(count):
                    self._start_line(LineKind.GOLD, str(count))
                case ChoiceBegan():
                    pass
                case GoldShown(_, nuggets):
                    self._offer = () if self._moves_only else nuggets
                case GoldTaken(seat):
                    self._add_word(LineKind.GOLD, seat, ObservedMove.KEEP.value)
                case GoldReceived(_, nuggets):
                    self._received_words(nuggets)
                case SaboteursPaid(due, paid, chits):
                    self._start_line(LineKind.PAID, str(due), _counts(paid), _counts(chits))
                case GameEnded(gold):
                    self._start_line(
                        LineKind.SHOWN, ",".join(_nuggets(held) or "-" for held in gold)
                    )
                case _:
                    assert_never(event)

    def finish(self) -> None:
        """Add an offer of gold from which nothing was taken yet (D4)."""
        if self._offer:
            self.add(f"{ObservedMove.KEEP.value}:({_nuggets(self._offer)})")

    def _begin(self, began: RoundBegan) -> None:
        """Note the public part of a round's deal (S7)."""
        self._number = began.number
        nobody: tuple[None, ...] = (None,) * self._players
        self._dealt = Position(
            edition=INTERNATIONAL,
            laid=(),
            goals=(None, None, None),
            turn=began.starter,
            broken=(0,) * self._players,
            hands=began.hands,
            pile=began.pile,
            roles=nobody,
            spare=None,
        )

    def _deal(self, seat: int, role: Role | None = None, hand: Hand | None = None) -> None:
        """Note the dwarf or hand that a seat was dealt."""
        dealt = self._dealt
        if dealt is None:
            raise ValueError("cards are dealt before the first turn of a round")
        if role is not None:
            dealt = replace(dealt, roles=with_item(dealt.roles, seat, role))
        if hand is not None:
            dealt = replace(dealt, hands=with_item(dealt.hands, seat, hand))
        self._dealt = dealt

    def _begin_round(self) -> None:
        """Add a round's heading if its first turn begins, as all of its deal is then known."""
        if self._dealt is not None:
            dealt = () if self._moves_only else format_position(self._dealt).split()
            self._start_line(LineKind.ROUND, str(self._number), *dealt)
            self._dealt = None

    def _add_result(self, event: GoalPeeked | Revealed | Drew | Dealt) -> None:
        """Add a result to the last turn."""
        if self._moves_only:
            return
        words = self._last.words
        match event:
            case GoalPeeked(_, _, goal):
                words[-1] += f":{format_goal_seen(goal)}"
            case Revealed(cell, path):
                words[-1] += f"!{format_cell(cell)}:{path.text}"
            case Drew():
                words[-1] += "=?"
            case Dealt(_, card):
                words[-1] = words[-1].removesuffix("?") + card.text
            case _:
                assert_never(event)

    def _received_words(self, nuggets: tuple[int, ...]) -> None:
        """Add the gold cards that a seat took or was paid (D4, D5)."""
        line, kept = self._last, f"${_nuggets(nuggets)}"
        if line.kind is LineKind.GOLD:
            line.words[-1] = f"{kept}:({_nuggets(self._offer)})" if self._offer else kept
            self._offer = ()
        elif not self._moves_only:
            line.words.append(kept)

    def _start_line(self, kind: LineKind, *words: str) -> None:
        self._drafts.append(_Draft(kind, [kind.value, *words]))

    def _add_word(self, kind: LineKind, seat: int, word: str) -> None:
        """Add a seat's word to the last line, or to a new one after a full lap or another kind."""
        full = self._players if kind is LineKind.LAP else None
        last = self._drafts[-1] if self._drafts else None
        if last is None or last.kind is not kind or len(last.seats) == full:
            last = _Draft(kind, [])
            self._drafts.append(last)
        last.words.append(word)
        last.seats.append(seat)


def _counts(counts: tuple[int, ...]) -> str:
    return ",".join(str(count) for count in counts)


def _nuggets(cards: tuple[int, ...]) -> str:
    return "".join(str(nuggets) for nuggets in cards)
