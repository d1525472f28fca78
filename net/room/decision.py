"""What comes of a wish, before it has a number, and what several wishes ask of a table first."""

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
    """It comes to this."""

    news: tuple[LobbyEvent, ...] = ()
    act: Act | None = None
    code: str = ""


Decision: TypeAlias = Approved | Refusal


def exits(lobby: Lobby, member: int, why: LeaveReason) -> tuple[LobbyEvent, ...]:
    """Tell that somebody goes for good; in a game a bot of another name plays on for them."""
    seat = lobby.seat_of(member)
    if seat is None or lobby.stage is not Stage.PLAYING:
        return (Exited(member, why),)
    taken = {person.name.casefold() for person in lobby.people}
    taken |= {chair.name.casefold() for chair in lobby.chairs if isinstance(chair, BotChair)}
    (name,) = bot_names(1, taken)
    return BotSat(seat, name, lobby.settings.stand_in), Exited(member, why)


def may_reseat(state: RoomState) -> bool:
    """Whether seats may change hands: in the lobby, and between rounds."""
    if state.lobby.stage is Stage.LOBBY:
        return True
    return state.phase in {Phase.DEAL, Phase.OVER}


def all_ready(lobby: Lobby) -> bool:
    """Whether somebody is there on a chair, and all who are have said that they are ready."""
    there = [chair for chair, person in lobby.sitting() if person.presence is not Presence.GONE]
    return bool(there) and all(chair.ready for chair in there)
