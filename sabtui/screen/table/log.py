"""What happened and what was said, as lines: the game, the table, and talk in one list.

Knows updates and how to tell them. A line keeps the words it was told with; only a snapshot, which
replaces all that was held, begins the list anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from engine.events import Event, GameEnded, RoundBegan, RoundEnded
from net.client.seat import Now, Update
from net.lobby import Line, Lobby, News, after, in_order, said_in
from sabtui.plain.telling import logged, told
from sabtui.plain.wrap import confined
from sabtui.screen.rows import Look, Row, Span
from sabtui.words.endings import alarm_told, code_told, disk_told, own_news
from sabtui.words.news import cast_of, happened_here
from sabtui.words.talk import spoken

MOST_LINES: Final = 400
"""How many lines are kept."""

INDENT: Final = 2
"""How far the rest of a broken line is indented."""


class Kind(Enum):
    """What a line tells."""

    GAME = Look.PLAIN
    TURNING_POINT = Look.STRONG
    TABLE = Look.DIM
    TALK = Look.TALK


@dataclass(frozen=True, slots=True)
class Told:
    """A line."""

    text: str
    kind: Kind


class Log:
    """The list, oldest first.

    What is told from the end of a round on is held back until `tell_all`: dwarves are unveiled
    one by one.
    """

    def __init__(self) -> None:
        self.lines: list[Told] = []
        self._holds, self._held_back = False, 0

    def begin(self, now: Now) -> None:
        """Tell what is held, from nothing."""
        self.lines = []
        self.tell_all()
        lobby, view = now.lobby, now.view
        if lobby is None or now.held is None:
            return
        cast = cast_of(lobby, now.member)
        for one in now.held.talk if view is None else in_order(view, now.held.talk):
            if isinstance(one, Line):
                self._add([spoken(one, cast.names)], Kind.TALK)
            elif view is not None:
                self._add(logged([one], view, cast), Kind.GAME)
        self._add(own_news(now, Now()), Kind.TABLE)

    def hear(self, update: Update, before: Now) -> None:
        """Tell an update; `before` is what was held before it."""
        now, heard = update.now, update.heard
        if before.held is not None and now.disk is not before.disk:
            self._add([disk_told(now.disk, is_host=now.is_host)], Kind.TABLE)
        self._add(own_news(now, before), Kind.TABLE)
        if heard is None:
            return
        if heard.code:
            self._add([code_told(heard.code)], Kind.TABLE)
        if heard.alarm:
            self._add([alarm_told(heard.alarm)], Kind.TABLE)
        if heard.renewed or before.lobby is None:
            self.begin(now)
            return
        lobby = before.lobby
        for news in heard.news:
            self._tell_news(news, lobby, now.member)
            lobby = after(lobby, news)
        view = now.view
        if view is None:
            return
        cast = cast_of(lobby, now.member)
        for event in heard.events:
            self._holds = self._holds or isinstance(event, RoundEnded)
            self._add(told(event, view, cast), _kind(event))

    def rows(self, columns: int, rows: int, back: int = 0) -> list[Row]:
        """The last lines that fit, or those so many rows before, at the bottom of the room."""
        lines = self.lines[: len(self.lines) - self._held_back]
        broken = _broken(lines, columns, rows + back)
        last = len(broken) - back
        shown = broken[max(last - rows, 0) : max(last, 0)]
        return [()] * (rows - len(shown)) + shown

    def tell_all(self) -> None:
        """Tell what is held back from the end of a round on: who everybody was."""
        self._holds, self._held_back = False, 0

    def height(self, columns: int) -> int:
        """How many rows all lines take."""
        return len(_broken(self.lines, columns, MOST_LINES * INDENT))

    def _tell_news(self, news: News, before: Lobby, me: int) -> None:
        said = said_in(news, before)
        if said is not None:
            self._add([spoken(said, cast_of(before, me).names)], Kind.TALK)
            return
        line = happened_here(news, before, me)
        self._add([line] if line else [], Kind.TABLE)

    def _add(self, lines: Iterable[str], kind: Kind) -> None:
        new = [Told(line, kind) for line in lines]
        self.lines += new
        self._held_back += len(new) if self._holds else 0
        del self.lines[:-MOST_LINES]


def _kind(event: Event) -> Kind:
    match event:
        case RoundBegan() | RoundEnded() | GameEnded():
            return Kind.TURNING_POINT
        case _:
            return Kind.GAME


def _broken(lines: Sequence[Told], columns: int, enough: int) -> list[Row]:
    """The last lines in rows of the screen, at least so many of them if there are."""
    rows: list[Row] = []
    for line in reversed(lines):
        parts = confined([line.text], columns, INDENT)
        rows[:0] = [(Span(part, line.kind.value),) for part in parts]
        if len(rows) >= enough:
            break
    return rows
