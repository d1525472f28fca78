"""Bots in processes of their own, the workers (`bot_worker`): the client that asks them.

Questions and answers are frames on the worker's stdin and stdout. A question holds
a seat's view and asks for a move or a claim; so a bot knows no more than a player. The process is
started when first needed, and again if it dies; it ends when its stdin does, so it never outlives
its host. If a bot fails, the host chooses a move itself, or no claim.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from random import Random
from typing import IO, Final, NamedTuple, TypeVar

from engine.bots import Budget, Seconds, greedy
from engine.moves import Move
from engine.view import View
from net.protocol.events import read_move
from net.protocol.framing import (
    MAX_CLIENT_FRAME_BYTES,
    MAX_HOST_FRAME_BYTES,
    BadFrame,
    Deframer,
    FrameFault,
    decode,
    pack,
)
from net.protocol.lobby import TableClaim
from net.room.effects import BotClaimRequest, BotMoveRequest
from net.server.bot_worker import (
    ANSWER_KINDS,
    Failed,
    Speak,
    Spoken,
    Think,
    Thought,
    WorkerAnswer,
    WorkerQuestion,
    view_fields,
)
from net.server.process import environment, python
from net.tasks import finish

BOT_TIMEOUT_S: Final = 10.0
"""Seconds that a bot may take, whatever its budget; then its process is killed."""

WORKER_ARGUMENTS: Final = ("-m", "net.server.bot_worker")
"""Arguments of Python that start the worker."""

T = TypeVar("T")

_log = logging.getLogger(__name__)


class BotReply(NamedTuple):
    """A legal move for a seat, and what its bot says with it."""

    move: Move
    claims: tuple[TableClaim, ...] = ()
    text: str = ""


class BotFailed(Exception):
    """Raised when a bot gave no legal move or no claim; the text holds no secret of its seat."""


class BotProcess:
    """Client of the worker process: asks one question at a time, whichever table has it.

    `worker` are the arguments of Python that start it, `limit` is the most seconds for an answer.
    `failures` counts the moves that a bot did not make. `speaks` is True once the bot has chosen
    what it says, be it nothing.
    """

    def __init__(
        self, worker: Sequence[str] = WORKER_ARGUMENTS, limit: float = BOT_TIMEOUT_S
    ) -> None:
        self._worker = tuple(worker)
        self._limit = limit
        self.failures = 0
        self.speaks = False
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = _new_thread()
        self._turn = asyncio.Lock()

    async def think(self, turn: BotMoveRequest, chance: Random, budget: Budget) -> BotReply:
        """Return a legal move: the bot's or, if it fails, one chosen by the greedy bot in here."""
        question = Think(
            level=turn.level,
            seed=chance.getrandbits(32),
            seconds=budget.seconds if isinstance(budget, Seconds) else 0.0,
            playouts=None if isinstance(budget, Seconds) else budget.count,
            **view_fields(turn.view, turn.talk),
        )
        try:
            thought = await self._ask(question, lambda answer: _check_thought(answer, turn.view))
        except BotFailed as failed:
            self.failures += 1
            _log.warning("the bot %s for seat %d failed: %s", turn.level, turn.seat + 1, failed)
            chance = Random(question.seed)
            return BotReply(await asyncio.to_thread(greedy, turn.view, chance, budget))
        self.speaks = self.speaks or thought.speaks
        return BotReply(read_move(thought.move), thought.claims, thought.text)

    async def speak(self, due: BotClaimRequest) -> TableClaim | None:
        """Return a bot's claim; None if it has nothing to say, or fails."""
        question = Speak(occasion=due.occasion, **view_fields(due.view, due.talk))
        try:
            return await self._ask(question, _claim)
        except BotFailed as failed:
            _log.warning("the bot of seat %d failed to speak: %s", due.seat + 1, failed)
            return None

    async def rest(self) -> None:
        """End the process and its thread, once it has answered, until it is asked again."""
        async with self._turn:
            await self._end()
            self._thread.shutdown()
            self._thread = _new_thread()

    async def close(self) -> None:
        """End the process, if there is one. No question may be asked after that."""
        await finish(self._end())
        self._thread.shutdown()

    async def _ask(self, question: WorkerQuestion, read: Callable[[WorkerAnswer], T]) -> T:
        """Ask a question and return its answer as read by `read`. Raises `BotFailed`."""
        async with self._turn:  # a wait for others' questions is not the bot's time
            try:
                async with asyncio.timeout(self._limit):
                    if self._process is None:
                        self._process = _start(self._worker)
                    loop, said = asyncio.get_running_loop(), pack(question, MAX_HOST_FRAME_BYTES)
                    exchange = loop.run_in_executor(self._thread, _exchange, self._process, said)
                    answer = await exchange
                return read(answer)
            except BrokenPipeError:
                await self._end()
                raise BotFailed("its process has ended") from None
            except (BadFrame, OSError) as error:  # a TimeoutError is an OSError
                await self._end()
                raise BotFailed(type(error).__name__) from None

    async def _end(self) -> None:
        """Kill the process; an exchange that still waits for it then raises `OSError`."""
        process, self._process = self._process, None
        if process is not None:
            _kill(process)
            await asyncio.get_running_loop().run_in_executor(self._thread, _bury, process)


def _new_thread() -> ThreadPoolExecutor:
    """Return the thread that talks to a process; it begins with the first question."""
    return ThreadPoolExecutor(1, thread_name_prefix="thinker")


def _check_thought(answer: WorkerAnswer, view: View) -> Thought:
    """Return an answer with a legal move. Raises `BotFailed` or `BadFrame` if it has none."""
    if not isinstance(answer, Thought):
        raise _failure(answer)
    if view.why_not(read_move(answer.move)) is not None:
        raise BotFailed("an illegal move")
    return answer


def _claim(answer: WorkerAnswer) -> TableClaim | None:
    """Return the claim of an answer, or None. Raises `BotFailed` or `BadFrame`."""
    if not isinstance(answer, Spoken):
        raise _failure(answer)
    return answer.claim


def _failure(answer: WorkerAnswer) -> BotFailed | BadFrame:
    """Return the error for an answer of the wrong kind: the bot failed, or broke the protocol."""
    return BotFailed(answer.kind) if isinstance(answer, Failed) else BadFrame(FrameFault.MESSAGE)


def _start(worker: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start the worker; it imports from our installation, never from the current directory."""
    return subprocess.Popen(  # noqa: S603 - ourselves
        python(*worker),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # a traceback may hold a seat's secrets
        env=environment(),
        bufsize=0,
        start_new_session=True,  # a process group of its own; means nothing on Windows
    )


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a worker and all that its bot has started, which would keep our pipes open."""
    if sys.platform != "win32":
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _exchange(process: subprocess.Popen[bytes], question: bytes) -> WorkerAnswer:
    """Send a question and block until the answer. Raises `OSError` if the process has ended."""
    asking, telling = _pipes(process)
    while question:
        question = question[asking.write(question) :]
    deframer = Deframer(MAX_CLIENT_FRAME_BYTES)
    while data := telling.read(deframer.wanted):
        for value in deframer.feed(data):
            return decode(value, *ANSWER_KINDS)
    raise BrokenPipeError


def _bury(process: subprocess.Popen[bytes]) -> None:
    for pipe in _pipes(process):
        pipe.close()
    process.wait()


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    assert process.stdin is not None
    assert process.stdout is not None
    return process.stdin, process.stdout
