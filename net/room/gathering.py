"""Rebuilding a game on a new host from what the returning players know.

The founding has all that was public, and nobody's secrets. Once all are back, or time is up, each
program sends what its seat knows, the new host's own too. The new host deals the rest: it knows all
cards from then on anyway.

The table resumes from the newest step that all those present have seen. Until the first move here,
somebody who returns later still brings what the seat knows, if that agrees with what others were
told meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Final

from engine.assembling import Contradiction, assemble
from engine.dealing import deal
from engine.events import DwarfDealt, GoldReceived, GoldShown, HandDealt, Private
from engine.facts import Secrets, gold_before, secrets_of
from engine.game import Game
from engine.state import Phase
from engine.view import View
from net.protocol.lobby import Lobby, Person, Taken
from net.protocol.lobby_events import (
    BroughtBack,
    HostChanged,
    LeaveReason,
    LobbyEvent,
    Rematch,
    apply_all,
)
from net.protocol.messages import EnterTable, decode_knowledge
from net.room.decisions import make_exit
from net.room.steps import (
    Assembled,
    CardsRedrawn,
    PublicState,
    RoomState,
    Step,
    Takeover,
    write_game,
)

GATHER_S: Final = 17.0
"""Seconds that people have to return: at most 21 s pass between the key and a move."""

TELL_S: Final = 3.0  # seconds that programs have to send what they know


@dataclass(frozen=True, slots=True)
class GatheringQuestion:
    """The question to everybody present with a seat: what did you know at this step?"""

    at: PublicState
    asked: tuple[int, ...]  # members
    until: float


@dataclass(slots=True)
class TakeoverGathering:
    """The people who have returned to a table that moves here, and the secrets that they sent."""

    moved: Takeover
    until: float
    entering: dict[int, EnterTable] = field(default_factory=dict)  # by member
    question: GatheringQuestion | None = None
    answers: dict[int, tuple[Private, ...] | None] = field(default_factory=dict)  # by member

    def missing_people(self) -> tuple[Person, ...]:
        """Return the table's people, by seat, who have not returned yet.

        The lost host's own player and guests at its doors may come later.
        """
        lobby = self.moved.newest.lobby
        lost = None if self.moved.is_handed_over else lobby.host
        return tuple(
            person
            for _chair, person in lobby.sitting
            if not (person.presence.is_gone or person.member in self.entering)
            and not (person.member == lost or person.at_door)
        )

    def last_common_state(self) -> PublicState:
        states = self.moved.states
        places = {state.mark: at for at, state in enumerate(states)}
        coming, seats = self.entering.items(), self.moved.newest.lobby.seats
        seated = [entered for member, entered in coming if member in seats]
        # A program that has seen more than we have also holds the earlier states.
        seen = (places.get(entered.seen, len(states) - 1) for entered in seated)
        return states[min(seen, default=len(states) - 1)]

    def ask(self, now: float) -> GatheringQuestion:
        """Ask all returned people with seats, from the step that all of them have seen.

        Later arrivals and exits do not change that step, so nobody can keep the table asking for
        ever.
        """
        at = self.last_common_state()
        sitting = [person.member for _chair, person in at.lobby.sitting]
        asked = tuple(member for member in sitting if member in self.entering)
        self.question = GatheringQuestion(at, asked, now + TELL_S)
        return self.question

    def is_asked(self, member: int) -> bool:
        """Return True if a member's program still owes us its seat's secrets."""
        question = self.question
        return question is not None and member in question.asked and member not in self.answers

    def record_knowledge(self, member: int, sent: bytes) -> None:
        """Note the secrets that a member sent when asked. Raises BadFrame: they are malformed."""
        if self.is_asked(member):
            self.answers[member] = decode_knowledge(sent)

    def make_step(self, seed: bytes) -> tuple[Step, frozenset[int]]:
        """Return the step with which the table resumes here, and the seats that keep their cards.

        What no seat knows is dealt from `seed`. If no game leads to the state that all have seen,
        the lost host has lied, and the table resumes in its lobby.
        """
        at = self.last_common_state() if self.question is None else self.question.at
        watched, claim = at.watched, self.moved.claim
        host = next(person.member for person in at.lobby.people if person.key == claim.key)
        # A guest who claims to have seen less cannot bring back people who were removed since.
        known = {person.key for person in self.moved.newest.lobby.people}
        left = [person.member for person in at.lobby.people if person.key not in known]
        if watched is None:
            return _go_to_lobby(at, at.lobby, HostChanged(host, claim.term), left)
        secrets = {
            seat: known
            for member, known in sorted(self.answers.items())
            if known is not None and (seat := at.lobby.seat_of(member)) is not None
        }
        at_odds: tuple[int, ...] = ()
        try:
            game = assemble(watched, secrets, seed)
        except Contradiction as error:
            game = redeal(watched, secrets, seed)
            at_odds, secrets = error.seats, {}
        except (ValueError, LookupError):  # no game leads there: the lost host has lied
            lobby = Rematch().change(at.lobby)
            return _go_to_lobby(at, lobby, HostChanged(host, claim.term), left)
        people = [seat for seat, chair in enumerate(at.lobby.chairs) if isinstance(chair, Taken)]
        redealt = () if at_odds else tuple(seat for seat in people if seat not in secrets)
        news = HostChanged(host, claim.term, max(1, watched.score.number), redealt, at_odds)
        salt = sha256(b"running" + seed).digest()
        act = Assembled(at.mark, at.lobby, at.game_id, write_game(game), salt)
        return Step(news=_add_exits(at.lobby, news, left), act=act), frozenset(secrets)


def _go_to_lobby(
    at: PublicState, lobby: Lobby, news: HostChanged, left: Sequence[int]
) -> tuple[Step, frozenset[int]]:
    step = Step(news=_add_exits(lobby, news, left), act=Assembled(at.mark, lobby))
    return step, frozenset()


def _add_exits(lobby: Lobby, news: LobbyEvent, left: Sequence[int]) -> tuple[LobbyEvent, ...]:
    """Return `news` and the exits of the members who have `left`, for this lobby before them."""
    events = [news]
    for member in left:
        events += make_exit(apply_all(lobby, events), member, LeaveReason.LEFT)
    return tuple(events)


def redeal(watched: View, secrets: Secrets, seed: bytes) -> Game:
    """Deal the present round again, with the gold that the seats report.

    A round that has ended stays as all saw it end; only its secrets are drawn again.
    """
    if watched.phase is not Phase.PLAY:
        return assemble(watched, {}, seed)
    start = _at_its_start(watched)
    fresh = deal(sha256(b"anew" + seed).digest(), watched.score.number, watched.table.players)
    kept = {
        seat: (
            *(event for event in known if isinstance(event, GoldShown | GoldReceived)),
            DwarfDealt(seat, fresh.roles[seat]),
            HandDealt(seat, fresh.hands[seat]),
        )
        for seat, known in secrets.items()
    }
    try:
        return assemble(start, kept, seed)
    except ValueError:  # the gold that they report is impossible
        return assemble(start, {}, seed)


def _at_its_start(watched: View) -> View:
    table, score = watched.table, watched.score
    again = View.before(table.edition, table.players, score.rounds, None)
    for gold in gold_before(watched):
        again = again.after(gold)
    again = again._replace(score=replace(again.score, wins=score.wins[: score.number - 1]))
    for event in watched.history[:2]:  # the deal, and the first turn
        again = again.after(event)
    return again


def make_return_step(
    state: RoomState, kept: frozenset[int], seat: int, own: Sequence[Private], seed: bytes
) -> Step | None:
    """Make the step that restores a seat's own cards, `None` if that is impossible.

    Seats that have `kept` their cards, or have seen the cards drawn for them, keep those.
    """
    game = state.game
    assert game is not None
    watched = game.view(None)
    secrets: dict[int, Sequence[Private]] = {seat: secrets_of(game.view(seat)) for seat in kept}
    try:
        game = assemble(watched, {**secrets, seat: own}, seed)
    except ValueError:  # it contradicts cards that others were dealt here meanwhile
        return None
    return Step(news=(BroughtBack(seat),), act=CardsRedrawn(write_game(game)))
