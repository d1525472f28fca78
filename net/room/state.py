"""RoomState, journalled steps and their fold.

A step: what was decided, as it lies in the journal and is played again from it.

A step holds what came of a command, not the command: news of the table, and at most one act in
the game. Playing it again decides nothing, so a later version reads an old journal alike. It holds
keys and the seeds of rounds, so nobody but the host may have it.

All of a table that outlives the host's program, and the one fold of its steps.

Immutable, and a function of the founding and the steps alone: no clock, no link, no chance. It
holds every secret of the game and stays with the host.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Annotated, Final, TypeAlias, TypeVar, assert_never

import msgspec
from msgspec import Meta

from engine import Edition, Event, Game, Phase, View
from engine.deal import SEED_BYTES
from engine.notation import Record
from net.lobby import BEFORE_ALL, ChatHistory, Lobby, Moment, apply, chat_after, moment
from net.lobby.events import BotSat, Entered, Exited, LeaveReason, LobbyEvent
from net.lobby.model import THE_TABLE, BotChair, Name, Settings
from net.protocol import MoveWire, read_move
from net.protocol.fields import Wire
from net.protocol.messages import CODE_LENGTH, NOTHING_SEEN
from net.protocol.state_hash import running_hash

KEY_BYTES: Final = 32


class Begin(Wire, frozen=True, tag=1):
    """A game begins, and its first round is dealt from this seed."""

    seed: Annotated[bytes, Meta(min_length=SEED_BYTES, max_length=SEED_BYTES)]


class DealNext(Wire, frozen=True, tag=2):
    """The next round is dealt from this seed, drawn for it: a journal never tells a later round.

    In journals of versions before this had a seed it is empty: that of the first round counts.
    """

    seed: Annotated[bytes, Meta(max_length=SEED_BYTES)] = b""


class GameStep(Wire, frozen=True, tag=3):
    """Whoever's turn it was made a move."""

    move: MoveWire


class GameDiscarded(Wire, frozen=True, tag=4):
    """The game is put away."""


Act: TypeAlias = Begin | DealNext | GameStep | GameDiscarded


class Step(Wire, frozen=True):
    """One numbered step: `by` whom, in answer to which of their commands, and what came of it.

    `key` is the seat key of whoever enters in it, `code` the room code that counts from it on.
    """

    by: Annotated[int, Meta(ge=THE_TABLE)] = THE_TABLE
    id: int = 0
    news: tuple[LobbyEvent, ...] = ()
    act: Act | None = None
    key: Annotated[bytes, Meta(max_length=KEY_BYTES)] = b""
    code: Annotated[str, Meta(max_length=CODE_LENGTH)] = ""


class TableCreated(Wire, frozen=True):
    """What a table is opened with, kept for ever: its name, its host's seat key, its settings.

    `bots` have the last chairs; there are at least as many.
    """

    name: Name
    host_key: Annotated[bytes, Meta(min_length=KEY_BYTES, max_length=KEY_BYTES)]
    settings: Settings = Settings()
    bots: tuple[BotChair, ...] = ()


_ENCODER: Final = msgspec.msgpack.Encoder()
_STEPS: Final = msgspec.msgpack.Decoder(Step)
_FOUNDINGS: Final = msgspec.msgpack.Decoder(TableCreated)


def write(value: Step | TableCreated) -> bytes:
    """The bytes for the journal."""
    return _ENCODER.encode(value)


def read_step(payload: bytes) -> Step:
    """The step of these bytes. Raises `msgspec.DecodeError` where they are none."""
    return _STEPS.decode(payload)


def read_founding(kept: bytes) -> TableCreated:
    """The founding of these bytes. Raises `msgspec.DecodeError` where they are none."""
    return _FOUNDINGS.decode(kept)


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RoomState:
    """A table after step `number`.

    `keys` are the seat keys of its members and `ids` the last command of each that was done.
    `turn` is the step with which the present turn began; a move decided upon earlier is stale.
    `members` is how many ever came. `running` is the running hash (`net.protocol.state_hash`).
    `code` is the room code, empty for the one that the table was opened with; `sent_away` are the
    seat keys that may not come in.
    """

    lobby: Lobby
    host_key: bytes
    number: int = 0
    game: Game | None = None
    record: Record | None = None
    talk: ChatHistory = ()
    keys: Mapping[int, bytes] = field(default_factory=dict)
    ids: Mapping[int, int] = field(default_factory=dict)
    turn: int = 0
    members: int = 0
    running: bytes = NOTHING_SEEN.hash
    code: str = ""
    sent_away: frozenset[bytes] = frozenset()

    @staticmethod
    def found(created: TableCreated) -> RoomState:
        """A new table."""
        lobby = Lobby.empty(created.name, created.settings)
        first = len(lobby.chairs) - len(created.bots)
        for seat, bot in enumerate(created.bots, first):
            lobby = apply(lobby, BotSat(seat, bot.name, bot.level))
        return RoomState(lobby, created.host_key)

    def member_with(self, key: bytes) -> int | None:
        """Whose seat key that is, if it is anybody's here."""
        return next((member for member, other in self.keys.items() if other == key), None)

    def view(self, seat: int | None, *, history: bool = True) -> View | None:
        """What a seat, or a watcher, knows of the game, if there is one (RULES K)."""
        return None if self.game is None else self.game.view(seat, history=history)

    @property
    def phase(self) -> Phase | None:
        """What the game waits for, `None` without one."""
        return None if self.game is None else self.game.phase


def apply_step(state: RoomState, step: Step) -> tuple[RoomState, tuple[Event, ...]]:
    """The table after a step, and what happened in the game, each event with its addressee."""
    lobby, talk, when = state.lobby, state.talk, _when(state.game)
    for event in step.news:
        talk = chat_after(talk, lobby, event, when)
        lobby = apply(lobby, event)
    state = replace(state, lobby=lobby, talk=talk, number=state.number + 1)
    events: tuple[Event, ...] = ()
    state = _with_door(state, step)
    state = _with_members(state, step)
    if step.act is not None:
        state, events = _act(replace(state, turn=state.number), step.act)
    running = running_hash(state.running, state.number, step.news, events)
    return replace(state, running=running), events


def _when(game: Game | None) -> Moment:
    return BEFORE_ALL if game is None else moment(game.round.table, game.score)


def _act(state: RoomState, act: Act) -> tuple[RoomState, tuple[Event, ...]]:
    """The table after an act in its game."""
    game, record = state.game, state.record
    events: tuple[Event, ...]
    match act:
        case Begin(seed):
            record = _record(state.lobby).dealt(seed)
            game, events = record.next_step(None)
        case DealNext(seed):
            assert record is not None
            record = record.dealt(seed or record.seeds[0])
            game, events = record.next_step(game)
        case GameStep(wire):
            assert game is not None
            assert record is not None
            move = read_move(wire)
            game, events = game.apply(move)
            record = record.moved(move)
        case GameDiscarded():
            game, record, events = None, None, ()
        case _:
            assert_never(act)
    return replace(state, game=game, record=record), events


def _record(lobby: Lobby) -> Record:
    """The record of a game that begins with these at the table."""
    settings = lobby.settings
    return Record(
        names=tuple(lobby.name_at(seat) for seat in range(len(lobby.chairs))),
        edition=Edition.read(settings.edition),
        rounds=settings.rounds,
        youngest=settings.youngest if settings.youngest >= 0 else None,
    )


def _with_door(state: RoomState, step: Step) -> RoomState:
    """The table with the code of a step, and the keys of those who are sent away in it.

    With a new code that the host asked for, whoever is told it may come, sent away before or not.
    """
    kicked = [
        state.keys[event.member]
        for event in step.news
        if isinstance(event, Exited) and event.reason is LeaveReason.KICKED
    ]
    if kicked or step.code:
        sent_away = state.sent_away.union(kicked) if kicked else frozenset[bytes]()
        return replace(state, code=step.code or state.code, sent_away=sent_away)
    return state


def _with_members(state: RoomState, step: Step) -> RoomState:
    """The table with the keys and ids of those who are there after a step."""
    entered = [event.member for event in step.news if isinstance(event, Entered)]
    if entered:
        state = replace(state, members=max(entered))
    if step.by != THE_TABLE and step.id:
        state = replace(state, ids=MappingProxyType({**state.ids, step.by: step.id}))
    here = {person.member for person in state.lobby.people}
    if here != state.keys.keys():
        keys = {**state.keys, **dict.fromkeys(entered, step.key)}
        state = replace(state, keys=_only(keys, here), ids=_only(state.ids, here))
    return state


def _only(values: Mapping[int, T], here: Iterable[int]) -> Mapping[int, T]:
    return MappingProxyType({member: values[member] for member in here if member in values})
