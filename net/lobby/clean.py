"""Whether what a host tells holds only such text and claims as an honest one lets in.

A client asks this of all that comes, once, where it comes in: what is shown may then be shown on
any terminal, though the host be somebody's own program.
"""

from __future__ import annotations

from net.codec.fields import MOST_SEATS
from net.lobby.lines import Line
from net.lobby.news import BotClaimed, BotSat, Claimed, Entered, MovesMissing, News, Said
from net.lobby.talk import TEXT_BYTES, TEXT_CELLS
from net.lobby.values import BotChair, Lobby
from net.text import NAME_BYTES, NAME_CELLS, is_clean


def is_clean_news(news: News) -> bool:
    """Whether the names and the talk in a piece of news are clean, and claims about something."""
    match news:
        case Entered(name=name) | BotSat(name=name):
            return _is_name(name)
        case Said(text=text):
            return _is_text(text)
        case MovesMissing(name=name):
            return _is_name(name) and news.is_sound
        case Claimed(claim=claim) | BotClaimed(claim=claim):
            return claim.fits(MOST_SEATS)
        case _:
            return True


def is_clean_lobby(lobby: Lobby) -> bool:
    """Whether all names at a table are clean, and its own."""
    bots = [chair.name for chair in lobby.chairs if isinstance(chair, BotChair)]
    names = [lobby.name, *bots, *(person.name for person in lobby.people)]
    return all(map(_is_name, names))


def is_clean_line(line: Line) -> bool:
    """Whether a line of talk, and the name of who said it, are clean, and a claim is of something.

    A table may have fewer seats now than when something was said of one.
    """
    fits = line.claim is None or line.claim.fits(MOST_SEATS)
    return fits and _is_name(line.name) and _is_text(line.text)


def _is_name(name: str) -> bool:
    return is_clean(name, NAME_CELLS, NAME_BYTES)


def _is_text(text: str) -> bool:
    return is_clean(text, TEXT_CELLS, TEXT_BYTES)
