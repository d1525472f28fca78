"""Log of the table: events of the game, news of the table, and chat, in one list.

A line keeps the words that it was added with: somebody else may have the seat by now. Players have
colours of their own, and path cards small drawings; in ASCII these are letters. A snapshot of the
table starts a new list: this round, and all talk. `LogScreen` shows all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import groupby
from typing import Final, NamedTuple

from textual.app import ComposeResult

from engine import events
from engine.actions import Broke, Collapsed, Repaired, TurnEvent
from engine.board import GOAL_CELLS
from engine.cards import Path, Role
from engine.view import View
from net.client.session import Received, Status, Update
from net.protocol.chat import ChatLine, chat_line_of, in_order
from net.protocol.lobby import Lobby, Topic
from net.protocol.lobby_events import BotClaimed, LobbyEvent, StoodIn
from sabtui.table.sight import Sight, missed_lines
from sabtui.text import connection
from sabtui.text.audit import wrong_lines
from sabtui.text.cards import card_words, cell_words
from sabtui.text.events import CARD_SIGN, all_passed, brief_sentence, event_lines, log_lines
from sabtui.text.i18n import _, capitalise
from sabtui.text.layout import confine_lines
from sabtui.text.lobby import lobby_sentence, player_names
from sabtui.text.names import PlayerNames
from sabtui.text.talk import bot_reason, chat_words, short_goal
from sabtui.tui.command import Command
from sabtui.tui.mine.tiles import TileSize, draw_in_hand
from sabtui.tui.screens.pages import PageScreen
from sabtui.tui.theme import ASCII, Glyphs
from sabtui.tui.widgets.panel import Look, Panel, Row, StyledSpan, draw_rule, player_look
from sabtui.tui.widgets.text import TextPage

INDENT_COLUMNS: Final = 2  # indent of the continuation of a broken line


class LogKind(Enum):
    """Kind of a line."""

    GAME = auto()  # any other turn
    HARM = auto()  # a turn that breaks a tool
    PASS = auto()
    OWN = auto()  # for the reader only
    EVENT = auto()  # an event that is not a turn
    ROUND = auto()
    TURNING_POINT = auto()
    TABLE = auto()  # news of people
    STOOD_IN = auto()  # a bot has moved for the reader
    TALK = auto()
    CLAIM = auto()  # a claim about a goal
    LAP = auto()  # a rule between laps, in each of which every player has a turn


_LOOKS: Final = {
    LogKind.HARM: Look.DEAD,
    LogKind.STOOD_IN: Look.GOLD,
    LogKind.PASS: Look.DIM,
    LogKind.ROUND: Look.STRONG,
    LogKind.TURNING_POINT: Look.STRONG,
    LogKind.TABLE: Look.DIM,
    LogKind.TALK: Look.TALK,
    LogKind.CLAIM: Look.TALK,
    LogKind.LAP: Look.RULE,
}


class Actor(NamedTuple):
    """A player who did or said something, named and coloured as they were then."""

    seat: int
    name: str
    colour: int


@dataclass(frozen=True, slots=True)
class LogEntry:
    """Line of the log."""

    text: str
    kind: LogKind
    players: tuple[Actor, ...] = ()
    """Who did or said it; if the text begins with their names, these are coloured."""
    path: Path | None = None  # the card that is drawn in place of the sign in the text
    turn: events.PlayedTurn | None = None  # the event of a turn

    @staticmethod
    def of(event: events.Event, text: str, names: PlayerNames) -> LogEntry:
        path = event.path if isinstance(event, events.Laid | Collapsed) else None
        seat = event.seat if isinstance(event, TurnEvent) else None
        if isinstance(event, events.DiscardedCard | events.GoalPeeked):  # shown only to its player
            seat = event.to
        actors = () if seat is None else (Actor(seat, names.names[seat], names.colour(seat)),)
        turn = event if isinstance(event, TurnEvent) else None
        return LogEntry(text, _find_kind(event), actors, path, turn)

    def is_by(self, seat: int | None) -> bool:
        return seat in {player.seat for player in self.players}

    def rows(self, columns: int, glyphs: Glyphs) -> list[Row]:
        """Return the line as rows of at most `columns`, the continued ones indented."""
        look = _LOOKS.get(self.kind, Look.PLAIN)
        if self.kind is LogKind.LAP:
            rule = draw_rule(self.text, columns, glyphs.across)
            return [tuple(span._replace(look=Look.RULE) for span in rule)]
        text, marks = self.text, []
        if self.players and text.startswith(self.players[0].name):
            marks = [(player.name, player_look(player.colour)) for player in self.players]
        if self.path is not None:
            drawing = card_sign(self.path, glyphs)
            text = text.replace(CARD_SIGN, drawing)
            marks.append((drawing, Look.REACHED if self.path.through else Look.DEAD))
        if self.kind in _TURNS:
            text = text.removesuffix(".")
        found: list[Row] = []
        for part in confine_lines([text], columns, INDENT_COLUMNS):
            row, marks = _mark_names(part, marks, look)
            found.append(row)
        return found

    def brief_rows(self, columns: int, glyphs: Glyphs, names: PlayerNames) -> list[Row]:
        """Return a turn in one row if its sentence or a shorter one fits, else in several."""
        short = "" if self.turn is None else brief_sentence(self.turn, names)
        found = [
            replace(self, text=text).rows(columns, glyphs)
            for text in filter(None, (self.text, short))
        ]
        return next((rows for rows in found if len(rows) == 1), found[-1])


_TURNS: Final = frozenset((LogKind.GAME, LogKind.HARM, LogKind.PASS))
"""Kinds of turns, of which each line is one sentence, shown without its full stop."""


def brief_words(event: events.PlayedTurn, names: PlayerNames, glyphs: Glyphs) -> str:
    """Return a turn in a few letters: a path card as a drawing, a tool with its sign."""
    match event:
        case events.Laid(_, path, cell):
            return f"{card_sign(path, glyphs)} {cell_words(cell, spelt=False)}"
        case Broke(tool=tool) | Repaired(tool=tool):
            return f"{event.move.card.text[0]}{tool.value} {names.call(event.target)}"
        case events.Passed():
            # Translators: in the header: last Anna passed.
            return _("passed")
        case _:
            play = event.move
            is_goal = play.place in GOAL_CELLS
            goal = short_goal(GOAL_CELLS.index(play.place)) if is_goal else ""
            return f"{card_words(play.card)} {goal or cell_words(play.place, spelt=False)}"


def role_look(role: Role) -> Look:
    return Look.BAD if role is Role.SABOTEUR else Look.GOOD


def card_sign(path: Path, glyphs: Glyphs) -> str:
    """Return a drawing of a path card within a line: one letter, or up to three for a dead end."""
    if glyphs is ASCII:
        return path.text
    if path.through:
        return glyphs.reached.joints[path.edges]
    return draw_in_hand(path, TileSize.SMALL, glyphs)[0].strip()


def _find_kind(event: events.Event) -> LogKind:
    match event:
        case events.RoundBegan():
            return LogKind.ROUND
        case events.RoundEnded() | events.GameEnded():
            return LogKind.TURNING_POINT
        case Broke():
            return LogKind.HARM
        case events.Passed():
            return LogKind.PASS
        case _ if events.addressee(event) is not None:
            return LogKind.OWN
        case _:
            return LogKind.GAME if isinstance(event, TurnEvent) else LogKind.EVENT


def _mark_names(
    text: str, marks: list[tuple[str, Look]], look: Look
) -> tuple[Row, list[tuple[str, Look]]]:
    """Return a text as a row with its marks, found one after another, and the marks not found."""
    spans: list[StyledSpan] = []
    left: list[tuple[str, Look]] = []
    for wanted, mark_look in marks:
        before, mark, after = text.partition(wanted)
        if not mark:
            left.append((wanted, mark_look))
            continue
        spans += [StyledSpan(before, look), StyledSpan(mark, mark_look)]
        text = after
    spans.append(StyledSpan(text, look))
    return tuple(span for span in spans if span.text), left


TALK_KINDS: Final = frozenset((LogKind.TALK, LogKind.CLAIM, LogKind.TABLE))
"""Kinds of lines about people: talk, arrivals and departures."""

SAID_KINDS: Final = frozenset((LogKind.TALK, LogKind.CLAIM))
"""Kinds of lines that people and bots say."""

MAX_LOG_LINES: Final = 400  # maximum number of lines that are kept


@dataclass(frozen=True, slots=True)
class TableLog:
    """Lines of the log, oldest first."""

    lines: tuple[LogEntry, ...] = ()
    lap: int = 0  # laps of the round that have begun; one is over when somebody has a second turn
    played: frozenset[int] = frozenset()  # seats that have played in this lap

    @staticmethod
    def of(status: Status) -> TableLog:
        log, sight = TableLog(), Sight.of(status)
        if sight is not None:
            log = log.with_past(in_order(sight.view, sight.said), sight)
        news = connection.own_news(connection.without_open_doors(status), Status())
        return log.with_lines(news, LogKind.TABLE)

    def with_past(self, past: Iterable[events.Event | ChatLine], sight: Sight) -> TableLog:
        """Return the log with events and talk, in order."""
        log = self
        for entry in past:
            if isinstance(entry, ChatLine):
                is_bot = entry.seat >= 0 and sight.presences[entry.seat : entry.seat + 1] == (None,)
                log = log.with_chat(entry, sight.names, sight.view if is_bot else None)
            else:
                lines = log_lines([entry], sight.view, sight.names, CARD_SIGN)
                log = log.with_event(entry, lines, sight.names)
        return log

    def after(self, update: Update, before: Status) -> TableLog:
        """Return the log with the lines of an update; `before` is the status before it."""
        log, status, received = self, update.status, update.received
        if before.game_state is not None and status.disk is not before.disk:
            log = log.with_lines(
                [connection.disk_sentence(status.disk, is_host=status.is_host)], LogKind.TABLE
            )
        log = log.with_lines(connection.own_news(status, before), LogKind.TABLE)
        if received is None:
            return log
        if received.renewed or before.lobby is None:
            log = TableLog.of(status).with_lines(missed_lines(status, before), LogKind.STOOD_IN)
        else:
            log = log.after_events(received, status, before.lobby)
        lines = [*connection.host_lines(received), *wrong_lines(received)]
        return log.with_lines(lines, LogKind.TABLE)

    def after_events(self, received: Received, status: Status, lobby: Lobby) -> TableLog:
        """Return the log with the lines of new events; `lobby` is the lobby before them."""
        log, sight = self, Sight.of(status)
        for lobby_event in received.news:
            view = None if sight is None else sight.view
            log = log.with_lobby_event(lobby_event, lobby, status.member, view)
            lobby = lobby_event.change(lobby)
        if sight is None:
            return log
        for event in received.events:
            lines = event_lines(event, sight.view, sight.names, CARD_SIGN)
            log = log.with_event(event, lines, sight.names)
        return log

    def rows(self, columns: int, rows: int, glyphs: Glyphs) -> list[Row]:
        """Return the last lines that fit whole, or the end of one, at the bottom."""
        shown = list[Row]()
        for line in reversed(self.lines):
            parts = line.rows(columns, glyphs)
            if len(shown) + len(parts) > rows:
                shown = shown or parts[len(parts) - rows :]
                break
            shown[:0] = parts
        return [()] * (rows - len(shown)) + shown

    @property
    def newest_talk(self) -> LogEntry | None:
        """The last line that somebody has said, `None` if nobody has."""
        said = (line for line in reversed(self.lines) if line.kind in SAID_KINDS)
        return next(said, None)

    def without_turns(self) -> TableLog:
        """Return the log with talk and news only, for places that show the moves beside it."""
        kinds = {*TALK_KINDS, LogKind.OWN, LogKind.ROUND, LogKind.TURNING_POINT}
        kept = tuple(line for line in self.lines if line.kind in kinds)
        return replace(self, lines=kept)

    def all_rows(self, columns: int, glyphs: Glyphs) -> list[Row]:
        return [row for line in self.lines for row in line.rows(columns, glyphs)]

    def with_event(self, event: events.Event, lines: Sequence[str], names: PlayerNames) -> TableLog:
        """Return the log with the lines of an event; with a rule above the first of a lap."""
        log = self
        if isinstance(event, events.DwarfDealt):  # the role is shown only while one asks for it
            return log
        if isinstance(event, events.RoundBegan):
            log = replace(log, lap=0, played=frozenset())
        if isinstance(event, TurnEvent):
            if not log.lap or event.seat in log.played:
                # Translators: a rule in the log, above the second turn of each player, the third
                # one...: turn 2 of each player; at most 28 columns.
                text = _("turn {number}").format(number=log.lap + 1)
                log = log.with_entries([LogEntry(text, LogKind.LAP)])
                log = replace(log, lap=log.lap + 1, played=frozenset())
            log = replace(log, played=log.played | {event.seat})
        return log.with_entries([LogEntry.of(event, line, names) for line in lines])

    def with_lobby_event(
        self, event: LobbyEvent, before: Lobby, me: int, view: View | None = None
    ) -> TableLog:
        """Return the log with the line of a lobby event; a bot's reason follows from the `view`."""
        chat_line = chat_line_of(event, before)
        if chat_line is not None:
            bots_view = view if isinstance(event, BotClaimed) else None
            return self.with_chat(chat_line, player_names(before, me), bots_view)
        line = lobby_sentence(event, before, me)
        is_own = isinstance(event, StoodIn) and before.seat_of(me) == event.seat
        return self.with_lines(
            [line] if line else [], LogKind.STOOD_IN if is_own else LogKind.TABLE
        )

    def with_chat(
        self, line: ChatLine, names: PlayerNames, view: View | None = None, said: str = ""
    ) -> TableLog:
        """Return the log with a line of chat, or the words `said`; a bot's has its reason."""
        why = "" if view is None else bot_reason(line, view, names)
        said = said or chat_words(line, names.names, why, quoted=False)
        actor = Actor(line.seat, line.name, names.colour(line.seat))
        players = (actor,) if line.seat >= 0 else ()
        of_goal = line.claim is not None and line.claim.topic in (Topic.GOLD_AT, Topic.STONE_AT)
        kind = LogKind.CLAIM if of_goal else LogKind.TALK
        return self.with_entries([LogEntry(said, kind, players)])

    def with_lines(self, lines: Iterable[str], kind: LogKind) -> TableLog:
        return self.with_entries([LogEntry(line, kind) for line in lines])

    def with_entries(self, new: Sequence[LogEntry]) -> TableLog:
        """Return the log with more entries, the oldest dropped if they are too many."""
        return replace(self, lines=(*self.lines, *new)[-MAX_LOG_LINES:])

    def recent(self, view: View, names: PlayerNames) -> tuple[LogEntry, ...]:
        """Return what has happened since the reader's last turn, passes in a row as one line.

        Before the reader's first turn it begins with the round; for a watcher it has as many turns
        as there are players. The reader's own news, and rules between laps, are left out.
        """
        entries = [
            entry
            for entry in self.lines[self._find_recent(view) :]
            if entry.kind not in _LEFT_OUT or entry.is_by(view.seat)
        ]
        return _fold_passes(entries, names)

    def earlier_talk(self, view: View) -> TableLog:
        """Return the log with the talk of the round from before `recent` only."""
        talk = list[LogEntry]()
        for line in self.lines[: self._find_recent(view)]:
            if line.kind is LogKind.ROUND:  # claims from another round would mislead
                talk.clear()
            elif line.kind in TALK_KINDS:
                talk.append(line)
        return replace(self, lines=tuple(talk))

    def _find_recent(self, view: View) -> int:
        """Return the index of the first line of `recent`."""
        turns = 0
        for at, entry in reversed([*enumerate(self.lines)]):
            turns += entry.kind in _TURNS
            if entry.kind is LogKind.ROUND or turns > view.table.players:
                return at + 1
            if entry.kind in _OF_TURNS and entry.is_by(view.seat):
                is_unseen = at > 0 and self.lines[at - 1].kind is LogKind.STOOD_IN
                return at - 1 if is_unseen else at + 1
        return 0


_OF_TURNS: Final = _TURNS | {LogKind.OWN}
"""Kinds of lines that mark the reader's own turn: a pass is told only to its player."""

_LEFT_OUT: Final = frozenset((LogKind.LAP, LogKind.OWN))


def _fold_passes(entries: Sequence[LogEntry], names: PlayerNames) -> tuple[LogEntry, ...]:
    folded: list[LogEntry] = []
    for is_pass, group in groupby(entries, lambda entry: entry.kind is LogKind.PASS):
        run = list(group)
        if is_pass and len(run) > 1:
            players = tuple(player for entry in run for player in entry.players)
            text = all_passed([player.seat for player in players], names)
            run = [LogEntry(text, LogKind.PASS, players)]
        folded += run
    return tuple(folded)


class LogPage(TextPage):
    """Rows of the log in a box, in the players' colours; the newest stay in sight."""

    def __init__(self, rows_of: Callable[[int], Sequence[Row]]) -> None:
        super().__init__(capitalise(_("log")), lambda _columns: ())
        self._rows_of: Final = rows_of
        self._panel: Final = Panel("log-rows")

    def compose(self) -> ComposeResult:
        yield self._panel

    def on_mount(self) -> None:
        self.anchor()

    def fill(self, columns: int) -> int:
        """Show the rows for this many columns, and return their number."""
        rows = self._rows_of(columns)
        self._panel.styles.height = len(rows)
        self._panel.show(rows)
        return len(rows)


class LogScreen(PageScreen):
    """The log, the newest line at the bottom; `rows_of` is called at each drawing."""

    def __init__(self, rows_of: Callable[[int], Sequence[Row]]) -> None:
        super().__init__(LogPage(rows_of))

    def commands(self) -> Iterable[Command]:
        text = _("back to where you were")
        yield Command("back", ("escape", "q", "L"), _("back"), text, self.back)

    def on_panel_wheeled(self, wheeled: Panel.Wheeled) -> None:
        self.page.scroll_relative(y=2 * wheeled.down, animate=False)
