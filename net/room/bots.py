"""Whose move a bot makes: its own, one for a free seat, or one for who is gone or asleep.

A function of the table and of how long the turn has lasted. No game goes on in an empty room: bots
move and speak while somebody is at the table, be it to watch.
"""

from __future__ import annotations

from typing import assert_never

from net.lobby import Absence, BotChair, Free, Lobby, Presence, Taken
from net.lobby.news import Why
from net.room.outcome import Due
from net.room.state import State


def bot_due(state: State, had: float, *, returning: bool = False) -> Due | None:
    """Who is to move by a bot, in a turn that has lasted for so many seconds, if anybody is.

    Who is gone is not played for while all are `returning`.
    """
    game, lobby = state.game, state.lobby
    seat = None if game is None else game.to_act
    if seat is None or is_still(lobby):
        return None
    chair, level = lobby.chairs[seat], lobby.settings.stand_in
    why: Why | None
    match chair:
        case Free():
            why = Why.ABSENT
        case BotChair():
            why, level = None, chair.level
        case Taken(member):
            why = _why_not_oneself(lobby, member, had)
            if why is None or (why is Why.ABSENT and returning):
                return None
        case _:
            assert_never(chair)
    return Due(seat, level, state.turn, why)


def is_still(lobby: Lobby) -> bool:
    """Whether no bot moves or speaks, as the game pauses or nobody is there."""
    return lobby.paused or all(person.presence is Presence.GONE for person in lobby.people)


def _why_not_oneself(lobby: Lobby, member: int, had: float) -> Why | None:
    """Why a bot has to play for somebody, if it has to."""
    settings = lobby.settings
    person = lobby.person(member)
    assert person is not None
    if person.presence is Presence.GONE:
        return Why.ABSENT if settings.absent is Absence.BOT else None
    return Why.ASLEEP if settings.turn_seconds and had >= settings.turn_seconds else None
