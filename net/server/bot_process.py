"""The worker process and its client.

The process in which bots think: `python -m net.server.bot_process`, frames in and frames out.

Given a view as its seat's client would be sent it, and what is asked of it: a move, with a level, a
seed and a time; or something to say, with what it is about. Imports little. It ends with its host,
however that ends: its input ends then.

Starting a Python program of ours as a process of its own, from wherever we were started.

It imports from where we were, and not from where we stand: what lies in the folder that a player
happens to be in is not ours.

Bots, asked in a process of their own: it is made when first needed, and anew if it dies.

Whatever happens to a bot, there is a move; but it may be lost for words.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from random import Random
from typing import IO, Annotated, Final, TypeAlias, TypedDict, TypeVar, assert_never

from msgspec import Meta

from engine import Move, View
from engine.bots import BOTS, Bot, Seconds, greedy
from net.lobby import TableClaim
from net.protocol import (
    Events,
    EventWire,
    MoveWire,
    OwnWire,
    PublicWire,
    read_move,
    read_view,
    write_event,
    write_move,
    write_own,
    write_public,
)
from net.protocol.framing import (
    MAX_CLIENT_FRAME_BYTES,
    MAX_HOST_FRAME_BYTES,
    BadFrame,
    Deframer,
    FrameFault,
    Message,
    decode,
    pack,
)
from net.room import BotClaimRequest, BotMoveRequest
from net.room.bots import bot_claim
from net.room.effects import Occasion
from net.tasks import finish

ClaimFunction: TypeAlias = Callable[[View, Occasion], TableClaim | None]
"""What finds something to say."""


class ViewMessage(Message, frozen=True):
    """A seat's view."""

    public: PublicWire
    own: OwnWire
    history: Events

    @property
    def view(self) -> View:
        """What the seat knows. Raises `BadFrame` for what no seat can know."""
        return read_view(self.public, self.own, self.history)


class Think(ViewMessage, frozen=True, kw_only=True):
    """Choose a move for the seat of this view."""

    level: Annotated[str, Meta(max_length=16)]
    seed: Annotated[int, Meta(ge=0, lt=2**32)]
    seconds: float


class Speak(ViewMessage, frozen=True, kw_only=True):
    """Find something to say of this for the seat of this view."""

    occasion: Occasion


class Thought(Message, frozen=True):
    """The move."""

    move: MoveWire


class Spoken(Message, frozen=True):
    """What the bot says, if anything."""

    claim: TableClaim | None


class Failed(Message, frozen=True):
    """The bot raised an error of this type. What the error says may hold what only a seat knows."""

    kind: Annotated[str, Meta(max_length=200)]


WorkerQuestion: TypeAlias = Think | Speak
QUESTION_KINDS: Final[tuple[type[WorkerQuestion], ...]] = (Think, Speak)
WorkerAnswer: TypeAlias = Thought | Spoken | Failed
ANSWER_KINDS: Final[tuple[type[WorkerAnswer], ...]] = (Thought, Spoken, Failed)


def answer(asked: WorkerQuestion, bots: Mapping[str, Bot], speak: ClaimFunction) -> WorkerAnswer:
    """What a bot makes of a view."""
    try:
        match asked:
            case Think():
                bot, budget = bots[asked.level], Seconds(asked.seconds)
                return Thought(write_move(bot(asked.view, Random(asked.seed), budget)))
            case Speak():
                return Spoken(speak(asked.view, asked.occasion))
            case _:
                assert_never(asked)
    except Exception as error:  # noqa: BLE001 - whatever a bot raises is told to who asked
        return Failed(type(error).__name__)


def worker_main(bots: Mapping[str, Bot] = BOTS, speak: ClaimFunction = bot_claim) -> None:
    """Answer one question after the other, until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the host to hear
    questions: SimpleQueue[WorkerQuestion] = SimpleQueue()
    threading.Thread(target=_listen, args=(questions,), daemon=True).start()
    while True:
        said = pack(answer(questions.get(), bots, speak), MAX_CLIENT_FRAME_BYTES)
        sys.stdout.buffer.write(said)
        sys.stdout.buffer.flush()


def _listen(questions: SimpleQueue[WorkerQuestion]) -> None:
    """Pass questions on. In a thread, so that a bot that never stops ends with its host, too."""
    deframer = Deframer(MAX_HOST_FRAME_BYTES)
    try:
        while data := os.read(sys.stdin.fileno(), deframer.wanted):
            for value in deframer.feed(data):
                questions.put(decode(value, *QUESTION_KINDS))
    finally:
        os._exit(0)


_HOUSE: Final = str(Path(__file__).parents[2])


def python(*words: str) -> tuple[str, ...]:
    """The command: `python("-m", "net.server.bot_process")`."""
    return (sys.executable, "-P", *words)


def environment() -> dict[str, str]:
    """What it needs to find us."""
    paths = [_HOUSE, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


BOT_TIMEOUT_S: Final = 10.0
"""Seconds that a bot may take, whatever it was told; then it is stopped."""

WORKER_ARGUMENTS: Final = ("-m", "net.server.bot_process")

T = TypeVar("T")

_log = logging.getLogger(__name__)


class BotFailed(Exception):
    """A bot gave no legal move or no claim. Says why, and nothing of what it knows."""


class ViewFields(TypedDict):
    """A view, as the worker is told it."""

    public: PublicWire
    own: OwnWire
    history: tuple[EventWire, ...]


class BotProcess:
    """Asks bots, one at a time. `worker` is what Python is told to run."""

    def __init__(
        self, worker: Sequence[str] = WORKER_ARGUMENTS, limit: float = BOT_TIMEOUT_S
    ) -> None:
        self._worker = tuple(worker)
        self._limit = limit
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="thinker")  # talks to the process

    async def think(self, turn: BotMoveRequest, chance: Random, budget: Seconds) -> Move:
        """A legal move: the bot's or, where it fails, the one that looks best at once."""
        question = Think(
            level=turn.level,
            seed=chance.getrandbits(32),
            seconds=budget.seconds,
            **_view_fields(turn.view),
        )
        try:
            return await self._ask(question, lambda answer: _move(answer, turn.view))
        except BotFailed as failed:
            _log.warning("the bot %s for seat %d failed: %s", turn.level, turn.seat + 1, failed)
            return await asyncio.to_thread(greedy, turn.view, chance, budget)

    async def speak(self, cue: BotClaimRequest) -> TableClaim | None:
        """What a bot says, if anything: where it fails, nothing."""
        question = Speak(occasion=cue.occasion, **_view_fields(cue.view))
        try:
            return await self._ask(question, _claim)
        except BotFailed as failed:
            _log.warning("the bot of seat %d failed to speak: %s", cue.seat + 1, failed)
            return None

    async def close(self) -> None:
        """End the process, if there is one. Nothing may be asked any more."""
        await finish(self._end())
        self._thread.shutdown()

    async def _ask(self, question: WorkerQuestion, read: Callable[[WorkerAnswer], T]) -> T:
        """What `read` makes of the answer. Raises `BotFailed` where there is none of use."""
        try:
            async with asyncio.timeout(self._limit):
                if self._process is None:
                    self._process = _start(self._worker)
                loop, said = asyncio.get_running_loop(), pack(question, MAX_HOST_FRAME_BYTES)
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


def _view_fields(view: View) -> ViewFields:
    return ViewFields(
        public=write_public(view.table, view.score),
        own=write_own(view),
        history=tuple(write_event(event) for event in view.history),
    )


def _move(answer: WorkerAnswer, view: View) -> Move:
    """The legal move of an answer. Raises `BotFailed` where there is none, or `BadFrame`."""
    if not isinstance(answer, Thought):
        raise _failure(answer)
    move = read_move(answer.move)
    if view.why_not(move) is not None:
        raise BotFailed("an illegal move")
    return move


def _claim(answer: WorkerAnswer) -> TableClaim | None:
    """The claim of an answer. Raises `BotFailed` where there is none, or `BadFrame`."""
    if not isinstance(answer, Spoken):
        raise _failure(answer)
    return answer.claim


def _failure(answer: WorkerAnswer) -> BotFailed | BadFrame:
    """Why an answer is not what was asked for: the bot failed, or the process lost its way."""
    return BotFailed(answer.kind) if isinstance(answer, Failed) else BadFrame(FrameFault.MESSAGE)


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


def _exchange(process: subprocess.Popen[bytes], question: bytes) -> WorkerAnswer:
    """Say something to a process, and wait for its answer. Raises `OSError` where it has ended."""
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


if __name__ == "__main__":
    worker_main()
