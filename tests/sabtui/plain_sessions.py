"""Places at a table in lines, made by hand, and what lines typed there do."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import cast

from engine.view import View
from net.client.session import ConnectionState, Received, SessionThread, Status, Update
from net.client.trail import GameState
from net.protocol.game_wire import read_move
from net.protocol.lobby import Lobby, TablePhase
from net.protocol.lobby_events import LobbyEvent
from net.protocol.requests import MakeMove, Request
from sabtui.plain.commands import PlainTable
from sabtui.plain.console import Console
from sabtui.plain.json_table import JsonConsole, JsonTable
from sabtui.table.sight import Sight
from sabtui.text.layout import TerminalSize
from tests.sabtui.tables import ANA, lobby

WIDE = TerminalSize(100, 24)
SMALL = TerminalSize(60, 18)


class Paper(Console):
    """A console that keeps what is said."""

    def __init__(self, size: TerminalSize, *, eager: bool = False) -> None:
        self.is_eager = eager
        self.lines: list[str] = []
        self._size = size

    @property
    def size(self) -> TerminalSize:
        return self._size

    def say(self, lines: Iterable[str]) -> None:
        self.lines += lines


class JsonPaper(JsonConsole):
    """A console that keeps lines of JSON."""

    def __init__(self) -> None:
        super().__init__()
        self.raw: list[str] = []

    def put(self, line: str) -> None:
        self.raw.append(line)


class Recorder:
    """A seat that keeps what is wished for."""

    def __init__(self) -> None:
        self.requests: list[Request] = []

    def request(self, want: Request) -> None:
        self.requests.append(want)


@dataclass(frozen=True)
class Place:
    """A place at a table: what came to it and what was typed there, one after another."""

    steps: tuple[Update | str, ...] = ()
    size: TerminalSize = SMALL
    back: str = ""
    is_silent: bool = False

    @cached_property
    def table(self) -> PlainTable:
        """The table as it is now, to be asked only."""
        return self._play()[0]

    @property
    def status(self) -> Status:
        """What was told last."""
        return self.table.status

    @property
    def lobby(self) -> Lobby:
        """The lobby as told last."""
        return self.table.lobby

    @property
    def game(self) -> Sight:
        """The game as it is seen."""
        return self.table.game

    def where(self) -> list[str]:
        """What is waited for, and what can be done."""
        return self.table.where()

    def prompt(self) -> str:
        """The prompt."""
        return self.table.prompt()

    def after(self, *steps: Update | str) -> Answer:
        """What the last of these does."""
        later = replace(self, steps=(*self.steps, *steps))
        # A question holds on to its table, and a game that is shown again is where it was left.
        if any(isinstance(step, str) for step in self.steps) or self.table.followed is not None:
            table, paper, recorder = later._play()
        else:
            table, paper, recorder = _do_steps(copy(self.table), self.size, steps)
        return Answer(later, tuple(paper.lines), tuple(recorder.requests), table._left)

    def _play(self) -> tuple[PlainTable, Paper, Recorder]:
        """Return the table with what was said and wished for in the last step."""
        table = PlainTable(Paper(self.size), self.back, is_silent=self.is_silent)
        return _do_steps(table, self.size, self.steps)


def _do_steps(
    table: PlainTable, size: TerminalSize, steps: Iterable[Update | str]
) -> tuple[PlainTable, Paper, Recorder]:
    """Do what comes to a table and what is typed there, on a new sheet of paper for each."""
    paper, recorder = Paper(size), Recorder()
    table.console = paper
    table.session = cast("SessionThread", recorder)
    for step in steps:
        paper.lines, recorder.requests = [], []
        if isinstance(step, str):
            table.do_line(step)
        else:
            table.learn(step)
    return table, paper, recorder


@dataclass(frozen=True)
class Answer:
    """What a step does: the lines said, what is wished for, and whether one leaves."""

    place: Place = field(compare=False)
    lines: tuple[str, ...]
    requests: tuple[Request, ...]
    leaves: bool

    @property
    def is_told_only(self) -> bool:
        """True if lines are all there is."""
        return not self.requests and not self.leaves


def json_table(console: JsonConsole) -> JsonTable:
    """A table in lines of JSON, at which nothing has come yet."""
    table = JsonTable(console)
    table.session = cast("SessionThread", Recorder())
    return table


def now_at(
    table: Lobby, view: View | None = None, member: int = ANA, *, record: str = "", step: int = 5
) -> Status:
    """What a seat was told last."""
    return Status(ConnectionState.CONNECTED, member, GameState(1, step, table, view, record=record))


def at(status: Status, size: TerminalSize = SMALL) -> Place:
    """A place at which somebody has just been shown what is now."""
    return Place((Update(status, Received(renewed=True)),), size)


def playing(
    view: View, member: int = ANA, *, record: str = "", size: TerminalSize = SMALL
) -> Place:
    """A place in a game of the host Ana, Bruno and Dede."""
    table = lobby(*lobby().chairs[:3], stage=TablePhase.PLAYING)
    return at(now_at(table, view, member, record=record), size)


def type_lines(place: Place, *lines: str) -> Answer:
    """What the last of these lines does."""
    return place.after(*lines)


def describe_update(place: Place, status: Status, received: Received | None = None) -> list[str]:
    """What is said when this comes."""
    return [*place.after(Update(status, received)).lines]


def news(place: Place, *all_of_it: LobbyEvent, now: Status | None = None) -> list[str]:
    """What is said of news, after which all is as `now` tells, or as before."""
    return describe_update(place, now or place.status, Received(news=all_of_it))


def move(answer: Answer) -> str:
    """The move that is wished for, in notation."""
    (wanted,) = answer.requests
    assert isinstance(wanted, MakeMove), answer.lines
    return str(read_move(wanted.move))
