"""Rules for what a table may do now, as everybody there knows: whether it plays, whom it waits for.

The host's room and every face ask here. The functions take the lobby and a person's own view of the
game, which is `None` without a game.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from engine.game import Game
from engine.state import Phase
from engine.view import View
from net.protocol.lobby import MIN_SEATS, THE_TABLE, Lobby, Person, TablePhase, Taken
from net.protocol.messages import Refusal

_TERM_BITS: Final = 16  # bits of an incarnation below the term that it begins with


def incarnation_in(term: int, opened: int) -> int:
    """Return the incarnation of a table that its host of this term has `opened` that many times."""
    return (term << _TERM_BITS) + opened


def term_of(incarnation: int) -> int:
    return incarnation >> _TERM_BITS


def can_move(lobby: Lobby) -> bool:
    """Return True if somebody could resume a table at another computer.

    That is impossible with a club's table, a practice table, which has no name, or a table at which
    no people have seats.
    """
    return bool(lobby.name and lobby.sitting) and not lobby.in_club


def may_play(lobby: Lobby, number: int) -> bool:
    """Return True if a table may play round `number`, or deal it.

    It may if its people are there, or if somebody chose to play this round without the others.
    While it is handed over it does not play.
    """
    if lobby.handing:
        return False
    return not can_move(lobby) or lobby.short == number or lobby.has_its_people


def is_host(lobby: Lobby, member: int) -> bool:
    """Return True if a member is the host; before the host arrives, nobody is."""
    return member == lobby.host != THE_TABLE


def may_reseat(lobby: Lobby, view: View | None) -> bool:
    """Return True if seats may change hands: in the lobby, between rounds and after a game."""
    waits = lobby.stage is TablePhase.LOBBY or phase_of(view) in {Phase.DEAL, Phase.OVER}
    return waits and not lobby.is_drawing


def people_awaited(lobby: Lobby) -> tuple[Person, ...]:
    """Return the people, by seat, who still have to get ready.

    People who sit down are ready for a game, so it waits for people who are no longer ready, but
    not for the host, who starts it. A round waits for those who are connected.
    """
    before_game = lobby.stage is TablePhase.LOBBY
    return tuple(
        person
        for chair, person in lobby.sitting
        if not chair.ready
        and (person.member != lobby.host if before_game else not person.presence.is_gone)
    )


def seats_waited_for(lobby: Lobby) -> tuple[int, ...]:
    return tuple(lobby.seats[person.member] for person in people_awaited(lobby))


def players_missing(lobby: Lobby) -> int:
    return max(MIN_SEATS - lobby.players, 0)


def is_round_due(lobby: Lobby) -> bool:
    """Return True between rounds if everybody connected is ready, and somebody is connected.

    A round whose seed is being drawn is no longer due.
    """
    there = any(not person.presence.is_gone for _chair, person in lobby.sitting)
    return there and not (lobby.is_drawing or people_awaited(lobby))


def is_start_due(lobby: Lobby, people: int) -> bool:
    """Return True before a game that starts automatically, if this many `people` sit and are ready.

    Nobody waits for people who are not connected. A host who is present counts as ready.
    """
    there = [pair for pair in lobby.sitting if not pair[1].presence.is_gone]
    return (
        len(there) >= people
        and why_no_game(lobby) is None
        and all(chair.ready or person.member == lobby.host for chair, person in there)
    )


def is_asked_whether_ready(lobby: Lobby, view: View | None, me: int) -> bool:
    begins = lobby.stage is TablePhase.LOBBY or phase_of(view) is Phase.DEAL
    sits = lobby.seat_of(me) is not None
    return sits and begins and not lobby.is_drawing and not lobby.is_ready(me)


COARSE_S: Final = 5  # steps of a turn's clock before its last ten seconds, to redraw less often


def seconds_left(lobby: Lobby, view: View | None, lasted: int = 0) -> int | None:
    """Return the seconds left in a person's turn, `None` if nothing limits it now.

    More than two `COARSE_S` are rounded down to a multiple of it.
    """
    limit, person = lobby.settings.turn_seconds, person_to_play(lobby, view)
    if not limit or person is None or person.presence.is_gone:
        return None
    left = max(limit - lasted, 0)
    return left if left <= 2 * COARSE_S else left - left % COARSE_S


def round_of(game: Game | View | None) -> int:
    if game is None:
        return 1
    is_played = game.phase in {Phase.PLAY, Phase.GOLD}
    return game.score.number if is_played else game.score.number + 1


LONG_TURN_S: Final = 60  # seconds of a turn after which a bot may be asked to make the move


def who_decides(lobby: Lobby, awaited: Collection[Person] = ()) -> int:
    """Return the member who may play on without others: the host, else the first with a seat.

    People for whom the others wait do not count.
    """
    late = {person.member for person in awaited}
    sitting = [pair for _chair, pair in lobby.sitting if pair.member not in late]
    there = [person for person in sitting if not person.presence.is_gone]
    host = lobby.person(lobby.host)
    if host is not None and host.member not in late and not host.presence.is_gone:
        return host.member
    return there[0].member if there else THE_TABLE


def phase_of(view: View | None) -> Phase | None:
    return None if view is None else view.phase


def person_to_play(lobby: Lobby, view: View | None) -> Person | None:
    """Return the person whose move the table waits for, `None` if it waits for nobody's."""
    seat = None if view is None or lobby.paused else view.to_act
    if seat is None or not may_play(lobby, round_of(view)):
        return None
    chair = lobby.chairs[seat]
    return lobby.person(chair.member) if isinstance(chair, Taken) else None


def people_waited_for(lobby: Lobby, view: View | None) -> tuple[Person, ...]:
    if phase_of(view) is Phase.DEAL:
        return () if lobby.paused or lobby.is_drawing else tuple(people_awaited(lobby))
    person = person_to_play(lobby, view)
    return () if person is None or person.presence.is_gone else (person,)


def why_no_game(lobby: Lobby) -> Refusal | None:
    if lobby.stage is not TablePhase.LOBBY or lobby.is_drawing:
        return Refusal.NOT_NOW
    if players_missing(lobby):
        return Refusal.TOO_FEW
    return None if may_play(lobby, 1) else Refusal.FEW_HERE
