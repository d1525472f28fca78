"""A step: what was decided, as it lies in the journal and is played again from it.

A step holds what came of a command, not the command: news of the table, and at most one act in
the game. Playing it again decides nothing, so a later version reads an old journal alike. It holds
keys and the seeds of rounds, so nobody but the host may have it.
"""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

from engine.deals import SEED_BYTES
from net.codec import MoveWire
from net.codec.fields import Wire
from net.lobby.news import News
from net.lobby.values import THE_TABLE, BotChair, Name, Settings
from net.messages import CODE_LENGTH

KEY_BYTES: Final = 32


class Begin(Wire, frozen=True, tag=1):
    """A game begins, and its first round is dealt from this seed."""

    seed: Annotated[bytes, Meta(min_length=SEED_BYTES, max_length=SEED_BYTES)]


class DealNext(Wire, frozen=True, tag=2):
    """The next round is dealt from this seed, drawn for it: a journal never tells a later round.

    In journals of versions before this had a seed it is empty: that of the first round counts.
    """

    seed: Annotated[bytes, Meta(max_length=SEED_BYTES)] = b""


class Made(Wire, frozen=True, tag=3):
    """Whoever's turn it was made a move."""

    move: MoveWire


class PutAway(Wire, frozen=True, tag=4):
    """The game is put away."""


Act: TypeAlias = Begin | DealNext | Made | PutAway


class Step(Wire, frozen=True):
    """One numbered step: `by` whom, in answer to which of their commands, and what came of it.

    `key` is the seat key of whoever enters in it, `code` the room code that counts from it on.
    """

    by: Annotated[int, Meta(ge=THE_TABLE)] = THE_TABLE
    id: int = 0
    news: tuple[News, ...] = ()
    act: Act | None = None
    key: Annotated[bytes, Meta(max_length=KEY_BYTES)] = b""
    code: Annotated[str, Meta(max_length=CODE_LENGTH)] = ""


class Founding(Wire, frozen=True):
    """What a table is opened with, kept for ever: its name, its host's seat key, its settings.

    `bots` have the last chairs; there are at least as many.
    """

    name: Name
    host_key: Annotated[bytes, Meta(min_length=KEY_BYTES, max_length=KEY_BYTES)]
    settings: Settings = Settings()
    bots: tuple[BotChair, ...] = ()


_ENCODER: Final = msgspec.msgpack.Encoder()
_STEPS: Final = msgspec.msgpack.Decoder(Step)
_FOUNDINGS: Final = msgspec.msgpack.Decoder(Founding)


def write(value: Step | Founding) -> bytes:
    """The bytes for the journal."""
    return _ENCODER.encode(value)


def read_step(payload: bytes) -> Step:
    """The step of these bytes. Raises `msgspec.DecodeError` where they are none."""
    return _STEPS.decode(payload)


def read_founding(kept: bytes) -> Founding:
    """The founding of these bytes. Raises `msgspec.DecodeError` where they are none."""
    return _FOUNDINGS.decode(kept)
