"""Requests of the people at a table: who may make each one, and what it leads to.

Who may do what is decided in one place, `why_not`. The host's room refuses requests by it, and
every face asks it before it offers or sends a request: the answer depends only on what the asking
person knows, which is the lobby, their own view of the game, and the state of the journal. Beyond
that, a room refuses only what depends on when a request arrives, such as a move chosen in an
earlier turn.

`step_of` turns an accepted request into a step; randomness is passed in as a seed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias, assert_never

from msgspec.structs import replace

from engine.bots.installed import is_bot
from engine.edition import Edition
from engine.mistakes import NotationError
from engine.state import Phase
from engine.view import View
from net.protocol import lobby_events as events
from net.protocol import requests
from net.protocol.cleaning import clean_name
from net.protocol.fields import MAX_SEATS, NOBODY
from net.protocol.game_wire import MoveWire, read_move
from net.protocol.hall import Ask, HallRequest
from net.protocol.lobby import (
    ChatRule,
    Free,
    Lobby,
    Settings,
    TablePhase,
    Taken,
    bot_names,
    clean_text,
)
from net.protocol.messages import DiskStatus, Refusal
from net.room.draws import deal_step
from net.room.permissions import (
    can_move,
    is_host,
    is_round_due,
    may_play,
    may_reseat,
    people_awaited,
    people_waited_for,
    person_to_play,
    phase_of,
    round_of,
    who_decides,
    why_no_game,
)
from net.room.steps import GameAct, GameDiscarded, GameStep, RoomState, Step
from net.secure.code import RoomCode

_HostRequest: TypeAlias = requests.HostStepRequest | requests.HostControlRequest
_StepRequest: TypeAlias = requests.PlayerRequest | requests.HostStepRequest | HallRequest


def why_not(
    lobby: Lobby,
    view: View | None,
    me: int,
    request: requests.TableRequest,
    disk: DiskStatus = DiskStatus.OK,
) -> Refusal | None:
    """Return the reason why member `me` may not do this now, `None` if they may.

    `view` is the member's own view of the game, `None` without a game.
    """
    person = lobby.person(me)
    if person is not None and person.projector and not isinstance(request, requests.Leave):
        return Refusal.NO_SEAT
    if isinstance(request, Ask):
        return None if lobby.is_hall else Refusal.NOT_NOW
    if isinstance(request, _HostRequest) and not is_host(lobby, me):
        return Refusal.HOST_ONLY
    if isinstance(request, requests.GoUnsaved):
        return Refusal.NOT_NOW if disk is DiskStatus.OK else None
    if isinstance(request, requests.SwitchDoor):
        return None
    return Refusal.DISK_FULL if disk.is_waiting else _why_no_step(lobby, view, me, request)


def _why_no_step(  # noqa: C901 - a case for each request
    lobby: Lobby,
    view: View | None,
    me: int,
    request: requests.PlayerRequest
    | requests.React
    | requests.LetBotMove
    | requests.HostStepRequest,
) -> Refusal | None:
    match request:
        case requests.MakeMove(_seen, move):
            return _why_no_move(lobby, view, me, move)
        case requests.Chat(text):
            if lobby.settings.chat is ChatRule.CLAIMS:
                return Refusal.CLAIMS_ONLY
            return _why_no_talk(lobby, view, me) or (None if clean_text(text) else Refusal.NO_TEXT)
        case requests.MakeClaim(claim):  # a watcher may make one too
            fits = not lobby.is_hall and claim.fits(len(lobby.chairs))
            return _why_no_talk(lobby, view, me) or (None if fits else Refusal.NO_SUCH_CLAIM)
        case requests.React():
            return Refusal.NOT_NOW if lobby.is_hall else _why_no_talk(lobby, view, me)
        case requests.Nudge():
            if lobby.seat_of(me) is None:
                return Refusal.NO_SEAT
            awaited = people_waited_for(lobby, view)
            others = [person for person in awaited if person.member != me]
            return None if others else Refusal.NOT_NOW
        case requests.Sit(seat):
            return _why_not_sit(lobby, view, me, seat)
        case requests.StandUp():
            if lobby.seat_of(me) is None:
                return Refusal.NO_SEAT
            return None if may_reseat(lobby, view) else Refusal.NOT_NOW
        case requests.SetReady():  # at any time: it applies to whatever begins next
            return Refusal.NO_SEAT if lobby.seat_of(me) is None else None
        case requests.PickDwarf():
            return None if lobby.chairs and lobby.stage is TablePhase.LOBBY else Refusal.NOT_NOW
        case requests.Leave():
            return Refusal.HOST_STAYS if is_host(lobby, me) else None
        case requests.ContinueWithout():
            if me != who_decides(lobby):
                return Refusal.HOST_ONLY
            return Refusal.NOT_NOW if may_play(lobby, round_of(view)) else None
        case requests.TakeHost():
            return None if me == lobby.offered and not lobby.handing else Refusal.NOT_NOW
        case requests.LetBotMove():
            person = person_to_play(lobby, view)
            if person is None:
                return Refusal.NOT_NOW
            return None if me == who_decides(lobby, [person]) else Refusal.HOST_ONLY
        case requests.ChangeSettings(settings):
            return why_no_settings(lobby, settings)
        case requests.PutBot():
            return _why_no_bot(lobby, view, request)
        case requests.FreeSeat(seat):
            if not may_reseat(lobby, view):
                return Refusal.NOT_NOW
            return None if seat < len(lobby.chairs) else Refusal.NO_SUCH_SEAT
        case requests.Kick(member):
            if member == lobby.host:
                return Refusal.HOST_STAYS
            return Refusal.NO_SUCH_PERSON if lobby.person(member) is None else None
        case requests.HandOver():
            return _why_not_hand_over(lobby, view, request)
        case requests.Start():
            reason = why_no_game(lobby)
            return Refusal.NOT_READY if reason is None and people_awaited(lobby) else reason
        case requests.NextRound():
            if not is_host(lobby, me) and me != who_decides(lobby, people_awaited(lobby)):
                return Refusal.HOST_ONLY
            if phase_of(view) is not Phase.DEAL or lobby.is_drawing:
                return Refusal.NOT_NOW
            return None if may_play(lobby, round_of(view)) else Refusal.FEW_HERE
        case requests.Pause(paused):
            changes = lobby.stage is TablePhase.PLAYING and lobby.paused != paused
            return None if changes else Refusal.NOT_NOW
        case requests.ShowStep() | requests.PlayAgain():
            return None if phase_of(view) is Phase.OVER else Refusal.NOT_NOW
        case requests.Close():
            return None
        case requests.NewCode():
            return Refusal.NO_CODE if lobby.settings.is_open else None
        case requests.Lock(locked):
            return Refusal.NOT_NOW if lobby.locked == locked else None
        case requests.GiveHost(member):
            person = lobby.person(member)
            if person is None or member == lobby.host:
                return Refusal.NO_SUCH_PERSON
            if lobby.seat_of(member) is None or person.at_door:
                return Refusal.NO_SEAT
            return Refusal.NOT_NOW if lobby.handing or not can_move(lobby) else None
        case _:
            assert_never(request)


def step_of(  # noqa: C901 - a case for each request
    state: RoomState, by: int, number: int, request: _StepRequest, seed: bytes
) -> Step:
    """Return the step that a member's accepted command with this number becomes.

    `seed` is for a round that the request deals, the draw for it, or a new room code.
    """
    lobby = state.lobby

    def step(*news: events.LobbyEvent, act: GameAct | None = None, code: bool = False) -> Step:
        renewed = (*exits_by_new_code(lobby), events.CodeRenewed()) if code else ()
        drawn = str(RoomCode.new(seed)) if code else ""
        return Step(by, number, (*news, *renewed), act, code=drawn)

    match request:
        case requests.MakeMove(_seen, move):
            return step(act=GameStep(move))
        case requests.Chat(text):
            return step(events.Said(by, clean_text(text)))
        case requests.MakeClaim(claim):
            return step(events.Claimed(by, claim))
        case requests.Nudge():
            return step(events.Nudged(by))
        case requests.Sit(seat):
            return step(events.SatDown(seat, by))
        case requests.StandUp():
            lent = lobby.lent_to(by)
            if lent is not None:
                return step(events.SatDown(lent.seat, lent.member))
            return step(events.StoodUp(_seat(lobby, by)))
        case requests.SetReady(ready):
            event = events.ReadyChanged(_seat(lobby, by), ready)
            # Nothing changes if a client on a slow connection asks twice, nor after the game, as
            # there is no round to be ready for.
            is_news = lobby.is_ready(by) is not ready and state.phase is not Phase.OVER
            changed = step(event) if is_news else step()
            is_due = state.phase is Phase.DEAL and is_round_due(event.change(lobby))
            deals = is_due and may_play(lobby, state.round)
            return deal_step(state, changed, seed) if deals else changed
        case requests.PickDwarf(dwarf):
            return step(events.DwarfPicked(by, lobby.grant(by, dwarf)))
        case requests.Leave():
            return step(*make_exit(lobby, by, events.LeaveReason.LEFT))
        case requests.ContinueWithout():
            return step(events.WentOn(state.round))
        case requests.TakeHost():
            return step(events.HandingOver(begins=True))
        case requests.ChangeSettings(settings):
            in_order = replace(settings, edition=Edition.read(settings.edition).text)
            return step(events.SettingsChanged(in_order), code=_needs_code_again(state, request))
        case requests.PutBot(seat, name, level):
            return step(events.BotSat(seat, clean_name(name), level))
        case requests.FreeSeat(seat):
            return step(events.StoodUp(seat))
        case requests.Kick(member):
            # With a new code they cannot return under another seat key. An open table draws its new
            # code when it needs one: see `_needs_code_again`.
            gone = make_exit(lobby, member, events.LeaveReason.KICKED)
            return step(*gone, code=not lobby.settings.is_open)
        case requests.HandOver(seat, member):
            return step(events.SatDown(seat, member))
        case requests.Start() | requests.NextRound():
            return deal_step(state, step(), seed)
        case requests.Pause(paused):
            return step(events.Paused(paused))
        case requests.ShowStep(shown):
            return step(events.StepShown(shown))
        case requests.PlayAgain():
            return step(events.Rematch(), *_seat_waiting(lobby), act=GameDiscarded())
        case requests.Close():
            return step(events.Closed())
        case requests.NewCode():
            return step(code=True)
        case requests.Lock(locked):
            return step(events.Locked(locked))
        case requests.GiveHost(member):
            return step(events.HostOffered(member))
        case Ask():  # the club does it
            return step()
        case _:
            assert_never(request)


def exits_by_new_code(lobby: Lobby) -> tuple[events.LobbyEvent, ...]:
    """Return the exits of the projectors: each has to prove the new room code."""
    projectors = [person.member for person in lobby.people if person.projector]
    return tuple(events.Exited(member, events.LeaveReason.NEW_CODE) for member in projectors)


def why_refused(
    state: RoomState, by: int, request: requests.TableRequest, disk: DiskStatus = DiskStatus.OK
) -> Refusal | None:
    view = state.view(state.lobby.seat_of(by), history=False)
    reason = why_not(state.lobby, view, by, request, disk)
    if isinstance(request, requests.MakeMove) and reason in {None, Refusal.ILLEGAL}:
        # The move must have been chosen with knowledge of the present turn.
        return reason if state.turn <= request.seen <= state.number else Refusal.STALE
    return reason


def needs_seed(state: RoomState, request: requests.TableRequest) -> bool:
    if state.phase is Phase.DEAL and isinstance(request, requests.SetReady | requests.NextRound):
        return True
    draws = isinstance(request, requests.Start | requests.Kick | requests.NewCode)
    return draws or _needs_code_again(state, request)


def _needs_code_again(state: RoomState, request: requests.TableRequest) -> bool:
    """Return True if a request makes an open table ask for a code again, which has to be a new one.

    People who came or were removed while it was open may know the old one.
    """
    closes = isinstance(request, requests.ChangeSettings) and not request.settings.is_open
    return closes and state.lobby.settings.is_open


def _why_no_talk(lobby: Lobby, view: View | None, me: int) -> Refusal | None:
    """Return why a watcher has to stay silent: their words could help somebody play."""
    waits = lobby.settings.chat is not ChatRule.ALL and lobby.seat_of(me) is None
    return Refusal.WATCHERS_WAIT if waits and phase_of(view) is Phase.PLAY else None


def _why_no_move(lobby: Lobby, view: View | None, me: int, wire: MoveWire) -> Refusal | None:
    seat = lobby.seat_of(me)
    if seat is None:
        return Refusal.NO_SEAT
    if view is None or view.phase in {Phase.DEAL, Phase.OVER}:
        return Refusal.NOT_NOW
    if lobby.paused:
        return Refusal.PAUSED
    if not may_play(lobby, round_of(view)):
        return Refusal.FEW_HERE
    if view.to_act != seat:
        return Refusal.NOT_YOUR_TURN
    return None if view.why_not(read_move(wire)) is None else Refusal.ILLEGAL


def _why_not_sit(lobby: Lobby, view: View | None, me: int, seat: int) -> Refusal | None:
    """Return why a member may not take a seat.

    In the lobby, anybody may take a free seat; between rounds, a watcher may take a free seat or a
    bot's, but not at a table that lacks its people: it does not wait for newcomers.
    """
    if not may_reseat(lobby, view):
        return Refusal.NOT_NOW
    if seat >= len(lobby.chairs):
        return Refusal.NO_SUCH_SEAT
    chair = lobby.chairs[seat]
    if lobby.stage is TablePhase.LOBBY:
        return None if isinstance(chair, Free) else Refusal.SEAT_TAKEN
    if lobby.seat_of(me) is not None:
        return Refusal.SEATED
    if isinstance(chair, Taken):
        return Refusal.SEAT_TAKEN
    return None if may_play(lobby, round_of(view)) else Refusal.FEW_HERE


def why_no_settings(lobby: Lobby, settings: Settings) -> Refusal | None:
    """Return why new settings are refused: some cannot change during a game."""
    before = lobby.settings
    try:
        edition = Edition.read(settings.edition).text
    except NotationError:
        return Refusal.NO_SUCH_EDITION
    if settings.stand_in != before.stand_in and not is_bot(settings.stand_in):
        return Refusal.NO_SUCH_BOT
    if lobby.stage is not TablePhase.LOBBY or lobby.is_drawing:
        agreed = before.edition, before.rounds, before.seats, before.youngest
        if agreed != (edition, settings.rounds, settings.seats, settings.youngest):
            return Refusal.NOT_NOW
    if not NOBODY <= settings.youngest < settings.seats:
        return Refusal.NO_SUCH_SEAT
    dropped = lobby.chairs[settings.seats :]
    return None if all(isinstance(chair, Free) for chair in dropped) else Refusal.SEAT_TAKEN


def _why_no_bot(lobby: Lobby, view: View | None, request: requests.PutBot) -> Refusal | None:
    name = clean_name(request.name)
    if not may_reseat(lobby, view):
        return Refusal.NOT_NOW
    if request.seat >= len(lobby.chairs):
        return Refusal.NO_SUCH_SEAT
    if isinstance(lobby.chairs[request.seat], Taken):
        return Refusal.SEAT_TAKEN
    if not is_bot(request.level):
        return Refusal.NO_SUCH_BOT
    if not name:
        return Refusal.NO_NAME
    return Refusal.NAME_TAKEN if lobby.has_name(name, but=request.seat) else None


def _why_not_hand_over(
    lobby: Lobby, view: View | None, request: requests.HandOver
) -> Refusal | None:
    """Return why a member cannot be given a seat, `None` if they can.

    In the lobby the member may already have a seat. Within a round the seat holds cards: a host
    could give it to a second client of their own, and see them; the seat's own player returns to it
    by their seat key. So within a round only a deserted seat, whose cards nobody has seen, is given
    to a member who asked for it. A table that lacks its people gives no other seat either: it would
    count newcomers in their place.
    """
    if request.seat >= len(lobby.chairs):
        return Refusal.NO_SUCH_SEAT
    person = lobby.person(request.member)
    if person is None or person.projector:
        return Refusal.NO_SUCH_PERSON
    if lobby.seat_of(request.member) is not None and lobby.stage is not TablePhase.LOBBY:
        return Refusal.SEATED
    if lobby.is_drawing:
        return Refusal.NOT_NOW
    if request.member in lobby.asking_for(request.seat):
        return None
    if not may_reseat(lobby, view):
        return Refusal.HOLDS_CARDS
    is_lobby = lobby.stage is TablePhase.LOBBY
    return None if is_lobby or may_play(lobby, round_of(view)) else Refusal.FEW_HERE


def _seat_waiting(lobby: Lobby) -> Iterator[events.LobbyEvent]:
    """Seat people who arrived during a game for the next one."""
    waiting = [
        watcher.member
        for watcher in lobby.watchers
        if watcher.waits and not watcher.presence.is_gone
    ]
    seats = min(lobby.players + len(waiting), MAX_SEATS)
    if seats > len(lobby.chairs):
        yield events.SettingsChanged(replace(lobby.settings, seats=seats))
    free = (*lobby.free_seats, *range(len(lobby.chairs), seats))
    for seat, member in zip(free, waiting, strict=False):
        yield events.SatDown(seat, member)


def _seat(lobby: Lobby, member: int) -> int:
    seat = lobby.seat_of(member)
    assert seat is not None
    return seat


def make_exit(lobby: Lobby, member: int, why: events.LeaveReason) -> tuple[events.LobbyEvent, ...]:
    """Return the events of a member who leaves for good.

    In a game, a stand-in bot with a name of its own takes over their seat; a seat that was lent to
    them returns to its own person.
    """
    seat, lent = lobby.seat_of(member), lobby.lent_to(member)
    if lent is not None:
        return events.SatDown(lent.seat, lent.member), events.Exited(member, why)
    if seat is None or lobby.stage is not TablePhase.PLAYING:
        return (events.Exited(member, why),)
    (name,) = bot_names(1, lobby.names())
    return events.BotSat(seat, name, lobby.settings.stand_in), events.Exited(member, why)
