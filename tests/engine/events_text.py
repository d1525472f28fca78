"""Events as records spell them, and reasons likewise, for data files that a person can read.

`Laid 1 NES 2`, `Revealed 8n2 SW`, `SideClashes W closed`: the name of the class, then its fields in
their order. Seats are 1 to 10.
"""

from collections.abc import Iterable
from dataclasses import fields

from engine.bots.hints import HintReason
from engine.cards import SIDE_NAMES, Card, Path, Tool
from engine.events import Event
from engine.moves import Reason
from engine.notation import format_cell
from engine.notation.event_words import read_event, spell_event


def say(reason: Reason | HintReason) -> str:
    """Spell a reason."""
    words = [word(field.name, getattr(reason, field.name)) for field in fields(reason)]
    return " ".join((type(reason).__name__, *words))


def say_all(events: Iterable[Event]) -> str:
    """Spell events in one line."""
    return "; ".join(" ".join(spell_event(event)) for event in events)


def read_events(text: str) -> tuple[Event, ...]:
    """Read events: `Broke 3 P 1; Passed 2`."""
    return tuple(read_event(event.split()) for event in text.split("; ") if event)


def word(name: str, value: object) -> str:
    """Spell one field of a reason."""
    match value:
        case bool():
            return "open" if value else "closed"
        case int() if name in ("seat", "target"):
            return str(value + 1)
        case int():
            return SIDE_NAMES[value] if name == "side" else str(value)
        case float():
            return f"{value:.2f}"
        case Path() | Card() | Tool():
            return str(value)
        case (int(x), int(y)):
            return format_cell((x, y))
        case tuple():
            return "".join(map(str, value))
        case _:
            raise AssertionError(f"no word for {value}")
