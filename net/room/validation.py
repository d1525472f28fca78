"""Checks on what a host sends of a lobby: consistent with the table, and only clean text.

A client checks everything once, as it arrives, so that all of it can be shown on any terminal even
if the host runs a modified program. `net.protocol.plausibility` checks the game's events.
"""

from __future__ import annotations

from typing import Final, assert_never

from engine.edition import Edition
from engine.mistakes import NotationError
from net.protocol import lobby_events as events
from net.protocol.board import MAX_HALL_PEOPLE
from net.protocol.chat import ChatLine
from net.protocol.fields import MAX_SEATS
from net.protocol.hall import BoardNews
from net.protocol.lobby import (
    MAX_PEOPLE,
    MIN_SEATS,
    THE_TABLE,
    BotChair,
    Free,
    Lobby,
    SeedDraw,
    Stage,
    Taken,
    is_clean_text,
)
from net.protocol.text import is_clean, is_clean_name, is_clean_page
from net.room.deserted import can_ask

_LEVEL_LENGTH: Final = 16  # most letters of a bot's level (`net.protocol.lobby.Level`)


def is_clean_event(event: events.LobbyEvent) -> bool:
    """Return True if an event's names and texts are clean, and its claim has a valid subject."""
    match event:
        case events.Entered(name=name):
            return is_clean_name(name)
        case events.BotSat(name=name, level=level):
            return is_clean_name(name) and _is_level(level)
        case events.BotRetired(bot, level):
            return _is_level(bot) and _is_level(level)
        case events.Said(text=text) | events.BotSaid(text=text):
            return is_clean_text(text)
        case events.Claimed(claim=claim) | events.BotClaimed(claim=claim):
            return claim.fits(MAX_SEATS)
        case events.RecordPublished(text=text):
            return is_clean_page(text)
        case BoardNews():
            return event.is_clean
        case _:
            return True


def can_be_told(  # noqa: C901 - a case for each event
    lobby: Lobby, event: events.LobbyEvent
) -> bool:
    """Return True if an event concerns people and seats that this lobby has, and may happen in it.

    A draw that has begun ends in the deal. It is void if somebody in it leaves, or another begins
    that leaves out one more member, by name. What changes the deal while it is drawn makes the draw
    false (`net.room.seeds`).
    """
    match event:
        case events.Entered(member):
            return lobby.person(member) is None
        case events.Claimed(member, claim):
            return lobby.person(member) is not None and claim.fits(len(lobby.chairs))
        case events.Exited(member) | events.PresenceChanged(member) | events.Remark(member):
            return lobby.person(member) is not None
        case events.SatDown(seat, member):
            return seat < len(lobby.chairs) and lobby.person(member) is not None
        case events.StoodUp(seat) | events.BotSat(seat) | events.StoodIn(seat):
            return seat < len(lobby.chairs)
        case events.ReadyChanged(seat):
            return seat < len(lobby.chairs) and isinstance(lobby.chairs[seat], Taken)
        case events.BotRetired(bot):
            seated = {chair.level for chair in lobby.chairs if isinstance(chair, BotChair)}
            return bot in seated or bot == lobby.settings.stand_in
        case events.BotClaimed(seat, claim):
            return lobby.is_bot(seat) and claim.fits(len(lobby.chairs))
        case events.BotSaid(seat):
            return lobby.is_bot(seat)
        case events.SettingsChanged(settings):
            taken = [seat for seat, chair in enumerate(lobby.chairs) if not isinstance(chair, Free)]
            return settings.seats > max(taken, default=0)
        case events.GameBegins():
            is_due = lobby.stage is Stage.LOBBY and not lobby.is_drawing
            return is_due and lobby.players >= MIN_SEATS
        case events.RoundBegins() | events.Rematch():
            return lobby.stage is Stage.PLAYING and not lobby.is_drawing
        case events.Paused() | events.Reopened() | events.Closed() | events.RecordPublished():
            return True
        case events.HostSharesShown():
            return bool(lobby.relocations)
        case events.Locked() | events.CodeRenewed() | events.WentOn():
            return True
        case events.HostOffered(member):
            return lobby.seat_of(member) is not None
        case events.HandingOver():
            return True
        case events.SeatAsked(seat, member):
            return can_ask(lobby, seat) and lobby.person(member) is not None
        case events.HostChanged(member, term, anew=anew, at_odds=at_odds):
            is_here = max((*anew, *at_odds), default=0) < len(lobby.chairs)
            return lobby.seat_of(member) is not None and term > lobby.term and is_here
        case events.BroughtBack(seat):
            return bool(lobby.relocations) and seat < len(lobby.chairs)
        case events.DrawnAnew(seats):
            return max(seats, default=0) < len(lobby.chairs)
        case BoardNews():
            return lobby.is_hall
        case events.DrawBegan() | events.SharesCommitted() | events.SharesShown():
            return _can_be_drawn(lobby, event)
        case _:
            assert_never(event)


def _can_be_drawn(
    lobby: Lobby, event: events.DrawBegan | events.SharesCommitted | events.SharesShown
) -> bool:
    """Return True if a draw may begin or go on like that."""
    draw = lobby.draw if lobby.is_drawing else None
    match event:
        case events.DrawBegan(members=members, absent=absent):
            asked = sorted(person.member for person in lobby.drawers)
            is_due = draw is None or {person.member for person in draw.people} > set(members)
            is_fit = sorted((*members, *absent)) == asked
            return lobby.stage is not Stage.CLOSED and is_fit and is_due
        case events.SharesCommitted(commitments):
            return draw is not None and len(commitments) == len(draw.people)
        case events.SharesShown(shares):
            return draw is not None and len(shares) == len(draw.people) == len(draw.commitments)
        case _:
            assert_never(event)


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
        and all(map(_is_level, levels))
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


def _is_level(text: str) -> bool:
    return is_clean(text, _LEVEL_LENGTH, _LEVEL_LENGTH)


def _is_edition(text: str) -> bool:
    try:
        Edition.read(text)
    except NotationError:
        return False
    return True
