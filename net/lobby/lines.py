"""The last lines of talk, as a table and each client keep them and a snapshot brings them."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from net.codec.fields import SeatOrNobody, Wire, seat_code
from net.lobby.claims import Claim
from net.lobby.news import BotClaimed, Claimed, News, Said
from net.lobby.talk import MOST_LINES, Text
from net.lobby.values import BotChair, Lobby, Name


class Line(Wire, frozen=True):
    """Who said it, by the name and seat they had then (-1 for a watcher), and text or a claim."""

    name: Name
    seat: SeatOrNobody
    text: Text
    claim: Claim | None = None


Talk: TypeAlias = Annotated[tuple[Line, ...], Meta(max_length=MOST_LINES)]


def talk_after(talk: Talk, lobby: Lobby, news: News) -> Talk:
    """The last lines after a piece of news, told at a lobby as it was then."""
    match news:
        case Said(member, text):
            line = _line(lobby, member, text, None)
        case Claimed(member, claim):
            line = _line(lobby, member, "", claim)
        case BotClaimed(seat, claim):
            line = _bots_line(lobby, seat, claim)
        case _:
            return talk
    return (*talk, line)[-MOST_LINES:]


def _line(lobby: Lobby, member: int, text: str, claim: Claim | None) -> Line:
    person = lobby.person(member)
    if person is None:
        raise LookupError(member)
    return Line(person.name, seat_code(lobby.seat_of(member)), text, claim)


def _bots_line(lobby: Lobby, seat: int, claim: Claim) -> Line:
    chair = lobby.chairs[seat]
    if not isinstance(chair, BotChair):
        raise LookupError(seat)  # noqa: TRY004 - it is the bot that is not there
    return Line(chair.name, seat, "", claim)
