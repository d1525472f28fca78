"""Bots in a process of their own: the worker (`python -m net.server.bot_process`) and its client.

Questions and answers are frames on the worker's stdin and stdout. A question holds a seat's view,
as that seat's client would be sent it, and asks for a move or a claim; so a bot knows no more than
a player. The process is started when first needed, and again if it dies; it ends when its stdin
does, so it never outlives its host. If a bot fails, the host chooses a move itself, or no claim.
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
from queue import SimpleQueue
from random import Random
from typing import IO, Annotated, Final, TypeAlias, TypedDict, TypeVar, assert_never

from msgspec import Meta

from engine.bots import BOTS, Bot, Seconds, greedy
from engine.bots.bot import hearing
from engine.bots.talk import Honesty, Statement, Talk, TrackRecord
from engine.moves import Move
from engine.view import View
from net.lobby.chat import read_claim, table_claim
from net.lobby.model import TableClaim
from net.protocol.events import EventWire, MoveWire, read_move, write_event, write_move
from net.protocol.fields import SeatNumber, Small, Wire
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
from net.protocol.views import Events, OwnWire, PublicWire, read_view, write_own, write_public
from net.room.bots import bot_claim
from net.room.effects import BotClaimRequest, BotMoveRequest, Occasion
from net.server.process import environment, hide_memory, python
from net.tasks import finish

ClaimFunction: TypeAlias = Callable[[View, Occasion, Talk], TableClaim | None]
"""A function that finds a claim to make about an occasion, if any."""


class StatementWire(Wire, frozen=True):
    """A claim of a seat, as a client would be sent it, and the cards that were unplayed then."""

    seat: SeatNumber
    claim: TableClaim
    unplayed: Small


class ViewMessage(Message, frozen=True):
    """A seat's view, as its client would be sent it, and what was said at the table.

    `records` are the seats' reports in earlier rounds: as a miner true and false, as a saboteur
    true and false.
    """

    public: PublicWire
    own: OwnWire
    history: Events
    said: tuple[StatementWire, ...] = ()
    records: tuple[tuple[float, float, float, float], ...] = ()

    @property
    def view(self) -> View:
        """The view as a value. Raises `BadFrame` if no seat can have such a view."""
        return read_view(self.public, self.own, self.history)

    @property
    def talk(self) -> Talk:
        """The claims as a value."""
        said = tuple(Statement(one.seat, read_claim(one.claim), one.unplayed) for one in self.said)
        records = (TrackRecord(Honesty(a, b), Honesty(c, d)) for a, b, c, d in self.records)
        return Talk(said, tuple(records))


class Think(ViewMessage, frozen=True, kw_only=True, tag="think"):
    """The question for a move of this view's seat. `seconds` is the bot's time budget."""

    level: Annotated[str, Meta(max_length=16)]
    seed: Annotated[int, Meta(ge=0, lt=2**32)]
    seconds: float


class Speak(ViewMessage, frozen=True, kw_only=True, tag="speak"):
    """The question for a claim of this view's seat about an occasion."""

    occasion: Occasion


class Thought(Message, frozen=True, tag="thought"):
    """The answer to `Think`: the move."""

    move: MoveWire


class Spoken(Message, frozen=True, tag="spoken"):
    """The answer to `Speak`: the claim, or None."""

    claim: TableClaim | None


class Failed(Message, frozen=True, tag="failed"):
    """The answer if the bot raised: the error's type only, as its text may hold secrets."""

    kind: Annotated[str, Meta(max_length=200)]


WorkerQuestion: TypeAlias = Think | Speak
QUESTION_KINDS: Final[tuple[type[WorkerQuestion], ...]] = (Think, Speak)
WorkerAnswer: TypeAlias = Thought | Spoken | Failed
ANSWER_KINDS: Final[tuple[type[WorkerAnswer], ...]] = (Thought, Spoken, Failed)


def answer(asked: WorkerQuestion, bots: Mapping[str, Bot], speak: ClaimFunction) -> WorkerAnswer:
    """Return a bot's answer to a question, or `Failed` if it raises."""
    try:
        match asked:
            case Think():
                bot, budget = hearing(bots[asked.level], asked.talk), Seconds(asked.seconds)
                return Thought(write_move(bot(asked.view, Random(asked.seed), budget)))
            case Speak():
                return Spoken(speak(asked.view, asked.occasion, asked.talk))
            case _:
                assert_never(asked)
    except Exception as error:  # noqa: BLE001 - whatever a bot raises is told to who asked
        return Failed(type(error).__name__)


def worker_main(bots: Mapping[str, Bot] = BOTS, speak: ClaimFunction = bot_claim) -> None:
    """Answer one question after the other until stdin ends: the worker's main loop."""
    hide_memory()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the host alone to handle
    questions: SimpleQueue[WorkerQuestion] = SimpleQueue()
    threading.Thread(target=_listen, args=(questions,), daemon=True).start()
    while True:
        said = pack(answer(questions.get(), bots, speak), MAX_CLIENT_FRAME_BYTES)
        sys.stdout.buffer.write(said)
        sys.stdout.buffer.flush()


def _listen(questions: SimpleQueue[WorkerQuestion]) -> None:
    """Read questions from stdin, and exit when it ends; in a thread, as a bot may never stop."""
    deframer = Deframer(MAX_HOST_FRAME_BYTES)
    try:
        while data := os.read(sys.stdin.fileno(), deframer.wanted):
            for value in deframer.feed(data):
                questions.put(decode(value, *QUESTION_KINDS))
    finally:
        os._exit(0)


BOT_TIMEOUT_S: Final = 10.0
"""Seconds that a bot may take, whatever its budget; then its process is killed."""

WORKER_ARGUMENTS: Final = ("-m", "net.server.bot_process")
"""Arguments of Python that start the worker."""

T = TypeVar("T")

_log = logging.getLogger(__name__)


class BotFailed(Exception):
    """Raised when a bot gave no legal move or no claim; the text holds no secret of its seat."""


class ViewFields(TypedDict):
    """The fields of a `ViewMessage`."""

    public: PublicWire
    own: OwnWire
    history: tuple[EventWire, ...]
    said: tuple[StatementWire, ...]
    records: tuple[tuple[float, float, float, float], ...]


class BotProcess:
    """Client of the worker process: asks one question at a time.

    `worker` are the arguments of Python that start it, `limit` is the most seconds for an answer.
    """

    def __init__(
        self, worker: Sequence[str] = WORKER_ARGUMENTS, limit: float = BOT_TIMEOUT_S
    ) -> None:
        self._worker = tuple(worker)
        self._limit = limit
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="thinker")  # talks to the process

    async def think(self, turn: BotMoveRequest, chance: Random, budget: Seconds) -> Move:
        """Return a legal move: the bot's or, if it fails, one chosen by the greedy bot in here."""
        question = Think(
            level=turn.level,
            seed=chance.getrandbits(32),
            seconds=budget.seconds,
            **_view_fields(turn.view, turn.talk),
        )
        try:
            return await self._ask(question, lambda answer: _move(answer, turn.view))
        except BotFailed as failed:
            _log.warning("the bot %s for seat %d failed: %s", turn.level, turn.seat + 1, failed)
            return await asyncio.to_thread(greedy, turn.view, chance, budget)

    async def speak(self, due: BotClaimRequest) -> TableClaim | None:
        """Return a bot's claim; None if it has nothing to say, or fails."""
        question = Speak(occasion=due.occasion, **_view_fields(due.view, due.talk))
        try:
            return await self._ask(question, _claim)
        except BotFailed as failed:
            _log.warning("the bot of seat %d failed to speak: %s", due.seat + 1, failed)
            return None

    async def close(self) -> None:
        """End the process, if there is one. No question may be asked after that."""
        await finish(self._end())
        self._thread.shutdown()

    async def _ask(self, question: WorkerQuestion, read: Callable[[WorkerAnswer], T]) -> T:
        """Ask a question and return its answer as read by `read`. Raises `BotFailed`."""
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
        """Kill the process; an exchange that still waits for it then raises `OSError`."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            await asyncio.get_running_loop().run_in_executor(self._thread, _bury, process)


def _view_fields(view: View, talk: Talk) -> ViewFields:
    return ViewFields(
        public=write_public(view.table, view.score),
        own=write_own(view),
        history=tuple(write_event(event) for event in view.history),
        said=tuple(StatementWire(seat, table_claim(one), left) for seat, one, left in talk.said),
        records=tuple((*one.miner, *one.saboteur) for one in talk.records),
    )


def _move(answer: WorkerAnswer, view: View) -> Move:
    """Return the legal move of an answer. Raises `BotFailed` or `BadFrame` if there is none."""
    if not isinstance(answer, Thought):
        raise _failure(answer)
    move = read_move(answer.move)
    if view.why_not(move) is not None:
        raise BotFailed("an illegal move")
    return move


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
    )


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


if __name__ == "__main__":
    worker_main()
