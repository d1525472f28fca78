"""Talk in the rounds of the arena: the bots' own claims, and malicious talkers.

A talker is a function of a view, what has just happened or been said, the talk so far and chance;
it returns the claims that its seat then makes. For malicious ones `MAX_CLAIMS_PER_ROUND` does not
hold. A bot that returns a `SpokenMove` speaks for itself.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from random import Random
from types import MappingProxyType
from typing import Final, Protocol

from engine.board import GOAL_CELLS
from engine.bots.bot import SpokenMove
from engine.bots.claims import (
    MAX_CLAIMS_PER_ROUND,
    MIN_HARMS,
    claim_after_map,
    claim_when_blamed,
    claim_when_broken,
    claim_when_harmed,
    claim_when_helped,
    claim_when_redeemed,
    harm_doer,
)
from engine.bots.talk import (
    Bluff,
    Claim,
    DigsAgainstUs,
    DigsForUs,
    GoldAt,
    Line,
    Statement,
    StoneAt,
    Talk,
)
from engine.events import Broke, Collapsed, Event, Laid, Looked, Repaired
from engine.game import Game
from engine.view import View

ClaimCause = Looked | Broke | Repaired | Laid | Collapsed | Statement
"""Something that has just happened or been said, and that a bot may speak of."""

MAX_CLAIMS_PER_TURN: Final = 30
"""Most claims that all seats together make after one move."""


class Talker(Protocol):
    """A function that chooses what a seat says about what has just happened or been said."""

    def __call__(self, view: View, cause: ClaimCause, talk: Talk, rng: Random) -> tuple[Claim, ...]:
        """Return the claims that the view's seat makes."""


def claim_about(view: View, cause: ClaimCause, talk: Talk) -> Claim | None:
    """Return a bot's claim about what has just happened or been said, or None if it is silent.

    It repeats no claim in a round except to ask for help.
    """
    if sum(one.seat == view.seat for one in talk.said) >= MAX_CLAIMS_PER_ROUND:
        return None
    match cause:
        case Looked(seat, cell) if seat == view.seat:
            return claim_after_map(view, cell)
        case Broke(_, _, target) if target == view.seat:
            return claim_when_broken(view)
        case Repaired(by, _, target) if target == view.seat != by:
            return _unless_repeated(view, claim_when_helped(view, by, talk), talk)
        case Repaired(by) if _accuses(view, by, talk):
            return claim_when_redeemed(view, by, talk)
        case Statement(by, DigsAgainstUs(seat) | Bluff(seat)) if seat == view.seat != by:
            return _unless_repeated(view, claim_when_blamed(view, by, talk), talk)
        case _:
            return _claim_about_harm(view, cause, talk)


def _claim_about_harm(view: View, cause: ClaimCause, talk: Talk) -> Claim | None:
    """Return the accusation of a seat that has done harm again, or None if it is not due."""
    doer = harm_doer(cause)
    if doer is None or _witness(cause, doer, view.table.players) != view.seat:
        return None
    is_first = sum(harm_doer(event) == doer for event in view.history) < MIN_HARMS
    silent_on_it = is_first or _accuses(view, doer, talk)
    return None if silent_on_it else claim_when_harmed(view, doer, talk)


def _witness(cause: ClaimCause, by: int, players: int) -> int:
    """Return the next seat after one that did harm, other than the one whose tool it broke."""
    victim = cause.target if isinstance(cause, Broke) else by
    return next(seat % players for seat in (by + 1, by + 2) if seat % players != victim)


def _accuses(view: View, seat: int, talk: Talk) -> bool:
    """Return True if the view's seat has accused this one in the round, and not taken it back."""
    return any((one.seat, one.claim) == (view.seat, DigsAgainstUs(seat)) for one in talk.said)


def _unless_repeated(view: View, claim: Claim | None, talk: Talk) -> Claim | None:
    """Return the claim unless the view's seat has made it in this round."""
    repeated = any((one.seat, one.claim) == (view.seat, claim) for one in talk.said)
    return None if repeated else claim


def own(view: View, cause: ClaimCause, talk: Talk, rng: Random) -> tuple[Claim, ...]:
    """Return the claims of a bot: true ones of a miner, useful ones of a saboteur."""
    del rng  # It follows from what it knows.
    claim = claim_about(view, cause, talk)
    return () if claim is None else (claim,)


def silent(view: View, cause: ClaimCause, talk: Talk, rng: Random) -> tuple[Claim, ...]:
    """Return nothing."""
    del view, cause, talk, rng
    return ()


def liar(view: View, cause: ClaimCause, talk: Talk, rng: Random) -> tuple[Claim, ...]:
    """Return the opposite of what a bot would say, on either side."""
    return tuple(map(_opposite, own(view, cause, talk, rng)))


def half(view: View, cause: ClaimCause, talk: Talk, rng: Random) -> tuple[Claim, ...]:
    """Return a claim that is a lie as often as not, on either side."""
    return (liar if rng.random() < 0.5 else own)(view, cause, talk, rng)


def accuser(view: View, cause: ClaimCause, talk: Talk, rng: Random) -> tuple[Claim, ...]:
    """Accuse any other seat whenever a bot would say something of itself."""
    others = [seat for seat in range(view.table.players) if seat != view.seat]
    return tuple(DigsAgainstUs(rng.choice(others)) for _ in own(view, cause, talk, rng))


def parrot(view: View, cause: ClaimCause, talk: Talk, rng: Random) -> tuple[Claim, ...]:
    """Repeat the claims of others, each claim once.

    After looking at a goal it repeats the last report of any goal, or a random one if there is
    none.
    """
    told = [type(one.claim) for one in talk.said if isinstance(one.claim, GoldAt | StoneAt)]
    if isinstance(cause, Looked) and cause.seat == view.seat:
        return ((told[-1] if told else rng.choice((GoldAt, StoneAt)))(cause.cell),)
    if not isinstance(cause, Statement) or cause.seat == view.seat:
        return ()
    said = {one.claim for one in talk.said if one.seat == view.seat}
    return () if cause.claim in said else (cause.claim,)


def flooder(view: View, cause: ClaimCause, talk: Talk, rng: Random) -> tuple[Claim, ...]:
    """Say everything of every goal and seat, in any order, when anybody looks at a goal."""
    del talk  # It listens to nobody.
    if not isinstance(cause, Looked):
        return ()
    goals = [claim(cell) for cell in GOAL_CELLS for claim in (GoldAt, StoneAt)]
    seats = [seat for seat in range(view.table.players) if seat != view.seat]
    opinions = [claim(seat) for seat in seats for claim in (DigsForUs, DigsAgainstUs)]
    claims: list[Claim] = [*goals, *opinions]
    rng.shuffle(claims)
    return tuple(claims)


TALKERS: Final[Mapping[str, Talker]] = MappingProxyType(
    {
        "silent": silent,
        "own": own,
        "liar": liar,
        "half": half,
        "accuser": accuser,
        "parrot": parrot,
        "flooder": flooder,
    }
)
"""All talkers by name."""


def words_of(seat: int, made: SpokenMove, talk: Talk, unplayed: int) -> Talk:
    """Return the talk after what a bot says with its move, if it may still say so much."""
    left = MAX_CLAIMS_PER_ROUND - sum(one.seat == seat for one in talk.said)
    said = [Statement(seat, claim, unplayed) for claim in made.claims[: max(left, 0)]]
    is_heard = made.text and sum(line.seat == seat for line in talk.lines) < MAX_CLAIMS_PER_ROUND
    lines = [Line(seat, made.text, unplayed)] if is_heard else []
    return talk.after(said).with_lines(lines)


def hear_move(
    talk: Talk,
    game: Game,
    causes: Iterable[Event | Statement],
    seats: Mapping[int, Talker],
    rng: Random,
) -> Talk:
    """Return the talk after a move: claims of all seats about its causes and about other claims.

    The causes are the move's events, and what its bot said with it.
    """
    todo: deque[ClaimCause] = deque(cause for cause in causes if isinstance(cause, ClaimCause))
    table = game.round.table
    left = MAX_CLAIMS_PER_TURN
    while todo and left > 0:
        cause = todo.popleft()
        for seat in range(table.players):
            claims = seats[seat](game.view(seat), cause, talk, rng)
            said = tuple(Statement(seat, claim, table.unplayed) for claim in claims)
            talk = talk.after(said)
            todo += said
            left -= len(said)
    return talk


def _opposite(claim: Claim) -> Claim:
    """Return the claim that says the opposite, if there is one."""
    match claim:
        case GoldAt(cell):
            return StoneAt(cell)
        case StoneAt(cell):
            return GoldAt(cell)
        case DigsForUs(seat):
            return DigsAgainstUs(seat)
        case DigsAgainstUs(seat):
            return DigsForUs(seat)
        case _:
            return claim
