"""A seat's own record of what it saw, up to now: for who leaves a game that is not over.

What a seat did not hear is not in it.
"""

from __future__ import annotations

from dataclasses import replace

from engine.events import Event, RoundBegan
from engine.notation import ObservedRecord, format_record
from engine.view import View
from net.client.state import GameState
from net.lobby import Lobby


def seen_record(held: GameState | None) -> str:
    """Return the record of the game that somebody holds, in the words of a `.sab` file.

    It is the whole record where the game is over, and empty where there is no game. Who was not
    there for the rounds before the present one has a record of that round alone, as the first of
    a game; a tag tells which round it was.
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
