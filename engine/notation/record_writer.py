"""Events as the lines of a record, with one lap of turns on a line.

    Round 1
    x+PL -L>1 EW@1
    NES@7 x+C M@8n2
    Won m mms+m NW/NE/NESW
    Gold 2 $2 $1
    Shown 1,2,-

`Won` gives the winner (R1 to R3), the dwarves and the one left over, and the goals from north to
south (R4). `Gold` gives the number of cards that the miners share, and each take (D4). `Paid` gives
the nuggets due to each saboteur, and by seat the numbers of gold cards and of chits (D5, D8).
`Shown` gives all gold cards of each seat (F1).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.actions import TurnEvent
from engine.events import (
    DiscardedCard,
    Event,
    GameEnded,
    GoldDrawn,
    GoldReceived,
    Passed,
    RoundBegan,
    RoundEnded,
    SaboteursPaid,
)
from engine.moves import Discard


class LineKind(StrEnum):
    """The kind of a line; the value is the line's first word, except for a lap."""

    ROUND = "Round"
    LAP = "lap"
    WON = "Won"
    GOLD = "Gold"
    PAID = "Paid"
    SHOWN = "Shown"


@dataclass(slots=True)
class RecordLine:
    """One line of a record: its kind and its words."""

    kind: LineKind
    words: list[str]


class RecordWriter:
    """Turns events, added in order from the start of a round, into `lines`."""

    def __init__(self, players: int) -> None:
        self.lines: list[RecordLine] = []
        self._players = players

    @property
    def words(self) -> int:
        """Number of words in the lines so far."""
        return sum(len(line.words) for line in self.lines)

    def add_event(self, *events: Event) -> None:
        """Add the next events. What follows from the others has no word."""
        for event in events:
            match event:
                case RoundBegan(number):
                    self._start_line(LineKind.ROUND, str(number))
                case DiscardedCard(_, card):
                    self._add_word(LineKind.LAP, str(Discard(card)))
                case TurnEvent() if not isinstance(event, Passed):
                    self._add_word(LineKind.LAP, str(event.move))
                case RoundEnded(winner, roles, spare, goals):
                    dwarves = f"{''.join(roles)}+{spare}"
                    self._start_line(LineKind.WON, winner, dwarves, "/".join(map(str, goals)))
                case GoldDrawn(count):
                    self._start_line(LineKind.GOLD, str(count))
                case GoldReceived(_, nuggets) if self.lines[-1].kind is LineKind.GOLD:
                    self._add_word(LineKind.GOLD, f"${_format_nuggets(nuggets)}")
                case SaboteursPaid(due, paid, chits):
                    self._start_line(
                        LineKind.PAID, str(due), _format_counts(paid), _format_counts(chits)
                    )
                case GameEnded(gold):
                    shown = (_format_nuggets(held) or "-" for held in gold)
                    self._start_line(LineKind.SHOWN, ",".join(shown))
                case _:
                    pass

    def _start_line(self, kind: LineKind, *words: str) -> None:
        self.lines.append(RecordLine(kind, [kind.value, *words]))

    def _add_word(self, kind: LineKind, word: str) -> None:
        """Add a word to the last line, or to a new one if that is full or of another kind."""
        full = self._players if kind is LineKind.LAP else None
        if self.lines[-1].kind is not kind or len(self.lines[-1].words) == full:
            self.lines.append(RecordLine(kind, []))
        self.lines[-1].words.append(word)


def _format_counts(counts: tuple[int, ...]) -> str:
    return ",".join(map(str, counts))


def _format_nuggets(cards: tuple[int, ...]) -> str:
    return "".join(map(str, cards))
