"""The process in which bots think: `python -m net.host.worker`, frames in and frames out.

Given a view as its seat's client would be sent it, and what is asked of it: a move, with a level, a
seed and a time; or something to say, with what it is about. Imports little. It ends with its host,
however that ends: its input ends then.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from queue import SimpleQueue
from random import Random
from typing import Annotated, Final, TypeAlias, assert_never

from msgspec import Meta

from engine import View
from engine.bots import BOTS, Bot, Seconds
from net.codec import Events, MoveWire, OwnWire, PublicWire, read_view, write_move
from net.frames import FROM_HOST, TO_HOST, Deframer, Message, decode, pack
from net.lobby import Claim
from net.speech import Occasion, says

Says: TypeAlias = Callable[[View, Occasion], Claim | None]
"""What finds something to say."""


class Knowing(Message, frozen=True):
    """A seat's view."""

    public: PublicWire
    own: OwnWire
    history: Events

    @property
    def view(self) -> View:
        """What the seat knows. Raises `BadFrame` for what no seat can know."""
        return read_view(self.public, self.own, self.history)


class Think(Knowing, frozen=True, kw_only=True):
    """Choose a move for the seat of this view."""

    level: Annotated[str, Meta(max_length=16)]
    seed: Annotated[int, Meta(ge=0, lt=2**32)]
    seconds: float


class Speak(Knowing, frozen=True, kw_only=True):
    """Find something to say of this for the seat of this view."""

    occasion: Occasion


class Thought(Message, frozen=True):
    """The move."""

    move: MoveWire


class Spoken(Message, frozen=True):
    """What the bot says, if anything."""

    claim: Claim | None


class Failed(Message, frozen=True):
    """The bot raised an error of this type. What the error says may hold what only a seat knows."""

    kind: Annotated[str, Meta(max_length=200)]


Question: TypeAlias = Think | Speak
QUESTIONS: Final[tuple[type[Question], ...]] = (Think, Speak)
Answer: TypeAlias = Thought | Spoken | Failed
ANSWERS: Final[tuple[type[Answer], ...]] = (Thought, Spoken, Failed)


def answer(asked: Question, bots: Mapping[str, Bot], speak: Says) -> Answer:
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


def work(bots: Mapping[str, Bot] = BOTS, speak: Says = says) -> None:
    """Answer one question after the other, until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the host to hear
    questions: SimpleQueue[Question] = SimpleQueue()
    threading.Thread(target=_listen, args=(questions,), daemon=True).start()
    while True:
        said = pack(answer(questions.get(), bots, speak), TO_HOST)
        sys.stdout.buffer.write(said)
        sys.stdout.buffer.flush()


def _listen(questions: SimpleQueue[Question]) -> None:
    """Pass questions on. In a thread, so that a bot that never stops ends with its host, too."""
    deframer = Deframer(FROM_HOST)
    try:
        while data := os.read(sys.stdin.fileno(), deframer.wanted):
            for value in deframer.feed(data):
                questions.put(decode(value, *QUESTIONS))
    finally:
        os._exit(0)


if __name__ == "__main__":
    work()
