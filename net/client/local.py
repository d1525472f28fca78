"""A table in this process, for one player and bots: a `Room` without connection or journal.

It is a session like any other, so a user interface cannot tell the difference. The player is the
host. Bots that think for seconds do so in a process of their own and never hold up the interface.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple

from engine.bots import BOTS, Budget, Seconds
from engine.bots.bot import bind_talk
from engine.state import Phase
from net.client.session import ConnectionState, OnUpdate, Status
from net.client.state import ClientState, StatusPublisher
from net.protocol.lobby import UNPICKED, BotChair, Dwarf, Settings
from net.protocol.messages import ClientMessage
from net.protocol.requests import OwnRequest, Request, Start
from net.room import inputs
from net.room.bots import BotClaimRequest, BotMoveRequest, bot_claim
from net.room.effects import TICK_S, Effects, SendFrame
from net.room.room import Room
from net.room.steps import TableCreated, read_step
from net.server.bots import BOT_BUDGET, BOT_MOVE_DELAY_S, BotPool, BotReply
from net.tasks import wait_for_event

LOCAL_CONNECTION: Final = 1


@dataclass(frozen=True, slots=True)
class Opponents:
    """The bots to play against, and the deals."""

    names: tuple[str, ...]
    level: str = "medium"
    pace: tuple[float, float] = BOT_MOVE_DELAY_S  # minimum and maximum seconds for a move or claim
    thought: Budget = BOT_BUDGET
    seeds: Callable[[], bytes] = lambda: secrets.token_bytes(32)  # 32 bytes for each deal
    polite: bool = False  # bots claim nothing while it is the player's turn


class LeftGame(NamedTuple):
    """A game that was left before its end: its table, and the steps made so far."""

    created: TableCreated
    steps: tuple[bytes, ...]


class LocalSession:
    """A game against bots, at a table without a name. Run it, and call it, in one event loop."""

    def __init__(  # noqa: PLR0913 - each says one thing about a game
        self,
        name: str,
        game: Settings | LeftGame,
        opponents: Opponents,
        on_update: OnUpdate,
        keep: Callable[[LeftGame | None], None] = lambda _left: None,
        *,
        dwarf: Dwarf = UNPICKED,
    ) -> None:
        """Call `keep`, as the session ends, with an unfinished game, or with `None`."""
        self._publisher = StatusPublisher(ClientState(name, dwarf=dwarf, is_alone=True), on_update)
        self._opponents = opponents
        self._chance = Random(opponents.seeds())
        self._pauses = Random()  # unseeded: talking is not part of a game that a seed repeats
        bots = tuple(BotChair(bot, opponents.level) for bot in opponents.names)
        if isinstance(game, Settings):
            game = LeftGame(TableCreated("", bytes(32), game, bots), ())
        self._room = Room(game.created, 1, opponents.seeds, time.monotonic())
        self._created, self._keep, self._steps = game.created, keep, [*game.steps]
        for step in self._steps:
            self._room.apply(read_step(step))
        self._bot_pool = BotPool(
            lambda bot: self._apply_effects(inputs.retire_bot(self._room, time.monotonic(), bot))
        )
        self._changed = asyncio.Event()
        self._left = False

    @property
    def status(self) -> Status:
        return self._publisher.state.status

    def request(self, want: Request) -> None:
        if isinstance(want, OwnRequest):
            return
        self._apply_messages(self._publisher.state.request(want))

    def leave(self) -> None:
        self._left = True
        self._changed.set()

    async def run(self) -> None:
        try:
            await self._play()
        finally:
            await self._bot_pool.close()
            game = self._room.state.view(0)
            is_begun = game is not None and game.phase is not Phase.OVER
            self._keep(LeftGame(self._created, tuple(self._steps)) if is_begun else None)
        self._publisher.set_connection(ConnectionState.ENDED)

    async def _play(self) -> None:
        inputs.add_connection(self._room, time.monotonic(), LOCAL_CONNECTION, bytes(32))
        self._apply_messages((self._publisher.state.begin_connection(),))
        self._publisher.set_connection(ConnectionState.CONNECTED)
        if self.status.view is None:
            self.request(Start())
        while not self._left:
            view = self.status.view
            is_quiet = self._opponents.polite and view is not None and view.to_act == view.seat
            if (due := self._room.claim_request()) is not None and not is_quiet:
                await self._let_bot_speak(due)
                continue
            if (turn := self._room.bot_turn()) is not None:
                await self._let_bot_play(turn)
                continue
            self._changed.clear()
            if not await wait_for_event(self._changed, TICK_S):
                self._apply_messages((self._publisher.state.ping(),))
                self._apply_effects(inputs.tick(self._room, time.monotonic()))

    async def _let_bot_play(self, turn: BotMoveRequest) -> None:
        """Let a bot think and move. How long that takes is drawn before it begins to think."""
        begun, pause = time.monotonic(), self._chance.uniform(*self._opponents.pace)
        chance, thought = Random(self._chance.random()), self._opponents.thought
        if isinstance(thought, Seconds) or turn.level not in BOTS:
            made = await self._bot_pool.think(turn, chance, thought)
        else:
            bot = bind_talk(BOTS[turn.level], turn.talk, turn.temper)
            made = BotReply(await asyncio.to_thread(bot, turn.view, chance, thought))
        await asyncio.sleep(max(0.0, begun + pause - time.monotonic()))
        effects = inputs.make_bot_move(
            self._room, time.monotonic(), turn, made.move, made.claims, made.text
        )
        self._apply_effects(effects)

    async def _let_bot_speak(self, due: BotClaimRequest) -> None:
        """Let a bot claim something, after as long as a move would take, thinking included."""
        until = time.monotonic() + self._pauses.uniform(*self._opponents.pace)
        claim = bot_claim(due.view, due.occasion, due.talk, due.temper)
        await asyncio.sleep(max(0.0, until - time.monotonic()))
        self._apply_effects(inputs.make_bot_claim(self._room, time.monotonic(), due, claim))

    def _apply_messages(self, messages: Sequence[ClientMessage]) -> None:
        for message in messages:
            self._apply_effects(
                inputs.receive(self._room, time.monotonic(), LOCAL_CONNECTION, message)
            )

    def _apply_effects(self, effects: Effects) -> None:
        self._changed.set()
        if not effects.finished:  # a game that was left resumes from before the table was closed
            self._steps += [step.payload for step in effects.steps]
        for do in effects.do:
            if isinstance(do, SendFrame):
                self._apply_messages(self._publisher.receive(do.message).send)
