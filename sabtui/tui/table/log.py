"""What happened and what was said, as lines: the game, the table, and talk in one list.

A line keeps the words it was told with; only a snapshot, which replaces all that was held, begins
the list anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from engine.events import DwarfDealt, Event, GameEnded, RoundBegan, RoundEnded
from net.client.session import Status, Update
from net.lobby import ChatLine, Lobby, LobbyEvent, apply, chat_line_of, in_order
from sabtui.text.chat import chat_words
from sabtui.text.connection import alarm_told, code_told, disk_told, own_news
from sabtui.text.events import event_lines, log_lines
from sabtui.text.i18n import _
from sabtui.text.layout import confined
from sabtui.text.lobby import cast_of, happened_here
from sabtui.tui.widgets.rows import Look, Row, StyledSpan

MAX_LOG_LINES: Final = 400
"""How many lines are kept."""

INDENT_COLUMNS: Final = 2
"""How far the rest of a broken line is indented."""


class LogKind(Enum):
    """What a line tells."""

    GAME = Look.PLAIN
    TURNING_POINT = Look.STRONG
    TABLE = Look.DIM
    TALK = Look.TALK


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A line. A `secret` one names one's own dwarf, which others are not to see over a shoulder."""

    text: str
    kind: LogKind
    secret: bool = False

    def seen(self, *, veiled: bool) -> str:
        """Return the text as it is shown."""
        return _("Your dwarf is hidden: v shows it.") if self.secret and veiled else self.text


class TableLog:
    """The list, oldest first.

    What is told from the end of a round on is held back until `tell_all`: dwarves are unveiled
    one by one.
    """

    def __init__(self) -> None:
        self.lines: list[LogEntry] = []
        self._holds, self._held_back = False, 0

    def begin(self, status: Status) -> None:
        """Tell what is held, from nothing."""
        self.lines = []
        self.tell_all()
        lobby, view = status.lobby, status.view
        if lobby is None or status.game_state is None:
            return
        names = cast_of(lobby, status.member)
        for one in (
            status.game_state.talk if view is None else in_order(view, status.game_state.talk)
        ):
            if isinstance(one, ChatLine):
                self._add([chat_words(one, names.names)], LogKind.TALK)
            elif view is not None:
                self._add(log_lines([one], view, names), LogKind.GAME, secret=_is_secret(one))
        self._add(own_news(status, Status()), LogKind.TABLE)

    def apply(self, update: Update, before: Status) -> None:
        """Tell an update; `before` is what was held before it."""
        status, heard = update.status, update.received
        if before.game_state is not None and status.disk is not before.disk:
            self._add([disk_told(status.disk, is_host=status.is_host)], LogKind.TABLE)
        self._add(own_news(status, before), LogKind.TABLE)
        if heard is None:
            return
        if heard.code:
            self._add([code_told(heard.code)], LogKind.TABLE)
        if heard.alarm:
            self._add([alarm_told(heard.alarm)], LogKind.TABLE)
        if heard.renewed or before.lobby is None:
            self.begin(status)
            return
        lobby = before.lobby
        for lobby_event in heard.news:
            self._add_lobby_events(lobby_event, lobby, status.member)
            lobby = apply(lobby, lobby_event)
        view = status.view
        if view is None:
            return
        names = cast_of(lobby, status.member)
        for event in heard.events:
            self._holds = self._holds or isinstance(event, RoundEnded)
            self._add(event_lines(event, view, names), _kind(event), secret=_is_secret(event))

    def rows(self, columns: int, rows: int, back: int = 0, *, veiled: bool = False) -> list[Row]:
        """The last lines that fit, or those so many rows before, at the bottom of the room.

        None of them is shown from its middle on, unless there is no room for a whole one.
        """
        lines = self.lines[: len(self.lines) - self._held_back]
        shown = _page(_broken(lines, columns, rows + back, veiled=veiled), rows, back)
        told: list[Row] = [(StyledSpan(part.text, part.look),) for part in shown]
        return [()] * (rows - len(told)) + told

    def turned(self, columns: int, rows: int, back: int, pages: int) -> int:
        """How far one is back after so many pages more, each of which ends where one began."""
        broken = _broken(self.lines, columns, MAX_LOG_LINES * INDENT_COLUMNS, veiled=False)
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

    def _add_lobby_events(self, event: LobbyEvent, before: Lobby, me: int) -> None:
        chat_line = chat_line_of(event, before)
        if chat_line is not None:
            self._add([chat_words(chat_line, cast_of(before, me).names)], LogKind.TALK)
            return
        line = happened_here(event, before, me)
        self._add([line] if line else [], LogKind.TABLE)

    def _add(self, lines: Iterable[str], kind: LogKind, *, secret: bool = False) -> None:
        new = [LogEntry(line, kind, secret) for line in lines]
        self.lines += new
        self._held_back += len(new) if self._holds else 0
        del self.lines[:-MAX_LOG_LINES]


def _kind(event: Event) -> LogKind:
    match event:
        case RoundBegan() | RoundEnded() | GameEnded():
            return LogKind.TURNING_POINT
        case _:
            return LogKind.GAME


def _is_secret(event: Event) -> bool:
    """Return whether a line about an event names one's own dwarf before all are unveiled."""
    return isinstance(event, DwarfDealt)


class _Part(NamedTuple):
    """A row of a line."""

    text: str
    look: Look
    begins: bool


def _broken(lines: Sequence[LogEntry], columns: int, enough: int, *, veiled: bool) -> list[_Part]:
    """The last lines in rows of the screen, at least so many of them if there are."""
    rows: list[_Part] = []
    for line in reversed(lines):
        parts = confined([line.seen(veiled=veiled)], columns, INDENT_COLUMNS)
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
