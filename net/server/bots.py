"""The bots at a table: when each moves or speaks, and the processes in which they all think.

A question to such a process (`bot_worker`) holds a seat's view and asks for a move; so a bot knows
no more than a player. The process is started when first needed, and again if it dies; it ends when
its stdin does, so it never outlives its host. If a bot fails, the host chooses a move itself.

Our bots share one process; the tables of a club share a few, so that their number does not grow
with the tables. A bot that somebody else wrote is code that nobody here has read. The process that
plays a seat with it is asked for that seat alone, so even if it keeps all that it is told, it knows
no more than a player there; and if it does not answer, our bots continue. A bot that has failed too
often is given up, and the room learns of it; so is a bot for whose process a club has no place.

Each move and claim comes after a pause that is drawn before the bot thinks, so the time it takes
reveals nothing. Once everybody at the table has passed in a row, the pauses are short.
"""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import signal
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random, SystemRandom
from typing import Final, NamedTuple

import msgspec

from engine.actions import TurnEvent
from engine.bots import BOTS, Budget, Seconds, greedy
from engine.events import Passed
from engine.moves import Move
from engine.view import View
from net.clock import boot_time
from net.protocol.framing import BadFrame
from net.protocol.game_wire import read_move
from net.protocol.lobby import DEFAULT_LEVEL, TableClaim
from net.room import inputs
from net.room.bots import BotClaimRequest, BotMoveRequest, bot_claim
from net.room.effects import Effects
from net.room.room import Room
from net.server.bot_worker import Failed, Think, Thought
from net.server.process import environment, python
from net.tasks import finish, wait_for_event

BOT_TIMEOUT_S: Final = 10.0
"""Seconds that a bot may take, whatever its budget; then its process is killed."""

KILL_TIMEOUT_S: Final = 1.0  # seconds to wait for the end of a process that was killed

WORKER_ARGUMENTS: Final = ("-c", "from net.server.bot_worker import worker_main; worker_main()")
"""Arguments of Python that start the worker; not as `__main__`, whose values have other names."""

MAX_ANSWER_BYTES: Final = 4096  # a move, a few claims and a line of text

_log = logging.getLogger(__name__)


class BotReply(NamedTuple):
    """A legal move for a seat, and what its bot says with it."""

    move: Move
    claims: tuple[TableClaim, ...] = ()
    text: str = ""


class BotFailed(Exception):
    """Raised when a bot gave no legal move; the text holds no secret of its seat."""


class BotProcess:
    """Client of the worker process: asks one question at a time, for any of the tables.

    `limit` is the maximum seconds for an answer. `failures` counts the questions without a legal
    move. `speaks` is True once the bot has chosen what it says, even if that was nothing.
    """

    def __init__(self, limit: float = BOT_TIMEOUT_S) -> None:
        self._limit = limit
        self.failures = 0
        self.speaks = False
        self._process: Process | None = None
        self._turn = asyncio.Lock()

    async def think(self, turn: BotMoveRequest, chance: Random, budget: Budget) -> BotReply:
        """Return a legal move: the bot's or, if it fails, one by the greedy bot in this process."""
        seed = chance.getrandbits(32)
        question = Think(turn.view, turn.talk, turn.temper, turn.level, seed, budget)
        try:
            thought = await self._ask(question)
            move = read_move(thought.move)
            if turn.view.why_not(move) is not None:
                raise BotFailed("an illegal move")  # noqa: TRY301 - as any other bad answer
        except (BotFailed, BadFrame) as failed:
            self.failures += 1
            _log.warning("the bot %s for seat %d failed: %s", turn.level, turn.seat + 1, failed)
            chance = Random(question.seed)
            return BotReply(await asyncio.to_thread(greedy, turn.view, chance, budget))
        if thought.dropped:
            who = f"{turn.level} for seat {turn.seat + 1}"
            _log.warning("left out of what the bot %s said: %s", who, thought.dropped)
        self.speaks = self.speaks or thought.speaks
        return BotReply(move, thought.claims, thought.text)

    async def close(self) -> None:
        await finish(self._end())

    async def _ask(self, question: Think) -> Thought:
        async with self._turn:  # waiting for others' questions does not count as the bot's time
            try:
                async with asyncio.timeout(self._limit):
                    if self._process is None:
                        await finish(self._start())  # cancelled halfway, it would leave pipes open
                    assert self._process is not None
                    line = await _exchange(self._process, pickle.dumps(question))
                answer = msgspec.json.decode(line, type=Thought | Failed)
            except BaseException as error:  # also if cancelled: the next question would get it
                await finish(self._end())
                if isinstance(error, ConnectionError):
                    raise BotFailed("its process has ended") from None
                if isinstance(error, msgspec.DecodeError | OSError | ValueError):
                    raise BotFailed(type(error).__name__) from None  # such as a TimeoutError
                raise
        if isinstance(answer, Failed):
            raise BotFailed(answer.kind)
        return answer

    async def _start(self) -> None:
        """Start the worker; it imports from our installation, never from the current directory."""
        self._process = await asyncio.create_subprocess_exec(
            *python(*WORKER_ARGUMENTS),
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,  # a traceback may hold a seat's secrets
            env=environment(),
            limit=MAX_ANSWER_BYTES,
            start_new_session=True,  # a process group of its own; means nothing on Windows
        )

    async def _end(self) -> None:
        """Kill the process and all that its bot has started."""
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):  # it has ended already
                if sys.platform == "win32":
                    process.kill()
                else:
                    os.killpg(process.pid, signal.SIGKILL)
            # Python 3.11 also waits for the end of its pipes, which a process that the bot has left
            # in a session of its own may hold.
            with suppress(TimeoutError):
                async with asyncio.timeout(KILL_TIMEOUT_S):
                    await process.wait()


async def _exchange(process: Process, question: bytes) -> bytes:
    """Return a question's answer. Raises ConnectionError: it has ended; ValueError: too long."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(question)
    await process.stdin.drain()
    if line := await process.stdout.readline():
        return line
    raise BrokenPipeError


INSTALLED_BOT_TIMEOUT_S: Final = 5.0
"""Seconds that another's bot may take for a move, the import of its module included."""

MAX_BOT_FAILURES: Final = 3
"""How often another's bot may fail at a table, on all its seats, before it is given up."""


MAX_INSTALLED: Final = 16
"""Maximum number of processes of others' bots, at all tables of a club together, for their memory;
a table has fewer seats."""


class OurBots(NamedTuple):
    """The process of our bots and the processes of others' bots, for several tables."""

    process: BotProcess
    installed: set[BotProcess]


class BotPool:
    """Runs the bots of a table: ours in one process, each seat's bot of somebody else in its own.

    `limit` is the maximum seconds for a move of another's bot. Our code chooses the claims of all
    bots, each from the view of its seat alone, until another's bot speaks for itself. `give_up` is
    called with the name of a bot that has failed too often; if asked later, it restarts. `ours` are
    processes that several tables share: the pool does not close them.
    """

    def __init__(
        self,
        give_up: Callable[[str], None],
        limit: float = INSTALLED_BOT_TIMEOUT_S,
        *,
        ours: OurBots | None = None,
    ) -> None:
        self._give_up = give_up
        self._limit = limit
        self._is_shared = ours is not None
        self._ours, self._all_installed = ours or OurBots(BotProcess(), set())
        self._installed: dict[int, tuple[str, BotProcess]] = {}

    async def think(self, turn: BotMoveRequest, chance: Random, budget: Budget) -> BotReply:
        """Return a legal move and what the bot says with it; one of ours if the bot fails."""
        if turn.level in BOTS:
            return await self._ours.think(turn, chance, budget)
        process = await self._process_of(turn.seat, turn.level)
        if process is None:
            made = await self._ours.think(replace(turn, level=DEFAULT_LEVEL), chance, budget)
        else:
            made = await process.think(turn, chance, budget)
        theirs = [seat for seat, (name, _) in self._installed.items() if name == turn.level]
        failures = sum(self._installed[seat][1].failures for seat in theirs)
        if process is None or failures >= MAX_BOT_FAILURES:
            for seat in theirs:
                await self._end(seat)
            self._give_up(turn.level)
        return made

    async def speak(self, due: BotClaimRequest) -> TableClaim | None:
        """Return a claim of the bot on a seat, or None if it has nothing to say."""
        _, process = self._installed.get(due.seat, ("", self._ours))
        if process.speaks:
            return None
        return await asyncio.to_thread(bot_claim, due.view, due.occasion, due.talk, due.temper)

    async def close(self) -> None:
        for seat in tuple(self._installed):
            await self._end(seat)
        if not self._is_shared:
            await self._ours.close()

    async def _process_of(self, seat: int, level: str) -> BotProcess | None:
        """Return the process that plays this seat with another's bot, `None` if there are too many.

        Another bot on the same seat begins in a new process, without what the earlier bot knew.
        """
        there, process = self._installed.get(seat, ("", None))
        if there == level:
            return process
        if there:
            await self._end(seat)
        if len(self._all_installed) >= MAX_INSTALLED:
            return None
        process = BotProcess(self._limit)
        self._all_installed.add(process)
        self._installed[seat] = level, process
        return process

    async def _end(self, seat: int) -> None:
        _level, process = self._installed.pop(seat)
        self._all_installed.discard(process)
        await process.close()


BOT_MOVE_DELAY_S: Final = (0.6, 1.6)
"""Minimum and maximum seconds for a bot's move or claim, thinking included."""

BOT_BUDGET: Final = Seconds(0.4)
"""Seconds that a bot may think about a move; less than the shortest delay."""

DULL_PAUSE_S: Final = 0.15
"""Maximum seconds for a move once each player has passed in a row, thinking included."""


@dataclass(frozen=True, slots=True)
class BotPace:
    """Seconds that bots take: minimum and maximum for a move or claim, and the time to think."""

    pace: tuple[float, float] = BOT_MOVE_DELAY_S
    thought: Seconds = BOT_BUDGET


class BotScheduler:
    """Moves and speaks for all bots at a table, with the room's effects for `apply_effects`."""

    def __init__(
        self,
        room: Room,
        pool: BotPool,
        pace: BotPace,
        apply_effects: Callable[[Effects], None],
    ) -> None:
        self._room = room
        self._pool = pool
        self._pace = pace
        self._apply_effects = apply_effects
        self._chance = SystemRandom()
        self._changed = asyncio.Event()

    def note_change(self) -> None:
        """Note that the table has changed: a bot may be due, or no longer."""
        self._changed.set()

    async def run(self) -> None:
        while True:
            if (due := self._room.claim_request()) is not None:
                await self._speak(due)
            elif (turn := self._room.bot_turn()) is not None:
                await self._move(turn)
            else:
                self._changed.clear()
                await self._changed.wait()

    async def _speak(self, due: BotClaimRequest) -> None:
        until = self._draw_end()
        claim = await self._pool.speak(due)

        def is_asked() -> bool:
            asked = self._room.claim_due
            return asked is not None and (asked.number, asked.seat) == (due.number, due.seat)

        await self._pause(until, is_asked)
        self._apply_effects(inputs.make_bot_claim(self._room, boot_time(), due, claim))

    async def _move(self, turn: BotMoveRequest) -> None:
        until, thought = self._draw_end(), self._pace.thought
        if has_gone_dull(turn.view):
            until = min(until, time.monotonic() + DULL_PAUSE_S)
            thought = Seconds(min(thought.seconds, DULL_PAUSE_S / 2))
        made = await self._pool.think(turn, self._chance, thought)

        def is_due() -> bool:  # not once the seat has moved, or its player is back
            due = self._room.move_due
            return due is not None and (due.turn, due.seat) == (turn.turn, turn.seat)

        await self._pause(until, is_due)
        effects = inputs.make_bot_move(
            self._room, boot_time(), turn, made.move, made.claims, made.text
        )
        self._apply_effects(effects)

    def _draw_end(self) -> float:
        """Return the time at which a pause that begins now ends, drawn at random."""
        return time.monotonic() + self._chance.uniform(*self._pace.pace)

    async def _pause(self, until: float, is_wanted: Callable[[], bool]) -> None:
        while is_wanted() and (left := until - time.monotonic()) > 0:
            self._changed.clear()
            await wait_for_event(self._changed, left)


def has_gone_dull(view: View) -> bool:
    """Return True if every player has passed in their last turn."""
    turns = [event for event in view.history if isinstance(event, TurnEvent)]
    last = turns[-view.table.players :]
    return len(last) == view.table.players and all(isinstance(event, Passed) for event in last)
