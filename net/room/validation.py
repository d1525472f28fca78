"""Checks on what a host sends of a lobby: consistent with the table, and only clean text.

A client checks everything once, as it arrives, so that all of it can be shown on any terminal even
if the host runs a modified program. `net.protocol.plausibility` checks the game's events.
"""

from __future__ import annotations

from engine.edition import Edition
from engine.mistakes import NotationError
from net.protocol.board import MAX_HALL_PEOPLE
from net.protocol.chat import ChatLine
from net.protocol.fields import MAX_SEATS
from net.protocol.lobby import (
    MAX_PEOPLE,
    THE_TABLE,
    BotChair,
    Lobby,
    SeedDraw,
    is_clean_level,
    is_clean_text,
)
from net.protocol.text import is_clean_name


def is_clean_lobby(lobby: Lobby) -> bool:
    """Return True if a lobby is possible: clean names, each person once, valid settings."""
    bots = [chair for chair in lobby.chairs if isinstance(chair, BotChair)]
    names = [lobby.name, *(bot.name for bot in bots), *(person.name for person in lobby.people)]
    names += [row.name for row in lobby.evening.rows]
    levels = [lobby.settings.stand_in, *(bot.level for bot in bots)]
    return (
        lobby.is_sound
        and (lobby.is_hall or lobby.settings.youngest < len(lobby.chairs))
        and len(lobby.people) <= (MAX_HALL_PEOPLE if lobby.is_hall else MAX_PEOPLE)
        and lobby.board.is_clean
        and (lobby.host == THE_TABLE or lobby.person(lobby.host) is not None)
        and _is_edition(lobby.settings.edition)
        and all(map(is_clean_name, names))
        and (lobby.draw is None or _is_clean_draw(lobby.draw))
        and all(map(lobby.has_deserted, lobby.deserted))
        and all(map(is_clean_level, levels))
    )


def _is_clean_draw(draw: SeedDraw) -> bool:
    """Return True if a draw has clean names, and as many commitments and shares as people."""
    asked, some = (*draw.people, *draw.absent), len(draw.people)
    return (
        len({person.member for person in asked}) == len(asked)
        and all(is_clean_name(person.name) for person in asked)
        and (not draw.host_name or is_clean_name(draw.host_name))
        and len(draw.commitments) in {0, some}
        and len(draw.shares) == (len(draw.commitments) if draw.done else 0)
        and (not draw.done or len(draw.shares) == some)
    )


def is_clean_line(line: ChatLine) -> bool:
    """Return True if a line of chat has clean text and names, and its claim a valid subject.

    The claim is checked against the most seats that any table has: the table may have had more
    seats when the claim was made than it has now.
    """
    fits = line.claim is None or line.claim.fits(MAX_SEATS)
    return fits and is_clean_name(line.name) and is_clean_text(line.text)


def _is_edition(text: str) -> bool:
    try:
        Edition.read(text)
    except NotationError:
        return False
    return True
