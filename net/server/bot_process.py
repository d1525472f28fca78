"""Bots in processes of their own, the workers (`bot_worker`): the client that asks them.

A question holds a seat's view and asks for a move; so a bot knows no more than a player. The
process is started when first needed, and again if it dies; it ends when its stdin does, so it never
outlives its host. If a bot fails, the host chooses a move itself.
"""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from random import Random
from typing import IO, Final, NamedTuple

import msgspec

from engine.bots import Budget, greedy
from engine.moves import Move
from net.protocol.events import read_move
from net.protocol.framing import BadFrame
from net.protocol.lobby import TableClaim
from net.room.bots import BotMoveRequest
from net.server.bot_worker import Failed, Think, Thought
from net.server.process import environment, python
from net.tasks import finish

BOT_TIMEOUT_S: Final = 10.0
"""Seconds that a bot may take, whatever its budget; then its process is killed."""

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
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="thinker")
        self._turn = asyncio.Lock()

    async def think(self, turn: BotMoveRequest, chance: Random, budget: Budget) -> BotReply:
        """Return a legal move: the bot's or, if it fails, one chosen by the greedy bot in here."""
        question = Think(turn.view, turn.talk, turn.level, chance.getrandbits(32), budget)
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
        self.speaks = self.speaks or thought.speaks
        return BotReply(move, thought.claims, thought.text)

    async def close(self) -> None:
        """End the process, if there is one. No question may be asked after that."""
        await finish(self._end())
        self._thread.shutdown()

    async def _ask(self, question: Think) -> Thought:
        """Ask a question and return its answer. Raises `BotFailed`."""
        async with self._turn:  # a wait for others' questions is not the bot's time
            try:
                async with asyncio.timeout(self._limit):
                    if self._process is None:
                        self._process = _start(self._worker)
                    loop, said = asyncio.get_running_loop(), pickle.dumps(question)
                    line = await loop.run_in_executor(self._thread, _exchange, self._process, said)
                answer = msgspec.json.decode(line, type=Thought | Failed)
            except BrokenPipeError:
                await self._end()
                raise BotFailed("its process has ended") from None
            except (msgspec.DecodeError, OSError) as error:  # a TimeoutError is an OSError
                await self._end()
                raise BotFailed(type(error).__name__) from None
        if isinstance(answer, Failed):
            raise BotFailed(answer.kind)
        return answer

    async def _end(self) -> None:
        """Kill the process; an exchange that still waits for it then raises `OSError`."""
        process, self._process = self._process, None
        if process is not None:
            _kill(process)
            await asyncio.get_running_loop().run_in_executor(self._thread, _bury, process)


def _start(worker: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start the worker; it imports from our installation, never from the current directory."""
    return subprocess.Popen(  # noqa: S603 - ourselves
        python(*worker),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # a traceback may hold a seat's secrets
        env=environment(),
        start_new_session=True,  # a process group of its own; means nothing on Windows
    )


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a worker and all that its bot has started, which would keep our pipes open."""
    if sys.platform != "win32":
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _exchange(process: subprocess.Popen[bytes], question: bytes) -> bytes:
    """Send a question and block until the answer. Raises `OSError` if the process has ended."""
    asking, telling = _pipes(process)
    asking.write(question)
    asking.flush()
    if line := telling.readline(MAX_ANSWER_BYTES):
        return line
    raise BrokenPipeError


def _bury(process: subprocess.Popen[bytes]) -> None:
    for pipe in _pipes(process):
        with suppress(OSError):  # of what it has not read
            pipe.close()
    process.wait()


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    assert process.stdin is not None
    assert process.stdout is not None
    return process.stdin, process.stdout
