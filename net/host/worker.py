"""The process in which bots think: `python -m net.host.worker`, frames in and frames out.

Given a view as its seat's client would be sent it, a level, a seed and a time, and nothing else.
Imports little. It ends with its host, however that ends: its input ends then.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Mapping
from queue import SimpleQueue
from random import Random
from typing import Annotated, Final, TypeAlias

from msgspec import Meta

from engine.bots import BOTS, Bot, Seconds
from net.codec import Events, MoveWire, OwnWire, PublicWire, read_view, write_move
from net.frames import FROM_HOST, TO_HOST, Deframer, Message, decode, pack


class Think(Message, frozen=True):
    """Choose a move for the seat of this view."""

    level: Annotated[str, Meta(max_length=16)]
    seed: Annotated[int, Meta(ge=0, lt=2**32)]
    seconds: float
    public: PublicWire
    own: OwnWire
    history: Events


class Thought(Message, frozen=True):
    """The move."""

    move: MoveWire


class Failed(Message, frozen=True):
    """The bot raised an error of this type. What the error says may hold what only a seat knows."""

    kind: Annotated[str, Meta(max_length=200)]


Answer: TypeAlias = Thought | Failed
ANSWERS: Final[tuple[type[Answer], ...]] = (Thought, Failed)


def answer(asked: Think, bots: Mapping[str, Bot]) -> Answer:
    """What a bot makes of a view."""
    try:
        view = read_view(asked.public, asked.own, asked.history)
        move = bots[asked.level](view, Random(asked.seed), Seconds(asked.seconds))
    except Exception as error:  # noqa: BLE001 - whatever a bot raises is told to who asked
        return Failed(type(error).__name__)
    return Thought(write_move(move))


def work(bots: Mapping[str, Bot] = BOTS) -> None:
    """Answer one question after the other, until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the host to hear
    questions: SimpleQueue[Think] = SimpleQueue()
    threading.Thread(target=_listen, args=(questions,), daemon=True).start()
    while True:
        said = pack(answer(questions.get(), bots), TO_HOST)
        sys.stdout.buffer.write(said)
        sys.stdout.buffer.flush()


def _listen(questions: SimpleQueue[Think]) -> None:
    """Pass questions on. In a thread, so that a bot that never stops ends with its host, too."""
    deframer = Deframer(FROM_HOST)
    try:
        while data := os.read(sys.stdin.fileno(), deframer.wanted):
            for value in deframer.feed(data):
                questions.put(decode(value, Think))
    finally:
        os._exit(0)


if __name__ == "__main__":
    work()
