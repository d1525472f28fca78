"""Events as lines: each in a sentence, what says the same twice only once.

Knows views, events and names. A line face tells what a player could not work out: that somebody
drew after playing goes without saying, and whose turn it is counts only where it stays so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from engine.events import (
    Broke,
    Buried,
    ChoiceBegan,
    Collapsed,
    Dealt,
    Drew,
    DwarfDealt,
    Event,
    GameEnded,
    GoldDrawn,
    GoldGot,
    GoldShown,
    GoldTaken,
    HandDealt,
    Laid,
    Looked,
    Passed,
    Repaired,
    Revealed,
    RoundBegan,
    RoundEnded,
    SaboteursPaid,
    Saw,
    Skipped,
    TurnBegan,
)
from engine.view import View
from sabtui.words.cast import Cast
from sabtui.words.events import happened, unveiled
from sabtui.words.gold import result
from sabtui.words.tongue import _


def told(event: Event, view: View, cast: Cast) -> list[str]:
    """An event in lines, where `view` knows it already. Nothing where another event tells it."""
    match event:
        case Passed(seat) | Looked(seat) | GoldTaken(seat):
            return [] if seat == view.seat else [happened(event, cast)]
        case Drew():
            return [] if view.table.pile else [_("The draw pile is empty now.")]
        case TurnBegan() | ChoiceBegan() | GoldShown():
            return []
        case HandDealt():
            return []
        case RoundEnded():
            return [happened(event, cast), *unveiled(event, cast)]
        case GameEnded():
            return result(view.score, cast)
        case DwarfDealt() | Dealt() | Buried() | Saw() | GoldGot():
            return [happened(event, cast)]
        case RoundBegan() | Laid() | Revealed() | Broke() | Repaired() | Collapsed() | Skipped():
            return [happened(event, cast)]
        case GoldDrawn() | SaboteursPaid():
            return [happened(event, cast)]
        case _:
            assert_never(event)


def logged(events: Sequence[Event], view: View, cast: Cast) -> list[str]:
    """What was heard in a round, as it was told."""
    return [line for event in events for line in _logged(event, view, cast)]


def _logged(event: Event, view: View, cast: Cast) -> list[str]:
    if isinstance(event, Drew):
        return []  # Whether it emptied the pile, the present view does not know.
    return told(event, view, cast)
