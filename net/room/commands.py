"""Commands of people at the table: the step that each becomes, or the reason for refusing it.

Functions of the state and the command alone; randomness comes in as a seed. `net.room.permissions`
decides on requests, from what the person knows; only stale moves and newcomers are refused here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from msgspec.structs import replace

from engine.edition import Edition
from engine.state import Phase
from net.protocol.evening import draw_seats
from net.protocol.fields import MAX_SEATS
from net.protocol.lobby import (
    MAX_PEOPLE,
    THE_TABLE,
    Lobby,
    Presence,
    Settings,
    Stage,
    bot_names,
)
from net.protocol.lobby_events import (
    BotSat,
    Closed,
    CodeRenewed,
    Entered,
    EveningBegins,
    Exited,
    LeaveReason,
    LobbyEvent,
    Locked,
    Paused,
    PresenceChanged,
    ReadyChanged,
    Rematch,
    SatDown,
    SeatsDrawn,
    SettingsChanged,
    StoodUp,
)
from net.protocol.messages import DiskStatus, Refusal
from net.protocol.requests import (
    ChangeSettings,
    Close,
    FreeSeat,
    HandOver,
    HostStepRequest,
    Kick,
    Leave,
    Lock,
    MakeMove,
    NewCode,
    NewEvening,
    NextRound,
    Pause,
    PlayAgain,
    PlayerRequest,
    PutBot,
    RemarkRequest,
    Request,
    SetReady,
    Sit,
    StandUp,
    Start,
)
from net.protocol.text import clean_name
from net.room.draws import deal_step
from net.room.fold import apply
from net.room.permissions import is_round_due, why_not
from net.room.state import GameAct, GameDiscarded, GameStep, RoomState, Step
from net.secure.code import RoomCode


@dataclass(frozen=True, slots=True)
class Outcome:
    """The lobby events, the act in the game and the new room code that a request leads to.

    If it `deals`, a round is dealt next.
    """

    news: tuple[LobbyEvent, ...] = ()
    act: GameAct | None = None
    code: str = ""
    deals: bool = False


def why_refused(
    state: RoomState, by: int, request: Request, disk: DiskStatus = DiskStatus.OK
) -> Refusal | None:
    """Return the reason for refusing a member's request, `None` if it is accepted."""
    view = state.view(state.lobby.seat_of(by), history=False)
    reason = why_not(state.lobby, view, by, request, disk)
    if isinstance(request, MakeMove) and reason in {None, Refusal.ILLEGAL}:
        # The move must have been chosen in view of the present turn.
        return reason if state.turn <= request.seen <= state.number else Refusal.STALE
    return reason


def needs_seed(state: RoomState, request: Request) -> bool:
    """Return True if a request draws a room code, or may deal a round."""
    if state.phase is Phase.DEAL and isinstance(request, SetReady | NextRound):
        return True
    return isinstance(request, Start | Kick | NewCode)


def step_of(
    state: RoomState, by: int, number: int, request: PlayerRequest | HostStepRequest, seed: bytes
) -> Step:
    """Return the step that a member's accepted command with this number becomes.

    `seed` is for a round that the request deals, the draw for it, or a new room code.
    """
    outcome = (
        _outcome_for_host(state, request, seed)
        if isinstance(request, HostStepRequest)
        else _outcome(state, by, request)
    )
    step = Step(by, number, outcome.news, outcome.act, code=outcome.code)
    return deal_step(state, step, seed) if outcome.deals else step


def decide_entry(
    state: RoomState, key: bytes, name: str, *, watch: bool, computer: int
) -> Step | Refusal:
    """Return the step in which a newcomer at a computer enters, or the reason for refusing them.

    At a full table, a disconnected watcher is removed to make room. Newcomers who watch cannot
    take the places of players: one place is kept for each free chair, and one for the host.
    """
    name, lobby, member = clean_name(name), state.lobby, state.members + 1
    is_host = key == state.host_key
    if lobby.stage is Stage.CLOSED:
        return Refusal.NOT_NOW
    if key in state.sent_away:
        return Refusal.SENT_AWAY
    if lobby.locked and not is_host:
        return Refusal.LOCKED
    if not name:
        return Refusal.NO_NAME
    if lobby.has_name(name):
        return Refusal.NAME_TAKEN
    lobby_events: list[LobbyEvent] = []
    is_open = lobby.stage is Stage.LOBBY and not lobby.is_drawing
    free = lobby.free_seats if is_open else ()
    sits = bool(free) and not watch
    kept = len(free) - sits + (lobby.host == THE_TABLE and not is_host)
    if len(lobby.people) + kept >= MAX_PEOPLE:
        gone = [person for person in lobby.watchers if person.presence.is_gone]
        if not gone:
            return Refusal.TABLE_FULL
        lobby_events.append(Exited(gone[0].member, LeaveReason.FORGOTTEN))
    lobby_events.append(Entered(member, name, is_host, not (sits or watch), computer))
    if sits:
        lobby_events.append(SatDown(free[0], member))
    return Step(member, news=tuple(lobby_events), key=key)


def seat_steps(people: Sequence[tuple[bytes, str]], host_key: bytes) -> tuple[Step, ...]:
    """Return the first steps of a table at which people, by seat key and name, have their seats.

    They are ready, and not there yet: until they come they count as at the host's computer, so that
    nobody waits for their votes (`net.room.succession`).
    """
    return tuple(
        Step(
            member,
            news=(
                Entered(member, name, key == host_key),
                SatDown(member - 1, member),
                ReadyChanged(member - 1, ready=True),
                PresenceChanged(member, Presence.GONE),
            ),
            key=key,
        )
        for member, (key, name) in enumerate(people, 1)
    )


def _outcome(state: RoomState, by: int, request: PlayerRequest) -> Outcome:
    if isinstance(request, RemarkRequest):
        return Outcome((request.remark(by),))
    match request:
        case MakeMove(_seen, move):
            return Outcome(act=GameStep(move))
        case Sit(seat):
            return Outcome((SatDown(seat, by),))
        case StandUp():
            return Outcome((StoodUp(_seat(state.lobby, by)),))
        case SetReady(ready):
            event = ReadyChanged(_seat(state.lobby, by), ready)
            is_due = state.phase is Phase.DEAL and is_round_due(apply(state.lobby, event))
            # A client on a slow connection may ask twice: the second time nothing changes. No more
            # does it once the game is over, as there is no round to be ready for.
            is_news = state.lobby.is_ready(by) is not ready and state.phase is not Phase.OVER
            return Outcome((event,) if is_news else (), deals=is_due)
        case Leave():
            return Outcome(_exits(state.lobby, by, LeaveReason.LEFT))
        case _:
            assert_never(request)


def _outcome_for_host(state: RoomState, request: HostStepRequest, seed: bytes) -> Outcome:
    match request:
        case ChangeSettings(settings):
            return Outcome((SettingsChanged(_in_order(settings)),))
        case PutBot(seat, name, level):
            return Outcome((BotSat(seat, clean_name(name), level),))
        case FreeSeat(seat):
            return Outcome((StoodUp(seat),))
        case Kick(member):
            return _kick(state.lobby, member, seed)
        case HandOver(seat, member):
            return Outcome((SatDown(seat, member),))
        case Start() | NextRound():
            return Outcome(deals=True)
        case Pause(paused):
            return Outcome((Paused(paused),))
        case PlayAgain():
            return Outcome((Rematch(), *_next_of_evening(state)), GameDiscarded())
        case NewEvening():
            return Outcome((EveningBegins(),))
        case Close():
            return Outcome((Closed(),))
        case NewCode():
            return Outcome((CodeRenewed(),), code=str(RoomCode.of_seed(seed)))
        case Lock(locked):
            return Outcome((Locked(locked),))
        case _:
            assert_never(request)


def _next_of_evening(state: RoomState) -> tuple[LobbyEvent, ...]:
    """Return the events that prepare the next game of an evening; none at a table without one.

    People who came during the game sit down and are ready, like everybody else; one more chair is
    left free for a newcomer. Then the seats are drawn.
    """
    lobby, record = apply(state.lobby, Rematch()), state.record
    if lobby.settings.evening is None or record is None:
        return ()
    waiting = [one.member for one in lobby.watchers if one.waits and not one.presence.is_gone]
    seats = min(max(len(lobby.chairs), lobby.players + len(waiting) + 1), MAX_SEATS)
    free = (*lobby.free_seats, *range(len(lobby.chairs), seats))
    news: list[LobbyEvent] = []
    if seats > len(lobby.chairs):
        news.append(SettingsChanged(replace(lobby.settings, seats=seats)))
    for seat, member in zip(free, waiting, strict=False):
        news += [SatDown(seat, member), ReadyChanged(seat, ready=True)]
    taken = [seat for seat in range(seats) if seat not in free[len(waiting) :]]
    order = draw_seats(record.seeds[-1], lobby.evening.games, len(taken))
    chairs = (*(taken[at] for at in order), *free[len(waiting) :])
    return (*news, SeatsDrawn(chairs))


def _seat(lobby: Lobby, member: int) -> int:
    """Return the seat of a member who has one."""
    seat = lobby.seat_of(member)
    assert seat is not None
    return seat


def _in_order(settings: Settings) -> Settings:
    """Return the settings with the edition's text in its standard order."""
    return replace(settings, edition=Edition.read(settings.edition).text)


def _kick(lobby: Lobby, member: int, seed: bytes) -> Outcome:
    """Remove a member, and renew the room code.

    So they cannot return with another seat key and the old code. An open table has no code.
    """
    gone = _exits(lobby, member, LeaveReason.KICKED)
    if lobby.settings.is_open:
        return Outcome(gone)
    return Outcome((*gone, CodeRenewed()), code=str(RoomCode.of_seed(seed)))


def _exits(lobby: Lobby, member: int, why: LeaveReason) -> tuple[LobbyEvent, ...]:
    """Return the events by which a member leaves for good.

    In a game, a stand-in bot with a name of its own takes over their seat.
    """
    seat = lobby.seat_of(member)
    if seat is None or lobby.stage is not Stage.PLAYING:
        return (Exited(member, why),)
    (name,) = bot_names(1, lobby.names())
    return BotSat(seat, name, lobby.settings.stand_in), Exited(member, why)
