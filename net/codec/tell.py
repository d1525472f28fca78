"""Events of the engine to values of the wire and back, one `match` each way.

Knows no seat's business: who may hear an event was settled by `engine.events.heard_by` before.
"""

from __future__ import annotations

from typing import assert_never

from engine import events
from engine.events import Event
from net.codec import events as wire
from net.codec.events import EventWire
from net.codec.fields import (
    card_of,
    cards_code,
    cards_of,
    goal_code,
    goal_of,
    nuggets_of,
    path_of,
    role_code,
    role_of,
    roles_of,
    tool_code,
    tool_of,
)


def write_event(event: Event) -> EventWire:  # noqa: C901 - a case for each kind of event
    """The wire's value of an event."""
    match event:
        case events.DwarfDealt(to, role):
            return wire.DwarfDealt(to, role_code(role))
        case events.HandDealt(to, cards):
            return wire.HandDealt(to, cards_code(cards))
        case events.Dealt(to, card):
            return wire.Dealt(to, card.index)
        case events.Buried(to, card):
            return wire.Buried(to, card.index)
        case events.Saw(to, cell, goal):
            return wire.Saw(to, cell, goal_code(goal))
        case events.GoldShown(to, nuggets):
            return wire.GoldShown(to, bytes(nuggets))
        case events.GoldGot(to, nuggets):
            return wire.GoldGot(to, bytes(nuggets))
        case events.Laid(seat, path, cell):
            return wire.Laid(seat, path.index, cell)
        case events.Revealed(cell, path):
            return wire.Revealed(cell, path.index)
        case events.Broke(seat, tool, target):
            return wire.Broke(seat, tool_code(tool), target)
        case events.Repaired(seat, card, target, tool):
            return wire.Repaired(seat, card.index, target, tool_code(tool))
        case events.Collapsed(seat, cell, path):
            return wire.Collapsed(seat, cell, path.index)
        case events.Looked(seat, cell):
            return wire.Looked(seat, cell)
        case events.Passed(seat):
            return wire.Passed(seat)
        case events.Skipped(seat):
            return wire.Skipped(seat)
        case events.Drew(seat):
            return wire.Drew(seat)
        case events.TurnBegan(seat):
            return wire.TurnBegan(seat)
        case events.RoundBegan(number, starter, hands, pile):
            return wire.RoundBegan(number, starter, hands, pile)
        case events.RoundEnded():
            return write_end(event)
        case events.GoldDrawn(count):
            return wire.GoldDrawn(count)
        case events.ChoiceBegan(seat):
            return wire.ChoiceBegan(seat)
        case events.GoldTaken(seat):
            return wire.GoldTaken(seat)
        case events.SaboteursPaid(due, counts, chits):
            return wire.SaboteursPaid(due, counts, chits)
        case events.GameEnded(gold):
            return wire.GameEnded(tuple(map(bytes, gold)))
        case _:
            assert_never(event)


def read_event(told: EventWire) -> Event:  # noqa: C901 - a case for each kind of event
    """The event of a value of the wire. Raises `BadFrame`."""
    match told:
        case wire.DwarfDealt(to, role):
            return events.DwarfDealt(to, role_of(role))
        case wire.HandDealt(to, cards):
            return events.HandDealt(to, cards_of(cards))
        case wire.Dealt(to, card):
            return events.Dealt(to, card_of(card))
        case wire.Buried(to, card):
            return events.Buried(to, card_of(card))
        case wire.Saw(to, cell, goal):
            return events.Saw(to, cell, goal_of(goal))
        case wire.GoldShown(to, nuggets):
            return events.GoldShown(to, nuggets_of(nuggets))
        case wire.GoldGot(to, nuggets):
            return events.GoldGot(to, nuggets_of(nuggets))
        case wire.Laid(seat, path, cell):
            return events.Laid(seat, path_of(path), cell)
        case wire.Revealed(cell, path):
            return events.Revealed(cell, path_of(path))
        case wire.Broke(seat, tool, target):
            return events.Broke(seat, tool_of(tool), target)
        case wire.Repaired(seat, card, target, tool):
            return events.Repaired(seat, card_of(card), target, tool_of(tool))
        case wire.Collapsed(seat, cell, path):
            return events.Collapsed(seat, cell, path_of(path))
        case wire.Looked(seat, cell):
            return events.Looked(seat, cell)
        case wire.Passed(seat):
            return events.Passed(seat)
        case wire.Skipped(seat):
            return events.Skipped(seat)
        case wire.Drew(seat):
            return events.Drew(seat)
        case wire.TurnBegan(seat):
            return events.TurnBegan(seat)
        case wire.RoundBegan(number, starter, hands, pile):
            return events.RoundBegan(number, starter, hands, pile)
        case wire.RoundEnded():
            return read_end(told)
        case wire.GoldDrawn(count):
            return events.GoldDrawn(count)
        case wire.ChoiceBegan(seat):
            return events.ChoiceBegan(seat)
        case wire.GoldTaken(seat):
            return events.GoldTaken(seat)
        case wire.SaboteursPaid(due, counts, chits):
            return events.SaboteursPaid(due, counts, chits)
        case wire.GameEnded(gold):
            return events.GameEnded(tuple(map(nuggets_of, gold)))
        case _:
            assert_never(told)


def write_end(ended: events.RoundEnded) -> wire.RoundEnded:
    """How a round ended, which a table remembers too."""
    north, middle, south = map(goal_code, ended.goals)
    return wire.RoundEnded(
        role_code(ended.winner),
        bytes(map(role_code, ended.roles)),
        role_code(ended.spare),
        (north, middle, south),
    )


def read_end(told: wire.RoundEnded) -> events.RoundEnded:
    """How a round ended. Raises `BadFrame`."""
    north, middle, south = map(goal_of, told.goals)
    return events.RoundEnded(
        role_of(told.winner), roles_of(told.roles), role_of(told.spare), (north, middle, south)
    )
