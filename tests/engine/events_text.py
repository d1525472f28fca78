"""Events and reasons as words, for data files that a person can read.

`Laid 1 NES 2`, `Revealed 8n2 SW`, `SideClashes W closed`: the name of the class, then its fields in
their order, spelt as in `engine.notation`. Seats are 1 to 10.
"""

from collections.abc import Iterable
from dataclasses import fields
from enum import StrEnum

from engine.bots.hints import HintReason
from engine.cards import SIDE_NAMES, Card, Goal, Path
from engine.events import Event
from engine.moves import Reason
from engine.notation import format_cell
from engine.notation.event_words import read_event

SEATS = {"to", "seat", "target", "starter"}
"""The fields that name a seat."""


def say(fact: Event | Reason | HintReason) -> str:
    """Spell one event or reason."""
    words = [type(fact).__name__]
    for field in fields(fact):
        value: object = getattr(fact, field.name)
        words.append(word(field.name, value))
    return " ".join(words)


def say_all(events: Iterable[Event]) -> str:
    """Spell events in one line."""
    return "; ".join(map(say, events))


def read_events(text: str) -> tuple[Event, ...]:
    """Read events as a record has them: `Broke 3 P 1; Passed 2`."""
    return tuple(read_event(event.split()) for event in text.split("; ") if event)


def word(name: str, value: object) -> str:
    """Spell one field."""
    match value:
        case bool():
            return "open" if value else "closed"
        case int() if name in SEATS:
            return str(value + 1)
        case int():
            return SIDE_NAMES[value] if name == "side" else str(value)
        case float():
            return f"{value:.2f}"
        case Path() | Card() | Goal():
            return value.text
        case StrEnum():
            return value.value
        case tuple():
            return words(name, value)
        case _:
            raise AssertionError(f"no word for {value}")


def words(name: str, values: tuple[object, ...]) -> str:
    """Spell a field that holds several things."""
    match name, values:
        case "cell", (int(x), int(y)):
            return format_cell((x, y))
        case (("cards" | "goals"), (Card() | Goal(), *_)):
            return "/".join(word("", value) for value in values)
        case (("hands" | "cards" | "chits" | "gold"), _):
            return ",".join(word("", value) for value in values)
        case _:
            return "".join(word("", value) for value in values) or "-"
