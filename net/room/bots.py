"""Bots at a table: the seat for which one moves, and the occasions on which one makes a claim.

A bot moves for its own seat, for a free one, and for an absent or slow player. Bots move and speak
only while somebody is connected, players or watchers.

A bot on its own chair speaks after looking at a goal, being blamed, having a tool broken or
repaired, seeing harm done, or seeing a player help whom it had accused; and a bot of another
package with its moves. A bot that stands in for a person never speaks in their name.

Occasions follow from public events alone, so the moment at which a bot speaks gives nothing secret
away, and a table resumed from its journal knows which claims are still due. The number of claims
per round is limited, so that bots blaming each other come to an end.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, assert_never

from msgspec import Struct

from engine import actions
from engine.board import GOAL_CELLS
from engine.bots import claims as bot_claims
from engine.bots.claims import MAX_CLAIMS_PER_ROUND, MIN_HARMS, find_harm_doer
from engine.bots.talk import SILENCE, Claim, Line, Statement, Talk
from engine.events import visible_to
from engine.state import Phase
from engine.view import View
from net.protocol.chat import read_claim, table_claim
from net.protocol.lobby import (
    Absence,
    BotChair,
    ChatRule,
    ChatText,
    Free,
    Lobby,
    Settings,
    TableClaim,
    Taken,
    Topic,
)
from net.protocol.lobby_events import BotClaimed, BotSaid, Claimed, Said, StandInReason
from net.room.broadcast import StepChange
from net.room.standing import may_play
from net.room.state import Begin, DealNext, GameStep, RoomState


class MapUsed(Struct, frozen=True):
    """Occasion for a claim: the bot has looked at a goal, counted from north to south."""

    goal: int


class Blamed(Struct, frozen=True):
    """Occasion for a claim: seat `by` accused the bot, or doubted its claims."""

    by: int


class Hindered(Struct, frozen=True):
    """Occasion for a claim: a tool of the bot was broken."""


class Harmed(Struct, frozen=True):
    """Occasion for a claim: seat `by` did harm again; the next bot, but for its victim, speaks."""

    by: int


class Helped(Struct, frozen=True):
    """Occasion for a claim: seat `by` repaired a tool of the bot."""

    by: int


class Redeemed(Struct, frozen=True):
    """Occasion for a claim: a seat that the bot had `accused` repaired somebody else's tool."""

    accused: int


Occasion: TypeAlias = MapUsed | Blamed | Hindered | Harmed | Helped | Redeemed


@dataclass(frozen=True, slots=True)
class BotMoveDue:
    """A bot of this `level` has to move for a seat.

    `turn` is the step with which the turn began. `reason` is the reason why it plays a person's
    or a free seat, `None` for a bot's own seat.
    """

    seat: int
    level: str
    turn: int
    reason: StandInReason | None


@dataclass(frozen=True, slots=True)
class BotMoveRequest(BotMoveDue):
    """A due move, with the view of the game that the bot may use, and what was said."""

    view: View
    talk: Talk = SILENCE


@dataclass(frozen=True, slots=True)
class BotClaimDue:
    """The bot on a seat may make a claim about an occasion that came with step `number`."""

    number: int
    seat: int
    occasion: Occasion


@dataclass(frozen=True, slots=True)
class BotClaimRequest(BotClaimDue):
    """A due claim, with the view of the game that the bot may use, and what was said."""

    view: View
    talk: Talk = SILENCE


def bot_due(
    state: RoomState,
    elapsed_s: float,
    returning: Container[int] = (),
    *,
    is_asked_for: bool = False,
) -> BotMoveDue | None:
    """Return the move that a bot must make now, `None` if no bot is to move.

    `elapsed_s` is how long the turn has lasted, in seconds. A bot makes anybody's move if that
    `is_asked_for`, and none for members who may be `returning` after a restart.
    """
    game, lobby = state.game, state.lobby
    seat = None if game is None else game.to_act
    if seat is None:
        return None
    chair, level = lobby.chairs[seat], lobby.settings.stand_in
    why: StandInReason | None
    match chair:
        case Free():
            why = StandInReason.ABSENT
        case BotChair():
            why, level = None, chair.level
        case Taken(member):
            why = _why_stood_in(lobby, member, elapsed_s, is_asked_for=is_asked_for)
            if why is None or (why is StandInReason.ABSENT and member in returning):
                return None
        case _:
            assert_never(chair)
    # Asked last, as it takes longest: at most tables it is a person's turn.
    return None if is_still(state) else BotMoveDue(seat, level, state.turn, why)


def is_still(state: RoomState) -> bool:
    """Return True if no bot may move or speak.

    That is so if the game is paused, nobody but projectors is connected, or too few of the table's
    people are.
    """
    lobby = state.lobby
    is_left = all(person.presence.is_gone or person.projector for person in lobby.people)
    return lobby.paused or is_left or not may_play(lobby, state.round)


def _why_stood_in(
    lobby: Lobby, member: int, elapsed_s: float, *, is_asked_for: bool
) -> StandInReason | None:
    """Return the reason why a bot has to play for a member, `None` if they play themselves."""
    settings = lobby.settings
    if lobby.find_person(member).presence.is_gone:
        return StandInReason.ABSENT if is_asked_for or settings.absent is Absence.BOT else None
    is_late = 0 < settings.turn_seconds <= elapsed_s
    return StandInReason.ASLEEP if is_asked_for or is_late else None


def talk_for_bot(talk: Talk, settings: Settings) -> Talk:
    """Return the talk as a bot is given it, with what may be said at the table."""
    return replace(talk, is_written=settings.chat is not ChatRule.CLAIMS)


def talk_after(talk: Talk, change: StepChange) -> Talk:
    """Return the talk at the table after a step, for bots that listen.

    Claims and texts of players count while a round is played, those of watchers never. At the end
    of a round the honesty of each seat is recorded for the rest of the game.
    """
    before, now = change.before.game, change.now.game
    if now is None or isinstance(change.step.act, Begin):
        return SILENCE
    if isinstance(change.step.act, DealNext):
        assert before is not None
        return talk.after_round(before.round.table)
    if change.now.phase is not Phase.PLAY:
        return talk
    unplayed = now.round.table.unplayed
    for seat, word in _words(change):
        if isinstance(word, TableClaim):
            talk = talk.after([Statement(seat, read_claim(word), unplayed)])
        else:
            talk = talk.with_lines([Line(seat, word, unplayed)])
    return talk


def _words(change: StepChange) -> Iterator[tuple[int, TableClaim | ChatText]]:
    """Yield what players and bots claimed or wrote in a step, each with the seat of the speaker."""
    for event in change.step.news:
        match event:
            case Claimed(member, word) | Said(member, word):
                seat = change.now.lobby.seat_of(member)
                if seat is not None:
                    yield seat, word
            case BotClaimed(seat, word) | BotSaid(seat, word):
                yield seat, word
            case _:
                pass


def bot_claim(view: View, occasion: Occasion, talk: Talk = SILENCE) -> TableClaim | None:
    """Return the claim that a bot makes on an occasion, `None` if it makes none.

    Occasions are public, so everybody also sees when it makes none.
    """
    claim: Claim | None
    match occasion:
        case MapUsed(goal):
            claim = bot_claims.claim_after_map(view, GOAL_CELLS[goal])
        case Blamed(by):
            claim = bot_claims.claim_when_blamed(view, by, talk)
        case Hindered():
            claim = bot_claims.claim_when_broken(view)
        case Harmed(by):
            claim = bot_claims.claim_when_harmed(view, by, talk)
        case Helped(by):
            claim = bot_claims.claim_when_helped(view, by, talk)
        case Redeemed(accused):
            claim = bot_claims.claim_when_redeemed(view, accused, talk)
        case _:
            assert_never(occasion)
    return None if claim is None else table_claim(claim)


MAX_WORDS_PER_ROUND: Final = 2 * MAX_CLAIMS_PER_ROUND
"""Most claims and lines of text, together, that a bot of another package makes in a round."""

MAX_ANSWERS_PER_ROUND: Final = 2
"""Most seats that a bot answers for blaming it in a round, each of them once."""

MAX_ACCUSATIONS_PER_ROUND: Final = 2
"""Most seats that a bot accuses of its own accord in a round."""


TOPICS: Final[Mapping[type[Occasion], frozenset[Topic]]] = {
    MapUsed: frozenset({Topic.GOLD_AT, Topic.STONE_AT}),
    Blamed: frozenset({Topic.DIGS_AGAINST_US, Topic.WHO_ME}),
    Hindered: frozenset({Topic.HELP_ME}),
    Harmed: frozenset({Topic.DIGS_AGAINST_US}),
    Helped: frozenset({Topic.DIGS_FOR_US}),
    Redeemed: frozenset({Topic.DIGS_FOR_US}),
}
"""The topics that a bot's claim can have, by occasion."""


@dataclass(frozen=True, slots=True)
class PendingClaims:
    """Claims of bots in this round."""

    waiting: tuple[BotClaimDue, ...] = ()  # those still due, oldest first
    given: tuple[BotClaimDue, ...] = ()  # all that came up in this round
    called: frozenset[int] = frozenset()  # bots that called for help since their last move
    accused: frozenset[tuple[int, int]] = frozenset()
    """A bot, and a seat that the bot takes for a saboteur by its last word."""
    harms: tuple[int, ...] = ()  # the seat that did it, for each harm of the round
    spoken: tuple[int, ...] = ()  # a bot's seat, for each claim or line that came with its move

    def without(self, done: BotClaimDue) -> PendingClaims:
        """Remove a claim from those still due."""
        return replace(self, waiting=tuple(due for due in self.waiting if due != done))

    def note_opinion(self, seat: int, claim: TableClaim) -> PendingClaims:
        """Note whom a bot takes for a saboteur, or no longer."""
        if claim.topic is Topic.DIGS_AGAINST_US:
            return replace(self, accused=self.accused | {(seat, claim.about)})
        if claim.topic is Topic.DIGS_FOR_US:
            return replace(self, accused=self.accused - {(seat, claim.about)})
        return self

    def settle_claim(self, seat: int, claim: TableClaim) -> PendingClaims:
        """Remove the claim that a bot has just made, and all that were due before it.

        Bots speak in the order in which claims became due: those before it came to nothing.
        """
        of_seat = [due for due in self.waiting if due.seat == seat]
        fitting = [due for due in of_seat if claim.topic in TOPICS[type(due.occasion)]]
        if not of_seat:
            return self
        done = (fitting or of_seat)[0]
        return replace(self, waiting=self.waiting[self.waiting.index(done) + 1 :])


def pending_claims_after(claims: PendingClaims, change: StepChange) -> PendingClaims:
    """Return the claims of bots after a step; there are none unless a round is being played."""
    now, before = change.now, change.before
    if now.phase is not Phase.PLAY:
        return PendingClaims()
    with_move = before.game is not None and isinstance(change.step.act, GameStep)
    for event in change.step.news:
        if isinstance(event, BotClaimed):
            claims = claims.note_opinion(event.seat, event.claim)
        if with_move and isinstance(event, BotClaimed | BotSaid):
            claims = replace(claims, spoken=(*claims.spoken, event.seat))
        elif isinstance(event, BotClaimed):
            claims = claims.settle_claim(event.seat, event.claim)
    mover = before.game.to_act if before.game is not None and with_move else None
    doers = tuple(doer for event in change.events if (doer := find_harm_doer(event)) is not None)
    if doers or mover in claims.called:
        called, harms = claims.called - {mover}, claims.harms + doers
        claims = replace(claims, called=called, harms=harms)
    for seat, occasion in _occasions(change, claims):
        if change.now.lobby.is_bot(seat) and _may_speak(claims, seat, occasion):
            due = BotClaimDue(now.number, seat, occasion)
            called = claims.called | {seat} if isinstance(occasion, Hindered) else claims.called
            waiting, given = (*claims.waiting, due), (*claims.given, due)
            claims = replace(claims, waiting=waiting, given=given, called=called)
    return claims


def _occasions(change: StepChange, claims: PendingClaims) -> Iterator[tuple[int, Occasion]]:
    """Yield the occasions to speak in a step, each with the seat that has it."""
    for event in visible_to(change.events, None):
        match event:
            case actions.Looked(seat, cell):
                yield seat, MapUsed(GOAL_CELLS.index(cell))
            case actions.Broke(target=seat):
                yield seat, Hindered()
            case actions.Repaired(by, _, seat) if seat != by:
                yield seat, Helped(by)
                for bot, about in sorted(claims.accused):
                    if about == by and bot != seat:
                        yield bot, Redeemed(by)
            case _:
                pass
        doer = find_harm_doer(event)
        if doer is not None and claims.harms.count(doer) >= MIN_HARMS:
            victim = event.target if isinstance(event, actions.Broke) else doer
            witness = _find_witness(change.now.lobby, doer, victim)
            if witness is not None:
                yield witness, Harmed(doer)
    for by, word in _words(change):
        if isinstance(word, TableClaim) and word.topic in {Topic.DIGS_AGAINST_US, Topic.BLUFF}:
            yield word.about, Blamed(by)


def _find_witness(lobby: Lobby, by: int, victim: int) -> int | None:
    """Return the seat of the next bot after the seat that did harm, but not of its victim."""
    after = (*range(by + 1, len(lobby.chairs)), *range(by))
    return next((seat for seat in after if seat != victim and lobby.is_bot(seat)), None)


def _may_speak(claims: PendingClaims, seat: int, occasion: Occasion) -> bool:
    """Return True if a bot is within its limits for claims on such an occasion."""
    given = [due.occasion for due in claims.given if due.seat == seat]
    if len(given) >= MAX_CLAIMS_PER_ROUND:
        return False
    match occasion:
        case MapUsed():
            return True
        case Blamed():
            blamed = [event for event in given if isinstance(event, Blamed)]
            return occasion not in blamed and len(blamed) < MAX_ANSWERS_PER_ROUND
        case Hindered():
            return seat not in claims.called
        case Harmed(by):
            if (seat, by) in claims.accused:
                return False
            return sum(bot == seat for bot, _ in claims.accused) < MAX_ACCUSATIONS_PER_ROUND
        case Helped() | Redeemed():
            return occasion not in given
        case _:
            assert_never(occasion)
