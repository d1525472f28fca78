"""Entering a table: the step in which a newcomer comes, or the reason for refusing them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from net.protocol import lobby_events as events
from net.protocol.board import MAX_HALL_PEOPLE
from net.protocol.lobby import MAX_PEOPLE, THE_TABLE, Deserted, Lobby, Presence, Stage
from net.protocol.messages import Refusal
from net.protocol.text import clean_name, suffixed_name
from net.room.state import RoomState, Step


def decide_entry(  # noqa: PLR0913 - all that is known of a newcomer
    state: RoomState,
    key: bytes,
    name: str,
    *,
    watch: bool,
    at_door: bool = False,
    wants: Deserted | None = None,
) -> Step | Refusal:
    """Return the step in which a newcomer enters, or the reason for refusing them.

    Two are never refused for a name that somebody has, and get a number: the host, and who `wants`
    the deserted seat of the person with this name, and asks for it by coming.

    At a full table, a disconnected watcher is removed to make room, in a full hall whoever has been
    away from the club for the longest. Newcomers who watch cannot
    take the places of players: one place is kept for each free chair, and one for the host.
    """
    name, lobby, member = clean_name(name), state.lobby, state.members + 1
    is_host = key == state.host_key
    if lobby.stage is Stage.CLOSED:
        return Refusal.NOT_NOW
    if lobby.locked and not is_host:
        return Refusal.LOCKED
    if not name:
        return Refusal.NO_NAME
    if lobby.has_name(name):
        if not is_host and wants is None:
            return Refusal.NAME_TAKEN
        name = _find_other_name(lobby, name)
    lobby_events: list[events.LobbyEvent] = []
    is_open = lobby.stage is Stage.LOBBY and not lobby.is_drawing
    free = lobby.free_seats if is_open else ()
    sits = bool(free) and not watch
    kept = len(free) - sits + (lobby.host == THE_TABLE and not is_host)
    if len(lobby.people) + kept >= (MAX_HALL_PEOPLE if lobby.is_hall else MAX_PEOPLE):
        owners, needed = {one.member for one in lobby.lent}, lobby.board.names_at_tables
        gone = [
            one
            for one in lobby.watchers
            if one.presence.is_gone and one.member not in owners and one.name not in needed
        ]
        if not gone:
            return Refusal.TABLE_FULL
        lobby_events.append(events.Exited(gone[0].member, events.LeaveReason.FORGOTTEN))
    waits = not (sits or watch)
    lobby_events.append(events.Entered(member, name, is_host, waits, key, at_door))
    if sits:
        lobby_events.append(events.SatDown(free[0], member))
    elif wants is not None:
        lobby_events.append(events.SeatAsked(wants.seat, member))
    return Step(member, news=tuple(lobby_events))


def _find_other_name(lobby: Lobby, name: str) -> str:
    """Return a name that nobody has: this one with the first number that makes it so."""
    numbered = (suffixed_name(name, number) for number in count(2))
    return next(other for other in numbered if not lobby.has_name(other))


def seat_steps(people: Sequence[tuple[bytes, str]], host_key: bytes) -> tuple[Step, ...]:
    """Return the first steps of a table at which people, by seat key and name, have their seats.

    They are ready, and not there yet.
    """
    return tuple(
        Step(
            member,
            news=(
                events.Entered(member, name, key == host_key, key=key),
                events.SatDown(member - 1, member),
                events.PresenceChanged(member, Presence.GONE),
            ),
        )
        for member, (key, name) in enumerate(people, 1)
    )
