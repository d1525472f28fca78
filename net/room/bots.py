"""Bots at a table: the seat for which one moves, and the occasions on which one makes a claim.

A bot moves for its own seat, for a free one, and for an absent or slow player. Bots move and speak
only while somebody is connected, players or watchers.

A bot on its own chair speaks after looking at a goal, being contradicted about one, being blamed,
having a tool broken or repaired, seeing harm done, or seeing a player help whom it had accused; and
a bot of another package with its moves. A bot that stands in for a person never speaks in their
name.

Occasions follow only from public events, so the moment at which a bot speaks gives nothing secret
away, and a table resumed from its journal knows which claims are still due. The number of claims
per round is limited, so that bots that blame each other stop at some point.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, replace
from typing import Final, assert_never

from engine.bots.claims import MAX_CLAIMS_PER_ROUND, find_harm_doer
from engine.bots.occasions import (
    Blamed,
    Contradicted,
    Harmed,
    Helped,
    Hindered,
    MapUsed,
    Occasion,
    Redeemed,
    choose_claim,
    list_occasions,
)
from engine.bots.talk import SILENCE, Line, Statement, Talk
from engine.bots.temper import USUAL_TEMPER, Temper, draw_temper
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
)
from net.protocol.lobby_events import BotClaimed, BotSaid, Claimed, Said, StandInReason
from net.room.broadcast import StepChange
from net.room.permissions import may_play
from net.room.steps import Begin, DealNext, GameStep, RoomState


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
    """A due move, with the view of the game that the bot may use, what was said, its temper."""

    view: View
    talk: Talk = SILENCE
    temper: Temper = USUAL_TEMPER


@dataclass(frozen=True, slots=True)
class BotClaimDue:
    """The bot on a seat may make a claim about an occasion that came with step `number`."""

    number: int
    seat: int
    occasion: Occasion


@dataclass(frozen=True, slots=True)
class BotClaimRequest(BotClaimDue):
    """A due claim, with the view of the game that the bot may use, what was said, its temper."""

    view: View
    talk: Talk = SILENCE
    temper: Temper = USUAL_TEMPER


def bot_due(
    state: RoomState,
    elapsed_s: float,
    returning: Container[int] = (),
    *,
    is_asked_for: bool = False,
) -> BotMoveDue | None:
    """Return the bot move that is due, `None` if no bot is to move.

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
    # Checked last, as it takes longest: at most tables it is a person's turn.
    return None if bots_must_wait(state) else BotMoveDue(seat, level, state.turn, why)


def bots_must_wait(state: RoomState) -> bool:
    """Return True if the game is paused, or too few people or only projectors are connected."""
    lobby = state.lobby
    is_left = all(person.presence.is_gone or person.projector for person in lobby.people)
    return lobby.paused or is_left or not may_play(lobby, state.round)


def _why_stood_in(
    lobby: Lobby, member: int, elapsed_s: float, *, is_asked_for: bool
) -> StandInReason | None:
    """Return why a bot has to play for a member, `None` if they play themselves."""
    settings = lobby.settings
    if lobby.find_person(member).presence.is_gone:
        return StandInReason.ABSENT if is_asked_for or settings.absent is Absence.BOT else None
    is_late = 0 < settings.turn_seconds <= elapsed_s
    return StandInReason.ASLEEP if is_asked_for or is_late else None


def talk_for_bot(talk: Talk, settings: Settings) -> Talk:
    """Limit the talk to what may be said at this table, for a bot."""
    return replace(talk, is_written=settings.chat is not ChatRule.CLAIMS)


def talk_after(talk: Talk, change: StepChange) -> Talk:
    """Return the talk at the table after a step, for bots that listen.

    Players' claims and texts count while a round is played, watchers' never. At the end of a round
    the honesty of each seat is recorded for the rest of the game.
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
    """Yield each claim or text of a step with the seat of its speaker."""
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


def bot_claim(
    view: View, occasion: Occasion, talk: Talk = SILENCE, temper: Temper = USUAL_TEMPER
) -> TableClaim | None:
    """Choose a bot's claim for an occasion, `None` to stay silent."""
    claim = choose_claim(view, occasion, talk, temper)
    return None if claim is None else table_claim(claim)


def temper_of(state: RoomState, seat: int) -> Temper:
    """Return the temper of the bot on a seat, the same for the whole game.

    It changes when the game moves to another computer, which lacks the first seed.
    """
    record = state.record
    return draw_temper(state.game_id if record is None else record.seeds[0], seat)


MAX_WORDS_PER_ROUND: Final = 2 * MAX_CLAIMS_PER_ROUND
"""Maximum number of claims and lines of text, together, that a bot of another package makes in a
round."""

MAX_ANSWERS_PER_ROUND: Final = 2
"""Maximum number of accusers that a bot answers in a round, each of them once."""

MAX_ACCUSATIONS_PER_ROUND: Final = 2
"""Maximum number of seats that a bot accuses unprompted in a round."""


@dataclass(frozen=True, slots=True)
class PendingClaims:
    """The claims that bots still have to make in this round, and what has led to claims."""

    waiting: tuple[BotClaimDue, ...] = ()  # those still due, oldest first
    given: tuple[BotClaimDue, ...] = ()  # all that became due in this round
    harms: tuple[int, ...] = ()  # the seat that did it, for each harm of the round
    spoken: tuple[int, ...] = ()  # a bot's seat, for each claim or line that came with its move

    def without(self, done: BotClaimDue) -> PendingClaims:
        return replace(self, waiting=tuple(due for due in self.waiting if due != done))

    def settle_claim(self, seat: int) -> PendingClaims:
        """Remove a bot's oldest due claim, as it has just made one, and all due claims before it.

        Bots speak in the order in which claims became due: those before it came to nothing.
        """
        for at, due in enumerate(self.waiting):
            if due.seat == seat:
                return replace(self, waiting=self.waiting[at + 1 :])
        return self


def pending_claims_after(claims: PendingClaims, change: StepChange, talk: Talk) -> PendingClaims:
    """Update the bots' pending claims after a step; there are none unless a round is played."""
    now = change.now
    if now.phase is not Phase.PLAY:
        return PendingClaims()
    with_move = change.before.game is not None and isinstance(change.step.act, GameStep)
    for event in change.step.news:
        if with_move and isinstance(event, BotClaimed | BotSaid):
            claims = replace(claims, spoken=(*claims.spoken, event.seat))
        elif isinstance(event, BotClaimed):
            claims = claims.settle_claim(event.seat)
    doers = tuple(doer for event in change.events if (doer := find_harm_doer(event)) is not None)
    if doers:
        claims = replace(claims, harms=claims.harms + doers)
    for seat, occasion in _list_step_occasions(change, claims, talk):
        if change.now.lobby.is_bot(seat) and _may_speak(claims, seat, occasion, talk):
            due = BotClaimDue(now.number, seat, occasion)
            claims = replace(claims, waiting=(*claims.waiting, due), given=(*claims.given, due))
    return claims


def _list_step_occasions(
    change: StepChange, claims: PendingClaims, talk: Talk
) -> Iterator[tuple[int, Occasion]]:
    """Yield the occasions to speak in a step, each with the seat that has it."""
    lobby, game = change.now.lobby, change.now.game
    assert game is not None
    bots = [seat for seat, chair in enumerate(lobby.chairs) if isinstance(chair, BotChair)]
    if not bots:  # at most tables there are none, and no move needs a check
        return
    said = [
        Statement(seat, read_claim(word), game.round.table.unplayed)
        for seat, word in _words(change)
        if isinstance(word, TableClaim)
    ]
    for cause in (*visible_to(change.events, None), *said):
        yield from list_occasions(cause, talk, claims.harms, bots)


def _may_speak(claims: PendingClaims, seat: int, occasion: Occasion, talk: Talk) -> bool:
    """Return True if a bot is within its limits for claims on such an occasion."""
    given = [due.occasion for due in claims.given if due.seat == seat]
    if len(given) >= MAX_CLAIMS_PER_ROUND:
        return False
    match occasion:
        case MapUsed() | Hindered():
            return True
        case Blamed():
            blamed = [event for event in given if isinstance(event, Blamed)]
            return occasion not in blamed and len(blamed) < MAX_ANSWERS_PER_ROUND
        case Harmed():
            opinions = talk.opinions().items()
            accused = [at for (bot, at), vouches in opinions if bot == seat and not vouches]
            return len(accused) < MAX_ACCUSATIONS_PER_ROUND
        case Contradicted() | Helped() | Redeemed():
            return occasion not in given
        case _:
            assert_never(occasion)
