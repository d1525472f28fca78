"""Log of the table: events of the game, news of the table, and chat, in one list.

A line keeps the words with which it was added. Only a snapshot, which replaces the whole state,
rebuilds the list.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, NamedTuple

from engine.events import DwarfDealt, Event, GameEnded, RoundBegan, RoundEnded
from net.client.session import Status, Update
from net.lobby.chat import ChatLine, chat_line_of, in_order
from net.lobby.events import LobbyEvent, apply
from net.lobby.model import Lobby
from sabtui.text.chat import chat_words
from sabtui.text.connection import alarm_told, code_told, disk_told, own_news
from sabtui.text.events import event_lines, log_lines
from sabtui.text.i18n import _
from sabtui.text.layout import confined
from sabtui.text.lobby import cast_of, happened_here
from sabtui.tui.widgets.rows import Look, Row, StyledSpan

MAX_LOG_LINES: Final = 400
"""Most lines that are kept."""

INDENT_COLUMNS: Final = 2
"""Columns by which the continuation of a broken line is indented."""


class LogKind(Enum):
    """Kind of a line, with its look."""

    GAME = Look.PLAIN
    TURNING_POINT = Look.STRONG
    TABLE = Look.DIM
    TALK = Look.TALK


@dataclass(frozen=True, slots=True)
class LogEntry:
    """Line of the log. A `secret` one names the player's own dwarf: onlookers must not see it."""

    text: str
    kind: LogKind
    secret: bool = False

    def seen(self, *, veiled: bool) -> str:
        """Return the text as it is shown."""
        return _("Your role is hidden: v shows it.") if self.secret and veiled else self.text


@dataclass(frozen=True, slots=True)
class TableLog:
    """Lines of the log, oldest first.

    The last `held_back` lines are not shown yet. While it `holds`, lines are held back: from the
    end of a round until `tell_all`, because the dwarves are unveiled one by one.
    """

    lines: tuple[LogEntry, ...] = ()
    holds: bool = False
    held_back: int = 0

    @staticmethod
    def of(status: Status) -> TableLog:
        """Return the log of the current status."""
        log, lobby, view = TableLog(), status.lobby, status.view
        if lobby is None or status.game_state is None:
            return log
        names = cast_of(lobby, status.member)
        talk = status.game_state.talk
        for one in talk if view is None else in_order(view, talk):
            if isinstance(one, ChatLine):
                log = log.with_lines([chat_words(one, names.names)], LogKind.TALK)
            elif view is not None:
                log = log.with_lines(
                    log_lines([one], view, names), LogKind.GAME, secret=_is_secret(one)
                )
        return log.with_lines(own_news(status, Status()), LogKind.TABLE)

    def after(self, update: Update, before: Status) -> TableLog:
        """Return the log with the lines of an update; `before` is the status before it."""
        log, status, heard = self, update.status, update.received
        if before.game_state is not None and status.disk is not before.disk:
            log = log.with_lines([disk_told(status.disk, is_host=status.is_host)], LogKind.TABLE)
        log = log.with_lines(own_news(status, before), LogKind.TABLE)
        if heard is None:
            return log
        if heard.code:
            log = log.with_lines([code_told(heard.code)], LogKind.TABLE)
        if heard.alarm:
            log = log.with_lines([alarm_told(heard.alarm)], LogKind.TABLE)
        if heard.renewed or before.lobby is None:
            return TableLog.of(status)
        lobby = before.lobby
        for lobby_event in heard.news:
            log = log.with_lobby_event(lobby_event, lobby, status.member)
            lobby = apply(lobby, lobby_event)
        view = status.view
        if view is None:
            return log
        names = cast_of(lobby, status.member)
        for event in heard.events:
            log = replace(log, holds=log.holds or isinstance(event, RoundEnded))
            lines = event_lines(event, view, names)
            log = log.with_lines(lines, _kind(event), secret=_is_secret(event))
        return log

    def rows(self, columns: int, rows: int, back: int = 0, *, veiled: bool = False) -> list[Row]:
        """Return the last lines that fit, or those `back` rows earlier, aligned to the bottom.

        No line is shown without its beginning, unless not even one whole line fits.
        """
        lines = self.lines[: len(self.lines) - self.held_back]
        shown = _page(_broken(lines, columns, rows + back, veiled=veiled), rows, back)
        told: list[Row] = [(StyledSpan(part.text, part.look),) for part in shown]
        return [()] * (rows - len(told)) + told

    def turned(self, columns: int, rows: int, back: int, pages: int) -> int:
        """Return the new `back` after turning one page: older if `pages` is positive, else newer.

        Each page ends where the next newer one begins.
        """
        broken = _broken(self.lines, columns, MAX_LOG_LINES * INDENT_COLUMNS, veiled=False)
        begins = [0]
        while begins[-1] + rows < len(broken) and rows > 0:
            above = begins[-1] + len(_page(broken, rows, begins[-1]))
            begins.append(min(above, len(broken) - rows))
        others = [at for at in begins if (at > back if pages > 0 else at < back)]
        if not others:
            return min(back, begins[-1])
        return others[0] if pages > 0 else others[-1]

    def tell_all(self) -> TableLog:
        """Return the log with the lines shown that were held back since the end of the round."""
        return replace(self, holds=False, held_back=0)

    def with_lobby_event(self, event: LobbyEvent, before: Lobby, me: int) -> TableLog:
        """Return the log with the line of a lobby event, if it has one."""
        chat_line = chat_line_of(event, before)
        if chat_line is not None:
            return self.with_lines([chat_words(chat_line, cast_of(before, me).names)], LogKind.TALK)
        line = happened_here(event, before, me)
        return self.with_lines([line] if line else [], LogKind.TABLE)

    def with_lines(self, lines: Iterable[str], kind: LogKind, *, secret: bool = False) -> TableLog:
        """Return the log with more lines, the oldest dropped if they are too many."""
        new = tuple(LogEntry(line, kind, secret) for line in lines)
        return replace(
            self,
            lines=(*self.lines, *new)[-MAX_LOG_LINES:],
            held_back=self.held_back + len(new) * self.holds,
        )


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
    """Row of a line on the screen. `begins` is True for the line's first row."""

    text: str
    look: Look
    begins: bool


def _broken(lines: Sequence[LogEntry], columns: int, enough: int, *, veiled: bool) -> list[_Part]:
    """Return the last lines as rows of the screen, at least `enough` rows if there are as many."""
    rows: list[_Part] = []
    for line in reversed(lines):
        parts = confined([line.seen(veiled=veiled)], columns, INDENT_COLUMNS)
        rows[:0] = [_Part(part, line.kind.value, at == 0) for at, part in enumerate(parts)]
        if len(rows) >= enough:
            break
    return rows


def _page(broken: Sequence[_Part], rows: int, back: int) -> list[_Part]:
    """Return the rows above the last `back`: as many as fit, beginning with a whole line."""
    last = max(len(broken) - back, 0)
    page = list(broken[max(last - rows, 0) : last])
    first = next((at for at, part in enumerate(page) if part.begins), 0)
    return page[first:]
