"""Events as text: as the lines of a record, and as words with all that a seat's own record tells.

In a record, one lap of turns is on a line:

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

As words, an event has one for each field:

    Laid 3 NES 2n1        HandDealt 2 NES/-P/R/M        RoundEnded m m/m/s s NESW/NW/NE

Seats are counted from 1; several values stand between slashes, and `-` for none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Final, NamedTuple, cast, get_args

from engine.actions import TurnEvent
from engine.board import Cell
from engine.cards import DECK, Goal, Path, Role, Tool
from engine.events import (
    DiscardedCard,
    Event,
    FaceUpPlay,
    GameEnded,
    GoldDrawn,
    GoldReceived,
    Passed,
    Revealed,
    RoundBegan,
    RoundEnded,
    SaboteursPaid,
    public_event,
)
from engine.facts import Facts
from engine.moves import Discard
from engine.rules import why_not
from engine.state import GOLD_CARDS, Phase
from engine.tokens import (
    Span,
    format_cell,
    format_seat,
    parse_card,
    parse_cell,
    read_number,
    read_seat,
)
from engine.view import View


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
                    self._add_word(LineKind.GOLD, f"${_nuggets(nuggets)}")
                case SaboteursPaid(due, paid, chits):
                    self._start_line(LineKind.PAID, str(due), _counts(paid), _counts(chits))
                case GameEnded(gold):
                    shown = (_nuggets(held) or "-" for held in gold)
                    self._start_line(LineKind.SHOWN, ",".join(shown))
                case _:
                    pass

    def _start_line(self, kind: LineKind, *words: str) -> None:
        self.lines.append(RecordLine(kind, [kind.value, *words]))

    def _add_word(self, kind: LineKind, word: str) -> None:
        """Add a word to the last line, or to a new one after a full lap or another kind."""
        full = self._players if kind is LineKind.LAP else None
        if self.lines[-1].kind is not kind or len(self.lines[-1].words) == full:
            self.lines.append(RecordLine(kind, []))
        self.lines[-1].words.append(word)


def _counts(counts: tuple[int, ...]) -> str:
    return ",".join(map(str, counts))


def _nuggets(cards: tuple[int, ...]) -> str:
    return "".join(map(str, cards))


class _Spelling(NamedTuple):
    """The spelling of the values of one type. `read` raises `ValueError`."""

    spell: Callable[[object], str]
    read: Callable[[str], object]


def _spell_several(spelling: _Spelling, mark: str = "/") -> _Spelling:
    """Return the spelling of a tuple of values with a mark between them."""

    def spell(values: object) -> str:
        return mark.join(map(spelling.spell, cast("tuple[object, ...]", values))) or "-"

    def read(text: str) -> object:
        return () if text == "-" else tuple(map(spelling.read, text.split(mark)))

    return _Spelling(spell, read)


_SEAT: Final = _Spelling(
    lambda seat: format_seat(cast("int", seat)), lambda text: read_seat(Span.whole(text))
)
_NUMBER: Final = _Spelling(str, lambda text: read_number(Span.whole(text)))
_CARD: Final = _Spelling(str, parse_card)
_ROLE: Final = _Spelling(str, Role)
_GOAL: Final = _Spelling(str, Goal)

_SPELLINGS: Final[Mapping[str, _Spelling]] = {
    "int": _NUMBER,
    "Cell": _Spelling(lambda cell: format_cell(cast("Cell", cell)), parse_cell),
    "Path": _Spelling(str, Path.read),
    "Card": _CARD,
    "Role": _ROLE,
    "Tool": _Spelling(str, Tool),
    "Goal": _GOAL,
    "tuple[Card, ...]": _spell_several(_CARD),
    "tuple[int, ...]": _spell_several(_NUMBER),
    "tuple[Role, ...]": _spell_several(_ROLE),
    "tuple[Goal, Goal, Goal]": _spell_several(_GOAL),
    "tuple[tuple[int, ...], ...]": _spell_several(_spell_several(_NUMBER, "+")),
}
"""The spelling of a field, by its type as the class has it."""

_SEATS: Final = frozenset(("seat", "to", "target", "starter"))
"""The fields that hold a seat."""

_KINDS: Final = {
    kind.__name__: cast("Callable[[*tuple[object, ...]], Event]", kind) for kind in get_args(Event)
}
_FIELDS: Final[Mapping[str, Mapping[str, _Spelling]]] = {
    kind.__name__: {
        field.name: _SEAT if field.name in _SEATS else _SPELLINGS[str(field.type)]
        for field in fields(kind)
    }
    for kind in get_args(Event)
}
"""The spelling of each field, by the name of the event's kind."""


def spell_event(event: Event) -> tuple[str, ...]:
    """Return the words of an event: its kind, and its fields."""
    name = type(event).__name__
    spelt = (field.spell(getattr(event, at)) for at, field in _FIELDS[name].items())
    return name, *spelt


def read_event(words: Sequence[str]) -> Event:
    """Return the event with these words. Raises `ValueError` if there is none."""
    name, *texts = words
    if name not in _KINDS or len(texts) != len(_FIELDS[name]):
        raise ValueError("no event is written like this")
    spelt = zip(_FIELDS[name].values(), texts, strict=True)
    return _KINDS[name](*[field.read(text) for field, text in spelt])


def follow(view: View, event: Event) -> View:
    """Return the view after an event that its seat may have received next.

    Raises `ValueError` for an event that contradicts the rules or what the seat knows. Numbers of
    cards in the hands of others and in the pile are trusted, and what nobody saw.
    """
    if not _can_follow(view, event):
        raise ValueError("this cannot have happened here")
    after = view.after(event)
    if isinstance(event, RoundEnded | GameEnded):
        check_cards(after)
    return after


def _can_follow(view: View, event: Event) -> bool:
    """Return True if an event can happen next, as far as the seat knows."""
    table, players = view.table, view.table.players
    match event:
        case RoundBegan(number):
            return view.phase is Phase.DEAL and number == len(view.score.wins) + 1
        case Passed(seat):
            return seat == table.turn
        case _ if isinstance(event, FaceUpPlay):
            move = event.move
            hand = view.hand if event.seat == view.seat else (move.card,)
            return (
                event.seat == table.turn
                and why_not(table, event.seat, hand, move) is None
                and public_event(event.seat, move, table.board) == event
            )
        case Revealed(cell, path):
            return cell in table.board.hidden and path in (
                way for goal in Goal for way in goal.ways
            )
        case RoundEnded(_, roles, _, goals):
            return len(roles) == players and len(set(goals)) == len(Goal)
        case SaboteursPaid(_, cards, chits):
            return len(cards) == len(chits) == players
        case GameEnded(gold):
            held = tuple(map(len, gold))
            kinds = {nuggets for cards in gold for nuggets in cards} <= GOLD_CARDS.keys()
            own = view.seat is None or gold[view.seat] == view.gold
            return kinds and own and held == view.score.cards
        case _:
            return view.score.number > 0


def check_cards(view: View) -> None:
    """Raise `ValueError` unless the cards that a seat knows of are those of a round (S3, S4)."""
    table = view.table
    unseen = Facts.of(view).unseen()
    others = sum(table.hands) + table.pile + sum(table.buried) - len(view.hand) - len(view.buried)
    own = 0 if view.seat is None else table.hands[view.seat]
    if len(view.hand) != own or len(unseen) != others or min(*table.hands, table.pile) < 0:
        raise ValueError(f"these are not the {len(DECK)} cards of a round")
