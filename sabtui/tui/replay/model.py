"""State of the replay as a value: where one is, from whose side, and how the table is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from engine.bots.talk import GoldAt, StoneAt
from engine.events import Event, visible_to
from engine.notation.replays import ReplayStep
from engine.notation.talk import Utterance
from engine.view import View
from net.client.session import ConnectionState, Status
from net.client.trail import GameState
from net.lobby.chat import ChatHistory, moment
from net.lobby.model import Lobby, Person, Presence, Settings, Stage, Taken
from sabtui.app.replays import SPEEDS_PER_S, ReplayPosition
from sabtui.app.review import GameReview
from sabtui.text.events import CARD_SIGN, log_lines
from sabtui.text.names import PlayerNames
from sabtui.text.replays import chat_line, open_lines, said_words
from sabtui.tui.mine.picture import lying_cells
from sabtui.tui.table.header import last_card
from sabtui.tui.table.log import TableLog
from sabtui.tui.table.log_entry import Actor, LogEntry, LogKind
from sabtui.tui.table.model import SidePanel, TableModel
from sabtui.tui.theme import Glyphs

WATCHER_MEMBER: Final = 99
"""Member number of a reader without a seat."""

USUAL_SPEED: Final = SPEEDS_PER_S.index(1.0)
"""Index of the speed with which a game is played at first."""


@dataclass(frozen=True, slots=True)
class ReplayModel:
    """ReplayPosition in a game, and the table's model for it.

    `speed` is an index of `SPEEDS_PER_S`. `message` is shown in place of what happened. `review` is
    that of the game once the reader has asked for it.
    """

    position: ReplayPosition
    table: TableModel
    speed: int = USUAL_SPEED
    is_playing: bool = False
    message: str = ""
    review: GameReview | None = None

    @staticmethod
    def of(position: ReplayPosition, glyphs: Glyphs) -> ReplayModel:
        """Return the model of a position, in a terminal of 80x24 until its size is known."""
        return ReplayModel(position, TableModel(glyphs).resized(80, 24)).settled()

    def at(self, position: ReplayPosition) -> ReplayModel:
        """Return the model at another position, without a message."""
        return replace(self, position=position, message="").settled()

    def resized(self, columns: int, rows: int) -> ReplayModel:
        """Return the model for a terminal of another size."""
        return replace(self, table=self.table.resized(columns, rows)).settled()

    def with_message(self, text: str) -> ReplayModel:
        """Return the model with a message."""
        return replace(self, message=text)

    def faster(self, by: int) -> ReplayModel:
        """Return the model with another speed."""
        return replace(self, speed=max(0, min(self.speed + by, len(SPEEDS_PER_S) - 1)))

    def turned_to(self, pane: SidePanel) -> ReplayModel:
        """Return the model with another page of the side."""
        return replace(self, table=self.table.turned_to(pane)).settled()

    def settled(self) -> ReplayModel:
        """Return the model with the log of the position, and with its mine in sight.

        Where the whole mine does not fit, the window shows the newest card.
        """
        view = self.position.view
        table = replace(self.table, cells=lying_cells(view), log=log_at(self.position))
        whole = table.whole()
        newest = last_card(view)
        if newest is not None and newest.cell is not None and not whole.shows(newest.cell):
            whole = whole.following(newest.cell, 1)
        return replace(self, table=replace(table, window=whole))

    @property
    def names(self) -> PlayerNames:
        """The players' names; the reader is the seat whose view is shown."""
        return self.position.game.names(self.position.seen_from.seat)


def status_of(position: ReplayPosition) -> Status:
    """Return the status that a client would have had at a position."""
    game, seat = position.game, position.seen_from.seat
    replayed, view = game.replay, position.view
    names = game.names()
    members = [colour + 1 for colour in names.colours]  # a member's colour follows from the number
    lobby = Lobby(
        name=game.title,
        settings=Settings(replayed.edition.text, replayed.rounds, len(replayed.names)),
        chairs=tuple(Taken(member, ready=False) for member in members),
        people=tuple(
            Person(member, name, Presence.THERE)
            for member, name in zip(members, names.names, strict=True)
        ),
        stage=Stage.PLAYING,
    )
    held = GameState(
        incarnation=0,
        step=position.at,
        lobby=lobby,
        view=view,
        talk=_talk(position),
        record=game.text if view.score.gold is not None and replayed.is_whole else "",
        past=_past(position, view),
    )
    member = WATCHER_MEMBER if seat is None else members[seat]
    return Status(ConnectionState.CONNECTED, member, held)


def log_at(position: ReplayPosition) -> TableLog:
    """Return the log of the round up to a position, as its point of view shows it."""
    seen_from, view = position.seen_from, position.view
    names = position.game.names(seen_from.seat)
    log = TableLog()
    for step, said in _of_round(position):
        if seen_from.is_open:
            for event, line in open_lines(step, names, CARD_SIGN):
                log = log.with_event(event, [line], view, names)
        else:
            for event in visible_to(step.events, seen_from.seat):
                lines = log_lines([event], view, names, CARD_SIGN)
                log = log.with_event(event, lines, view, names)
        log = log.with_entries([_said(one, step, position, names) for one in said])
    return log


def _of_round(position: ReplayPosition) -> Iterator[tuple[ReplayStep, tuple[Utterance, ...]]]:
    """Yield the steps of the round up to a position, each with what was said after it."""
    last, frame = position.step, position.frame
    for step in position.game.replay.steps[last.number - last.moves : last.number + 1]:
        yield step, step.said if step.number < last.number else step.said[: frame.said]


def _said(
    said: Utterance, step: ReplayStep, position: ReplayPosition, names: PlayerNames
) -> LogEntry:
    """Return the line of the log for something said."""
    line = chat_line(said, names)
    seat = said.seat
    players = () if seat is None else (Actor(seat, line.name, names.colour(seat)),)
    kind = LogKind.CLAIM if isinstance(said.claim, GoldAt | StoneAt) else LogKind.TALK
    return LogEntry(said_words(said, names, position.truth(step, said)), kind, players)


def _talk(position: ReplayPosition) -> ChatHistory:
    """Return what was said in the round up to a position, as a client holds it."""
    names = position.game.names()
    lines = []
    for step, said in _of_round(position):
        view = step.view(position.seen_from.seat)
        when = moment(view.table, view.score)
        lines += [chat_line(one, names, when) for one in said]
    return tuple(lines)


def _past(position: ReplayPosition, view: View) -> tuple[Event, ...]:
    """Return the events that the reader saw in the rounds before; none until they are counted."""
    if view.table.end is None:
        return ()
    last = position.step
    before = position.game.replay.steps[: last.number - last.moves]
    return tuple(
        event for step in before for event in visible_to(step.events, position.seen_from.seat)
    )
