"""What comes of a wish, before it has a number, and what several wishes ask of a table first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine import Phase
from net.lobby import BotChair, Lobby, Presence, Stage
from net.lobby.dwarves import dwarves
from net.lobby.news import BotSat, Exit, Exited, News
from net.messages import No
from net.room.state import State
from net.room.step import Act


@dataclass(frozen=True, slots=True)
class Done:
    """It comes to this."""

    news: tuple[News, ...] = ()
    act: Act | None = None
    code: str = ""


Decided: TypeAlias = Done | No


def exits(lobby: Lobby, member: int, why: Exit) -> tuple[News, ...]:
    """Tell that somebody goes for good; in a game a bot of another name plays on for them."""
    seat = lobby.seat_of(member)
    if seat is None or lobby.stage is not Stage.PLAYING:
        return (Exited(member, why),)
    taken = {person.name.casefold() for person in lobby.people}
    taken |= {chair.name.casefold() for chair in lobby.chairs if isinstance(chair, BotChair)}
    (name,) = dwarves(1, taken)
    return BotSat(seat, name, lobby.settings.stand_in), Exited(member, why)


def may_reseat(state: State) -> bool:
    """Whether seats may change hands: in the lobby, and between rounds."""
    if state.lobby.stage is Stage.LOBBY:
        return True
    return state.phase in {Phase.DEAL, Phase.OVER}


def all_ready(lobby: Lobby) -> bool:
    """Whether somebody is there on a chair, and all who are have said that they are ready."""
    there = [chair for chair, person in lobby.sitting() if person.presence is not Presence.GONE]
    return bool(there) and all(chair.ready for chair in there)
