"""A table in this process, for one player and bots: the room itself, with no link and no journal.

A seat like any other, so that a face cannot tell the difference. The player is its host. Bots that
may think for seconds do so in a process of their own, and never hold up the face.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from engine import Move
from engine.bots import BOTS, Budget, Seconds
from net.client.session import ConnectionState, OnUpdate, Status, StatusPublisher
from net.client.state import ClientState
from net.lobby import BotChair, Settings
from net.protocol.messages import ClientMessage, Request, Start
from net.room import BotClaimRequest, BotMoveRequest, Effects, Room, SendFrame, TableCreated
from net.room.bots import bot_claim
from net.server.bot_process import BotProcess

LOCAL_CONNECTION: Final = 1
TICK_S: Final = 0.5
BOT_MOVE_DELAY_S: Final = (0.6, 1.6)
"""Seconds that a bot takes for a move, between these, whatever it thinks."""

BOT_BUDGET: Final = Seconds(0.4)


@dataclass(frozen=True, slots=True)
class Opponents:
    """Who plays along: bots by name, how good they are, how fast, and what they are dealt.

    `pace` is between which seconds a move takes, or a word; `seeds` gives 32 bytes for each deal.
    Bots that are `polite` say nothing while the player is to move.
    """

    names: tuple[str, ...]
    level: str = "fair"
    pace: tuple[float, float] = BOT_MOVE_DELAY_S
    thought: Budget = BOT_BUDGET
    seeds: Callable[[], bytes] = lambda: secrets.token_bytes(32)
    polite: bool = False


class LocalSession:
    """A game against bots; there are chairs for all of them.

    The table has no name: nobody else can come to it, and each face says so in its own words.
    Run it in a loop; `request`, `play` and `leave` belong to that loop.
    """

    def __init__(
        self, name: str, settings: Settings, opponents: Opponents, on_update: OnUpdate
    ) -> None:
        self._publisher = StatusPublisher(ClientState(name), on_update)
        self._opponents = opponents
        self._chance = Random(opponents.seeds())
        self._pauses = Random()  # no part of the game that a seed plays again
        bots = tuple(BotChair(bot, opponents.level) for bot in opponents.names)
        created = TableCreated("", bytes(32), settings, bots)
        self._room = Room(created, 1, opponents.seeds, time.monotonic())
        self._bot_process = BotProcess()
        self._changed = asyncio.Event()
        self._left = False

    @property
    def status(self) -> Status:
        """What is now."""
        return self._publisher.status

    def request(self, want: Request) -> None:
        """Want something of the table."""
        self._say(self._publisher.state.request(want))

    def play(self, move: Move) -> None:
        """Make a move in the turn that is in view."""
        self._say(self._publisher.state.play(move))

    def go_on(self) -> None:
        """Do nothing: a table in this process is never taken up again."""

    def leave(self) -> None:
        """End the game."""
        self._left = True
        self._changed.set()

    async def run(self) -> None:
        """Sit down with the bots, begin, and go on until the player leaves."""
        try:
            await self._play()
        finally:
            await self._bot_process.close()
        self._publisher.set_connection(ConnectionState.ENDED)

    async def _play(self) -> None:
        self._room.arrive(LOCAL_CONNECTION, bytes(32), time.monotonic())
        self._say((self._publisher.state.linked(),))
        self._publisher.set_connection(ConnectionState.LINKED)
        self.request(Start())
        while not self._left:
            if (cue := self._room.bot_cue()) is not None and self._may_speak():
                await self._bot_speaks(cue)
                continue
            if (turn := self._room.bot_turn()) is not None:
                await self._bot_plays(turn)
                continue
            self._changed.clear()
            try:
                async with asyncio.timeout(TICK_S):
                    await self._changed.wait()
            except TimeoutError:
                self._say((self._publisher.state.ping(),))
                self._apply_effects(self._room.tick(time.monotonic()))

    async def _bot_plays(self, turn: BotMoveRequest) -> None:
        """Let a bot think; how long it seems to think is drawn before it begins."""
        begun, pause = time.monotonic(), self._chance.uniform(*self._opponents.pace)
        chance, thought = Random(self._chance.random()), self._opponents.thought
        if isinstance(thought, Seconds):
            move = await self._bot_process.think(turn, chance, thought)
        else:
            move = await asyncio.to_thread(BOTS[turn.level], turn.view, chance, thought)
        await asyncio.sleep(max(0.0, begun + pause - time.monotonic()))
        self._apply_effects(self._room.bot_moved(turn, move, time.monotonic()))

    def _may_speak(self) -> bool:
        """Whether a bot interrupts nobody."""
        view = self._publisher.state.view
        is_theirs = view is not None and view.to_act == view.seat
        return not (self._opponents.polite and is_theirs)

    async def _bot_speaks(self, cue: BotClaimRequest) -> None:
        """Let a bot say something, after as long as a move would take."""
        claim = bot_claim(cue.view, cue.occasion)
        await asyncio.sleep(self._pauses.uniform(*self._opponents.pace))
        self._apply_effects(self._room.bot_spoke(cue, claim, time.monotonic()))

    def _say(self, messages: Sequence[ClientMessage]) -> None:
        for message in messages:
            self._apply_effects(self._room.receive(LOCAL_CONNECTION, message, time.monotonic()))

    def _apply_effects(self, effects: Effects) -> None:
        self._changed.set()
        for do in effects.do:
            if isinstance(do, SendFrame):
                self._say(self._publisher.receive(do.message))
