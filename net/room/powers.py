"""What the host alone may want, and what comes of it.

A function of the table and the wish. That it is the host who wishes, `net.room.decide` has seen.
"""

from __future__ import annotations

from typing import TypeAlias, assert_never

from msgspec.structs import replace

from engine import Edition, Phase
from engine.bots import BOTS
from net.codec.fields import NOBODY
from net.lobby import Free, Settings, Stage, Taken
from net.lobby.news import (
    Again,
    BotSat,
    Closed,
    CodeRenewed,
    Exit,
    GameBegins,
    Locked,
    Paused,
    RoundBegins,
    Ruled,
    SatDown,
    StoodUp,
)
from net.lobby.values import FEWEST_SEATS
from net.messages import (
    Close,
    Empty,
    GoUnsaved,
    HandOver,
    Kick,
    Lock,
    NewCode,
    NextRound,
    No,
    Pause,
    PlayAgain,
    PutBot,
    Rule,
    Start,
)
from net.room.decided import Decided, Done, exits, may_reseat
from net.room.state import State
from net.room.step import Begin, DealNext, PutAway
from net.secure.code import RoomCode
from net.text import clean_name

HostWant: TypeAlias = (
    Rule
    | PutBot
    | Empty
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


def host_wants(state: State, want: HostWant, seed: bytes) -> Decided:
    """What comes of the host's wish; `seed` is for a round that is dealt by it, or a code."""
    match want:
        case Rule(settings):
            return _rule(state, settings)
        case PutBot():
            return _put_bot(state, want)
        case Empty(seat):
            return _empty(state, seat)
        case Kick(member):
            return _kick(state, member, seed)
        case HandOver(seat, member):
            return _hand_over(state, seat, member)
        case Start():
            return _start(state, seed)
        case NextRound():
            if state.phase is not Phase.DEAL:
                return No.NOT_NOW
            return Done((RoundBegins(),), DealNext(seed))
        case Pause(paused):
            if state.lobby.stage is not Stage.PLAYING or state.lobby.paused == paused:
                return No.NOT_NOW
            return Done((Paused(paused),))
        case PlayAgain():
            if state.phase is not Phase.OVER:
                return No.NOT_NOW
            return Done((Again(),), PutAway())
        case Close():
            return Done((Closed(),))
        case GoUnsaved():
            return No.NOT_NOW  # while it is the time, the room does it without a step
        case NewCode():
            if state.lobby.settings.is_open:
                return No.NO_CODE
            return Done((CodeRenewed(),), code=str(RoomCode.of_seed(seed)))
        case Lock(locked):
            return No.NOT_NOW if state.lobby.locked == locked else Done((Locked(locked),))
        case _:
            assert_never(want)


def _rule(state: State, settings: Settings) -> Decided:
    """New settings; in a game, none that the game was dealt by."""
    lobby, before = state.lobby, state.lobby.settings
    try:
        edition = Edition.read(settings.edition).text
    except KeyError:
        return No.NO_SUCH_EDITION
    if settings.stand_in not in BOTS:
        return No.NO_SUCH_BOT
    settings = replace(settings, edition=edition)
    if lobby.stage is not Stage.LOBBY:
        agreed = before.edition, before.rounds, before.seats, before.youngest
        if agreed != (edition, settings.rounds, settings.seats, settings.youngest):
            return No.NOT_NOW
    if not NOBODY <= settings.youngest < settings.seats:
        return No.NO_SUCH_SEAT
    if any(not isinstance(chair, Free) for chair in lobby.chairs[settings.seats :]):
        return No.SEAT_TAKEN
    return Done((Ruled(settings),))


def _put_bot(state: State, want: PutBot) -> Decided:
    name = clean_name(want.name)
    if not may_reseat(state):
        return No.NOT_NOW
    if want.seat >= len(state.lobby.chairs):
        return No.NO_SUCH_SEAT
    if isinstance(state.lobby.chairs[want.seat], Taken):
        return No.SEAT_TAKEN
    if want.level not in BOTS:
        return No.NO_SUCH_BOT
    if not name:
        return No.NO_NAME
    if state.lobby.has_name(name, but=want.seat):
        return No.NAME_TAKEN
    return Done((BotSat(want.seat, name, want.level),))


def _empty(state: State, seat: int) -> Decided:
    if not may_reseat(state):
        return No.NOT_NOW
    if seat >= len(state.lobby.chairs):
        return No.NO_SUCH_SEAT
    return Done((StoodUp(seat),))


def _kick(state: State, member: int, seed: bytes) -> Decided:
    """Somebody goes, and what they know opens the table no more: their key, and the room code."""
    if member == state.lobby.host:
        return No.HOST_STAYS
    if state.lobby.person(member) is None:
        return No.NO_SUCH_PERSON
    gone = exits(state.lobby, member, Exit.KICKED)
    if state.lobby.settings.is_open:
        return Done(gone)
    return Done((*gone, CodeRenewed()), code=str(RoomCode.of_seed(seed)))


def _hand_over(state: State, seat: int, member: int) -> Decided:
    """A seat, but in a round, for one who watches: a lost laptop's player with a new one.

    In a round it holds cards. Whoever could give it away then could see them, by coming to watch
    as somebody else; its own player comes back to it by their key.
    """
    if seat >= len(state.lobby.chairs):
        return No.NO_SUCH_SEAT
    if state.lobby.person(member) is None:
        return No.NO_SUCH_PERSON
    if state.lobby.seat_of(member) is not None:
        return No.SEATED
    if not may_reseat(state):
        return No.HOLDS_CARDS
    return Done((SatDown(seat, member),))


def _start(state: State, seed: bytes) -> Decided:
    lobby = state.lobby
    if lobby.stage is not Stage.LOBBY:
        return No.NOT_NOW
    if sum(not isinstance(chair, Free) for chair in lobby.chairs) < FEWEST_SEATS:
        return No.TOO_FEW
    if any(not chair.ready and chair.member != lobby.host for chair, _ in lobby.sitting()):
        return No.NOT_READY
    return Done((GameBegins(),), Begin(seed))
