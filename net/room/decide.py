"""What comes of what people at the table want: the step that it becomes, or why not.

A function of the table and the wish alone: no clock, no link, and no chance but a seed that
somebody hands in. What a refusal says follows from what its receiver knows: legality is asked of
the seat's own view.
"""

from __future__ import annotations

from typing import TypeAlias, assert_never

from engine import Phase
from net.codec import MoveWire, read_move
from net.lobby import Free, Lobby, Presence, Stage, Taken, clean_text
from net.lobby.claims import Claim
from net.lobby.news import (
    Claimed,
    Entered,
    Exit,
    Exited,
    MovesMissing,
    News,
    ReadySaid,
    RoundBegins,
    Said,
    SatDown,
    StoodUp,
    after,
)
from net.lobby.values import MOST_PEOPLE, THE_TABLE
from net.messages import (
    Command,
    Leave,
    No,
    Play,
    ReportMissing,
    Say,
    SetReady,
    Sit,
    Stand,
    Tell,
)
from net.room.decided import Decided, Done, all_ready, exits, may_reseat
from net.room.powers import HostWant, host_wants
from net.room.state import State
from net.room.step import DealNext, Made, Step
from net.text import clean_name

GuestWant: TypeAlias = Play | Say | Tell | Sit | Stand | SetReady | Leave | ReportMissing


def decide(state: State, by: int, command: Command, seed: bytes) -> Step | No:
    """What comes of a member's command; `seed` is for a round that is dealt by it, or a code."""
    want = command.want
    if not isinstance(want, HostWant):
        decided = _anybody_wants(state, by, want, seed)
    elif by == state.lobby.host:
        decided = host_wants(state, want, seed)
    else:
        decided = No.HOST_ONLY
    if isinstance(decided, No):
        return decided
    return Step(by, command.id, decided.news, decided.act, code=decided.code)


def decide_entry(state: State, key: bytes, name: str, *, watch: bool) -> Step | No:
    """What comes of a newcomer's wish to enter, with a name that nobody has yet.

    Where all places are taken, a watcher long gone is forgotten. Whoever comes to watch takes no
    place of those who will play: one is kept for each free chair, and one for the host.
    """
    name, lobby, member = clean_name(name), state.lobby, state.members + 1
    is_host = key == state.host_key
    if lobby.stage is Stage.CLOSED:
        return No.NOT_NOW
    if key in state.sent_away:
        return No.SENT_AWAY
    if lobby.locked and not is_host:
        return No.LOCKED
    if not name:
        return No.NO_NAME
    if lobby.has_name(name):
        return No.NAME_TAKEN
    news: list[News] = []
    free = _free_chairs(lobby)
    sits = bool(free) and not watch
    kept = len(free) - sits + (lobby.host == THE_TABLE and not is_host)
    if len(lobby.people) + kept >= MOST_PEOPLE:
        gone = [
            person.member
            for person in lobby.people
            if person.presence is Presence.GONE and lobby.seat_of(person.member) is None
        ]
        if not gone:
            return No.TABLE_FULL
        news.append(Exited(gone[0], Exit.FORGOTTEN))
    news.append(Entered(member, name, is_host))
    if sits:
        news.append(SatDown(free[0], member))
    return Step(member, news=tuple(news), key=key)


def _free_chairs(lobby: Lobby) -> list[int]:
    """The chairs on which newcomers sit down."""
    if lobby.stage is not Stage.LOBBY:
        return []
    return [seat for seat, chair in enumerate(lobby.chairs) if isinstance(chair, Free)]


def _anybody_wants(state: State, by: int, want: GuestWant, seed: bytes) -> Decided:
    match want:
        case Play(seen, move):
            return _play(state, by, seen, move)
        case Say(text):
            text = clean_text(text)
            return Done((Said(by, text),)) if text else No.NO_TEXT
        case Tell(claim):
            return _claim(state, by, claim)
        case Sit(seat):
            return _sit(state, by, seat)
        case Stand():
            seat_now = state.lobby.seat_of(by)
            if seat_now is None:
                return No.NO_SEAT
            return Done((StoodUp(seat_now),)) if may_reseat(state) else No.NOT_NOW
        case SetReady(ready):
            return _set_ready(state, by, seed, ready=ready)
        case Leave():
            if by == state.lobby.host:
                return No.HOST_STAYS
            return Done(exits(state.lobby, by, Exit.LEFT))
        case ReportMissing():
            return _missing(by, want)
        case _:
            assert_never(want)


def _play(state: State, by: int, seen: int, wire: MoveWire) -> Decided:
    """A move, of whoever's turn it is, for the turn in which it was decided upon."""
    seat = state.lobby.seat_of(by)
    if seat is None:
        return No.NO_SEAT
    if state.game is None or state.phase in {Phase.DEAL, Phase.OVER}:
        return No.NOT_NOW
    if state.lobby.paused:
        return No.PAUSED
    if state.game.to_act != seat:
        return No.NOT_YOUR_TURN
    if not state.turn <= seen <= state.number:
        return No.STALE
    if state.game.view(seat, history=False).why_not(read_move(wire)) is not None:
        return No.ILLEGAL
    return Done(act=Made(wire))


def _claim(state: State, by: int, claim: Claim) -> Decided:
    """A claim, which needs no seat, but a thing to be about."""
    return Done((Claimed(by, claim),)) if claim.fits(len(state.lobby.chairs)) else No.NO_SUCH_CLAIM


def _missing(by: int, want: ReportMissing) -> Decided:
    """A report of moves, all of one seat, whose player is called by a clean name."""
    told = MovesMissing(by, want.seat, want.name, want.moves, want.more)
    if clean_name(want.name) != want.name:
        return No.NO_NAME
    return Done((told,)) if told.is_sound else No.NO_SUCH_SEAT


def _sit(state: State, by: int, seat: int) -> Decided:
    """A free seat for anybody in the lobby; a free or a bot's for a watcher between rounds."""
    if not may_reseat(state):
        return No.NOT_NOW
    if seat >= len(state.lobby.chairs):
        return No.NO_SUCH_SEAT
    chair = state.lobby.chairs[seat]
    if state.lobby.stage is Stage.LOBBY:
        return Done((SatDown(seat, by),)) if isinstance(chair, Free) else No.SEAT_TAKEN
    if state.lobby.seat_of(by) is not None:
        return No.SEATED
    return No.SEAT_TAKEN if isinstance(chair, Taken) else Done((SatDown(seat, by),))


def _set_ready(state: State, by: int, seed: bytes, *, ready: bool) -> Decided:
    """Readiness; between rounds, when all are ready, the next is dealt at once."""
    seat = state.lobby.seat_of(by)
    if seat is None:
        return No.NO_SEAT
    if state.lobby.stage is not Stage.LOBBY and state.phase is not Phase.DEAL:
        return No.NOT_NOW
    said = ReadySaid(seat, ready)
    if state.phase is Phase.DEAL and all_ready(after(state.lobby, said)):
        return Done((said, RoundBegins()), DealNext(seed))
    return Done((said,))
