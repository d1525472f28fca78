"""The review of a game that is over: what could be known, what was likely, what was better.

A review holds all roles and cards of its game, so nothing that plays may import this module, and
nobody may be shown a review before the game is over (RULES K). The game, the talk, a seed and the
effort determine it: it is the same on every machine.

Each step has its own random numbers, from the seed and the number of the step, so that steps can be
reviewed in any order. In the summary of a review, a saboteur was found out at the first step from
which everybody had reason to suspect them until the round was over.

Estimates come from play-outs of sampled rounds, and have intervals: they are as good as the play in
them (`engine.bots.rollout`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from random import Random
from types import MappingProxyType
from typing import Final, NamedTuple

from engine.bots.beliefs import OBVIOUS_PROBABILITY, Beliefs, form_beliefs, infer_public_beliefs
from engine.bots.bot import Playouts
from engine.bots.estimates import Estimate, estimate_change, estimate_paired_change
from engine.bots.evidence import observe
from engine.bots.fast_board import SITE_DISTANCES, UNREACHABLE_CARDS
from engine.bots.hints import HintReason, find_reason
from engine.bots.rollout import is_won, roll_out
from engine.bots.searching import imagine_rounds, play_out, search_moves
from engine.bots.talk import SILENCE, Statement, Talk
from engine.cards import Goal, Role
from engine.events import RoundEnded
from engine.game import Game
from engine.moves import KeepGold, Move, Play

StatementsByStep = Mapping[int, Sequence[Statement]]
"""The claims made after each step, by the number of the step."""

NOTHING_SAID: Final[StatementsByStep] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Effort:
    """The numbers of play-outs for a step."""

    chance: int = 100
    """To estimate the miners' chance."""
    choice: int = 300
    """For the bot to choose its move."""
    comparison: int = 90
    """To compare that move with the move that was made. These are new rounds: in the play-outs that
    it was chosen by, a move seems better than it is."""


DEFAULT_EFFORT: Final = Effort()
"""About a fifth of a second of one core for each step."""


class PlayedStep(NamedTuple):
    """The game after a step, and the move that led to it, `None` for a deal."""

    game: Game
    move: Move | None


@dataclass(frozen=True, slots=True)
class MoveReview:
    """A move, and the move that the hard bot makes with the player's knowledge."""

    seat: int
    move: Play
    reason: HintReason
    best: Play
    """The bot's move."""
    best_reason: HintReason
    gain: Estimate
    """The rise in the share of rounds that the player's side wins with the bot's move."""

    @property
    def agrees(self) -> bool:
        """True if the bot makes the same move."""
        return self.move == self.best


@dataclass(frozen=True, slots=True)
class StepReview:
    """A step of a game, by what is known after it."""

    number: int
    """The number of the step, from 0."""
    round: int
    """The number of the round, from 1."""
    suspicion: tuple[float, ...]
    """Each seat's probability of being a saboteur, by what everybody could see and hear."""
    gold: tuple[float, ...]
    """Each goal's probability of being the treasure, by what everybody could see and hear."""
    distance: int | None
    """The number of cards that the tunnel needs to the treasure, `None` if no way leads on."""
    chance: Estimate
    """The miners' chance of winning the round, with the true roles and goals but imagined hands."""
    move: MoveReview | None
    """The review of the move, `None` for deals and choices of gold."""


def review(
    steps: Sequence[PlayedStep],
    said: StatementsByStep = NOTHING_SAID,
    seed: int = 0,
    effort: Effort = DEFAULT_EFFORT,
) -> Iterator[StepReview]:
    """Yield the review of each step, worked out one at a time."""
    talks = list(follow_talk(steps, said))
    for number, (game, move) in enumerate(steps):
        rng = Random(f"sabtui review {seed} {number}")
        made = None
        if number:
            made = _review_move(steps[number - 1].game, move, talks[number - 1], rng, effort)
        public = infer_public_beliefs(observe(game.view(None), talks[number]))
        chance = _estimate_chance(game, talks[number], public, rng, effort.chance)
        yield StepReview(
            number,
            game.score.number,
            public.saboteur,
            public.gold,
            _measure_distance(game),
            chance,
            made,
        )


def follow_talk(steps: Iterable[PlayedStep], said: StatementsByStep) -> Iterator[Talk]:
    """Yield the talk of the round after each step, with what earlier rounds proved of each seat."""
    talk, before = SILENCE, None
    for number, step in enumerate(steps):
        if before is not None and before.score.number != step.game.score.number:
            talk = talk.after_round(before.round.table)
        talk = talk.after(said.get(number, ()))
        before = step.game
        yield talk


def _measure_distance(game: Game) -> int | None:
    """Return the number of cards between tunnel and treasure, `None` if no way leads on."""
    board, treasure = game.round.table.board, game.round.goals.index(Goal.TREASURE)
    if game.round.table.end is not None and game.round.table.end.winner is Role.MINER:
        return 0
    ahead = SITE_DISTANCES[1 << treasure].count_needed(board)
    return None if ahead >= UNREACHABLE_CARDS else ahead


def _estimate_chance(
    game: Game, talk: Talk, public: Beliefs, rng: Random, playouts: int
) -> Estimate:
    """Return the miners' chance of winning, from public knowledge with the true roles and goals.

    Hands and pile are sampled, as everybody's actions make them likely: with the true ones, all
    play-outs of the last cards would end alike, and the outcome would seem certain.
    """
    end = game.round.table.end
    if end is not None:
        return Estimate.certain(float(end.winner is Role.MINER))
    rounds = imagine_rounds(observe(game.view(None), talk), _find_truth(game), public, rng)
    won = sum(is_won(roll_out(now)) for now in islice(rounds, playouts))
    return Estimate.share(won, playouts)


def _find_truth(game: Game) -> Beliefs:
    """Return beliefs that hold the true roles and goals for certain."""
    roles, treasure = game.round.roles, game.round.goals.index(Goal.TREASURE)
    saboteurs = frozenset(seat for seat, role in enumerate(roles) if role is Role.SABOTEUR)
    return Beliefs(
        hypotheses=((saboteurs, treasure),),
        weights=(1.0,),
        saboteur=tuple(float(seat in saboteurs) for seat in range(len(roles))),
        gold=tuple(float(goal == treasure) for goal in range(len(game.round.goals))),
    )


def _review_move(
    game: Game, move: Move | None, talk: Talk, rng: Random, effort: Effort
) -> MoveReview | None:
    """Return the review of a move made in this game, `None` for a deal or a choice of gold."""
    seat = game.round.table.turn
    if seat is None or move is None or isinstance(move, KeepGold):
        return None
    view = game.view(seat)
    observed = observe(view, talk)
    beliefs = form_beliefs(observed)
    best = search_moves(observed, beliefs, rng, Playouts(effort.choice))[0].move
    gain = Estimate.certain(0.0)
    if best != move:
        made, chosen = play_out(observed, beliefs, (move, best), rng, effort.comparison)
        pairs = zip(made.ends, chosen.ends, strict=True)
        gain = estimate_paired_change((is_won(mine), is_won(its)) for mine, its in pairs)
    reasons = [find_reason(view, beliefs, play) for play in (move, best)]
    return MoveReview(seat, move, reasons[0], best, reasons[1], gain)


FOUND_OUT_PROBABILITY: Final = OBVIOUS_PROBABILITY
"""Public saboteur probability above which a seat counts as suspected, also for the bots."""

TURNING_POINT_SWING: Final = 0.1
"""A move is a turning point if the whole interval of its change lies beyond this. So with 100
play-outs, at most one round in 20, of 60 moves that change nothing, gets a turning point."""

MAX_TURNING_POINTS: Final = 3
"""Maximum number of turning points of a round."""

MAX_LOSSES: Final = 2
"""Maximum number of moves of a player in a round that are listed because another was surely
better."""

NOTABLE_CHANGE: Final = 0.05
"""A move is called good or bad only if it surely changed, or cost, more than this."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """The suspicion against a saboteur in a round."""

    round: int
    seat: int
    step: int | None
    """The step from which everybody had reason to suspect the saboteur; `None` if there is none."""
    miners: tuple[int, ...]
    """The miners who were more suspected than the saboteur when the round was about to end."""


def find_suspicions(
    steps: Sequence[PlayedStep], reviews: Sequence[StepReview]
) -> tuple[Suspicion, ...]:
    """Return the suspicion of each saboteur, for each round that ended."""
    return tuple(
        _find_suspicion(seat, [step for step in reviews if _is_in_play(steps, step, number)], end)
        for number, end in _list_ends(steps).items()
        for seat, role in enumerate(end.roles)
        if role is Role.SABOTEUR
    )


def _find_suspicion(seat: int, reviews: Sequence[StepReview], end: RoundEnded) -> Suspicion:
    """Return the suspicion against a saboteur, from the steps of the round before its end."""
    since = None
    for step in reversed(reviews):
        if step.suspicion[seat] <= FOUND_OUT_PROBABILITY:
            break
        since = step.number
    last = reviews[-1]
    miners = tuple(
        other
        for other, role in enumerate(end.roles)
        if role is Role.MINER and last.suspicion[other] > last.suspicion[seat]
    )
    return Suspicion(last.round, seat, since, miners)


def _is_in_play(steps: Sequence[PlayedStep], step: StepReview, number: int) -> bool:
    """Return True for a step of round `number` that did not end it."""
    return step.round == number and steps[step.number].game.round.table.end is None


def _list_ends(steps: Sequence[PlayedStep]) -> dict[int, RoundEnded]:
    return {
        game.score.number: game.round.table.end
        for game, _ in steps
        if game.round.table.end is not None
    }


@dataclass(frozen=True, slots=True)
class MoveOfNote:
    """A move after a step, and by how much the miners' chance then changed."""

    step: int
    review: MoveReview
    swing: Estimate


@dataclass(frozen=True, slots=True)
class ReviewSummary:
    """The turning points in order, what players lost, and when saboteurs were found out."""

    turning_points: tuple[MoveOfNote, ...]
    suspicions: tuple[Suspicion, ...]
    losses: tuple[MoveOfNote, ...] = ()
    """The moves with which each player surely lost most, in order."""


def summarise(steps: Sequence[PlayedStep], reviews: Sequence[StepReview]) -> ReviewSummary:
    """Return the summary of a review of all steps."""
    moves = tuple(list_moves_of_note(reviews))
    return ReviewSummary(
        turning_points=find_turning_points(moves, reviews),
        suspicions=find_suspicions(steps, reviews),
        losses=find_losses(moves, reviews),
    )


def list_moves_of_note(reviews: Iterable[StepReview]) -> Iterator[MoveOfNote]:
    """Yield each move with the change of the miners' chance."""
    for before, after in pairwise(reviews):
        if after.move is not None:
            yield MoveOfNote(after.number, after.move, estimate_change(before.chance, after.chance))


def find_turning_points(
    moves: Iterable[MoveOfNote], reviews: Sequence[StepReview]
) -> tuple[MoveOfNote, ...]:
    """Return the moves of each round that surely changed most, in order."""
    rounds = {step.number: step.round for step in reviews}
    found: dict[int, list[MoveOfNote]] = {}
    for move in moves:
        if measure_sure_change(move.swing) > TURNING_POINT_SWING:
            found.setdefault(rounds[move.step], []).append(move)
    most = [
        move
        for turns in found.values()
        for move in sorted(turns, key=_measure_swing, reverse=True)[:MAX_TURNING_POINTS]
    ]
    return tuple(sorted(most, key=lambda move: move.step))


def find_losses(
    moves: Iterable[MoveOfNote], reviews: Sequence[StepReview]
) -> tuple[MoveOfNote, ...]:
    """Return, in order, each seat's moves of each round to which another was surely superior.

    If a seat has more than `MAX_LOSSES` of them, only those that surely lost most.
    """
    rounds = {step.number: step.round for step in reviews}
    found: dict[tuple[int, int], list[MoveOfNote]] = {}
    for move in moves:
        if measure_sure_change(move.review.gain) > NOTABLE_CHANGE and move.review.gain.value > 0:
            found.setdefault((rounds[move.step], move.review.seat), []).append(move)
    most = [
        move
        for lost in found.values()
        for move in sorted(lost, key=_measure_loss, reverse=True)[:MAX_LOSSES]
    ]
    return tuple(sorted(most, key=lambda move: move.step))


def measure_sure_change(change: Estimate) -> float:
    """Return the least size of a change that its interval allows, 0 if it may be none."""
    return max(change.low, -change.high, 0.0)


def _measure_swing(move: MoveOfNote) -> float:
    return abs(move.swing.value)


def _measure_loss(move: MoveOfNote) -> float:
    return move.review.gain.low
