"""A table without an app: actions and keys go to `update`, and effects are kept."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from msgspec import structs

from engine.bots.hints import Hint
from engine.moves import Move
from engine.view import View
from net.client.session import ConnectionState, Received, Status, Update
from net.protocol.game_wire import read_move
from net.protocol.lobby import Settings
from net.protocol.messages import CloseReason, DiskStatus
from net.protocol.requests import MakeMove, Request
from sabtui.tui.mine.tiles import Viewport
from sabtui.tui.table import model as steps
from sabtui.tui.table.actions import claims_key_action, command_rows, start_autopilot, take_hints
from sabtui.tui.table.model import Action, TableEffect, TableModel, TableStep
from sabtui.tui.table.screen import TableMoment, click_action
from sabtui.tui.table.selection import Selection
from sabtui.tui.table.status import sentence
from sabtui.tui.theme import BOX, Glyphs
from sabtui.tui.widgets.panel import Panel
from tests.sabtui.tui import scenes

YES_KEY: Final = "y"

TURN: Final = scenes.now()
WATCHER: Final = 9
WATCHING: Final = replace(
    scenes.now(scenes.view()._replace(seat=None, role=None, hand=())), member=WATCHER
)
assert TURN.game_state is not None
STATUSES: Final = {
    "turn": TURN,
    "waiting": scenes.now(scenes.view(turn=2)),
    "guest": scenes.now(at=structs.replace(scenes.lobby(), host=2)),
    "watching": WATCHING,
    "choosing": scenes.now(scenes.choosing()),
    "between": scenes.now(scenes.between()),
    "over": scenes.now(scenes.over()),
    "paused": scenes.now(at=structs.replace(scenes.lobby(), paused=True)),
    "no hints": scenes.now(at=structs.replace(scenes.lobby(), settings=Settings(hints=False))),
    "disk full": replace(TURN, disk=DiskStatus.FULL),
    "lost": replace(TURN, connection=ConnectionState.LOST),
    "ended": replace(TURN, connection=ConnectionState.ENDED, ending=CloseReason.KICKED),
    "no game": replace(TURN, game_state=replace(TURN.game_state, view=None)),
    "no table": Status(),
}
"""What a table may stand like, by name."""


def actions() -> dict[str, Action]:
    """Return the actions of the table by their command's name."""
    return {row.name: row.action for row in command_rows()}


class PureTable:
    """The model and the status of a table, and what its effects did so far."""

    def __init__(
        self, status: Status | None = None, size: tuple[int, int] = (80, 24), glyphs: Glyphs = BOX
    ) -> None:
        self.status = scenes.now() if status is None else status
        self.model = TableModel(glyphs).resize(*size)
        self.question: steps.AskFirst | None = None
        self.effects: list[TableEffect] = []
        self.commands: Final = {row.name: row.bind(self) for row in command_rows()}
        self.by_key: Final = {
            key: command for command in self.commands.values() for key in command.keys
        }
        self.open(glyphs)

    def act(self, step: TableStep) -> None:
        moment = TableMoment(self.model, self.status)
        done = moment.act(step) if isinstance(step, Action) else step(self.model, self.status)
        self.model, effects = done
        for effect in effects:
            if isinstance(effect, steps.TakeUpdate):
                before, self.status = self.status, effect.update.status
                self.act(partial(steps.take_update, update=effect.update, before=before))
                continue
            self.effects.append(effect)
            if isinstance(effect, steps.AskFirst):
                self.question = effect

    def press(self, *keys: str) -> None:
        """Press keys that stand for themselves, or answer the open question."""
        for key in keys:
            if self.question is not None:
                question, self.question = self.question, None
                if key == YES_KEY:
                    self.effects.append(question.then)
                    if question.then is steps.ScreenEffect.START_AUTOPILOT:
                        self.act(start_autopilot)
                continue
            character = key if len(key) == 1 else None
            of_claims = claims_key_action(self.model, self.status, key, character)
            if of_claims is not None:
                self.act(of_claims)
            else:
                self.by_key[key].do()

    def click(self, click: Panel.Pressed) -> None:
        action = click_action(self.model, self.status, click)
        if action is not None:
            self.act(action)

    def command(self, name: str, *keys: str) -> None:
        """Give a command by name, and then press keys."""
        self.commands[name].do()
        self.press(*keys)

    def receive(self, status: Status, received: Received | None = None) -> None:
        self.act(partial(steps.queue_update, update=Update(status, received)))

    def tick(self) -> None:
        """Let the time of a frame pass."""
        assert self.model.animation is not None
        self.act(partial(steps.show_frame, animation=self.model.animation))

    def press_away(self) -> None:
        """End all ceremonies, one's own role card's too, with a key each."""
        while self.model.is_in_ceremony:
            self.act(steps.skip)

    def finish(self) -> None:
        """Let the ceremonies end that are shown or wait."""
        while self.model.animation is not None:
            self.tick()

    def open(self, glyphs: Glyphs = BOX, *, is_calm: bool = False) -> None:
        self.act(partial(steps.open_table, glyphs=glyphs, is_calm=is_calm))

    def resize(self, columns: int, rows: int) -> None:
        self.model = self.model.resize(columns, rows)

    def take_hints(self, view: View, *found: Hint) -> None:
        self.act(partial(take_hints, view=view, found=found))

    def why_not(self, action: Action) -> str | None:
        return TableMoment(self.model, self.status).why_not(action)

    @property
    def offered(self) -> set[str]:
        """Names of the commands that this player can ever use."""
        return {command.name for command in self.commands.values() if command.concerns()}

    @property
    def said(self) -> str:
        """The question, the message or the hint."""
        return self.question.question if self.question else sentence(self.model, self.status)

    @property
    def selection(self) -> Selection:
        return self.model.selection

    @property
    def window(self) -> Viewport:
        assert self.model.window is not None
        return self.model.window

    @property
    def moves(self) -> list[Move]:
        return [read_move(request.move) for request in self._sent if isinstance(request, MakeMove)]

    @property
    def requests(self) -> list[Request]:
        """Requests that are no moves."""
        return [request for request in self._sent if not isinstance(request, MakeMove)]

    @property
    def _sent(self) -> list[Request]:
        return [effect.request for effect in self.effects if isinstance(effect, steps.SendRequest)]

    @property
    def left(self) -> list[str]:
        """Messages with which the table was left."""
        return [effect.text for effect in self.effects if isinstance(effect, steps.LeaveTable)]
