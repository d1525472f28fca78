"""Bots, asked in a process of their own: it is made when first needed, and anew if it dies.

Knows the worker and its pipes. Must not know the room, nor when a bot is to move or to speak.
Whatever happens to a bot, there is a move; but it may be lost for words.
"""

from __future__ import annotations

import asyncio
import logging
import subprocess
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import IO, Final, TypedDict, TypeVar

from engine import Move, View
from engine.bots import Seconds, greedy
from net.apart import environment, python
from net.codec import (
    EventWire,
    OwnWire,
    PublicWire,
    read_move,
    write_event,
    write_own,
    write_public,
)
from net.frames import FROM_HOST, TO_HOST, BadFrame, Deframer, Fault, decode, pack
from net.host.worker import ANSWERS, Answer, Failed, Question, Speak, Spoken, Think, Thought
from net.lobby import Claim
from net.room import BotCue, BotTurn
from net.tasks import finish

LIMIT: Final = 10.0
"""Seconds that a bot may take, whatever it was told; then it is stopped."""

WORKER: Final = ("-m", "net.host.worker")

T = TypeVar("T")

_log = logging.getLogger(__name__)


class BotFailed(Exception):
    """A bot gave no legal move or no claim. Says why, and nothing of what it knows."""


class Knowing(TypedDict):
    """A view, as the worker is told it."""

    public: PublicWire
    own: OwnWire
    history: tuple[EventWire, ...]


class Thinker:
    """Asks bots, one at a time. `worker` is what Python is told to run."""

    def __init__(self, worker: Sequence[str] = WORKER, limit: float = LIMIT) -> None:
        self._worker = tuple(worker)
        self._limit = limit
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="thinker")  # talks to the process

    async def think(self, turn: BotTurn, chance: Random, budget: Seconds) -> Move:
        """A legal move: the bot's or, where it fails, the one that looks best at once."""
        question = Think(
            level=turn.level,
            seed=chance.getrandbits(32),
            seconds=budget.seconds,
            **_knowing(turn.view),
        )
        try:
            return await self._ask(question, lambda answer: _move(answer, turn.view))
        except BotFailed as failed:
            _log.warning("the bot %s for seat %d failed: %s", turn.level, turn.seat + 1, failed)
            return await asyncio.to_thread(greedy, turn.view, chance, budget)

    async def speak(self, cue: BotCue) -> Claim | None:
        """What a bot says, if anything: where it fails, nothing."""
        question = Speak(occasion=cue.occasion, **_knowing(cue.view))
        try:
            return await self._ask(question, _claim)
        except BotFailed as failed:
            _log.warning("the bot of seat %d failed to speak: %s", cue.seat + 1, failed)
            return None

    async def close(self) -> None:
        """End the process, if there is one. Nothing may be asked any more."""
        await finish(self._end())
        self._thread.shutdown()

    async def _ask(self, question: Question, read: Callable[[Answer], T]) -> T:
        """What `read` makes of the answer. Raises `BotFailed` where there is none of use."""
        try:
            async with asyncio.timeout(self._limit):
                if self._process is None:
                    self._process = _start(self._worker)
                loop, said = asyncio.get_running_loop(), pack(question, FROM_HOST)
                answer = await loop.run_in_executor(self._thread, _exchange, self._process, said)
            return read(answer)
        except (BadFrame, OSError) as error:  # a TimeoutError is an OSError
            await self._end()
            raise BotFailed(type(error).__name__) from None

    async def _end(self) -> None:
        """Kill the process; whoever talks to it then hears that it has ended."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            await asyncio.get_running_loop().run_in_executor(self._thread, _bury, process)


def _knowing(view: View) -> Knowing:
    return Knowing(
        public=write_public(view.table, view.score),
        own=write_own(view),
        history=tuple(write_event(event) for event in view.history),
    )


def _move(answer: Answer, view: View) -> Move:
    """The legal move of an answer. Raises `BotFailed` where there is none, or `BadFrame`."""
    if not isinstance(answer, Thought):
        raise _failure(answer)
    move = read_move(answer.move)
    if view.why_not(move) is not None:
        raise BotFailed("an illegal move")
    return move


def _claim(answer: Answer) -> Claim | None:
    """The claim of an answer. Raises `BotFailed` where there is none, or `BadFrame`."""
    if not isinstance(answer, Spoken):
        raise _failure(answer)
    return answer.claim


def _failure(answer: Answer) -> BotFailed | BadFrame:
    """Why an answer is not what was asked for: the bot failed, or the process lost its way."""
    return BotFailed(answer.kind) if isinstance(answer, Failed) else BadFrame(Fault.MESSAGE)


def _start(worker: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start a process that imports from where we did, and not from where we stand (-P)."""
    return subprocess.Popen(  # noqa: S603 - ourselves
        python(*worker),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # a traceback may hold what only a seat knows
        env=environment(),
        bufsize=0,
    )


def _exchange(process: subprocess.Popen[bytes], question: bytes) -> Answer:
    """Say something to a process, and wait for its answer. Raises `OSError` where it has ended."""
    asking, telling = _pipes(process)
    while question:
        question = question[asking.write(question) :]
    deframer = Deframer(TO_HOST)
    while data := telling.read(deframer.wanted):
        for value in deframer.feed(data):
            return decode(value, *ANSWERS)
    raise BrokenPipeError


def _bury(process: subprocess.Popen[bytes]) -> None:
    for pipe in _pipes(process):
        pipe.close()
    process.wait()


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    assert process.stdin is not None
    assert process.stdout is not None
    return process.stdin, process.stdout
