"""Events as words, one for each field, and what a seat's own record may say about a game.

    Laid 3 NES 2n1        HandDealt 2 NES/-P/R/M        RoundEnded m m/m/s s NESW/NW/NE

Seats are counted from 1; several values are separated by slashes, and `-` means none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Final, NamedTuple, cast, get_args

from engine.board import Cell
from engine.cards import DECK, Goal, Path, Role, Tool
from engine.events import (
    Event,
    FaceUpPlay,
    GameEnded,
    Passed,
    Revealed,
    RoundBegan,
    RoundEnded,
    SaboteursPaid,
    public_event,
)
from engine.facts import Facts
from engine.legality import why_not
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

    Raises `ValueError` for an event that contradicts the rules or what the seat knows. What the
    seat cannot check is trusted, such as the number of cards in the pile.
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
    """Raise `ValueError` if the cards that a seat knows cannot be a round's (S3, S4)."""
    table = view.table
    unseen = Facts.of(view).unseen()
    others = sum(table.hands) + table.pile + sum(table.buried) - len(view.hand) - len(view.buried)
    own = 0 if view.seat is None else table.hands[view.seat]
    if len(view.hand) != own or len(unseen) != others or min(*table.hands, table.pile) < 0:
        raise ValueError(f"these are not the {len(DECK)} cards of a round")
