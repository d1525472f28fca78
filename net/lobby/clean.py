"""Whether what a host tells holds only such text as an honest one lets in.

A client asks this of all that comes, once, where it comes in: what is shown may then be shown on
any terminal, though the host be somebody's own program.
"""

from __future__ import annotations

from net.lobby.lines import Line
from net.lobby.news import BotSat, Entered, News, Said
from net.lobby.talk import clean_text
from net.lobby.values import BotChair, Lobby
from net.text import clean_name


def is_clean_news(news: News) -> bool:
    """Whether the names and the talk in a piece of news are clean."""
    match news:
        case Entered(name=name) | BotSat(name=name):
            return _is_name(name)
        case Said(text=text):
            return clean_text(text) == text
        case _:
            return True


def is_clean_lobby(lobby: Lobby) -> bool:
    """Whether all names at a table are clean, and its own."""
    bots = [chair.name for chair in lobby.chairs if isinstance(chair, BotChair)]
    names = [lobby.name, *bots, *(person.name for person in lobby.people)]
    return all(map(_is_name, names))


def is_clean_line(line: Line) -> bool:
    """Whether a line of talk, and the name of who said it, are clean."""
    return _is_name(line.name) and clean_text(line.text) == line.text


def _is_name(name: str) -> bool:
    return clean_name(name) == name
