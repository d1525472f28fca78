"""Commands of the host alone: each becomes an approved decision or a refusal.

Functions of the state and the request. `net.room.commands` has checked already that the sender is
the host.
"""

from __future__ import annotations

from typing import TypeAlias, assert_never

from msgspec.structs import replace

from engine import Edition, Phase
from engine.bots import BOTS
from net.lobby import Free, Settings, Stage, Taken
from net.lobby.events import (
    BotSat,
    Closed,
    CodeRenewed,
    GameBegins,
    LeaveReason,
    Locked,
    Paused,
    Rematch,
    RoundBegins,
    SatDown,
    SettingsChanged,
    StoodUp,
)
from net.lobby.model import MIN_SEATS
from net.protocol.fields import NOBODY
from net.protocol.messages import (
    ChangeSettings,
    Close,
    FreeSeat,
    GoUnsaved,
    HandOver,
    Kick,
    Lock,
    NewCode,
    NextRound,
    Pause,
    PlayAgain,
    PutBot,
    Refusal,
    Start,
)
from net.protocol.text import clean_name
from net.room.decision import Approved, Decision, exits, may_reseat
from net.room.state import Begin, DealNext, GameDiscarded, RoomState
from net.security.code import RoomCode

HostCommand: TypeAlias = (
    ChangeSettings
    | PutBot
    | FreeSeat
    | Kick
    | HandOver
    | Start
    | NextRound
    | Pause
    | PlayAgain
    | Close
    | GoUnsaved
    | NewCode
    | Lock
)


def decide_host(state: RoomState, request: HostCommand, seed: bytes) -> Decision:
    """Return the decision on a request of the host.

    `seed` is for a round that the request deals, or for a new room code.
    """
    match request:
        case ChangeSettings(settings):
            return _rule(state, settings)
        case PutBot():
            return _put_bot(state, request)
        case FreeSeat(seat):
            return _empty(state, seat)
        case Kick(member):
            return _kick(state, member, seed)
        case HandOver(seat, member):
            return _hand_over(state, seat, member)
        case Start():
            return _start(state, seed)
        case NextRound():
            if state.phase is not Phase.DEAL:
                return Refusal.NOT_NOW
            return Approved((RoundBegins(),), DealNext(seed))
        case Pause(paused):
            if state.lobby.stage is not Stage.PLAYING or state.lobby.paused == paused:
                return Refusal.NOT_NOW
            return Approved((Paused(paused),))
        case PlayAgain():
            if state.phase is not Phase.OVER:
                return Refusal.NOT_NOW
            return Approved((Rematch(),), GameDiscarded())
        case Close():
            return Approved((Closed(),))
        case GoUnsaved():
            return Refusal.NOT_NOW  # `Room` does it without a step, if the disk is full
        case NewCode():
            if state.lobby.settings.is_open:
                return Refusal.NO_CODE
            return Approved((CodeRenewed(),), code=str(RoomCode.of_seed(seed)))
        case Lock(locked):
            return Refusal.NOT_NOW if state.lobby.locked == locked else Approved((Locked(locked),))
        case _:
            assert_never(request)


def _rule(state: RoomState, settings: Settings) -> Decision:
    """Decide on new settings; in a game, those that the game was dealt by cannot change."""
    lobby, before = state.lobby, state.lobby.settings
    try:
        edition = Edition.read(settings.edition).text
    except KeyError:
        return Refusal.NO_SUCH_EDITION
    if settings.stand_in not in BOTS:
        return Refusal.NO_SUCH_BOT
    settings = replace(settings, edition=edition)
    if lobby.stage is not Stage.LOBBY:
        agreed = before.edition, before.rounds, before.seats, before.youngest
        if agreed != (edition, settings.rounds, settings.seats, settings.youngest):
            return Refusal.NOT_NOW
    if not NOBODY <= settings.youngest < settings.seats:
        return Refusal.NO_SUCH_SEAT
    if any(not isinstance(chair, Free) for chair in lobby.chairs[settings.seats :]):
        return Refusal.SEAT_TAKEN
    return Approved((SettingsChanged(settings),))


def _put_bot(state: RoomState, request: PutBot) -> Decision:
    name = clean_name(request.name)
    if not may_reseat(state):
        return Refusal.NOT_NOW
    if request.seat >= len(state.lobby.chairs):
        return Refusal.NO_SUCH_SEAT
    if isinstance(state.lobby.chairs[request.seat], Taken):
        return Refusal.SEAT_TAKEN
    if request.level not in BOTS:
        return Refusal.NO_SUCH_BOT
    if not name:
        return Refusal.NO_NAME
    if state.lobby.has_name(name, but=request.seat):
        return Refusal.NAME_TAKEN
    return Approved((BotSat(request.seat, name, request.level),))


def _empty(state: RoomState, seat: int) -> Decision:
    if not may_reseat(state):
        return Refusal.NOT_NOW
    if seat >= len(state.lobby.chairs):
        return Refusal.NO_SUCH_SEAT
    return Approved((StoodUp(seat),))


def _kick(state: RoomState, member: int, seed: bytes) -> Decision:
    """Decide on removing a member.

    The room code is renewed, so that they cannot return with another seat key and the old code.
    An open table has no code.
    """
    if member == state.lobby.host:
        return Refusal.HOST_STAYS
    if state.lobby.person(member) is None:
        return Refusal.NO_SUCH_PERSON
    gone = exits(state.lobby, member, LeaveReason.KICKED)
    if state.lobby.settings.is_open:
        return Approved(gone)
    return Approved((*gone, CodeRenewed()), code=str(RoomCode.of_seed(seed)))


def _hand_over(state: RoomState, seat: int, member: int) -> Decision:
    """Decide on giving a seat to a watcher, such as a player who returns with a new computer.

    Not within a round, when the seat holds cards: a host could give it to a second client of
    their own, and see them. The seat's own player returns to it by their seat key.
    """
    if seat >= len(state.lobby.chairs):
        return Refusal.NO_SUCH_SEAT
    if state.lobby.person(member) is None:
        return Refusal.NO_SUCH_PERSON
    if state.lobby.seat_of(member) is not None:
        return Refusal.SEATED
    if not may_reseat(state):
        return Refusal.HOLDS_CARDS
    return Approved((SatDown(seat, member),))


def _start(state: RoomState, seed: bytes) -> Decision:
    lobby = state.lobby
    if lobby.stage is not Stage.LOBBY:
        return Refusal.NOT_NOW
    if sum(not isinstance(chair, Free) for chair in lobby.chairs) < MIN_SEATS:
        return Refusal.TOO_FEW
    # The host is ready by asking for the start.
    if any(not chair.ready and chair.member != lobby.host for chair, _ in lobby.sitting()):
        return Refusal.NOT_READY
    return Approved((GameBegins(),), Begin(seed))
