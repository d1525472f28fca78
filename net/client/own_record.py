"""The record of a game as one seat saw it so far, for a player who leaves before the end.

It holds nothing that the seat did not see.
"""

from __future__ import annotations

from dataclasses import replace

from engine.events import Event, RoundBegan
from engine.notation import ObservedRecord, format_record
from engine.view import View
from net.client.trail import GameState
from net.lobby.model import Lobby


def seen_record(held: GameState | None) -> str:
    """Return the record of the game held, as the text of a `.sab` file.

    It is the complete record if the game is over, and empty if there is no game. A player who was
    not there for the earlier rounds gets a record of the present round alone, as the first of a
    game; a `Round` tag gives its real number.
    """
    if held is None or held.view is None:
        return ""
    if held.record:
        return held.record
    if held.past is None:
        return format_record(_of_this_round(held.lobby, held.view))
    return format_record(_record(held.lobby, held.view).heard(*held.past, *held.view.history))


def _record(lobby: Lobby, view: View) -> ObservedRecord:
    names = tuple(lobby.name_at(seat) for seat in range(len(lobby.chairs)))
    return ObservedRecord(names, view.seat, view.table.edition, view.score.rounds)


def _of_this_round(lobby: Lobby, view: View) -> ObservedRecord:
    record = replace(_record(lobby, view), extra=(("Round", str(view.score.number)),))
    return record.heard(*map(_as_the_first, view.history))


def _as_the_first(event: Event) -> Event:
    return replace(event, number=1) if isinstance(event, RoundBegan) else event
