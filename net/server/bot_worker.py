"""Process in which bots think: `python -m net.server.bot_worker`, which `bot_process` starts.

It imports as little as it can, as a table's first bot waits for it: nothing that listens or serves.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from queue import SimpleQueue
from random import Random
from typing import TypeAlias, assert_never, cast

from engine.bots import BOTS, Bot
from engine.bots.bot import hearing
from engine.bots.installed import bot_named
from engine.bots.talk import Talk
from engine.moves import Move
from engine.view import View
from net.lobby.model import TableClaim
from net.protocol.events import write_move
from net.protocol.framing import (
    MAX_CLIENT_FRAME_BYTES,
    MAX_HOST_FRAME_BYTES,
    Deframer,
    decode,
    pack,
)
from net.room.bots import bot_claim
from net.room.effects import Occasion
from net.server.bot_messages import (
    MAX_REASON_LETTERS,
    QUESTION_KINDS,
    Failed,
    Speak,
    Spoken,
    Think,
    Thought,
    WorkerAnswer,
    WorkerQuestion,
)
from net.server.process import hide_memory

ClaimFunction: TypeAlias = Callable[[View, Occasion, Talk], TableClaim | None]
"""A function that finds a claim to make about an occasion, if any."""


def answer(asked: WorkerQuestion, bots: Mapping[str, Bot], speak: ClaimFunction) -> WorkerAnswer:
    """Return a bot's answer to a question, or `Failed` if it raises."""
    try:
        match asked:
            case Think():
                return _think(asked, bots)
            case Speak():
                return Spoken(speak(asked.view, asked.occasion, asked.talk))
            case _:
                assert_never(asked)
    except Exception as error:  # noqa: BLE001 - whatever a bot raises is told to who asked
        return Failed(type(error).__name__)


def _think(asked: Think, bots: Mapping[str, Bot]) -> Thought | Failed:
    """Return the move of a bot among these, or of one that is installed.

    Until the bot is loaded nothing has made a view of the question, so the reason why there is no
    bot holds no secret.
    """
    try:
        bot = bots.get(asked.level) or bot_named(asked.level)
    except ValueError as error:
        return Failed(str(error)[:MAX_REASON_LETTERS])
    said: object = cast(  # another's bot may return anything
        "object", hearing(bot, asked.talk)(asked.view, Random(asked.seed), asked.budget)
    )
    return Thought(write_move(said)) if isinstance(said, Move) else Failed("no move")


def worker_main(bots: Mapping[str, Bot] = BOTS, speak: ClaimFunction = bot_claim) -> None:
    """Answer one question after the other until stdin ends: the worker's main loop."""
    hide_memory()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the host alone to handle
    asking, telling = _away_from_bots(0, os.O_RDONLY), _away_from_bots(1, os.O_WRONLY)
    questions: SimpleQueue[WorkerQuestion] = SimpleQueue()
    threading.Thread(target=_listen, args=(asking, questions), daemon=True).start()
    while True:
        said = pack(answer(questions.get(), bots, speak), MAX_CLIENT_FRAME_BYTES)
        while said:
            said = said[os.write(telling, said) :]


def _away_from_bots(standard: int, flags: int) -> int:
    """Return another descriptor for stdin or stdout, which a bot then finds empty.

    So a bot may print, and reads no questions.
    """
    kept = os.dup(standard)
    nothing = os.open(os.devnull, flags)
    os.dup2(nothing, standard)
    os.close(nothing)
    return kept


def _listen(asking: int, questions: SimpleQueue[WorkerQuestion]) -> None:
    """Read questions until they end, and exit then; in a thread, as a bot may never stop."""
    deframer = Deframer(MAX_HOST_FRAME_BYTES)
    try:
        while data := os.read(asking, deframer.wanted):
            for value in deframer.feed(data):
                questions.put(decode(value, *QUESTION_KINDS))
    finally:
        if sys.platform != "win32" and os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)  # what a bot has started ends with it
        os._exit(0)


if __name__ == "__main__":
    worker_main()
