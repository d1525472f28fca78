"""The lesson: a scripted round as a miner, then half a round as a saboteur.

Each round begins from a position with every secret, and is played on the real engine. The player
makes the move or claim that a step waits for, then the other seats make theirs. Nothing else ends a
step: after any other legal move, the step's sentence (`sabtui.text.lesson`) is shown again.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from engine.events import DwarfDealt, Event, HandDealt, RoundBegan, TurnBegan, visible_to
from engine.game import Game, Purse
from engine.moves import parse_move
from engine.notation import parse_position
from engine.state import Phase, Score
from engine.view import History
from net.client.session import ConnectionState, Ending, OnUpdate, Received, Update
from net.client.trail import GameState
from net.protocol.chat import BEFORE_ALL, chat_after, moment
from net.protocol.game_wire import read_move
from net.protocol.lobby import (
    BotChair,
    Chair,
    Lobby,
    Person,
    Presence,
    Settings,
    TableClaim,
    Taken,
    Topic,
    bot_names,
    clean_text,
)
from net.protocol.lobby_events import BotClaimed, Claimed, GameBegins, LobbyEvent, Said
from net.protocol.messages import CloseReason
from net.protocol.requests import Chat, Leave, MakeClaim, MakeMove, Request, SetReady
from net.server.bots import BOT_MOVE_DELAY_S
from sabtui.app import DEFAULT_BOT_LEVEL
from sabtui.app.preferences import note_lesson
from sabtui.app.requests import TableHandle
from sabtui.text.lesson import LessonStatus, LessonStep, LessonTask, TaskAction
from sabtui.text.names import PlayerNames

MINERS_ROUND: Final = (
    "NESW@1/NEW@2 (NE)/(NW)/(NESW) 1 -,-,-"
    " EW/NE/NEW/+P/R/M,NS/NE/NW/NES/NEW/M,NE/NW/NESW/ew/-P/-C"
    " NESW/NE/NS/NS/NES/NW/NES/M/+C/EW/-L/-L/NW/R/R/+L/NS/NE/M/NESW/NES mms+m"
)
"""The first position: the player, seat 1, is a miner like seat 2; the gold is in the south."""

SABOTEURS_ROUND: Final = (
    "NESW@1/EW@2/NEW@3/NESW@4 (NESW)/(NE)/(NW) 1 -,-,- NESW/nesw/-L,NS/NE/NW,NS/NE/NEW - smm+m"
)
"""The position of the second round: the player is the saboteur, and the draw pile is empty."""


@dataclass(frozen=True, slots=True)
class NewRound:
    """A round begins from this position."""

    position: str


ScriptLine: TypeAlias = str | BotClaimed | NewRound
"""A move of the seat whose turn it is, in notation; a claim; or a new round."""


@dataclass(frozen=True, slots=True)
class LessonPart:
    """A step of the lesson."""

    step: LessonStep
    actions: tuple[str | TableClaim | SetReady, ...] = ()  # any of them ends the step
    then: tuple[ScriptLine, ...] = ()  # what the others do after it
    about: int | None = None  # the seat that the step's sentence names, from 0

    @property
    def parsed_actions(self) -> tuple[TaskAction, ...]:
        """The actions, with moves parsed from notation."""
        return tuple(
            parse_move(action) if isinstance(action, str) else action for action in self.actions
        )


FRIEND, TRAITOR = 1, 2
NORTH, MIDDLE, SOUTH = range(3)
READY: Final = SetReady(ready=True)

LESSON: Final = (
    LessonPart(LessonStep.LAY, ("EW@3",), ("NEW@4", "NESW@5")),
    LessonPart(LessonStep.TURN, ("ESW@6",), ("M@8n2", "xNE")),
    LessonPart(LessonStep.REACH, ("NESW@7",), ("NS@6s1", "-P>1")),
    LessonPart(LessonStep.REPAIR, ("+P>1",), ("NE@6s2", "-C>2"), TRAITOR),
    LessonPart(
        LessonStep.MAP,
        ("M@8n2",),
        ("xNES", BotClaimed(TRAITOR, TableClaim(Topic.GOLD_AT, NORTH)), "ew@7s2"),
    ),
    LessonPart(
        LessonStep.ACCUSE,
        (
            TableClaim(Topic.DIGS_AGAINST_US, TRAITOR),
            TableClaim(Topic.BLUFF, TRAITOR),
            TableClaim(Topic.STONE_AT, NORTH),
            TableClaim(Topic.GOLD_AT, SOUTH),
        ),
        (BotClaimed(FRIEND, TableClaim(Topic.BLUFF, TRAITOR)),),
        TRAITOR,
    ),
    LessonPart(LessonStep.ROCKFALL, ("R@7s2",), ("xNW", "xNW"), TRAITOR),
    LessonPart(LessonStep.WIN, ("EW@7s2",)),
    LessonPart(LessonStep.GOLD, ("$3",)),
    LessonPart(LessonStep.OTHER_SIDE, (READY,), (NewRound(SABOTEURS_ROUND),)),
    LessonPart(LessonStep.BREAK, ("-L>2",), ("xNE", "NEW@5"), FRIEND),
    LessonPart(LessonStep.BLOCK, ("nesw@6",), ("xNW", "NS@5n1"), TRAITOR),
    LessonPart(
        LessonStep.LIE,
        tuple(
            TableClaim(topic, goal)
            for topic in (Topic.GOLD_AT, Topic.STONE_AT)
            for goal in (SOUTH, MIDDLE, NORTH)
        ),
        (BotClaimed(FRIEND, TableClaim(Topic.DIGS_FOR_US, 0)),),
    ),
    LessonPart(LessonStep.PASS, ("xNESW",), ("xNS", "xNE")),
    LessonPart(LessonStep.END),
)
"""The whole lesson, step by step."""

GOLD_PILE: Final = (3, 2, 1, *(1,) * 15, *(2,) * 7, *(3,) * 3)
"""The gold cards in nuggets, the next one first: the player may take the best there is."""
ROUNDS_TAUGHT: Final = 2
ME: Final = 1  # the player's member number


def learn(name: str, pace_s: float = sum(BOT_MOVE_DELAY_S) / 2) -> TableHandle:
    """Return the handle of a new lesson; each move of the other seats takes `pace_s` seconds.

    Reaching its end is noted, for the welcome screen (`note_lesson`).
    """

    def begin(on_update: OnUpdate) -> LessonSession:
        def note_end(update: Update) -> None:
            view = update.status.view
            if view is not None and view.phase is Phase.OVER:
                note_lesson()
            on_update(update)

        return LessonSession(name, note_end, pace_s)

    return TableHandle(begin, practice=True)


class LessonSession:
    """The lesson as a session, which a user interface drives like any other."""

    def __init__(self, name: str, on_update: OnUpdate, pace_s: float = 0.0) -> None:
        self._on_update = on_update
        self._pace_s = pace_s
        self._parts = deque(LESSON)
        self._script: deque[ScriptLine] = deque([NewRound(MINERS_ROUND)])
        self._game: Game | None = None
        self._ending: Ending | None = None
        self._left = False
        self._changed = asyncio.Event()
        self._status = LessonStatus(
            ConnectionState.CONNECTED, ME, GameState(1, 1, _lobby(name), None)
        )

    @property
    def status(self) -> LessonStatus:
        return self._status

    def request(self, want: Request) -> None:
        """Answer a request: chat always, anything else only if the step waits for it."""
        match want:
            case Leave():
                self._ending = CloseReason.LEFT
                self.leave()
            case Chat(text) if clean_text(text):
                self._publish([Said(ME, clean_text(text))], settled=True)
            case MakeClaim(claim) if claim.fits(len(_require_state(self._status).lobby.chairs)):
                self._attempt(claim, (Claimed(ME, claim),))
            case SetReady():
                self._attempt(want)
            case MakeMove(_seen, move):
                self._attempt(read_move(move))
            case _:
                self._remind()

    def leave(self) -> None:
        self._left = True
        self._changed.set()

    async def run(self) -> None:
        self._on_update(Update(self._status, Received(renewed=True)))
        while not self._left:
            self._changed.clear()
            if not self._script:
                await self._changed.wait()
                continue
            if not isinstance(self._script[0], NewRound):
                with suppress(TimeoutError):  # a pause to read, cut short by leaving
                    async with asyncio.timeout(self._pace_s):
                        while not self._left:
                            self._changed.clear()
                            await self._changed.wait()
            if not self._left:
                self._play_line(self._script.popleft())
        self._status = replace(
            self._status, connection=ConnectionState.ENDED, ending=self._ending, task=None
        )
        self._on_update(Update(self._status))

    def _attempt(self, action: TaskAction, news: tuple[LobbyEvent, ...] = ()) -> None:
        """End the step if it waits for this action; otherwise pass a claim on, or refuse a move."""
        part = self._parts[0]
        if self._script or action not in part.parsed_actions:
            if news:
                self._publish(news, settled=True)
            if not isinstance(action, TableClaim):
                self._remind()
            return
        self._parts.popleft()
        self._script.extend(part.then)
        events: tuple[Event, ...] = ()
        if self._game is not None and not isinstance(action, TableClaim | SetReady):
            self._game, events = self._game.apply(action)
        self._publish(news, events, settled=True)
        self._changed.set()

    def _remind(self) -> None:
        """Show the step's sentence again: the player did something else."""
        task = self._status.task
        if task is not None:
            self._status = replace(self._status, task=replace(task, is_reminder=True))
        self._on_update(Update(self._status, Received(settled=1)))

    def _play_line(self, line: ScriptLine) -> None:
        match line:
            case NewRound(position):
                news = [GameBegins()] if self._game is None else []
                held = _require_state(self._status)
                if held.view is not None and held.past is not None:  # the final table includes it
                    past = held.past + held.view.history
                    self._status = replace(self._status, game_state=replace(held, past=past))
                self._game, events = _round_from(position, self._game)
                self._publish(news, events)
            case BotClaimed():
                self._publish([line])
            case str():
                assert self._game is not None
                self._game, events = self._game.apply(parse_move(line))
                self._publish((), events)

    def _publish(
        self, news: Iterable[LobbyEvent], events: Iterable[Event] = (), *, settled: bool = False
    ) -> None:
        """Publish what has happened, and once the script has been played, the next task."""
        held, game = _require_state(self._status), self._game
        lobby, talk, lobby_events = held.lobby, held.talk, tuple(news)
        when = BEFORE_ALL if held.view is None else moment(held.view.table, held.view.score)
        for event in lobby_events:
            talk = chat_after(talk, lobby, event, when)
            lobby = event.change(lobby)
        view, part = None if game is None else game.view(0), self._parts[0]
        task = LessonTask(part.step, next(iter(part.parsed_actions), None), part.about)
        self._status = LessonStatus(
            ConnectionState.CONNECTED,
            ME,
            replace(held, step=held.step + 1, lobby=lobby, talk=talk, view=view),
            task=None if self._script else task,
        )
        seen = visible_to(tuple(events), 0)
        self._on_update(Update(self._status, Received(lobby_events, seen, settled=int(settled))))


def _require_state(status: LessonStatus) -> GameState:
    assert status.game_state is not None, "a lesson has a table from its first status on"
    return status.game_state


def _lobby(name: str) -> Lobby:
    """Return the table before the game; it has no host, so nothing for hosts is offered."""
    shown = PlayerNames.of((name,), 0).names[0]
    bots = [BotChair(bot, DEFAULT_BOT_LEVEL) for bot in bot_names(2, {shown.casefold()})]
    chairs: tuple[Chair, ...] = (Taken(ME, ready=False), *bots)
    settings = Settings(rounds=ROUNDS_TAUGHT, seats=len(chairs), hints=False)
    return Lobby("", settings, chairs, (Person(ME, shown, Presence.THERE),))


def _round_from(line: str, before: Game | None) -> tuple[Game, tuple[Event, ...]]:
    """Return the game at the beginning of a round from a position, and the events of its deal."""
    played = parse_position(line).round()
    table = played.table
    assert table.turn is not None
    nobodys: tuple[tuple[int, ...], ...] = ((),) * table.players
    score = Score.empty(ROUNDS_TAUGHT, table.players) if before is None else before.score
    purse = Purse(GOLD_PILE, nobodys) if before is None else before.purse
    began = RoundBegan(score.number + 1, table.turn, table.hands, table.pile)
    events: tuple[Event, ...] = (
        began,
        *(DwarfDealt(seat, role) for seat, role in enumerate(played.roles)),
        *(HandDealt(seat, hand) for seat, hand in enumerate(played.hands)),
        TurnBegan(table.turn),
    )
    ledger = () if before is None else before.ledger
    return Game(score.after(began), played, purse, History((events,)), ledger), events
