"""What comes of a wish, before it has a number, and what several wishes ask of a table first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine import Phase
from net.lobby import Lobby, Presence, Stage
from net.lobby.news import News
from net.messages import No
from net.room.state import State
from net.room.step import Act


@dataclass(frozen=True, slots=True)
class Done:
    """It comes to this."""

    news: tuple[News, ...] = ()
    act: Act | None = None


Decided: TypeAlias = Done | No


def may_reseat(state: State) -> bool:
    """Whether seats may change hands: in the lobby, and between rounds."""
    if state.lobby.stage is Stage.LOBBY:
        return True
    return state.phase in {Phase.DEAL, Phase.OVER}


def all_ready(lobby: Lobby) -> bool:
    """Whether somebody is there on a chair, and all who are have said that they are ready."""
    there = [chair for chair, person in lobby.sitting() if person.presence is not Presence.GONE]
    return bool(there) and all(chair.ready for chair in there)
