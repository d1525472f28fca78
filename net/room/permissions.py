"""Permissions: who may do what at a table, and why not.

The one owner of these rules. The host's room refuses by `why_not`, and every user interface asks it
before it offers or sends a request. It follows from what the asking person knows: the lobby, their
own view of the game, and the state of the journal. A room refuses beyond that only for what depends
on the moment at which a request reaches it, such as a move that was chosen in an earlier turn.
"""

from __future__ import annotations

from typing import Final, TypeAlias, assert_never

from msgspec.structs import replace

from engine.bots.installed import is_bot
from engine.edition import Edition
from engine.mistakes import NotationError
from engine.state import Phase
from engine.view import View
from net.protocol import requests
from net.protocol.events import MoveWire, read_move
from net.protocol.fields import NOBODY
from net.protocol.hall import Ask
from net.protocol.lobby import (
    MIN_SEATS,
    THE_TABLE,
    ChatRule,
    Free,
    Lobby,
    Person,
    Settings,
    Stage,
    Taken,
    clean_text,
)
from net.protocol.messages import DiskStatus, Refusal
from net.protocol.text import clean_name
from net.room.standing import can_move, may_play

_HostRequest: TypeAlias = requests.HostStepRequest | requests.HostControlRequest


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
    if isinstance(request, Ask):
        return None if lobby.is_hall else Refusal.NOT_NOW
    if isinstance(request, _HostRequest) and not is_host(lobby, me):
        return Refusal.HOST_ONLY
    if isinstance(request, requests.GoUnsaved):
        return Refusal.NOT_NOW if disk is DiskStatus.OK else None
    if isinstance(request, requests.SwitchDoor):
        return None
    if disk is DiskStatus.FULL:
        return Refusal.DISK_FULL
    if isinstance(request, requests.LetBotMove):
        return _why_no_bot_move(lobby, view, me)
    if isinstance(request, requests.HostStepRequest):
        return _why_not_host(lobby, view, request)
    return _why_not_anyone(lobby, view, me, request)


def is_host(lobby: Lobby, member: int) -> bool:
    """Return True if a member is the host; a table has none before they come."""
    return member == lobby.host != THE_TABLE


def may_reseat(lobby: Lobby, view: View | None) -> bool:
    """Return True if seats may change hands: in the lobby, between rounds and after a game."""
    waits = lobby.stage is Stage.LOBBY or _phase(view) in {Phase.DEAL, Phase.OVER}
    return waits and not lobby.is_drawing


def people_awaited(lobby: Lobby) -> tuple[Person, ...]:
    """Return the people, by seat, who still have to say that they are ready.

    A game waits for those who took it back, but for the host, who says so by starting it; a round
    waits for those who are connected.
    """
    before_game = lobby.stage is Stage.LOBBY
    return tuple(
        person
        for chair, person in lobby.sitting
        if not chair.ready
        and (person.member != lobby.host if before_game else not person.presence.is_gone)
    )


def seats_waited_for(lobby: Lobby) -> tuple[int, ...]:
    """Return the seats of the people who still have to say that they are ready."""
    return tuple(lobby.seats[person.member] for person in people_awaited(lobby))


def players_missing(lobby: Lobby) -> int:
    """Return the number of players or bots that a game still needs, 0 if there are enough."""
    return max(MIN_SEATS - lobby.players, 0)


def is_round_due(lobby: Lobby) -> bool:
    """Return True between rounds if everybody connected is ready, and somebody is connected.

    A round whose seed is being drawn is due no longer.
    """
    there = any(not person.presence.is_gone for _chair, person in lobby.sitting)
    return there and not (lobby.is_drawing or people_awaited(lobby))


def is_start_due(lobby: Lobby, people: int) -> bool:
    """Return True before a game that starts by itself once so many `people` sit and are ready.

    Nobody waits for those who are not connected. The host, if there, counts as ready.
    """
    there = [one for one in lobby.sitting if not one[1].presence.is_gone]
    return (
        len(there) >= people
        and _why_not_begin(lobby) is None
        and all(chair.ready or person.member == lobby.host for chair, person in there)
    )


def is_asked_whether_ready(lobby: Lobby, view: View | None, me: int) -> bool:
    """Return True if a game or a round waits until a member says that they are ready."""
    begins = lobby.stage is Stage.LOBBY or _phase(view) is Phase.DEAL
    sits = lobby.seat_of(me) is not None
    return sits and begins and not lobby.is_drawing and not lobby.is_ready(me)


COARSE_S: Final = 5
"""Seconds by which a turn's clock runs until it tells each of the last ones."""


def seconds_left(lobby: Lobby, view: View | None, lasted: int = 0) -> int | None:
    """Return how long a turn of a person may still last, `None` if nothing limits it now.

    More than two `COARSE_S` are rounded down to so many.
    """
    limit, seat = lobby.settings.turn_seconds, None if view is None else view.to_act
    if not limit or seat is None or lobby.paused or not may_play(lobby, round_of(view)):
        return None
    chair = lobby.chairs[seat]
    person = lobby.person(chair.member) if isinstance(chair, Taken) else None
    if person is None or person.presence.is_gone:
        return None
    left = max(limit - lasted, 0)
    return left if left <= 2 * COARSE_S else left - left % COARSE_S


def round_of(view: View | None) -> int:
    """Return the number of the round that is played, or is to be dealt next."""
    if view is None:
        return 1
    is_played = view.phase in {Phase.PLAY, Phase.GOLD}
    return view.score.number if is_played else view.score.number + 1


LONG_TURN_S: Final = 60
"""Seconds of a turn after which a bot may be let make the move."""


def who_decides(lobby: Lobby, but: int = THE_TABLE) -> int:
    """Return the member who may go on without others: the host, else the first who has a seat.

    Member `but`, for whom is waited, does not count.
    """
    sitting = [one for _chair, one in lobby.sitting if one.member != but]
    there = [one for one in sitting if not one.presence.is_gone]
    host = lobby.person(lobby.host)
    if host is not None and host.member != but and not host.presence.is_gone:
        return host.member
    return there[0].member if there else THE_TABLE


def _phase(view: View | None) -> Phase | None:
    return None if view is None else view.phase


def _why_not_anyone(
    lobby: Lobby, view: View | None, me: int, request: requests.PlayerRequest
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
        case requests.Nudge():
            if lobby.seat_of(me) is None:
                return Refusal.NO_SEAT
            awaited = _person_to_play(lobby, view)
            waits = awaited is not None and awaited.member != me and not awaited.presence.is_gone
            return None if waits else Refusal.NOT_NOW
        case requests.Sit(seat):
            return _why_not_sit(lobby, view, me, seat)
        case requests.StandUp():
            if lobby.seat_of(me) is None:
                return Refusal.NO_SEAT
            return None if may_reseat(lobby, view) else Refusal.NOT_NOW
        case requests.SetReady():  # at any time: it counts for what begins next
            return Refusal.NO_SEAT if lobby.seat_of(me) is None else None
        case requests.Leave():
            return Refusal.HOST_STAYS if is_host(lobby, me) else None
        case requests.GoOnWithout():
            if me != who_decides(lobby):
                return Refusal.HOST_ONLY
            return Refusal.NOT_NOW if may_play(lobby, round_of(view)) else None
        case requests.TakeHost():
            return None if me == lobby.offered and not lobby.handing else Refusal.NOT_NOW
        case _:
            assert_never(request)


def _person_to_play(lobby: Lobby, view: View | None) -> Person | None:
    """Return the person whose move the table waits for, `None` if it waits for nobody's."""
    seat = None if view is None or lobby.paused else view.to_act
    if seat is None or not may_play(lobby, round_of(view)):
        return None
    chair = lobby.chairs[seat]
    return lobby.person(chair.member) if isinstance(chair, Taken) else None


def _why_no_bot_move(lobby: Lobby, view: View | None, me: int) -> Refusal | None:
    """Return the reason why a member may not let a bot make the move that all wait for."""
    awaited = _person_to_play(lobby, view)
    if awaited is None:
        return Refusal.NOT_NOW
    return None if me == who_decides(lobby, but=awaited.member) else Refusal.HOST_ONLY


def _why_no_talk(lobby: Lobby, view: View | None, me: int) -> Refusal | None:
    """Return the reason why a watcher's words have to wait: they could help somebody play."""
    waits = lobby.settings.chat is not ChatRule.ALL and lobby.seat_of(me) is None
    return Refusal.WATCHERS_WAIT if waits and _phase(view) is Phase.PLAY else None


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
    """Return the reason why a member may not take a seat.

    In the lobby, anybody may take a free seat; between rounds, a watcher may take a free seat
    or a bot's, but not at a table that lacks its people: newcomers are not who it waits for.
    """
    if not may_reseat(lobby, view):
        return Refusal.NOT_NOW
    if seat >= len(lobby.chairs):
        return Refusal.NO_SUCH_SEAT
    chair = lobby.chairs[seat]
    if lobby.stage is Stage.LOBBY:
        return None if isinstance(chair, Free) else Refusal.SEAT_TAKEN
    if lobby.seat_of(me) is not None:
        return Refusal.SEATED
    if isinstance(chair, Taken):
        return Refusal.SEAT_TAKEN
    return None if may_play(lobby, round_of(view)) else Refusal.FEW_HERE


def _why_not_host(
    lobby: Lobby, view: View | None, request: requests.HostStepRequest
) -> Refusal | None:
    match request:
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
            return _why_not_start(lobby)
        case requests.NextRound():
            if _phase(view) is not Phase.DEAL or lobby.is_drawing:
                return Refusal.NOT_NOW
            return None if may_play(lobby, round_of(view)) else Refusal.FEW_HERE
        case requests.Pause(paused):
            changes = lobby.stage is Stage.PLAYING and lobby.paused != paused
            return None if changes else Refusal.NOT_NOW
        case requests.PlayAgain():
            return None if _phase(view) is Phase.OVER else Refusal.NOT_NOW
        case requests.Close():
            return None
        case requests.NewCode():
            return Refusal.NO_CODE if lobby.settings.is_open else None
        case requests.Lock(locked):
            return Refusal.NOT_NOW if lobby.locked == locked else None
        case requests.GiveHost(member):
            return _why_not_give(lobby, member)
        case _:
            assert_never(request)


def read_settings(asked: Settings) -> Settings | Refusal:
    """Return the settings of a new table, the edition as we spell it, or why not."""
    refused = why_no_settings(Lobby.empty("", Settings()), asked)
    return refused or replace(asked, edition=Edition.read(asked.edition).text)


def why_no_settings(lobby: Lobby, settings: Settings) -> Refusal | None:
    """Return the reason against new settings: in a game, those that it was dealt by stay."""
    before = lobby.settings
    try:
        edition = Edition.read(settings.edition).text
    except NotationError:
        return Refusal.NO_SUCH_EDITION
    if settings.stand_in != before.stand_in and not is_bot(settings.stand_in):
        return Refusal.NO_SUCH_BOT
    if lobby.stage is not Stage.LOBBY or lobby.is_drawing:
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
    """Return the reason why a watcher cannot be given a seat.

    Within a round the seat holds cards: a host could give it to a second client of their own, and
    see them. The seat's own player returns to it by their seat key. Only a deserted seat, whose
    cards nobody has seen, may be given then, to one who has asked for it. At a table that lacks its
    people, no other is: it would count newcomers in their place.
    """
    if request.seat >= len(lobby.chairs):
        return Refusal.NO_SUCH_SEAT
    if lobby.person(request.member) is None:
        return Refusal.NO_SUCH_PERSON
    if lobby.seat_of(request.member) is not None:
        return Refusal.SEATED
    if lobby.is_drawing:
        return Refusal.NOT_NOW
    if request.member in lobby.asking_for(request.seat):
        return None
    if not may_reseat(lobby, view):
        return Refusal.HOLDS_CARDS
    is_lobby = lobby.stage is Stage.LOBBY
    return None if is_lobby or may_play(lobby, round_of(view)) else Refusal.FEW_HERE


def _why_not_give(lobby: Lobby, member: int) -> Refusal | None:
    """Return the reason why a member cannot be asked to run the table."""
    person = lobby.person(member)
    if person is None or member == lobby.host:
        return Refusal.NO_SUCH_PERSON
    if lobby.seat_of(member) is None or person.at_door:
        return Refusal.NO_SEAT
    return Refusal.NOT_NOW if lobby.handing or not can_move(lobby) else None


def _why_not_start(lobby: Lobby) -> Refusal | None:
    reason = _why_not_begin(lobby)
    return Refusal.NOT_READY if reason is None and people_awaited(lobby) else reason


def _why_not_begin(lobby: Lobby) -> Refusal | None:
    """Return the reason why no game can begin, whoever is ready."""
    if lobby.stage is not Stage.LOBBY or lobby.is_drawing:
        return Refusal.NOT_NOW
    if players_missing(lobby):
        return Refusal.TOO_FEW
    return None if may_play(lobby, 1) else Refusal.FEW_HERE
