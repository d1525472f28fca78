"""State of a table, the steps in its journal, and `apply_step`, which changes a state by one step.

A step holds the outcome of a command, not the command: lobby events, and at most one act in the
game. Replaying decides nothing, so later versions read old journals in the same way. The state is
immutable, and a function of only the founding and the steps. Both hold every secret of the game,
and stay with the host.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias, assert_never

import msgspec
from msgspec import Meta, Struct, field
from msgspec.structs import replace

from engine.assembling import RoundSoFar
from engine.dealing import SEED_BYTES, SHARE_BYTES, Deal, Draw
from engine.edition import Edition
from engine.events import Event, GameEnded
from engine.game import Game
from engine.notation.record import Record
from engine.state import Phase
from engine.view import View
from net.protocol import fields
from net.protocol.chat import BEFORE_ALL, ChatHistory, chat_after, chat_line_of, moment, with_talk
from net.protocol.framing import Wire
from net.protocol.game_wire import (
    EDITION,
    GOLD_EVENT,
    Events,
    MoveWire,
    OwnWire,
    PublicWire,
    read_move,
    read_view,
    write_event,
    write_move,
    write_own,
    write_public,
)
from net.protocol.lobby import THE_TABLE, BotChair, Lobby, Settings
from net.protocol.lobby_events import (
    BotSat,
    Entered,
    Exited,
    HostChanged,
    LeaveReason,
    LobbyEvent,
    SettingsChanged,
    count_game,
)
from net.protocol.messages import CODE_LENGTH, NOTHING_SEEN, Mark, running_hash
from net.room.permissions import round_of
from net.room.seeds import finish_draw, next_round
from net.secure.handshake import HostClaim

_DEAL: Final = fields.WireRow(
    Deal,
    {
        "roles": fields.ROLES,
        "spare": fields.ROLE,
        "goals": fields.ALL_GOALS,
        "hands": fields.each(fields.HAND),
        "pile": fields.HAND,
        "gold": fields.NUGGETS,
        "starter": fields.SEAT,
    },
)
_SO_FAR: Final = fields.WireRow(
    RoundSoFar,
    {
        "edition": EDITION,
        "rounds": fields.SMALL,
        "wins": fields.ROLES,
        "ledger": fields.each(GOLD_EVENT, 1000),
        "deal": fields.Codec[Deal](_DEAL.form, _DEAL.write, _DEAL.read),
        "moves": fields.each(fields.Codec(MoveWire, write_move, read_move), 1000),
    },
)
if TYPE_CHECKING:
    SoFarWire: TypeAlias = fields.OnWire[RoundSoFar]
else:  # the type that msgspec checks
    SoFarWire = _SO_FAR.form


def write_game(game: Game) -> SoFarWire:
    return _SO_FAR.write(RoundSoFar.of(game))


KeptGameId: TypeAlias = fields.GameId | fields.StepNumber
"""The id of a game in a journal. In those of format 1 it is the step that began the game, or 0."""


def read_game_id(kept: KeptGameId) -> bytes:
    if isinstance(kept, bytes):
        return kept
    return kept.to_bytes(fields.RUNNING_HASH_BYTES, "big") if kept else b""


class Begin(Wire, frozen=True, tag=1):
    """Act in the game: begin it, and deal its first round from this seed, or the one just drawn."""

    seed: Annotated[bytes, Meta(max_length=SEED_BYTES)] = b""


class DealNext(Wire, frozen=True, tag=2):
    """Act in the game: deal the next round from this seed, or the one just drawn.

    Each round has its own, so a journal never holds those of later rounds. Journals of earlier
    versions have neither; then the seed of the first round is used.
    """

    seed: Annotated[bytes, Meta(max_length=SEED_BYTES)] = b""


class GameStep(Wire, frozen=True, tag=3):
    """Act in the game: make a move for the seat whose turn it is."""

    move: MoveWire


class GameDiscarded(Wire, frozen=True, tag=4):
    """Act in the game: discard the finished game."""


class Assembled(Wire, frozen=True, tag=5):
    """Act in the game: continue after this step of another host, with the lobby at that step.

    The game, if there is one, is written out. The running hash includes a `salt`: a host who could
    save nothing may assemble other cards after the same steps.
    """

    mark: Mark
    lobby: Lobby
    game_id: KeptGameId = b""
    game: SoFarWire | None = None
    salt: bytes = b""


class CardsRedrawn(Wire, frozen=True, tag=6):
    """Act in the game: draw cards that nobody has seen again, as a seat has brought its own."""

    game: SoFarWire


GameAct: TypeAlias = Begin | DealNext | GameStep | GameDiscarded | Assembled | CardsRedrawn


class Step(Wire, frozen=True):
    """One step: its author `by`, the `id` of the author's command, and the outcome.

    `code` is the room code that is valid from this step on, `share` the host's share in the draw
    that begins in this step.
    """

    by: Annotated[int, Meta(ge=THE_TABLE)] = THE_TABLE
    id: int = 0
    news: tuple[LobbyEvent, ...] = ()
    act: GameAct | None = None
    code: Annotated[str, Meta(max_length=CODE_LENGTH)] = ""
    share: Annotated[bytes, Meta(max_length=SHARE_BYTES)] = b""


class PublicState(Wire, frozen=True):
    """All that was public at a table after a step; if there is a game, a watcher's view of it."""

    mark: Mark
    lobby: Lobby
    game_id: KeptGameId = b""
    public: PublicWire | None = None
    own: OwnWire | None = None
    history: Events = ()

    @staticmethod
    def of(mark: Mark, lobby: Lobby, game_id: bytes, watched: View | None) -> PublicState:
        if watched is None:
            return PublicState(mark, lobby)
        public = write_public(watched.table, watched.score)
        history = tuple(map(write_event, watched.history))
        return PublicState(mark, lobby, game_id, public, write_own(watched), history)

    @property
    def watched(self) -> View | None:
        """A watcher's view, `None` before a game. Raises BadFrame if its two halves do not fit."""
        if self.public is None or self.own is None:
            return None
        return read_view(self.public, self.own, self.history)


class Takeover(Wire, frozen=True):
    """A table that moves here, and resumes from one of these `states`, the newest last.

    In the `claim` its new host states this, signed with their seat key. If the table was handed
    over, it waits for its former host, too.
    """

    claim: HostClaim
    states: tuple[PublicState, ...]
    talk: ChatHistory = ()
    is_handed_over: bool = False

    @property
    def newest(self) -> PublicState:
        return self.states[-1]


class TableCreated(Wire, frozen=True):
    """The founding of a table, which never changes: its name, its host's seat key, its settings.

    `bots` take the last chairs; there are at least as many chairs as bots. `moved` is where a table
    that was opened at another computer resumes.
    """

    name: fields.PlayerName
    host_key: fields.SeatKeyBytes
    settings: Settings = Settings()
    bots: tuple[BotChair, ...] = ()
    in_club: bool = False
    moved: Takeover | None = None

    @property
    def term(self) -> int:
        return 0 if self.moved is None else self.moved.claim.term


write: Final[Callable[[Step | TableCreated], bytes]] = msgspec.msgpack.Encoder().encode

# Both raise `msgspec.DecodeError` for other bytes.
read_step: Final = msgspec.msgpack.Decoder(Step).decode
read_founding: Final = msgspec.msgpack.Decoder(TableCreated).decode


class RoomState(Struct, frozen=True):
    """A table after step `number`."""

    lobby: Lobby
    host_key: bytes
    number: int = 0
    game: Game | None = None
    record: Record | None = None
    talk: ChatHistory = ()
    ids: Mapping[int, int] = field(default_factory=dict)  # of members' last commands that were done
    game_id: bytes = b""
    turn: int = 0  # the step at which the turn began, or was dealt again: earlier moves are stale
    members: int = 0  # how many people have entered so far
    running: bytes = NOTHING_SEEN.hash  # the running hash (`net.protocol.messages`)
    code: str = ""  # the room code, empty for the one that the table was opened with
    sent_away: frozenset[bytes] = frozenset()  # seat keys of people removed, who may not enter
    share: bytes = b""  # the host's share in the last draw
    shares: tuple[bytes, ...] = ()  # all of them by round, in a game that began at another computer

    @staticmethod
    def create(created: TableCreated) -> RoomState:
        if (moved := created.moved) is not None:
            return RoomState(
                moved.newest.lobby,
                created.host_key,
                moved.newest.mark.step,
                talk=moved.talk,
                members=max(person.member for person in moved.newest.lobby.people),
                running=moved.newest.mark.hash,
            )
        lobby = Lobby.empty(created.name, created.settings, in_club=created.in_club)
        first = len(lobby.chairs) - len(created.bots)
        for seat, bot in enumerate(created.bots, first):
            lobby = BotSat(seat, bot.name, bot.level).change(lobby)
        return RoomState(lobby, created.host_key)

    def member_with(self, key: bytes) -> int | None:
        """Return the member with a seat key, `None` if nobody has it."""
        return next((person.member for person in self.lobby.people if person.key == key), None)

    def view(self, seat: int | None, *, history: bool = True) -> View | None:
        """Return the view of a seat or a watcher, `None` if there is no game (RULES K)."""
        return None if self.game is None else self.game.view(seat, history=history)

    @property
    def public(self) -> PublicWire | None:
        """The half of a view that everybody knows, `None` without a game."""
        game = self.game
        return None if game is None else write_public(game.round.table, game.score)

    @property
    def next_round(self) -> int:
        return next_round(self.game)

    @property
    def round(self) -> int:
        return round_of(self.game)

    def find_finished_draw(self) -> Draw | None:
        """Return the finished draw of the next round, `None` if there is none."""
        draw = self.lobby.draw
        if draw is None or not draw.done or draw.round != self.next_round:
            return None
        return finish_draw(draw, self.share)

    @property
    def phase(self) -> Phase | None:
        return None if self.game is None else self.game.phase


def apply_step(state: RoomState, step: Step) -> tuple[RoomState, tuple[Event, ...]]:
    """Return the state after a step, and all events in the game, secret ones included."""
    if isinstance(step.act, Assembled):  # back to the step where the table resumes
        act, members = step.act, [person.member for person in step.act.lobby.people]
        state = replace(
            state,
            lobby=act.lobby,
            number=act.mark.step,
            running=act.mark.hash + act.salt,
            game_id=read_game_id(act.game_id),
            members=max(state.members, *members),
        )
    before = lobby = state.lobby
    game = state.game
    when = BEFORE_ALL if game is None else moment(game.round.table, game.score)
    talk, record = state.talk, state.record
    is_playing = state.phase not in (None, Phase.OVER)
    for event in step.news:
        talk = chat_after(talk, lobby, event, when)
        record = with_talk(record, chat_line_of(event, lobby)) if is_playing else record
        lobby = event.change(lobby)
    number, share = state.number + 1, step.share or state.share
    turn = state.turn if step.act is None else number
    state = replace(
        state, lobby=lobby, talk=talk, number=number, turn=turn, share=share, record=record
    )
    state = _with_members(_with_code(state, step, before), step)
    for event in step.news:
        if isinstance(event, HostChanged):
            state = replace(state, host_key=lobby.find_person(event.member).key)
    state, events = _act(state, step.act)
    if state.game is not None and GameEnded in map(type, events):
        state = replace(state, lobby=count_game(state.lobby, state.game.score.nuggets or ()))
    running = running_hash(state.running, number, step.news, events)
    game_id = running if isinstance(step.act, Begin) else state.game_id
    return replace(state, running=running, game_id=game_id if state.game else b""), events


def _act(state: RoomState, act: GameAct | None) -> tuple[RoomState, tuple[Event, ...]]:
    game, record, shares = state.game, state.record, state.shares
    events: tuple[Event, ...] = ()
    match act:
        case None:
            pass
        case Begin(seed):
            record = _begin_record(state.lobby).add_round(state.find_finished_draw() or seed)
            game, events = record.next_step(None)
            shares = ()
        case DealNext(seed):
            assert game is not None
            draw = state.find_finished_draw()
            if record is None:  # it began at another computer
                before = shares or (b"",) * game.score.number
                shares = (*before, b"" if draw is None else state.share)
                game, events = game.deal(seed if draw is None else draw.seed)
            else:
                record = record.add_round(draw or seed or record.seeds[0])
                game, events = record.next_step(game)
        case GameStep(wire):
            assert game is not None
            move = read_move(wire)
            game, events = game.apply(move)
            record = None if record is None else record.add_move(move)
        case Assembled(game=so_far):
            game = None if so_far is None else _SO_FAR.read(so_far).game()
            record, shares = None, ()
        case CardsRedrawn(so_far):
            game = _SO_FAR.read(so_far).game()
        case GameDiscarded():
            game, record, shares = None, None, ()
        case _:
            assert_never(act)
    return replace(state, game=game, record=record, shares=shares), events


def _begin_record(lobby: Lobby) -> Record:
    settings = lobby.settings
    return Record(
        names=tuple(lobby.name_at(seat) for seat in range(len(lobby.chairs))),
        edition=Edition.read(settings.edition),
        rounds=settings.rounds,
        youngest=settings.youngest if settings.youngest >= 0 else None,
    )


def _with_code(state: RoomState, step: Step, before: Lobby) -> RoomState:
    """Update the room code, and the seat keys of people who were removed.

    A new code that the host asked for readmits everybody who was removed: whoever gets it may
    enter. One that is drawn because somebody was removed (`Exited`), or because an open table asks
    for a code again (`SettingsChanged`), readmits nobody.
    """
    if not (step.news or step.code):
        return state
    kicked = [
        before.find_person(event.member).key
        for event in step.news
        if isinstance(event, Exited) and event.reason is LeaveReason.KICKED
    ]
    if kicked or step.code:
        is_asked_for = not kicked and not any(
            isinstance(event, SettingsChanged) for event in step.news
        )
        sent_away = frozenset[bytes]() if is_asked_for else state.sent_away.union(kicked)
        return replace(state, code=step.code or state.code, sent_away=sent_away)
    return state


def _with_members(state: RoomState, step: Step) -> RoomState:
    if step.by != THE_TABLE and step.id:
        state = replace(state, ids=MappingProxyType({**state.ids, step.by: step.id}))
    if not step.news:
        return state
    entered = [event.member for event in step.news if isinstance(event, Entered)]
    if entered:
        state = replace(state, members=max(entered))
    here = {person.member for person in state.lobby.people}
    if not here.issuperset(state.ids):
        ids = {member: last for member, last in state.ids.items() if member in here}
        state = replace(state, ids=MappingProxyType(ids))
    return state
