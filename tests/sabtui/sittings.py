"""Places at a table in lines, made by hand, and what lines typed there do."""

from __future__ import annotations

from dataclasses import replace

from engine.notation import format_move
from engine.view import View
from net.client.seat import Now, Standing, Update
from net.lobby import Lobby, News, Stage
from net.table_view import Heard, Held
from sabtui.plain.hearing import hear
from sabtui.plain.reading import read
from sabtui.plain.sitting import Answer, Sitting
from sabtui.plain.wishes import Play
from sabtui.plain.wrap import Size
from tests.sabtui.tables import ANA, lobby

WIDE = Size(100, 24)
SMALL = Size(60, 18)


def now_at(
    table: Lobby, view: View | None = None, member: int = ANA, *, record: str = "", step: int = 5
) -> Now:
    """What a seat was told last."""
    return Now(Standing.LINKED, member, Held(1, step, table, view, record=record))


def at(now: Now, size: Size = SMALL) -> Sitting:
    """A place at which somebody has just been shown what is now."""
    return replace(hear(Sitting(size=size), Update(now, Heard(renewed=True))).sitting, size=size)


def playing(view: View, member: int = ANA, *, record: str = "", size: Size = SMALL) -> Sitting:
    """A place in a game of the host Ana, Bruno and Dede."""
    table = lobby(*lobby().chairs[:3], stage=Stage.PLAYING)
    return at(now_at(table, view, member, record=record), size)


def typed(sitting: Sitting, *lines: str) -> Answer:
    """What the last of these lines does."""
    answer = Answer(sitting)
    for line in lines:
        answer = read(answer.sitting, line)
    return answer


def told(sitting: Sitting, now: Now, heard: Heard | None = None) -> list[str]:
    """What is said when this comes."""
    return [*hear(sitting, Update(now, heard)).lines]


def news(sitting: Sitting, *all_of_it: News, now: Now | None = None) -> list[str]:
    """What is said of news, after which all is as `now` tells, or as before."""
    return told(sitting, now or sitting.now, Heard(news=all_of_it))


def move(answer: Answer) -> str:
    """The move that is wished for, in notation."""
    assert isinstance(answer.wish, Play), answer.lines
    return format_move(answer.wish.move)
