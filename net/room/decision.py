"""Result of deciding a request, before the step has a number; preconditions that requests share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine import Phase
from net.lobby import BotChair, Lobby, Presence, Stage
from net.lobby.bot_names import bot_names
from net.lobby.events import BotSat, Exited, LeaveReason, LobbyEvent
from net.protocol.messages import Refusal
from net.room.state import Act, RoomState


@dataclass(frozen=True, slots=True)
class Approved:
    """The lobby events, the act in the game and the new room code that a request leads to."""

    news: tuple[LobbyEvent, ...] = ()
    act: Act | None = None
    code: str = ""


Decision: TypeAlias = Approved | Refusal


def exits(lobby: Lobby, member: int, why: LeaveReason) -> tuple[LobbyEvent, ...]:
    """Return the events by which a member leaves for good.

    In a game, a stand-in bot with a name of its own takes over their seat.
    """
    seat = lobby.seat_of(member)
    if seat is None or lobby.stage is not Stage.PLAYING:
        return (Exited(member, why),)
    taken = {person.name.casefold() for person in lobby.people}
    taken |= {chair.name.casefold() for chair in lobby.chairs if isinstance(chair, BotChair)}
    (name,) = bot_names(1, taken)
    return BotSat(seat, name, lobby.settings.stand_in), Exited(member, why)


def may_reseat(state: RoomState) -> bool:
    """Return True if seats may change hands: in the lobby, between rounds and after a game."""
    if state.lobby.stage is Stage.LOBBY:
        return True
    return state.phase in {Phase.DEAL, Phase.OVER}


def all_ready(lobby: Lobby) -> bool:
    """Return True if any seated person is connected, and all who are have said they are ready."""
    there = [chair for chair, person in lobby.sitting() if person.presence is not Presence.GONE]
    return bool(there) and all(chair.ready for chair in there)
