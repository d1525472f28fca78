"""Commands of people at the table: each becomes a step or a refusal.

Functions of the state and the command alone; randomness comes in as a seed. A refusal follows from
what its receiver knows: legality is checked against the seat's own view.
"""

from __future__ import annotations

from typing import TypeAlias, assert_never

from engine import Phase
from net.lobby import Free, Lobby, Presence, Stage, Taken, clean_text
from net.lobby.events import (
    Claimed,
    Entered,
    Exited,
    LeaveReason,
    LobbyEvent,
    MovesMissing,
    ReadyChanged,
    RoundBegins,
    Said,
    SatDown,
    StoodUp,
    apply,
)
from net.lobby.model import MAX_PEOPLE, THE_TABLE, TableClaim
from net.protocol import MoveWire, read_move
from net.protocol.messages import (
    Chat,
    ClientCommand,
    Leave,
    MakeClaim,
    MakeMove,
    Refusal,
    ReportMissing,
    SetReady,
    Sit,
    StandUp,
)
from net.protocol.text import clean_name
from net.room.decision import Approved, Decision, all_ready, exits, may_reseat
from net.room.host_commands import HostCommand, decide_host
from net.room.state import DealNext, GameStep, RoomState, Step

GuestCommand: TypeAlias = (
    MakeMove | Chat | MakeClaim | Sit | StandUp | SetReady | Leave | ReportMissing
)


def decide(state: RoomState, by: int, command: ClientCommand, seed: bytes) -> Step | Refusal:
    """Return the step that a member's command becomes, or the reason for refusing it.

    `seed` is for a round that the command deals, or for a new room code.
    """
    want = command.request
    if not isinstance(want, HostCommand):
        decided = _decide_anybody(state, by, want, seed)
    elif by == state.lobby.host:
        decided = decide_host(state, want, seed)
    else:
        decided = Refusal.HOST_ONLY
    if isinstance(decided, Refusal):
        return decided
    return Step(by, command.id, decided.news, decided.act, code=decided.code)


def decide_entry(state: RoomState, key: bytes, name: str, *, watch: bool) -> Step | Refusal:
    """Return the step in which a newcomer enters, or the reason for refusing them.

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
    free = _free_chairs(lobby)
    sits = bool(free) and not watch
    kept = len(free) - sits + (lobby.host == THE_TABLE and not is_host)
    if len(lobby.people) + kept >= MAX_PEOPLE:
        gone = [
            person.member
            for person in lobby.people
            if person.presence is Presence.GONE and lobby.seat_of(person.member) is None
        ]
        if not gone:
            return Refusal.TABLE_FULL
        lobby_events.append(Exited(gone[0], LeaveReason.FORGOTTEN))
    lobby_events.append(Entered(member, name, is_host))
    if sits:
        lobby_events.append(SatDown(free[0], member))
    return Step(member, news=tuple(lobby_events), key=key)


def _free_chairs(lobby: Lobby) -> list[int]:
    """Return the seats that newcomers can take: the free chairs, in the lobby alone."""
    if lobby.stage is not Stage.LOBBY:
        return []
    return [seat for seat, chair in enumerate(lobby.chairs) if isinstance(chair, Free)]


def _decide_anybody(state: RoomState, by: int, request: GuestCommand, seed: bytes) -> Decision:
    match request:
        case MakeMove(seen, move):
            return _play(state, by, seen, move)
        case Chat(text):
            text = clean_text(text)
            return Approved((Said(by, text),)) if text else Refusal.NO_TEXT
        case MakeClaim(claim):
            return _claim(state, by, claim)
        case Sit(seat):
            return _sit(state, by, seat)
        case StandUp():
            seat_now = state.lobby.seat_of(by)
            if seat_now is None:
                return Refusal.NO_SEAT
            return Approved((StoodUp(seat_now),)) if may_reseat(state) else Refusal.NOT_NOW
        case SetReady(ready):
            return _set_ready(state, by, seed, ready=ready)
        case Leave():
            if by == state.lobby.host:
                return Refusal.HOST_STAYS
            return Approved(exits(state.lobby, by, LeaveReason.LEFT))
        case ReportMissing():
            return _missing(by, request)
        case _:
            assert_never(request)


def _play(state: RoomState, by: int, seen: int, wire: MoveWire) -> Decision:
    """Decide on a move; it must have been chosen in view of the present turn."""
    seat = state.lobby.seat_of(by)
    if seat is None:
        return Refusal.NO_SEAT
    if state.game is None or state.phase in {Phase.DEAL, Phase.OVER}:
        return Refusal.NOT_NOW
    if state.lobby.paused:
        return Refusal.PAUSED
    if state.game.to_act != seat:
        return Refusal.NOT_YOUR_TURN
    if not state.turn <= seen <= state.number:
        return Refusal.STALE
    if state.game.view(seat, history=False).why_not(read_move(wire)) is not None:
        return Refusal.ILLEGAL
    return Approved(act=GameStep(wire))


def _claim(state: RoomState, by: int, claim: TableClaim) -> Decision:
    """Decide on a claim; its author needs no seat, but its subject must exist."""
    return (
        Approved((Claimed(by, claim),))
        if claim.fits(len(state.lobby.chairs))
        else Refusal.NO_SUCH_CLAIM
    )


def _missing(by: int, want: ReportMissing) -> Decision:
    """Decide on a report of lost moves: the name must be clean, and all moves of one seat."""
    told = MovesMissing(by, want.seat, want.name, want.moves, want.more)
    if clean_name(want.name) != want.name:
        return Refusal.NO_NAME
    return Approved((told,)) if told.is_sound else Refusal.NO_SUCH_SEAT


def _sit(state: RoomState, by: int, seat: int) -> Decision:
    """Decide on taking a seat.

    In the lobby, anybody may take a free seat; between rounds, a watcher may take a free seat
    or a bot's.
    """
    if not may_reseat(state):
        return Refusal.NOT_NOW
    if seat >= len(state.lobby.chairs):
        return Refusal.NO_SUCH_SEAT
    chair = state.lobby.chairs[seat]
    if state.lobby.stage is Stage.LOBBY:
        return Approved((SatDown(seat, by),)) if isinstance(chair, Free) else Refusal.SEAT_TAKEN
    if state.lobby.seat_of(by) is not None:
        return Refusal.SEATED
    return Refusal.SEAT_TAKEN if isinstance(chair, Taken) else Approved((SatDown(seat, by),))


def _set_ready(state: RoomState, by: int, seed: bytes, *, ready: bool) -> Decision:
    """Decide on readiness; between rounds, deal the next round once all are ready."""
    seat = state.lobby.seat_of(by)
    if seat is None:
        return Refusal.NO_SEAT
    if state.lobby.stage is not Stage.LOBBY and state.phase is not Phase.DEAL:
        return Refusal.NOT_NOW
    event = ReadyChanged(seat, ready)
    if state.phase is Phase.DEAL and all_ready(apply(state.lobby, event)):
        return Approved((event, RoundBegins()), DealNext(seed))
    return Approved((event,))
