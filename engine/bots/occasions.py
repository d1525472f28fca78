"""The occasions on which a bot may make a claim, and the claim that it then makes.

Occasions follow only from public events and claims, so they reveal no secret. The caller decides
when it asks a bot for its claim, and how often in a round.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from engine.actions import Broke, Collapsed, Looked, Repaired
from engine.board import GOAL_CELLS
from engine.bots import claims
from engine.bots.talk import (
    SILENCE,
    Bluff,
    Claim,
    DigsAgainstUs,
    GoldAt,
    Statement,
    StoneAt,
    Talk,
)
from engine.bots.temper import USUAL_TEMPER, Temper
from engine.cards import Goal
from engine.events import Event, Laid, Revealed
from engine.view import View


@dataclass(frozen=True, slots=True)
class MapUsed:
    """The bot has looked at a goal, counted from north to south."""

    goal: int


@dataclass(frozen=True, slots=True)
class Blamed:
    """Seat `by` accused the bot, or doubted its claims."""

    by: int


@dataclass(frozen=True, slots=True)
class Contradicted:
    """Seat `by` contradicted the bot's report, or said what an opened goal has shown to be false.

    In the second case the first bot after `by` may speak.
    """

    by: int


@dataclass(frozen=True, slots=True)
class Hindered:
    """A tool of the bot was broken."""


@dataclass(frozen=True, slots=True)
class Harmed:
    """Seat `by` did harm again.

    The first bot after `by` may speak, but not the victim, nor a bot that has accused `by`.
    """

    by: int


@dataclass(frozen=True, slots=True)
class Helped:
    """Seat `by` repaired a tool of the bot."""

    by: int


@dataclass(frozen=True, slots=True)
class Redeemed:
    """A seat that the bot had `accused` repaired another player's tool."""

    accused: int


Occasion: TypeAlias = MapUsed | Contradicted | Blamed | Hindered | Harmed | Helped | Redeemed

ClaimCause: TypeAlias = Looked | Broke | Repaired | Laid | Collapsed | Revealed | Statement
"""An event or a statement that may give rise to an occasion."""


def list_occasions(
    cause: Event | Statement, talk: Talk, harms: Iterable[int | None], bots: Collection[int]
) -> Iterator[tuple[int, Occasion]]:
    """Yield each occasion that arises from an event or a statement, with the seat that may speak.

    `talk` and `harms`, the seats that did harm in the round, already include the cause. The seat
    need not be a bot's, except where one of the `bots` speaks about a goal turned up or about harm.
    """
    match cause:
        case Looked(seat, cell):
            yield seat, MapUsed(GOAL_CELLS.index(cell))
        case Broke(target=seat):
            yield seat, Hindered()
        case Repaired(by, _, seat) if seat != by:
            yield seat, Helped(by)
            for (accuser, about), vouches in sorted(talk.opinions().items()):
                if about == by and accuser != seat and not vouches:
                    yield accuser, Redeemed(by)
        case Revealed(cell, path):
            for liar in talk.find_liars(cell, is_gold=Goal.lying(path) is Goal.TREASURE):
                if (witness := _find_witness(bots, liar, liar)) is not None:
                    yield witness, Contradicted(liar)
        case Statement(by, DigsAgainstUs(seat) | Bluff(seat)) if seat != by:
            yield seat, Blamed(by)
        case Statement(by, (GoldAt() | StoneAt()) as report):
            for seat in talk.find_contradicted(by, report):
                yield seat, Contradicted(by)
                yield by, Contradicted(seat)
        case _:
            pass
    doer = claims.find_harm_doer(cause)
    if doer is not None and sum(harm == doer for harm in harms) >= claims.MIN_HARMS:
        witness = _find_witness(bots, doer, cause.target if isinstance(cause, Broke) else doer)
        if witness is not None and talk.opinions().get((witness, doer), True):
            yield witness, Harmed(doer)


def _find_witness(bots: Collection[int], by: int, victim: int) -> int | None:
    """Return the first bot after seat `by` in turn order, other than the `victim`."""
    return min(
        (seat for seat in bots if seat not in (by, victim)),
        key=lambda seat: (seat < by, seat),
        default=None,
    )


def choose_claim(
    view: View, occasion: Occasion, talk: Talk = SILENCE, temper: Temper = USUAL_TEMPER
) -> Claim | None:
    """Choose a bot's claim for an occasion, `None` to stay silent.

    Everybody also sees when it makes none. As with people, that says something about what it holds
    or believes: it asks for no repair that it has itself, and accuses or thanks nobody against its
    beliefs. It never keeps silent about a goal that it has not reported.
    """
    claim: Claim | None
    is_answer = isinstance(occasion, MapUsed | Contradicted | Blamed)
    if not is_answer and claims.has_said_enough(view, talk, temper):
        return None
    match occasion:
        case MapUsed(goal):
            claim = claims.claim_after_map(view, GOAL_CELLS[goal], talk)
        case Contradicted(by):
            claim = claims.claim_when_contradicted(view, by, talk)
        case Blamed(by):
            claim = claims.claim_when_blamed(view, by, talk, temper)
        case Hindered():
            claim = claims.claim_when_broken(view)
        case Harmed(by):
            claim = claims.claim_when_harmed(view, by, talk, temper)
        case Helped(by):
            claim = claims.claim_when_helped(view, by, talk)
        case Redeemed(accused):
            claim = claims.claim_when_redeemed(view, accused, talk)
        case _:
            assert_never(occasion)
    return claim if claim is not None and claims.is_worth_saying(view, claim, talk) else None
