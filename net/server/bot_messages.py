"""Questions to bots and their answers, as frames between a table and the processes of its bots.

A question holds a seat's view, as that seat's client would be sent it.
"""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias, TypedDict

from msgspec import Meta

from engine.bots import Budget, Playouts, Seconds
from engine.bots.talk import Honesty, Statement, Talk, TrackRecord
from engine.view import View
from net.lobby.chat import read_claim, table_claim
from net.lobby.model import TableClaim
from net.protocol.events import EventWire, MoveWire, write_event
from net.protocol.fields import SeatNumber, Small, Wire
from net.protocol.framing import Message
from net.protocol.views import Events, OwnWire, PublicWire, read_view, write_own, write_public
from net.room.effects import Occasion

MAX_REASON_LETTERS: Final = 200
"""Most letters of the reason why a bot failed."""


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
    """The answer to `Think`: the move."""

    move: MoveWire


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


def view_fields(view: View, talk: Talk) -> ViewFields:
    """Return the fields of a question about this view."""
    return ViewFields(
        public=write_public(view.table, view.score),
        own=write_own(view),
        history=tuple(write_event(event) for event in view.history),
        said=tuple(StatementWire(seat, table_claim(one), left) for seat, one, left in talk.said),
        records=tuple((*one.miner, *one.saboteur) for one in talk.records),
    )
