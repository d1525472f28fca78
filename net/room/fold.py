"""The fold of events into the lobby, by which the host and all clients hold the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from msgspec.structs import replace

from net.protocol.lobby import Lobby
from net.protocol.lobby_events import LobbyEvent


def apply(lobby: Lobby, event: LobbyEvent) -> Lobby:
    """Return the lobby after an event.

    Raises LookupError: the event is about a seat or a member that the lobby does not have.
    """
    return event.change(lobby)


def apply_all(lobby: Lobby, news: Iterable[LobbyEvent]) -> Lobby:
    """Return the lobby after events. Raises LookupError: as `apply` does."""
    return reduce(apply, news, lobby)


def count_game(lobby: Lobby, nuggets: Sequence[int]) -> Lobby:
    """Return the lobby after a game that brought each seat so much gold.

    This is no event: every program that saw the game counts it by itself.
    """
    names = [lobby.name_at(seat) for seat in range(len(lobby.chairs))]
    return replace(lobby, evening=lobby.evening.after(names, nuggets))
