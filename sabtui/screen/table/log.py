"""What happened and what was said, as lines: the game, the table, and talk in one list.

Knows updates and how to tell them. A line keeps the words it was told with; only a snapshot, which
replaces all that was held, begins the list anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from engine.events import DwarfDealt, Event, GameEnded, RoundBegan, RoundEnded
from net.client.seat import Now, Update
from net.lobby import Line, Lobby, News, after, in_order, said_in
from sabtui.plain.telling import logged, told
from sabtui.plain.wrap import confined
from sabtui.screen.rows import Look, Row, Span
from sabtui.words.endings import alarm_told, code_told, disk_told, own_news
from sabtui.words.news import cast_of, happened_here
from sabtui.words.talk import spoken
from sabtui.words.tongue import _

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
    """A line. A `secret` one names one's own dwarf, which others are not to see over a shoulder."""

    text: str
    kind: Kind
    secret: bool = False

    def seen(self, *, veiled: bool) -> str:
        """Return the text as it is shown."""
        return _("Your dwarf is hidden: v shows it.") if self.secret and veiled else self.text


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
                self._add(logged([one], view, cast), Kind.GAME, secret=_is_secret(one))
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
            self._add(told(event, view, cast), _kind(event), secret=_is_secret(event))

    def rows(self, columns: int, rows: int, back: int = 0, *, veiled: bool = False) -> list[Row]:
        """The last lines that fit, or those so many rows before, at the bottom of the room.

        None of them is shown from its middle on, unless there is no room for a whole one.
        """
        lines = self.lines[: len(self.lines) - self._held_back]
        shown = _page(_broken(lines, columns, rows + back, veiled=veiled), rows, back)
        told: list[Row] = [(Span(part.text, part.look),) for part in shown]
        return [()] * (rows - len(told)) + told

    def turned(self, columns: int, rows: int, back: int, pages: int) -> int:
        """How far one is back after so many pages more, each of which ends where one began."""
        broken = _broken(self.lines, columns, MOST_LINES * INDENT, veiled=False)
        begins = [0]
        while begins[-1] + rows < len(broken) and rows > 0:
            above = begins[-1] + len(_page(broken, rows, begins[-1]))
            begins.append(min(above, len(broken) - rows))
        others = [at for at in begins if (at > back if pages > 0 else at < back)]
        if not others:
            return min(back, begins[-1])
        return others[0] if pages > 0 else others[-1]

    def tell_all(self) -> None:
        """Tell what is held back from the end of a round on: who everybody was."""
        self._holds, self._held_back = False, 0

    def _tell_news(self, news: News, before: Lobby, me: int) -> None:
        said = said_in(news, before)
        if said is not None:
            self._add([spoken(said, cast_of(before, me).names)], Kind.TALK)
            return
        line = happened_here(news, before, me)
        self._add([line] if line else [], Kind.TABLE)

    def _add(self, lines: Iterable[str], kind: Kind, *, secret: bool = False) -> None:
        new = [Told(line, kind, secret) for line in lines]
        self.lines += new
        self._held_back += len(new) if self._holds else 0
        del self.lines[:-MOST_LINES]


def _kind(event: Event) -> Kind:
    match event:
        case RoundBegan() | RoundEnded() | GameEnded():
            return Kind.TURNING_POINT
        case _:
            return Kind.GAME


def _is_secret(event: Event) -> bool:
    """Return whether a line about an event names one's own dwarf before all are unveiled."""
    return isinstance(event, DwarfDealt)


class _Part(NamedTuple):
    """A row of a line."""

    text: str
    look: Look
    begins: bool


def _broken(lines: Sequence[Told], columns: int, enough: int, *, veiled: bool) -> list[_Part]:
    """The last lines in rows of the screen, at least so many of them if there are."""
    rows: list[_Part] = []
    for line in reversed(lines):
        parts = confined([line.seen(veiled=veiled)], columns, INDENT)
        rows[:0] = [_Part(part, line.kind.value, at == 0) for at, part in enumerate(parts)]
        if len(rows) >= enough:
            break
    return rows


def _page(broken: Sequence[_Part], rows: int, back: int) -> list[_Part]:
    """The rows above the last `back`: as many as fit, and whole lines where one fits."""
    last = max(len(broken) - back, 0)
    page = list(broken[max(last - rows, 0) : last])
    first = next((at for at, part in enumerate(page) if part.begins), 0)
    return page[first:]
