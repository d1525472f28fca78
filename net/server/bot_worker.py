"""Process in which bots think, and the questions to it.

`net.server.bots` starts it. A question on its stdin holds a seat's view, pickled by our own
program. An answer on its stdout is a line of JSON: somebody else's bot runs here and could write
anything to it, so none of it is unpickled. The process imports as little as it can, as a table's
first bot waits for it: nothing that listens or serves.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from queue import SimpleQueue
from random import Random
from typing import Annotated, BinaryIO, Final, NamedTuple, TypeAlias, cast

import msgspec
from msgspec import Meta

from engine.bots import BOTS, Bot, Budget
from engine.bots.bot import MAX_CLAIMS_PER_MOVE, BadReply, SpokenMove, bind_talk, call_bot
from engine.bots.executables import MAX_INSTALLED_BOT_BYTES
from engine.bots.installed import load_bot
from engine.bots.talk import Talk
from engine.bots.temper import Temper
from engine.view import View
from net.protocol.chat import table_claim
from net.protocol.framing import Message
from net.protocol.game_wire import MoveWire, write_move
from net.protocol.lobby import ChatText, TableClaim, clean_text
from net.server.process import give_environment_back, hide_memory, limit_memory

MAX_REASON_LETTERS: Final = 200  # maximum number of letters of the reason why a bot failed

ReasonText: TypeAlias = Annotated[str, Meta(max_length=MAX_REASON_LETTERS)]


class Think(NamedTuple):
    """The question for a move of this view's seat."""

    view: View
    talk: Talk
    temper: Temper
    level: str
    seed: int
    budget: Budget


class Thought(Message, frozen=True, tag="thought"):
    """The answer: the move, and what the bot says with it.

    `speaks` is True if the bot chooses what it says, even if that is nothing; `dropped` tells its
    author what was left out of that.
    """

    move: MoveWire
    speaks: bool = False
    claims: Annotated[tuple[TableClaim, ...], Meta(max_length=MAX_CLAIMS_PER_MOVE)] = ()
    text: ChatText = ""
    dropped: ReasonText = ""


class Failed(Message, frozen=True, tag="failed"):
    """The answer if no bot was found, or it raised: the error's type, as its text may be secret."""

    kind: ReasonText


def answer(asked: Think, bots: Mapping[str, Bot]) -> Thought | Failed:
    """Return a bot's answer to a question, or `Failed` if it raises."""
    try:
        return _think(asked, bots)
    except BadReply as error:
        return Failed(str(error))
    except Exception as error:  # noqa: BLE001 - whatever a bot raises is reported to the host
        return Failed(type(error).__name__)


def _think(asked: Think, bots: Mapping[str, Bot]) -> Thought | Failed:
    """Return the move of a bot among these, or of one that is installed.

    Until the bot is loaded nothing has used the view, so the reason why there is no bot contains no
    secret.
    """
    if asked.level not in bots:
        limit_memory(MAX_INSTALLED_BOT_BYTES)
    try:
        bot = bots.get(asked.level) or load_bot(asked.level)
    except ValueError as error:
        return Failed(str(error)[:MAX_REASON_LETTERS])
    bot = bind_talk(bot, asked.talk, asked.temper)
    said = call_bot(bot, asked.view, Random(asked.seed), asked.budget)
    if not isinstance(said, SpokenMove):
        return Thought(write_move(said))
    claims = tuple(map(table_claim, said.claims))
    return Thought(
        write_move(said.move),
        speaks=True,
        claims=claims,
        text=clean_text(said.text),
        dropped=", ".join(said.dropped),
    )


def worker_main(bots: Mapping[str, Bot] = BOTS) -> None:
    """Answer one question after the other until stdin ends: the worker's main loop."""
    hide_memory()
    give_environment_back()  # for bots, which may run a Python of their own
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the host only to handle
    asking = os.fdopen(_hide_stream(0, os.O_RDONLY), "rb")
    telling = os.fdopen(_hide_stream(1, os.O_WRONLY), "wb")
    questions: SimpleQueue[Think] = SimpleQueue()
    threading.Thread(target=_listen, args=(asking, questions), daemon=True).start()
    while True:
        telling.write(msgspec.json.encode(answer(questions.get(), bots)) + b"\n")
        telling.flush()


def _hide_stream(standard: int, flags: int) -> int:
    """Return another descriptor for stdin or stdout, so that a bot may print, and reads nothing."""
    kept = os.dup(standard)
    nothing = os.open(os.devnull, flags)
    os.dup2(nothing, standard)
    os.close(nothing)
    return kept


def _listen(asking: BinaryIO, questions: SimpleQueue[Think]) -> None:
    """Read questions until they end, then exit; in a thread, as a bot may never stop."""
    try:
        with suppress(EOFError):  # our program has closed the pipe, or has ended
            while True:
                questions.put(cast("Think", pickle.load(asking)))  # noqa: S301 - our own
    finally:
        if sys.platform != "win32" and os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)  # what a bot has started ends with it
        os._exit(0)
