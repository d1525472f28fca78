"""All of a table that outlives the host's program, and the one fold of its steps.

Immutable, and a function of the founding and the steps alone: no clock, no link, no chance. It
holds every secret of the game and stays with the host.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TypeVar, assert_never

from engine import Edition, Event, Game, Phase, View
from engine.notation import Record
from net.codec import read_move
from net.hash import running_hash
from net.lobby import BEFORE_ALL, Lobby, Moment, Talk, after, moment, talk_after
from net.lobby.news import BotSat, Entered, Exit, Exited
from net.lobby.values import THE_TABLE
from net.messages import NOTHING_SEEN
from net.room.step import Act, Begin, DealNext, Founding, Made, PutAway, Step

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class State:
    """A table after step `number`.

    `keys` are the seat keys of its members and `ids` the last command of each that was done.
    `turn` is the step with which the present turn began; a move decided upon earlier is stale.
    `members` is how many ever came. `running` is the running hash (`net.hash`). `code` is the room
    code, empty for the one that the table was opened with; `sent_away` are the seat keys that may
    not come in.
    """

    lobby: Lobby
    host_key: bytes
    number: int = 0
    game: Game | None = None
    record: Record | None = None
    talk: Talk = ()
    keys: Mapping[int, bytes] = field(default_factory=dict)
    ids: Mapping[int, int] = field(default_factory=dict)
    turn: int = 0
    members: int = 0
    running: bytes = NOTHING_SEEN.hash
    code: str = ""
    sent_away: frozenset[bytes] = frozenset()

    @staticmethod
    def found(founding: Founding) -> State:
        """A new table."""
        lobby = Lobby.empty(founding.name, founding.settings)
        first = len(lobby.chairs) - len(founding.bots)
        for seat, bot in enumerate(founding.bots, first):
            lobby = after(lobby, BotSat(seat, bot.name, bot.level))
        return State(lobby, founding.host_key)

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


def apply(state: State, step: Step) -> tuple[State, tuple[Event, ...]]:
    """The table after a step, and what happened in the game, each event with its addressee."""
    lobby, talk, when = state.lobby, state.talk, _when(state.game)
    for news in step.news:
        talk = talk_after(talk, lobby, news, when)
        lobby = after(lobby, news)
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


def _act(state: State, act: Act) -> tuple[State, tuple[Event, ...]]:
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
        case Made(wire):
            assert game is not None
            assert record is not None
            move = read_move(wire)
            game, events = game.apply(move)
            record = record.moved(move)
        case PutAway():
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


def _with_door(state: State, step: Step) -> State:
    """The table with the code of a step, and the keys of those who are sent away in it.

    With a new code that the host asked for, whoever is told it may come, sent away before or not.
    """
    kicked = [
        state.keys[news.member]
        for news in step.news
        if isinstance(news, Exited) and news.why is Exit.KICKED
    ]
    if kicked or step.code:
        sent_away = state.sent_away.union(kicked) if kicked else frozenset[bytes]()
        return replace(state, code=step.code or state.code, sent_away=sent_away)
    return state


def _with_members(state: State, step: Step) -> State:
    """The table with the keys and ids of those who are there after a step."""
    entered = [news.member for news in step.news if isinstance(news, Entered)]
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
