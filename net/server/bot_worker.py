"""Process in which bots think, and what it is asked: `python -m net.server.bot_worker`.

`bot_process` starts it. Questions and answers are frames on its standard streams; a question holds
a seat's view, as that seat's client would be sent it. The process imports as little as it can, as a
table's first bot waits for it: nothing that listens or serves.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from queue import SimpleQueue
from random import Random
from typing import Annotated, Final, TypeAlias, TypedDict, assert_never

from msgspec import Meta

from engine.bots import BOTS, Bot, Budget, Playouts, Seconds
from engine.bots.bot import MAX_CLAIMS_PER_MOVE, BadReply, SpokenMove, call_bot, hearing
from engine.bots.installed import bot_named
from engine.bots.talk import MAX_LINES, Honesty, Line, Statement, Talk, TrackRecord
from engine.view import View
from net.protocol.chat import read_claim, table_claim
from net.protocol.events import (
    Events,
    EventWire,
    MoveWire,
    OwnWire,
    PublicWire,
    read_view,
    write_event,
    write_move,
    write_own,
    write_public,
)
from net.protocol.fields import SeatNumber, Small, Wire
from net.protocol.framing import (
    MAX_CLIENT_FRAME_BYTES,
    MAX_HOST_FRAME_BYTES,
    Deframer,
    Message,
    decode,
    pack,
)
from net.protocol.lobby import ChatText, TableClaim, clean_text
from net.room.occasions import Occasion, bot_claim
from net.server.process import hide_memory, limit_memory

MAX_INSTALLED_BOT_BYTES: Final = 512 * 2**20
"""Most bytes of data of a process that plays another's bot, where the system has such a limit."""

MAX_REASON_LETTERS: Final = 200  # most letters of the reason why a bot failed


class StatementWire(Wire, frozen=True):
    """A claim of a seat, as a client would be sent it, and the cards that were unplayed then."""

    seat: SeatNumber
    claim: TableClaim
    unplayed: Small


class LineWire(Wire, frozen=True):
    """A line of chat of a seat, and the cards that were unplayed then."""

    seat: SeatNumber
    text: ChatText
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
    lines: Annotated[tuple[LineWire, ...], Meta(max_length=MAX_LINES)] = ()

    @property
    def view(self) -> View:
        """The view as a value. Raises `BadFrame` if no seat can have such a view."""
        return read_view(self.public, self.own, self.history)

    @property
    def talk(self) -> Talk:
        """The claims and lines as a value."""
        said = tuple(Statement(one.seat, read_claim(one.claim), one.unplayed) for one in self.said)
        records = (TrackRecord(Honesty(a, b), Honesty(c, d)) for a, b, c, d in self.records)
        lines = (Line(one.seat, one.text, one.unplayed) for one in self.lines)
        return Talk(said, tuple(records), tuple(lines))


class Think(ViewMessage, frozen=True, kw_only=True, tag="think"):
    """The question for a move of this view's seat.

    The bot's budget is in play-outs if their number is told, else in seconds.
    """

    level: Annotated[str, Meta(max_length=16)]
    seed: Annotated[int, Meta(ge=0, lt=2**32)]
    seconds: float = 0.0
    playouts: Annotated[int, Meta(ge=0)] | None = None

    @property
    def budget(self) -> Budget:
        """The budget as a value."""
        return Seconds(self.seconds) if self.playouts is None else Playouts(self.playouts)


class Speak(ViewMessage, frozen=True, kw_only=True, tag="speak"):
    """The question for a claim of this view's seat about an occasion."""

    occasion: Occasion


class Thought(Message, frozen=True, tag="thought"):
    """The answer to `Think`: the move, and what the bot says with it.

    `speaks` is True if the bot chooses what it says, be it nothing.
    """

    move: MoveWire
    speaks: bool = False
    claims: Annotated[tuple[TableClaim, ...], Meta(max_length=MAX_CLAIMS_PER_MOVE)] = ()
    text: ChatText = ""


class Spoken(Message, frozen=True, tag="spoken"):
    """The answer to `Speak`: the claim, or None."""

    claim: TableClaim | None


class Failed(Message, frozen=True, tag="failed"):
    """The answer if the bot raised: the error's type only, as its text may hold secrets.

    If there was no bot to ask, it is the reason for that.
    """

    kind: Annotated[str, Meta(max_length=MAX_REASON_LETTERS)]


WorkerQuestion: TypeAlias = Think | Speak
QUESTION_KINDS: Final[tuple[type[WorkerQuestion], ...]] = (Think, Speak)
WorkerAnswer: TypeAlias = Thought | Spoken | Failed
ANSWER_KINDS: Final[tuple[type[WorkerAnswer], ...]] = (Thought, Spoken, Failed)


class ViewFields(TypedDict):
    """The fields of a `ViewMessage`."""

    public: PublicWire
    own: OwnWire
    history: tuple[EventWire, ...]
    said: tuple[StatementWire, ...]
    records: tuple[tuple[float, float, float, float], ...]
    lines: tuple[LineWire, ...]


def view_fields(view: View, talk: Talk) -> ViewFields:
    """Return the fields of a question about this view."""
    return ViewFields(
        public=write_public(view.table, view.score),
        own=write_own(view),
        history=tuple(write_event(event) for event in view.history),
        said=tuple(StatementWire(seat, table_claim(one), left) for seat, one, left in talk.said),
        records=tuple((*one.miner, *one.saboteur) for one in talk.records),
        lines=tuple(LineWire(*line) for line in talk.lines),
    )


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
    except BadReply as error:
        return Failed(str(error))
    except Exception as error:  # noqa: BLE001 - whatever a bot raises is told to who asked
        return Failed(type(error).__name__)


def _think(asked: Think, bots: Mapping[str, Bot]) -> Thought | Failed:
    """Return the move of a bot among these, or of one that is installed.

    Until the bot is loaded nothing has made a view of the question, so the reason why there is no
    bot holds no secret.
    """
    if asked.level not in bots:
        limit_memory(MAX_INSTALLED_BOT_BYTES)
    try:
        bot = bots.get(asked.level) or bot_named(asked.level)
    except ValueError as error:
        return Failed(str(error)[:MAX_REASON_LETTERS])
    said = call_bot(hearing(bot, asked.talk), asked.view, Random(asked.seed), asked.budget)
    if not isinstance(said, SpokenMove):
        return Thought(write_move(said))
    claims = tuple(map(table_claim, said.claims))
    return Thought(write_move(said.move), speaks=True, claims=claims, text=clean_text(said.text))


def worker_main(bots: Mapping[str, Bot] = BOTS, speak: ClaimFunction = bot_claim) -> None:
    """Answer one question after the other until stdin ends: the worker's main loop."""
    hide_memory()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the host alone to handle
    asking, telling = _hide_stream(0, os.O_RDONLY), _hide_stream(1, os.O_WRONLY)
    questions: SimpleQueue[WorkerQuestion] = SimpleQueue()
    threading.Thread(target=_listen, args=(asking, questions), daemon=True).start()
    while True:
        said = pack(answer(questions.get(), bots, speak), MAX_CLIENT_FRAME_BYTES)
        while said:
            said = said[os.write(telling, said) :]


def _hide_stream(standard: int, flags: int) -> int:
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
