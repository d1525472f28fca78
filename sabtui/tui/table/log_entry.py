"""Line of the table's log: its words, and how they are coloured and broken into rows.

Players have colours of their own, and path cards small drawings; in ASCII these are letters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final, NamedTuple, assert_never

from rich.cells import cell_len

from engine.board import GOAL_CELLS
from engine.cards import Card, Path
from engine.events import (
    Broke,
    Collapsed,
    DiscardedCard,
    DwarfDealt,
    Event,
    GameEnded,
    GoalPeeked,
    Laid,
    Looked,
    Passed,
    PlayedTurn,
    Repaired,
    RoundBegan,
    RoundEnded,
    TurnEvent,
    addressee,
)
from sabtui.text.cards import card_words, cell_words
from sabtui.text.events import CARD_SIGN, brief_sentence
from sabtui.text.i18n import _
from sabtui.text.layout import confine_lines
from sabtui.text.names import PlayerNames
from sabtui.text.talk import short_goal
from sabtui.tui.mine.tiles import TileSize, card_drawn
from sabtui.tui.theme import ASCII, Glyphs
from sabtui.tui.widgets.rows import Look, Row, StyledSpan, cut, draw_rule, player_look

LEAST_NAME_COLUMNS: Final = 3
"""Least columns of a player's name that is cut to make room for what they did."""

INDENT_COLUMNS: Final = 2
"""Columns by which the continuation of a broken line is indented."""


class LogKind(Enum):
    """Kind of a line.

    `GAME`, `HARM` (a tool broken) and `PASS` are turns. `OWN` is for the reader alone, `EVENT` what
    follows of itself, `TABLE` news of people, `QUIET` what stands in the whole log alone, `CLAIM`
    talk that claims what a goal is, `TALK` all other talk, and `LAP` a rule between laps.
    """

    GAME = auto()
    HARM = auto()
    PASS = auto()
    OWN = auto()
    EVENT = auto()
    ROUND = auto()
    TURNING_POINT = auto()
    TABLE = auto()
    QUIET = auto()
    TALK = auto()
    CLAIM = auto()
    LAP = auto()


_LOOKS: Final = {
    LogKind.HARM: Look.DEAD,
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
    """Line of the log.

    `players` did or said it; if the text begins with their names, these are coloured. `path` is the
    card that is drawn in place of the sign in the text, and `turn` the event of a turn. A `secret`
    line names the player's own dwarf: onlookers must not see it.
    """

    text: str
    kind: LogKind
    players: tuple[Actor, ...] = ()
    path: Path | None = None
    secret: bool = False
    turn: PlayedTurn | None = None

    @staticmethod
    def of(event: Event, text: str, names: PlayerNames) -> LogEntry:
        """Return the line of an event."""
        path = event.path if isinstance(event, Laid | Collapsed) else None
        seat = _actor(event)
        actors = () if seat is None else (Actor(seat, names.names[seat], names.colour(seat)),)
        turn = event if isinstance(event, TurnEvent) else None
        return LogEntry(text, _kind(event), actors, path, isinstance(event, DwarfDealt), turn)

    def is_by(self, seat: int) -> bool:
        """Return True if a player is the one that this line is about."""
        return any(seat == one.seat for one in self.players)

    def rows(self, columns: int, glyphs: Glyphs, *, veiled: bool) -> list[Row]:
        """Return the line as rows of at most `columns`, the continued ones indented."""
        look = _LOOKS.get(self.kind, Look.PLAIN)
        if self.kind is LogKind.LAP:
            return [_dim(draw_rule(self.text, columns, glyphs.across))]
        if self.secret and veiled:
            return [(StyledSpan(_("Your role is hidden: v shows it."), look),)]
        text, marks = self.text, []
        if self.players and text.startswith(self.players[0].name):
            marks = [(one.name, player_look(one.colour)) for one in self.players]
        if self.path is not None:
            drawing = card_sign(self.path, glyphs)
            text = text.replace(CARD_SIGN, drawing)
            marks.append((drawing, Look.REACHED if self.path.through else Look.DEAD))
        if self.kind in _ONE_SENTENCE:
            text = text.removesuffix(".")
        found: list[Row] = []
        for part in confine_lines([text], columns, INDENT_COLUMNS):
            row, marks = _mark_names(part, marks, look)
            found.append(row)
        return found

    def brief_rows(self, columns: int, glyphs: Glyphs, names: PlayerNames) -> list[Row]:
        """Return a turn in one row if its sentence or a shorter one fits, else in several."""
        found = [
            replace(self, text=text).rows(columns, glyphs, veiled=False)
            for text in self._sentences(names)
        ]
        return next((rows for rows in found if len(rows) == 1), found[-1])

    def cut_rows(self, columns: int, glyphs: Glyphs, names: PlayerNames) -> list[Row]:
        """Return a turn in one row if cutting the player's name makes room for the rest of it."""
        actor = self.players[0]
        text = list(self._sentences(names))[-1].removesuffix(".")
        drawing = "" if self.path is None else card_sign(self.path, glyphs)
        room = cell_len(actor.name) + columns - cell_len(text.replace(CARD_SIGN, drawing))
        if room < LEAST_NAME_COLUMNS:
            return self.brief_rows(columns, glyphs, names)
        short = actor._replace(name=cut(actor.name, room))
        text = text.replace(actor.name, short.name, 1)
        return replace(self, text=text, players=(short,)).rows(columns, glyphs, veiled=False)

    def _sentences(self, names: PlayerNames) -> Iterator[str]:
        """Yield the sentence of a turn, and a shorter one if there is one."""
        short = "" if self.turn is None else brief_sentence(self.turn, names)
        return filter(None, (self.text, short))


_ONE_SENTENCE: Final = frozenset((LogKind.GAME, LogKind.HARM, LogKind.PASS))
"""Kinds of which each line is one sentence, shown without its full stop."""


def brief_words(event: PlayedTurn, names: PlayerNames, glyphs: Glyphs) -> str:
    """Return a turn in a few letters: a path card as a drawing, a tool with its sign."""
    match event:
        case Laid(_, path, cell):
            return f"{card_sign(path, glyphs)} {cell_words(cell, spelt=False)}"
        case Collapsed(_, cell):
            return f"{card_words(Card.ROCKFALL)} {cell_words(cell, spelt=False)}"
        case Looked(_, cell):
            is_goal = cell in GOAL_CELLS  # A host that plays false may tell of another cell.
            goal = short_goal(GOAL_CELLS.index(cell)) if is_goal else cell_words(cell, spelt=False)
            return f"{card_words(Card.MAP)} {goal}"
        case Broke(_, tool, target):
            return f"-{tool.value} {names.call(target)}"
        case Repaired(_, _, target, tool):
            return f"+{tool.value} {names.call(target)}"
        case Passed():
            # Translators: in the header: last Anna passed.
            return _("passed")
        case _:
            assert_never(event)


def card_sign(path: Path, glyphs: Glyphs) -> str:
    """Return a drawing of a path card within a line: one letter, or up to three for a dead end."""
    if glyphs is ASCII:
        return path.text
    if path.through:
        return glyphs.reached.joints[path.edges]
    return card_drawn(path, TileSize.SMALL, glyphs)[0].strip()


def _kind(event: Event) -> LogKind:
    match event:
        case RoundBegan():
            return LogKind.ROUND
        case RoundEnded() | GameEnded():
            return LogKind.TURNING_POINT
        case Broke():
            return LogKind.HARM
        case Passed():
            return LogKind.PASS
        case _ if addressee(event) is not None:
            return LogKind.OWN
        case _:
            return LogKind.GAME if isinstance(event, TurnEvent) else LogKind.EVENT


def _actor(event: Event) -> int | None:
    """Return the seat whose turn an event tells of, to all or to itself alone."""
    if isinstance(event, DiscardedCard | GoalPeeked):
        return event.to
    return event.seat if isinstance(event, TurnEvent) else None


def _dim(row: Row) -> Row:
    return tuple(span._replace(look=Look.RULE) for span in row)


def _mark_names(
    text: str, marks: list[tuple[str, Look]], look: Look
) -> tuple[Row, list[tuple[str, Look]]]:
    """Return a text with those of the marks that it contains in their looks, and the others.

    Marks come in the order of the text.
    """
    spans: list[StyledSpan] = []
    left: list[tuple[str, Look]] = []
    for wanted, of_it in marks:
        before, mark, after = text.partition(wanted)
        if not mark:
            left.append((wanted, of_it))
            continue
        spans += [StyledSpan(before, look), StyledSpan(mark, of_it)]
        text = after
    spans.append(StyledSpan(text, look))
    return tuple(span for span in spans if span.text), left
