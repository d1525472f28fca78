"""Commands of people at the table: the step that each becomes, or the reason for refusing it.

Functions of the state and the command alone; randomness comes in as a seed. `net.room.permissions`
decides on requests, from what the person knows; only stale moves and newcomers are refused here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import assert_never

from msgspec.structs import replace

from engine.edition import Edition
from engine.state import Phase
from net.protocol import lobby_events as events
from net.protocol import requests
from net.protocol.board import MAX_HALL_PEOPLE
from net.protocol.fields import MAX_SEATS
from net.protocol.hall import Ask, HallRequest
from net.protocol.lobby import (
    MAX_PEOPLE,
    THE_TABLE,
    Deserted,
    Lobby,
    Presence,
    Settings,
    Stage,
    bot_names,
)
from net.protocol.messages import DiskStatus, Refusal
from net.protocol.text import clean_name, suffixed_name
from net.room.draws import deal_step
from net.room.fold import apply
from net.room.permissions import is_round_due, why_not
from net.room.standing import may_play
from net.room.state import GameAct, GameDiscarded, GameStep, RoomState, Step
from net.secure.code import RoomCode


@dataclass(frozen=True, slots=True)
class Outcome:
    """The lobby events, the act in the game and the new room code that a request leads to.

    If it `deals`, a round is dealt next.
    """

    news: tuple[events.LobbyEvent, ...] = ()
    act: GameAct | None = None
    code: str = ""
    deals: bool = False


def why_refused(
    state: RoomState, by: int, request: requests.TableRequest, disk: DiskStatus = DiskStatus.OK
) -> Refusal | None:
    """Return the reason for refusing a member's request, `None` if it is accepted."""
    view = state.view(state.lobby.seat_of(by), history=False)
    reason = why_not(state.lobby, view, by, request, disk)
    if isinstance(request, requests.MakeMove) and reason in {None, Refusal.ILLEGAL}:
        # The move must have been chosen in view of the present turn.
        return reason if state.turn <= request.seen <= state.number else Refusal.STALE
    return reason


def needs_seed(state: RoomState, request: requests.TableRequest) -> bool:
    """Return True if a request draws a room code, or may deal a round."""
    if state.phase is Phase.DEAL and isinstance(request, requests.SetReady | requests.NextRound):
        return True
    is_due = isinstance(request, requests.Start | requests.Kick | requests.NewCode)
    return is_due or _needs_code_again(state, request)


def _needs_code_again(state: RoomState, request: requests.TableRequest) -> bool:
    """Return True if an open table needs a code again: a new one.

    Who came, or was removed, meanwhile may know the one before.
    """
    closes = isinstance(request, requests.ChangeSettings) and not request.settings.is_open
    return closes and state.lobby.settings.is_open


def step_of(
    state: RoomState,
    by: int,
    number: int,
    request: requests.PlayerRequest | requests.HostStepRequest | HallRequest,
    seed: bytes,
) -> Step:
    """Return the step that a member's accepted command with this number becomes.

    `seed` is for a round that the request deals, the draw for it, or a new room code.
    """
    outcome = (
        _outcome_for_host(state, request, seed)
        if isinstance(request, requests.HostStepRequest)
        else _outcome(state, by, request)
    )
    step = Step(by, number, outcome.news, outcome.act, code=outcome.code)
    return deal_step(state, step, seed) if outcome.deals else step


def decide_entry(  # noqa: PLR0913 - all that is known of a newcomer
    state: RoomState,
    key: bytes,
    name: str,
    *,
    watch: bool,
    at_door: bool = False,
    wants: Deserted | None = None,
) -> Step | Refusal:
    """Return the step in which a newcomer enters, or the reason for refusing them.

    Two are never refused for a name that somebody has, and get a number: the host, and who `wants`
    the deserted seat of the person with this name, and asks for it by coming.

    At a full table, a disconnected watcher is removed to make room, in a full hall whoever has been
    away from the club for the longest. Newcomers who watch cannot
    take the places of players: one place is kept for each free chair, and one for the host.
    """
    name, lobby, member = clean_name(name), state.lobby, state.members + 1
    is_host = key == state.host_key
    if lobby.stage is Stage.CLOSED:
        return Refusal.NOT_NOW
    if lobby.locked and not is_host:
        return Refusal.LOCKED
    if not name:
        return Refusal.NO_NAME
    if lobby.has_name(name):
        if not is_host and wants is None:
            return Refusal.NAME_TAKEN
        name = _find_other_name(lobby, name)
    lobby_events: list[events.LobbyEvent] = []
    is_open = lobby.stage is Stage.LOBBY and not lobby.is_drawing
    free = lobby.free_seats if is_open else ()
    sits = bool(free) and not watch
    kept = len(free) - sits + (lobby.host == THE_TABLE and not is_host)
    if len(lobby.people) + kept >= (MAX_HALL_PEOPLE if lobby.is_hall else MAX_PEOPLE):
        owners, needed = {one.member for one in lobby.lent}, lobby.board.names_at_tables
        gone = [
            one
            for one in lobby.watchers
            if one.presence.is_gone and one.member not in owners and one.name not in needed
        ]
        if not gone:
            return Refusal.TABLE_FULL
        lobby_events.append(events.Exited(gone[0].member, events.LeaveReason.FORGOTTEN))
    waits = not (sits or watch)
    lobby_events.append(events.Entered(member, name, is_host, waits, key, at_door))
    if sits:
        lobby_events.append(events.SatDown(free[0], member))
    elif wants is not None:
        lobby_events.append(events.SeatAsked(wants.seat, member))
    return Step(member, news=tuple(lobby_events))


def _find_other_name(lobby: Lobby, name: str) -> str:
    """Return a name that nobody has: this one with the first number that makes it so."""
    numbered = (suffixed_name(name, number) for number in count(2))
    return next(other for other in numbered if not lobby.has_name(other))


def seat_steps(people: Sequence[tuple[bytes, str]], host_key: bytes) -> tuple[Step, ...]:
    """Return the first steps of a table at which people, by seat key and name, have their seats.

    They are ready, and not there yet.
    """
    return tuple(
        Step(
            member,
            news=(
                events.Entered(member, name, key == host_key, key=key),
                events.SatDown(member - 1, member),
                events.PresenceChanged(member, Presence.GONE),
            ),
        )
        for member, (key, name) in enumerate(people, 1)
    )


def _outcome(state: RoomState, by: int, request: requests.PlayerRequest | HallRequest) -> Outcome:
    if isinstance(request, requests.RemarkRequest):
        return Outcome((request.remark(by),))
    match request:
        case requests.MakeMove(_seen, move):
            return Outcome(act=GameStep(move))
        case requests.Sit(seat):
            return Outcome((events.SatDown(seat, by),))
        case requests.StandUp():
            lent = state.lobby.lent_to(by)
            if lent is not None:
                return Outcome((events.SatDown(lent.seat, lent.member),))
            return Outcome((events.StoodUp(_seat(state.lobby, by)),))
        case requests.SetReady(ready):
            event = events.ReadyChanged(_seat(state.lobby, by), ready)
            is_due = state.phase is Phase.DEAL and is_round_due(apply(state.lobby, event))
            is_due = is_due and may_play(state.lobby, state.round)
            # A client on a slow connection may ask twice: the second time nothing changes. No more
            # does it once the game is over, as there is no round to be ready for.
            is_news = state.lobby.is_ready(by) is not ready and state.phase is not Phase.OVER
            return Outcome((event,) if is_news else (), deals=is_due)
        case requests.Leave():
            return Outcome(_exits(state.lobby, by, events.LeaveReason.LEFT))
        case requests.GoOnWithout():
            return Outcome((events.WentOn(state.round),))
        case requests.TakeHost():
            return Outcome((events.HandingOver(begins=True),))
        case Ask():  # the club does it
            return Outcome()
        case _:
            assert_never(request)


def _outcome_for_host(state: RoomState, request: requests.HostStepRequest, seed: bytes) -> Outcome:
    match request:
        case requests.ChangeSettings(settings):
            changed = events.SettingsChanged(_in_order(settings))
            if not _needs_code_again(state, request):
                return Outcome((changed,))
            return Outcome((changed, events.CodeRenewed()), code=str(RoomCode.of_seed(seed)))
        case requests.PutBot(seat, name, level):
            return Outcome((events.BotSat(seat, clean_name(name), level),))
        case requests.FreeSeat(seat):
            return Outcome((events.StoodUp(seat),))
        case requests.Kick(member):
            return _kick(state.lobby, member, seed)
        case requests.HandOver(seat, member):
            return Outcome((events.SatDown(seat, member),))
        case requests.Start() | requests.NextRound():
            return Outcome(deals=True)
        case requests.Pause(paused):
            return Outcome((events.Paused(paused),))
        case requests.PlayAgain():
            return Outcome((events.Rematch(), *_seat_waiting(state.lobby)), GameDiscarded())
        case requests.Close():
            return Outcome((events.Closed(),))
        case requests.NewCode():
            return Outcome((events.CodeRenewed(),), code=str(RoomCode.of_seed(seed)))
        case requests.Lock(locked):
            return Outcome((events.Locked(locked),))
        case requests.GiveHost(member):
            return Outcome((events.HostOffered(member),))
        case _:
            assert_never(request)


def _seat_waiting(lobby: Lobby) -> Iterator[events.LobbyEvent]:
    """Yield the events by which people who came during a game sit down for the next."""
    waiting = [one.member for one in lobby.watchers if one.waits and not one.presence.is_gone]
    seats = min(lobby.players + len(waiting), MAX_SEATS)
    if seats > len(lobby.chairs):
        yield events.SettingsChanged(replace(lobby.settings, seats=seats))
    free = (*lobby.free_seats, *range(len(lobby.chairs), seats))
    for seat, member in zip(free, waiting, strict=False):
        yield events.SatDown(seat, member)


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

    So they cannot return with another seat key and the old code. An open table needs no code, and
    has a new one once it does.
    """
    gone = _exits(lobby, member, events.LeaveReason.KICKED)
    if lobby.settings.is_open:
        return Outcome(gone)
    return Outcome((*gone, events.CodeRenewed()), code=str(RoomCode.of_seed(seed)))


def _exits(lobby: Lobby, member: int, why: events.LeaveReason) -> tuple[events.LobbyEvent, ...]:
    """Return the events by which a member leaves for good.

    In a game, a stand-in bot with a name of its own takes over their seat; one that was lent to
    them is its own person's again.
    """
    seat, lent = lobby.seat_of(member), lobby.lent_to(member)
    if lent is not None:
        return events.SatDown(lent.seat, lent.member), events.Exited(member, why)
    if seat is None or lobby.stage is not Stage.PLAYING:
        return (events.Exited(member, why),)
    (name,) = bot_names(1, lobby.names())
    return events.BotSat(seat, name, lobby.settings.stand_in), events.Exited(member, why)
