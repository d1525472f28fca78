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
from net.client.end import End
from net.client.seat import Hear, Now, Standing
from net.host.thinker import Thinker
from net.lobby import BotChair, Settings
from net.messages import FromClient, Start, Want
from net.room import BotCue, BotTurn, Founding, Outcome, Room, Send
from net.speech import says
from net.table_view import ClientState

LINK: Final = 1
TICK: Final = 0.5
PACE: Final = (0.6, 1.6)
"""Seconds that a bot takes for a move, between these, whatever it thinks."""

THOUGHT: Final = Seconds(0.4)


@dataclass(frozen=True, slots=True)
class Company:
    """Who plays along: bots by name, how good they are, how fast, and what they are dealt.

    `pace` is between which seconds a move takes, or a word; `seeds` gives 32 bytes for each deal.
    Bots that are `polite` say nothing while the player is to move.
    """

    names: tuple[str, ...]
    level: str = "fair"
    pace: tuple[float, float] = PACE
    thought: Budget = THOUGHT
    seeds: Callable[[], bytes] = lambda: secrets.token_bytes(32)
    polite: bool = False


class Alone:
    """A game against bots; there are chairs for all of them.

    The table has no name: nobody else can come to it, and each face says so in its own words.
    Run it in a loop; `want`, `play` and `leave` belong to that loop.
    """

    def __init__(self, name: str, settings: Settings, company: Company, hear: Hear) -> None:
        self._end = End(ClientState(name), hear)
        self._company = company
        self._chance = Random(company.seeds())
        self._pauses = Random()  # no part of the game that a seed plays again
        bots = tuple(BotChair(bot, company.level) for bot in company.names)
        founding = Founding("", bytes(32), settings, bots)
        self._room = Room(founding, 1, company.seeds, time.monotonic())
        self._thinker = Thinker()
        self._changed = asyncio.Event()
        self._left = False

    @property
    def now(self) -> Now:
        """What is now."""
        return self._end.now

    def want(self, want: Want) -> None:
        """Want something of the table."""
        self._say(self._end.state.want(want))

    def play(self, move: Move) -> None:
        """Make a move in the turn that is in view."""
        self._say(self._end.state.play(move))

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
            await self._thinker.close()
        self._end.stands(Standing.ENDED)

    async def _play(self) -> None:
        self._room.arrive(LINK, bytes(32), time.monotonic())
        self._say((self._end.state.linked(),))
        self._end.stands(Standing.LINKED)
        self.want(Start())
        while not self._left:
            if (cue := self._room.bot_cue()) is not None and self._may_speak():
                await self._bot_speaks(cue)
                continue
            if (turn := self._room.bot_turn()) is not None:
                await self._bot_plays(turn)
                continue
            self._changed.clear()
            try:
                async with asyncio.timeout(TICK):
                    await self._changed.wait()
            except TimeoutError:
                self._say((self._end.state.ping(),))
                self._happen(self._room.tick(time.monotonic()))

    async def _bot_plays(self, turn: BotTurn) -> None:
        """Let a bot think; how long it seems to think is drawn before it begins."""
        begun, pause = time.monotonic(), self._chance.uniform(*self._company.pace)
        chance, thought = Random(self._chance.random()), self._company.thought
        if isinstance(thought, Seconds):
            move = await self._thinker.think(turn, chance, thought)
        else:
            move = await asyncio.to_thread(BOTS[turn.level], turn.view, chance, thought)
        await asyncio.sleep(max(0.0, begun + pause - time.monotonic()))
        self._happen(self._room.bot_moved(turn, move, time.monotonic()))

    def _may_speak(self) -> bool:
        """Whether a bot interrupts nobody."""
        view = self._end.state.view
        is_theirs = view is not None and view.to_act == view.seat
        return not (self._company.polite and is_theirs)

    async def _bot_speaks(self, cue: BotCue) -> None:
        """Let a bot say something, after as long as a move would take."""
        claim = says(cue.view, cue.occasion)
        await asyncio.sleep(self._pauses.uniform(*self._company.pace))
        self._happen(self._room.bot_spoke(cue, claim, time.monotonic()))

    def _say(self, messages: Sequence[FromClient]) -> None:
        for message in messages:
            self._happen(self._room.receive(LINK, message, time.monotonic()))

    def _happen(self, outcome: Outcome) -> None:
        self._changed.set()
        for do in outcome.do:
            if isinstance(do, Send):
                self._say(self._end.take(do.message))
